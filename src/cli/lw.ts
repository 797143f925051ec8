#!/usr/bin/env node
// The front door: hands the process that it is to the command line, and leaves with its exit code.
import { readFileSync } from "node:fs";
import { openLogin } from "../app/open-login.ts";
import type { StandardInput } from "../contract/around.ts";
import { EXIT } from "../contract/exit.ts";
import type { CliAround, Io } from "./call.ts";
import { runCli } from "./run-cli.ts";

const { argv, env, execPath, platform, stderr, stdout } = process;
const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
const around: CliAround = { env, platform, program: [execPath, ...argv.slice(1, 2)], version, onSignal, onHangUp, loginName: openLogin };

// Whatever nobody caught is a bug, and never a verdict: no exit code of a run may be taken for it.
process.on("uncaughtException", (error) => {
  stderr.write(`lw: a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`, () =>
    process.exit(EXIT.bug.code),
  );
});

runCli(argv.slice(2), createIo(), around).then((code) => {
  process.exitCode = code;
});

/** Colour only where a person looks: NO_COLOR, CI, pipes and dumb terminals get plain text. */
function createIo(): Io {
  const { NO_COLOR, FORCE_COLOR, CI, TERM } = env;
  const plain = (NO_COLOR !== undefined && NO_COLOR !== "") || TERM === "dumb";
  const colored = (stream: NodeJS.WriteStream): boolean =>
    !plain && (FORCE_COLOR !== undefined && FORCE_COLOR !== "0" ? true : stream.isTTY === true && CI === undefined);
  // Nothing of it is opened before somebody reads.
  const input: StandardInput = { isTyped: () => process.stdin.isTTY === true, chunks: () => process.stdin };
  // A reader that has seen enough closes the pipe; that is no failure of ours.
  for (const stream of [stdout, stderr]) stream.on("error", (error: NodeJS.ErrnoException) => error.code !== "EPIPE" && process.abort());
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    flushed: async () => {
      if (stdout.writableNeedDrain) await new Promise<void>((taken) => stdout.once("drain", taken).once("close", taken));
    },
    input,
    cwd: process.cwd(),
    outIsTerminal: stdout.isTTY === true,
    outColor: colored(stdout),
    errColor: colored(stderr),
    isLive: stderr.isTTY === true && CI === undefined && TERM !== "dumb",
    columns: stderr.columns ?? 80,
  };
}

/** Who has another use for a hang-up than to stop. */
let hungUp: (() => void) | undefined;

function onHangUp(listener: () => void): () => void {
  hungUp = listener;
  return () => {
    hungUp = undefined;
  };
}

/** The first signal asks politely; the second gives up waiting. */
function onSignal(listener: () => void): () => void {
  let asked = 0;
  const heard = (signal: string): void => {
    const isHangUp = signal === "SIGHUP" && hungUp !== undefined;
    if (isHangUp) hungUp?.();
    if (isHangUp) return;
    asked++;
    if (asked > 1) process.exit(75);
    listener();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, heard);
  return () => {
    for (const signal of signals) process.removeListener(signal, heard);
  };
}
