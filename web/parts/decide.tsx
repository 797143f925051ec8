// The decision bar: what a yes will do, the buttons, and what came of it. No single key decides: the first arms, the second sends.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DecisionAnswer, InboxCard, Refusal, Rehearsal, StandingAnswer, Who } from "../../src/contract/api.ts";
import { type Answer, send } from "../live/api.ts";
import { useKeys } from "../live/keys.ts";
import { useResource } from "../live/resource.ts";
import { canDecide, connection, health, isStale, nowMs, viewer } from "../live/store.ts";
import { bodyOf, isCarriedOut, LABELS, timesToDefer, type Wish, whyOff, wishesOf } from "../words/deciding.ts";
import { shortHash, timeOf } from "../words/format.ts";
import type { MarkName } from "../words/outcomes.ts";
import { onlyEnter, StateLine } from "./bits.tsx";
import { Shown } from "./shown.tsx";

interface DecideProps {
  /** As it was shown when it was opened: a decision is about this. */
  readonly card: InboxCard;
  /** As it is now; null where it waits no more. */
  readonly now: InboxCard | null;
  readonly who: Who | undefined;
  /** Whether what it changes is there to be looked at: nobody says yes to what is not. */
  readonly isShown: boolean;
  readonly onDecided: (says: string) => void;
  readonly onShowNow: () => void;
}

type Doing =
  | { readonly kind: "idle" }
  /** `lacks`: why it could not be sent as it was. */
  | { readonly kind: "armed"; readonly wish: Wish; readonly lacks?: string }
  | { readonly kind: "sending"; readonly wish: Wish }
  | { readonly kind: "refused"; readonly says: string; readonly hint: string }
  | { readonly kind: "done"; readonly says: string; readonly mark: MarkName };

export function Decide({ card, now, who, isShown, onDecided, onShowNow }: DecideProps) {
  const [doing, setDoing] = useState<Doing>({ kind: "idle" });
  const [why, setWhy] = useState("");
  const times = timesToDefer(nowMs.value);
  const [deferBy, setDeferBy] = useState(0);
  const confirm = useRef<HTMLButtonElement>(null);
  const reason = useRef<HTMLTextAreaElement>(null);
  const rehearsal = useResource<Rehearsal>(
    card.kind === "proposal" ? `/api/runs/${encodeURIComponent(card.id)}/rehearsal` : null,
    ({ run }) => run === card.id,
  );
  const off = whyOff({
    isLive: canDecide.value || connection.value.kind === "live",
    isReadOnly: health.value?.isReadOnly ?? false,
    shownTree: card.tree,
    card: now,
  });
  const wishes = wishesOf(card);
  const isBarred = (rehearsal.value?.barred ?? null) !== null || !isShown;
  const arm = (wish: Wish): void => {
    if (off !== undefined || doing.kind === "sending" || !wishes.includes(wish) || (wish === "approve" && isBarred)) return;
    // What it would do may have changed since it was asked.
    rehearsal.again();
    setDoing({ kind: "armed", wish });
  };
  const armed = doing.kind === "armed" ? doing.wish : undefined;
  useLayoutEffect(() => {
    if (armed === undefined) return;
    if ((armed === "reject" || armed === "answer") && why.trim() === "") reason.current?.focus();
    else confirm.current?.focus();
  }, [armed]);
  useEffect(() => {
    if (off !== undefined && doing.kind === "armed") setDoing({ kind: "idle" });
  }, [off]);
  const press = async (wish: Wish): Promise<void> => {
    const draft = { why, until: times[deferBy]?.until ?? "" };
    const body = wish === "resume" ? { wish: "resume", why: why.trim() } : bodyOf(wish, card.tree, draft);
    if (typeof body === "string") {
      setDoing({ kind: "armed", wish, lacks: body });
      reason.current?.focus();
      return;
    }
    setDoing({ kind: "sending", wish });
    const path =
      wish === "resume" ? `/api/loops/${encodeURIComponent(card.loop)}/standing` : `/api/runs/${encodeURIComponent(card.id)}/decision`;
    const answer = await send<DecisionAnswer | StandingAnswer>(path, body);
    const came = outcomeOf(answer, wish, draft.until);
    setDoing(came);
    if (came.kind === "done") {
      setWhy("");
      onDecided(came.says);
    }
    rehearsal.again();
  };
  const byKey =
    (key: string): (() => void) =>
    () => {
      const wish = wishes.find((one) => LABELS[one].key === key);
      if (wish) arm(wish);
    };
  useKeys({
    a: byKey("a"),
    r: byKey("r"),
    m: byKey("m"),
    f: byKey("f"),
    w: () => reason.current?.focus(),
    Escape: () => {
      if (doing.kind === "armed") setDoing({ kind: "idle" });
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
  });
  return (
    <div class="decide" role="group" aria-label="Decide">
      <div class="came" role="status">
        {doing.kind === "done" ? <StateLine mark={doing.mark} says={<Shown text={doing.says} />} /> : null}
        {doing.kind === "refused" ? (
          <StateLine mark="waiting" says={<Shown text={doing.says} />} button={{ label: "Show it as it is now", press: onShowNow }}>
            <Shown text={doing.hint} />
          </StateLine>
        ) : null}
        {doing.kind === "armed" && doing.lacks !== undefined ? <StateLine mark="waiting" says={doing.lacks} /> : null}
        {off === "tree-changed" && doing.kind !== "refused" ? (
          <StateLine
            mark="waiting"
            says="The tree changed while you read."
            button={{ label: "Show what is proposed now", press: onShowNow }}
          >
            You looked at {shortHash(card.tree ?? "")}; {shortHash(now?.tree ?? "nothing")} is proposed now. Nothing moved.
          </StateLine>
        ) : null}
        {off === "waits-no-more" && doing.kind !== "done" && doing.kind !== "refused" ? (
          <StateLine mark="unknown" says="It waits no more: somebody decided, or it was taken back." />
        ) : null}
        {wishes.length === 0 ? <StateLine mark="unknown" says={<Shown text={`Nothing is decided here. Next: ${card.next}`} />} /> : null}
        {off === "read-only" ? (
          <StateLine mark="unknown" says="This server shows and decides nothing. Use lw approve where lw runs." />
        ) : null}
      </div>
      {off === "read-only" || doing.kind === "done" || wishes.length === 0 ? null : (
        <>
          {card.kind === "proposal" ? <Will rehearsal={rehearsal.value} /> : null}
          {isShown ? null : <p class="barred">Its diff is not shown: until it is, nobody can say yes to it here.</p>}
          <form
            class="row"
            onSubmit={(event) => {
              event.preventDefault();
              if (armed) void press(armed);
            }}
          >
            {armed === undefined ? (
              wishes.map((wish, index) => (
                <button
                  key={wish}
                  class={index === 0 ? "btn first" : "btn"}
                  type="button"
                  disabled={off !== undefined || doing.kind === "sending" || (wish === "approve" && isBarred)}
                  onClick={() => arm(wish)}
                >
                  {doing.kind === "sending" && doing.wish === wish ? "Sending" : LABELS[wish].label} <kbd>{LABELS[wish].key}</kbd>
                </button>
              ))
            ) : (
              <>
                <button ref={confirm} class="btn first" type="submit" {...onlyEnter}>
                  {LABELS[armed].sure} {armed === "approve" && card.tree ? shortHash(card.tree) : ""} <kbd>Enter</kbd>
                </button>
                {armed === "defer" ? (
                  <select
                    class="field"
                    aria-label="Until when"
                    value={deferBy}
                    onChange={(event) => setDeferBy(Number(event.currentTarget.value))}
                  >
                    {times.map(({ label }, index) => (
                      <option key={label} value={index}>
                        {label}
                      </option>
                    ))}
                  </select>
                ) : null}
                <button class="btn" type="button" onClick={() => setDoing({ kind: "idle" })}>
                  Not now <kbd>Esc</kbd>
                </button>
              </>
            )}
            <textarea
              ref={reason}
              rows={1}
              aria-label={card.kind === "question" ? "Your answer" : "Why, for the record"}
              placeholder={
                card.kind === "question" ? "Your answer" : wishes.includes("reject") ? "Why (a no needs it)" : "Why, for the record"
              }
              value={why}
              onInput={(event) => setWhy(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.shiftKey || !armed) return;
                event.preventDefault();
                void press(armed);
              }}
            />
          </form>
        </>
      )}
      <p class="bound">
        {card.tree === null ? (
          "It counts for this run. "
        ) : (
          <>
            Counts for tree <code class="hash">{card.tree.slice(0, 12)}</code> only.{" "}
          </>
        )}
        {who ? (
          <>
            On record as{" "}
            <b>
              <Shown text={who.name} />
            </b>
            , <Shown text={who.how} />.
          </>
        ) : null}
        {isStale.value ? " Decisions are off until the server is back." : ""}
      </p>
    </div>
  );
}

