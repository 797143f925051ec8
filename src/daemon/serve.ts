// The daemon: holds the home's lock, knows its loops, hears what happens, lets the scheduler tick, and ends without leaving anything behind.
import { dirname } from "node:path";
import type { Looked } from "../app/loops/look-after.ts";
import type { DaemonTools } from "../app/open-daemon.ts";
import type { House } from "../app/open-house.ts";
import { type DaemonNote, daemonNotePath, looksFolder, tellDaemon, viewDaemon } from "../app/records/daemon-view.ts";
import { troublesPath } from "../app/records/troubles.ts";
import type { MachineSettings } from "../app/settings.ts";
import type { Stop } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import type { ExitName } from "../contract/exit.ts";
import { BLINK_MS, underLock } from "../contract/locks.ts";
import type { ServerLimits, Serving } from "../contract/server.ts";
import { createApart } from "./ask-apart.ts";
import { createBeat, type Part } from "./beat.ts";
import { type DashboardWish, openDashboard } from "./dashboard-wish.ts";
import { type Ears, earsFor } from "./ears.ts";
import { followJournal, takeIn } from "./follow.ts";
import type { DaemonHands, HandsSight, HandsWorld } from "./hands.ts";
import { createWebhooks } from "./hear-webhooks.ts";
import { createHeardBook } from "./heard.ts";
import { type MachineFile, openMachineFile } from "./machine-file.ts";
import { onceExit } from "./once-exit.ts";
import { createPing } from "./ping.ts";
import type { Sight, TellSight } from "./sights.ts";
import { catchUpOn } from "./sources/records.ts";
import { tendSpecs } from "./tend-specs.ts";
import { type Ticker, tickPart } from "./tick-part.ts";
import { createTroubles } from "./troubles.ts";
import { watchSecrets } from "./unset-secrets.ts";
import { outlineBy, scanBy, verifyBy } from "./verify-apart.ts";
import { type WatchedSources, watchSources } from "./watch-sources.ts";
import { wrongSpecs } from "./wrong-specs.ts";

export interface ServeWishes {
  readonly pid: number;
  /** One beat, and what it starts, instead of beating until it is stopped. */
  readonly once: boolean;
  readonly stop: Stop;
  /** Hears of every wish that everything be read again. */
  readonly onReload: (listener: () => void) => () => void;
  readonly tell: TellSight;
}

export interface Serve {
  readonly house: House;
  readonly tools: DaemonTools;
  readonly machine: () => Promise<MachineSettings>;
  /** Undefined where none is wanted. */
  readonly dashboard: DashboardWish | undefined;
  /** Made of the hands, which tell what they see. */
  readonly schedule: (
    machine: MachineFile,
    tell: (sight: HandsSight) => void,
    hear: HandsWorld["hear"],
  ) => { readonly hands: DaemonHands; readonly ticker: Ticker };
}

/** How often the records and the places of specs are looked at, where nobody says that something changed. */
const FOLLOW_MS = 500;
const LISTEN_AGAIN_MS = 5_000;
const LOOK_AT_HOME_MS = 15_000;
/** After the drain: how long runs may take to stop in a way that they can be resumed. */
const STOP_MS = 60_000;

const EAR: ServerLimits = {
  mostHeaderBytes: 16 * 1024,
  mostBodyBytes: 1024 * 1024,
  mostBytesAtOnce: 32 * 1024 * 1024,
  mostConnections: 256,
  headMs: 5_000,
  requestMs: 10_000,
};

/** Gives back what a shell hears: of one beat, what became of what it woke. */
export async function serve(world: Serve, wishes: ServeWishes): Promise<ExitName> {
  const { house } = world;
  const who = tellDaemon(await viewDaemon(house, house.version), house.version);
  const busy = (): LoopError =>
    new LoopError("loop-busy", `this home has its daemon: ${who}`, {
      retry: "later",
      hint: "One is enough. Stop it first, or serve another home with --home.",
    });
  const sights: Sight[] = [];
  const tell: TellSight = (sight) => {
    if (wishes.once) sights.push(sight);
    wishes.tell(sight);
  };
  await underLock({ locks: house.locks, name: "daemon", ms: BLINK_MS, busy }, () => serveHome(world, { ...wishes, tell }));
  return onceExit(sights, { isAnyWrong: wishes.once && (await wrongSpecs(house.journal)).length > 0 });
}

