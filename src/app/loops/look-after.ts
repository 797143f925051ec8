// Looks at the places where the home's specs lie, and puts on record what is new, changed, wrong, right again or gone. May be done at any
// time, by any number of processes at once: what is on record already is not written again, and whoever is overtaken looks again.
import type { PlaceSeen } from "../../contract/files.ts";
import type { PartRef } from "../../contract/spec.ts";
import { isOvertaken, type Line, type Only } from "../../journal/journal.ts";
import {
  HOME_PLACE,
  type HomePlaces,
  KNOWING,
  type KnownLoop,
  PLACING,
  readHomePlaces,
  readKnownLoops,
  readKnownSince,
} from "../../journal/known-loops.ts";
import { type Library, loopsNamed } from "../../spec/library.ts";
import { formatProblem, readSpec, type SpecReading } from "../../spec/read-spec.ts";
import { sha256 } from "../../std/hash.ts";
import { wakerOf } from "../crew.ts";
import { alertNeeds } from "../decisions/alert.ts";
import type { House } from "../open-house.ts";
import { loadLibrary, MOST_SPEC_BYTES } from "../runs/load-library.ts";
import { asRecorded } from "../runs/load-spec.ts";
import { ENDINGS } from "../runs/spec-places.ts";
import { type Change, type Complaint, planLook, type SpecReadAgain, type SpecSeen } from "./plan-look.ts";
import { type FindAuthor, readUnapproved } from "./unapproved.ts";

export interface LookWish {
  readonly by: string;
  /** Files and folders whose specs a person accepts just now, wherever they come from. */
  readonly accepts?: readonly string[];
  /** What an earlier look of this process saw, so that files which are as they were are not read again. */
  readonly before?: Sighted;
}

/** What a process remembers from look to look; all of it can be worked out again. */
export interface Sighted {
  /** Path → what its file was like, and the hash of its text. */
  readonly files: ReadonlyMap<string, Sight>;
  readonly known: ReadonlyMap<string, KnownLoop>;
  /** How far the journal was read for that. */
  readonly upTo: number;
}

interface Sight {
  readonly stamp: string;
  readonly sha256: string;
}

export interface Looked {
  readonly changes: readonly Change[];
  /** Of files and folders that no known loop comes from; those without problems are in order again. */
  readonly complaints: readonly Complaint[];
  /** Every loop that was ever made known, as it stands now. */
  readonly known: readonly KnownLoop[];
  readonly sighted: Sighted;
}

/** Whoever is overtaken so often has somebody beside them who does the same work. */
const TRIES = 8;
/** So many changes are written together: all of them or none. */
const TOGETHER = 100;
/** How many problems of a spec go on record, and how much of each. */
const MOST_TOLD = 20;
const MOST_TOLD_CHARS = 500;
/** So many files are read side by side. */
const AT_ONCE = 32;

export async function lookAfter(house: House, wish: LookWish): Promise<Looked> {
  const done: { readonly changes: Change[]; readonly complaints: Complaint[] } = { changes: [], complaints: [] };
  let before = wish.before;
  for (let tries = 0; tries < TRIES; tries++) {
    const { known, home, plan, sighted } = await lookOnce(house, { ...wish, ...(before ? { before } : {}) });
    before = sighted;
    const written = await writeDown(house, home, plan);
    done.changes.push(...written.changes);
    done.complaints.push(...written.complaints);
    if (plan.changes.length === 0 && plan.complaints.length === 0) return { ...(await told(house, done)), known, sighted };
  }
  return {
    ...(await told(house, done)),
    known: await readKnownLoops(house.journal),
    sighted: before ?? { files: new Map(), known: new Map(), upTo: 0 },
  };
}

/** Who has to know of a spec that is wrong now is told by the channels of the last one that was right. */
async function told<D extends Pick<Looked, "changes">>(house: House, done: D): Promise<D> {
  for (const { kind, loop } of done.changes) if (kind === "wrong" || kind === "mended") await alertNeeds(house, loop);
  return done;
}

