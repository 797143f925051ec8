// A comparison of two states of a repository, with the lines that differ worked out.
import type { ChangedFile, ChangeSet, Comparison, FilePair, Side } from "../../contract/change-set.ts";
import { compareTexts } from "./compare-text.ts";

export const changeSetOf = ({ files, blind }: Comparison, seal: readonly string[] = []): ChangeSet => ({
  files: files.map(withHunks),
  blind,
  seal,
});

function withHunks(pair: FilePair): ChangedFile {
  const [before, after] = [textOf(pair.before), textOf(pair.after)];
  const { hunks } = compareTexts({ path: pair.path, before, after });
  return { ...pair, hunks, scope: "whole" };
}

const textOf = (side: Side | undefined): string | undefined => (side?.content.kind === "text" ? side.content.pieces[0]?.text : undefined);
