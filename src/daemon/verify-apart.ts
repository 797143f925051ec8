// Looks through all that a home has on record in a process of its own, as `lw ledger verify` does: whoever serves pages is not kept from it.
import type { LookThrough } from "../app/page/read-ledger.ts";
import type { Child, ChildEnd, Children } from "../contract/children.ts";
import { LoopError } from "../contract/errors.ts";

const MEMORY_MB = 1024;
/** With a line for every record that is bad, it may be long. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface ApartLooks {
  readonly lookThrough: LookThrough;
  /** Nobody waits for what is still being looked at. */
  end(): void;
}

export function verifyApart({ children, home }: { readonly children: Children; readonly home: string }): ApartLooks {
  const looking = new Set<Child>();
  return {
    async lookThrough() {
      const args = ["ledger", "verify", "--home", home, "--json"];
      const child = await children.start({ args, cwd: home, memoryMb: MEMORY_MB, keepBytes: MOST_BYTES });
      looking.add(child);
      try {
        return foundIn(await child.ended);
      } finally {
        looking.delete(child);
      }
    },
    end() {
      for (const child of looking) child.end();
    },
  };
}

function foundIn({ printed, said, code, signal }: ChildEnd): Awaited<ReturnType<LookThrough>> {
  const found = readPrinted(printed);
  if (found && "entries" in found) return found;
  const last = said.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  throw new LoopError("store-unusable", `the journal could not be looked through: ${last || `it ended with ${signal ?? code}`}`, {
    retry: "later",
    hint: "`lw ledger verify` tells more.",
  });
}

function readPrinted(printed: string): Awaited<ReturnType<LookThrough>> | undefined {
  try {
    return JSON.parse(printed) as Awaited<ReturnType<LookThrough>>; // our own program's words
  } catch {
    return undefined;
  }
}
