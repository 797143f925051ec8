// Which tools of a server somebody accepted, as they were then.
import type { ToolSeen } from "../contract/mcp.ts";
import type { JournalReader } from "./journal.ts";
import { HOME_PLACE } from "./known-loops.ts";

/** How far back is looked. Whoever accepts tools of more servers than that accepts the oldest once more. */
const MOST = 1_000;

/** What was accepted last counts; none where nobody did. `of` is the hash of the server's entry. */
export async function readAcceptedTools(journal: Pick<JournalReader, "newestOf">, of: string): Promise<readonly ToolSeen[]> {
  const all = await journal.newestOf(HOME_PLACE.loop, "tools-accepted", { most: MOST });
  return all.find(({ record }) => record.of === of)?.record.tools ?? [];
}
