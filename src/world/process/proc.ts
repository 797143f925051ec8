// Runs a command so that nothing of it outlives its end, a time-out, a stop, or our own death.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, fchownSync, openSync } from "node:fs";
import { constants } from "node:os";
import { Duplex } from "node:stream";
import type { ArtifactSink, ArtifactStore } from "../../contract/artifacts.ts";
import type { Stop } from "../../contract/clock.ts";
import type { Bounds, Dialogue, Finished, MarkedCommand, Proc, Used } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import { untrustedText } from "../../contract/text.ts";
import { type Box, type Enclosure, noBox } from "../box/box.ts";
import { cpuMsIn, FILTER_FD, STATUS_FD, signalIn, type Told, WORDS_FD, wasStarted } from "../box/inside.ts";
import { openPipe, openStreams, type Reading } from "./command-streams.ts";
import { withNothingElse } from "./descriptors.ts";
import { LIMIT, type Limits, openLimits } from "./limits.ts";
import { createLineReader } from "./lines.ts";
import { type Machine, thisMachine, type Use, watchUse } from "./machine-use.ts";
import { askMarked, endMarked, MARK_VARIABLE, signalGroup } from "./processes.ts";
import { type UsageWatch, watchUsage } from "./usage.ts";

const TAIL_BYTES = 8 * 1024;
/** Between the polite signal and the other one: whatever ends a command, it is over within two seconds. */
const GRACE_MS = 1_500;
const ASK_EVERY_MS = 400;
const MOST_TOLD = 16 * 1024;
/** How long output is awaited after the end, for a process that hid from us and still holds the pipes. */
const LAST_WORDS_MS = 1_000;
/** How long a box that is over may take to be heard: long, because a busy machine must not pass for a box that failed. */
const TOLD_WITHIN_MS = 20_000;
/** What is heard of one line; agents put whole files into theirs. */
const MOST_LINE = 1024 * 1024;
/** Timers take no more than this, and take more for nothing. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A file of more than this cannot be written, whatever the disk has; in blocks of 512 bytes. */
const MOST_FILE_BLOCKS = (16 * 1024 * 1024 * 1024) / 512;
const LOOK_EVERY_MS = 250;
/** What is used after the last sample is not seen where somebody else still holds the output; one file is read for it. */
const SAMPLE_EVERY_MS = 25;

/**
 * The command runs in a process group of its own. Beside it, in the same group, a watcher waits on a pipe that only we
 * hold: when it closes, because the command is over or because we were killed, the watcher ends the whole group.
 * It is put in the background twice, so that the command never sees a child it did not start. We are told its number once it has let go of
 * the output, and before the command begins; and after that, which limits are in force. A box is started here too, so that the watcher is outside of it; with the box all ends that
 * is inside.
 */
const UNDER_WATCH = `echo "$( ( trap "" TERM INT HUP; exec <&3 3<&- ${STATUS_FD}>&- ${WORDS_FD}>&- >/dev/null 2>&1; while read -r _; do :; done; kill -KILL 0 ) & echo $! )" >&3
${LIMIT}
exec 3<&-
{ ulimit -c 0; ulimit -f ${MOST_FILE_BLOCKS}; } 2>/dev/null
exec "$@"`;

type EndedEarly =
  | { readonly kind: "timed-out" | "stopped" | "not-kept" | "asked" | "told-to" }
  /** It used more than it may. */
  | { readonly kind: "greedy"; readonly why: string };

/** What surrounds every command: the box it may be put in, and what the machine has left. */
export interface ProcAround {
  readonly box: Box;
  readonly machine: Machine;
}

export function createProc(
  artifacts: ArtifactStore,
  clock: { monotonicMs(): number },
  stop: Stop,
  { box, machine }: ProcAround = { box: noBox, machine: thisMachine },
): Proc<MarkedCommand> {
  return {
    async run(command, dialogue) {
      if (stop.asked()) throw interrupted(command.run);
      const startedMs = clock.monotonicMs();
      const sink = await artifacts.receive();
      const limits = openLimits(machine);
      let enclosure: Enclosure | undefined;
      try {
        enclosure = await box.enclose(command);
        const { end, tail, used, bounds } = await runInto(sink, command, enclosure, { stop, machine, limits, dialogue });
        const missed = end.kind === "exited" && end.code !== 0 ? await enclosure.missed?.(tail) : undefined;
        const output = await sink.keep();
        const egress = await enclosure.way?.close();
        const tookMs = clock.monotonicMs() - startedMs;
        const told = missed === undefined ? tail : `${tail.trimEnd()}\n${missed}\n`;
        return {
          end,
          tookMs,
          used,
          output,
          tail: untrustedText(told),
          box: enclosure.fact.kind === "unused" ? enclosure.fact : { ...enclosure.fact, bounds },
          ...(missed === undefined ? {} : { missed }),
          ...(egress ? { egress } : {}),
        };
      } catch (error) {
        await sink.drop();
        throw error;
      } finally {
        limits.letGo();
        await enclosure?.way?.close();
      }
    },
  };
}

