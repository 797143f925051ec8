// Looks at what was written since, and tells a client which addresses say something else now.
import type { Server } from "@modelcontextprotocol/server";
import type { House } from "../app/open-house.ts";
import { HOME_PLACE } from "../journal/known-loops.ts";
import { INBOX_URI, uriOfLoop, uriOfRun } from "./resources.ts";

export interface Following {
  readonly tell: (server: Server, isWanted: (uri: string) => boolean) => void;
  readonly end: () => void;
}

const EVERY_MS = 1_000;
const PAGE = 500;

export async function followRecords({ journal, repeat }: Pick<House, "journal" | "repeat">): Promise<Following> {
  let told: { readonly server: Server; readonly isWanted: (uri: string) => boolean } | undefined;
  let seq = (await journal.head())?.seq ?? 0;
  let isLooking = false;

  async function look(): Promise<void> {
    const top = (await journal.head())?.seq ?? 0;
    // What cannot be read is passed over, and a home that was put back is followed from where it is.
    const entries = top > seq ? await journal.entriesAfter(seq, PAGE) : [];
    seq = entries.at(-1)?.seq ?? top;
    const about = entries.filter(({ loop }) => loop !== HOME_PLACE.loop);
    const uris = new Set(about.flatMap(({ run, loop }) => [uriOfRun(run), `${uriOfRun(run)}/evidence`, uriOfLoop(loop)]));
    if (about.length > 0) uris.add(INBOX_URI);
    for (const uri of uris) if (told?.isWanted(uri)) await told.server.sendResourceUpdated({ uri });
  }

  const timer = repeat(EVERY_MS, () => {
    if (isLooking || !told) return;
    isLooking = true;
    look()
      .catch(() => {}) // whoever asks is told what is wrong
      .finally(() => {
        isLooking = false;
      });
  });
  return {
    tell: (server, isWanted) => {
      told = { server, isWanted };
    },
    end: () => timer.end(),
  };
}
