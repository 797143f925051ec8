// Whether somebody wakes the loops of this home, who it is, and since when.
import { join } from "node:path";
import type { Home } from "../home.ts";
import type { Records } from "../open-records.ts";

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
  | { readonly kind: "alive"; readonly note: DaemonNote | undefined; readonly isOlder: boolean };

export const daemonNotePath = ({ folder }: Pick<Home, "folder">): string => join(folder, "daemon.json");

/** What a hook or a person touches to say that there is something to look at. */
export const looksFolder = ({ folder }: Pick<Home, "folder">): string => join(folder, "looks");

export async function viewDaemon({ home, locks, texts }: Pick<Records, "home" | "locks" | "texts">, version: string): Promise<DaemonView> {
  if (!(await locks.isHeld("daemon"))) return { kind: "none" };
  const note = readNote(await texts.readOptional(daemonNotePath(home)));
  return { kind: "alive", note, isOlder: note !== undefined && isBefore(note.version, version) };
}

/** In one sentence. */
export function tellDaemon(view: DaemonView, version: string): string {
  if (view.kind === "none")
    return "no daemon is alive: nothing wakes by itself (start one with `lw serve`, or for good with `lw service install`)";
  if (!view.note) return "a daemon is just starting";
  const { pid, since, version: its, hears } = view.note;
  const place = hears === undefined ? "" : `, hears webhooks at ${hears}`;
  const older = view.isOlder ? `; it is older than this program, which is ${version}: restart it` : "";
  return `a daemon is alive: process ${pid}, version ${its}, since ${since}${place}${older}`;
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
