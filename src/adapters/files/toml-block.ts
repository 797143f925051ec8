// Puts one table at the end of somebody else's TOML file, between two lines of ours, and takes it out again with every other byte as it was.
import type { Edit } from "./json-entry.ts";

export interface TomlBlock {
  /** The names of the table: `["mcp_servers", "loopwright"]`. */
  readonly table: readonly [outer: string, name: string];
  readonly fields: readonly (readonly [name: string, value: string | readonly string[]])[];
}

const BEGIN = "# Loopwright put this in; `lw mcp uninstall` takes it out.";
const END = "# That was Loopwright's.";
const BLOCK = new RegExp(`\\n?${escaped(BEGIN)}\\n(?:(?!${escaped(END)}).*\\n)*${escaped(END)}\\n`);

export function addBlock(text: string | undefined, block: TomlBlock): Edit<never> {
  if (text === undefined) return { kind: "changed", text: textOf(block) };
  const rest = text.replace(BLOCK, "");
  const why = whyNot(rest, block);
  if (why !== undefined) return { kind: "refused", why };
  const after = rest === "" ? textOf(block) : `${rest}\n${textOf(block)}`;
  // What stands before ours stays where it is, also where somebody wrote on behind it.
  const now = BLOCK.test(text) ? text.replace(BLOCK, (found) => (found.startsWith("\n") ? "\n" : "") + textOf(block)) : after;
  return now === text ? { kind: "unchanged" } : { kind: "changed", text: now };
}

export function removeBlock(text: string, block: TomlBlock): Edit<"removed"> {
  const rest = text.replace(BLOCK, "");
  if (rest === text) {
    const why = whyNot(text, block);
    return why === undefined ? { kind: "unchanged" } : { kind: "refused", why };
  }
  return rest === "" ? { kind: "removed" } : { kind: "changed", text: rest };
}

const textOf = ({ table, fields }: TomlBlock): string =>
  [BEGIN, `[${table.join(".")}]`, ...fields.map(([name, value]) => `${name} = ${written(value)}`), END, ""].join("\n");

/** A basic string of TOML escapes what JSON does. */
const written = (value: string | readonly string[]): string =>
  typeof value === "string" ? JSON.stringify(value) : `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;

/** Why no table of that name can be put at the end. */
function whyNot(text: string, { table: [outer, name] }: TomlBlock): string | undefined {
  if (text.includes("\0") || /"""|'''/.test(text))
    return "it has texts of several lines, in which ours might end up. Put the entry in by hand, then try again";
  const key = (word: string): string => `(?:${escaped(word)}|"${escaped(word)}"|'${escaped(word)}')`;
  const isThere = new RegExp(
    `^[ \\t]*(?:\\[[ \\t]*${key(outer)}[ \\t]*\\.[ \\t]*${key(name)}|${key(outer)}[ \\t]*[=.]|${key(name)}[ \\t]*=)`,
    "m",
  );
  return isThere.test(text)
    ? `something of \`${outer}\` is written there in a way that ours might not fit. Put the entry in by hand, then try again`
    : undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
