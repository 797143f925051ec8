// What memory and how many processes a command may have, and what of that was truly in force. The shell that starts it joins its group of
// processes, or bounds each process where there is none, and says which before the command begins.
import type { Bounds, BoxFact } from "../../contract/commands.ts";
import { MOST_PROCESSES } from "../box/inside.ts";
import { type Machine, MOST_NEW_TASKS, mostMemory, mostReserved } from "./machine-use.ts";

export interface Limits {
  /** For `LIMIT`, before the command's own words. */
  readonly words: readonly string[];
  /** What held, by what the shell said. */
  inForce(said: string, box: BoxFact): Bounds;
  /** Why it may not go on; undefined while it may. Whose part was ended by the kernel says nothing that counts any more. */
  broken(said: string, heldBytes: () => number): string | undefined;
  /** The same at its end, where the kernel ended somebody of it. */
  ranOut(): string | undefined;
  letGo(): void;
}

/** Run by the shell, with the words above as its first three; what it says goes to its third stream. */
export const LIMIT = `{ { [ -n "$1" ] && echo $$ > "$1" && echo memory >&3; } || { [ -n "$3" ] && ulimit -d "$3" && echo reserved >&3; }
[ -n "$2" ] && echo $$ > "$2" && echo tasks >&3; } 2>/dev/null
shift 3`;

export function openLimits(machine: Machine, isLinux = process.platform === "linux"): Limits {
  const bytes = mostMemory(machine);
  const group = machine.openGroup({ memoryBytes: bytes, tasks: MOST_PROCESSES });
  const overstepped = `it used more memory than the ${(bytes / 2 ** 30).toFixed(1)} GiB that a command may have`;
  const ranOut = (): string | undefined => (group.ranOut() ? overstepped : undefined);
  const has = (said: string, word: string): boolean => said.split("\n").includes(word);
  return {
    words: [group.memory ?? "", group.tasks ?? "", isLinux ? `${Math.ceil(mostReserved(bytes) / 1024)}` : ""],
    inForce: (said, box) => ({
      ...(has(said, "memory") || has(said, "reserved")
        ? { memory: { bytes, by: has(said, "memory") ? ("group" as const) : ("process" as const) } }
        : {}),
      ...(isLinux ? { processes: processesIn(has(said, "tasks"), box) } : {}),
    }),
    broken(said, heldBytes) {
      if (has(said, "memory")) return ranOut();
      return isLinux && heldBytes() > bytes ? overstepped : undefined;
    },
    ranOut,
    letGo: group.letGo,
  };
}

/** The kernel counts the processes of a user, but not those of root, whatever that is called in a box. */
function processesIn(isGroup: boolean, box: BoxFact): NonNullable<Bounds["processes"]> {
  if (isGroup) return { most: MOST_PROCESSES, by: "group" };
  const isCounted = box.kind !== "none" && box.kind !== "unused" && box.user !== "shown";
  return isCounted ? { most: MOST_PROCESSES, by: "user" } : { most: MOST_NEW_TASKS, by: "look" };
}
