// What the readers of all forges have in common: lists by pages, and texts without what nobody wrote.
import { LoopError } from "../../../contract/errors.ts";
import type { ForgeItem } from "../../../contract/forge.ts";
import { type Trust, type Untrusted, untrustedText } from "../../../contract/text.ts";
import { displayLine } from "../../../std/display-text.ts";
import { type Fields, fieldsOf, textIn } from "../../../std/json-record.ts";
import type { GetPage, Page } from "./pages.ts";

const MOST_PAGES = 200;
const MOST_BODY_CHARS = 4_000;

/** Where a forge is read, and by whom. */
export interface ForgeAt {
  readonly get: GetPage;
  readonly repo: string;
  readonly host: string;
  readonly nowMs: number;
  readonly hasToken: boolean;
}

export interface Listing {
  readonly all: readonly Fields[];
  /** Whether the server has no more of them. */
  readonly isWhole: boolean;
}

/** Page after page until there are enough. Undefined where there is no such list. */
export async function readList(get: GetPage, path: string, name: string, most: number, inside?: string): Promise<Listing | undefined> {
  const all: Fields[] = [];
  let next: string | undefined = path;
  for (let number = 1; next !== undefined && number <= MOST_PAGES && all.length < most; number++) {
    const page: Page | undefined = await get({ path: next, name: `${name} ${number}` });
    if (!page) return number === 1 ? undefined : { all, isWhole: false };
    all.push(...listIn(inside === undefined ? jsonIn(page, path) : fieldsOf(jsonIn(page, path))?.get(inside), path));
    next = page.next;
  }
  return { all: all.slice(0, most), isWhole: next === undefined && all.length <= most };
}

/** Undefined where there is no such thing. */
export async function readOne(get: GetPage, path: string, name: string): Promise<Fields | undefined> {
  const page = await get({ path, name });
  return page && fieldsOf(jsonIn(page, path));
}

export function jsonIn({ text }: Pick<Page, "text">, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw strange(what);
  }
}

function listIn(value: unknown, what: string): readonly Fields[] {
  if (!Array.isArray(value)) throw strange(what);
  return value.flatMap((one) => fieldsOf(one) ?? []);
}

const strange = (what: string): LoopError =>
  new LoopError(
    "gather-failed",
    `what came for ${what
      .replace(/^https?:\/\/[^/]*/, "")
      .split("?")[0]
      ?.slice(0, 200)} is not what the API promises`,
    {
      retry: "never",
      hint: "Look whether `api` is where its API begins, and whether `forge` says what it is.",
    },
  );

export const missing = (place: string): LoopError =>
  new LoopError("gather-failed", `there is no ${place}, or the token may not know of it`, {
    retry: "never",
    hint: "Look whether it was renamed or deleted, and whether the token may read it; then mend `repo` under `gather`.",
  });

/** The answer was a refusal that the server put in words. */
export const refused = (place: string, said: string | undefined): LoopError =>
  new LoopError("gather-failed", `${place} was not told of: ${displayLine(said ?? "no reason was given", 300)}`, {
    retry: "later",
    hint: "Look at what it says and at the token's rights, then go on with `lw resume`.",
  });

export const fieldIn = (fields: Fields | undefined, ...way: readonly string[]): unknown =>
  way.reduce<unknown>((value, name) => fieldsOf(value)?.get(name), fields ? Object.fromEntries(fields) : undefined);
export const textAt = (fields: Fields | undefined, ...way: readonly string[]): string | undefined => {
  const value = fieldIn(fields, ...way);
  return typeof value === "string" && value !== "" ? value : undefined;
};
export const numberAt = (fields: Fields | undefined, ...way: readonly string[]): number => {
  const value = fieldIn(fields, ...way);
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
};
export const listAt = (fields: Fields | undefined, ...way: readonly string[]): readonly Fields[] => {
  const value = fieldIn(fields, ...way);
  return Array.isArray(value) ? value.flatMap((one) => fieldsOf(one) ?? []) : [];
};

/** An instant as all forges write it, in one form, so that they can be compared as texts; otherwise the beginning of time. */
export function instantIn(fields: Fields, name: string): string {
  const ms = Date.parse(textIn(fields, name) ?? "");
  return new Date(Number.isNaN(ms) ? 0 : ms).toISOString();
}

/** Empty where it is no web address. */
export const webAddress = (text: string | undefined): string =>
  text !== undefined && /^https?:\/\/[^\s\p{Cc}"<>]{1,2000}$/u.test(text) && URL.canParse(text) ? text : "";

export const bodyOf = (text: string | undefined): Pick<ForgeItem, "body"> =>
  text === undefined || text.trim() === "" ? {} : { body: untrustedText(text.slice(0, MOST_BODY_CHARS)) };

/** The end of a log, which says what went wrong. */
export const endOf = (log: Page | undefined, most: number): Pick<ForgeItem, "body"> =>
  log === undefined || most === 0 ? {} : { body: untrustedText(log.text.trimEnd().slice(-most)) };

export const words = (...texts: readonly (string | undefined)[]): Untrusted => untrustedText(texts.filter((text) => text).join(", "));

/** Everybody's words together are worth what those of the least of them are. */
export const leastOf = (trusts: readonly Trust[]): Trust => (trusts.includes("outsider") ? "outsider" : "member");

export const ageOf = (since: string, nowMs: number): string => {
  const days = Math.floor((nowMs - Date.parse(since)) / 86_400_000);
  return days < 1 ? "since today" : `for ${days} day(s)`;
};
