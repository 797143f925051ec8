// Puts several values into the text of a spec: single ones in their place, new ones behind what is there. Comments and order survive.
import { Document, isMap, parseDocument } from "yaml";
import { type Edited, type SpecPath, setValue } from "./edit-spec.ts";
import { compact, printDocument } from "./print-document.ts";
import { readSpecText } from "./text.ts";

export interface Change {
  readonly path: SpecPath;
  readonly value: unknown;
}

/** All of them or none. */
export function changeSpec(text: string, changes: readonly Change[]): Edited {
  let now = text;
  for (const change of changes) {
    const edited = changeOne(now, change);
    if (edited.kind === "refused") return edited;
    now = edited.text;
  }
  return { kind: "edited", text: now };
}

/** The smallest edit that does it. */
function changeOne(text: string, { path, value }: Change): Edited {
  const { value: before, problems } = readSpecText(text);
  if (problems[0]) return { kind: "refused", why: problems[0].problem };
  const wanted = JSON.stringify(put(before, path, value));
  if (JSON.stringify(before) === wanted) return { kind: "edited", text };
  const tries = [() => inPlace(text, path, value), () => behind(text, path, value), () => anew(text, path, value)];
  for (const one of tries) {
    const edited = one();
    if (edited === undefined) continue;
    const after = readSpecText(edited);
    if (after.problems.length === 0 && JSON.stringify(after.value) === wanted) return { kind: "edited", text: edited };
  }
  return { kind: "refused", why: `${path.join(".")} cannot be changed by itself` };
}

function inPlace(text: string, path: SpecPath, value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  const edited = setValue(text, path, value);
  return edited.kind === "edited" ? edited.text : undefined;
}

/** A key that is not there yet comes last. */
function behind(text: string, path: SpecPath, value: unknown): string | undefined {
  const [key] = path;
  if (path.length !== 1 || /^\s*[{[]/.test(text)) return undefined;
  const document = new Document({});
  document.set(String(key), compact(document.createNode(value)));
  return `${text.replace(/\n*$/, "\n")}${printDocument(document)}`;
}

/** Printed by the library, which keeps comments and order, and not every space. */
function anew(text: string, path: SpecPath, value: unknown): string | undefined {
  if (/^\s*\{/.test(text) && !text.includes("#")) return `${JSON.stringify(put(readSpecText(text).value, path, value), null, 2)}\n`;
  const document = parseDocument(text, { uniqueKeys: false });
  if (!isMap(document.contents)) return undefined;
  document.setIn(path, compact(document.createNode(value)));
  return printDocument(document);
}

/** A copy with another value at a path; maps on the way are made. */
export function put(value: unknown, [step, ...rest]: SpecPath, inner: unknown): unknown {
  if (step === undefined) return inner;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    const at = Number(step);
    return at === list.length
      ? [...list, put(undefined, rest, inner)]
      : list.map((item, index) => (index === at ? put(item, rest, inner) : item));
  }
  const fields = typeof value === "object" && value !== null ? { ...value } : {};
  return { ...fields, [step]: put(Reflect.get(fields, step), rest, inner) };
}
