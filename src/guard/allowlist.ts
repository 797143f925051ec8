// The allowlist: whether a loop may move this change without asking. Every name that is touched counts, old and new. Pure.
import type { Allowlist, DeniedName, Objection, Ruling } from "../contract/allowlist.ts";
import type { ChangedFile, ChangeSet, Side } from "../contract/change-set.ts";
import type { Evidence } from "../contract/evidence.ts";
import { factsOf } from "../contract/proposal.ts";
import { compileAllowing, compileGlobs } from "../std/glob.ts";
import { DENIED_KINDS, DENIED_PATHS, type DeniedPaths } from "./allowlist-paths.ts";

/** What else must be so, besides the paths. */
export interface Standing {
  /** Why nobody may act on this evidence alone; empty where it is beyond doubt. */
  readonly doubts: readonly string[];
  /** Paths from the root of the repository that belong to the loop, such as its spec. */
  readonly own: readonly string[];
}

export function checkAllowlist(set: Pick<ChangeSet, "files" | "blind">, list: Allowlist, { doubts, own }: Standing): Ruling {
  const closed = pathRules(list, own);
  const lines = set.files.reduce((sum, file) => sum + linesOf(file), 0);
  const objections: readonly Objection[] = [
    ...(set.files.length === 0 ? [{ rule: "files", path: undefined, why: "nothing was changed, so there is nothing to allow" }] : []),
    ...set.blind.map(({ file, why }) => ({ rule: "unread", path: file, why })),
    ...set.files.flatMap((file) => namesOf(file).flatMap((path) => closed(path))),
    ...set.files.flatMap((file) => kindsOf(file, list, closed)),
    ...(set.files.length > list.files
      ? [{ rule: "files", path: undefined, why: `${set.files.length} files are changed, and at most ${list.files} may be` }]
      : []),
    ...(lines > list.lines
      ? [{ rule: "lines", path: undefined, why: `${lines} lines are changed, and at most ${list.lines} may be` }]
      : []),
    ...doubts.map((why) => ({ rule: "evidence", path: undefined, why })),
  ];
  return { verdict: objections.length === 0 ? "inside" : "outside", files: set.files.length, lines, objections };
}

/** Whatever a person should see before this moves: findings of any gravity, checks that did not simply hold, a missing box, strangers' text. */
export function doubtsAbout({ findings, proofs, proposal, taint, seal, prepared }: Evidence): readonly string[] {
  const boxes = [...factsOf(proposal).boxes, ...proofs.map(({ box }) => box)];
  return [
    ...findings.map(({ rule, where }) => `the scanner found ${rule}: ${where}`),
    ...proofs
      .filter(({ outcome }) => outcome !== "holds")
      .map(({ verifier, outcome, detail }) => `${verifier} says ${outcome}: ${detail.slice(0, 200)}`),
    ...(proofs.some(({ kind, outcome, room, of }) => kind === "proof" && outcome === "holds" && room !== "own" && of === undefined)
      ? []
      : ["no proof holds"]),
    ...(boxes.some((box) => box === undefined || box.kind === "none") ? ["not every command was kept in a box"] : []),
    ...(taint?.kind === "clean" ? [] : ["the run has read outsiders' text, or nobody knows whether it did"]),
    ...(seal ? [`sealed files were changed: ${[...seal.restored, ...seal.dropped].slice(0, 5).join(", ")}`] : []),
    ...((prepared?.changed.length ?? 0) > 0 ? ["what decides about dependencies was changed, and the checks ran with base's"] : []),
  ];
}

/** Both names of a file that was moved: leaving a place is a change of it. */
const namesOf = ({ path, oldPath }: ChangedFile): readonly string[] =>
  oldPath === undefined || oldPath === path ? [path] : [oldPath, path];

type PathRules = (path: string) => readonly Objection[];

function pathRules({ allow, deny, loosen }: Allowlist, own: readonly string[]): PathRules {
  const isAllowed = compileAllowing(allow);
  const isDenied = compileGlobs(deny);
  const isOwn = new Set(own.map(folded));
  const entries = inForce().filter(({ name }) => !loosen.includes(name));
  return (path) => {
    const odd = oddity(path);
    const readings = [path, folded(path)];
    return [
      ...(odd ? [{ rule: "name", path, why: odd }] : []),
      ...(isAllowed(path) ? [] : [{ rule: "allow", path, why: "no allow glob names it" }]),
      ...(readings.some(isDenied) ? [{ rule: "deny", path, why: "a deny glob names it" }] : []),
      ...(isOwn.has(folded(path)) ? [{ rule: "loop", path, why: "belongs to the loop, which may not decide about itself" }] : []),
      ...entries
        .filter(({ isNamed, words }) => readings.some(isNamed) || wordsOf(path).some((word) => words.has(word)))
        .map(({ name, why }) => ({ rule: name, path, why: `it ${why}` })),
    ];
  };
}

