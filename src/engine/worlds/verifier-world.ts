// The only world a verifier sees, with its rooms and its desk.
import type { Finished } from "../../contract/commands.ts";
import type { Finding, Proof } from "../../contract/evidence.ts";
import type { Meter } from "../../contract/ledger.ts";
import { modelLogin } from "../../contract/model-login.ts";
import type { Models } from "../../contract/models.ts";
import type { CheckWorld, Desk } from "../../contract/part-worlds.ts";
import type { CommitProposal } from "../../contract/proposal.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { Round } from "../../contract/round.ts";
import { untrustedText } from "../../contract/text.ts";
import type { RoomPlan, Rooms } from "../../contract/workshop.ts";
import type { World } from "../../contract/world.ts";
import { isTestFile } from "../../guard/diff/test-files.ts";
import { guardsAt, isHeld, passGuards, tellHits } from "../../guard/spec-guards.ts";
import { shown } from "../../guard/text/admit.ts";
import { meteredModels } from "../spending/models.ts";
import { type UsingRun, useAccount } from "../use-account.ts";
import { type AskGuard, type Budget, guardProc, outOfTime, withoutSecrets } from "./guard-proc.ts";

/** A check that the run has no time left for was not made: that is a budget used up, and nothing about the proposal. */
export function createVerifierWorld(
  mark: string,
  timeLeftMs: number,
  budget: Budget,
  { world, guard }: { readonly world: World; readonly guard: AskGuard },
  rooms: Rooms,
  add: (finished: Finished) => void = () => {},
): CheckWorld {
  const overMs = world.clock.monotonicMs() + timeLeftMs;
  return {
    seed: seedOf(mark, world),
    clock: world.clock,
    proc: {
      async run(command) {
        // A verifier may run many commands: each has what the ones before it left.
        const leftMs = Math.floor(overMs - world.clock.monotonicMs());
        if (leftMs <= 0) throw outOfTime(budget);
        const finished = await guardProc(world, guard, mark, {}, leftMs).run(command);
        add(finished);
        if (finished.end.kind === "timed-out" && command.timeoutMs > leftMs) throw outOfTime(budget);
        return finished;
      },
    },
    git: world.git,
    env: withoutSecrets(world.env, []),
    rooms,
    roomFiles: ({ work }) => world.workspaceFiles(work),
    loadSyntax: world.loadSyntax,
    readOutput: async (output) => new TextDecoder().decode(await world.artifacts.read(output)),
  };
}

/** From the home's key and the round: after a crash it is the same, and no maker can foresee it. */
export const seedOf = (roundId: string, { ids }: Pick<World, "ids">): number =>
  Number.parseInt(ids.secretFor(`seed of ${roundId}`).slice(0, 8), 16) >>> 1;

/** Rooms are named by verifier and count, so that a check made again after a crash opens the same ones. */
export function createRooms(
  round: Round,
  proposal: CommitProposal,
  verifier: string,
  { opened: { repo, folder }, asOf, world: { workshop } }: { readonly opened: RunOpened; readonly asOf: string; readonly world: World },
): Rooms {
  const newTests = proposal.changes.filter(({ path, after }) => after !== undefined && isTestFile(path)).map(({ path }) => path);
  const contents: { readonly [of in Parameters<Rooms["open"]>[0]["of"]]: Pick<RoomPlan, "commit" | "over"> } = {
    base: { commit: round.base },
    proposal: { commit: proposal.commit },
    "base-with-new-tests": { commit: round.base, over: { commit: proposal.commit, paths: newTests } },
  };
  let count = 0;
  return {
    newTests,
    open: ({ of, ...shape }) => workshop.openRoom(round, { name: `check-${verifier}-room-${++count}`, ...shape, ...contents[of] }),
    contents: (blobs) => workshop.readBlobs(round, blobs),
    testFiles: async () => (await workshop.listFiles(round, proposal.commit)).filter(({ path }) => isTestFile(path)),
    files: (of) => workshop.listFiles(round, of === "base" ? round.base : proposal.commit),
    rewritten: (room) => workshop.listRewritten(round, room),
    bring: (room, path, into) => workshop.bring(room, { path, specFolder: folder, repo, asOf }, into),
    discard: (room) => workshop.discard(room),
  };
}

/** For a look at base: there is no proposal to make a copy of. */
export const createBaseRooms = (
  round: Round,
  { opened: { repo, folder }, world: { workshop } }: { readonly opened: RunOpened; readonly world: World },
): Rooms => ({
  ...noRooms,
  bring: (room, path, into) => workshop.bring(room, { path, specFolder: folder, repo, asOf: round.openedAt }, into),
  discard: (room) => workshop.discard(room),
  contents: (blobs) => workshop.readBlobs(round, blobs),
});

const noRoom = () => Promise.reject(new TypeError("a verifier asked for a room where there is no proposal"));

/** For a report: there is no commit to make a copy of. */
export const noRooms: Rooms = {
  newTests: [],
  open: noRoom,
  contents: noRoom,
  testFiles: noRoom,
  files: noRoom,
  rewritten: noRoom,
  bring: noRoom,
  discard: noRoom,
};

interface DeskOrder {
  readonly verifier: string;
  readonly meter: Pick<Meter, "reserve" | "settle">;
  readonly timeLeftMs: number;
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

type DeskMatter = UsingRun & { readonly opened: RunOpened; readonly world: World };

const MOST_FILES = 20_000;

/** What a judging model is shown passes the guards of the spec first. */
function guardedShow(guards: RunOpened["spec"]["guards"]): Desk["show"] {
  const own = guardsAt(guards, "desk");
  if (own.length === 0) return shown;
  return (text, label) => {
    const passed = passGuards(own, text);
    return isHeld(passed.hits) ? { kind: "withheld", why: tellHits(passed.hits) } : shown(untrustedText(passed.text), label);
  };
}

/** A judge is bound by the limits of its account like every maker that uses it, and tells of those that it meets. */
const sharingAccounts = (run: UsingRun, models: Models): Models => ({
  ask: (ref, request) =>
    useAccount(run, {
      login: modelLogin(ref),
      who: ref.model,
      code: "model-limited",
      call: () => models.ask(ref, request),
      isGood: () => true,
    }),
});

export function createDesk({ verifier, timeLeftMs, findings, proofs, meter }: DeskOrder, run: DeskMatter): Desk {
  const { world } = run;
  const { spec } = run.opened;
  return {
    models: sharingAccounts(run, meteredModels({ purpose: verifier, timeLeftMs, meter }, spec.budget, world)),
    clock: world.clock,
    show: guardedShow(spec.guards),
    matter: { intent: spec.intent, task: spec.task ?? spec.intent, findings, proofs: [...proofs] },
    listFiles: ({ work }) => world.listFiles(work, MOST_FILES),
    keep: (text) => world.artifacts.keep(text),
  };
}
