// One piece in the text of its file, and out of it again: which pure edit does it, told by the piece's kind.
import { type Block, putBlock, takeBlock } from "../../adapters/files/managed-block.ts";
import { HASHES, MARKDOWN, type Marks } from "../../adapters/files/marks.ts";
import { putFile, takeFile } from "../../adapters/files/own-file.ts";
import { putYamlItem, takeYamlItem } from "../../adapters/files/yaml-item.ts";
import { hookAdapters } from "../../adapters/index.ts";
import { type McpSettings, mcpSettings } from "../../adapters/mcp-settings.ts";
import type { HookAdapter } from "../../contract/adapters.ts";
import type { MarkStyle, Piece } from "../../contract/agents.ts";
import type { Edits, TextEdit } from "../../contract/texts-of-others.ts";
import { shellWord } from "../../std/shell-word.ts";
import { putHooks, takeHooks } from "../hooks/install-hook.ts";
import { wordsFor } from "../hooks/install-mcp.ts";

/** By which loop an agent is judged before it stops, or when it asks. */
export type Stopping = { readonly loop: string } | undefined;

/** Where a piece goes, from the root; undefined where its agent has no settings in a repository. */
export const pathOf = (piece: Piece): string | undefined => {
  if (piece.kind === "hook") return hookAdapterOf(piece)?.settings?.project;
  return piece.kind === "server" ? settingsOf(piece)?.settings.project : piece.path;
};

export function putPiece(text: string | undefined, piece: Piece, edits: Edits, stopping: Stopping): TextEdit {
  switch (piece.kind) {
    case "block": {
      const theirs = text === undefined ? "" : withoutBlock(text, blockOf(piece));
      if (theirs !== undefined && piece.isNeedless?.(theirs) === true) return takePiece(text, piece, edits);
      return putBlock(text, blockOf(piece), edits);
    }
    case "file":
      return putFile(text, piece.body, marksOf(piece.marks), edits);
    case "item":
      return putYamlItem(text, piece);
    case "hook": {
      const adapter = hookAdapterOf(piece)!;
      return putHooks(adapter, text, adapter.stopping && stopping ? { flags: ` --loop ${shellWord(stopping.loop)}` } : undefined);
    }
    case "server": {
      const settings = settingsOf(piece)!;
      return settings.install(text, wordsFor(settings, { scope: "project" }, { loop: stopping?.loop, base: undefined, lookOnly: false }));
    }
  }
}

export function takePiece(text: string | undefined, piece: Piece, edits: Edits): TextEdit {
  if (text === undefined) return { kind: "unchanged" };
  switch (piece.kind) {
    case "block":
      return takeBlock(text, blockOf(piece), edits);
    case "file":
      return takeFile(text, marksOf(piece.marks), edits);
    case "item":
      return takeYamlItem(text, piece);
    case "hook":
      return takeHooks(hookAdapterOf(piece)!, text);
    case "server":
      return settingsOf(piece)!.uninstall(text);
  }
}

const MARKS: { readonly [S in MarkStyle]: Marks } = { markdown: MARKDOWN, hashes: HASHES };
const marksOf = (style: MarkStyle): Marks => MARKS[style];

const blockOf = ({ name, body, marks }: Extract<Piece, { kind: "block" }>): Block => ({ name, body, marks: marksOf(marks) });

/** Undefined where that cannot be told. */
function withoutBlock(text: string, block: Block): string | undefined {
  const edit = takeBlock(text, block, "overwrite");
  if (edit.kind === "changed") return edit.text;
  return edit.kind === "unchanged" ? text : edit.kind === "removed" ? "" : undefined;
}

const hookAdapterOf = ({ adapter }: Extract<Piece, { kind: "hook" }>): HookAdapter | undefined =>
  hookAdapters.find(({ name }) => name === adapter);

const settingsOf = ({ agent }: Extract<Piece, { kind: "server" }>): McpSettings | undefined =>
  mcpSettings.find(({ name }) => name === agent);
