// The key that placeholders are made with. It never leaves the home, and only its owner may read it.
import { randomBytes } from "node:crypto";
import { linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { readRegularNow } from "../files/read-regular.ts";
import { writePrivately } from "../files/write-privately.ts";

const BYTES = 32;
const WHOLE = /^[0-9a-f]{64}$/;

/** The home's key, made when there is none. Whoever comes first makes it; all others take what they made. */
export function takeRedactionKey(folder: string): string {
  const path = pathIn(folder);
  const old = readKey(path);
  if (old) return old;
  makeFolder(folder);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writePrivately(draft, randomBytes(BYTES).toString("hex"));
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (!key)
    throw new LoopError("store-unusable", `${path} is no key of ours, or cannot be read`, {
      retry: "never",
      hint: "Make it readable; or remove it, and a new one is made: placeholders of secrets then differ from earlier ones.",
    });
  return key;
}

/** The home's key where it can be had, else one that dies with this process: then placeholders of two processes differ. */
export function borrowRedactionKey(folder: string): string {
  return readKey(pathIn(folder)) ?? randomBytes(BYTES).toString("hex");
}

const pathIn = (folder: string): string => join(folder, "redaction.key");

function readKey(path: string): string | undefined {
  try {
    const text = readRegularNow(path).toString("utf8").trim();
    return WHOLE.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
