import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import { type Envelope, PAYLOAD_TYPE, STATEMENT_TYPE } from "../contract/receipt.ts";
import { newPrivateKey, readPrivateKey, type Signer } from "../std/ed25519.ts";
import { canonicalJson } from "../std/hash.ts";
import { makeStatement, openEnvelope, signStatement } from "./dsse.ts";

const newSigner = (): Signer => readPrivateKey(newPrivateKey())!;
const [ada, bob] = [newSigner(), newSigner()];
const statement = makeStatement([{ name: "commit", digest: { gitCommit: "a".repeat(40) } }], "urn:test", { says: "héllo", n: 1 });
const sealed = signStatement(statement, [ada]);
const rewrite = (change: (envelope: Envelope) => unknown): string => `${canonicalJson(change(JSON.parse(sealed) as Envelope))}\n`;

it("opens what was sealed, for whoever has the key", () => {
  expect(openEnvelope(sealed, [bob, ada])).toEqual({ kind: "signed", statement, by: [ada.keyid] });
});

it("signs as DSSE says, so that any other tool can check it", () => {
  const { payload, payloadType, signatures } = JSON.parse(sealed) as Envelope;
  const bytes = Buffer.from(payload, "base64");
  const signed = Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${bytes.length} `), bytes]);

  expect(payloadType).toBe(PAYLOAD_TYPE);
  expect(JSON.parse(bytes.toString("utf8"))).toMatchObject({ _type: STATEMENT_TYPE, predicateType: "urn:test" });
  expect(verify(null, signed, createPublicKey(ada.pem), Buffer.from(signatures[0]!.sig, "base64"))).toBe(true);
});

it("calls what is signed by an unknown key foreign, and never signed", () => {
  expect(openEnvelope(sealed, [bob])).toEqual({ kind: "foreign", keyids: [ada.keyid], claims: statement });
  expect(openEnvelope(sealed, [])).toMatchObject({ kind: "foreign" });
});

it("wants every signature to be by a known key", () => {
  const both = signStatement(statement, [ada, bob]);

  expect(openEnvelope(both, [ada])).toMatchObject({ kind: "foreign" });
  expect(openEnvelope(both, [ada, bob])).toMatchObject({ kind: "signed", by: [ada.keyid, bob.keyid] });
});

describe("refuses", () => {
  const other = JSON.parse(signStatement(makeStatement([], "urn:test", { says: "other" }), [ada])) as Envelope;
  it.each([
    ["nothing at all", ""],
    ["what is no JSON", "{"],
    ["a list", "[]\n"],
    ["an envelope without signatures", rewrite((envelope) => ({ ...envelope, signatures: [] }))],
    ["another payload under the same signature", rewrite((envelope) => ({ ...envelope, payload: other.payload }))],
    ["another signature over the same payload", rewrite((envelope) => ({ ...envelope, signatures: other.signatures }))],
    [
      "a signature under another key's name",
      rewrite(({ signatures, ...rest }) => ({ ...rest, signatures: [{ ...signatures[0], keyid: bob.keyid }] })),
    ],
    ["the same signature twice", rewrite(({ signatures, ...rest }) => ({ ...rest, signatures: [...signatures, ...signatures] }))],
    ["another type of payload", rewrite((envelope) => ({ ...envelope, payloadType: "text/plain" }))],
    ["a field too many", rewrite((envelope) => ({ ...envelope, more: 1 }))],
    ["spaces where there were none", ` ${sealed}`],
    ["a line end too many", `${sealed}\n`],
    ["no line end", sealed.trimEnd()],
    ["keys in another order", `${JSON.stringify({ signatures: [], payloadType: PAYLOAD_TYPE, payload: "" })}\n`],
    ["base64 that could be written otherwise", rewrite((envelope) => ({ ...envelope, payload: `${envelope.payload} ` }))],
    ["a million brackets", "[".repeat(1_000_000)],
    [
      "a million brackets in the payload",
      rewrite((envelope) => ({ ...envelope, payload: Buffer.from("[".repeat(1_000_000)).toString("base64") })),
    ],
  ])("%s", (_, text) => {
    expect(openEnvelope(text, [ada, bob]).kind).toBe("refused");
  });

  it("a payload that is no statement, although it is signed", () => {
    const text = signStatement({ ...statement, _type: "other" as typeof STATEMENT_TYPE }, [ada]);

    expect(openEnvelope(text, [ada])).toMatchObject({ kind: "refused" });
  });

  it("every change of a single byte", () => {
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const bytes = Buffer.from(sealed);
        bytes[at] = bytes[at]! ^ by;

        expect(openEnvelope(bytes.toString("utf8"), [ada, bob]).kind).not.toBe("signed");
      }),
      tries(1_000),
    );
  });

  it("any text at all, without ever throwing", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(openEnvelope(text, [ada]).kind).toBe("refused");
      }),
    );
  });
});
