// Puts the scheduler together: its book on the journal, its hands as children, and what this machine has for runs.
import { createBook } from "../app/loops/book.ts";
import type { DaemonTools, FreeRoom } from "../app/open-daemon.ts";
import type { House } from "../app/open-house.ts";
import type { MachineSettings } from "../app/settings.ts";
import type { Machine } from "../schedule/ports.ts";
import { newScheduler } from "../schedule/scheduler.ts";
import { type ChildWish, createHands, type DaemonHands, type HandsSight, type HandsWorld } from "./hands.ts";
import type { MachineFile } from "./machine-file.ts";
import type { Ticker } from "./tick-part.ts";

export interface Wiring {
  readonly house: House;
  readonly tools: DaemonTools;
  /** The home's folder, for the children. */
  readonly home: string;
  readonly machine: MachineFile;
  readonly tell: (sight: HandsSight) => void;
  readonly hear: HandsWorld["hear"];
}

/** Far more than a run of ours needs, and little enough that many may stand side by side. */
const MEMORY_MB = 1024;

export function wireScheduler({ house, tools, home, machine: file, tell, hear }: Wiring): {
  readonly hands: DaemonHands;
  readonly ticker: Ticker;
} {
  const hands = createHands({
    journal: house.journal,
    children: tools.children,
    sleep: house.sleep,
    wordsFor: (wish) => ["run", ...wordsFor(wish), "--home", home, "--json", "--telling"],
    cwd: home,
    memoryMb: () => MEMORY_MB,
    tell,
    hear,
  });
  const machine: Machine = {
    limits: () => {
      const { runs, perTarget, perMaker } = file.now();
      return { runs, writersPerTarget: perTarget, perMaker };
    },
    headRoom: async () => {
      const unreadable = await file.readAgain();
      return unreadable === undefined ? headRoomIn(tools.freeRoom(), file.now().headroom) : { kind: "short", says: unreadable };
    },
  };
  return { hands, ticker: newScheduler({ book: createBook(house), hands, machine }) };
}

function wordsFor(wish: ChildWish): readonly string[] {
  switch (wish.kind) {
    case "wake":
      return [wish.loop, "--waking", wish.key];
    case "resume":
      return [wish.loop, "--resuming", wish.run];
    case "try":
      return [wish.path, "--trial"];
  }
}

/** Shares are of what the machine has; sizes are as they are. */
export function headRoomIn(free: FreeRoom, { cpu, memory }: MachineSettings["headroom"]): Awaited<ReturnType<Machine["headRoom"]>> {
  if (free.cpu < shareOf(cpu)) return { kind: "short", says: `${percent(free.cpu)} of the CPU is free, and ${cpu} should be` };
  const isShort = memory.endsWith("%") ? free.memory < shareOf(memory) : free.memoryBytes < bytesOf(memory);
  if (isShort) return { kind: "short", says: `${percent(free.memory)} of the memory is free, and ${memory} should be` };
  return { kind: "enough" };
}

const shareOf = (text: string): number => Number.parseFloat(text) / 100;
const percent = (share: number): string => `${Math.round(share * 100)}%`;

function bytesOf(text: string): number {
  const units: { readonly [unit: string]: number } = { kB: 1e3, MB: 1e6, GB: 1e9 };
  return Number.parseFloat(text) * (units[text.slice(-2)] ?? 1);
}
