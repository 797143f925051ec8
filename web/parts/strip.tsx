// The last thirty outcomes of a loop in one line: proven goes up, refused down, oldest left. Arrow keys walk it.
import { useState } from "preact/hooks";
import type { Outcome, OutcomeKind } from "../../src/contract/api.ts";
import { go, runPath } from "../live/router.ts";
import { viewer } from "../live/store.ts";
import { listOf, timeOf } from "../words/format.ts";
import { wordOfOutcome } from "../words/outcomes.ts";
import { plainly } from "../words/shown.ts";

/** Marks without a cell of their own are drawn by the one that is nearest in meaning. */
function cellOf(kind: OutcomeKind): string {
  const { mark } = wordOfOutcome(kind);
  return mark === "unknown" ? "skipped" : mark;
}

/** How many there are of each, most important first. */
export function countOutcomes(outcomes: readonly Outcome[]): readonly { readonly kind: OutcomeKind; readonly count: number }[] {
  const counts = new Map<OutcomeKind, number>();
  for (const { kind } of outcomes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).toSorted((one, other) => other.count - one.count);
}

export const namedCounts = (outcomes: readonly Outcome[]): string =>
  listOf(countOutcomes(outcomes).map(({ kind, count }) => `${count} ${wordOfOutcome(kind).word}`));

export function Strip({ outcomes, isBig }: { readonly outcomes: readonly Outcome[]; readonly isBig?: boolean }) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const shown = outcomes.slice(-30);
  const start = 30 - shown.length;
  const name = shown.length === 0 ? "No runs yet." : `Last ${shown.length}, oldest first: ${namedCounts(shown)}.`;
  const picked = at === undefined ? undefined : shown[at];
  const walk = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (event.key === "Enter" && picked?.run) go(runPath(picked.run));
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    setAt(Math.max(0, Math.min(shown.length - 1, (at ?? shown.length) + step)));
  };
  const drawn = (
    <svg class={isBig ? "strip big" : "strip"} viewBox="0 0 240 22" role="img" aria-label={name}>
      <path class="base" d="M0 11h240" />
      {shown.map(({ kind, seq }, index) => (
        <use key={seq} href={`#s-${cellOf(kind)}`} x={8 * (start + index)} width="8" height="22" />
      ))}
      {at === undefined ? null : <rect class="picked" x={8 * (start + at)} y=".5" width="8" height="21" rx="1" />}
    </svg>
  );
  if (!isBig) return drawn;
  return (
    <div
      class="walk"
      role="group"
      tabIndex={0}
      aria-label="Outcomes, arrow keys move, Enter opens"
      onKeyDown={walk}
      onBlur={() => setAt(undefined)}
    >
      {drawn}
      <p class="s dim walked" aria-live="polite">
        {picked ? `${timeOf(picked.at, viewer.value)} ${wordOfOutcome(picked.kind).word}: ${plainly(picked.says, 160)}` : " "}
      </p>
    </div>
  );
}
