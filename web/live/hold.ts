// Rows that stay where they are while somebody reads them: new ones wait, those that are gone stay and say so.

export interface Held<T> {
  readonly rows: readonly { readonly item: T; readonly isGone: boolean }[];
  /** How many wait behind the line above. */
  readonly waiting: number;
}

/** What is shown after fresh rows came in. Values change in place; places change only when nobody is busy with the list. */
export function holdRows<T>(before: Held<T> | undefined, fresh: readonly T[], keyOf: (item: T) => string, isBusy: boolean): Held<T> {
  const keys = new Set(fresh.map(keyOf));
  if (!before || !isBusy) return { rows: fresh.map((item) => ({ item, isGone: false })), waiting: 0 };
  const byKey = new Map(fresh.map((item) => [keyOf(item), item]));
  const rows = before.rows.map(({ item }) => ({ item: byKey.get(keyOf(item)) ?? item, isGone: !keys.has(keyOf(item)) }));
  const shown = new Set(rows.map(({ item }) => keyOf(item)));
  return { rows, waiting: fresh.filter((item) => !shown.has(keyOf(item))).length };
}
