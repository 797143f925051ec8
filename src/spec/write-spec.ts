// Writes a spec as text for people: in a settled order, with a comment on every choice.
import { Document, type Node, Pair, Scalar, YAMLMap } from "yaml";
import { compact, printDocument } from "./print-document.ts";

export interface SpecField {
  readonly key: string;
  readonly value: unknown;
  /** Why it is so; above the field. */
  readonly comment: readonly string[];
}

export function writeSpec(opening: readonly string[], fields: readonly SpecField[]): string {
  const document = new Document();
  const map = new YAMLMap<Scalar, Node>();
  for (const { key, value, comment } of fields) {
    const name = new Scalar(key);
    if (comment.length > 0) name.commentBefore = asComment(comment);
    map.items.push(new Pair(name, compact(document.createNode(value))));
  }
  document.contents = map;
  document.commentBefore = asComment(opening);
  return printDocument(document);
}

const asComment = (lines: readonly string[]): string => lines.map((line) => ` ${line.replaceAll(/[\r\n]+/g, " ")}`).join("\n");