interface Surroundings {
  readonly stop: Stop;
  readonly machine: Machine;
  readonly limits: Limits;
  readonly dialogue: Dialogue | undefined;
}

interface Outcome {
  readonly end: Finished["end"];
  readonly tail: string;
  readonly used: Used;
  readonly bounds: Bounds;
}

async function runInto(
  sink: ArtifactSink,
  command: MarkedCommand,
  enclosure: Enclosure,
  { stop, machine, limits, dialogue }: Surroundings,
): Promise<Outcome> {
  const { input, output, handOver, reading } = await openStreams(command.input ?? "");
  // What a program says on the side must not tear the lines that are listened to.
  const aside = dialogue && (await openPipe());
  const tail = keepTail();
  const use = watchUse(command.cwd, machine);
  let kept: Promise<void> = Promise.resolve();
  const keep = (piece: Buffer): Promise<void> => {
    use.printed(piece.length);
    tail.add(piece);
    kept = kept.then(() => sink.write(piece));
    return kept;
  };
  const isSpokenTo = dialogue !== undefined && command.input === undefined;
  const channels = enclosure.tells ? ["pipe" as const, "pipe" as const] : [];
  const stdio = [isSpokenTo ? ("pipe" as const) : input, output, aside?.output ?? output, "pipe" as const, ...channels];
  if (enclosure.owner !== undefined) giveStreams(stdio, enclosure.owner);
  const { child, told } = await start(command, { ...enclosure, argv: [...limits.words, ...enclosure.argv] }, stdio)
    .catch((error: unknown) => {
      reading.letGo();
      aside?.reading.letGo();
      throw error;
    })
    .finally(() => Promise.all([handOver(), aside?.handOver()]));
  const beforehand = hearBeforehand(watchPipe(child));
  const usage = watchUsage(command.mark, child.pid ?? 0, beforehand.watcher);
  // Heard before its end is: there is no later moment to ask for its time.
  const hungUp = (): void => {
    if (!isOver(child)) usage.sample();
  };
  const read = Promise.all([hear({ reading, keep, hungUp }, dialogue), aside?.reading.toEnd(keep, hungUp)]).then(() => {});
  const asked = new AbortController();
  if (dialogue?.begun) speakTo(child, dialogue.begun, asked);

  const { code, signal, early } = await watched(child, command, {
    stop,
    asked: asked.signal,
    reading: read,
    use: { ...use, broken: () => use.broken() ?? limits.broken(beforehand.said(), usage.memoryBytes) },
    usage,
    boxed: enclosure.tells,
  });

  usage.ended();
  // Before those who are left are ended: nobody will wait for them.
  const used = usage.look();
  // Ends the watcher, and with it whatever the command left running; then what left the group.
  await endWatch(child);
  if (usage.sawOthers()) await endMarked(command.mark);
  const patience = setTimeout(() => {
    reading.letGo();
    aside?.reading.letGo();
  }, LAST_WORDS_MS);
  await read.finally(() => clearTimeout(patience));
  if (early?.kind === "stopped") throw interrupted(command.run);
  const said = { tail: tail.text(), used, bounds: limits.inForce(beforehand.said(), enclosure.fact) };
  if (early?.kind === "greedy") return { end: { kind: "killed", signal: "SIGKILL", why: early.why }, ...said };
  if (early && early.kind !== "asked") return { end: { kind: "timed-out", afterMs: command.timeoutMs }, ...said };
  const ranOut = limits.ranOut();
  if (ranOut !== undefined) return { end: { kind: "killed", signal: "SIGKILL", why: ranOut }, ...said };
  if (!enclosure.tells || code === null) return { end: endOf(code, signal), ...said };
  const words = await told();
  if (!wasStarted(words)) throw boxFailed(command, tail.text().trim() || words.words);
  const cpuMs = Math.max(used.cpuMs ?? 0, cpuMsIn(words) ?? 0);
  return { end: endOf(code, nameOf(signalIn(code, words))), ...said, used: { ...used, cpuMs } };
}

/** To open `/dev/stdout` is to open a pipe anew, and that asks whose it is. */
function giveStreams(streams: Streams, uid: number): void {
  for (const stream of streams) if (typeof stream === "number") fchownSync(stream, uid, uid);
}

