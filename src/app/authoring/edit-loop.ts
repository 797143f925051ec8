// Makes a loop out of another one: with overlays, with single values changed, or under another name. Nothing is loosened unless somebody says so.
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { type Change, changeSpec } from "../../spec/change-spec.ts";
import type { SpecPath } from "../../spec/edit-spec.ts";
import { type Loosening, loosened } from "../../spec/loosened.ts";
import { formatProblem, readSpec } from "../../spec/read-spec.ts";
import { readSpecText } from "../../spec/text.ts";
import { displayLine } from "../../std/display-text.ts";
import { canonicalJson } from "../../std/hash.ts";
import type { Fields, Overlay } from "./overlays.ts";

export interface MadeLoop {
  readonly text: string;
  readonly spec: LoopSpec;
  readonly changed: readonly string[];
  /** What it may do that the first one may not: it was asked for, and somebody must mean it. */
  readonly loosened: readonly Loosening[];
  /** What an overlay would have loosened, and did not. */
  readonly left: readonly Loosening[];
}

interface Draft {
  readonly text: string;
  readonly changed: readonly string[];
  readonly left: readonly Loosening[];
}

/** One `--set`: the value as it would be read as YAML, and as it was written. */
export interface Setting extends Change {
  readonly written: string;
}

export interface Wanted {
  readonly name?: string | undefined;
  readonly overlays: readonly Overlay[];
  /** Single values by their path, said outright. */
  readonly set: readonly Setting[];
  /** Whether overlays may loosen too. */
  readonly isMeant: boolean;
}

export function makeLoop(file: string, text: string, { name, overlays, set, isMeant }: Wanted, registries: Registries): MadeLoop {
  const first = soundSpec(file, text, registries);
  const named = name === undefined ? text : forked(file, text, name, first);
  let draft: Draft = { text: named, changed: name === undefined ? [] : ["name"], left: [] };
  for (const overlay of overlays) draft = laidOver(file, draft, overlay, isMeant, registries);
  let edited = draft.text;
  for (const setting of set) edited = withSetting(file, edited, setting, registries);
  const spec = set.length === 0 ? soundSpec(file, edited, registries) : soundWith(file, edited, set, registries);
  return {
    text: edited,
    spec,
    changed: [...draft.changed, ...set.map(({ path }) => path.join("."))],
    loosened: loosened(first, spec),
    left: draft.left,
  };
}

function soundSpec(file: string, text: string, registries: Registries): LoopSpec {
  const reading = readSpec(file, text, registries);
  if (reading.kind === "read") return reading.spec;
  throw new LoopError("bad-input", reading.problems.map(formatProblem).join("\n"), {
    retry: "never",
    hint: "`lw validate` says all that is wrong with it.",
  });
}

/** What is a text there is taken as it was written, whatever YAML would make of it. What is only sound together with the next is looked at in the end. */
function withSetting(file: string, text: string, { path, value, written }: Setting, registries: Registries): string {
  mustHavePlace(text, path, written);
  const asRead = applied(text, [{ path, value }]);
  if (value === written || readSpec(file, asRead, registries).kind === "read") return asRead;
  const asWritten = applied(text, [{ path, value: written }]);
  return readSpec(file, asWritten, registries).kind === "read" ? asWritten : asRead;
}

/** A list has what is in it, and room for one more; what is set beyond that would be set nowhere. */
function mustHavePlace(text: string, path: SpecPath, written: string): void {
  let here: unknown = readSpecText(text).value;
  for (const [depth, step] of path.entries()) {
    if (Array.isArray(here) && !(typeof step === "number" && step <= here.length))
      throw new LoopError(
        "bad-input",
        `--set ${displayLine(`${path.join(".")}=${written}`, 80)}: there is no ${displayLine(String(step), 40)} in ${path.slice(0, depth).join(".")}`,
        {
          retry: "never",
          hint: `It has ${here.length}, counted from 0. Nothing was written.`,
        },
      );
    here = typeof here === "object" && here !== null ? Reflect.get(here, step) : undefined;
  }
}

