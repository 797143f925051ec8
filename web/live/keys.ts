// Keys: what a page answers to while it is shown, and the table of all of them.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { go } from "./router.ts";

export interface KeyLine {
  readonly keys: string;
  readonly does: string;
}

/** In the order in which the sheet of keys tells them. */
export const ALL_KEYS: readonly { readonly where: string; readonly lines: readonly KeyLine[] }[] = [
  {
    where: "Everywhere",
    lines: [
      { keys: "g n", does: "Now" },
      { keys: "g i", does: "Inbox" },
      { keys: "g l", does: "Loops" },
      { keys: "g s", does: "Schedule" },
      { keys: "g p", does: "Spend" },
      { keys: "g e", does: "Ledger" },
      { keys: "/", does: "find a loop or run" },
      { keys: "?", does: "this sheet" },
      { keys: "Esc", does: "back, or close" },
      { keys: "j k", does: "next and previous row" },
      { keys: "Enter o", does: "open the row" },
    ],
  },
  {
    where: "Inbox",
    lines: [
      { keys: "x", does: "select, for several at once" },
      { keys: "a", does: "ready to approve; Enter sends" },
      { keys: "r", does: "ready to reject; Enter sends" },
      { keys: "m", does: "ready to amend" },
      { keys: "f", does: "ready to defer" },
      { keys: "w", does: "write why" },
      { keys: "v", does: "the run" },
    ],
  },
  {
    where: "Run",
    lines: [
      { keys: "[ ]", does: "round before and after" },
      { keys: "n p", does: "next and previous finding" },
      { keys: "u", does: "diff unified or side by side" },
      { keys: "d", does: "decide" },
    ],
  },
  { where: "Loop", lines: [{ keys: "x", does: "ready to run now" }] },
  {
    where: "Schedule",
    lines: [
      { keys: "← →", does: "day before and after" },
      { keys: ".", does: "now" },
    ],
  },
];

const PAGES: { readonly [key: string]: string } = { n: "/", i: "/inbox", l: "/loops", s: "/schedule", p: "/spend", e: "/ledger" };
const OFF = "lw-keys-off";

export type KeyTable = { readonly [key: string]: (event: KeyboardEvent) => void };

const tables: KeyTable[] = [];
export const areKeysOff = signal(localStorage.getItem(OFF) === "1");

export function switchKeys(isOff: boolean): void {
  areKeysOff.value = isOff;
  if (isOff) localStorage.setItem(OFF, "1");
  else localStorage.removeItem(OFF);
}

/** The keys of whatever is shown; the one that came last is asked first. */
export function useKeys(table: KeyTable): void {
  const current = useRef(table);
  current.current = table;
  useEffect(() => {
    const asked: KeyTable = new Proxy<KeyTable>({}, { get: (_, key) => current.current[String(key)] });
    tables.push(asked);
    return () => void tables.splice(tables.indexOf(asked), 1);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Enter presses what has the focus; only where that is nothing does it open the row. */
const isPressable = (target: EventTarget | null): boolean => target instanceof Element && target.closest("a, button, summary") !== null;

export function listenToKeys(): void {
  let isAfterG = false;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Escape" && (isField(event.target) || areKeysOff.value)) return;
    if ((event.key === "Enter" || event.key === " ") && isPressable(event.target)) return;
    const page = isAfterG ? PAGES[event.key] : undefined;
    isAfterG = event.key === "g" && !isAfterG;
    if (page) {
      event.preventDefault();
      go(page);
      return;
    }
    // A dialog has its own keys; those below wait until it is closed.
    const isInDialog = document.querySelector("dialog[open]") !== null;
    if (isInDialog) return;
    const answer = tables.toReversed().find((table) => table[event.key])?.[event.key];
    if (!answer) return;
    event.preventDefault();
    answer(event);
  });
}
