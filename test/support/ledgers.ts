// Asks of a ledger, for tests: one loop, one measure, caps of dollars where they are named.
import type { Cap, Owner, ScopeName } from "../../src/contract/ledger.ts";
import type { Ask } from "../../src/journal/journal.ts";

export const capOf = (scope: ScopeName, most: number): Cap => ({ scope, measure: "microUsd", most, written: `${most}`, from: "test" });

export const askFor = (microUsd: number, about: Partial<Ask> = {}): Ask => ({
  roundId: "r.1",
  purpose: "a call",
  who: { maker: "shell", model: "m" },
  wanted: { microUsd, calls: 1 },
  caps: [],
  today: "2026-03-28",
  owner: { pid: 1 },
  isGone: () => false,
  ...about,
});

export const goneWhen =
  (...pids: readonly number[]): ((owner: Owner) => boolean) =>
  ({ pid }) =>
    pids.includes(pid);
