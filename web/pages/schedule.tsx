// Schedule: did everything wake? A lane for each loop, and every waking with its reason.
import type { Lane, LaneMark, ScheduleDocument } from "../../src/contract/api.ts";
import { useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { choose, loopPath, place, runPath } from "../live/router.ts";
import { viewer } from "../live/store.ts";
import { Empty, Loaded, Mark, Panel, When } from "../parts/bits.tsx";
import { Shown, ShownName, ShownSentence } from "../parts/shown.tsx";
import { countOf, dayOf, plural, timeOf } from "../words/format.ts";
import { hoursOf, type LaneSpan, otherDay, placeMarks } from "../words/lanes.ts";
import { wordOfLane } from "../words/outcomes.ts";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function SchedulePage() {
  const day = place.value.query.get("day");
  const document = useResource<ScheduleDocument>(
    `/api/schedule?zone=${encodeURIComponent(zone)}${day ? `&day=${encodeURIComponent(day)}` : ""}`,
  );
  const move = (by: number): void => {
    if (document.value) choose({ day: otherDay(document.value.day, by) });
  };
  useKeys({ ArrowLeft: () => move(-1), ArrowRight: () => move(1), ".": () => choose({ day: undefined }) });
  return (
    <div class="page">
      <Loaded resource={document} what="The schedule" isPage>
        {(value) => (
          <>
            <div class="head">
              <div>
                <h1>
                  <Shown text={value.says} />
                </h1>
                <Tally tally={value.tally} />
              </div>
              <div class="acts">
                <button class="btn" type="button" onClick={() => move(-1)}>
                  Day before <kbd>←</kbd>
                </button>
                <button class="btn" type="button" onClick={() => move(1)}>
                  Day after <kbd>→</kbd>
                </button>
                <button class="btn" type="button" onClick={() => choose({ day: undefined })}>
                  Go to now <kbd>.</kbd>
                </button>
              </div>
            </div>
            <div class="stack">
              {value.lanes.length === 0 ? (
                <section class="panel" aria-label="Lanes of loops">
                  <Empty says="Nothing woke that day, and nothing was due.">
                    A loop with a schedule in its spec shows here, whether it ran or not.
                  </Empty>
                </section>
              ) : (
                <Lanes document={value} />
              )}
              <Wakings document={value} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Tally({ tally }: { readonly tally: ScheduleDocument["tally"] }) {
  return (
    <p class="lead tally">
      <Mark mark="step" word={`${tally.ran} ran`} />
      <Mark mark="skipped" word={`${tally.skipped} skipped`} />
      <Mark mark="missed" word={`${tally.missed} missed`} />
      <Mark mark="nothing" word={`${tally.coalesced} joined`} />
      {tally.failed > 0 ? <Mark mark="unknown" word={`${tally.failed} failed`} /> : null}
      <Mark mark="planned" word={`${tally.planned} planned`} />
    </p>
  );
}

function Lanes({ document }: { readonly document: ScheduleDocument }) {
  const span = { fromMs: Date.parse(document.from), toMs: Date.parse(document.to) };
  const hours = hoursOf(span, 2);
  const now = document.now === null ? undefined : (100 * (Date.parse(document.now) - span.fromMs)) / (span.toMs - span.fromMs);
  const otherwise = document.lanes
    .flatMap(({ marks }) => marks)
    .filter(({ kind }) => kind === "skipped" || kind === "missed" || kind === "failed");
  return (
    <>
      <section class="panel lanes" aria-label="Lanes of loops">
        <div class="hours">
          <span>{dayOf(document.from, viewer.value)}</span>
          <svg aria-hidden="true">
            {hours
              .filter(({ at }) => now === undefined || Math.abs(at - now) > 4)
              .map(({ at, ms }) => (
                <text key={ms} x={`${at}%`} y="20" text-anchor="middle">
                  {hourOf(ms)}
                </text>
              ))}
            {now === undefined ? null : (
              <text class="nowtext" x={`${now}%`} y="20" text-anchor={now > 96 ? "end" : now < 4 ? "start" : "middle"}>
                {hourOf(Date.parse(document.now ?? ""))}
              </text>
            )}
          </svg>
        </div>
        {document.lanes.map((lane) => (
          <LaneLine key={lane.loop} lane={lane} span={span} now={now} hours={hours.map(({ at }) => at)} />
        ))}
      </section>
      <section class="panel onelane" aria-label="What went otherwise">
        <div class="lane">
          <a href="#wakings">
            {otherwise.length === 0 ? "Nothing went otherwise" : `${plural(otherwise.length, "waking")} went otherwise`}
          </a>
          <Track marks={otherwise} span={span} now={now} hours={[]} name="What was skipped, missed or failed" />
        </div>
        <div class="span">
          <span>{hourOf(span.fromMs)}</span>
          <span>{hourOf(span.toMs)}</span>
        </div>
      </section>
    </>
  );
}

const hourOf = (ms: number): string => timeOf(new Date(ms).toISOString(), { nowMs: ms, zone: undefined });

const LaneLine = ({
  lane,
  span,
  now,
  hours,
}: {
  readonly lane: Lane;
  readonly span: LaneSpan;
  readonly now: number | undefined;
  readonly hours: readonly number[];
}) => (
  <div class="lane">
    <a href={loopPath(lane.loop)}>
      <span class="cut">
        <Shown text={lane.loop} />
      </span>
      <small class="cut">{timesIn(lane.marks)}</small>
    </a>
    <Track marks={lane.marks} span={span} now={now} hours={hours} name={`${timesIn(lane.marks)}, listed below`} />
  </div>
);

interface TrackProps {
  readonly marks: readonly LaneMark[];
  readonly span: LaneSpan;
  readonly now: number | undefined;
  readonly hours: readonly number[];
  readonly name: string;
}

const Track = ({ marks, span, now, hours, name }: TrackProps) => (
  <svg class="track" role="img" aria-label={name}>
    {hours.map((at) => (
      <line class="h" key={at} x1={`${at}%`} x2={`${at}%`} y1="0" y2="100%" />
    ))}
    <line class="mid" x1="0" x2={`${now ?? 100}%`} y1="50%" y2="50%" />
    {now === undefined ? null : (
      <>
        <line class="mid plan" x1={`${now}%`} x2="100%" y1="50%" y2="50%" />
        <line class="nowline" x1={`${now}%`} x2={`${now}%`} y1="0" y2="100%" />
      </>
    )}
    {placeMarks(marks, span).map(({ mark, at, width, others }, index) => {
      const word = wordOfLane(mark);
      return (
        <g class={`m ${word.mark}`} key={index}>
          <title>{`${hourOf(Date.parse(mark.at))} ${word.word}${others > 0 ? `, and ${others} more` : ""}`}</title>
          {width > 0.2 ? <rect class="bar" x={`${at}%`} y="18" width={`${width}%`} height="14" rx="3" /> : null}
          <svg aria-hidden="true" x={`${at}%`} y="50%" overflow="visible">
            <circle class="halo" r="8.5" />
            <svg aria-hidden="true" x="-7" y="-7" width="14" height="14">
              <use href={`#m-${word.mark}`} />
            </svg>
            {others > 0 ? (
              <text class="others" x="8" y="-4">
                {others + 1}
              </text>
            ) : null}
          </svg>
        </g>
      );
    })}
  </svg>
);

function Wakings({ document }: { readonly document: ScheduleDocument }) {
  const wakings = document.lanes
    .flatMap(({ loop, marks }) => marks.map((mark) => ({ loop, mark })))
    .filter(({ mark }) => mark.kind !== "planned")
    .toSorted((one, other) => other.mark.at.localeCompare(one.mark.at));
  const planned = document.lanes
    .flatMap(({ loop, marks }) => marks.map((mark) => ({ loop, mark })))
    .filter(({ mark }) => mark.kind === "planned")
    .toSorted((one, other) => one.mark.at.localeCompare(other.mark.at));
  return (
    <Panel
      title="Wakings"
      id="wakings"
      count="latest first"
      aside={document.left > 0 ? <span>{plural(document.left, "more")} are not shown; ask by loop</span> : undefined}
    >
      {wakings.length === 0 ? <Empty says="None yet that day." /> : null}
      {wakings.length > 0 ? <WakingTable rows={wakings.slice(0, 300)} caption="Wakings of the day, latest first" /> : null}
      {planned.length > 0 ? (
        <>
          <header class="sub-header">
            <h3>Planned</h3>
          </header>
          <WakingTable rows={planned.slice(0, 100)} caption="Planned, soonest first" />
        </>
      ) : null}
    </Panel>
  );
}

const WakingTable = ({
  rows,
  caption,
}: {
  readonly rows: readonly { readonly loop: string; readonly mark: LaneMark }[];
  readonly caption: string;
}) => (
  <table class="list fix">
    <caption class="vh">{caption}</caption>
    <thead>
      <tr>
        <th class="w-time">Due</th>
        <th class="w-mark">What came of it</th>
        <th class="w-name">Loop</th>
        <th>Why</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ loop, mark }, index) => (
        <tr key={index}>
          <td class="o2">
            <When at={mark.at} />
          </td>
          <td class="o1">
            {mark.run ? (
              <a class="rowlink" href={runPath(mark.run)}>
                <Mark {...wordOfLane(mark)} />
              </a>
            ) : (
              <Mark {...wordOfLane(mark)} />
            )}
          </td>
          <td class="wide name">
            <a href={loopPath(loop)}>
              <ShownName text={loop} />
            </a>
          </td>
          <td class="wide dim">
            <ShownSentence text={mark.says} />
            {mark.covers > 0 ? <span class="dimmer"> It stands for {plural(mark.covers, "more slot")}.</span> : null}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What is still to come has not woken. */
function timesIn(marks: readonly LaneMark[]): string {
  const planned = marks.filter(({ kind }) => kind === "planned").length;
  const past = marks.length - planned;
  return [past > 0 || planned === 0 ? plural(past, "time") : "", planned > 0 ? `${countOf(planned)} to come` : ""]
    .filter(Boolean)
    .join(", ");
}