async function lookOnce(house: House, { by, accepts = [], before }: LookWish) {
  const home = await readHomePlaces(house.journal);
  const upTo = (await house.journal.head())?.seq ?? 0;
  const knownNow = await readKnownSince(house.journal, before);
  const known = [...knownNow.values()];
  const places = await Promise.all(
    home.places.map(async ({ path }) => ({ path, seen: await house.specFiles.look(path, (name) => isSpecName(name)) })),
  );
  const files = new Map<string, Sight>();
  const reader = createReader(house, known, { accepts, before: before?.files ?? new Map(), sighted: files });
  const seen = await readAll(filesIn(places, home.leftOut), reader);
  const unseen = places.flatMap(({ path, seen: place }) => {
    if (place.kind === "unreadable") return [complaintOf(path, place.why)];
    // A folder that is gone may be a disk that is not there now: only a person says that its loops are no more.
    const isFolder =
      place.kind === "gone" && known.some((loop) => loop.state !== "removed" && loop.path !== path && isWithin(path, loop.path));
    return isFolder ? [complaintOf(path, `there is no such folder any more; bring it back, or take it away with: lw remove ${path}`)] : [];
  });
  const hidden = unseen.map(({ path }) => path);
  const isOutOfSight = (path: string): boolean => !home.leftOut.has(path) && hidden.some((place) => isWithin(place, path));
  const sighted: Sighted = { files, known: knownNow, upTo };
  return {
    known,
    home,
    sighted,
    plan: planLook({ known, complaints: home.wrong, seen, unseen, isOutOfSight, wokenBy: (trigger) => wokenBy(house, trigger), by }),
  };
}

/** A file that is no spec at all may have a problem in every line: the first of them say what it is. */
function tellProblems(problems: Extract<SpecReading, { kind: "refused" }>["problems"]): readonly string[] {
  const told = problems.slice(0, MOST_TOLD).map((problem) => clip(formatProblem(problem)));
  return problems.length > MOST_TOLD ? [...told, `and ${problems.length - MOST_TOLD} more problems; \`lw validate\` shows all`] : told;
}

const clip = (text: string): string => (text.length > MOST_TOLD_CHARS ? `${text.slice(0, MOST_TOLD_CHARS)}…` : text);

/** A part that is gone, or has a bug, says nothing: it is told when its own loop is planned, and stops no other. */
export function wokenBy({ registries }: Pick<House, "registries">, trigger: PartRef): readonly string[] {
  try {
    return wakerOf(registries, trigger).hears.flatMap((hearing) => (hearing.kind === "loop" ? [hearing.loop] : []));
  } catch {
    return [];
  }
}

export const isSpecName = (name: string): boolean => ENDINGS.some((ending) => name.endsWith(ending));

export const isWithin = (place: string, path: string): boolean =>
  path === place || path.startsWith(place.endsWith("/") ? place : `${place}/`);

const complaintOf = (path: string, why: string) => ({ path, problems: [`${path} cannot be looked at: ${why}`] });

interface File {
  readonly path: string;
  readonly real: string;
  readonly stamp: string | undefined;
}

/** Each file once, also where two places lead to it. */
function filesIn(places: readonly { readonly seen: PlaceSeen }[], leftOut: ReadonlySet<string>): readonly File[] {
  const files = new Map<string, File>();
  for (const { seen } of places) {
    const here = seen.kind === "file" ? [seen.file] : seen.kind === "folder" ? seen.files : [];
    for (const file of here) if (!leftOut.has(file.path) && !files.has(file.real)) files.set(file.real, file);
  }
  return [...files.values()];
}

async function readAll(files: readonly File[], reader: (file: File) => Promise<SpecReadAgain>): Promise<readonly SpecSeen[]> {
  const seen: SpecSeen[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    seen.push(...(await Promise.all(some.map(async (file) => ({ path: file.path, reading: await reader(file) })))));
  }
  return seen;
}

