// The notebook: what makers write down for those who come after them. It outlives rounds, runs and processes, and is nobody's order.

import type { Notebook, NoteShown } from "../contract/part-worlds.ts";
import type { Round } from "../contract/round.ts";
import { type Admitted, type Taint, type Untrusted, untrustedText } from "../contract/text.ts";
import { admit } from "../guard/text/admit.ts";
import { type KeptNote, notesIn, recallNotes } from "../journal/notes.ts";
import type { Run } from "./run.ts";

export const MOST_NOTE_CHARS = 2_000;
/** In one round. */
export const MOST_NOTES = 20;
const MOST_FILE_CHARS = 64 * 1024;
/** What is shown at all; the brief may have room for less. */
const MOST_SHOWN = 50;

export interface RoundNotebook extends Notebook {
  /** Takes what a maker left in its file of notes: entries are parted by lines of dashes. */
  takeFile(text: string | undefined): Promise<void>;
}

/** What keeps notes from a round: outsiders' text that it has not read, or files that are hidden from it and that another run could see. */
export interface Reader {
  readonly taint: Taint;
  readonly hidden: readonly string[];
}

/** A note goes on record at once, so that a crash after it loses nothing. What was refused is told by a reason and not by its words. */
export function openNotebook(
  round: Pick<Round, "id">,
  { journal, records }: Pick<Run, "journal" | "records">,
  { taint, hidden }: Reader,
): RoundNotebook {
  const isTainted = taint.kind === "tainted";
  const record = async (kept: readonly Untrusted[], refused: readonly string[]): Promise<void> => {
    if (kept.length + refused.length === 0) return;
    await journal.write({ kind: "noted", roundId: round.id, notes: kept, isTainted, refused });
  };
  const countSoFar = (): number => notesIn(journal.entries).filter(({ roundId }) => roundId === round.id).length;
  return {
    async add(note) {
      const why = countSoFar() >= MOST_NOTES ? `there are ${MOST_NOTES} notes of this round already` : whyRefused(note);
      if (why !== undefined) {
        await record([], [why]);
        return { kind: "refused", why };
      }
      await record([untrustedText(note.trim())], []);
      return { kind: "kept" };
    },
    async read() {
      const all = await recallNotes(records, journal.loop);
      return all
        .filter((note) => (isTainted || !note.isTainted) && (hidden.length === 0 || note.run === journal.run))
        .flatMap(shown)
        .slice(0, MOST_SHOWN);
    },
    async takeFile(text) {
      const space = Math.max(0, MOST_NOTES - countSoFar());
      const entries = entriesOf(text ?? "");
      const weighed = entries.slice(0, space).map((note) => ({ note, why: whyRefused(note) }));
      const tooMany = entries.length > space ? [`${entries.length - space} more than the ${MOST_NOTES} of a round`] : [];
      await record(
        weighed.filter(({ why }) => why === undefined).map(({ note }) => note),
        [...weighed.flatMap(({ why }) => (why === undefined ? [] : [why])), ...tooMany],
      );
    },
  };
}

const entriesOf = (text: string): readonly Untrusted[] =>
  text
    .slice(0, MOST_FILE_CHARS)
    .split(/^-{3,}[ \t]*\r?$/m)
    .map((entry) => untrustedText(entry.trim()))
    .filter((entry) => entry !== "");

function whyRefused(note: Untrusted): string | undefined {
  if (note.trim() === "") return "it is empty";
  if (note.length > MOST_NOTE_CHARS) return `it is longer than ${MOST_NOTE_CHARS} characters`;
  const admission = admitted(note, "a note");
  return admission.kind === "refused" ? admission.why : undefined;
}

/** A maker may have read anything: its words are an outsider's. What is refused by today's rules is not shown, though it was kept once. */
function shown({ roundId, at, text }: KeptNote): readonly NoteShown[] {
  const admission = admitted(text, `notes of ${roundId}`);
  return admission.kind === "refused" ? [] : [{ roundId, at, text: admission.text satisfies Admitted }];
}

const admitted = (note: Untrusted, source: string) => admit(note, { source, trust: "outsider", mostChars: MOST_NOTE_CHARS });