async function serveHome(
  { house, tools, machine: readMachine, dashboard: wanted, schedule }: Serve,
  { pid, once, stop, onReload, tell }: ServeWishes,
): Promise<void> {
  const machine = await openMachineFile(readMachine);
  let isNoted = false;
  /** Whatever is written by its path after the home was moved away would begin another one where it was. */
  const isGone = async (): Promise<boolean> => isNoted && (await house.texts.readOptional(daemonNotePath(house.home))) === undefined;
  const troubles = createTroubles(house.clock.now, async (all) => {
    if (!(await isGone())) await house.plainFiles.writeText(troublesPath(house.home), `${JSON.stringify(all)}\n`);
  });
  const trouble = (loop: string | undefined, says: string): void =>
    tell({ kind: "trouble", ...(loop === undefined ? {} : { loop }), says });
  const { hands, ticker } = schedule(
    machine,
    (sight) => {
      tellHands(sight, tell);
      if (sight.kind === "over") ticker.noticed(sight.loop);
      if (sight.kind === "over" && sight.run !== undefined) dashboard?.hearsay.forget(sight.run);
      // It may be that its spec is another one by now, which only a look at it can tell.
      if (sight.kind === "over" && sight.run === undefined) tending.hasten();
      beat.hurry();
    },
    (place, told) => dashboard?.hearsay.hear(place, told),
  );
  const book = createHeardBook(house.journal, ({ loop }) => {
    ticker.noticed(loop);
    beat.hurry();
  });
  const sources = watchSources({
    clock: house.clock,
    lookout: tools.lookout,
    tell: trouble,
    mark: troubles.mark,
    hurry: () => beat.hurry(),
  });
  const follower = await followJournal(house.journal);
  let ears: Ears = { sources: [], webhooks: new Map(), records: [] };
  let hearing: Serving | undefined;
  let unwatchSpecs = (): void => {};
  const webhooks = createWebhooks({
    clock: house.clock,
    env: house.world.env,
    journal: house.journal,
    book,
    listenersAt: (address) => ears.webhooks.get(address) ?? [],
    tell: (what) => trouble(undefined, what),
  });

  const wantsToHear = (): boolean => ears.webhooks.size > 0 && !hearing && !once;
  const lookAtSecrets = watchSecrets({ env: house.world.env, tell: trouble, mark: troubles.mark });
  const tending = tendSpecs(house, (looked) => {
    for (const { record } of looked.changes) if (record.kind === "loop-wrong") news.add(record.path);
    for (const { path } of looked.complaints) news.add(path);
    tellLooked(looked, tell);
  });
  /** Files and folders whose being wrong was told as it was found out. */
  const news = new Set<string>();
  /** Whoever calls for one beat hears of all that is wrong, also of what was so before. */
  const tellWrong = async (): Promise<void> => {
    for (const { loop, path, says } of await wrongSpecs(house.journal)) if (!news.has(path)) trouble(loop, says);
  };
  const listen = (): Promise<void> =>
    takeIn(house.journal, follower, { listeners: () => ears.records, book, noticed: ticker.noticed, hasten: tending.hasten, tell });
  const ticking = tickPart(house.clock, ticker, { trouble, waits: ({ loop, says }) => tell({ kind: "waits", loop, says }) });
  const parts: readonly Part[] = [
    folderPart(isGone),
    homePart(house, machine, (says) => {
      trouble(undefined, says);
      troubles.mark("the journal", { says });
    }),
    {
      name: "the specs",
      next: tending.next,
      turn: async () => {
        const looked = await tending.turn();
        if (!looked) return;
        unwatchSpecs();
        const folders = new Set(looked.known.flatMap(({ state, path }) => (state === "removed" ? [] : [dirname(path)])));
        unwatchSpecs = tools.lookout.watch([...folders], tending.hasten);
        ears = await earsFor({ house, tools, book, trouble }, looked.known);
        sources.replace(ears.sources);
        for (const listener of ears.records) await catchUpOn({ journal: house.journal, book }, listener, follower.seq());
        for (const { loop } of looked.changes) ticker.noticed(loop);
        lookAtSecrets([...ears.webhooks.values()].flat());
      },
    },
    {
      // A port that somebody else has now may be free the next time.
      name: "webhooks",
      next: () => (wantsToHear() ? house.clock.now().getTime() + LISTEN_AGAIN_MS : undefined),
      turn: async () => {
        if (!wantsToHear()) return;
        hearing = await tools.server.listen({ ...machine.now().listen, limits: EAR, ...webhooks });
        await note(hearing);
      },
    },
    {
      name: "the journal",
      next: () => house.clock.now().getTime() + FOLLOW_MS,
      turn: () => listen(),
    },
    sourcesPart(house, sources, once),
    ticking,
  ];
  const ping = createPing(machine.now().ping, { http: house.world.http, clock: house.clock }, (what) => trouble(undefined, what));
  const beat = createBeat({ clock: house.clock, sleepUnless: tools.sleepUnless, parts, ping, tell, mark: troubles.mark });

  const note = (serving: Serving | undefined): Promise<void> => {
    const its: DaemonNote = { pid, version: house.version, since, ...(serving ? { hears: `${serving.host}:${serving.port}` } : {}) };
    return house.plainFiles.writeText(daemonNotePath(house.home), `${JSON.stringify(its)}\n`);
  };
  const since = house.clock.now().toISOString();
  const apart = createApart({ children: tools.children, home: house.home.folder, sleepUnless: tools.sleepUnless });
  const dashboard =
    wanted &&
    (await openDashboard(
      wanted,
      {
        hear: book.hear,
        tryOut: hands.tryOut,
        lookThrough: verifyBy(apart.ask, house.home.folder),
        scan: scanBy(apart.ask),
        outline: outlineBy(apart.ask),
      },
      trouble,
    ));
  tools.makeFolder(looksFolder(house.home));
  await note(undefined);
  isNoted = true;
  const unwatch = tools.lookout.watch([looksFolder(house.home)], () => sources.look());
  const deafen = onReload(() => {
    void machine.readAgain();
    tending.hasten();
    ticker.noticedAll();
    beat.hurry();
  });
  try {
    await ticker.begin();
    await beat.once();
    if (once) await tellWrong();
    tell({
      kind: "serving",
      pid,
      version: house.version,
      loops: tending.count(),
      ...(hearing ? { hears: `${hearing.host}:${hearing.port}` } : {}),
    });
    if (dashboard) tell({ kind: "dashboard", url: dashboard.url, link: dashboard.link });
    if (once) await untilServed();
    else await beat.until(stop);
    await drain();
    await listen();
  } finally {
    deafen();
    unwatch();
    unwatchSpecs();
    sources.close();
    await hearing?.close();
    // However we came here, nothing that we started goes on without us.
    hands.endAll();
    apart.end();
    await hands.rested();
    await troubles.written();
    // Last, so that whoever looks sees runs come to their end.
    await dashboard?.close();
    tell({ kind: "stopped" });
  }

  /** Whoever was due in the one beat and had no room has its turn when another is over; who has none even then is told. */
  async function untilServed(): Promise<void> {
    await ticker.settled();
    while (ticking.waiting().length > 0 && !stop.asked()) {
      const [left, isBusy] = [ticking.waiting().length, hands.running().length > 0];
      if (isBusy) await tools.sleepUnless(FOLLOW_MS, stop);
      await ticking.again();
      await ticker.settled();
      // A short run may be over before anybody looks: only where nothing ran and nobody had a turn, room will not come by waiting.
      if (!isBusy && ticking.waiting().length === left && hands.running().length === 0) break;
    }
    for (const { loop, says } of ticking.waiting()) tell({ kind: "waits", loop, says: `${says}; call it again when there is room` });
  }

  /** Nothing new is woken. What runs may finish for a while; then it is stopped so that it can be resumed. */
  async function drain(): Promise<void> {
    await ticker.settled();
    const isOver = watchOver(hands);
    if (!once) {
      tell({ kind: "stopping", running: hands.running().length });
      await hearing?.close();
      await tools.sleepUnless(machine.now().drainMs, isOver);
    } else await untilOver(isOver, stop);
    if (isOver.asked()) return;
    hands.askAll();
    await tools.sleepUnless(STOP_MS, isOver);
  }

  /** What it started is waited for, as long as nobody asks for less. */
  async function untilOver(isOver: Stop, stop: Stop): Promise<void> {
    await new Promise<void>((resolve) => {
      isOver.onAsk(resolve);
      stop.onAsk(resolve);
    });
    if (!isOver.asked()) await tools.sleepUnless(machine.now().drainMs, isOver);
  }
}

