import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readRing, sealRotation } from "../../receipts/key-ring.ts";
import { isSignedBy } from "../../std/ed25519.ts";
import { createLocks } from "./locks.ts";
import { createSigningKeys } from "./signing-keys.ts";

const AT = "2026-01-02T03:04:05.678Z";
let home: string;
const keysOf = (folder = home) => createSigningKeys(folder, { read: readRing, add: sealRotation }, createLocks(folder));
const modeOf = (path: string): number => statSync(path).mode & 0o777;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "lw-keys-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it("makes a key on first use, where only its owner may read it, and takes the same one afterwards", () => {
  expect(keysOf().ring()).toEqual({ kind: "whole", keys: [] });

  const signer = keysOf().signer(AT);
  const again = keysOf().signer(AT);

  expect(again.keyid).toBe(signer.keyid);
  expect(isSignedBy(again, Buffer.from("x"), signer.sign(Buffer.from("x")))).toBe(true);
  expect(modeOf(join(home, "keys"))).toBe(0o700);
  expect(modeOf(join(home, "keys", `${signer.keyid}.pem`))).toBe(0o600);
});

it("lets another key sign after it was changed, and keeps no private half of the old one", async () => {
  const old = keysOf().signer(AT);

  const { from, to } = await keysOf().rotate("2026-02-02T03:04:05.678Z");

  expect(from).toBe(old.keyid);
  expect(keysOf().signer(AT).keyid).toBe(to);
  expect(keysOf().ring()).toMatchObject({ kind: "whole", keys: [{ keyid: from, until: "2026-02-02T03:04:05.678Z" }, { keyid: to }] });
  expect(readdirSync(join(home, "keys")).filter((name) => name.endsWith(".pem"))).toEqual([`${to}.pem`]);
});

it("signs nothing with a key that others may read", () => {
  const { keyid } = keysOf().signer(AT);
  chmodSync(join(home, "keys", `${keyid}.pem`), 0o640);

  expect(() => keysOf().signer(AT)).toThrow(/may be read by others/);
});

it.each([
  ["is gone", (path: string) => rmSync(path)],
  ["is another one", (path: string) => writeFileSync(path, readFileSync(otherKey()))],
  ["is no key", (path: string) => writeFileSync(path, "nonsense")],
  [
    "is a link",
    (path: string) => {
      rmSync(path);
      symlinkSync(otherKey(), path);
    },
  ],
])("signs nothing, and makes no new key, when the private half %s", (_, spoil) => {
  const { keyid } = keysOf().signer(AT);
  const ring = readFileSync(join(home, "keys", "ring.jsonl"), "utf8");
  spoil(join(home, "keys", `${keyid}.pem`));

  expect(() => keysOf().signer(AT)).toThrow(/the signing key cannot be used/);
  expect(readFileSync(join(home, "keys", "ring.jsonl"), "utf8")).toBe(ring);
});

it("signs nothing while the ring is not what was written", () => {
  keysOf().signer(AT);
  const path = join(home, "keys", "ring.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("payload", "paylord"));

  expect(() => keysOf().signer(AT)).toThrow(/ring\.jsonl: line 1/);
  expect(keysOf().ring()).toMatchObject({ kind: "broken", line: 1 });
});

function otherKey(): string {
  const folder = join(home, "other");
  const { keyid } = keysOf(folder).signer(AT);
  return join(folder, "keys", `${keyid}.pem`);
}
