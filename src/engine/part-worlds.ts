import { join } from "node:path";
import type { Environment } from "../contract/clock.ts";
import type { BoxFact, BoxWish, Command, EgressConnection, Finished, Proc } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { Models } from "../contract/models.ts";
import type { CheckWorld, MakerWorld, Notebook, NotifierWorld } from "../contract/part-worlds.ts";
import type { CommitProposal } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Checkout, RoomPlan, Rooms, Workspace } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import type { CommandDecision } from "../guard/command/decide.ts";
import type { Surroundings } from "../guard/command/rule.ts";
import { isTestFile } from "../guard/diff/test-files.ts";
import { whySealed } from "../guard/seal.ts";
import { isSecretVariable } from "../guard/secrets/environment.ts";
import { shown } from "../guard/text/admit.ts";
import { cappedLevel } from "../guard/text/taint.ts";
import { shellWord } from "../std/shell-word.ts";
import { leastOf, verifierWish } from "./box-wish.ts";
import type { Hearing } from "./hear-maker.ts";
import type { Launch } from "./meter.ts";
import type { RunRoom } from "./run-round.ts";

type Budget = RunOpened["spec"]["budget"];

/** Whether a command may run, with the policies that hold for this loop. */
export type Decide = (command: string, at: Surroundings) => CommandDecision;

/** What a command of a part must pass: the guard first, then it may take what it asks for, and never more than the run has left. */
const guardedProc = (
  world: World,
  decide: Decide,
  mark: string,
  bounds: Pick<Surroundings, "level" | "network">,
  timeLeftMs: number,
): Proc => ({
  async run(command: Command, dialogue) {
    const { decision, findings } = decide(command.run, { workspace: command.cwd, ...bounds });
    if (decision !== "allow") throw blocked(command.run, findings);
    return world.proc.run({ ...command, mark, timeoutMs: Math.max(1, Math.min(command.timeoutMs, timeLeftMs)) }, dialogue);
  },
});

/** Nobody is there to be asked while a loop runs, so what would need asking does not run either. */
function blocked(command: string, findings: CommandDecision["findings"]): LoopError {
  const grave = findings.filter(({ severity }) => severity !== "low");
  return new LoopError(
    "command-blocked",
    `the guard did not let this run: ${command.slice(0, 200)}\n${grave.map(({ rule, why }) => `${rule}: ${why}`).join("\n")}`,
    {
      retry: "never",
      hint: `${grave[0]?.instead ?? "Write it another way."} If you mean it, allow it in .loopwright/policy.yaml beside the spec; \`lw guard --explain\` tells more.`,
    },
  );
}

/** A secret variable is there only for the part whose spec names it. A verifier runs what the maker wrote, so it never is there for one. */
const withoutSecrets = (env: Environment, named: readonly string[]): Environment => ({
  get(name) {
    const value = env.get(name);
    return value === undefined || named.includes(name) || !isSecretVariable(name, value) ? value : undefined;
  },
});

/** Every text in the options of a part. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Of one maker; a maker that asks without end must not fill our memory. */
const MOST_CONNECTIONS = 20_000;

/** The world with every command in the box that is wished for it, and what was truly enforced so far. */
export function boxedWorld(
  world: World,
  wishFor: (cwd: string) => BoxWish | undefined,
): { readonly world: World; readonly enforced: () => BoxFact; readonly reached: () => readonly EgressConnection[] } {
  const facts: BoxFact[] = [];
  const connections: EgressConnection[] = [];
  const run: World["proc"]["run"] = async (command, dialogue) => {
    const finished = await world.proc.run({ ...command, box: wishFor(command.cwd) }, dialogue);
    facts.push(finished.box);
    connections.push(...(finished.egress ?? []).slice(0, MOST_CONNECTIONS - connections.length));
    return finished;
  };
  return { world: { ...world, proc: { run } }, enforced: () => leastOf(facts), reached: () => connections };
}

/** The same for a verifier: the box shows of all rooms only the one that it works in. */
export function verifierBox(room: RunRoom): { readonly room: RunRoom; readonly enforced: () => BoxFact } {
  const opened: Checkout[] = [];
  const { world, enforced } = boxedWorld(rememberingRooms(room.world, opened), (cwd) => verifierWish(opened, cwd, room));
  return { room: { ...room, world }, enforced };
}

function rememberingRooms(world: World, opened: Checkout[]): World {
  const remembered = async (opening: Promise<Checkout>): Promise<Checkout> => {
    const checkout = await opening;
    opened.push(checkout);
    return checkout;
  };
  const { checkOut, openRoom } = world.workshop;
  return {
    ...world,
    workshop: {
      ...world.workshop,
      checkOut: (...asked) => remembered(checkOut(...asked)),
      openRoom: (...asked) => remembered(openRoom(...asked)),
    },
  };
}

interface MakerBounds {
  readonly roundId: string;
  readonly workspace: Workspace;
  readonly timeLeftMs: number;
  readonly taint: Taint;
  /** Where the spec lies, and with it the policy. */
  readonly folder: string;
  readonly hearing: Hearing;
  /** With a meter on every answer. */
  readonly models: Models;
  readonly earlierSession: string | undefined;
  readonly notebook: Notebook;
}

