// The small parts that every page is made of: marks, times, hashes, meters, panels, and the states of something that is read.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Meter as MeterView } from "../../src/contract/api.ts";
import type { Resource } from "../live/resource.ts";
import { viewer } from "../live/store.ts";
import { ageOf, exactTime, shortHash, timeOf, untilThen } from "../words/format.ts";
import type { MarkName, Word } from "../words/outcomes.ts";
import { ShownSentence } from "./shown.tsx";

export const Glyph = ({ mark, size = 14 }: { readonly mark: MarkName; readonly size?: number }) => (
  <svg class={mark} aria-hidden="true" width={size} height={size}>
    <use href={`#m-${mark}`} />
  </svg>
);

export const Icon = ({ name, size = 16 }: { readonly name: string; readonly size?: number }) => (
  <svg aria-hidden="true" width={size} height={size}>
    <use href={`#i-${name}`} />
  </svg>
);

/** Shape, word and colour: any one of them may be missing, and it can still be told. */
export const Mark = ({ mark, word }: Word) => (
  <span class={`mark ${mark}`}>
    <Glyph mark={mark} />
    {word}
  </span>
);

export const Tag = ({ children }: { readonly children: ComponentChildren }) => <span class="tag">{children}</span>;

export const When = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at, viewer.value)}>
    {timeOf(at, viewer.value)}
  </time>
);

export const Age = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={exactTime(at, viewer.value)}>
    {ageOf(at, viewer.value.nowMs)}
  </time>
);

export const Until = ({ at }: { readonly at: string }) => (
  <span title={exactTime(at, viewer.value)}>{untilThen(at, viewer.value.nowMs)}</span>
);

/** Seven digits are shown, and all of them are copied. */
export function Hash({ hash, digits = 7 }: { readonly hash: string; readonly digits?: number }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(hash).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <button class="hash copy" type="button" title={`${hash}: copy`} onClick={copy}>
      {isCopied ? "copied".padEnd(digits) : digits === 7 ? shortHash(hash) : hash.slice(0, digits)}
    </button>
  );
}

const SCOPES: { readonly [scope: string]: string } = {
  call: "A call",
  round: "This round",
  run: "This run",
  "loop-day": "This loop today",
  "loop-month": "This loop this month",
  "machine-day": "All loops today",
  "machine-month": "All loops this month",
};
const MEASURES: { readonly [measure: string]: string } = {
  microUsd: "money",
  timeMs: "time",
  cpuMs: "computing time",
  diskBytes: "disk",
  tools: "tool calls",
};

/** Of these words one is enough where all of them are of the same scope. */
export const scopeOf = (scope: string): string => SCOPES[scope] ?? scope;
export const measureOf = (measure: string): string => MEASURES[measure] ?? measure;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Measures of which nothing was taken are told only where people ask for them. */
export const isTelling = ({ measure, taken }: MeterView): boolean =>
  taken > 0 || measure === "microUsd" || measure === "tokens" || measure === "timeMs" || measure === "rounds";

/** Figure of cap above a bar; from 80 % it is near, and at the cap it says so. */
export function Meter({ meter, by }: { readonly meter: MeterView; readonly by: "measure" | "scope" }) {
  const share = meter.most > 0 ? Math.min(1, meter.taken / meter.most) : 1;
  const percent = Math.round(100 * share);
  const label = by === "measure" ? capital(measureOf(meter.measure)) : `${scopeOf(meter.scope)}, ${measureOf(meter.measure)}`;
  const isNear = share >= 0.8;
  return (
    <div class="meter">
      <div class="t">
        <span>{label}</span>
        <span title={meter.from}>
          <b>{meter.takenSays}</b> of {meter.mostSays}
          {share >= 1 ? ", used up" : null}
        </span>
      </div>
      <svg role="img" aria-label={`${label}: ${percent}% used${isNear ? ", near the cap" : ""}`}>
        <rect class="track" x=".5" y=".5" width="99.5%" height="5" rx="2.5" />
        <rect class={isNear ? "near" : "fill"} width={`${percent}%`} height="6" rx="3" />
      </svg>
    </div>
  );
}

/** A button that sends has the focus before somebody looked: whoever goes on typing does not press it with a space. */
export const onlyEnter = {
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key === " ") event.preventDefault();
  },
  onKeyUp: (event: KeyboardEvent): void => {
    if (event.key === " ") event.preventDefault();
  },
};

interface PanelProps {
  readonly title: string;
  readonly count?: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly id?: string;
}

export const Panel = ({ title, count, aside, children, class: more = "", id }: PanelProps) => (
  <section class={`panel ${more}`} aria-label={title} id={id}>
    <header>
      <h2>{title}</h2>
      {count === undefined ? null : <span class="n">{count}</span>}
      {aside === undefined ? null : <span class="aside">{aside}</span>}
    </header>
    {children}
  </section>
);

interface StateProps {
  readonly mark: MarkName;
  readonly says: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly button?: { readonly label: string; readonly press: () => void };
  readonly role?: "status" | "alert";
}

/** What is so, and what to do about it, where it happened. */
export const StateLine = ({ mark, says, children, button, role }: StateProps) => (
  <div class={`state ${mark}`} role={role}>
    <Glyph mark={mark} size={16} />
    <b>{says}</b>
    {button ? (
      <button class="btn" type="button" onClick={button.press}>
        {button.label}
      </button>
    ) : null}
    {children ? <p>{children}</p> : null}
  </div>
);

export const Empty = ({
  says,
  children,
  commands = [],
}: {
  readonly says: string;
  readonly children?: ComponentChildren;
  readonly commands?: readonly string[];
}) => (
  <div class="empty">
    <b>{says}</b>
    {children ? <p>{children}</p> : null}
    {commands.map((command) => (
      <code class="code" key={command}>
        {command}
      </code>
    ))}
  </div>
);

/** Grey where it will stand, and only after a moment: what comes at once needs none. */
export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" aria-busy="true">
      <span class="vh">Reading</span>
      {isLate ? Array.from({ length: rows }, (_, row) => <i key={row} />) : null}
    </div>
  );
}

/** Shows what was read; what failed is said above what is good. */
export function Loaded<T>({
  resource,
  what,
  isPage = false,
  children,
}: {
  readonly resource: Resource<T>;
  readonly what: string;
  /** It is all that the page shows: then its title is said even when it could not be read. */
  readonly isPage?: boolean;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, failed, again } = resource;
  return (
    <>
      {isPage && value === undefined ? <h1 class="vh">{failed ? `${what} could not be read` : what}</h1> : null}
      {failed ? <Failed failed={failed} what={what} again={again} hasValue={value !== undefined} /> : null}
      {value === undefined ? failed ? null : <Skeleton /> : children(value)}
    </>
  );
}

function Failed({
  failed,
  what,
  again,
  hasValue,
}: {
  readonly failed: NonNullable<Resource<unknown>["failed"]>;
  readonly what: string;
  readonly again: () => void;
  readonly hasValue: boolean;
}) {
  const button = { label: "Try again", press: again };
  // While the server is away the frame says so; once is enough.
  if (failed === "unreachable")
    return hasValue ? null : (
      <StateLine mark="unknown" says={`${what} could not be read: the server does not answer.`} button={button}>
        Is lw serve running? It is tried again by itself.
      </StateLine>
    );
  const { message, hint } = failed.refusal.error;
  return (
    <StateLine mark="unknown" says={<ShownSentence text={message} />} button={button}>
      <ShownSentence text={hint} />
    </StateLine>
  );
}
