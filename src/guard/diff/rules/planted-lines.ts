// Files of a change by name, and the lines that were added to them.
import type { ChangeView, FileView } from "../view.ts";
import { LONGEST_LINE } from "./side-lines.ts";

export const named = (view: ChangeView, pattern: RegExp): readonly FileView[] => view.files.filter(({ path }) => pattern.test(path));
/** The added lines of a file that a pattern finds. */
export const addedLines = (file: FileView, pattern: RegExp): readonly { readonly line: number; readonly text: string }[] =>
  file.added.filter(({ text }) => pattern.test(text.slice(0, LONGEST_LINE))).map(({ after, text }) => ({ line: after, text }));

/** What to show of a file that is new as a whole. */
export const firstAdded = ({ added }: FileView): { readonly after?: string } => (added[0] ? { after: added[0].text } : {});