/** The only world a maker sees: its commands are bounded, and its spending is on record before it goes on. */
export function createMakerWorld(
  { roundId, workspace, timeLeftMs, taint, folder, hearing, earlierSession, models, notebook }: MakerBounds,
  { budget, level, maker, outsiders, seal, unseal }: RunOpened["spec"],
  launch: Launch,
  { world, decide }: { readonly world: World; readonly decide: Decide },
): MakerWorld {
  const leftMs = Math.min(timeLeftMs, launch.timeLeftMs);
  const bounds = { level: cappedLevel(level, outsiders.level, taint), ...(taint.kind === "tainted" ? { network: outsiders.network } : {}) };
  const guarded = guardedProc(world, decide, roundId, bounds, leftMs);
  return {
    proc: {
      async run(command, dialogue) {
        const over = launch.over();
        if (over) throw over;
        const meanwhile: Command["meanwhile"] = async (used) => {
          if ((await command.meanwhile?.(used)) === "stop") return "stop";
          return launch.over(used) ? "stop" : "go-on";
        };
        const finished = await guarded.run({ ...command, meanwhile }, dialogue);
        launch.add(finished);
        if (finished.end.kind === "timed-out") {
          const why = launch.over() ?? (command.timeoutMs > leftMs ? outOfTime(budget, "the maker was done") : undefined);
          if (why) throw why;
        }
        return finished;
      },
    },
    files: world.workspaceFiles(workspace.work),
    env: withoutSecrets(world.env, textsIn(maker.with)),
    readUsage: () => world.files.readText(workspace.usage),
    meter: launch.meter,
    desk: {
      models,
      files: world.copyFiles(workspace.work, whySealed({ seal, unseal })),
      show: shown,
      keep: (text) => world.artifacts.keep(text),
      readKept: async (ref) => new TextDecoder().decode(await world.artifacts.read(ref)),
    },
    notebook,
    agent: {
      clock: world.clock,
      tell: hearing.tell,
      missed: hearing.missed,
      earlierSession,
      judge(command) {
        const { decision, findings } = decide(command, { workspace: workspace.work, ...bounds });
        return { decision, why: findings.map(({ rule, why }) => `${rule}: ${why}`).join("\n") };
      },
      hookSettings: (adapter) => world.hookSettings(adapter, hookFlags({ workspace: workspace.work, folder, ...bounds })),
      async lay(name, text) {
        const path = join(workspace.home, name);
        await world.files.writeText(path, text);
        return path;
      },
    },
  };
}

interface HookBounds {
  readonly workspace: string;
  readonly folder: string;
  readonly level: string;
  readonly network?: string;
}

/** The policy lies with the spec: one that the maker writes into its own copy counts for nothing. */
const hookFlags = ({ workspace, folder, level, network }: HookBounds): string =>
  `--workspace ${shellWord(workspace)} --policy ${shellWord(folder)} --level ${level}${network === undefined ? "" : ` --network ${network}`}`;

/** A check that the run has no time left for was not made: that is a budget used up, and nothing about the proposal. */
export function createVerifierWorld(
  mark: string,
  timeLeftMs: number,
  budget: Budget,
  { world, decide }: { readonly world: World; readonly decide: Decide },
  rooms: Rooms,
  add: (finished: Finished) => void = () => {},
): CheckWorld {
  const overMs = world.clock.monotonicMs() + timeLeftMs;
  return {
    seed: seedOf(mark, world),
    proc: {
      async run(command) {
        // A verifier may run many commands: each has what the ones before it left.
        const leftMs = Math.floor(overMs - world.clock.monotonicMs());
        if (leftMs <= 0) throw outOfTime(budget);
        const finished = await guardedProc(world, decide, mark, {}, leftMs).run(command);
        add(finished);
        if (finished.end.kind === "timed-out" && command.timeoutMs > leftMs) throw outOfTime(budget);
        return finished;
      },
    },
    git: world.git,
    env: withoutSecrets(world.env, []),
    rooms,
    roomFiles: ({ work }) => world.workspaceFiles(work),
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
  rewritten: noRoom,
  bring: noRoom,
  discard: noRoom,
};

export const outOfTime = ({ time }: Budget, before = "its checks were"): LoopError =>
  new LoopError("budget-spent", `the run's ${time} were over before ${before}`, {
    retry: "never",
    hint: "Give it more with `budget.time` and go on with `lw resume`, or make it faster.",
  });

/** What the command that prepares may reach: it works on base, and sees the secrets that its spec names. */
export const createPreparerWorld = (
  mark: string,
  timeLeftMs: number,
  inherit: readonly string[],
  { world, decide }: { readonly world: World; readonly decide: Decide },
): Pick<NotifierWorld, "proc" | "env"> => ({
  proc: guardedProc(world, decide, mark, {}, timeLeftMs),
  env: withoutSecrets(world.env, inherit),
});

export const createNotifierWorld = (
  mark: string,
  { world, decide }: { readonly world: World; readonly decide: Decide },
): NotifierWorld => ({
  proc: guardedProc(world, decide, mark, {}, Number.MAX_SAFE_INTEGER),
  files: world.files,
  env: world.env,
  http: world.http,
  mail: world.mail,
});
