// Whether somebody wakes the loops of this home, who it is, and since when.
import { join } from "node:path";
import { formatDuration } from "../../std/duration.ts";
import type { Home } from "../home.ts";
import type { Records } from "../open-records.ts";
import { readTroubles } from "./troubles.ts";

/** What a daemon writes down about itself when it begins. It may be of one that is gone: only the lock says who is alive. */
export interface DaemonNote {
  readonly pid: number;
  readonly version: string;
  readonly since: string;
  /** Where it hears webhooks. */
  readonly hears?: string;
}

export type DaemonView =
  | { readonly kind: "none" }
  /** `note` is undefined in the first moments of it. */
  | {
      readonly kind: "alive";
      readonly note: DaemonNote | undefined;
      readonly isOlder: boolean;
      /** How long ago it last ticked; undefined before the first time. One that lives ticks every few seconds. */
      readonly tickedMs?: number;
      /** What is wrong with the home as a whole, as it sees it. */
      readonly troubles?: readonly string[];
    };

/** Far longer than a daemon sleeps: one that did not tick for so long hangs, is stopped, or cannot write. */
const SILENT_MS = 60_000;

/** Whether it lives and wakes loops. */
export const isWell = (view: DaemonView): boolean =>
  view.kind === "alive" && !view.isOlder && !isSilent(view) && (view.troubles ?? []).length === 0;

const isSilent = ({ tickedMs }: { readonly tickedMs?: number }): boolean => tickedMs !== undefined && tickedMs > SILENT_MS;

export const daemonNotePath = ({ folder }: Pick<Home, "folder">): string => join(folder, "daemon.json");

/** What a hook or a person touches to say that there is something to look at. */
export const looksFolder = ({ folder }: Pick<Home, "folder">): string => join(folder, "looks");

export async function viewDaemon(
  { home, locks, texts, clock }: Pick<Records, "home" | "locks" | "texts"> & Partial<Pick<Records, "clock">>,
  version: string,
): Promise<DaemonView> {
  if (!(await locks.isHeld("daemon"))) return { kind: "none" };
  const note = readNote(await texts.readOptional(daemonNotePath(home)));
  const ticked = clock && note && readTicked(await texts.readOptional(join(home.folder, "ticks.json")));
  const troubles = (await readTroubles({ home, texts })).flatMap(({ loop, says }) => (loop === undefined ? [says] : []));
  return {
    kind: "alive",
    note,
    isOlder: note !== undefined && isBefore(note.version, version),
    // Of one that has just begun, the tick is another's.
    ...(clock && note && ticked !== undefined ? { tickedMs: clock.now().getTime() - Math.max(ticked, Date.parse(note.since)) } : {}),
    ...(troubles.length > 0 ? { troubles } : {}),
  };
}

function readTicked(text: string | undefined): number | undefined {
  const found = /"last":(\d+)/.exec(text ?? "");
  return found ? Number(found[1]) : undefined;
}

/** In one sentence. */
export function tellDaemon(view: DaemonView, version: string): string {
  if (view.kind === "none")
    return "no daemon is alive: nothing wakes by itself (start one with `lw serve`, or for good with `lw service install`)";
  if (!view.note) return "a daemon is just starting";
  const { pid, since, version: its, hears } = view.note;
  const place = hears === undefined ? "" : `, hears webhooks at ${hears}`;
  const older = view.isOlder ? `; it is older than this program, which is ${version}: restart it` : "";
  const silent = isSilent(view)
    ? `; it has not ticked for ${formatDuration(view.tickedMs ?? 0)}: it hangs, is stopped, or cannot write to the home (look at its log and at the disk)`
    : "";
  const troubles = (view.troubles ?? []).map((says) => `; ${says}`).join("");
  return `a daemon is alive: process ${pid}, version ${its}, since ${since}${place}${older}${silent}${troubles}`;
}

function readNote(text: string | undefined): DaemonNote | undefined {
  try {
    const note: unknown = JSON.parse(text ?? "");
    return isNote(note) ? note : undefined;
  } catch {
    return undefined; // half written, or somebody else's
  }
}

const isNote = (note: unknown): note is DaemonNote =>
  typeof note === "object" &&
  note !== null &&
  "pid" in note &&
  typeof note.pid === "number" &&
  "version" in note &&
  typeof note.version === "string" &&
  "since" in note &&
  typeof note.since === "string";

/** Number by number. */
function isBefore(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(/[.+-]/).map((part) => Number(part)));
  const at = [0, 1, 2].find((index) => (a?.[index] || 0) !== (b?.[index] || 0));
  return at !== undefined && (a?.[at] || 0) < (b?.[at] || 0);
}
