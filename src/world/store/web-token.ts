// The token that lets somebody look and decide in the browser, and where the dashboard is served. Only their owner may read them.
import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { WebPlace } from "../../contract/web.ts";
import { makeFolder } from "../files/make-folder.ts";
import { writePrivately } from "../files/write-privately.ts";

const WHOLE = /^[\w-]{43}$/;

/** The home's token, made when there is none. Whoever comes first makes it; all others take what they made. */
export function takeWebToken(folder: string): string {
  const path = join(folder, "web.token");
  const old = readToken(path);
  if (old !== undefined) return old;
  makeFolder(folder);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writePrivately(draft, randomBytes(32).toString("base64url"));
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const token = readToken(path);
  if (token === undefined) throw unusable(path, "is no token of ours, or cannot be read");
  return token;
}

/** What others can read lets others decide. */
function readToken(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8").trim();
    if (!WHOLE.test(text)) return undefined;
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) throw unusable(path, "can be read by others");
    return text;
  } catch (error) {
    if (error instanceof LoopError) throw error;
    return undefined;
  }
}

const unusable = (path: string, what: string): LoopError =>
  new LoopError("store-unusable", `${path} ${what}`, {
    retry: "never",
    hint: "Remove it, and a new one is made: pages that are open must then be opened again.",
  });

const placePath = (folder: string): string => join(folder, "web.json");

export function tellWebPlace(folder: string, place: WebPlace | undefined): void {
  const path = placePath(folder);
  if (!place) {
    rmSync(path, { force: true });
    return;
  }
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  writePrivately(draft, `${JSON.stringify(place)}\n`);
  renameSync(draft, path);
}

/** Where it is served by a process that lives; undefined where it is not. */
export function readWebPlace(folder: string): WebPlace | undefined {
  try {
    const { url, pid } = JSON.parse(readFileSync(placePath(folder), "utf8")) as WebPlace; // checked below
    if (typeof url !== "string" || !Number.isInteger(pid) || pid <= 0) return undefined;
    process.kill(pid, 0);
    return { url, pid };
  } catch {
    return undefined; // Nobody told, or who did is gone.
  }
}
