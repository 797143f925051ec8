// What a change that somebody else made may not touch, and which ignored files are looked at because of it. Pure.

import type { Finding } from "../contract/evidence.ts";
import type { Change } from "../contract/proposal.ts";
import type { Beginning, HiddenFile, Protection, Snapshot } from "../contract/referee.ts";
import { compileAllowing, compileGlobs } from "../std/glob.ts";
import { folded, inForce, leadsTo, wordsOf } from "./allowlist.ts";
import { DENIED_KINDS } from "./allowlist-paths.ts";

/** By these names the verdict knows what a referee saw. */
export const PROTECTED_PATH = "protected-path";
export const CHANGED_MEANWHILE = "changed-meanwhile";
export const NOT_BEGUN = "not-begun";

/** Where secrets lie that the entry of that name does not tell by its words, because code is often named so. */
const SECRET_WORDS = new Set("credential credentials passwords passwd".split(" "));

/** Why a path may not be touched; undefined when it may. */
export type WhyProtected = (path: string) => string | undefined;

export function protectedPaths({ protect, deny, allow }: Protection, own: readonly string[] = []): WhyProtected {
  const isDenied = compileGlobs(deny);
  const isAllowed = compileAllowing(allow);
  const isOwn = new Set(own.map(folded));
  const entries = inForce().filter(({ name }) => protect.includes(name));
  const hasSecrets = protect.includes("secrets");
  return (path) => {
    const readings = [path, folded(path)];
    if (isOwn.has(folded(path))) return "it belongs to the loop, which may not decide about itself";
    if (readings.some(isDenied)) return "a deny glob of the spec names it";
    if (isAllowed(path)) return undefined;
    const words = wordsOf(path);
    const entry = entries.find(({ isNamed, words: closed }) => readings.some(isNamed) || words.some((word) => closed.has(word)));
    if (entry) return `it ${entry.why} (${entry.name})`;
    return hasSecrets && words.some((word) => SECRET_WORDS.has(word)) ? "it is named like what must not be told (secrets)" : undefined;
  };
}

/** Folders that tools fill by themselves: of the ignored files in them only those for secrets of an environment are looked at. */
const TOOL_FOLDERS = new Set(
  [
    "node_modules bower_components .venv venv target dist build out obj __pycache__ .tox .nox .gradle .terraform Pods",
    "coverage .nyc_output .cache .parcel-cache .next .nuxt .turbo .svelte-kit .pytest_cache .mypy_cache .ruff_cache",
  ]
    .join(" ")
    .split(" "),
);
const isEnvironment = compileGlobs(["**/{.env,.env.*,.envrc}"]);

/** Whether an ignored file is looked at. Of the entries only secrets and what belongs to loops count: editors and agents write their own settings all the time. */
export function hiddenPaths({ protect, deny, allow }: Protection): (path: string) => boolean {
  const why = protectedPaths({ protect: protect.filter((name) => name === "secrets" || name === "loop"), deny, allow });
  return (path) =>
    path.split("/").some((name) => TOOL_FOLDERS.has(name)) ? isEnvironment(path) && why(path) !== undefined : why(path) !== undefined;
}

/** What of a change is protected. Both names of what was moved are in it, since nothing is paired here. */
export function protectedFindings(
  changes: readonly Change[],
  links: ReadonlyMap<string, string>,
  why: WhyProtected,
  protect: readonly string[],
): readonly Finding[] {
  return changes.flatMap((change): readonly Finding[] => {
    const { path, before, after } = change;
    const named = why(path);
    const what = before === undefined ? "was added" : after === undefined ? "was removed or moved away" : "was changed";
    return [
      ...(named === undefined ? [] : [finding(PROTECTED_PATH, path, what, named)]),
      ...kindsOf(change)
        .filter(({ name }) => protect.includes(name))
        .map((kind) => finding(PROTECTED_PATH, path, what, kind.why)),
      ...(after?.mode === "120000" ? linkFindings(path, links.get(path), why) : []),
    ];
  });
}

/** What is ours in any target: specs, policies, and the settings in which agents are told to ask the guard and the referee. */
const OURS = [
  "**/*.loop.{yaml,yml,json}",
  "**/.loopwright/**",
  "**/loopwright*.{yaml,yml,json}",
  "**/.claude/settings*.json",
  "**/.{codex,cursor}/hooks.json",
  "**/.gemini/settings.json",
  "**/.opencode/plugin{,s}/loopwright*",
  "**/.github/hooks/loopwright*",
];

/**
 * What of a maker's change belongs to loops: none may decide about itself, whatever its spec allows. What belongs to others is only
 * let through where their owner loosened exactly that.
 */
