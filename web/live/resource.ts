// Something that is read from the server and kept up to date: what was good stays while it is read again, and when that fails.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { LiveRecord, Refusal } from "../../src/contract/api.ts";
import { type Answer, read } from "./api.ts";
import { connection, onLive } from "./store.ts";

export interface Resource<T> {
  readonly value: T | undefined;
  /** Why the last look failed; what was read before is still there. */
  readonly failed: { readonly status: number; readonly refusal: Refusal } | "unreachable" | undefined;
  /** Looks once more, soon. */
  readonly again: () => void;
}

const EVERY_RECORD = (): boolean => true;
/** However fast records come in, one look follows another with this much time between. */
const BETWEEN_LOOKS_MS = 700;

/** `concerns` says which records make another look worth it. Null as a path asks for nothing. */
export function useResource<T>(path: string | null, concerns: (record: LiveRecord) => boolean = EVERY_RECORD): Resource<T> {
  const [state, setState] = useState<{
    readonly path: string | null;
    readonly answer: Answer<T> | undefined;
    readonly value: T | undefined;
  }>({
    path,
    answer: undefined,
    value: undefined,
  });
  const concernsNow = useRef(concerns);
  concernsNow.current = concerns;
  const ask = useRef<() => void>(() => {});
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    let [isAsking, isWanted, timer] = [false, false, 0];
    const look = async (): Promise<void> => {
      [isAsking, isWanted] = [true, false];
      const began = performance.now();
      const answer = await read<T>(path, stop.signal);
      if (stop.signal.aborted) return;
      setState((before) => ({
        path,
        answer,
        value: answer.kind === "ok" ? answer.value : before.path === path ? before.value : undefined,
      }));
      const tookMs = performance.now() - began;
      timer = window.setTimeout(
        () => {
          isAsking = false;
          if (isWanted) void look();
        },
        Math.max(BETWEEN_LOOKS_MS, 3 * tookMs),
      );
    };
    const want = (): void => {
      if (isAsking) isWanted = true;
      else void look();
    };
    ask.current = want;
    void look();
    const stopHearing = onLive((event) => {
      if (event.event === "gap" || (event.event === "record" && concernsNow.current(event.data))) want();
    });
    let wasAway = false;
    // Whatever was said while nobody listened is read again once the server is back.
    const stopWatching = connection.subscribe(({ kind }) => {
      if (kind === "live" && wasAway) want();
      wasAway = kind === "stale" || kind === "reading";
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
      stopHearing();
      stopWatching();
    };
  }, [path]);
  const again = useCallback(() => ask.current(), []);
  const isCurrent = state.path === path;
  return { value: isCurrent ? state.value : undefined, failed: isCurrent ? failureOf(state.answer) : undefined, again };
}

function failureOf<T>(answer: Answer<T> | undefined): Resource<T>["failed"] {
  if (answer?.kind === "refused") return { status: answer.status, refusal: answer.refusal };
  return answer?.kind === "unreachable" ? "unreachable" : undefined;
}
