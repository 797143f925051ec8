// Whether a loop's wakings come to nothing because none of them can be started: a repository that is gone, settings that cannot be read.
import { lastOf } from "../../journal/journal.ts";
import type { Records } from "../open-records.ts";

export interface CannotStart {
  readonly since: string;
  readonly says: string;
}

/** Times that join one which then fails may come after it. */
const LOOKED_AT = 100;

/** Since its last waking that failed nothing of it ran, and its spec is still the same. */
export async function cannotStart({ journal }: Pick<Records, "journal">, loop: string): Promise<CannotStart | undefined> {
  const [opened, known] = await Promise.all([lastOf(journal, loop, "run-opened"), lastOf(journal, loop, "loop-known")]);
  const after = Math.max(opened?.seq ?? 0, known?.seq ?? 0);
  const failed = (await journal.newestOf(loop, "waking", { after, most: LOOKED_AT })).find(({ record }) => record.fate === "failed");
  return failed && { since: failed.at, says: `its wakings cannot be started: ${failed.record.says}` };
}