export function ownFindings(changes: readonly Change[], own: readonly string[], loosened: readonly string[] = []): readonly Finding[] {
  const isOurs = loosened.includes("loop") ? () => false : compileGlobs(OURS);
  const isOwn = new Set(own.map(folded));
  return changes.flatMap(({ path, before, after }) => {
    if (!isOwn.has(folded(path)) && !isOurs(path) && !isOurs(folded(path))) return [];
    const what = before === undefined ? "was added" : after === undefined ? "was removed or moved away" : "was changed";
    return [finding(PROTECTED_PATH, path, what, "it belongs to a loop, which may not decide about itself")];
  });
}

/** What a commit of the change touched and a later one took back: whoever has the commits has it all the same. */
export const passingFindings = (touched: readonly string[], changes: readonly Change[], why: WhyProtected): readonly Finding[] => {
  const stands = new Set(changes.map(({ path }) => path));
  return touched.flatMap((path) => {
    const named = stands.has(path) ? undefined : why(path);
    return named === undefined ? [] : [finding(PROTECTED_PATH, path, "was touched by a commit of the change, and taken back", named)];
  });
};

function kindsOf({ before, after }: Change): readonly { readonly name: string; readonly why: string }[] {
  const modes = [before?.mode, after?.mode];
  const found: { readonly [name: string]: boolean } = {
    links: modes.includes("120000"),
    submodules: modes.includes("160000"),
    modes: before !== undefined && after !== undefined && before.mode !== after.mode,
  };
  return DENIED_KINDS.filter(({ name }) => found[name]);
}

/** A link that nobody could read might lead anywhere. */
function linkFindings(path: string, target: string | undefined, why: WhyProtected): readonly Finding[] {
  const place = target === undefined ? undefined : leadsTo(path, target);
  if (place === undefined) return [finding(PROTECTED_PATH, path, "is a link", "it leads out of the repository")];
  const named = why(place);
  return named === undefined ? [] : [finding(PROTECTED_PATH, path, `is a link to ${place}`, named)];
}

/** What became of ignored files since the beginning; without one nobody can tell, and that is no pass. */
export function hiddenFindings(
  hidden: readonly HiddenFile[],
  begun: Pick<Beginning, "hidden" | "protection"> | undefined,
): readonly Finding[] {
  if (!begun)
    return hidden.map(({ path }) =>
      finding(NOT_BEGUN, path, "is ignored by git", "nobody can tell since when it is like this. Say `lw referee --begin` before the work"),
    );
  const wasLookedFor = hiddenPaths(begun.protection);
  const before = new Map(begun.hidden.map((file) => [file.path, file]));
  const now = new Set(hidden.map(({ path }) => path));
  return [
    ...hidden.flatMap((file): readonly Finding[] => {
      const old = before.get(file.path);
      if (old && old.sha256 === file.sha256 && old.kind === file.kind) return [];
      if (!old && !wasLookedFor(file.path))
        return [finding(NOT_BEGUN, file.path, "is ignored by git", "it was not looked for at the beginning: begin anew before the work")];
      return [
        finding(PROTECTED_PATH, file.path, old ? "was changed, and git ignores it" : "was added, and git ignores it", "it is protected"),
      ];
    }),
    ...begun.hidden
      .filter(({ path }) => !now.has(path))
      .map(({ path }) => finding(PROTECTED_PATH, path, "was removed, and git ignored it", "it is protected")),
  ];
}

/** What is no longer as it was when the verifiers began. `paths` are those that differ between the two trees. */
export function meanwhileFindings(before: Snapshot, after: Snapshot, paths: readonly string[]): readonly Finding[] {
  const tell = (where: string, what: string): Finding =>
    finding(CHANGED_MEANWHILE, where, what, "what was verified is not what is there now");
  const hidden = new Map(before.hidden.map((file) => [file.path, file.sha256]));
  const now = new Map(after.hidden.map((file) => [file.path, file.sha256]));
  const moved = [...new Set([...hidden.keys(), ...now.keys()])].filter((path) => hidden.get(path) !== now.get(path));
  return [
    ...(before.tree === after.tree ? [] : paths.length === 0 ? [tell("the tree", "changed while it was verified")] : []),
    ...paths.slice(0, MOST_TOLD).map((path) => tell(path, "changed while it was verified")),
    ...(paths.length > MOST_TOLD ? [tell(`${paths.length - MOST_TOLD} more files`, "changed while it was verified")] : []),
    ...moved.slice(0, MOST_TOLD).map((path) => tell(path, "changed while it was verified, and git ignores it")),
    ...(before.head.commit === after.head.commit && before.head.name === after.head.name
      ? []
      : [tell("HEAD", "moved while it was verified")]),
  ];
}

const MOST_TOLD = 20;

const finding = (rule: string, path: string, what: string, why: string): Finding => ({
  rule,
  severity: "high",
  where: `${path} ${what}`.slice(0, 600),
  why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
  ...(rule === CHANGED_MEANWHILE && (path === "HEAD" || path === "the tree") ? {} : { file: path.slice(0, 600) }),
});
