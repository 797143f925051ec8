// Tools that tell of loops: where they stand, and what waits for a person.
import * as z from "zod";
import { readInboxView } from "../../app/page/read-inbox.ts";
import { mustBeLoop, readLoopRow, readLoops } from "../../app/page/read-loops.ts";
import { tellDaemon, viewDaemon } from "../../app/records/daemon-view.ts";
import type { InboxCard, LoopRow } from "../../contract/api.ts";
import type { Desk } from "../desk.ts";
import { fitting, marked } from "../marked.ts";
import { type Tool, tool } from "../tool.ts";

export const LoopName = z.string().min(1).max(300).describe("The name of a loop, as list_loops tells it.");

export const loopTools: readonly Tool[] = [
  tool({
    name: "list_loops",
    title: "Loops",
    about:
      "The loops of this home and where each stands: what wakes it, how its last run ended, what waits for a person. By name, page by page.",
    doing: "reads",
    asks: z.strictObject({
      after: z.string().max(300).optional().describe("The `next` of the page before."),
      most: z.number().int().min(1).max(50).default(20),
    }),
    async answer(desk, { after, most }) {
      const page = await readLoops(desk.house, { after, most });
      const { items, left } = fitting(page.items.map(tellLoop));
      const next = left > 0 ? (items.at(-1)?.loop ?? null) : page.next;
      return { loops: items, total: page.total, next, daemon: await tellOfDaemon(desk) };
    },
  }),
  tool({
    name: "loop_status",
    title: "Where a loop stands",
    about: "One loop: its state, what keeps it, its last outcomes.",
    doing: "reads",
    asks: z.strictObject({ loop: LoopName }),
    answer: (desk, { loop }) => statusOf(desk, loop),
  }),
  tool({
    name: "inbox",
    title: "What waits for a person",
    about:
      "Proposals, questions and standstills that wait for a person, the riskiest first. Only a person decides, and never over this protocol.",
    doing: "reads",
    asks: z.strictObject({ from: z.number().int().min(0).max(100_000).default(0).describe("The `next` of the page before.") }),
    answer: (desk, { from }) => inboxOf(desk, from),
  }),
];

export async function statusOf({ house }: Desk, loop: string): Promise<object> {
  await house.memo.catchUp();
  await mustBeLoop(house, loop);
  const row = await readLoopRow(house, loop);
  const outcomes = row.outcomes.slice(-10).map(({ at, kind, says, run }) => ({ at, kind, says: marked(says), run }));
  return { ...tellLoop(row), outcomes };
}

export async function inboxOf({ house }: Desk, from: number): Promise<object> {
  const { items, deferred } = await readInboxView(house, "due");
  const fit = fitting(items.slice(from, from + 30).map(tellCard));
  const end = from + fit.items.length;
  return { items: fit.items, total: items.length, deferred, next: end < items.length ? end : null };
}

const tellLoop = (row: LoopRow) => {
  const { loop, state, level, held, trigger, nextDue, barred, outcomes, waiting, microUsd } = row;
  const last = outcomes.at(-1);
  return {
    loop,
    state,
    intent: marked(row.intent, 200),
    level,
    held,
    trigger,
    nextDue,
    barred: barred === null ? null : marked(barred),
    last: last ? { at: last.at, kind: last.kind, says: marked(last.says), run: last.run } : null,
    waiting,
    usdToday: microUsd.today / 1e6,
  };
};

const tellCard = ({ id, loop, kind, stage, since, why, risk, risks, level, files, isTainted, findings }: InboxCard) => ({
  id,
  loop,
  kind,
  stage,
  since,
  why: marked(why),
  risk,
  risks: risks.map((each) => marked(each, 100)),
  level,
  files,
  isTainted,
  findings,
});

const tellOfDaemon = async ({ house }: Desk): Promise<string> => tellDaemon(await viewDaemon(house, house.version), house.version);
