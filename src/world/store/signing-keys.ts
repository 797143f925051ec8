// The keys that receipts and checkpoints are signed with: made on first use, kept where only their owner may read them.
// `keys/ring.jsonl` names them from the first to the one in use; `keys/<id>.pem` holds the private half of the one in use.
import { randomBytes } from "node:crypto";
import { linkSync, lstatSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { type Locks, underLock } from "../../contract/locks.ts";
import type { KeyRing, SigningKeys } from "../../contract/signing.ts";
import { newPrivateKey, readPrivateKey, type Signer } from "../../std/ed25519.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readRegularNow } from "../files/read-regular.ts";
import { writePrivately } from "../files/write-privately.ts";
import { syncFolder } from "./store.ts";

/** How a ring is read and added to; the rules are not this file's. */
export interface RingRules {
  readonly read: (text: string) => KeyRing;
  readonly add: (old: Signer | undefined, fresh: Signer, at: string) => string;
}

const MOST_RING_BYTES = 4 * 1024 * 1024;

export function createSigningKeys(home: string, { read, add }: RingRules, locks: Pick<Locks, "hold">): SigningKeys {
  const folder = join(home, "keys");
  const ringPath = ringOf(home);
  /** Of the texts that were read last: as long as they are the same, so is what they say. */
  let known: { readonly ring: string; readonly pem: string; readonly signer: Signer } | undefined;

  return {
    ringText: () => readFile(ringPath),
    ring: () => readKeyRing(home, read),
    signer(at) {
      const text = readFile(ringPath) ?? makeFirst(at);
      const path = known && privatePath(known.signer.keyid);
      if (known && path !== undefined && known.ring === text && readFile(path) === known.pem) {
        refuseOpen(path);
        return known.signer;
      }
      const signer = signerIn(read(text));
      known = { ring: text, pem: readFile(privatePath(signer.keyid)) ?? "", signer };
      return signer;
    },
    rotate: (at) => underLock({ locks, name: "keys", ms: 0, busy: changedByOthers }, () => replaceKey(at)),
  };

  function replaceKey(at: string): { readonly from: string; readonly to: string } {
    const text = readFile(ringPath) ?? makeFirst(at);
    const old = signerIn(read(text));
    const fresh = makeKey();
    writeAnew(`${ringPath}.draft`, text + add(old, fresh, at));
    renameSync(`${ringPath}.draft`, ringPath);
    syncFolder(folder);
    // From here on the new key signs. The old one could only be misused.
    rmSync(privatePath(old.keyid), { force: true });
    return { from: old.keyid, to: fresh.keyid };
  }

  /** Whoever comes first makes it; all others take what they made. */
  function makeFirst(at: string): string {
    makeFolder(folder);
    const fresh = makeKey();
    const draft = `${ringPath}.${randomBytes(6).toString("hex")}`;
    try {
      writeAnew(draft, add(undefined, fresh, at));
      linkSync(draft, ringPath);
      syncFolder(folder);
    } catch (error) {
      rmSync(privatePath(fresh.keyid), { force: true });
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const text = readFile(ringPath);
    if (text === undefined) throw unusable(ringPath, "it cannot be read");
    return text;
  }

  function makeKey(): Signer {
    const pem = newPrivateKey();
    const signer = readPrivateKey(pem);
    if (!signer) throw new TypeError("a key that was just made cannot be read");
    writeAnew(privatePath(signer.keyid), pem);
    return signer;
  }

  function signerIn(ring: KeyRing): Signer {
    if (ring.kind === "broken") throw unusable(ringPath, `line ${ring.line}: ${ring.why}`);
    const current = ring.keys.at(-1);
    if (!current) throw unusable(ringPath, "it names no key");
    const path = privatePath(current.keyid);
    const pem = readFile(path);
    if (pem === undefined) throw unusable(path, "it is not there");
    refuseOpen(path);
    const signer = readPrivateKey(pem);
    if (signer?.keyid !== current.keyid) throw unusable(path, "it is not the key that the ring names");
    return signer;
  }

  function privatePath(keyid: string): string {
    return join(folder, `${keyid}.pem`);
  }
}

const ringOf = (home: string): string => join(home, "keys", "ring.jsonl");

/** The keys of a home, for who signs nothing. */
export function readKeyRing(home: string, read: RingRules["read"]): KeyRing {
  const text = readFile(ringOf(home));
  return text === undefined ? { kind: "whole", keys: [] } : read(text);
}

/** A key that others may read is nobody's signature. */
function refuseOpen(path: string): void {
  if (process.platform === "win32") return;
  const { mode, uid } = lstatSync(path);
  if ((mode & 0o077) !== 0)
    throw new LoopError("store-unusable", `${path} may be read by others, so nothing is signed with it`, {
      retry: "never",
      hint: `Take their rights away with \`chmod 600 ${path}\`, and if somebody may have read it, change it with \`lw key rotate\`.`,
    });
  if (process.getuid && uid !== process.getuid()) throw unusable(path, "it belongs to another user");
}

/** Only a plain file of a sane size: never a link, a pipe or a device. */
function readFile(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (!found.isFile() || found.size > MOST_RING_BYTES) throw unusable(path, "it is no plain file of ours");
  return readRegularNow(path).toString("utf8");
}

/** In the place of whatever a process that died there left. */
function writeAnew(path: string, text: string): void {
  makeFolder(dirname(path));
  rmSync(path, { force: true });
  writePrivately(path, text);
}

const changedByOthers = (): LoopError =>
  new LoopError("loop-busy", "another process is changing the key just now", { retry: "later", hint: "Try again in a moment." });

const unusable = (path: string, why: string): LoopError =>
  new LoopError("store-unusable", `the signing key cannot be used: ${path}: ${why}`, {
    retry: "never",
    hint: "Put back a copy of it, or move the folder `keys` of loopwright's home away: then a new key is made, and who trusted the old one must be told.",
  });
