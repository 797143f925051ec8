// Signs with a key that lives for one signature: Fulcio certifies it for the CI job's identity, Rekor writes the signature down.
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from "node:crypto";
import type { Environment } from "../../contract/clock.ts";
import type { Http } from "../../contract/net.ts";
import type { BundleSigning, Signable, SigstorePlaces } from "../../contract/signing.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Fields, fieldsOf, readRecord, textIn } from "../../std/json-record.ts";

const TIMEOUT_MS = 30_000;

/** Never throws: what could not be signed is unsigned, and says why. Nothing of the token is in what it says. */
export async function signBundle(
  signable: Signable,
  { fulcioUrl, rekorUrl }: SigstorePlaces,
  { http, env }: { readonly http: Http; readonly env: Environment },
): Promise<BundleSigning> {
  try {
    const token = await identityToken(http, env);
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const certificate = await certify(http, fulcioUrl, token, { privateKey, publicKey });
    const signature = sign("sha256", signable.encoded, privateKey);
    const envelope = {
      payloadType: signable.payloadType,
      payload: Buffer.from(signable.payload).toString("base64"),
      signatures: [{ sig: signature.toString("base64"), keyid: "" }],
    };
    const entry = await writeDown(http, rekorUrl, envelope, certificate);
    const bundle = {
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: { certificate: { rawBytes: certificate.raw.toString("base64") }, tlogEntries: [entry] },
      dsseEnvelope: envelope,
    };
    return { kind: "signed", bundle: `${JSON.stringify(bundle)}\n`, logIndex: entry.logIndex };
  } catch (error) {
    const why = error instanceof Error ? displayLine(error.message, 300) : String(error);
    return {
      kind: "unsigned",
      why,
      hint: error instanceof NoToken ? TOKEN_HINT : "The receipt is as it was, without a Sigstore bundle; sign it again when that works.",
    };
  }
}

const TOKEN_HINT =
  "In a GitHub workflow give the job `permissions: id-token: write`; elsewhere put an OIDC token for the audience `sigstore` into SIGSTORE_ID_TOKEN.";

class NoToken extends Error {}

/** What says who this CI job is: asked from GitHub, or handed over by another CI. */
async function identityToken(http: Http, env: Environment): Promise<string> {
  const [url, bearer] = [env.get("ACTIONS_ID_TOKEN_REQUEST_URL"), env.get("ACTIONS_ID_TOKEN_REQUEST_TOKEN")];
  if (!url || !bearer) {
    const given = env.get("SIGSTORE_ID_TOKEN");
    if (!given) throw new NoToken("there is no identity to sign with: this is no CI job that may ask for one");
    return given;
  }
  const asked = new URL(guarded(url));
  asked.searchParams.set("audience", "sigstore");
  const headers = { accept: "application/json", authorization: `Bearer ${bearer}` };
  const reply = await http.send({ method: "GET", url: asked.href, headers, timeoutMs: TIMEOUT_MS });
  const token = reply.status === 200 ? textIn(fieldsIn(reply.body), "value") : undefined;
  if (!token) throw new NoToken(`the CI gave no identity token (${reply.status})`);
  return token;
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A certificate for this key and the token's identity. The proof of possession is a signature over the token's subject. */
async function certify(http: Http, fulcioUrl: string, token: string, { privateKey, publicKey }: KeyPair): Promise<X509Certificate> {
  const asked = {
    credentials: { oidcIdentityToken: token },
    publicKeyRequest: {
      publicKey: { algorithm: "ECDSA", content: publicKey.export({ type: "spki", format: "pem" }) },
      proofOfPossession: sign("sha256", Buffer.from(subjectOf(token)), privateKey).toString("base64"),
    },
  };
  const fields = await post(http, "Fulcio", placeIn(fulcioUrl, "api/v2/signingCert"), asked);
  const signed = fieldsOf(fields.get("signedCertificateEmbeddedSct"));
  const chain = fieldsOf(signed?.get("chain"))?.get("certificates");
  const [pem] = Array.isArray(chain) ? chain : [];
  if (typeof pem !== "string") throw new Error("Fulcio's answer has no certificate with a timestamp of its log in it");
  const certificate = new X509Certificate(pem);
  if (!certificate.publicKey.equals(createPublicKey(privateKey))) throw new Error("Fulcio's certificate is of another key");
  return certificate;
}

/** Whom Fulcio takes the token to be of: the mail address for the two issuers of people, the subject for everything else. */
function subjectOf(token: string): string {
  const reading = readRecord(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  const claims = reading.kind === "record" ? reading.fields : undefined;
  const isPerson = ["https://accounts.google.com", "https://oauth2.sigstore.dev/auth"].includes(textIn(claims, "iss") ?? "");
  const subject = textIn(claims, isPerson ? "email" : "sub");
  if (!subject) throw new NoToken("the identity token has no subject");
  return subject;
}

/** The log's entry, in the form of a bundle: numbers as texts and bytes as base64. */
async function writeDown(http: Http, rekorUrl: string, envelope: unknown, certificate: X509Certificate) {
  const asked = {
    apiVersion: "0.0.1",
    kind: "dsse",
    spec: {
      proposedContent: {
        envelope: JSON.stringify(envelope),
        verifiers: [Buffer.from(certificate.toString()).toString("base64")],
      },
    },
  };
  const [entry] = (await post(http, "Rekor", placeIn(rekorUrl, "api/v1/log/entries"), asked)).values();
  const fields = fieldsOf(entry);
  const verification = fieldsOf(fields?.get("verification"));
  const proof = fieldsOf(verification?.get("inclusionProof"));
  const [body, promise, hashes] = [textIn(fields, "body"), textIn(verification, "signedEntryTimestamp"), proof?.get("hashes")];
  if (!body || !promise || !Array.isArray(hashes)) throw new Error("Rekor's answer has no entry with a promise and a proof in it");
  const written = fieldsIn(Buffer.from(body, "base64").toString("utf8"));
  return {
    logIndex: String(fields?.get("logIndex")),
    logId: { keyId: base64OfHex(fields?.get("logID")) },
    kindVersion: { kind: textIn(written, "kind"), version: textIn(written, "apiVersion") },
    integratedTime: String(fields?.get("integratedTime")),
    inclusionPromise: { signedEntryTimestamp: promise },
    inclusionProof: {
      logIndex: String(proof?.get("logIndex")),
      rootHash: base64OfHex(proof?.get("rootHash")),
      treeSize: String(proof?.get("treeSize")),
      hashes: hashes.map(base64OfHex),
      checkpoint: { envelope: String(proof?.get("checkpoint")) },
    },
    canonicalizedBody: body,
  };
}

async function post(http: Http, who: string, url: string, body: unknown): Promise<Fields> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  const reply = await http.send({ method: "POST", url, headers, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS });
  const fields = fieldsIn(reply.body);
  if (fields && (reply.status === 200 || reply.status === 201)) return fields;
  throw new Error([`${who} did not do it (${reply.status})`, textIn(fields, "message")].filter(Boolean).join(": "));
}

const fieldsIn = (text: string): Fields | undefined => {
  const reading = readRecord(text);
  return reading.kind === "record" ? reading.fields : undefined;
};

const base64OfHex = (hex: unknown): string => Buffer.from(String(hex), "hex").toString("base64");

const placeIn = (base: string, path: string): string => new URL(path, `${guarded(base).replace(/\/+$/, "")}/`).href;

/** A token goes only over TLS, or to this machine. */
function guarded(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url?.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname);
  if (url?.protocol !== "https:" && !isHere) throw new Error("an identity token is sent to https addresses only");
  return address;
}
