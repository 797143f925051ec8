// What is heard of runs while they go on: steps that began, and what makers say. Kept for a while in memory, and on no record.

import type { Hearsay } from "../../app/page/read-now.ts";
import type { LiveEvent, TalkLine } from "../../contract/api.ts";
import type { MakerEvent } from "../../contract/maker-events.ts";
import type { Told } from "../../contract/telling.ts";
import { untrustedText } from "../../contract/text.ts";

export interface LiveHearsay extends Hearsay {
  /** Whoever runs a loop tells here what it sees. */
  hear(place: { readonly loop: string; readonly run: string }, told: Told): void;
  /** Nobody works on it any more: what it said is kept by its record. */
  forget(run: string): void;
  onHeard(listener: (event: LiveEvent) => void): () => void;
}

const MOST_LINES = 200;
const MOST_RUNS = 200;
const MOST_CHARS = 4_000;

export function createHearsay(now: () => Date): LiveHearsay {
  const talks = new Map<string, TalkLine[]>();
  const steps = new Map<string, { readonly step: string; readonly since: string }>();
  const listeners = new Set<(event: LiveEvent) => void>();

  function tell(event: LiveEvent): void {
    for (const listener of listeners) listener(event);
  }

  /** The oldest runs are forgotten first. */
  function forgetOld(): void {
    for (const map of [talks, steps]) {
      const [oldest] = map.size > MOST_RUNS ? map.keys() : [];
      if (oldest !== undefined) map.delete(oldest);
    }
  }

  return {
    hear({ loop, run }, told) {
      const at = now().toISOString();
      if (told.kind === "step-began") {
        steps.set(run, { step: told.step, since: at });
        tell({ event: "step", data: { run, loop, step: told.step, at } });
      }
      if (told.kind === "maker-said") {
        const line = { at, event: shortened(told.event) };
        talks.set(run, [...(talks.get(run) ?? []), line].slice(-MOST_LINES));
        tell({ event: "talk", data: { run, loop, ...line } });
      }
      forgetOld();
    },
    forget(run) {
      talks.delete(run);
      steps.delete(run);
    },
    talk: (run) => talks.get(run) ?? [],
    step: (run) => steps.get(run),
    onHeard(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** A maker may say a megabyte at once; the log that is kept has all of it. */
function shortened(event: MakerEvent): MakerEvent {
  switch (event.kind) {
    case "text":
    case "question":
    case "error":
      return { ...event, text: untrustedText(event.text.slice(0, MOST_CHARS).toWellFormed()) };
    case "tool-call":
      return { ...event, about: untrustedText(event.about.slice(0, MOST_CHARS).toWellFormed()) };
    case "file-change":
      return { ...event, path: untrustedText(event.path.slice(0, MOST_CHARS).toWellFormed()) };
    case "limit":
      return { ...event, says: untrustedText(event.says.slice(0, MOST_CHARS).toWellFormed()) };
    case "refused":
      return { ...event, what: untrustedText(event.what.slice(0, MOST_CHARS).toWellFormed()) };
    case "compacted":
      return { ...event, summary: untrustedText(event.summary.slice(0, MOST_CHARS).toWellFormed()) };
    case "session":
    case "usage":
      return event;
  }
}
