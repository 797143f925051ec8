// Runs a command so that nothing of it outlives its end, a time-out, a stop, or our own death.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { LoopError } from "../contract/errors.ts";
import { untrustedText } from "../contract/text.ts";
import type { Dialogue, Finished, MarkedCommand, Proc } from "../contract/world.ts";
import { createLineReader } from "../std/lines.ts";
import type { ArtifactSink, ArtifactStore } from "./artifacts.ts";
import { openPipe, openStreams, type Reading } from "./command-streams.ts";
import { endMarked, MARK_VARIABLE, signalGroup } from "./processes.ts";

const TAIL_BYTES = 8 * 1024;
const GRACE_MS = 2_000;
/** How long output is awaited after the end, for a process that hid from us and still holds the pipes. */
const LAST_WORDS_MS = 1_000;
/** What is heard of one line; agents put whole files into theirs. */
const MOST_LINE = 1024 * 1024;
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

type EndedEarly = "timed-out" | "stopped" | "not-kept" | "asked";

export function createProc(artifacts: ArtifactStore, clock: { monotonicMs(): number }, stop: AbortSignal): Proc<MarkedCommand> {
  return {
    async run(command, dialogue) {
      if (stop.aborted) throw interrupted(command.run);
      const startedMs = clock.monotonicMs();
      const sink = await artifacts.receive();
      try {
        const { end, tail } = await runInto(sink, command, stop, dialogue);
        const output = await sink.keep();
        return { end, tookMs: clock.monotonicMs() - startedMs, output, tail: untrustedText(tail) };
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
  dialogue: Dialogue | undefined,
): Promise<Pick<Finished, "end"> & { readonly tail: string }> {
  const { input, output, handOver, reading } = await openStreams(command.input ?? "");
  // What a program says on the side must not tear the lines that are listened to.
  const aside = dialogue && (await openPipe());
  const tail = keepTail();
  let kept: Promise<void> = Promise.resolve();
  const keep = (piece: Buffer): Promise<void> => {
    tail.add(piece);
    kept = kept.then(() => sink.write(piece));
    return kept;
  };
  const read = Promise.all([listenTo(reading, keep, dialogue), aside?.reading.toEnd(keep)]).then(() => {});
  const isSpokenTo = dialogue !== undefined && command.input === undefined;
  const child = await start(command, [isSpokenTo ? "pipe" : input, output, aside?.output ?? output, "pipe"]).finally(() =>
    Promise.all([handOver(), aside?.handOver()]),
  );
  const asked = new AbortController();
  if (dialogue?.begun) speakTo(child, dialogue.begun, asked);

  const { code, signal, early } = await watched(child, command, { stop, asked: asked.signal }, read);

  // Ends the watcher, and with it whatever the command left running; then what left the group.
  watchPipe(child)?.destroy();
  if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  await endMarked(command.mark);
  const patience = setTimeout(() => {
    reading.letGo();
    aside?.reading.letGo();
  }, LAST_WORDS_MS);
  await read.finally(() => clearTimeout(patience));
  if (early === "stopped") throw interrupted(command.run);
  const isCut = early !== undefined && early !== "asked";
  return { end: isCut ? { kind: "timed-out", afterMs: command.timeoutMs } : endOf(code, signal), tail: tail.text() };
}

/** Keeps all that is printed, and lets the part hear it line by line. */
async function listenTo(reading: Reading, keep: (piece: Buffer) => Promise<void>, dialogue: Dialogue | undefined): Promise<void> {
  if (!dialogue) return reading.toEnd(keep);
  const lines = createLineReader(MOST_LINE);
  await reading.toEnd(async (piece) => {
    await keep(piece);
    for (const line of lines.add(piece)) await dialogue.heard(untrustedText(line));
  });
  for (const line of lines.end()) await dialogue.heard(untrustedText(line));
}

function speakTo(child: ChildProcess, begun: NonNullable<Dialogue["begun"]>, asked: AbortController): void {
  // It may end before it has read all; how it ended says more than that.
  child.stdin?.on("error", () => {});
  begun({ say: (text) => void child.stdin?.write(text), hangUp: () => void child.stdin?.end(), end: () => asked.abort() });
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

/** Waits for the end of the command, and brings it about when time is up, somebody asked for it, or its output cannot be kept. */
function watched(
  child: ChildProcess,
  command: MarkedCommand,
  { stop, asked }: { readonly stop: AbortSignal; readonly asked: AbortSignal },
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
    asked.addEventListener("abort", () => end("asked"), { once: true });
    const timer = setTimeout(() => end("timed-out"), Math.min(command.timeoutMs, LONGEST_TIMER_MS));
    const settle = (): void => {
      clearTimeout(timer);
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
    if (asked.aborted) end("asked");
  });
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
