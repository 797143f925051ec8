// Finds the loop that a change is judged by, as it is on base: what the change itself says about it does not count.

import { dirname, join } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Texts } from "../../contract/files.ts";
import type { CheckoutOnDisk, Checkouts, GitReader } from "../../contract/git.ts";
import { makersOf } from "../../contract/spec.ts";
import { callsOthers } from "../../spec/library.ts";
import { formatProblem, readSpec, type SpecReading } from "../../spec/read-spec.ts";
import { loadLibrary } from "./load-library.ts";
import { type LoadedSpec, loadSpecBy } from "./load-spec.ts";
import { ENDINGS, FOLDERS } from "./spec-places.ts";

export interface Where {
  readonly checkout: Pick<CheckoutOnDisk, "root">;
  /** Where the name that somebody gave is looked up from. */
  readonly cwd: string;
  /** A loop's name or the file of its spec; undefined for the only one there is. */
  readonly asked: string | undefined;
  readonly git: Pick<GitReader, "filesOf" | "filesAt">;
  readonly checkouts: Pick<Checkouts, "pathIn">;
  readonly registries: Registries;
  /** For a spec that lies elsewhere. */
  readonly texts: Texts;
}

export interface SpecOnBase extends LoadedSpec {
  /** Its path in the repository; undefined for a spec that lies elsewhere and is read as it is. */
  readonly inRepo: string | undefined;
}

export async function specOnBase(where: Where, commit: string): Promise<SpecOnBase> {
  const { asked, checkout, registries } = where;
  const isPath = asked !== undefined && /[./\\]/.test(asked);
  const inRepo = isPath ? await where.checkouts.pathIn(checkout.root, where.cwd, asked) : undefined;
  if (isPath && inRepo === undefined) return outside(asked, where);
  const found = await specsAt(where, commit, inRepo === undefined ? undefined : [inRepo]);
  const fitting =
    inRepo !== undefined ? found : asked === undefined ? found.filter((spec) => judgesCommits(spec, registries)) : called(found, asked);
  const [only, ...others] = fitting;
  if (!only) throw noneOnBase(where, commit, found);
  if (others.length > 0) throw several(fitting);
  return loaded(only, checkout.root);
}

/** A file of base, such as the policy beside a spec. */
export async function textOnBase(
  { git, checkout }: Pick<Where, "git" | "checkout">,
  commit: string,
  path: string,
): Promise<string | undefined> {
  const [found] = await git.filesAt(checkout.root, [{ commit, path }]);
  if (found?.kind === "unread") throw refusal(`${path} on base cannot be read: ${found.why}`, "Make it smaller.");
  return found?.kind === "found" ? found.text : undefined;
}

interface SpecAt {
  readonly path: string;
  readonly reading: SpecReading;
}

const MOST_SPECS = 200;

async function specsAt(
  { git, checkout, registries }: Where,
  commit: string,
  paths: readonly string[] | undefined,
): Promise<readonly SpecAt[]> {
  const usual = FOLDERS.map((folder) => (folder === "." ? "" : `${folder}/`));
  const isUsual = (path: string): boolean =>
    usual.includes(path.slice(0, path.lastIndexOf("/") + 1)) && ENDINGS.some((ending) => path.endsWith(ending));
  const listed =
    paths ??
    (await git.filesOf(checkout.root, commit)).flatMap(({ path, mode }) => (mode.startsWith("100") && isUsual(path) ? [path] : []));
  const places = listed.slice(0, MOST_SPECS).map((path) => ({ commit, path }));
  const texts = await git.filesAt(checkout.root, places);
  const read = texts.map(async (found, index) => {
    const path = places[index]!.path;
    if (found.kind !== "found") return [];
    const beside = textsAt({ git, checkout }, commit);
    const library = callsOthers(found.text) ? (await loadLibrary(beside, `/${path}`, found.text)).library : undefined;
    return [{ path, reading: readSpec(path, found.text, registries, undefined, library) }];
  });
  return (await Promise.all(read)).flat();
}

/** The files of a commit, as if they lay at the root of everything: what else a spec names is as it is there, too. */
const textsAt = ({ git, checkout }: Pick<Where, "git" | "checkout">, commit: string): Pick<Texts, "readBelow"> => ({
  async readBelow(folder, path, mostBytes) {
    if (folder !== "/" && !path.startsWith(`${folder}/`)) return { kind: "refused", why: "it lies outside of the folder" };
    const [found] = await git.filesAt(checkout.root, [{ commit, path: path.slice(1) }]);
    if (found?.kind !== "found") return { kind: "refused", why: "there is no such file on base" };
    return found.text.length > mostBytes
      ? { kind: "refused", why: `it is larger than ${mostBytes} bytes` }
      : { kind: "text", text: found.text, real: path };
  },
});

const judgesCommits = ({ reading }: SpecAt, { makers }: Registries): boolean =>
  reading.kind === "read" && makers.find(({ name }) => name === makersOf(reading.spec)[0]?.use)?.proposes === "commit";

/** By its file first, as everywhere; then by the name in it. */
function called(specs: readonly SpecAt[], name: string): readonly SpecAt[] {
  const byFile = specs.filter(({ path }) => ENDINGS.some((ending) => path === `${name}${ending}` || path.endsWith(`/${name}${ending}`)));
  return byFile.length > 0 ? byFile.slice(0, 1) : specs.filter(({ reading }) => reading.kind === "read" && reading.spec.name === name);
}

function loaded({ path, reading }: SpecAt, root: string): SpecOnBase {
  if (reading.kind === "refused") throw broken(reading);
  const { spec, hash, warnings } = reading;
  const at = join(root, path);
  return { spec, hash, warnings, path: at, folder: dirname(at), inRepo: path };
}

async function outside(asked: string, { texts, cwd, registries }: Where): Promise<SpecOnBase> {
  const loading = await loadSpecBy(texts, asked, cwd, registries);
  if (loading.kind === "refused") throw broken(loading);
  return { ...loading.loaded, inRepo: undefined };
}

const broken = ({ problems }: Extract<SpecReading, { kind: "refused" }>): LoopError =>
  refusal(`the spec cannot be used: ${problems.map(formatProblem).slice(0, 5).join("; ")}`, "`lw validate` tells all of it.");

function noneOnBase({ asked }: Where, commit: string, found: readonly SpecAt[]): LoopError {
  const base = `base (${commit.slice(0, 12)})`;
  const hint = `A change is judged by the spec as it is on base: commit it there first, or name one that lies outside of the repository.`;
  if (asked !== undefined)
    return refusal(
      `${base} has no spec called ${asked}`,
      found.length > 0 ? `There is: ${found.map(({ path }) => path).join(", ")}. ${hint}` : hint,
    );
  const refused = found.flatMap(({ reading }) => (reading.kind === "refused" ? reading.problems.slice(0, 1).map(formatProblem) : []));
  return refusal(`${base} has no loop whose verifiers judge commits${refused.length > 0 ? ` (${refused.join("; ")})` : ""}`, hint);
}

const several = (specs: readonly SpecAt[]): LoopError =>
  refusal(
    `base has ${specs.length} loops that judge commits: ${specs.map(({ path, reading }) => (reading.kind === "read" ? reading.spec.name : path)).join(", ")}`,
    "Name one of them with --loop.",
  );

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
