// What boxes of this user are made with, and which does not change: a folder of ours for it, the filter of calls, and whom root is inside.
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../contract/clock.ts";
import { LoopError } from "../../contract/errors.ts";
import { sha256 } from "../../std/hash.ts";
import { makeFolder } from "../files/make-folder.ts";
import { temporaryFolder } from "../files/temporary.ts";
import type { Standing } from "./box-plan.ts";
import type { Ground } from "./bubblewrap.ts";
import { callFilter } from "./call-filter.ts";
import { KERNEL_SECRETS, KERNEL_SETTINGS } from "./secret-places.ts";

export interface Laid {
  readonly ground: Ground;
  readonly site: string;
  readonly instead: NonNullable<Standing["instead"]>;
}

/** Nobody has this number, nor the ones after it, as far as systems give them out by themselves. */
const FIRST_FREE_ID = 61_000;
const OURS = "loopwright";
/** What everybody may write, and what everybody may read of keys: their names and their numbers. The rest is for root alone. */
const FOR_ALL = { settings: ["/proc/sys", "/proc/pressure"], secrets: ["/proc/keys", "/proc/key-users"] };

/** May be called for every command: what is there is not made again. It lies among temporary files, which others sweep. */
export function layGround(env: Environment, userHome: string | undefined): Laid {
  const uid = process.getuid?.() ?? 0;
  const folder = join(temporaryFolder(env), `loopwright-box-${uid}`);
  mustBeOurs(folder, uid);
  const site = join(folder, "site");
  makeFolder(site);
  const filter = callFilter(process.arch);
  const isRoot = uid === 0;
  const user = isRoot ? harmless() : undefined;
  return {
    site,
    ground: {
      user,
      settings: (isRoot ? KERNEL_SETTINGS : FOR_ALL.settings).filter((path) => existsSync(path)),
      secrets: (isRoot ? KERNEL_SECRETS : FOR_ALL.secrets).filter((path) => existsSync(path)),
      filter: filter && kept(folder, "filter", filter),
    },
    instead: user
      ? [
          {
            path: "/etc/passwd",
            from: kept(
              folder,
              "passwd",
              Buffer.from(`${lines("/etc/passwd")}${OURS}:x:${user.uid}:${user.gid}::${userHome ?? "/"}:/bin/sh\n`),
            ),
          },
          { path: "/etc/group", from: kept(folder, "group", Buffer.from(`${lines("/etc/group")}${OURS}:x:${user.gid}:\n`)) },
        ].filter(({ path }) => existsSync(path))
      : [],
  };
}

function harmless(): NonNullable<Ground["user"]> {
  const taken = new Set([lines("/etc/passwd"), lines("/etc/group")].flatMap((text) => text.split("\n").map((line) => line.split(":")[2])));
  const lent = [lines("/etc/subuid"), lines("/etc/subgid")].flatMap(rangesIn);
  let id = FIRST_FREE_ID;
  for (;;) {
    const range = lent.find(({ first, count }) => id >= first && id < first + count);
    if (!range && !taken.has(`${id}`)) return { uid: id, gid: id };
    id = range ? range.first + range.count : id + 1;
  }
}

/** Numbers that users may give out in containers of their own: `name:first:count`. */
const rangesIn = (text: string): readonly { readonly first: number; readonly count: number }[] =>
  text.split("\n").flatMap((line) => {
    const [, first = Number.NaN, count = Number.NaN] = line.split(":").map(Number);
    return Number.isSafeInteger(first) && Number.isSafeInteger(count) && count > 0 ? [{ first, count }] : [];
  });

function lines(path: string): string {
  try {
    const text = readFileSync(path, "utf8");
    return text === "" || text.endsWith("\n") ? text : `${text}\n`;
  } catch {
    return "";
  }
}

/** By what is in it, so that no other version of us changes what a box reads. */
function kept(folder: string, name: string, bytes: Buffer): string {
  const path = join(folder, `${name}-${sha256(bytes).slice(0, 16)}`);
  if (existsSync(path)) return path;
  writeFileSync(`${path}.${process.pid}`, bytes, { mode: 0o644 });
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** It lies where everybody may write, so that somebody else could have put it there. */
function mustBeOurs(folder: string, uid: number): void {
  makeFolder(folder);
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return;
  throw new LoopError("box-unusable", `${folder} is not a folder of ours alone, so no box can be made with it`, {
    retry: "never",
    hint: "Remove it, or set TMPDIR to a folder of your own.",
  });
}

const MOST_SEEN = 20_000;

/** What nobody but its owner may read in the system's settings: for root, which is that owner whatever it is called inside. */
export function onlyRootsIn(folders: readonly string[]): readonly string[] {
  const found: string[] = [];
  let seen = 0;
  const walk = (folder: string): void => {
    for (const entry of entriesIn(folder)) {
      if (entry.isSymbolicLink() || ++seen > MOST_SEEN) continue;
      const path = join(folder, entry.name);
      const mode = modeOf(path);
      if ((mode & (entry.isDirectory() ? 0o005 : 0o004)) === 0) found.push(path);
      else if (entry.isDirectory()) walk(path);
    }
  };
  for (const folder of folders) walk(folder);
  return found;
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Of what is gone or not to be looked at nobody needs to be kept away. */
function modeOf(path: string): number {
  try {
    return statSync(path).mode;
  } catch {
    return 0o777;
  }
}
