// The notebook: what makers write down for those who come after them. It outlives rounds, runs and processes, and is nobody's order.

import type { Guards } from "../contract/guarding.ts";
import type { NotebookWish } from "../contract/keeping.ts";
import type { Notebook, NoteShown } from "../contract/part-worlds.ts";
import type { Round } from "../contract/round.ts";
import { type Admitted, type Taint, type Untrusted, untrustedText } from "../contract/text.ts";
import { guardsAt, isHeld, passGuards, tellHits } from "../guard/spec-guards.ts";
import { admit } from "../guard/text/admit.ts";
import { asksToWeaken } from "../guard/text/asks-to-weaken.ts";
import { type KeptNote, notesIn, recallNotes } from "../journal/notes.ts";
import { displayLine } from "../std/display-text.ts";
import { parseDuration } from "../std/duration.ts";
import { misfit } from "../std/json-shape.ts";
import type { Run } from "./run.ts";

export const MOST_NOTE_CHARS = 2_000;
/** Of what is kept under a name. */
export const MOST_KEPT_CHARS = 8_000;
/** In one round, and in a team of each worker. */
export const MOST_NOTES = 20;
const MOST_FILE_CHARS = 64 * 1024;
/** What is shown at all; the brief may have room for less. */
const MOST_SHOWN = 50;

export interface RoundNotebook extends Notebook {
  /** Takes what a maker left in its file of notes: entries are parted by lines of dashes, and say under which name where there are names. */
  takeFile(text: string | undefined): Promise<void>;
  /** What is kept under a name, newest first, as much and as old as the spec says. */
  readUnder(name: string, now: Date): Promise<readonly NoteShown[]>;
  /** Whether the writer has written under this name in this round. */
  hasWritten(name: string): boolean;
}

/** What keeps notes from a round: outsiders' text that it has not read, or files that are hidden from it and that another run could see. */
export interface Reader {
  readonly taint: Taint;
  readonly hidden: readonly string[];
}

/** What the spec says about it, and who writes: a worker of a team, or undefined. */
export interface Writing extends NotebookWish {
  readonly worker?: string;
  readonly guards?: Guards | undefined;
}

/** A note goes on record at once, so that a crash after it loses nothing. What was refused is told by a reason and not by its words. */
export function openNotebook(
  round: Pick<Round, "id">,
  { journal, records }: Pick<Run, "journal" | "records">,
  { taint, hidden }: Reader,
  writing: Writing = {},
): RoundNotebook {
  const { keep, keys, worker } = writing;
  const isTainted = taint.kind === "tainted";
  const record = async (kept: readonly Untrusted[], refused: readonly string[], under?: string): Promise<void> => {
    if (kept.length + refused.length === 0) return;
    const whose = { ...(under === undefined ? {} : { under }), ...(worker === undefined ? {} : { by: worker }) };
    await journal.write({ kind: "noted", roundId: round.id, notes: kept, isTainted, refused, ...whose });
  };
  /** Whoever is refused again and again has been told why: the record does not grow with it. */
  const recordRefusal = async (why: string, under?: string): Promise<void> => {
    const told = journal.entries.filter(
      ({ record: one }) => one.kind === "noted" && one.roundId === round.id && one.by === worker && one.refused.length > 0,
    );
    if (told.length < MOST_NOTES) await record([], [why], under);
  };
  const mine = (): readonly KeptNote[] => notesIn(journal.entries).filter(({ roundId, by }) => roundId === round.id && by === worker);
  const isShown = (note: KeptNote): boolean =>
    (isTainted || !note.isTainted) && (hidden.length === 0 || note.run === journal.run) && (keep !== "run" || note.run === journal.run);
  const add: RoundNotebook["add"] = async (written, under) => {
    const passed = passGuards(guardsAt(writing.guards, "note", worker), written);
    const note = untrustedText(passed.text);
    if (isHeld(passed.hits)) {
      await recordRefusal(tellHits(passed.hits));
      return { kind: "refused", why: tellHits(passed.hits) };
    }
    const why = mine().length >= MOST_NOTES ? `there are ${MOST_NOTES} notes of this round already` : whyRefused(note, under, writing);
    if (why !== undefined) {
      // A name that is not the writer's, or is none, is no place to put anything: it stands in the reason.
      await recordRefusal(why, whyForeign(under, writing) === undefined ? under : undefined);
      return { kind: "refused", why };
    }
    await record([untrustedText(note.trim())], [], under);
    return { kind: "kept" };
  };
  return {
    add,
    async read() {
      if (keep === "none") return [];
      const all = await recallNotes(records, journal.loop);
      return all
        .filter((note) => note.under === undefined && isShown(note))
        .flatMap((note) => shown(note))
        .slice(0, MOST_SHOWN);
    },
    async readUnder(name, now) {
      const { most = MOST_SHOWN, rounds = Number.MAX_SAFE_INTEGER, age } = keys?.[name] ?? {};
      const all = (await recallNotes(records, journal.loop)).filter((note) => note.under === name && isShown(note));
      const newest = [...new Set(all.map(({ roundId }) => roundId))].slice(0, rounds);
      const since = age === undefined ? "" : new Date(now.getTime() - (parseDuration(age) ?? 0)).toISOString();
      return all
        .filter(({ roundId, at }) => newest.includes(roundId) && at >= since)
        .flatMap((note) => shown(note))
        .slice(0, most);
    },
    hasWritten: (name) => mine().some(({ under }) => under === name),
    async takeFile(text) {
      const entries = entriesOf(text ?? "");
      if (keys || guardsAt(writing.guards, "note", worker).length > 0) {
        for (const entry of entries.slice(0, MOST_NOTES)) {
          const [, name, rest] = (keys && NAMED.exec(entry)) ?? [];
          await add(untrustedText(rest ?? entry), name);
        }
        if (entries.length > MOST_NOTES) await recordRefusal(tooMany(entries.length - MOST_NOTES));
        return;
      }
      const space = Math.max(0, MOST_NOTES - mine().length);
      const weighed = entries.slice(0, space).map((note) => ({ note, why: whyRefused(note, undefined, writing) }));
      await record(
        weighed.filter(({ why }) => why === undefined).map(({ note }) => note),
        [
          ...weighed.flatMap(({ why }) => (why === undefined ? [] : [why])),
          ...(entries.length > space ? [tooMany(entries.length - space)] : []),
        ],
      );
    },
  };
}

