// What can be read and followed by its address: the inbox, loops, runs and their evidence. The same functions answer as those behind the tools.
import { readRuns } from "../app/page/read-run.ts";
import type { Desk } from "./desk.ts";
import { inboxOf, statusOf } from "./tools/loops.ts";
import { evidenceOf, runStatusOf } from "./tools/runs.ts";

export const INBOX_URI = "loopwright://inbox";
const RUNS = "loopwright://runs/";
const LOOPS = "loopwright://loops/";

/** Names as they stand in addresses: what is not plain is written in percent. */
type Place =
  | { readonly kind: "inbox" }
  | { readonly kind: "loop"; readonly loop: string }
  | { readonly kind: "run"; readonly run: string; readonly part: "status" | "evidence" };

const MOST_URI = 1_000;

/** Undefined for everything that is no address of ours to the letter. */
function placeOf(uri: string): Place | undefined {
  if (uri === INBOX_URI) return { kind: "inbox" };
  const [, of, written = "", part] = (uri.length <= MOST_URI && /^loopwright:\/\/(runs|loops)\/([\w.%-]+)(\/evidence)?$/.exec(uri)) || [];
  const name = decoded(written);
  if (of === undefined || name === undefined) return undefined;
  if (of === "runs") return { kind: "run", run: name, part: part === undefined ? "status" : "evidence" };
  return part === undefined ? { kind: "loop", loop: name } : undefined;
}

function decoded(written: string): string | undefined {
  try {
    const name = decodeURIComponent(written);
    return encodeURIComponent(name) === written && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}

export const uriOfRun = (run: string): string => `${RUNS}${encodeURIComponent(run)}`;
export const uriOfLoop = (loop: string): string => `${LOOPS}${encodeURIComponent(loop)}`;

export const isOurs = (uri: string): boolean => placeOf(uri) !== undefined;

/** Undefined where nothing of ours has that address. */
export async function readPlace(desk: Desk, uri: string): Promise<object | undefined> {
  const place = placeOf(uri);
  switch (place?.kind) {
    case undefined:
      return undefined;
    case "inbox":
      return inboxOf(desk, 0);
    case "loop":
      return statusOf(desk, place.loop);
    case "run":
      return place.part === "status" ? runStatusOf(desk, place.run) : evidenceOf(desk, place.run, 0);
  }
}

export interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly mimeType: "application/json";
}

const json = (uri: string, name: string): Listed => ({ uri, name, mimeType: "application/json" });
const PAGE = 50;

/** The inbox, then the runs, the newest first; a cursor is the number of a record. */
export async function listPlaces(
  { house }: Desk,
  cursor: number | undefined,
): Promise<{ readonly listed: readonly Listed[]; readonly next: number | null }> {
  const { items, next } = await readRuns(house, { most: PAGE, before: cursor });
  const runs = items.map(({ run }) => json(uriOfRun(run), run));
  return { listed: cursor === undefined ? [json(INBOX_URI, "What waits for a person"), ...runs] : runs, next };
}

export const TEMPLATES = [
  { uriTemplate: `${RUNS}{run}`, name: "run", title: "How a run stands", mimeType: "application/json" },
  { uriTemplate: `${RUNS}{run}/evidence`, name: "evidence", title: "The evidence of a run", mimeType: "application/json" },
  { uriTemplate: `${LOOPS}{loop}`, name: "loop", title: "Where a loop stands", mimeType: "application/json" },
] as const;
