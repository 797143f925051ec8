// What waits for a person, as cards: by risk, then by age, each with what somebody needs to choose where to look first.
import type { InboxCard, InboxDocument, InboxView, Risk, Who } from "../../contract/api.ts";
import { factsOf } from "../../contract/proposal.ts";
import { Level } from "../../contract/spec.ts";
import type { InboxItem, RunView } from "../../contract/views.ts";
import { restedView, viewRun } from "../../journal/views.ts";
import { itemsOf } from "../decisions/inbox.ts";
import { type Amending, amendedIn, diffNow } from "./amended.ts";
import { amendedClaim, claimsOf, riskOf, unseenOf } from "./claims.ts";
import { clipped } from "./clip.ts";
import type { Made } from "./loop-memo.ts";
import { nothingThere } from "./nothing-there.ts";
import type { PageRecords } from "./page-records.ts";
import { mustRead } from "./read-run.ts";

export async function readInboxView(records: PageRecords, which: "due" | "all"): Promise<InboxView> {
  const asOf = await records.memo.catchUp();
  const all = await readCards(records);
  const due = all.filter(({ stage }) => stage !== "deferred");
  return { asOf, at: records.clock.now().toISOString(), items: which === "all" ? all : due, deferred: all.length - due.length };
}

/** Of all loops, in the order in which they should be looked at. */
export async function readCards(records: PageRecords): Promise<readonly InboxCard[]> {
  const loops = await records.journal.loops();
  const cards = (await Promise.all(loops.map((loop) => cardsOf(records, loop)))).flat();
  return cards.toSorted((one, other) => rankOf(one) - rankOf(other) || one.since.localeCompare(other.since));
}

const RISKS: readonly Risk[] = ["high", "medium", "low", "none"];

/** What nobody knows the end of, what stands still and what asks comes before what is only risky. */
const rankOf = ({ stage, kind, risk }: InboxCard): number =>
  (stage === "unclear" ? 0 : kind === "halted" || kind === "absent" ? 10 : kind === "question" ? 20 : 30) + RISKS.indexOf(risk);

export const cardsOf = (records: PageRecords, loop: string): Promise<readonly InboxCard[]> =>
  records.memo.get(loop, "cards", () => makeCards(records, loop));

/** A deferral and a yes can run out, although nobody writes anything. */
async function makeCards(records: PageRecords, loop: string): Promise<Made<readonly InboxCard[]>> {
  const now = records.clock.now().getTime();
  const made = await Promise.all((await itemsOf(records, loop)).map((item) => cardOf(records, item)));
  const until = made.flatMap(({ turns }) => turns).filter((ms) => ms > now);
  return { value: made.map(({ card }) => card), until: until.length > 0 ? Math.min(...until) : undefined };
}

async function cardOf({ journal }: PageRecords, item: InboxItem): Promise<{ readonly card: InboxCard; readonly turns: readonly number[] }> {
  // Of the loop, and of none of its runs.
  if (item.id === item.loop) return { card: { ...item, ...NOTHING_MADE }, turns: [] };
  const story = await journal.story(item.id);
  const view = viewRun({ loop: item.loop, run: item.id }, story);
  if (!view) return { card: { ...item, ...NOTHING_MADE }, turns: [] };
  const seq = story.entries.findLast(({ record }) => record.kind === "run-rested")?.seq ?? 0;
  return { card: { ...item, ...aboutView(view), seq }, turns: turnsOf(view) };
}

const NOTHING_MADE = {
  risk: "none",
  risks: [],
  level: null,
  intent: "",
  files: 0,
  votes: { yes: 0, of: 0 },
  isTainted: false,
  findings: 0,
  seq: 0,
} as const;

function aboutView(view: RunView): Omit<InboxCard, keyof InboxItem | "seq"> {
  const { level, intent, proposal } = view;
  const evidence = restedView(view)?.evidence;
  const opinions = (evidence?.proofs ?? []).filter(({ kind }) => kind === "opinion");
  return {
    ...riskOf(evidence, proposal?.amendedBy),
    level: Level.catch("L1").parse(level),
    intent,
    // How many an amended one changes is told by its diff.
    files: evidence && proposal?.amendedBy === undefined ? factsOf(evidence.proposal).changes.length : 0,
    votes: { yes: opinions.filter(({ outcome }) => outcome === "holds").length, of: opinions.length },
    isTainted: evidence?.taint?.kind === "tainted",
    findings: evidence?.findings.length ?? 0,
  };
}

const turnsOf = ({ proposal }: RunView): readonly number[] =>
  [proposal?.deferredUntil, ...(proposal?.approvals ?? []).map(({ until }) => until)].flatMap((at) =>
    at === undefined ? [] : Date.parse(at),
  );

const AT_ONCE = 20;

/** Works out what every page will ask for, a few loops at a time, so that the first page does not wait for all of them. */
export async function warmUp(records: PageRecords, pause: () => Promise<void>, isOver: () => boolean): Promise<void> {
  await records.memo.catchUp();
  const loops = await records.journal.loops();
  for (let first = 0; first < loops.length && !isOver(); first += AT_ONCE) {
    await Promise.all(loops.slice(first, first + AT_ONCE).map((loop) => cardsOf(records, loop)));
    await pause();
  }
}

/** The card of an item as it is now; undefined where it waits no more. */
export async function cardNow(records: PageRecords, id: string, loop: string): Promise<InboxCard | undefined> {
  await records.memo.catchUp();
  return (await cardsOf(records, loop)).find((card) => card.id === id);
}

export async function readInboxDocument(records: PageRecords & Amending, id: string, who: Who): Promise<InboxDocument> {
  const asOf = await records.memo.catchUp();
  const isLoop = (await records.journal.loops()).includes(id);
  const { view, story } = isLoop ? { view: undefined, story: undefined } : await mustRead(records, id);
  const card = (await cardsOf(records, view?.loop ?? id)).find((one) => one.id === id);
  if (!card) throw nothingThere(`${clipped(id, 80)} waits for nobody any more`, "The inbox shows what does.");
  const last = view && restedView(view);
  const amended = story && amendedIn(story);
  const diff = amended ? await diffNow(records, amended) : last?.evidence ? factsOf(last.evidence.proposal).artifacts.diff : undefined;
  const claims = claimsOf(last);
  return {
    asOf,
    card,
    run: view ?? null,
    amendedBy: amended?.state.amendedBy ?? null,
    claims: amended ? [amendedClaim(amended.state.amendedBy, claims)] : claims,
    unseen: view ? unseenOf(view) : ["Nothing of this was looked at: the loop stands still."],
    diff: diff ?? null,
    who,
  };
}
