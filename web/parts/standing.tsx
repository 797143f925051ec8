// What can be wished of a loop as a whole: pause, resume, stop, run now. The first press arms, the second sends.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LoopRow, StandingAnswer, StandingBody } from "../../src/contract/api.ts";
import { send } from "../live/api.ts";
import { useKeys } from "../live/keys.ts";
import { canDecide } from "../live/store.ts";
import { onlyEnter, StateLine } from "./bits.tsx";
import { Shown } from "./shown.tsx";

type Wish = StandingBody["wish"];
const WORDS: { readonly [W in Wish]: { readonly label: string; readonly sure: string } } = {
  pause: { label: "Pause", sure: "Pause it" },
  resume: { label: "Resume", sure: "Resume it" },
  stop: { label: "Stop the run", sure: "Ask it to stop" },
  "run-now": { label: "Run now", sure: "Run it now" },
  promote: { label: "Promote", sure: "One level further" },
};

function wishesOf(state: LoopRow["state"]): readonly Wish[] {
  switch (state) {
    case "running":
      return ["pause", "stop"];
    case "interrupted":
      return ["pause", "resume"];
    case "paused":
    case "halted":
      return ["resume"];
    case "rested":
    case "known":
      return ["pause", "run-now"];
    case "wrong":
      return ["pause"];
    case "all-stopped":
    case "unreadable":
      return [];
  }
}

export function Standing({ loop, state }: { readonly loop: string; readonly state: LoopRow["state"] }) {
  const [armed, setArmed] = useState<Wish | undefined>(undefined);
  const [said, setSaid] = useState<{ readonly says: string; readonly isDone: boolean } | undefined>(undefined);
  const confirm = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (armed) confirm.current?.focus();
  }, [armed]);
  const wishes = wishesOf(state);
  const press = async (wish: Wish): Promise<void> => {
    setArmed(undefined);
    const answer = await send<StandingAnswer>(`/api/loops/${encodeURIComponent(loop)}/standing`, { wish, why: "" });
    if (answer.kind === "ok") setSaid({ says: answer.value.says, isDone: true });
    else
      setSaid({
        says: answer.kind === "refused" ? `${answer.refusal.error.message} ${answer.refusal.error.hint}` : "The server did not answer.",
        isDone: false,
      });
  };
  useKeys({
    x: () => {
      if (canDecide.value && wishes.includes("run-now")) setArmed("run-now");
    },
    ...(armed ? { Escape: () => setArmed(undefined) } : {}),
  });
  return (
    <div class="acts standing-acts">
      {armed ? (
        <>
          <button class="btn" type="button" onClick={() => setArmed(undefined)}>
            Not now <kbd>Esc</kbd>
          </button>
          <button ref={confirm} class="btn first" type="button" {...onlyEnter} onClick={() => void press(armed)}>
            {WORDS[armed].sure} <kbd>Enter</kbd>
          </button>
        </>
      ) : (
        wishes.map((wish) => (
          <button
            key={wish}
            class={wish === "run-now" || wish === "resume" ? "btn first" : "btn"}
            type="button"
            disabled={!canDecide.value}
            onClick={() => setArmed(wish)}
          >
            {WORDS[wish].label} {wish === "run-now" ? <kbd>x</kbd> : null}
          </button>
        ))
      )}
      <div class="came" role="status">
        {said ? <StateLine mark={said.isDone ? "step" : "waiting"} says={<Shown text={said.says} />} /> : null}
      </div>
    </div>
  );
}
