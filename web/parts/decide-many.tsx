// Several decisions at once: each is listed with what it counts for, sent by itself, and says what came of it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DecisionAnswer, InboxCard, Rehearsal } from "../../src/contract/api.ts";
import { read, send } from "../live/api.ts";
import { useKeys } from "../live/keys.ts";
import { canDecide, health } from "../live/store.ts";
import { bodyOf, LABELS } from "../words/deciding.ts";
import { plural, shortHash } from "../words/format.ts";
import type { MarkName } from "../words/outcomes.ts";
import { Glyph, onlyEnter } from "./bits.tsx";
import { Shown } from "./shown.tsx";

type Many = "approve" | "reject";
interface Came {
  readonly mark: MarkName;
  readonly says: string;
}

export function DecideMany({ cards, onDone }: { readonly cards: readonly InboxCard[]; readonly onDone: () => void }) {
  const [armed, setArmed] = useState<Many | undefined>(undefined);
  const [why, setWhy] = useState("");
  const [came, setCame] = useState<ReadonlyMap<string, Came>>(new Map());
  const [isSending, setSending] = useState(false);
  const [plans, setPlans] = useState<ReadonlyMap<string, string>>(new Map());
  const confirm = useRef<HTMLButtonElement>(null);
  const reason = useRef<HTMLTextAreaElement>(null);
  const proposals = cards.filter(({ kind, tree }) => kind === "proposal" && tree !== null);
  const names = proposals.map(({ id }) => id).join("\n");
  useEffect(() => {
    const stop = new AbortController();
    void (async () => {
      for (const { id } of proposals) {
        const answer = await read<Rehearsal>(`/api/runs/${encodeURIComponent(id)}/rehearsal`, stop.signal);
        if (stop.signal.aborted) return;
        if (answer.kind !== "ok") continue;
        const { actions, barred } = answer.value;
        const says = barred ?? (actions.map(({ action, says }) => `${action} ${says}`).join("; ") || "record it, and move nothing");
        setPlans((before) => new Map(before).set(id, says));
      }
    })();
    return () => stop.abort();
  }, [names]);
  useLayoutEffect(() => {
    if (armed === "approve") confirm.current?.focus();
    if (armed === "reject") reason.current?.focus();
  }, [armed]);
  const isOff = !canDecide.value || isSending || proposals.length === 0;
  const arm = (wish: Many): void => {
    if (!isOff) setArmed(wish);
  };
  const press = async (wish: Many): Promise<void> => {
    if (wish === "reject" && why.trim() === "") return reason.current?.focus();
    setSending(true);
    for (const { id, tree } of proposals) {
      const body = bodyOf(wish, tree, { why, until: "" });
      if (typeof body === "string") continue;
      const answer = await send<DecisionAnswer>(`/api/runs/${encodeURIComponent(id)}/decision`, body);
      const said: Came =
        answer.kind === "ok"
          ? { mark: "proven", says: answer.value.says }
          : { mark: "waiting", says: answer.kind === "refused" ? answer.refusal.error.message : "The server did not answer." };
      setCame((before) => new Map(before).set(id, said));
    }
    setSending(false);
    setArmed(undefined);
  };
  useKeys({ a: () => arm("approve"), r: () => arm("reject"), w: () => reason.current?.focus(), Escape: () => setArmed(undefined) });
  const isDone = came.size > 0 && !isSending;
  return (
    <div class="decide" role="group" aria-label="Decide about several">
      <h2 class="many-title">
        {plural(cards.length, "thing")} selected, {plural(proposals.length, "proposal")} to decide about
      </h2>
      <ul class="many" role="status">
        {proposals.map(({ id, loop, tree, risk }) => {
          const said = came.get(id);
          return (
            <li key={id}>
              <Glyph mark={said?.mark ?? "waiting"} />
              <span>
                <b>
                  <Shown text={loop} />
                </b>{" "}
                <code class="hash">{shortHash(tree ?? "")}</code> {risk} risk
              </span>
              <span class="dim">
                {said ? <Shown text={said.says} /> : <Shown text={`A yes will ${plans.get(id) ?? "be looked at"}`} />}
              </span>
            </li>
          );
        })}
      </ul>
      {health.value?.isReadOnly ? <p class="bound">This server shows and decides nothing.</p> : null}
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (armed) void press(armed);
        }}
      >
        {isDone ? (
          <button class="btn first" type="button" onClick={onDone}>
            Go on
          </button>
        ) : armed === undefined ? (
          <>
            <button class="btn first" type="button" disabled={isOff} onClick={() => arm("approve")}>
              Approve all {proposals.length} <kbd>{LABELS.approve.key}</kbd>
            </button>
            <button class="btn" type="button" disabled={isOff} onClick={() => arm("reject")}>
              Reject all {proposals.length} <kbd>{LABELS.reject.key}</kbd>
            </button>
          </>
        ) : (
          <>
            <button ref={confirm} class="btn first" type="submit" disabled={isSending} {...onlyEnter}>
              {armed === "approve" ? "Approve" : "Reject"} these {proposals.length} <kbd>Enter</kbd>
            </button>
            <button class="btn" type="button" onClick={() => setArmed(undefined)}>
              Not now <kbd>Esc</kbd>
            </button>
          </>
        )}
        <textarea
          ref={reason}
          rows={1}
          aria-label="Why, for the record"
          placeholder="Why, for the record (a no needs it)"
          value={why}
          onInput={(event) => setWhy(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || !armed) return;
            event.preventDefault();
            void press(armed);
          }}
        />
      </form>
    </div>
  );
}
