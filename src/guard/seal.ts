// Which files a maker may not decide about, and in what version each of them is verified.
import type { Change } from "../contract/proposal.ts";
import { compileGlobs } from "../std/glob.ts";
import { isLoopwrightName } from "../std/path-names.ts";
import { type Role, roleOf } from "./diff/roles.ts";
import { isInstalled } from "./diff/test-files.ts";

/** What is done to a proposal's tree before it is verified. */
export interface SealPlan {
  /** Sealed files that were changed or deleted: verified in their base version. */
  readonly restored: readonly Change[];
  /** Sealed files that were not there at base and are no tests: verified without them. */
  readonly dropped: readonly Change[];
  /** Tests, and what they are fed with, that the proposal adds: verified with them. */
  readonly added: readonly Change[];
  /** Those of the restored ones that no name told, but that checks read on base. */
  readonly byReading: readonly string[];
}

/** Sealed in every repository, whatever a spec says, unless the spec leaves it open. */
const SEALED: ReadonlySet<Role> = new Set(["test", "harness", "snapshot", "fixture", "settings", "ci", "lock"]);
/** New files of these roles add to what is checked; new files of the others decide how it is checked. */
const MAY_BE_ADDED: ReadonlySet<Role> = new Set(["test", "snapshot", "fixture"]);
/** Settings that say nothing about how work is checked. */
const UNSEALED = /(^|\/)(\.editorconfig|\.gitignore|\.prettierignore|\.prettierrc[^/]*|MANIFEST\.in)$/;
/** Scripts that run or prepare checks, where no runner's settings tell so. */
const CHECK_SCRIPT =
  /(^|\/)(scripts?|bin|tools?|hack|dev)\/[^/]*(tests?|check|verify|ci|lint)[^/]*\.(sh|bash|py|[cm]?[jt]s|rb|pl|ps1)$|(^|\/)(run[-_]?tests?|test|check|verify)(\.(sh|bash|py))?$/i;

/** What a spec says about it: more files to seal, and defaults to leave open. */
export interface SealWishes {
  readonly seal: readonly string[];
  readonly unseal: readonly string[];
}

/** A file that is sealed by name stays so, whatever is left open. */
export function isSealedBy({ seal, unseal }: SealWishes): (path: string) => boolean {
  const isNamed = globsOf(seal);
  const isLeftOpen = globsOf(unseal);
  // Globs deny, and say yes to a path that is too long to be looked at: that must not open anything.
  return (path) => isNamed(path) || (isSealedByDefault(path) && !(path.length < LONGEST_OPEN && isLeftOpen(path)));
}

const LONGEST_OPEN = 1_000;

const globsOf = (globs: readonly string[]): ((path: string) => boolean) => (globs.length === 0 ? () => false : compileGlobs(globs));

const isSealedByDefault = (path: string): boolean =>
  (SEALED.has(roleOf(path)) || CHECK_SCRIPT.test(path) || isInstalled(path)) && !UNSEALED.test(path);

/** What was installed decides how things run, also where it lies among tests. */
const mayBeAdded = (path: string): boolean => MAY_BE_ADDED.has(roleOf(path)) && !isInstalled(path);

/** What was seen to decide how work is checked, whatever it is called. */
export interface Seen {
  /** Files of base that its checks read, and that are no product source. */
  readonly read: ReadonlySet<string>;
  /** New files that checks of base found by their names. */
  readonly found: ReadonlySet<string>;
}

export const NOTHING_SEEN: Seen = { read: new Set(), found: new Set() };

export function planSeal(changes: readonly Change[], wishes: SealWishes, { read, found }: Seen): SealPlan {
  const isSealedByName = isSealedBy(wishes);
  const isNamed = globsOf(wishes.seal);
  const isOpen = globsOf(wishes.unseal);
  const isSeen = ({ path, before }: Change): boolean =>
    (before ? read : found).has(path) && !isSealedByName(path) && !(path.length < LONGEST_OPEN && isOpen(path));
  const sealed = changes.filter((change) => isSealedByName(change.path) || isSeen(change));
  const fresh = sealed.filter(({ before }) => before === undefined);
  const isAddition = ({ path, after }: Change): boolean =>
    mayBeAdded(path) && !isNamed(path) && !found.has(path) && after!.mode.startsWith("100");
  return {
    restored: sealed.filter(({ before }) => before !== undefined),
    dropped: fresh.filter((change) => !isAddition(change)),
    added: fresh.filter(isAddition),
    byReading: sealed.filter((change) => change.before !== undefined && isSeen(change)).map(({ path }) => path),
  };
}

/** Why a maker's tool may not change a file, by the path and whether it was there; undefined when it may. What `planSeal` lets stand may be added. */
export function whySealed(wishes: SealWishes): (path: string, before: "there" | "absent") => string | undefined {
  const isSealed = isSealedBy(wishes);
  const isNamed = globsOf(wishes.seal);
  return (path, before) => {
    if (path.split("/").some(isLoopwrightName)) return "it is in .loopwright, where the rules of loops are kept";
    if (!isSealed(path)) return undefined;
    if (isNamed(path)) return "it is sealed by the spec: a proposal is checked with this file as it is on base";
    if (before === "there")
      return "it is sealed, as tests, their settings, lock files and CI are: a proposal is checked with it as it is on base";
    return mayBeAdded(path) ? undefined : "it is sealed: a new file that decides how work is checked is left out of the check";
  };
}

export const NOTHING_SEALED: SealPlan = { restored: [], dropped: [], added: [], byReading: [] };

/** What is as it is on base in the sealed tree. */
export const undoneBy = ({ restored, dropped }: SealPlan): readonly string[] => [...restored, ...dropped].map(({ path }) => path);

/** Whether the proposal's own tree and the sealed one are the same. */
export const isUntouched = ({ restored, dropped }: SealPlan): boolean => restored.length === 0 && dropped.length === 0;
