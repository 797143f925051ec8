// Runs a command so that nothing of it outlives its end, a time-out, a stop, or our own death.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { LoopError } from "../contract/errors.ts";
import { untrustedText } from "../contract/text.ts";
import type { Finished, MarkedCommand, Proc, Used } from "../contract/world.ts";
import type { ArtifactSink, ArtifactStore } from "./artifacts.ts";
import { openStreams } from "./command-streams.ts";
import { endMarked, MARK_VARIABLE, signalGroup } from "./processes.ts";
import { type UsageWatch, watchUsage } from "./usage-of-processes.ts";

const TAIL_BYTES = 8 * 1024;
/** Between the polite signal and the other one: whatever ends a command, it is over within two seconds. */
const GRACE_MS = 1_500;
const LOOK_MS = 500;
/** How long output is awaited after the end, for a process that hid from us and still holds the pipes. */
const LAST_WORDS_MS = 1_000;
/** Timers take no more than this, and take more for nothing. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * The command runs in a process group of its own. Beside it, in the same group, a watcher waits on a pipe that only we
 * hold: when it closes, because the command is over or because we were killed, the watcher ends the whole group.
 * It is put in the background twice, so that the command never sees a child it did not start.
 */
const UNDER_WATCH = `( ( trap "" TERM INT HUP; exec <&3 3<&- >/dev/null 2>&1; while read -r _; do :; done; kill -KILL 0 ) & )
exec 3<&-
exec /bin/sh -c -- "$1"`;

type EndedEarly = "timed-out" | "stopped" | "not-kept" | "told-to";

export function createProc(artifacts: ArtifactStore, clock: { monotonicMs(): number }, stop: AbortSignal): Proc<MarkedCommand> {
  return {
    async run(command) {
      if (stop.aborted) throw interrupted(command.run);
      const startedMs = clock.monotonicMs();
      const sink = await artifacts.receive();
      try {
        const { end, tail, used } = await runInto(sink, command, stop);
        const output = await sink.keep();
        return { end, tookMs: clock.monotonicMs() - startedMs, used, output, tail: untrustedText(tail) };
      } catch (error) {
        await sink.drop();
        throw error;
      }
    },
  };
}

async function runInto(
  sink: ArtifactSink,
  command: MarkedCommand,
  stop: AbortSignal,
): Promise<Pick<Finished, "end"> & { readonly tail: string; readonly used: Used }> {
  const { input, output, handOver, reading } = await openStreams(command.input ?? "");
  const tail = keepTail();
  const read = reading.toEnd(async (piece) => {
    tail.add(piece);
    await sink.write(piece);
  });
  const usage = watchUsage(command.mark);
  const child = await start(command, [input, output, output, "pipe"]).finally(handOver);

  const { code, signal, early } = await watched(child, { command, usage }, stop, read);

  // Before those who are left are ended: nobody will wait for them.
  const used = usage.look();
  // Ends the watcher, and with it whatever the command left running; then what left the group.
  watchPipe(child)?.destroy();
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  await endMarked(command.mark);
  const patience = setTimeout(reading.letGo, LAST_WORDS_MS);
  await read.finally(() => clearTimeout(patience));
  if (early === "stopped") throw interrupted(command.run);
  return { end: early ? { kind: "timed-out", afterMs: command.timeoutMs } : endOf(code, signal), tail: tail.text(), used };
}

async function start(command: MarkedCommand, stdio: StdioOptions): Promise<ChildProcess> {
  try {
    const env = { ...command.env, [MARK_VARIABLE]: command.mark };
    const child = spawn("/bin/sh", ["-c", UNDER_WATCH, "sh", command.run], { cwd: command.cwd, env, stdio, detached: true });
    watchPipe(child)?.on("error", () => {});
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    return child;
  } catch (cause) {
    throw notStarted(command, cause);
  }
}

/** Waits for the end of the command, and brings it about when time is up, a stop was asked for, or its output cannot be kept. */
function watched(
  child: ChildProcess,
  { command, usage }: { readonly command: MarkedCommand; readonly usage: UsageWatch },
  stop: AbortSignal,
  reading: Promise<void>,
): Promise<{ readonly code: number | null; readonly signal: string | null; readonly early: EndedEarly | undefined }> {
  return new Promise((resolve) => {
    let early: EndedEarly | undefined;
    let lastResort: NodeJS.Timeout | undefined;
    const end = (why: EndedEarly): void => {
      const { pid, exitCode, signalCode } = child;
      if (early || pid === undefined || exitCode !== null || signalCode !== null) return;
      early = why;
      signalGroup(pid, "SIGTERM");
      lastResort = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
    };
    const onStop = (): void => end("stopped");
    const timer = setTimeout(() => end("timed-out"), Math.min(command.timeoutMs, LONGEST_TIMER_MS));
    const looking = lookingAt(command, usage, () => end("told-to"));
    const settle = (): void => {
      clearTimeout(timer);
      looking.end();
      clearTimeout(lastResort);
      stop.removeEventListener("abort", onStop);
      resolve({ code: child.exitCode, signal: child.signalCode, early });
    };
    // It may have ended while we were busy with its streams.
    if (child.exitCode !== null || child.signalCode !== null) return settle();
    child.once("exit", settle);
    reading.catch(() => end("not-kept"));
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) onStop();
  });
}

/** Asks now and then whether it may go on. Who cannot be asked any more says stop: nothing runs on unwatched. */
function lookingAt({ meanwhile }: MarkedCommand, usage: UsageWatch, stop: () => void): { readonly end: () => void } {
  if (!meanwhile) return { end: () => {} };
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking) return;
    isAsking = true;
    const answer = await meanwhile(usage.look()).catch(() => "stop" as const);
    isAsking = false;
    if (answer === "stop") stop();
  }, LOOK_MS);
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

function endOf(code: number | null, signal: string | null): Finished["end"] {
  return code === null ? { kind: "killed", signal: signal ?? "unknown" } : { kind: "exited", code };
}

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
