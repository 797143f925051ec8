// Listens to a maker at work: shows what it says, and keeps it within bounds.

import type { Artifacts } from "../contract/artifacts.ts";
import type { Heard, MakerEvent } from "../contract/maker-events.ts";
import type { AgentWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import type { Watch } from "../contract/watch.ts";
import type { RunJournal } from "../journal/run-journal.ts";

/** What is kept of one text; an agent may put a whole file into one. */
const MOST_TEXT = 4_000;
const MOST_LOG = 4 * 1024 * 1024;

export interface Hearing extends Pick<AgentWorld, "tell" | "missed"> {
  /** All that was heard; undefined when nothing was. */
  keep(artifacts: Artifacts): Promise<Heard | undefined>;
}

/** Who is heard, and in which round. */
interface Speaker {
  readonly roundId: string;
  /** Its place among the spec's makers, from 1. */
  readonly place: number;
}

/** As it goes on record: where there is only one maker, it is the first. */
export const placed = (place: number): { readonly place?: number } => (place === 1 ? {} : { place });

export function createHearing({ roundId, place }: Speaker, journal: RunJournal, watch: Watch, onAnswer = async () => {}): Hearing {
  const counts: { [kind in MakerEvent["kind"]]?: number } = {};
  const lines: string[] = [];
  let size = 0;
  let unread = 0;
  let session: string | undefined;
  return {
    async tell(told) {
      const event = shortened(told);
      counts[event.kind] = (counts[event.kind] ?? 0) + 1;
      const line = `${JSON.stringify(event)}\n`;
      size += line.length;
      if (size <= MOST_LOG) lines.push(line);
      watch({ kind: "maker-said", id: roundId, event });
      if (isAnswer(event)) await onAnswer();
      if (event.kind !== "session" || event.session === session) return;
      session = event.session;
      // At once, so that a later try can take the conversation up even if we are killed now.
      await journal.write({ kind: "maker-heard", roundId, session, ...placed(place) });
    },
    missed: () => {
      unread += 1;
    },
    async keep(artifacts) {
      if (size === 0 && unread === 0) return undefined;
      const log = await artifacts.keep(lines.join(""));
      return { counts, unread, log: { ...log, truncated: log.truncated || size > MOST_LOG } };
    },
  };
}

/** What only a model can have caused that was reached. Words may be the agent's own. */
const isAnswer = (event: MakerEvent): boolean => event.kind === "tool-call" || (event.kind === "usage" && (event.tokens ?? 0) > 0);

function shortened(event: MakerEvent): MakerEvent {
  switch (event.kind) {
    case "text":
    case "question":
    case "error":
      return { ...event, text: cut(event.text) };
    case "tool-call":
      return { ...event, tool: event.tool.slice(0, 100), about: cut(event.about) };
    case "file-change":
      return { ...event, path: cut(event.path) };
    case "limit":
      return { ...event, says: cut(event.says) };
    case "refused":
      return { ...event, what: cut(event.what) };
    case "compacted":
      return { ...event, summary: cut(event.summary) };
    case "session":
    case "usage":
      return event;
  }
}

const cut = (text: string) => untrustedText(text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text);
