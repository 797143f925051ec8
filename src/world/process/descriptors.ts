// Descriptors that we were started with and never asked for: what a command inherits of them would be a way out of its box.
import { openSync, readdirSync, readFileSync } from "node:fs";

const CLOSES_ON_EXEC = 0o2000000;
const MOST_COVERED = 65_536;

let covered: { readonly numbers: readonly number[]; readonly nobody: number } | undefined;

/** The same streams, with nothing behind each further descriptor that would be handed on. Ours close by themselves. */
export function withNothingElse<Stream>(streams: readonly Stream[], skip: Stream): readonly (Stream | number)[] {
  covered ??= { numbers: inherited(), nobody: openSync("/dev/null", "r+") };
  const { numbers, nobody } = covered;
  const further = numbers.filter((number) => number >= streams.length || streams[number] === skip);
  const length = Math.max(streams.length, ...further.map((number) => number + 1));
  return Array.from({ length }, (_, number) => (further.includes(number) ? nobody : (streams[number] ?? skip)));
}

function inherited(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((number) => number > 2 && number < MOST_COVERED && isHandedOn(number));
  } catch {
    return []; // no such place: elsewhere than on Linux nobody tells
  }
}

function isHandedOn(number: number): boolean {
  try {
    const [, flags = "0"] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, "latin1")) ?? [];
    return (Number.parseInt(flags, 8) & CLOSES_ON_EXEC) === 0;
  } catch {
    return false; // the one that this folder was read by
  }
}
