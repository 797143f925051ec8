// The key of one program that asks this home over a protocol: it opens that and nothing else, and says whose calls they are.
import { hmacSha256, sameDigest } from "../../std/hash.ts";

const KEY = /^([a-z][a-z0-9-]{0,39})\.([0-9a-f]{64})$/;

export const isAgentName = (name: string): boolean => /^[a-z][a-z0-9-]{0,39}$/.test(name);

/** Made of the home's token, which cannot be told from it. With another token it is another. */
export const agentKeyOf = (token: string, name: string): string => `${name}.${proofOf(token, name)}`;

/** Whose key it is; undefined for what is none of this home. */
export function agentBy(token: string, key: string): string | undefined {
  const [, name = "", proof = ""] = KEY.exec(key) ?? [];
  return name !== "" && sameDigest(proof, proofOf(token, name)) ? name : undefined;
}

const proofOf = (token: string, name: string): string => hmacSha256(token, `key of the agent ${name}`);