const tooMany = (more: number): string => `${more} more than the ${MOST_NOTES} of a round`;

/** An entry of a file that says under which name it is kept. */
const NAMED = /^key:[ \t]*([\w-]{1,80})[ \t]*\r?\n([\s\S]*)$/;

const entriesOf = (text: string): readonly Untrusted[] =>
  text
    .slice(0, MOST_FILE_CHARS)
    .split(/^-{3,}[ \t]*\r?$/m)
    .map((entry) => untrustedText(entry.trim()))
    .filter((entry) => entry !== "");

function whyRefused(note: Untrusted, under: string | undefined, writing: Writing): string | undefined {
  if (writing.keep === "none") return "this loop keeps no notes";
  const foreign = whyForeign(under, writing);
  if (foreign !== undefined) return foreign;
  if (note.trim() === "") return "it is empty";
  const most = under === undefined ? MOST_NOTE_CHARS : MOST_KEPT_CHARS;
  if (note.length > most) return `it is longer than ${most} characters`;
  const { schema } = (under !== undefined && writing.keys?.[under]) || {};
  const off = schema && misfitOf(note, schema);
  if (off !== undefined) return `it has not the shape of what is kept under ${under}: ${off}`;
  const admission = admitted(note, "a note", most);
  if (admission.kind === "refused") return admission.why;
  return asksToWeaken(note) ? "it says to weaken what judges the work, and whoever reads it next might" : undefined;
}

/** Why somebody may not write under this name. */
function whyForeign(under: string | undefined, { keys, worker }: Writing): string | undefined {
  if (!keys) return under === undefined ? undefined : "the notebook of this loop has no names";
  const there = `there is: ${Object.keys(keys).join(", ")}`;
  if (under === undefined) return `it says no name under which it is kept; ${there}`;
  const key = Object.hasOwn(keys, under) ? keys[under] : undefined;
  if (!key) return `nothing is kept under ${displayLine(under, 80)}; ${there}`;
  return worker !== undefined && key.writes.includes(worker)
    ? undefined
    : `${worker ?? "the maker"} may not write under ${under}: ${key.writes.join(", ")} may`;
}

function misfitOf(text: string, schema: { readonly [word: string]: unknown }): string | undefined {
  try {
    return misfit(JSON.parse(text), schema);
  } catch {
    return "it is no JSON";
  }
}

/** A maker may have read anything: its words are an outsider's. What is refused by today's rules is not shown, though it was kept once. */
function shown({ roundId, at, text, under, by }: KeptNote): readonly NoteShown[] {
  const source = under === undefined ? `notes of ${roundId}` : `${under}, noted by ${by} in ${roundId}`;
  const admission = admitted(text, source, under === undefined ? MOST_NOTE_CHARS : MOST_KEPT_CHARS);
  return admission.kind === "refused" || asksToWeaken(text) ? [] : [{ roundId, at, text: admission.text satisfies Admitted }];
}

const admitted = (note: Untrusted, source: string, mostChars: number) => admit(note, { source, trust: "outsider", mostChars });