interface Printed {
  readonly reading: Reading;
  readonly keep: (piece: Buffer) => Promise<void>;
  readonly hungUp: () => void;
}

/** Keeps all that is printed, and lets the part hear it line by line. */
async function hear({ reading, keep, hungUp }: Printed, dialogue: Dialogue | undefined): Promise<void> {
  if (!dialogue) return reading.toEnd(keep, hungUp);
  const lines = createLineReader(MOST_LINE);
  await reading.toEnd(async (piece) => {
    await keep(piece);
    for (const line of lines.add(piece)) await dialogue.heard(untrustedText(line));
  }, hungUp);
  for (const line of lines.end()) await dialogue.heard(untrustedText(line));
}

function speakTo(child: ChildProcess, begun: NonNullable<Dialogue["begun"]>, asked: AbortController): void {
  // It may end before it has read all; how it ended says more than that.
  child.stdin?.on("error", () => {});
  begun({ say: (text) => void child.stdin?.write(text), hangUp: () => void child.stdin?.end(), end: () => asked.abort() });
}

interface Started {
  readonly child: ChildProcess;
  /** What a box told about it, once nobody can tell more. */
  readonly told: () => Promise<Told>;
}

type Streams = readonly ("pipe" | "ignore" | number)[];

async function start(command: MarkedCommand, { argv, filter, way }: Enclosure, streams: Streams): Promise<Started> {
  let filtering: number | undefined;
  try {
    const env = { ...command.env, ...way?.env, [MARK_VARIABLE]: command.mark };
    filtering = filter === undefined ? undefined : openSync(filter, "r");
    const stdio: StdioOptions = [...withNothingElse(withFilter(streams, filtering), "ignore")];
    const child = spawn("/bin/sh", ["-c", UNDER_WATCH, "sh", ...argv], { cwd: command.cwd, env, stdio, detached: true });
    watchPipe(child)?.on("error", () => {});
    // At once: what a short command leaves on its streams is thrown away at its end, if nobody listens by then.
    const told = listenTo(child);
    await new Promise<void>((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return { child, told };
  } catch (cause) {
    throw notStarted(command, cause);
  } finally {
    if (filtering !== undefined) closeSync(filtering);
  }
}

const withFilter = (streams: Streams, filter: number | undefined): Streams =>
  filter === undefined ? streams : [...streams, ...Array.from({ length: FILTER_FD - streams.length }, () => "ignore" as const), filter];

/** Only we and the watcher hold the pipe: when it is gone on the other side too, so is the watcher. */
async function endWatch(child: ChildProcess): Promise<void> {
  const pipe = watchPipe(child);
  const gone = new Promise<void>((resolve) => {
    if (!(pipe instanceof Duplex) || pipe.closed) return resolve();
    pipe.once("close", resolve).end();
  });
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  const patience = setTimeout(() => pipe?.destroy(), LAST_WORDS_MS);
  await gone;
  clearTimeout(patience);
}

/** Hears what a box tells about the command, until nobody can tell more; what holds on to the streams for too long is not waited for. */
function listenTo(child: ChildProcess): () => Promise<Told> {
  const said = [STATUS_FD, WORDS_FD].map((fd) => {
    const stream = child.stdio?.[fd];
    let text = "";
    const over = new Promise<void>((resolve) => {
      if (!stream) return resolve();
      stream.on("data", (piece: Buffer) => {
        // A few words, or it is not what we want to hear.
        if (text.length < MOST_TOLD) text += piece.toString("latin1");
      });
      stream.once("close", resolve).on("error", () => resolve());
    });
    return { text: () => text, over };
  });
  return async () => {
    let patience: NodeJS.Timeout | undefined;
    const tooLong = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, TOLD_WITHIN_MS);
    });
    await Promise.race([Promise.all(said.map(({ over }) => over)), tooLong]);
    clearTimeout(patience);
    return { status: said[0]?.text() ?? "", words: said[1]?.text() ?? "" };
  };
}

interface Watching {
  readonly stop: Stop;
  readonly asked: AbortSignal;
  readonly reading: Promise<void>;
  readonly use: Use;
  readonly usage: UsageWatch;
  readonly boxed: boolean;
}

