// Opens the records for one command that only reads, and closes them again.
import { openRecords, type Records } from "../app/open-records.ts";
import type { ExitName } from "../contract/exit.ts";
import type { Call } from "./call.ts";

export const withRecords = (call: Call, work: (records: Records) => Promise<ExitName>): Promise<ExitName> =>
  withOpened(call, () => openRecords(call.home), work);

/** The same for those that need more than the records to tell what is on them. */
export async function withOpened<R extends Pick<Records, "journal" | "unwritable" | "close">>(
  { io }: Pick<Call, "io">,
  open: () => Promise<R>,
  work: (records: R) => Promise<ExitName>,
): Promise<ExitName> {
  const records = await open();
  if (records.journal.mended) io.err(tellMended(records.journal.mended));
  if (records.unwritable !== undefined) io.err(`lw: ${records.unwritable}\n    What is on record is shown all the same.\n`);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}

export const tellMended = (what: string): string => `lw: ${what}.\n    What is left is in use; \`lw doctor\` tells more.\n`;
