// Ed25519 keys and signatures, over node:crypto. A key goes by the SHA-256 of its public half.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";

export interface PublicKey {
  readonly keyid: string;
  readonly pem: string;
}

/** Whoever holds one can sign; the private half never leaves it. */
export interface Signer extends PublicKey {
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export const newPrivateKey = (): string => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

/** Undefined for what is no private Ed25519 key. */
export function readPrivateKey(pem: string): Signer | undefined {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== "ed25519") return undefined;
    const open = createPublicKey(key).export({ type: "spki", format: "pem" }).toString();
    return { ...described(open), sign: (bytes) => sign(null, bytes, key) };
  } catch {
    return undefined; // whatever else it may be, it is no key of ours
  }
}

const BLOCK = /-----BEGIN PUBLIC KEY-----\n[A-Za-z0-9+/=\n]{1,2000}-----END PUBLIC KEY-----\n?/g;

/** The public keys in a text; undefined where it holds anything else, or none. */
export function readPublicKeys(text: string): readonly PublicKey[] | undefined {
  const plain = text.replaceAll("\r\n", "\n");
  const keys = [...plain.matchAll(BLOCK)].map(([pem]) => readPublicKey(pem));
  const isMore = plain.replace(BLOCK, "").trim() !== "";
  return isMore || keys.length === 0 || keys.some((key) => key === undefined) ? undefined : keys.flatMap((key) => key ?? []);
}

function readPublicKey(pem: string): PublicKey | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === "ed25519" ? described(key.export({ type: "spki", format: "pem" }).toString()) : undefined;
  } catch {
    return undefined;
  }
}

export function isSignedBy({ pem }: PublicKey, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, bytes, createPublicKey(pem), signature);
}

const described = (pem: string): PublicKey => ({
  keyid: createHash("sha256")
    .update(createPublicKey(pem).export({ type: "spki", format: "der" }))
    .digest("hex"),
  pem,
});

/** The 32 bytes of a public key in base64, as other libraries want them. */
export const rawKeyOf = (pem: string): string =>
  createPublicKey(pem).export({ type: "spki", format: "der" }).subarray(-32).toString("base64");