/** What was sound before is not any more by what was set: so the flag is named, and no line of a file that was never written. */
function soundWith(file: string, text: string, set: readonly Setting[], registries: Registries): LoopSpec {
  const reading = readSpec(file, text, registries);
  if (reading.kind === "read") return reading.spec;
  const told = reading.problems.map(({ path, problem, instead }) => {
    const by = set.find((one) => path.startsWith(one.path.join("."))) ?? set[0]!;
    return `--set ${displayLine(`${by.path.join(".")}=${by.written}`, 80)}: ${path} ${problem}. ${instead}`;
  });
  throw new LoopError("bad-input", told.join("\n"), { retry: "never", hint: "Nothing was written." });
}

/** Its comments are its own; where it comes from is one more. */
function forked(file: string, text: string, name: string, { name: from }: LoopSpec): string {
  if (name === from)
    throw new LoopError("bad-input", `${name} is what it is called already`, { retry: "never", hint: "Give it another name." });
  const edited = applied(text, [{ path: ["name"], value: name }]);
  if (/^\s*\{/.test(edited)) return edited;
  const line = `# Forked from ${from} (${file.replaceAll(/[^\w./-]/g, "_")}).\n`;
  // What editors are told about a file stays its first line.
  const schema = /^# yaml-language-server:[^\n]*\n/.exec(edited)?.[0] ?? "";
  return `${schema}${line}${edited.slice(schema.length)}`;
}

function applied(text: string, changes: readonly Change[]): string {
  const edited = changeSpec(text, changes);
  if (edited.kind === "edited") return edited.text;
  throw new LoopError("bad-input", `the file cannot be changed: ${edited.why}`, { retry: "never", hint: "Change it by hand." });
}

/** Change by change, so that one that would loosen is left out by itself. */
function laidOver(file: string, draft: Draft, overlay: Overlay, isMeant: boolean, registries: Registries): Draft {
  let now = draft;
  for (const change of changesOf(overlay.changes, readSpecText(draft.text).value, [])) {
    const text = applied(now.text, [change]);
    if (text === now.text) continue;
    const [before, after] = [readSpec(file, now.text, registries), readSpec(file, text, registries)];
    // What is only sound together with the next change is looked at then.
    const wider = before.kind === "read" && after.kind === "read" ? loosened(before.spec, after.spec) : [];
    if (wider.length > 0 && !isMeant) now = { ...now, left: [...now.left, ...wider] };
    else now = { ...now, text, changed: [...now.changed, change.path.join(".")] };
  }
  return now;
}

/** Maps are gone into, lists are added to, and a part with its options is one value. */
function changesOf(wanted: unknown, here: unknown, path: SpecPath): readonly Change[] {
  if (isMap(wanted) && isMap(here) && !("use" in wanted))
    return Object.entries(wanted).flatMap(([key, inner]) => changesOf(inner, here[key], [...path, key]));
  if (Array.isArray(wanted) && Array.isArray(here)) {
    const there = new Set(here.map((one: unknown) => canonicalJson(one)));
    const fresh = wanted.filter((one: unknown) => !there.has(canonicalJson(one)));
    return fresh.map((value: unknown, index) => ({ path: [...path, here.length + index], value }));
  }
  return [{ path, value: wanted }];
}

const isMap = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

/** `budget.usd=$1.00`: the path, and the value. What is no number, list or the like is a text as it stands, with `#`, `:` and quotes in it. */
export function readSetting(written: string): Setting {
  const at = written.indexOf("=");
  const path = written
    .slice(0, at)
    .split(/[.[\]]+/)
    .filter((step) => step !== "");
  if (at < 1 || path.length === 0)
    throw new LoopError("bad-input", `${written.slice(0, 60)} says nothing to --set`, {
      retry: "never",
      hint: "Write e.g. --set budget.usd=$1.00.",
    });
  const text = written.slice(at + 1);
  const { value, problems } = readSpecText(text);
  const isQuoted = /^\s*(["'])[\s\S]*\1\s*$/.test(text);
  const isText = problems.length > 0 || (typeof value === "string" && !isQuoted);
  return { path: path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)), value: isText ? text : value, written: text };
}
