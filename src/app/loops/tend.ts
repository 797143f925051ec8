// What a person does about the loops of a home: adds files and folders of specs, and takes them away again.
import { resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { handKey } from "../../contract/waking.ts";
import { isOvertaken, type Line } from "../../journal/journal.ts";
import { HOME_PLACE, type KnownLoop, PLACING, readHomePlaces, readKnownLoops } from "../../journal/known-loops.ts";
import { closest } from "../../std/closest.ts";
import type { House } from "../open-house.ts";
import { isSpecName, isWithin, type Looked, lookAfter } from "./look-after.ts";
import { waitsForNobody } from "./what-keeps.ts";

export interface Tended {
  /** What was asked for, as it is on record. */
  readonly places: readonly string[];
  /** The loops that come from there, as they stand now. */
  readonly loops: readonly KnownLoop[];
  /** Those that came from there until now and are looked after no more, whoever noticed it first. */
  readonly removed: readonly string[];
  /** Loops that came from there until now, and whose name another spec has taken. */
  readonly takenOver: readonly { readonly loop: string; readonly was: string; readonly path: string }[];
  /** What is wrong there, of files that no known loop comes from. */
  readonly wrong: readonly { readonly path: string; readonly problems: readonly string[] }[];
  readonly looked: Looked;
  /** What is in order and will not wake as it stands, loop by loop. */
  readonly notes: readonly string[];
}

const TRIES = 20;

/** From now on the home looks after these; who adds a spec accepts it, wherever it came from. */
export async function addPlaces(house: House, cwd: string, asked: readonly string[], by: string): Promise<Tended> {
  const places = asked.map((path) => resolve(cwd, path));
  for (const path of places) await mustBeThere(house, path);
  await placing(house, ({ places: before, leftOut }) =>
    places
      .filter((path) => before.every((place) => place.path !== path) || [...leftOut].some((left) => isWithin(path, left)))
      .map((path): Line => ({ ...HOME_PLACE, record: { kind: "place-added", path, by } })),
  );
  return tended(house, places, await lookAfter(house, { by, accepts: places }));
}

/** Each is a loop's name, its file, or a folder that was added. */
export async function removePlaces(house: House, cwd: string, asked: readonly string[], by: string): Promise<Tended> {
  const known = (await readKnownLoops(house.journal)).filter(({ state }) => state !== "removed");
  const before = await readHomePlaces(house.journal);
  const places = asked.map((what) => {
    const path = known.find(({ loop }) => loop === what)?.path ?? resolve(cwd, what);
    const isKnown = before.places.some((place) => place.path === path) || known.some((loop) => loop.path === path);
    if (!isKnown && before.wrong.every((wrong) => wrong.path !== path)) throw notLookedAfter(what, known);
    return path;
  });
  await placing(house, () => places.map((path): Line => ({ ...HOME_PLACE, record: { kind: "place-removed", path, by } })));
  const looked = await lookAfter(house, { by });
  const takenOver = known.flatMap(({ loop, path: was }) => {
    const now = looked.known.find((one) => one.loop === loop);
    const isOther = now && now.state !== "removed" && now.path !== was && places.some((place) => isWithin(place, was));
    return isOther ? [{ loop, was, path: now.path }] : [];
  });
  const removed = known
    .filter(({ path }) => places.some((place) => isWithin(place, path)))
    .filter(({ loop }) => looked.known.some((one) => one.loop === loop && one.state === "removed"))
    .map(({ loop }) => loop);
  return { ...(await tended(house, places, looked)), removed, takenOver };
}

/** Wakes a loop once, as soon as something is there that does: what is heard is on record. */
export async function wakeByHand(house: House, loop: string, by: string): Promise<string> {
  const key = handKey(loop, house.world.ids.token());
  await house.journal.append([{ loop, run: key, record: { kind: "heard", cause: { kind: "hand", by } } }]);
  return key;
}

/** Whoever is overtaken looks again at what is there. */
async function placing(house: House, linesFor: (before: Awaited<ReturnType<typeof readHomePlaces>>) => readonly Line[]): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await readHomePlaces(house.journal);
    const lines = linesFor(before);
    if (lines.length === 0) return;
    if (!isOvertaken(await house.journal.append(lines, { in: HOME_PLACE, kinds: PLACING, newest: before.newest }))) return;
  }
  throw new LoopError("journal-busy", "others keep changing which places this home looks after", { retry: "later", hint: "Try again." });
}

async function tended(house: House, places: readonly string[], looked: Looked): Promise<Tended> {
  const isHere = ({ path }: { readonly path: string }): boolean => places.some((place) => isWithin(place, path));
  const { wrong } = await readHomePlaces(house.journal);
  return {
    places,
    loops: looked.known.filter((loop) => isHere(loop)),
    removed: [],
    takenOver: [],
    wrong: wrong.filter(isHere).map(({ path, problems }) => ({ path, problems })),
    looked,
    notes: await notesOn(
      house,
      looked.known.filter((loop) => isHere(loop) && loop.state === "known"),
    ),
  };
}

async function notesOn({ journal }: Pick<House, "journal">, loops: readonly KnownLoop[]): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const known of loops) {
    const note = await waitsForNobody({ journal }, known);
    if (note !== undefined) notes.push(`${known.loop}: ${note}`);
  }
  return notes;
}

async function mustBeThere(house: House, path: string): Promise<void> {
  const seen = await house.specFiles.look(path, isSpecName);
  if (seen.kind === "file" || seen.kind === "folder") return;
  throw new LoopError("bad-input", `${path} cannot be added: ${seen.kind === "gone" ? "there is no such file or folder" : seen.why}`, {
    retry: "never",
    hint: "Name a spec file, or a folder with files such as fix.loop.yaml in it.",
  });
}

function notLookedAfter(what: string, known: readonly KnownLoop[]): LoopError {
  const names = known.map(({ loop }) => loop);
  const near = closest(what, names);
  return new LoopError("bad-input", `${what} is no loop, file or folder that this home looks after`, {
    retry: "never",
    hint: near === undefined ? "`lw loops` shows what it looks after." : `Did you mean ${near}? \`lw loops\` shows them all.`,
  });
}