function outcomeOf(answer: Answer<DecisionAnswer | StandingAnswer>, wish: Wish, until: string): Doing {
  if (answer.kind === "ok" && wish === "defer")
    return { kind: "done", says: `Deferred until ${timeOf(until, viewer.value)}. It comes back then.`, mark: "step" };
  if (answer.kind === "ok") {
    const isYes = wish === "approve" && "stage" in answer.value;
    return { kind: "done", says: answer.value.says, mark: isYes && isCarriedOut(answer.value) ? "proven" : isYes ? "waiting" : "step" };
  }
  if (answer.kind === "unreachable")
    return {
      kind: "refused",
      says: "The server did not answer. Whether it was recorded is not known.",
      hint: "It is shown here as soon as it is back.",
    };
  const refusal: Refusal = answer.refusal;
  const not = wish === "approve" ? "Not approved: " : "Not done: ";
  return { kind: "refused", says: `${not}${refusal.error.message}`, hint: refusal.error.hint };
}

/** Numbered actions from the dry run, and what happens if it does not hold. */
export function Will({ rehearsal }: { readonly rehearsal: Rehearsal | undefined }) {
  if (!rehearsal)
    return (
      <div class="will">
        <h2>A yes will</h2>
        <p class="dimmer">Asking what it would do</p>
      </div>
    );
  return (
    <div class="will">
      <h2>A yes will</h2>
      <ol>
        {rehearsal.actions.map(({ action, says, isRefused }, index) => (
          <li key={index}>
            <b>{action}</b> <Shown text={says} />
            {isRefused ? <span class="refused-word"> and that would be refused</span> : null}
          </li>
        ))}
        {rehearsal.actions.length === 0 ? <li>record the decision, and move nothing</li> : null}
      </ol>
      {rehearsal.gates
        .filter(({ kind }) => kind !== "yes")
        .map(({ kind, says }) => (
          <p class={kind === "asked-then" ? "otherwise" : "barred"} key={says}>
            {kind === "asked-then" ? "" : kind === "ask" ? "Nothing moves by this yes alone: " : "Nothing would move: "}
            <Shown text={says} />
          </p>
        ))}
      {rehearsal.barred ? (
        <p class="barred">
          Nothing would move now: <Shown text={rehearsal.barred} />
        </p>
      ) : null}
      <p class="otherwise">
        <Shown text={rehearsal.otherwise} />
      </p>
    </div>
  );
}