/** A stop that is asked for when the last run is over. */
function watchOver(hands: DaemonHands): Stop {
  const listeners = new Set<() => void>();
  let isOver = false;
  hands.rested().then(() => {
    isOver = true;
    for (const listener of [...listeners]) listener();
  });
  return {
    asked: () => isOver,
    onAsk(listener) {
      if (isOver) listener();
      else listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** What everything here stands on. */
const folderPart = (isGone: () => Promise<boolean>): Part => ({
  name: "the home's folder",
  next: () => undefined,
  turn: async () => {
    if (await isGone()) throw new Error("it was moved, deleted or replaced while this daemon served it: put it back, or stop the daemon");
  },
  isGround: true,
});

/** What counts for all loops: the machine's file, and the journal. */
function homePart(house: House, machine: MachineFile, tellDamage: (says: string) => void): Part {
  let dueAt = 0;
  let wrong: string | undefined;
  let told = house.journal.mended;
  return {
    name: "the home",
    next: () => dueAt,
    turn: async () => {
      const { mended } = house.journal;
      // Work goes on with what is left, but what is gone is gone, and somebody should know.
      if (mended !== undefined && mended !== told) tellDamage(`the journal was damaged: ${mended}; \`lw doctor\` tells more`);
      told = mended;
      const now = house.clock.now().getTime();
      if (now >= dueAt || dueAt - now > LOOK_AT_HOME_MS) {
        dueAt = now + LOOK_AT_HOME_MS;
        wrong = await machine.readAgain();
      }
      if (wrong !== undefined) throw new Error(wrong);
    },
  };
}

/** Remote refs may take long to be read: the tick does not wait for them, but where there is only one. */
function sourcesPart(house: House, sources: WatchedSources, isAwaited: boolean): Part {
  let looking: Promise<void> | undefined;
  return {
    name: "what is watched",
    next: () => {
      const nextMs = sources.nextMs();
      return nextMs === undefined || looking ? undefined : house.clock.now().getTime() + (nextMs - house.clock.monotonicMs());
    },
    turn: async () => {
      looking ??= sources.lookAtDue().finally(() => {
        looking = undefined;
      });
      if (isAwaited) await looking;
    },
  };
}

function tellHands(sight: HandsSight, tell: TellSight): void {
  const { loop, run } = sight;
  if (sight.kind === "began") tell({ kind: "woke", loop, run: sight.run, ...(sight.key === undefined ? {} : { key: sight.key }) });
  // What never began says by its waking what became of it.
  if (sight.kind === "began" || run === undefined) return;
  const { code, signal } = sight.end;
  const says = signal ? `ended by ${signal}` : `exit ${code ?? "unknown"}`;
  tell({ kind: "over", loop, run, ...(code === null ? {} : { exit: code }), says });
}

function tellLooked({ changes, complaints }: Looked, tell: TellSight): void {
  for (const { kind, loop, record } of changes)
    tell({ kind: "loop", loop, change: kind, ...(record.kind === "loop-wrong" ? { says: record.problems.join("; ") } : {}) });
  for (const { path, problems } of complaints) if (problems.length > 0) tell({ kind: "trouble", says: `${path}: ${problems.join("; ")}` });
}
