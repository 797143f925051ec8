// Plain values as the text of a file, of which exactly the same is read again.
import { Document, visit } from "yaml";

export type Notation = "yaml" | "json";

export function inNotation(value: unknown, notation: Notation): string {
  if (notation === "json") return `${JSON.stringify(value, null, 2)}\n`;
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && !isTame(node.value)) node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Blocks of YAML lose white space at the ends of lines; what has such is written in quotes. */
const isTame = (text: string): boolean => !/^\s|[ \t]$|[ \t]\n|\n[ \t]|[^\P{C}\n]|\n{3}/u.test(text);
