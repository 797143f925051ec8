// What a command reads and prints through: a file for its input and one real pipe for all it prints. Node's own pipes are
// sockets, and programs that open /dev/stdin, /dev/stdout or /dev/stderr fail on those.
import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { LoopError } from "../../contract/errors.ts";
import { makeOwnFolder } from "../files/temporary.ts";

/** Pipes are made by a program, so many at a time; what is made has no name any more and nothing of it stays. */
const PIPES_A_CALL = 8;
/** So much may be read and not yet taken; then who prints has to wait. */
const MOST_WAITING = 512 * 1024;

interface CommandStreams {
  /** The child's ends: where it reads from, and where it prints to. */
  readonly input: number | "ignore";
  readonly output: number;
  /** Gives up our hold on the child's ends; without this, reading would never end. */
  readonly handOver: () => Promise<void>;
  readonly reading: Reading;
}

export interface Reading {
  /**
   * Hands over all that is printed, piece by piece, until nobody holds the other end: who prints faster than we take has to wait.
   * `hungUp` is called in the moment when nobody is left, if nothing waits to be taken.
   */
  readonly toEnd: (take: (piece: Buffer) => Promise<void>, hungUp?: () => void) => Promise<void>;
  /** Makes an end of reading, wherever it is. */
  readonly letGo: () => void;
}

export async function openStreams(text: string): Promise<CommandStreams> {
  const { output, handOver, reading } = await openPipe();
  if (text === "") return { input: "ignore", output, handOver, reading };
  try {
    const input = await inFolder((folder) => inputFile(folder, text));
    return { input: input.fd, output, handOver: async () => void (await Promise.all([input.close(), handOver()])), reading };
  } catch (error) {
    reading.letGo();
    await handOver();
    throw error;
  }
}

/** One more pipe to print to, for a command whose standard output must come without what it says beside. */
export async function openPipe(): Promise<Omit<CommandStreams, "input">> {
  const { printed, output } = await takePipe();
  return { output, handOver: async () => closeSync(output), reading: readFrom(printed) };
}

interface Pipe {
  readonly printed: number;
  readonly output: number;
}

const spare: Pipe[] = [];
let making: Promise<void> | undefined;

async function takePipe(): Promise<Pipe> {
  for (;;) {
    const pipe = spare.pop();
    if (pipe) return pipe;
    making ??= inFolder(makePipes).finally(() => {
      making = undefined;
    });
    await making;
  }
}

async function makePipes(folder: string): Promise<void> {
  const paths = Array.from({ length: PIPES_A_CALL }, (_, index) => join(folder, `${index}`));
  await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
  for (const path of paths) {
    // Our end first and without waiting: the other end opens only where somebody reads.
    const printed = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    spare.push({ printed, output: openSync(path, "w") });
  }
}

async function inputFile(folder: string, text: string): ReturnType<typeof open> {
  const file = join(folder, "input");
  await writeFile(file, text, { mode: 0o600 });
  return open(file, "r");
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    folder = await makeOwnFolder("io", tmpdir());
    return await work(folder);
  } catch (cause) {
    throw new LoopError(
      "store-unusable",
      `no pipe could be made in ${tmpdir()}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        retry: "later",
        hint: "Make room or mend the permissions there, then go on with `lw resume`.",
        cause,
      },
    );
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** A socket to Node, a pipe to all others: so what is printed, and the end of it, wakes us. */
function readFrom(printed: number): Reading {
  const socket = new Socket({ fd: printed, readable: true, writable: false });
  socket.pause();
  return {
    toEnd: (take, hungUp = () => {}) =>
      new Promise((resolve, reject) => {
        let taking = Promise.resolve();
        let waiting = 0;
        socket.on("data", (piece: Buffer) => {
          waiting += piece.length;
          if (waiting > MOST_WAITING) socket.pause();
          taking = taking.then(async () => {
            await take(piece);
            waiting -= piece.length;
            if (waiting <= MOST_WAITING) socket.resume();
          });
          taking.catch(() => socket.destroy());
        });
        socket.once("end", hungUp);
        socket.once("error", reject);
        socket.once("close", () => taking.then(resolve, reject));
        if (socket.destroyed) resolve();
        socket.resume();
      }),
    letGo: () => void socket.destroy(),
  };
}
