// The proof report of a run: what its receipt says, with the outputs that it names.
import { LoopError } from "../../contract/errors.ts";
import type { ReceiptCheck } from "../../contract/receipt.ts";
import type { Entry, Receipted } from "../../contract/record.ts";
import { type ArtifactText, MOST_OUTPUT, type ReportMatter } from "../../receipts/report-page.ts";
import type { Records } from "../open-records.ts";
import { receiptOf } from "./receipt-of.ts";

export async function reportMatter(records: Records, run: string, version: string): Promise<ReportMatter> {
  const { entries, damaged } = await records.journal.story(run);
  const chain = (await records.journal.head())?.chain;
  if (damaged.length > 0 || chain === undefined)
    throw new LoopError("journal-damaged", `records of the run ${run} are not as they were written, so that nothing can be vouched for`, {
      retry: "never",
      hint: "`lw ledger verify` says what is damaged; `lw show` shows what is left.",
    });
  const receipt = receiptOf(entries, { chain, at: records.clock.now().toISOString(), version });
  if (!receipt)
    throw new LoopError("bad-input", `the run ${run} has not come to rest, so there is nothing to prove yet`, {
      retry: "never",
      hint: "Go on with `lw resume`, or look at it with `lw show`.",
    });
  const keptAt = tellReceipt(entries);
  return { receipt, texts: await readOutputs(records, receipt.checks), ...(keptAt === undefined ? {} : { keptAt }) };
}

/** The newest signed receipt, and whether it tells of everything that is told here. */
function tellReceipt(entries: readonly Entry[]): string | undefined {
  const signed = entries.findLast((entry): entry is Entry<Receipted> => entry.record.kind === "receipted");
  if (!signed) return undefined;
  const { number, receipt } = signed.record;
  const since = entries.at(-1) === signed ? "" : ", which does not tell of what came after it";
  return `number ${number + 1} of this run, sha256 ${receipt.sha256}${since}`;
}

/** One after the other, and only the end of each: an output can be long. */
async function readOutputs({ artifacts }: Records, checks: readonly ReceiptCheck[]): Promise<ReadonlyMap<string, ArtifactText>> {
  const texts = new Map<string, ArtifactText>();
  for (const { output } of checks) {
    if (!output || texts.has(output.sha256)) continue;
    try {
      const text = Buffer.from(await artifacts.read(output)).toString("utf8");
      texts.set(output.sha256, { kind: "text", text: text.slice(-MOST_OUTPUT), length: text.length });
    } catch (error) {
      if (!(error instanceof LoopError)) throw error;
      texts.set(output.sha256, { kind: "gone", why: error.message });
    }
  }
  return texts;
}
