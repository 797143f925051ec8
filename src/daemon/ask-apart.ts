// Asks this program something in a process of its own, and reads its answer: whoever serves pages is not kept from it.
import type { Child, ChildEnd, Children } from "../contract/children.ts";
import type { Stop } from "../contract/clock.ts";
import { LoopError } from "../contract/errors.ts";
import { createStop } from "../contract/stop.ts";

/** What a command prints as JSON, whatever it thinks of what it found. */
export type AskApart = (args: readonly string[], patienceMs?: number) => Promise<unknown>;

export interface Apart {
  readonly ask: AskApart;
  /** Nobody waits any more for what was asked. */
  end(): void;
}

const MEMORY_MB = 1024;
/** With a line for every record that is bad, an answer may be long. */
const MOST_BYTES = 16 * 1024 * 1024;

export function createApart({
  children,
  home,
  sleepUnless,
}: {
  readonly children: Children;
  readonly home: string;
  readonly sleepUnless: (ms: number, stop: Stop) => Promise<void>;
}): Apart {
  const asked = new Set<Child>();
  return {
    async ask(args, patienceMs) {
      const child = await children.start({ args: [...args, "--json"], cwd: home, memoryMb: MEMORY_MB, keepBytes: MOST_BYTES });
      asked.add(child);
      // Nobody is kept from leaving by a patience that nobody needs any more.
      const isOver = createStop();
      if (patienceMs !== undefined) void sleepUnless(patienceMs, isOver).then(() => isOver.asked() || child.end());
      try {
        return answerIn(await child.ended, args);
      } finally {
        isOver.ask();
        asked.delete(child);
      }
    },
    end() {
      for (const child of asked) child.end();
    },
  };
}

function answerIn({ printed, said, code, signal }: ChildEnd, args: readonly string[]): unknown {
  const value = readJson(printed);
  if (typeof value === "object" && value !== null && !("error" in value)) return value;
  const last = said.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  throw new LoopError(
    "store-unusable",
    `\`lw ${args.slice(0, 2).join(" ")}\` has no answer: ${last || `it ended with ${signal ?? code}`}`,
    {
      retry: "later",
      hint: "Type it where this home is, and it tells more.",
    },
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
