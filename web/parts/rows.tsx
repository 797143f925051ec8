// Lists of runs, and lists whose rows stay where they are while somebody reads them.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import type { RunRow } from "../../src/contract/api.ts";
import { type Held, holdRows } from "../live/hold.ts";
import { useKeys } from "../live/keys.ts";
import { go, loopPath, runPath } from "../live/router.ts";
import { durationOf, microMoneyOf, plural } from "../words/format.ts";
import { wordOfRow } from "../words/outcomes.ts";
import { Mark, When } from "./bits.tsx";
import { ShownName, ShownSentence } from "./shown.tsx";

interface Holding<T> {
  readonly held: Held<T>;
  /** To put on the list, so that it is known who is busy with it. */
  readonly watch: { readonly onPointerEnter: () => void; readonly onPointerLeave: () => void };
  readonly frame: { current: HTMLDivElement | null };
  readonly showAll: () => void;
}

/** New rows wait while the list is pointed at, has the focus, is scrolled away from its top, or something of it is being read. */
export function useHeldRows<T>(fresh: readonly T[], keyOf: (item: T) => string, isRead = false): Holding<T> {
  const isPointed = useRef(false);
  const frame = useRef<HTMLDivElement | null>(null);
  const before = useRef<Held<T> | undefined>(undefined);
  const [, redraw] = useState(0);
  const element = frame.current;
  const isAt = element !== null && (element.contains(document.activeElement) || element.getBoundingClientRect().top < 0);
  // A list without rows is nobody's to read.
  const isBusy = (isRead || isPointed.current || isAt) && (before.current?.rows.length ?? 0) > 0;
  const held = holdRows(before.current, fresh, keyOf, isBusy);
  before.current = held;
  return {
    held,
    frame,
    watch: {
      onPointerEnter: () => {
        isPointed.current = true;
      },
      onPointerLeave: () => {
        isPointed.current = false;
      },
    },
    showAll: () => {
      before.current = undefined;
      redraw((count) => count + 1);
    },
  };
}

export const MoreRows = ({
  waiting,
  say,
  show,
}: {
  readonly waiting: number;
  readonly say: (waiting: number) => string;
  readonly show: () => void;
}) =>
  waiting === 0 ? null : (
    <div class="more">
      <button type="button" onClick={show}>
        {say(waiting)} Show {waiting === 1 ? "it" : "them"}
      </button>
    </div>
  );

/** j and k move through the links of a list that stand first in their rows. */
export function useRowKeys(selector: string): void {
  const move = (step: number): void => {
    const rows = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = rows.indexOf(document.activeElement instanceof HTMLElement ? document.activeElement : (rows[0] ?? document.body));
    const isIn = rows.includes(document.activeElement instanceof HTMLElement ? document.activeElement : document.body);
    rows[isIn ? Math.max(0, Math.min(rows.length - 1, at + step)) : step > 0 ? 0 : rows.length - 1]?.focus();
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    o: () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLAnchorElement) go(`${activeElement.pathname}${activeElement.search}`);
    },
  });
}

export function RunTable({
  rows,
  hasLoop,
  caption,
}: {
  readonly rows: readonly RunRow[];
  readonly hasLoop: boolean;
  readonly caption: string;
}) {
  const { held, frame, watch, showAll } = useHeldRows(rows, ({ run }) => run);
  return (
    <div ref={frame} {...watch}>
      <MoreRows waiting={held.waiting} say={(waiting) => `${plural(waiting, "more run")}.`} show={showAll} />
      <table class="list fix">
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>
            <th class="w-mark">Outcome</th>
            {hasLoop ? <th class="w-name">Loop</th> : null}
            <th>What happened</th>
            <th class="num w-num late">Rounds</th>
            <th class="num w-num late">Took</th>
            <th class="num w-num">Cost</th>
            <th class="num w-time">Rested</th>
          </tr>
        </thead>
        <tbody>
          {held.rows.map(({ item }) => (
            <RunLine key={item.run} row={item} hasLoop={hasLoop} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunLine({ row, hasLoop }: { readonly row: RunRow; readonly hasLoop: boolean }): ComponentChildren {
  return (
    <tr>
      <td class="o1">
        <a class="rowlink" href={runPath(row.run)}>
          <Mark {...wordOfRow(row)} />
        </a>
      </td>
      {hasLoop ? (
        <td class="wide name">
          <a href={loopPath(row.loop)}>
            <ShownName text={row.loop} />
          </a>
        </td>
      ) : null}
      <td class="wide dim">
        <ShownSentence text={row.outcome.says} />
      </td>
      <td class="num hide late">{row.rounds}</td>
      <td class="num hide late">{durationOf(row.workedMs)}</td>
      <td class="num hide" title={row.basis === null ? undefined : row.basis}>
        {microMoneyOf(row.microUsd)}
      </td>
      <td class="num o2">
        <When at={row.outcome.at} />
      </td>
    </tr>
  );
}
