// The rounds of a run as tracks on one clock: work grey, proofs by outcome, opinions hollow; every step again as a list.
import { useMemo, useState } from "preact/hooks";
import type { RunDocument } from "../../src/contract/api.ts";
import { recordPath } from "../live/router.ts";
import { durationOf, plural } from "../words/format.ts";
import { classOfStep } from "../words/outcomes.ts";
import { plainly } from "../words/shown.ts";
import { clockOf, type Track } from "../words/timeline.ts";
import { Last, Panel } from "./bits.tsx";
import { Shown } from "./shown.tsx";

/** What has no round is base, looked at before the first; or, once somebody said yes, what was done about it after the last. */
const nameOf = (round: number, steps: RunDocument["timeline"]): string => {
  if (round > 0) return `Round ${round}`;
  return steps.some((step) => step.round === 0 && step.kind === "base") ? "Base" : "After";
};

export function Rounds({ timeline, reasons }: Pick<RunDocument, "timeline" | "reasons">) {
  const clock = useMemo(() => clockOf(timeline), [timeline]);
  if (clock.tracks.length === 0) return null;
  return (
    <Panel title="Rounds" aside={<span>{durationOf(clock.wholeMs)}</span>}>
      <div class="time" role="group" aria-label="Timeline of the rounds">
        <Last items={clock.tracks} most={MOST_TRACKS} say={(earlier) => `${plural(earlier, "earlier round")}. Show some of them`}>
          {(tracks) =>
            tracks.map((track) => (
              <div class="grp" key={track.round}>
                <span class="lab">{nameOf(track.round, timeline)}</span>
                <svg
                  class="track"
                  role="img"
                  aria-label={`${nameOf(track.round, timeline)}: ${plural(track.bars.length, "step")}, ${durationOf(track.tookMs)}`}
                >
                  {clock.ticks.map(({ at, ms }) => (
                    <line class="tick" key={ms} x1={`${at}%`} x2={`${at}%`} y1="0" y2="18" />
                  ))}
                  {track.bars.map(({ step, from, width }) => (
                    <g key={step.seq}>
                      <title>{`${plainly(step.step, 80)}${step.outcome ? ` ${step.outcome}` : ""}, ${durationOf(step.tookMs)}`}</title>
                      <rect class={classOfStep(step)} x={`${from}%`} y="4" width={`${width}%`} height="12" rx="2" />
                    </g>
                  ))}
                  <Label track={track} />
                </svg>
                <span class="end dim">{endOf(track.round, reasons)}</span>
              </div>
            ))
          }
        </Last>
        <svg class="axis" aria-hidden="true">
          {clock.ticks.map(({ at, ms }) => (
            <text key={ms} x={`${at}%`} y="12" text-anchor={at > 96 ? "end" : "start"}>
              {ms === 0 ? "0" : durationOf(ms)}
            </text>
          ))}
        </svg>
      </div>
      <Steps timeline={timeline} />
    </Panel>
  );
}

/** Of many rounds the last are drawn, and of many steps the last are listed, once somebody wants to see them. */
const MOST_TRACKS = 24;
const MOST_STEPS = 200;

function Steps({ timeline }: Pick<RunDocument, "timeline">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="steps-list" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="s out">Every step, with its record</summary>
      {isOpen ? (
        <Last items={timeline} most={MOST_STEPS} say={(earlier) => `${plural(earlier, "earlier step")}. Show some of them`}>
          {(steps) => (
            <ul>
              {steps.map((step) => (
                <li key={`${step.seq} ${step.step}`}>
                  <span class="dimmer">{nameOf(step.round, timeline)}</span>
                  <span>
                    <Shown text={step.step} />
                    {step.outcome ? <span class="dim"> {step.outcome}</span> : null}
                  </span>
                  <span class="mono dimmer">{durationOf(step.tookMs)}</span>
                  <a class="link" href={recordPath(step.seq)}>
                    record {step.seq}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Last>
      ) : null}
    </details>
  );
}

/** The longest step says its name under its bar; the others have theirs on hover and in the list. */
function Label({ track }: { readonly track: Track }) {
  const longest = track.bars.toSorted((one, other) => other.width - one.width)[0];
  if (!longest || longest.width < 3) return null;
  return (
    <text class="in" x={`${longest.from}%`} y="28" text-anchor={longest.from > 80 ? "end" : "start"}>
      {plainly(longest.step.step, 24)} {durationOf(longest.step.tookMs)}
    </text>
  );
}

function endOf(round: number, reasons: RunDocument["reasons"]): string {
  const reason = reasons.find((one) => one.round === round);
  if (!reason) return "";
  return reason.because ?? reason.verdict;
}