type Entry = Pick<DeniedPaths, "name" | "why"> & { readonly isNamed: (path: string) => boolean; readonly words: ReadonlySet<string> };
let compiled: readonly Entry[] | undefined;

/** Compiled once, and only where somebody asks. */
export function inForce(): readonly Entry[] {
  compiled ??= DENIED_PATHS.map(({ name, why, words, globs }) => ({ name, why, isNamed: compileGlobs(globs), words: new Set(words) }));
  return compiled;
}

/** A name that means different things to different programs is never allowed. */
function oddity(path: string): string | undefined {
  const names = path.split("/");
  if (path === "" || names.includes("") || names.includes(".") || names.includes("..")) return "it is no plain path inside the repository";
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Surrogate}\uFFFD]/u.test(path))
    return "there are characters in it that cannot be seen or read";
  if (path.includes("\\") || path.includes(":")) return "some systems read a part of it as a folder or a drive";
  if (names.some((name) => /[. ]$/.test(name) || /~\d+(\.|$)/.test(name))) return "some systems read it as another name";
  return names.some((name) => folded(name) === ".git") ? "it lies in a folder of git's own" : undefined;
}

/** As a system would read it that sees no difference in case, width, hidden signs or dots and spaces at the end. */
export const folded = (path: string): string =>
  path
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .toLowerCase()
    .split("/")
    .map((name) => name.replace(/[. ]+$/, ""))
    .join("/");

/** `src/AuthService.test.ts` is src, auth, service, test, ts. */
export const wordsOf = (path: string): readonly string[] =>
  path
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);

const linesOf = ({ hunks }: ChangedFile): number =>
  Math.max(
    1,
    hunks.reduce((sum, { lines }) => sum + lines.filter(({ kind }) => kind !== "same").length, 0),
  );

function kindsOf(file: ChangedFile, { loosen }: Allowlist, closed: PathRules): readonly Objection[] {
  const { path, before, after } = file;
  const sides = [before, after].filter((side) => side !== undefined);
  const contents = sides.map(({ content }) => content);
  const unread = contents.find(({ kind }) => kind === "unread");
  const found: { readonly [name in DeniedName]?: boolean } = {
    links: contents.some(({ kind }) => kind === "link"),
    submodules: contents.some(({ kind }) => kind === "submodule"),
    binaries: contents.some(({ kind }) => kind === "binary"),
    modes: hasOddMode(before, after),
  };
  return [
    ...(unread?.kind === "unread" ? [{ rule: "unread", path, why: unread.why }] : []),
    ...(sides.length === 0 ? [{ rule: "unread", path, why: "neither side of it is there" }] : []),
    ...DENIED_KINDS.filter(({ name }) => found[name] && !loosen.includes(name)).map(({ name, why }) => ({ rule: name, path, why })),
    ...linkTargets(path, after).flatMap((target) =>
      target === undefined ? [{ rule: "links", path, why: "it leads out of the repository" }] : closed(target),
    ),
  ];
}

/** A plain file that stays one, or comes, or goes. Anything else about a mode is more than a change of lines. */
function hasOddMode(before: Side | undefined, after: Side | undefined): boolean {
  const isLinkOrModule = (side: Side | undefined): boolean => side?.content.kind === "link" || side?.content.kind === "submodule";
  if (before && after) return before.mode !== after.mode || (!isLinkOrModule(after) && before.mode === undefined);
  const only = after ?? before;
  return !isLinkOrModule(only) && only?.mode !== "100644" && only?.mode !== "100755" ? true : after?.mode === "100755";
}

const linkTargets = (path: string, after: Side | undefined): readonly (string | undefined)[] =>
  after?.content.kind === "link" ? [leadsTo(path, after.content.target)] : [];

/** Where a link leads, as a path of the repository; undefined where it leads out of it. */
export function leadsTo(path: string, target: string): string | undefined {
  if (target === "" || target.startsWith("/") || target.includes("\0")) return undefined;
  const way = path.split("/").slice(0, -1);
  for (const name of target.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") way.push(name);
    else if (way.pop() === undefined) return undefined;
  }
  return way.length === 0 ? undefined : way.join("/");
}
