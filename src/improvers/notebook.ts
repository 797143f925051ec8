// Writes what a round taught into the loop's notebook, where whoever comes after finds it.
import * as z from "zod";
import { defineImprover } from "../contract/improver.ts";
import { untrustedText } from "../contract/text.ts";
import { heedLessons } from "./heed-lessons.ts";

export const notebook = defineImprover({
  name: "notebook",
  summary: "Writes what a round taught into the loop's notebook, with where the primary metric stood.",
  options: z.strictObject({}),
  space: "refused",
  async improve(matter) {
    const heeded = heedLessons({ ...matter, now: { of: {} }, targets: [{ id: "note", role: "", with: {} }] });
    const known = new Set(matter.now.notes ?? []);
    const notes = (heeded.note?.heed ?? [])
      .map((text) => untrustedText(`${text}\n(${matter.standing})`))
      .filter((note) => !known.has(note));
    if (notes.length === 0) return { kind: "nothing", why: "the round taught nothing that is not noted" };
    return { kind: "note", notes, why: `${notes.length} lesson(s)` };
  },
});