/** Waits for the end of the command, and brings it about when time is up, somebody asked for it, or it takes more than it may. */
function watched(
  child: ChildProcess,
  command: MarkedCommand,
  { stop, asked, reading, use, usage, boxed }: Watching,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly early: EndedEarly | undefined }> {
  return new Promise((resolve) => {
    let early: EndedEarly | undefined;
    let lastResort: NodeJS.Timeout | undefined;
    let goAway = (): void => {};
    const end = (why: EndedEarly): void => {
      const { pid } = child;
      if (early || pid === undefined || isOver(child)) return;
      early = why;
      // Who is killed with those that would have waited for them is seen now or never.
      usage.look();
      if (why.kind === "greedy") {
        signalGroup(pid, "SIGKILL");
        return;
      }
      // Asking the box to end would end what is inside without a word.
      if (boxed) askMarked(command.mark, pid);
      else signalGroup(pid, "SIGTERM");
      lastResort = setTimeout(() => {
        usage.look();
        signalGroup(pid, "SIGKILL");
      }, GRACE_MS);
    };
    asked.addEventListener("abort", () => end({ kind: "asked" }), { once: true });
    const timer = setTimeout(() => end({ kind: "timed-out" }), Math.min(command.timeoutMs, LONGEST_TIMER_MS));
    const looking = setInterval(() => {
      const why = use.broken();
      if (why !== undefined) end({ kind: "greedy", why });
    }, LOOK_EVERY_MS);
    const sampling = setInterval(() => usage.sample(), SAMPLE_EVERY_MS);
    const asking = askingMeanwhile(command, usage, () => end({ kind: "told-to" }));
    const settle = (): void => {
      clearTimeout(timer);
      asking.end();
      clearTimeout(lastResort);
      clearInterval(looking);
      clearInterval(sampling);
      goAway();
      resolve({ code: child.exitCode, signal: child.signalCode, early });
    };
    // It may have ended while we were busy with its streams.
    if (isOver(child)) return settle();
    child.once("exit", settle);
    reading.catch(() => end({ kind: "not-kept" }));
    goAway = stop.onAsk(() => end({ kind: "stopped" }));
    if (asked.aborted) end({ kind: "asked" });
  });
}

/** Looks now and then at what it uses, and asks whether it may go on. Who cannot be asked any more says stop: nothing runs on unwatched. */
function askingMeanwhile({ meanwhile }: MarkedCommand, usage: UsageWatch, stop: () => void): { readonly end: () => void } {
  let isAsking = false;
  const timer = setInterval(async () => {
    const used = usage.look();
    if (isAsking || !meanwhile) return;
    isAsking = true;
    const answer = await meanwhile(used).catch(() => "stop" as const);
    isAsking = false;
    if (answer === "stop") stop();
  }, ASK_EVERY_MS);
  return { end: () => clearInterval(timer) };
}

function keepTail(): { add(chunk: Buffer): void; text(): string } {
  let kept = Buffer.alloc(0);
  return {
    add(chunk) {
      const joined = Buffer.concat([kept, chunk.subarray(-TAIL_BYTES)]);
      kept = Buffer.from(joined.subarray(-TAIL_BYTES));
    },
    text: () => kept.toString("utf8"),
  };
}

/** Our end of the watcher's pipe, the fourth of the streams that `start` asked for; a child that could not start has none. */
const watchPipe = (child: ChildProcess): ChildProcess["stdio"][3] => child.stdio?.[3];

const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** What comes over the pipe before the command begins: the watcher's number, and then which limits are in force. */
function hearBeforehand(pipe: ChildProcess["stdio"][3]): { readonly watcher: () => number | undefined; readonly said: () => string } {
  let text = "";
  pipe?.on("data", (piece: Buffer) => {
    text += piece.toString("latin1");
  });
  return { watcher: () => (text.includes("\n") ? Number(text.slice(0, text.indexOf("\n"))) : undefined), said: () => text };
}

function endOf(code: number | null, signal: string | null | undefined): Finished["end"] {
  return code === null || signal ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code };
}

const nameOf = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : (Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? `signal ${number}`);

/** The box was tried before and works; this one could not be made. Whatever that is, it says nothing about the command. */
const boxFailed = (command: MarkedCommand, tail: string): LoopError =>
  new LoopError("box-unusable", `the box for a command in ${command.cwd} could not be made: ${tail.trim().slice(-500) || "no word why"}`, {
    retry: "never",
    hint: "See what `lw doctor` says about the sandbox, and whether the places that the spec opens in `box` are there.",
  });

const interrupted = (run: string): LoopError =>
  new LoopError("interrupted", `stopped while running: ${run.slice(0, 200)}`, { retry: "later", hint: "Go on with `lw resume`." });

const PASSING = new Set(["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"]);

function notStarted(command: MarkedCommand, cause: unknown): LoopError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return new LoopError(
    code === "ENOENT" || code === "ENOTDIR" ? "workspace-lost" : "maker-failed",
    `could not start a shell in ${command.cwd}: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      retry: PASSING.has(code) ? "later" : "never",
      hint: "Check that the folder exists and can be entered, that /bin/sh is there, and that the command is not too long.",
      cause,
    },
  );
}
