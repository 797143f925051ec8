// What a change did to settings: each name with its value before and after.
import type { ChangeView, FileView } from "../view.ts";
import { readerOf } from "./setting-entries.ts";
import type { Entry } from "./setting-entry.ts";
import { sideLines } from "./side-lines.ts";

export interface SettingChange {
  readonly file: FileView;
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly line: number;
  /** A value that joined or left a list. */
  readonly isItem: boolean;
}

export const settingChangesIn = (view: ChangeView, isWanted: (file: FileView) => boolean): readonly SettingChange[] =>
  view.files.filter(isWanted).flatMap((file) => {
    const changes = known.get(file) ?? settingChanges(file);
    known.set(file, changes);
    return changes;
  });

/** Several rules ask for the same file: it is read once. */
const known = new WeakMap<FileView, readonly SettingChange[]>();

function settingChanges(file: FileView): readonly SettingChange[] {
  const before = entriesOf(file, "before");
  const after = entriesOf(file, "after");
  const [lost, came] = [without(before.filter(isChanged), after), without(after.filter(isChanged), before)];
  const waiting = byPath(came.filter(({ isItem }) => !isItem));
  const taken = new Set<Entry>();
  const gone = lost.map((old): SettingChange => {
    const now = old.isItem ? undefined : waiting.get(old.path)?.shift();
    if (now) taken.add(now);
    return { file, path: old.path, before: old.value, after: now?.value, line: (now ?? old).line, isItem: old.isItem };
  });
  const twins = LAST_WINS.test(file.path) ? byPath(after.filter((entry) => !entry.isChanged && !entry.isItem)) : new Map<string, Entry[]>();
  const added = came
    .filter((entry) => !taken.has(entry))
    .map(({ path, value, line, isItem }): SettingChange => {
      const twin = isItem ? undefined : twins.get(path)?.[0];
      return { file, path, before: twin?.value, after: value, line, isItem };
    });
  return [...gone, ...added];
}

function byPath(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.path);
    if (group) group.push(entry);
    else groups.set(entry.path, [entry]);
  }
  return groups;
}

/** Where a name that is given twice has its last value, so that a second one replaces the first without touching it. */
const LAST_WINS = /(^|\/)(package|composer|deno|tsconfig[^/]*)\.jsonc?$/;

const isChanged = (entry: Entry): boolean => entry.isChanged;

function entriesOf(file: FileView, side: "before" | "after"): readonly Entry[] {
  const read = readerOf((side === "before" ? file.oldPath : undefined) ?? file.path);
  return read ? sideLines(file, side).flatMap(read) : [];
}

/** The entries that the others do not have, each counted as often as it stands there. */
function without(entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  const counts = new Map<string, number>();
  const keyOf = ({ path, value }: Entry): string => `${path}\0${value}`;
  // Only changed ones can cancel changed ones: an entry that stands unchanged beside a new twin does not hide the twin.
  for (const entry of others.filter(isChanged)) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
  return entries.filter((entry) => {
    const left = counts.get(keyOf(entry)) ?? 0;
    counts.set(keyOf(entry), left - 1);
    return left <= 0;
  });
}
