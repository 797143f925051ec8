// What lessons come to as words to heed, by rule: the newest, each once, without what the spec wants to keep out. Pure.
import type { Change } from "../contract/improve.ts";
import type { ImproveMatter } from "../contract/improver.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";

const MOST_HEEDED = 10;
const MOST_CHARS = 500;

export function heedLessons({ targets, now, lessons, keep }: ImproveMatter): { readonly [target: string]: Change } {
  const fresh = lessons.flatMap((lesson) => withoutKept(lesson, keep));
  return Object.fromEntries(
    targets.map(({ id }) => {
      const before = now.of[id] ?? {};
      const heed = [...new Set([...(before.heed ?? []), ...fresh])].slice(-MOST_HEEDED);
      return [id, heed.length === 0 ? before : { ...before, heed }];
    }),
  );
}

/** Lines that speak of something that is to be kept are left out. */
function withoutKept(lesson: Untrusted, keep: readonly string[]): readonly Untrusted[] {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, " ");
  const lines = lesson.split("\n").filter((line) => !keep.some((name) => plain(line).includes(plain(name))));
  const text = lines.join("\n").trim();
  return text === "" ? [] : [untrustedText(text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text)];
}

/** Whether a change says the same as what counts already. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
