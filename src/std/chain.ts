// How records are chained: each entry's hash covers its content and the hash before it. Whoever has the lines can check it.
import { sha256 } from "./hash.ts";

export const GENESIS = "0".repeat(64);

interface Unsealed {
  readonly seq: number;
  readonly at: string;
  readonly loop: string;
  readonly run: string;
  readonly prev: string;
}

/** The canonical JSON of the whole entry, put together from the record's own canonical text so that it is made only once. */
export const entryHash = (entry: Unsealed, body: string): string => sha256(written(entry, "", body));

/** An entry as one line of an exported chain: the same text with its hash in its place. */
export const entryLine = (entry: Unsealed & { readonly hash: string }, body: string): string =>
  `${written(entry, `"hash":"${entry.hash}",`, body)}\n`;

const written = ({ at, loop, prev, run, seq }: Unsealed, hash: string, body: string): string =>
  `{"at":${JSON.stringify(at)},${hash}"loop":${JSON.stringify(loop)},"prev":${JSON.stringify(prev)},"record":${body},"run":${JSON.stringify(run)},"seq":${seq},"v":1}`;
