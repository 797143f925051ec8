// Sigstore on this machine: a certificate authority, its certificate log and a log of signatures that are real but for who runs them.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { canonicalJson } from "../../src/std/hash.ts";

export interface LocalSigstore {
  readonly url: string;
  /** The text of its `trusted_root.json`. */
  readonly trustedRoot: string;
  /** How often it was asked for what. */
  readonly asked: string[];
  close(): void;
}

/** What goes wrong with what it hands out. */
export interface Faults {
  /** When the certificates begin to count; they count for ten minutes. */
  readonly certifiedAt?: Date;
  /** Certificates without a timestamp of the certificate log. */
  readonly isUnlogged?: boolean;
  /** What it answers in place of an entry. */
  readonly rekorStatus?: number;
  readonly fulcioStatus?: number;
  /** Certifies a key that nobody asked about. */
  readonly isForeignKey?: boolean;
}

/** A token as a CI hands it out. Nobody here checks its signature: that is between Fulcio and the issuer. */
export const tokenOf = (claims: { readonly [name: string]: string }): string =>
  `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.x`;

export async function startSigstore(faults: Faults = {}): Promise<LocalSigstore> {
  const [ca, ctLog, log] = [keyPair(), keyPair(), keyPair()];
  const root = certificate({
    subject: NAME,
    subjectKey: ca.publicKey,
    issuerKey: ca,
    from: yesterday(),
    days: 3650,
    extensions: ROOT_EXTENSIONS,
  });
  const asked: string[] = [];
  const leaves: Buffer[] = [Buffer.from("an entry of somebody else")];

  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://here").pathname;
    asked.push(path);
    let text = "";
    for await (const chunk of request) text += chunk;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (path === "/token") return answer(200, { value: tokenOf({ iss: ISSUER, sub: "repo:ada/app:ref:refs/heads/main", job: IDENTITY }) });
    if (path === "/api/v2/signingCert")
      return faults.fulcioStatus ? answer(faults.fulcioStatus, { message: "no" }) : answer(201, certify(JSON.parse(text)));
    if (path === "/api/v1/log/entries")
      return faults.rekorStatus ? answer(faults.rekorStatus, { message: "no" }) : answer(201, writeDown(JSON.parse(text)));
    return answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function certify({ credentials, publicKeyRequest: { publicKey, proofOfPossession } }: CertificateRequest) {
    const claims = JSON.parse(Buffer.from(credentials.oidcIdentityToken.split(".")[1]!, "base64url").toString("utf8"));
    const key = createPublicKey(publicKey.content);
    if (!verify("sha256", Buffer.from(claims.sub), key, Buffer.from(proofOfPossession, "base64"))) return {};
    const asked: CertificateWish = {
      subject: undefined,
      subjectKey: faults.isForeignKey ? keyPair().publicKey : key,
      issuerKey: ca,
      from: faults.certifiedAt ?? new Date(Date.now() - 60_000),
      days: 1 / 144,
      extensions: [
        extension("2.5.29.15", der(3, Buffer.from([7, 0x80])), true),
        extension("2.5.29.37", seq(oid("1.3.6.1.5.5.7.3.3"))),
        extension("2.5.29.17", seq(der(0x86, Buffer.from(claims.job ?? claims.sub))), true),
        extension("1.3.6.1.4.1.57264.1.8", der(12, Buffer.from(claims.iss))),
      ],
    };
    const raw = faults.isUnlogged ? certificate(asked) : withTimestamp(asked, ca.publicKey, ctLog);
    return { signedCertificateEmbeddedSct: { chain: { certificates: [pem(raw), pem(root)] } } };
  }

  function writeDown({ spec: { proposedContent } }: EntryRequest) {
    const envelope = JSON.parse(proposedContent.envelope);
    const hash = (bytes: Uint8Array | string) => ({ algorithm: "sha256", value: digest(bytes).toString("hex") });
    const body = Buffer.from(
      canonicalJson({
        apiVersion: "0.0.1",
        kind: "dsse",
        spec: {
          envelopeHash: hash(proposedContent.envelope),
          payloadHash: hash(Buffer.from(envelope.payload, "base64")),
          signatures: [{ signature: envelope.signatures[0].sig, verifier: proposedContent.verifiers[0] }],
        },
      }),
    );
    // One entry of somebody else stands before it, so that the proof has a hash in it.
    const other = leafHash(leaves[0]!);
    const rootHash = digest(Buffer.concat([Buffer.from([1]), other, leafHash(body)]));
    const logID = digest(spki(log.publicKey));
    const host = new URL(url).host;
    const note = `${host} - 1\n2\n${rootHash.toString("base64")}\n`;
    const signed = Buffer.concat([logID.subarray(0, 4), sign("sha256", Buffer.from(note), log.privateKey)]);
    const entry = {
      body: body.toString("base64"),
      integratedTime: Math.floor(Date.now() / 1000),
      logID: logID.toString("hex"),
      logIndex: 4711,
    };
    return {
      [digest(body).toString("hex")]: {
        ...entry,
        verification: {
          signedEntryTimestamp: sign("sha256", Buffer.from(canonicalJson(entry)), log.privateKey).toString("base64"),
          inclusionProof: {
            logIndex: 1,
            treeSize: 2,
            hashes: [other.toString("hex")],
            rootHash: rootHash.toString("hex"),
            checkpoint: `${note}\n\u2014 ${host} ${signed.toString("base64")}\n`,
          },
        },
      },
    };
  }

  const logInstance = ({ publicKey }: KeyPair) => ({
    baseUrl: url,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: spki(publicKey).toString("base64"),
      keyDetails: "PKIX_ECDSA_P256_SHA_256",
      validFor: { start: yesterday().toISOString() },
    },
    logId: { keyId: digest(spki(publicKey)).toString("base64") },
  });

  return {
    url,
    asked,
    trustedRoot: JSON.stringify({
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [logInstance(log)],
      certificateAuthorities: [
        {
          subject: { organization: "here", commonName: "here" },
          uri: url,
          certChain: { certificates: [{ rawBytes: root.toString("base64") }] },
          validFor: { start: yesterday().toISOString() },
        },
      ],
      ctlogs: [logInstance(ctLog)],
      timestampAuthorities: [],
    }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whom the tokens of `/token` are of. */
export const IDENTITY = "https://github.com/ada/app/.github/workflows/check.yml@refs/heads/main";
export const ISSUER = "https://token.actions.githubusercontent.com";

interface CertificateRequest {
  readonly credentials: { readonly oidcIdentityToken: string };
  readonly publicKeyRequest: { readonly publicKey: { readonly content: string }; readonly proofOfPossession: string };
}

interface EntryRequest {
  readonly spec: { readonly proposedContent: { readonly envelope: string; readonly verifiers: readonly string[] } };
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const keyPair = (): KeyPair => generateKeyPairSync("ec", { namedCurve: "P-256" });
const spki = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" });
const digest = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();
const leafHash = (leaf: Buffer): Buffer => digest(Buffer.concat([Buffer.from([0]), leaf]));
const yesterday = (): Date => new Date(Date.now() - 86_400_000);
const pem = (raw: Buffer): string => `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`;

// Just enough DER to write an X.509 certificate.

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size =
    content.length < 128
      ? [content.length]
      : content.length < 256
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const seq = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const base128 = (value: number): readonly number[] =>
    value < 128 ? [value] : [...base128(value >> 7).map((byte) => byte | 128), value & 127];
  return der(6, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
  seq(oid(id), ...(isCritical ? [der(1, Buffer.from([255]))] : []), der(4, value));

const time = (date: Date): Buffer => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));

const NAME = seq(der(0x31, seq(oid("2.5.4.3"), der(12, Buffer.from("here")))));
const ECDSA_SHA256 = seq(oid("1.2.840.10045.4.3.2"));
const ROOT_EXTENSIONS = [
  extension("2.5.29.19", seq(der(1, Buffer.from([255]))), true),
  extension("2.5.29.15", der(3, Buffer.from([1, 0x06])), true),
];

interface CertificateWish {
  readonly subject: Buffer | undefined;
  readonly subjectKey: KeyObject;
  readonly issuerKey: KeyPair;
  readonly from: Date;
  readonly days: number;
  readonly extensions: readonly Buffer[];
}

const toBeSigned = ({ subject, subjectKey, from, days, extensions }: CertificateWish): Buffer =>
  seq(
    der(0xa0, der(2, Buffer.from([2]))),
    der(2, Buffer.from([17])),
    ECDSA_SHA256,
    NAME,
    seq(time(from), time(new Date(from.getTime() + days * 86_400_000))),
    subject ?? seq(),
    spki(subjectKey),
    der(0xa3, seq(...extensions)),
  );

function certificate(wish: CertificateWish): Buffer {
  const tbs = toBeSigned(wish);
  return seq(tbs, ECDSA_SHA256, der(3, Buffer.from([0]), sign("sha256", tbs, wish.issuerKey.privateKey)));
}

/** A certificate for this machine's own address, which its own key signed, and that key; both as PEM. */
export function selfSigned(): { readonly cert: string; readonly key: string } {
  const keys = keyPair();
  const here = extension("2.5.29.17", seq(der(0x87, Buffer.from([127, 0, 0, 1]))));
  const extensions = [extension("2.5.29.19", seq(der(1, Buffer.from([255]))), true), here];
  const cert = certificate({ subject: NAME, subjectKey: keys.publicKey, issuerKey: keys, from: yesterday(), days: 30, extensions });
  return { cert: pem(cert), key: String(keys.privateKey.export({ type: "pkcs8", format: "pem" })) };
}

/** The certificate log signs the certificate as it is without its timestamp (RFC 6962, section 3.2). */
function withTimestamp(wish: CertificateWish, issuer: KeyObject, log: KeyPair): Buffer {
  const tbs = toBeSigned(wish);
  const at = Buffer.alloc(8);
  at.writeBigUInt64BE(BigInt(Date.now()));
  const size = (bytes: number, value: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const signed = Buffer.concat([Buffer.from([0, 0]), at, size(2, 1), digest(spki(issuer)), size(3, tbs.length), tbs, size(2, 0)]);
  const signature = sign("sha256", signed, log.privateKey);
  const timestamp = Buffer.concat([
    Buffer.from([0]),
    digest(spki(log.publicKey)),
    at,
    size(2, 0),
    Buffer.from([4, 3]),
    size(2, signature.length),
    signature,
  ]);
  const list = Buffer.concat([size(2, timestamp.length + 2), size(2, timestamp.length), timestamp]);
  return certificate({ ...wish, extensions: [...wish.extensions, extension("1.3.6.1.4.1.11129.2.4.2", der(4, list))] });
}
