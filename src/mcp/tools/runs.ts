// Tools that tell of runs: how each stands, its evidence and findings, its receipt, and what was kept of it, piece by piece.
import * as z from "zod";
import { nothingThere } from "../../app/page/nothing-there.ts";
import { readReceipt } from "../../app/page/read-receipt.ts";
import { readRunDocument, readRuns } from "../../app/page/read-run.ts";
import type { RunDocument } from "../../contract/api.ts";
import { untrustedText } from "../../contract/text.ts";
import { shown } from "../../guard/text/admit.ts";
import type { Desk } from "../desk.ts";
import { fitting, marked } from "../marked.ts";
import { type Tool, tool } from "../tool.ts";
import { LoopName } from "./loops.ts";

const RunId = z.string().min(1).max(300).describe("The whole id of a run, as list_runs tells it.");
const Offset = z.number().int().min(0).max(1e9).default(0);

/** One piece of a text that was kept. */
const PIECE = 24_000;

export const runTools: readonly Tool[] = [
  tool({
    name: "list_runs",
    title: "Runs",
    about: "Runs of all loops or of one, the newest first, page by page.",
    doing: "reads",
    asks: z.strictObject({
      loop: LoopName.optional(),
      before: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().describe("The `next` of the page before."),
      most: z.number().int().min(1).max(50).default(20),
    }),
    async answer({ house }, asked) {
      const page = await readRuns(house, asked);
      const { items, left } = fitting(page.items);
      const rows = items.map(({ run, loop, outcome, level, openedAt, rounds, stage }) => ({
        run,
        loop,
        state: outcome.kind,
        says: marked(outcome.says),
        level,
        openedAt,
        rounds,
        stage,
      }));
      return { runs: rows, next: left > 0 ? (items.at(-1)?.seq ?? null) : page.next };
    },
  }),
  tool({
    name: "run_status",
    title: "How a run stands",
    about: "One run: how it ended or how far it is, what it proposes, who decided, and which texts of it were kept.",
    doing: "reads",
    asks: z.strictObject({ run: RunId }),
    answer: (desk, { run }) => runStatusOf(desk, run),
  }),
  tool({
    name: "run_evidence",
    title: "The evidence of a run",
    about:
      "Everything for and against what a run made, what speaks against it first: proofs, opinions, findings of the scan, the verdict of each round, and what nobody looked at.",
    doing: "reads",
    asks: z.strictObject({ run: RunId, from: Offset.describe("The `next` of the page before.") }),
    answer: (desk, { run, from }) => evidenceOf(desk, run, from),
  }),
  tool({
    name: "read_artifact",
    title: "A text that was kept",
    about: "A diff, a report, a brief or the output of a check, piece by piece, as run_status and run_evidence name it by its hash.",
    doing: "reads",
    asks: z.strictObject({
      run: RunId,
      sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: "must be a whole SHA-256" }),
      from: Offset.describe("The `next` of the piece before."),
    }),
    async answer({ house }, { run, sha256, from }) {
      const found = (await readRunDocument(house, run)).artifacts.find((each) => each.sha256 === sha256);
      if (!found) throw nothingThere(`the run ${run} has kept nothing of that hash`, "run_status lists what it has kept.");
      const text = Buffer.from(await house.artifacts.read(found)).toString("utf8");
      const piece = text.slice(from, from + PIECE);
      const end = from + piece.length;
      const seen = shown(untrustedText(piece), { source: found.name, trust: "outsider", mostChars: PIECE });
      const told = seen.kind === "shown" ? { text: seen.text } : { withheld: seen.why };
      return { ...told, chars: text.length, next: end < text.length ? end : null, wasCutWhenKept: found.truncated };
    },
  }),
  tool({
    name: "run_receipt",
    title: "The receipt of a run",
    about:
      "The newest signed receipt of a run (DSSE, piece by piece) and the ids of the keys of this home. `lw receipt verify` verifies it.",
    doing: "reads",
    asks: z.strictObject({ run: RunId, from: Offset.describe("The `next` of the piece before.") }),
    async answer({ house }, { run, from }) {
      const { envelope, number, sha256, keys } = await readReceipt(house, run);
      const piece = envelope?.slice(from, from + PIECE) ?? null;
      const end = from + (piece?.length ?? 0);
      const next = envelope !== null && end < envelope.length ? end : null;
      return { run, number, sha256, envelope: piece, next, keys: keys.map(({ keyid, since, until }) => ({ keyid, since, until })) };
    },
  }),
];

export async function runStatusOf({ house }: Desk, run: string): Promise<object> {
  const document = await readRunDocument(house, run);
  const { row, view, decisions, hasReceipt } = document;
  const { loop, outcome, level, openedAt, lastAt, rounds, workedMs, microUsd, stage } = row;
  const kept = fitting(
    document.artifacts.map(({ name, round, sha256, bytes }) => ({ name: marked(name, 100), round, sha256, bytes })),
    12_000,
  );
  return {
    run,
    loop,
    state: outcome.kind,
    says: marked(outcome.says),
    intent: marked(view.intent),
    level,
    openedAt,
    lastAt,
    rounds,
    workedMs,
    usd: microUsd / 1e6,
    exit: view.exit,
    proposes: view.proposal ? { tree: view.proposal.tree, branch: view.branch, stage } : null,
    decisions: decisions.slice(-20).map(({ at, says, by, why }) => ({ at, says, by: marked(by, 60), why: marked(why, 200) })),
    hasReceipt,
    kept: kept.items,
    keptLeftOut: kept.left,
  };
}

export async function evidenceOf({ house }: Desk, run: string, from: number): Promise<object> {
  const document = await readRunDocument(house, run);
  const all = linesOf(document);
  const fit = fitting(all.slice(from, from + 60));
  const end = from + fit.items.length;
  return {
    run,
    state: document.row.outcome.kind,
    evidence: fit.items,
    total: all.length,
    next: end < all.length ? end : null,
    unseen: document.unseen,
  };
}

/** What speaks against it first. */
const linesOf = ({ claims, findings, reasons }: RunDocument): readonly object[] => [
  ...claims.map(({ mark, says, detail, how }) => ({
    is: "claim",
    mark,
    says,
    detail: marked(detail, 800),
    by: how.part,
    kind: how.kind,
    tookMs: how.tookMs,
    output: how.output?.sha256 ?? null,
  })),
  ...findings.map(({ round, rule, severity, where, why }) => ({
    is: "finding",
    round,
    rule,
    severity,
    where: marked(where),
    why: marked(why),
  })),
  ...reasons.map(({ round, verdict, because, says }) => ({ is: "verdict", round, verdict, because, says: marked(says, 800) })),
];
