// Puts a line on record, and tells whoever watches.
import type { LoopRecord } from "../contract/record.ts";
import type { Run } from "./run.ts";

export async function record({ journal, watch }: Pick<Run, "journal" | "watch">, line: LoopRecord): Promise<void> {
  watch({ kind: "recorded", entry: await journal.append(line) });
}
