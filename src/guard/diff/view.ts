// A change with everything that rules ask of it worked out once: languages, roles, syntax trees.

import type { ChangedFile, ChangeSet, Line, Piece } from "../../contract/change-set.ts";
import type { Language, Syntax, SyntaxTree } from "../../contract/syntax.ts";
import { parseFragment } from "./fragment.ts";
import { languageOf } from "./languages.ts";
import { type Role, roleOf } from "./roles.ts";

/** A piece with its tree. Lines of the tree count from `line`; places in it are places in `text`, which may have been mended to parse. */
export interface ParsedPiece {
  readonly line: number;
  readonly text: string;
  readonly tree: SyntaxTree;
}

export interface FileView extends ChangedFile {
  readonly role: Role;
  readonly language: Language | undefined;
  /** The trees of one side; none where there is no grammar for it. */
  readonly trees: (side: "before" | "after") => readonly ParsedPiece[];
  readonly removed: readonly Line[];
  readonly added: readonly Line[];
}

export interface ChangeView {
  readonly files: readonly FileView[];
  readonly set: ChangeSet;
}

export function viewChanges(set: ChangeSet, syntax: Syntax): ChangeView {
  return { files: set.files.map((file) => viewFile(file, syntax)), set };
}

/** The grammars that looking at this change takes. */
export const languagesIn = (set: ChangeSet): ReadonlySet<Language> =>
  new Set(set.files.flatMap(({ path, oldPath }) => [path, oldPath ?? path].flatMap((name) => languageOf(name) ?? [])));

function viewFile(file: ChangedFile, syntax: Syntax): FileView {
  const lines = file.hunks.flatMap((hunk) => hunk.lines);
  const language = languageOf(file.path);
  const parsed = new Map<"before" | "after", readonly ParsedPiece[]>();
  return {
    ...file,
    role: roleOf(file.path),
    language,
    removed: lines.filter(({ kind }) => kind === "removed"),
    added: lines.filter(({ kind }) => kind === "added"),
    trees: (side) => {
      const known = parsed.get(side);
      if (known) return known;
      const made = parsePieces(
        piecesOf(file, side),
        file.scope,
        side === "before" ? languageOf(file.oldPath ?? file.path) : language,
        syntax,
      );
      parsed.set(side, made);
      return made;
    },
  };
}

export function piecesOf(file: ChangedFile, side: "before" | "after"): readonly Piece[] {
  const content = file[side]?.content;
  return content?.kind === "text" ? content.pieces : [];
}

function parsePieces(
  pieces: readonly Piece[],
  scope: ChangedFile["scope"],
  language: Language | undefined,
  syntax: Syntax,
): readonly ParsedPiece[] {
  if (!language) return [];
  return pieces.flatMap((piece) => {
    if (scope === "hunks") return parseFragment(piece, language, syntax) ?? [];
    const tree = syntax.parse(language, piece.text);
    return tree ? [{ ...piece, tree }] : [];
  });
}
