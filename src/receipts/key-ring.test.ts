import { expect, it } from "vitest";
import { newPrivateKey, readPrivateKey, readPublicKeys, type Signer } from "../std/ed25519.ts";
import { readRing, sealRotation } from "./key-ring.ts";

const newSigner = (): Signer => readPrivateKey(newPrivateKey())!;
const [first, second, third, stranger] = [newSigner(), newSigner(), newSigner(), newSigner()];
const lines = [
  sealRotation(undefined, first, "2026-01-01T00:00:00.000Z"),
  sealRotation(first, second, "2026-02-01T00:00:00.000Z"),
  sealRotation(second, third, "2026-03-01T00:00:00.000Z"),
];

it("names every key from the first to the one in use, with when each was in use", () => {
  const ring = readRing(lines.join(""));

  expect(ring).toMatchObject({
    kind: "whole",
    keys: [
      { keyid: first.keyid, since: "2026-01-01T00:00:00.000Z", until: "2026-02-01T00:00:00.000Z" },
      { keyid: second.keyid, until: "2026-03-01T00:00:00.000Z" },
      { keyid: third.keyid },
    ],
  });
});

it.each([
  ["a key that the one before it did not sign in", [lines[0], sealRotation(stranger, second, "2026-02-01T00:00:00.000Z")], 2],
  ["a second beginning", [lines[0], sealRotation(undefined, second, "2026-02-01T00:00:00.000Z")], 2],
  ["a key that was left out", [lines[0], lines[2]], 2],
  ["keys in another order", [lines[1], lines[0], lines[2]], 1],
  ["no beginning", [lines[1]], 1],
  ["a torn last line", [lines[0], lines[1]!.slice(0, -1)], 1],
  ["an empty line", [lines[0], "\n"], 2],
  ["nothing", [], 1],
])("does not believe %s", (_, parts, line) => {
  expect(readRing(parts.join(""))).toMatchObject({ kind: "broken", line });
});

it("reads several public keys from one text, and nothing that is mixed with something else", () => {
  expect(readPublicKeys(first.pem + second.pem)?.map(({ keyid }) => keyid)).toEqual([first.keyid, second.keyid]);
  expect(readPublicKeys(`${first.pem}\nand more`)).toBeUndefined();
  expect(readPublicKeys("")).toBeUndefined();
  expect(readPublicKeys(newPrivateKey())).toBeUndefined();
});
