import fc from "fast-check";
import { expect, it } from "vitest";
import type { ReceiptDocument } from "../../src/contract/api.ts";
import { makeStatement, signStatement } from "../../src/receipts/dsse.ts";
import { newPrivateKey, readPrivateKey } from "../../src/std/ed25519.ts";
import { canonicalJson } from "../../src/std/hash.ts";
import { canonical } from "./canonical.ts";
import { verifyReceipt } from "./verify.ts";

const signer = readPrivateKey(newPrivateKey())!;
const journal = { chain: "c".repeat(64), from: 3, to: 9, records: 7, head: "d".repeat(64) };
const envelope = signStatement(makeStatement([], "urn:loopwright:receipt:v1", { run: "fix-1", loop: "fix", journal }), [signer]);
const document: ReceiptDocument = {
  run: "fix-1",
  envelope,
  number: 1,
  sha256: "a".repeat(64),
  keys: [{ keyid: signer.keyid, pem: signer.pem, raw: "", since: "2026-11-17T06:00:00Z", until: null }],
  journal: { chain: journal.chain, seq: journal.to, hash: journal.head },
};
const { subtle } = globalThis.crypto;
const told = async (changed: Partial<ReceiptDocument>, by: SubtleCrypto | undefined = subtle) => {
  const checked = await verifyReceipt({ ...document, ...changed }, by);
  return [checked?.kind, ...(checked?.checks.map(({ mark, says }) => `${mark}: ${says}`) ?? [])];
};

it("takes a receipt for genuine that the home's key signed, and says that it looked at no commit", async () => {
  expect(await told({})).toEqual(["genuine", "holds: Signature holds", "holds: Journal has its records", "unknown: Commit not checked"]);
});

it("refuses a receipt of which one character is another", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: envelope.length - 1 }), async (at) => {
      const other = `${envelope.slice(0, at)}${envelope.charAt(at) === "A" ? "B" : "A"}${envelope.slice(at + 1)}`;
      expect((await told({ envelope: other }))[0]).not.toBe("genuine");
    }),
    { numRuns: 60 },
  );
});

it("does not call it genuine where the key is not known, has another name, or nobody can check", async () => {
  const other = readPrivateKey(newPrivateKey())!;
  expect((await told({ keys: [] }))[1]).toBe("unknown: Signature not checked");
  expect((await told({ keys: [{ ...document.keys[0]!, pem: other.pem }] }))[1]).toBe("refuted: The key is not the one it is named by");
  expect((await verifyReceipt(document, undefined))?.kind).toBe("not-checked");
});

it("says when the journal has something else in that place", async () => {
  expect((await told({ journal: { ...document.journal, hash: "e".repeat(64) } }))[2]).toBe("refuted: The journal says something else");
  expect((await told({ journal: { ...document.journal, chain: "e".repeat(64) } }))[2]).toBe("refuted: It is of another journal");
  expect((await told({ journal: { chain: null, seq: null, hash: null } }))[2]).toBe("unknown: Journal not compared");
});

it("tells nothing of a run that has none", async () => {
  expect(await verifyReceipt({ ...document, envelope: null }, subtle)).toBeNull();
});

it("writes JSON as the signer does", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(canonical(value)).toBe(canonicalJson(value));
    }),
  );
});