/** Reads what may have changed, and nothing else. */
function createReader(
  house: House,
  known: readonly KnownLoop[],
  about: { readonly accepts: readonly string[]; readonly before: ReadonlyMap<string, Sight>; readonly sighted: Map<string, Sight> },
): (file: File) => Promise<SpecReadAgain> {
  const living = new Map(known.flatMap((loop) => (loop.state === "known" ? [[loop.path, loop] as const] : [])));
  let finding: Promise<FindAuthor> | undefined;

  return async ({ path, stamp }) => {
    const holder = living.get(path);
    const good = holder?.good.record;
    const seenBefore = about.before.get(path);
    // Of one that calls others, those may have changed as well: their times are not remembered.
    const calls = loopsNamed(good?.spec).length > 0;
    const sameAs = calls
      ? undefined
      : good?.stamp !== undefined && good.stamp === stamp
        ? good.sha256
        : seenBefore?.stamp === stamp
          ? seenBefore?.sha256
          : undefined;
    if (holder && sameAs !== undefined && sameAs === good?.sha256) {
      if (stamp !== undefined) about.sighted.set(path, { stamp, sha256: sameAs });
      return { kind: "same", loop: holder.loop };
    }
    const read = await house.specFiles.read(path, MOST_SPEC_BYTES);
    if (read.kind === "unreadable") return { kind: "wrong", problems: [`${path} cannot be read: ${read.why}`] };
    const { library, files } = await loadLibrary(house.texts, path, read.text);
    const text = sha256([read.text, ...files.map((file) => file.text)].join("\0"));
    if (stamp !== undefined) about.sighted.set(path, { stamp, sha256: text });
    if (holder && good?.sha256 === text) return { kind: "same", loop: holder.loop };
    if (!about.accepts.some((place) => isWithin(place, path))) {
      finding ??= readUnapproved(house);
      const find = await finding;
      for (const file of [{ path, text: read.text }, ...files]) {
        const author = find(file.path, file.text);
        if (author) return { kind: "wrong", problems: [notAccepted(file.path, author)] };
      }
    }
    const reading = readOne(house, path, read.text, library);
    if (reading.kind === "refused") return { kind: "wrong", problems: tellProblems(reading.problems) };
    return {
      kind: "read",
      spec: reading.spec,
      recorded: asRecorded(house, reading.spec).spec,
      specHash: reading.hash,
      sha256: text,
      stamp,
    };
  };
}

/** A part with a bug makes its own spec wrong, and hides no other. */
function readOne({ registries, clock }: Pick<House, "registries" | "clock">, path: string, text: string, library: Library): SpecReading {
  try {
    return readSpec(path, text, registries, clock.now(), library);
  } catch (error) {
    const problem = `reading it found a bug of ours or of a part: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: "refused", problems: [{ file: path, line: 1, col: 1, path: "", problem, instead: "Tell whoever made the part." }] };
  }
}

const notAccepted = (path: string, { loop, run }: { readonly loop: string; readonly run: string }): string =>
  `its text came in through a proposal of the loop ${loop} that no person approved (lw show ${run}); look at it, then accept it with: lw add ${path}`;

/** What was overtaken is left out: the next look decides anew. */
async function writeDown(
  house: House,
  home: HomePlaces,
  { changes, complaints }: { readonly changes: readonly Change[]; readonly complaints: readonly Complaint[] },
): Promise<Pick<Looked, "changes" | "complaints">> {
  const written: Change[] = [];
  for (let at = 0; at < changes.length; at += TOGETHER) {
    const some = changes.slice(at, at + TOGETHER);
    const answer = await house.journal.append(some.map(lineOf), some.map(onlyAfter));
    if (!isOvertaken(answer)) written.push(...some);
  }
  if (complaints.length === 0) return { changes: written, complaints: [] };
  const lines = complaints.map(
    ({ path, problems }): Line => ({
      ...HOME_PLACE,
      record: problems.length > 0 ? { kind: "loop-wrong", path, problems } : { kind: "loop-removed", path, by: "loopwright" },
    }),
  );
  const answer = await house.journal.append(lines, { in: HOME_PLACE, kinds: PLACING, newest: home.newest });
  return { changes: written, complaints: isOvertaken(answer) ? [] : complaints };
}

const lineOf = ({ loop, record }: Change): Line => ({ loop, run: `${loop}-standing`, record });

const onlyAfter = ({ loop, before }: Change): Only => ({ in: { loop }, kinds: KNOWING, newest: before?.seq ?? 0 });
