// What a command reads and prints through: a file for its input and one real pipe for all it prints. Node's own pipes are
// sockets, and programs that open /dev/stdin, /dev/stdout or /dev/stderr fail on those.
import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { type FileHandle, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { LoopError } from "../../contract/errors.ts";

const MOST_AT_ONCE = 64 * 1024;
/** An empty pipe is asked again at once so many times, then with a rest in between. */
const BRISK_ASKS = 50;
const REST_MS = 20;

interface CommandStreams {
  /** The child's ends: where it reads from, and where it prints to. */
  readonly input: number;
  readonly output: number;
  /** Gives up our hold on the child's ends; without this, reading would never end. */
  readonly handOver: () => Promise<void>;
  readonly reading: Reading;
}

export interface Reading {
  /** Hands over all that is printed, piece by piece, until nobody holds the other end: who prints faster than we take has to wait. */
  readonly toEnd: (take: (piece: Buffer) => Promise<void>) => Promise<void>;
  /** Makes an end of reading, wherever it is. */
  readonly letGo: () => void;
}

export const openStreams = (input: string): Promise<CommandStreams> => orSayWhy((folder) => openIn(folder, input));

/** One more pipe to print to, for a command whose standard output must come without what it says beside. */
export const openPipe = (): Promise<Omit<CommandStreams, "input">> =>
  orSayWhy(async (folder) => {
    const { printed, output } = await pipeIn(folder);
    return { output: output.fd, handOver: () => output.close(), reading: readFrom(printed) };
  });

async function orSayWhy<T>(work: (folder: string) => Promise<T>): Promise<T> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), "lw-io-"));
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

async function openIn(folder: string, text: string): Promise<CommandStreams> {
  const file = join(folder, "input");
  await writeFile(file, text, { mode: 0o600 });
  const { printed, output } = await pipeIn(folder);
  const input = await open(file, "r");
  return {
    input: input.fd,
    output: output.fd,
    handOver: async () => void (await Promise.all([input.close(), output.close()])),
    reading: readFrom(printed),
  };
}

async function pipeIn(folder: string): Promise<{ readonly printed: FileHandle; readonly output: FileHandle }> {
  const pipe = join(folder, "pipe");
  await promisify(execFile)("mkfifo", ["-m", "600", pipe]);
  // Our end first and without waiting: the other end opens only where somebody reads.
  const printed = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  return { printed, output: await open(pipe, "w") };
}

/** Node can wait on sockets only, and waiting in a read would hold one of its few threads, so an empty pipe is asked again and again. */
function readFrom(printed: FileHandle): Reading {
  let hasLetGo = false;
  const buffer = Buffer.alloc(MOST_AT_ONCE);
  return {
    async toEnd(take) {
      try {
        for (let asks = 0; !hasLetGo; asks++) {
          const bytes = await readSome(printed, buffer);
          if (bytes === 0) return;
          if (bytes !== undefined) await take(Buffer.from(buffer.subarray(0, bytes)));
          if (bytes !== undefined) asks = 0;
          await (asks < BRISK_ASKS ? setImmediate() : setTimeout(REST_MS));
        }
      } finally {
        await printed.close();
      }
    },
    letGo: () => {
      hasLetGo = true;
    },
  };
}

/** How much was there: zero is the end, undefined is nothing yet. */
const readSome = (printed: FileHandle, buffer: Buffer): Promise<number | undefined> =>
  printed.read(buffer, 0, MOST_AT_ONCE, null).then(
    ({ bytesRead }) => bytesRead,
    (error: NodeJS.ErrnoException) => (error.code === "EAGAIN" ? undefined : Promise.reject(error)),
  );
