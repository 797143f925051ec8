// Reads the bytes of many objects from the store with few questions.
import type { Repository } from "./open-repository.ts";

/** No object larger than this is read, nor more at once. */
export const MOST_BYTES_AT_ONCE = 16 * 1024 * 1024;

export interface WantedObject {
  readonly id: string;
  readonly bytes: number;
}

interface ObjectRead {
  readonly id: string;
  readonly type: string;
  readonly content: Buffer;
}

/** What could be read; objects larger than the limit are passed over. */
export async function readObjects(repository: Pick<Repository, "ask">, wanted: readonly WantedObject[]): Promise<readonly ObjectRead[]> {
  const read: ObjectRead[] = [];
  for (const some of inPortions(wanted.filter(({ bytes }) => bytes <= MOST_BYTES_AT_ONCE))) {
    const { stdout } = await repository.ask(["cat-file", "--batch"], some.map(({ id }) => `${id}\n`).join(""));
    read.push(...readBatch(stdout));
  }
  return read;
}

function inPortions(wanted: readonly WantedObject[]): readonly (readonly WantedObject[])[] {
  const portions: WantedObject[][] = [];
  let room = 0;
  for (const object of wanted) {
    if (object.bytes > room || portions.length === 0) {
      portions.push([]);
      room = MOST_BYTES_AT_ONCE;
    }
    portions.at(-1)!.push(object);
    room -= object.bytes;
  }
  return portions;
}

/** Reads `id type size LF content LF`, over and over. What does not fit that form ends the reading: the rest counts as not read. */
export function readBatch(answer: Buffer): readonly ObjectRead[] {
  const objects: ObjectRead[] = [];
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(0x0a, at);
    if (end < 0) return objects;
    const [id, type, size] = answer.toString("latin1", at, end).split(" ");
    at = end + 1;
    if (id === undefined || type === undefined || size === undefined) continue;
    const last = at + Number(size);
    if (answer[last] !== 0x0a) return objects;
    objects.push({ id, type, content: answer.subarray(at, last) });
    at = last + 1;
  }
  return objects;
}
