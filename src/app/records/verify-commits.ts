// Answers whether cited commits exist, for `lw verify` and `lw verify-iso`. What cannot be told is never taken for a yes.

import type { StandardInput } from "../../contract/around.ts";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Lookup } from "../../contract/git.ts";
import { readAll } from "../read-all.ts";

export type Verification =
  | { readonly kind: "looked-up"; readonly exit: ExitName; readonly lookups: readonly Lookup[] }
  | { readonly kind: "refused"; readonly exit: "cannotVerify"; readonly why: string; readonly hint: string };

export interface Asked {
  readonly repo: string;
  readonly ids: readonly string[];
}

/** Looks ids up in the repository that a folder is. */
type LookUp = (repo: string, ids: readonly string[]) => Promise<readonly Lookup[]>;

/** Whether each id is a commit of the repository, in the way that it is looked up. */
export async function verifyCommitsBy(lookUp: LookUp, { repo, ids }: Asked, env: Environment): Promise<Verification> {
  const redirected = REDIRECTING.filter((name) => env.get(name) !== undefined);
  if (redirected.length > 0)
    return refused(`${redirected.join(", ")} would have git look elsewhere`, `Unset it, e.g. with \`env -u ${redirected[0]}\`.`);
  if (ids.length === 0) return refused("there is no id to look up", "Give at least one, or one a line on standard input with `-`.");
  try {
    const lookups = await lookUp(repo, ids);
    return { kind: "looked-up", exit: exitOfLookups(lookups), lookups };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    return refused(error.message, "Give the folder of a sound git repository that is yours; `lw doctor` tells whether git is there.");
  }
}

/** Variables that make git read another repository, or other objects, than the folder that was named. */
const REDIRECTING = [
  "GIT_DIR",
  "GIT_COMMON_DIR",
  "GIT_WORK_TREE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_GRAFT_FILE",
  "GIT_SHALLOW_FILE",
  "GIT_REPLACE_REF_BASE",
];

const MOST_INPUT_BYTES = 32 * 1024 * 1024;

/** The ids as they were given; `-` stands for all lines of standard input. */
export async function gatherIds(words: readonly string[], input: StandardInput): Promise<readonly string[]> {
  if (!words.includes("-")) return words;
  const lines = (await readAll(input, MOST_INPUT_BYTES))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return words.flatMap((word) => (word === "-" ? lines : [word]));
}

/** What is shown to be false weighs more than what could not be told. */
export function exitOfLookups(lookups: readonly Lookup[]): ExitName {
  const outcomes = new Set(lookups.map(({ outcome }) => outcome));
  if (outcomes.has("fabricated")) return "fabricated";
  if (outcomes.has("gap")) return "gap";
  return outcomes.has("unknown") || outcomes.size === 0 ? "cannotVerify" : "done";
}

const refused = (why: string, hint: string): Verification => ({ kind: "refused", exit: "cannotVerify", why, hint });
