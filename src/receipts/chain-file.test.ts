import { expect, it } from "vitest";
import { entryHash, entryLine, GENESIS } from "../std/chain.ts";
import { newPrivateKey, readPrivateKey, type Signer } from "../std/ed25519.ts";
import { readChainFile } from "./chain-file.ts";
import { signCheckpoint } from "./checkpoint.ts";

const newSigner = (): Signer => readPrivateKey(newPrivateKey())!;
const [ada, bob] = [newSigner(), newSigner()];

interface Line {
  readonly text: string;
  readonly hash: string;
}

function chainOf(bodies: readonly string[], loop = "fix"): readonly Line[] {
  const lines: Line[] = [];
  for (const [index, body] of bodies.entries()) {
    const entry = { seq: index + 1, at: "2026-01-02T03:04:05.678Z", loop, run: "fix-1-abcde", prev: lines.at(-1)?.hash ?? GENESIS };
    const hash = entryHash(entry, body);
    lines.push({ hash, text: entryLine({ ...entry, hash }, body) });
  }
  return lines;
}

const endOf = (lines: readonly Line[], signer = ada): string =>
  signCheckpoint(
    { chain: lines[0]!.hash, seq: lines.length, hash: lines.at(-1)!.hash, at: "2026-01-02T03:04:06.000Z", after: null },
    signer,
  );

const lines = chainOf(['{"kind":"one"}', '{"kind":"two","text":"\\"seq\\":7,\\"v\\":1}"}', '{"kind":"three"}']);
const whole = lines.map(({ text }) => text).join("") + endOf(lines);
const inPieces = async function* (text: string | Buffer, size = 7) {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};
const read = (text: string, keys = [ada]) => readChainFile(inPieces(text), keys);

it("finds a chain whole that ends in a checkpoint signed by a known key, and shows each record", async () => {
  const seen: string[] = [];
  const found = await readChainFile(inPieces(whole), [ada], (line) => seen.push(JSON.parse(line).record.kind));

  expect(found).toMatchObject({ kind: "whole", entries: 3, by: [ada.keyid] });
  expect(seen).toEqual(["one", "two", "three"]);
});

it("does not call a chain whole that an unknown key has signed", async () => {
  expect(await read(whole, [bob])).toEqual({ kind: "foreign", entries: 3, keyids: [ada.keyid] });
});

it("reads names with quotes and letters of all kinds", async () => {
  const odd = chainOf(['{"kind":"one"}'], 'a"\\{}é😀","prev":"');

  expect(await read(odd[0]!.text + endOf(odd))).toMatchObject({ kind: "whole", entries: 1 });
});

it.each([
  ["a record that was left out", lines[0]!.text + lines[2]!.text + endOf(lines), 2],
  ["records in another order", lines[1]!.text + lines[0]!.text + lines[2]!.text + endOf(lines), 1],
  ["a record twice", lines[0]!.text + lines[0]!.text + lines[1]!.text + lines[2]!.text + endOf(lines), 2],
  ["an end that was cut off", lines[0]!.text + lines[1]!.text, 3],
  ["an end that was cut off before an old checkpoint", lines[0]!.text + lines[1]!.text + endOf(lines), 3],
  ["a checkpoint of fewer records than there are", lines.map(({ text }) => text).join("") + endOf(lines.slice(0, 2)), 4],
  ["more after the signed end", `${whole}\n`, 4],
  ["a second signed end", whole + endOf(lines), 4],
  ["a last line without its end", whole.trimEnd(), 4],
  ["a changed record", whole.replace('"kind":"two"', '"kind":"tvo"'), 2],
  ["another line end", whole.replace("\n", "\r\n"), 1],
  ["nothing", "", 1],
  ["only an end", endOf(lines), 1],
])("names the first bad record: %s", async (_, text, at) => {
  expect(await read(text)).toMatchObject({ kind: "broken", at });
});

it("does not believe a chain that somebody made anew, with the signed end of the true one", async () => {
  const forged = chainOf(['{"kind":"one"}', '{"kind":"forged"}', '{"kind":"three"}']);

  expect(await read(forged.map(({ text }) => text).join("") + endOf(lines))).toMatchObject({ kind: "broken" });
});

it("sees a change of any byte, and of any bit in it", async () => {
  const survivors: number[] = [];
  const bytes = Buffer.from(whole);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const edited = Buffer.from(bytes);
    edited[bit >> 3] = edited[bit >> 3]! ^ (1 << (bit & 7));
    if ((await readChainFile(inPieces(edited, bytes.length), [ada])).kind === "whole") survivors.push(bit);
  }

  expect(survivors).toEqual([]);
});
