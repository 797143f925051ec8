// What lies in the home only to be quick, as long as there is room for it: bases, prepared folders and caches of tool chains. Any of it may
// go at any time but what an open round may lie on: what is missing is made again.
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeTree } from "../files/remove-tree.ts";

/** Folders of the home. */
export interface KeptIn {
  readonly prepared: string;
  readonly caches: string;
  readonly layers: string;
  readonly rounds: string;
}

interface Kept {
  readonly place: string;
  readonly bytes: number;
  readonly usedMs: number;
  readonly isHeld: boolean;
}

export interface Freed {
  readonly entries: number;
  readonly bytes: number;
  /** What stays, and how much of that only because a round is open. */
  readonly left: number;
  readonly held: number;
}

const About = z.object({ bytes: z.number() });
/** An entry is called by its hash; one in the making is of no use to anybody else. */
const WHOLE = /^[0-9a-f]{64}$/;
const MAKING = /^making-/;
const OWNED = /^layer-\d+$/;
/** Who makes one for longer than this was killed. */
const LONGEST_MAKING_MS = 24 * 60 * 60 * 1000;

/** Throws away what was not used for longest, until no more than that is left. */
export async function keepLittle(home: KeptIn, mostBytes: number): Promise<Freed> {
  const kept = [...(await listKept(home))].sort((a, b) => a.usedMs - b.usedMs);
  const allBytes = sumOf(kept);
  let left = allBytes;
  let entries = 0;
  for (const { place, bytes, isHeld } of kept) {
    if (left <= mostBytes) break;
    if (isHeld) continue;
    await removeTree(place);
    left -= bytes;
    entries++;
  }
  return { entries, bytes: allBytes - left, left, held: Math.min(left, sumOf(kept.filter(({ isHeld }) => isHeld))) };
}

const sumOf = (kept: readonly Kept[]): number => kept.reduce((sum, { bytes }) => sum + bytes, 0);

/** All of it; what was begun by somebody who was killed has been removed already. */
async function listKept({ prepared, caches, layers, rounds }: KeptIn): Promise<readonly Kept[]> {
  const open = await openRounds(rounds);
  const listed: Kept[] = [];
  for (const folder of [prepared, caches, layers])
    for (const id of await readdir(folder).catch(() => []))
      for (const name of await readdir(join(folder, id)).catch(() => [])) {
        const place = join(folder, id, name);
        const found = await stat(place).catch(() => undefined);
        if (!found?.isDirectory()) continue;
        if (MAKING.test(name) && found.mtimeMs < Date.now() - LONGEST_MAKING_MS) await removeTree(place);
        if (!WHOLE.test(name)) continue;
        const isHeld = found.mtimeMs >= open.sinceMs || open.named.some((path) => path.startsWith(`${place}/`));
        listed.push({ place, bytes: await sizeOf(place), usedMs: found.mtimeMs, isHeld });
      }
  return listed;
}

/** As it was when it was made, and as often as it is there for other users. */
async function sizeOf(place: string): Promise<number> {
  const text = await readFile(join(place, "about.json"), "utf8").catch(() => "{}");
  const { bytes } = About.safeParse(parsed(text)).data ?? { bytes: 0 };
  const names = await readdir(place).catch(() => []);
  return bytes * (1 + names.filter((name) => OWNED.test(name)).length);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Open {
  /** When the oldest round that is there was opened: whatever was used since may lie under its rooms. */
  readonly sinceMs: number;
  /** Where links in rounds lead. */
  readonly named: readonly string[];
}

async function openRounds(rounds: string): Promise<Open> {
  let sinceMs = Number.POSITIVE_INFINITY;
  const named: string[] = [];
  for (const loop of await readdir(rounds).catch(() => []))
    for (const id of await readdir(join(rounds, loop)).catch(() => [])) {
      const place = join(rounds, loop, id);
      const found = await stat(place).catch(() => undefined);
      if (!found?.isDirectory()) continue;
      // Some file systems do not know when a folder was made.
      sinceMs = Math.min(sinceMs, found.birthtimeMs, found.mtimeMs);
      const within = await readdir(place).catch(() => []);
      for (const at of [place, ...within.map((name) => join(place, name))])
        for (const link of await readdir(join(at, "layers")).catch(() => []))
          named.push(await readlink(join(at, "layers", link)).catch(() => ""));
    }
  return { sinceMs, named };
}
