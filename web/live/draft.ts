// A spec that is being written: what is shown of it is what the server made of this very text, asked for when the typing rests.
import { useEffect, useRef, useState } from "preact/hooks";
import type { DraftView } from "../../src/contract/api.ts";
import { type Answer, read, send } from "./api.ts";

export interface Draft {
  /** Undefined until it was read. */
  readonly text: string | undefined;
  /** Of exactly this text; undefined while it is looked at. */
  readonly view: DraftView | undefined;
  readonly failed: string | undefined;
  readonly write: (text: string) => void;
}

const REST_MS = 350;

/** What somebody wrote is kept for each choice until the page is left. */
export function useDraft(target: string | undefined, ready: string | undefined): Draft {
  const written = useRef(new Map<string, string>());
  const key = target === undefined || ready === undefined ? undefined : `${target} ${ready}`;
  const [state, setState] = useState<{ readonly key?: string | undefined; readonly text?: string; readonly answer?: Answer<DraftView> }>(
    {},
  );
  const [edits, setEdits] = useState(0);
  useEffect(() => {
    if (key === undefined || target === undefined || ready === undefined) return;
    let isGone = false;
    const text = written.current.get(key);
    const ask = async (): Promise<void> => {
      const answer = await (text === undefined
        ? read<DraftView>(`/api/new/${encodeURIComponent(ready)}?target=${target}`)
        : send<DraftView>("/api/new/check", { target, text }));
      if (isGone) return;
      setState((before) => ({ key, text: answer.kind === "ok" ? answer.value.text : (text ?? before.text ?? ""), answer }));
    };
    const timer = setTimeout(() => void ask(), text === undefined ? 0 : REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [key, edits]);
  const isCurrent = state.key === key && key !== undefined;
  const text = key === undefined ? undefined : (written.current.get(key) ?? (isCurrent ? state.text : undefined));
  const { answer } = state;
  return {
    text,
    view: isCurrent && answer?.kind === "ok" && answer.value.text === text ? answer.value : undefined,
    failed: isCurrent && answer && answer.kind !== "ok" ? whyOf(answer) : undefined,
    write: (next) => {
      if (key === undefined) return;
      written.current.set(key, next);
      setEdits((count) => count + 1);
    },
  };
}

const whyOf = (answer: Exclude<Answer<DraftView>, { kind: "ok" }>): string =>
  answer.kind === "refused" ? `${answer.refusal.error.message}. ${answer.refusal.error.hint}` : "The server does not answer.";
