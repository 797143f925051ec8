// Starts this program once more, so that nothing of it outlives us, however we end and whatever it does.
import { spawn } from "node:child_process";
import { Duplex, Readable } from "node:stream";
import type { Around } from "../../contract/around.ts";
import type { Child, Children } from "../../contract/children.ts";
import { LoopError } from "../../contract/errors.ts";
import { hearLines } from "./hear-lines.ts";
import { signalGroup } from "./processes.ts";

const TAIL_BYTES = 8 * 1024;
const HEAD_BYTES = 64 * 1024;
/** How long its last words are awaited after its end, where somebody it started still holds the pipe. */
const LAST_WORDS_MS = 1_000;

/**
 * It has a process group of its own, and in it a watcher that waits on a pipe which only we hold: when that closes, because we are gone,
 * the watcher ends the group, also where the child hangs and would hear nothing. What the child itself started has such watchers too.
 */
const TETHERED = `( ( trap "" TERM INT HUP; exec <&3 3<&- 4>&- >/dev/null 2>&1; while read -r _; do :; done; kill -KILL 0 ) & )
exec 3<&-
exec "$@"`;

export function createChildren({ program, env }: Pick<Around, "program" | "env">): Children {
  const [interpreter = "", ...file] = program;
  return {
    async start({ args, cwd, memoryMb, hear, input, keepBytes = HEAD_BYTES }) {
      const words = [interpreter, `--max-old-space-size=${memoryMb}`, ...file, ...args];
      const child = spawn("/bin/sh", ["-c", TETHERED, "sh", ...words], {
        cwd,
        env: { ...env },
        stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe", "pipe"],
        detached: true,
      });
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
      const tether = child.stdio[3];
      tether?.on("error", () => {});
      let said = Buffer.alloc(0);
      let printed = Buffer.alloc(0);
      child.stdout?.on("data", (piece: Buffer) => {
        if (printed.length < keepBytes) printed = Buffer.concat([printed, piece]).subarray(0, keepBytes);
      });
      child.stderr?.on("data", (piece: Buffer) => {
        said = Buffer.from(Buffer.concat([said, piece]).subarray(-TAIL_BYTES));
      });
      const told = child.stdio[4];
      const hearing = told instanceof Readable ? hearLines(told, hear) : undefined;
      const { pid } = child;
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      await new Promise<void>((resolve, reject) => {
        child.once("spawn", resolve).once("error", (cause) => reject(notStarted(cause)));
      });
      child.on("error", () => {});
      if (pid === undefined) throw notStarted(new Error("it has no number"));
      const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
      const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
      return {
        pid,
        ended: ended.then(async () => {
          if (tether instanceof Duplex) tether.end();
          signalGroup(pid, "SIGKILL");
          hearing?.finish();
          const patience = setTimeout(() => {
            child.stdout?.destroy();
            child.stderr?.destroy();
            hearing?.end();
          }, LAST_WORDS_MS);
          await closed;
          clearTimeout(patience);
          if (tether instanceof Duplex) tether.destroy();
          return { code: child.exitCode, signal: child.signalCode, printed: printed.toString("utf8"), said: said.toString("utf8") };
        }),
        ask: () => {
          if (!hasEnded()) child.kill("SIGTERM");
        },
        end: () => {
          if (!hasEnded()) signalGroup(pid, "SIGKILL");
        },
      } satisfies Child;
    },
  };
}

const notStarted = (cause: Error): LoopError =>
  new LoopError("store-unusable", `a process for the run could not be started: ${cause.message}`, {
    retry: "later",
    hint: "The machine may have no room for another process; look at its limits with `ulimit -a`.",
    cause,
  });
