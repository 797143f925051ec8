// A run's newest receipt with the keys of this home: everything that a browser needs to verify it by itself.
import type { ReceiptDocument } from "../../contract/api.ts";
import type { RunReceipt, Statement } from "../../contract/receipt.ts";
import { rawKeyOf } from "../../std/ed25519.ts";
import type { House } from "../open-house.ts";
import { mustRead } from "./read-run.ts";

/** Reads what was signed and signs nothing. */
export async function readReceipt(house: Pick<House, "journal" | "signing">, run: string): Promise<ReceiptDocument> {
  const { story } = await mustRead(house, run);
  const record = story.entries.findLast((entry) => entry.record.kind === "receipted")?.record;
  const ring = house.signing.keys.ring();
  const keys = (ring.kind === "whole" ? ring.keys : []).map(({ keyid, pem, since, until }) => ({
    keyid,
    pem,
    raw: rawKeyOf(pem),
    since,
    until: until ?? null,
  }));
  const none = { chain: null, seq: null, hash: null };
  if (record?.kind !== "receipted") return { run, envelope: null, number: null, sha256: null, keys, journal: none };
  const envelope = Buffer.from(await house.signing.receipts.read(record.receipt)).toString("utf8");
  const to = placeIn(envelope);
  const head = await house.journal.head();
  const hash = to === undefined ? undefined : (await house.journal.hashesAt([to])).get(to);
  return {
    run,
    envelope,
    number: record.number,
    sha256: record.receipt.sha256,
    keys,
    journal: { chain: head?.chain ?? null, seq: to ?? null, hash: hash ?? null },
  };
}

/** Which record the receipt names as its last. What it says is for the browser to believe or not. */
function placeIn(envelope: string): number | undefined {
  const { payload } = JSON.parse(envelope) as { readonly payload: string }; // its bytes are those that the record names
  const statement = JSON.parse(Buffer.from(payload, "base64").toString("utf8")) as Statement<RunReceipt>; // the same
  return statement.predicate.journal.to;
}
