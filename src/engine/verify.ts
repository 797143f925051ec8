// Lets the verifiers look at a proposal, one after the other, each in a copy of its own.
import type { Finding, Proof } from "../contract/evidence.ts";
import type { CommitProposal, Proposal, ReportProposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Verify } from "../contract/verifier.ts";
import type { Rooms } from "../contract/workshop.ts";
import { isUntouched, type SealPlan } from "../guard/seal.ts";
import { foldRun, type RunState } from "../journal/fold.ts";
import { timeLeftMs } from "./next-round.ts";
import type { RunRoom } from "./run.ts";
import { openCalls } from "./spending/calls.ts";
import { countCommands, spendingOf } from "./spending/meter.ts";
import type { Steps } from "./steps.ts";
import { verifierBox } from "./worlds/box-world.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createDesk, createRooms, createVerifierWorld, noRooms } from "./worlds/verifier-world.ts";

/** A change of nothing, or one that its maker gave up, needs no proof to be refused. */
export const isWorthVerifying = (proposal: Proposal): boolean =>
  proposal.kind === "report" || (proposal.changes.length > 0 && proposal.talk.ended === "finished");

interface ToVerify {
  readonly proposal: Proposal;
  readonly findings: readonly Finding[];
  readonly sealing: SealPlan;
}

/**
 * One verifier after the other, each in a copy of its own, so that none sees what another left behind. A proposal that changed
 * sealed files is verified twice: with them as they are on base, which is what counts, and with its own, so that a human can see both.
 */
export async function verifyAll(
  round: Round,
  room: RunRoom,
  { proposal, findings, sealing }: ToVerify,
  step: Steps,
): Promise<readonly Proof[]> {
  const proofs: Proof[] = [];
  const sealed =
    proposal.kind === "commit" && !isUntouched(sealing)
      ? await step("seal", () => sealedCommit(round, room, proposal, sealing))
      : undefined;
  for (const [index, verifier] of room.crew.verifiers.entries()) {
    const { name, kind } = verifier;
    const number = `${index + 1}`;
    const sight = await step(`verify-${number}`, () =>
      verifyOne(round, room, { proposal, findings, proofs, verifier, number: index + 1, name: number, tested: sealed }),
    );
    proofs.push({ verifier: name, kind, ...sight, ...(sealed ? { room: "sealed" } : {}) });
    if (!sealed) continue;
    const own = await step(`verify-${number}-own`, () =>
      verifyOne(round, room, { proposal, findings, proofs, verifier, number: index + 1, name: `${number}-own`, tested: undefined }),
    );
    proofs.push({ verifier: name, kind, ...own, room: "own" });
  }
  return proofs;
}

const sealedCommit = (round: Round, { world }: RunRoom, { commit }: CommitProposal, { restored, dropped }: SealPlan): Promise<string> =>
  world.workshop.undo(
    round,
    commit,
    [...restored, ...dropped].map(({ path }) => path),
  );

export const NOTHING_SEALED: SealPlan = { restored: [], dropped: [], added: [] };

interface OneCheck {
  readonly proposal: Proposal;
  /** What was seen of it so far. */
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
  readonly verifier: Verify;
  readonly number: number;
  /** Its number, and which of its two looks this is. */
  readonly name: string;
  /** The commit that is looked at, where it is not the proposal's own. */
  readonly tested: string | undefined;
}

async function verifyOne(round: Round, bare: RunRoom, check: OneCheck) {
  const { room, enforced } = verifierBox(bare);
  const sight = await lookAt(round, room, check);
  return { ...sight, box: enforced() };
}

async function lookAt(round: Round, room: RunRoom, { proposal, findings, proofs, verifier, number, name, tested }: OneCheck) {
  const { opened, journal, world } = room;
  const state = foldRun(journal.entries);
  const left = timeLeftMs(opened, state);
  if (left === 0) throw outOfTime(opened.spec.budget);
  const spending = spendingOf(round, room);
  const commands = countCommands(spending);
  const calls = openCalls(spending, { maker: verifier.name });
  const desk = createDesk({ verifier: verifier.name, timeLeftMs: left, findings, proofs, meter: calls }, room);
  const worldWith = (rooms: Rooms) => ({ ...createVerifierWorld(round.id, left, opened.spec.budget, room, rooms, commands.add), desk });
  try {
    if (verifier.proves === "report") return await verifier.verify({ proposal: asReport(proposal), repo: opened.repo }, worldWith(noRooms));
    const commit = asCommit(proposal);
    const seen = { ...commit, commit: tested ?? commit.commit };
    const checkout = await world.workshop.checkOut(opened.repo, round, seen.commit, name);
    const claim = { proposal: commit, checkout, timeLeftMs: left, quarantined: quarantinedFor(number, state) };
    const rooms = createRooms(round, seen, name, { ...room, asOf: state.openedAt ?? round.openedAt });
    return await verifier.verify(claim, worldWith(rooms));
  } finally {
    await calls.settleAll();
    await commands.settle();
  }
}

/** As it stood when base was looked at: what runs out or is ended meanwhile makes no difference to this run. */
const quarantinedFor = (number: number, { baseline }: RunState): readonly string[] =>
  baseline?.checks.find(({ verifiers }) => verifiers.some((verifier) => verifier.number === number))?.quarantined ?? [];

/** A spec whose maker and verifiers do not fit together is refused when it is read; this is the last line. */
function asCommit(proposal: Proposal): CommitProposal {
  if (proposal.kind !== "commit") throw new TypeError("a verifier of commits was given a report");
  return proposal;
}

function asReport(proposal: Proposal): ReportProposal {
  if (proposal.kind !== "report") throw new TypeError("a verifier of reports was given a commit");
  return proposal;
}
