// Puts one item into a list at the top of somebody's YAML and takes it out again: whole lines of our own, and no other byte.
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { TextEdit } from "../../contract/texts-of-others.ts";
import { newlineOf } from "./marks.ts";

export interface YamlItem {
  readonly key: string;
  readonly item: string;
}

/** Behind a comment no reader of YAML looks, and a person sees whose line it is. */
const MARK = " # loopwright";

export function putYamlItem(text: string | undefined, item: YamlItem): TextEdit {
  if (text === undefined) return { kind: "changed", text: `${ownLines(item).join("\n")}\n` };
  const document = parseDocument(text);
  if (document.errors[0]) return refused(`it is no YAML that can be read: ${document.errors[0].message.split("\n")[0]}`);
  const root = document.contents;
  const isEmpty = root === null || (isScalar(root) && root.value === null);
  if (!isEmpty && (!isMap(root) || root.flow === true)) return refused(`it is no list of keys. ${byHand(item)}`);
  const value: unknown = isMap(root) ? root.get(item.key, true) : undefined;
  if (isSeq(value) && value.toJSON().includes(item.item)) return { kind: "unchanged" };
  const edited = value === undefined ? behind(text, ownLines(item)) : isSeq(value) && !value.flow ? intoList(text, value, item) : undefined;
  if (edited === undefined) return refused(`\`${item.key}\` is no list with a line for each item. ${byHand(item)}`);
  return saysTheSame(text, edited, item) ? { kind: "changed", text: edited } : refused(`nothing can be added to it. ${byHand(item)}`);
}

export function takeYamlItem(text: string, item: YamlItem): TextEdit {
  const [key, line] = ownLines(item);
  const hasOurs = linesOf(text).some((one) => one.trim() === line.trim());
  if (!hasOurs) return { kind: "unchanged" };
  // Where somebody put items of their own under our key, the key stays.
  for (const ours of [[key, line], [line]]) {
    const edit = withoutLines(text, ours);
    if (edit.kind === "removed" || saysTheSame(edit.text, text, item)) return edit;
  }
  return refused(`the line of ours cannot be taken out by itself. Take ${JSON.stringify(item.item)} out of \`${item.key}\` by hand`);
}

function withoutLines(text: string, ours: readonly string[]): Extract<TextEdit, { kind: "changed" | "removed" }> {
  const lines = linesOf(text);
  const kept = lines.filter((line) => !ours.some((one) => one.trim() === line.trim()));
  if (kept.length === 0 && text.endsWith("\n")) return { kind: "removed" };
  const rest = kept.join("");
  // The last line had no end before ours came behind it.
  return { kind: "changed", text: lines.at(-1) !== kept.at(-1) && !text.endsWith("\n") ? rest.replace(/\r?\n$/, "") : rest };
}

const ownLines = ({ key, item }: YamlItem): readonly [string, string] => [`${key}:${MARK}`, `  - ${JSON.stringify(item)}${MARK}`];

function behind(text: string, lines: readonly string[]): string {
  const newline = newlineOf(text);
  if (text === "") return lines.join(newline);
  return text.endsWith("\n") ? `${text}${lines.join(newline)}${newline}` : `${text}${newline}${lines.join(newline)}`;
}

/** Behind the line in which the last item ends. */
function intoList(
  text: string,
  list: { readonly items: readonly unknown[]; readonly range?: readonly number[] | null | undefined },
  { item }: YamlItem,
): string | undefined {
  const last: unknown = list.items.at(-1);
  if (!isScalar(last) || !last.range) return undefined;
  const [start, end] = last.range;
  const dash = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const indent = /^[ ]*(?=- *$)/.exec(dash)?.[0];
  if (indent === undefined) return undefined;
  const at = text.indexOf("\n", end);
  const line = `${indent}- ${JSON.stringify(item)}${MARK}`;
  const newline = newlineOf(text);
  return at < 0 ? `${text}${newline}${line}` : `${text.slice(0, at + 1)}${line}${newline}${text.slice(at + 1)}`;
}

/** Whatever the syntax around it is: only this item may have come. */
function saysTheSame(before: string, after: string, { key, item }: YamlItem): boolean {
  const document = parseDocument(after);
  if (document.errors.length > 0) return false;
  const was: unknown = parseDocument(before).toJS() ?? {};
  const is: unknown = document.toJS();
  const fields = typeof was === "object" && was !== null ? { ...was } : {};
  const list: unknown = Reflect.get(fields, key);
  const now: unknown = typeof is === "object" && is !== null ? Reflect.get(is, key) : undefined;
  const others = Array.isArray(now) ? now.toSpliced(now.lastIndexOf(item), 1) : undefined;
  const isOneMore = Array.isArray(now) && now.includes(item) && JSON.stringify(others) === JSON.stringify(list ?? []);
  return isOneMore && JSON.stringify({ ...fields, [key]: now }) === JSON.stringify(is);
}

const linesOf = (text: string): readonly string[] => {
  const bom = text.startsWith("\ufeff") ? ["\ufeff"] : [];
  return [...bom, ...(text.slice(bom.length).match(/[^\n]*\n|[^\n]+$/g) ?? [])];
};

const byHand = ({ key, item }: YamlItem): string => `Add ${JSON.stringify(item)} to \`${key}\` by hand`;
const refused = (why: string): TextEdit => ({ kind: "refused", why });
