// A ref of the target, or of a remote of it: whether it moved since it was last read, and by whose work.
import type { Hearing } from "../../contract/trigger.ts";
import { gitKey } from "../../contract/waking.ts";
import { LONGEST_CHAIN } from "../../schedule/chains.ts";
import type { News } from "../heard.ts";
import { type Cursor, readCursor, setCursor } from "./cursor.ts";
import type { Origin, Source, SourceWorld } from "./source.ts";

export interface GitWatch {
  readonly loop: string;
  /** The record since which it is watched. */
  readonly life: number;
  readonly repo: string;
  readonly hearing: Extract<Hearing, { kind: "git" }>;
}

export interface GitSourceWorld extends SourceWorld {
  /** Where a ref points now; undefined where there is none. Throws where nobody can tell. */
  readonly tip: (repo: string, ref: string, remote: string | undefined) => Promise<string | undefined>;
  readonly originOf: (commit: string) => Promise<Origin | undefined>;
}

export function createGitSource(world: GitSourceWorld, { loop, life, repo, hearing }: GitWatch): Source {
  const { ref, remote, everyMs } = hearing;
  const what = remote === undefined ? ref : `${remote} ${ref}`;
  const keyAt = (number: number): string => gitKey(loop, what, number);
  let cursor: Cursor | undefined;

  return {
    loop,
    name: `git ${what}`,
    everyMs,
    isNear: remote === undefined,
    folders: () => [],
    async look() {
      cursor ??= await readCursor(world.journal, keyAt);
      const to = (await world.tip(repo, ref, remote)) ?? null;
      const seen = to === null ? { lacks: `there is no ref ${what} in ${repo}: it is woken once there is one` } : {};
      // What it was in another life of the loop says nothing: it is seen for the first time.
      if (!cursor || cursor.seq < life) {
        const number = cursor ? cursor.number + 1 : 0;
        cursor = await setCursor(world.journal, { loop, key: keyAt(number), number, what, state: to });
        return seen;
      }
      if (cursor.state === to) return seen;
      const number = cursor.number + 1;
      await world.book.hear(
        newsOf({ loop, key: keyAt(number), ref: what, from: cursor.state, to }, to === null ? undefined : await world.originOf(to)),
      );
      // Read again at the next look: another process may have written this movement with another end.
      cursor = undefined;
      return seen;
    },
  };
}

interface Movement {
  readonly loop: string;
  readonly key: string;
  readonly ref: string;
  readonly from: string | null;
  readonly to: string | null;
}

/** A loop that is woken by its own work would never rest, and neither would two that wake each other. */
export function newsOf({ loop, key, ref, from, to }: Movement, origin: Origin | undefined): News {
  const chain = origin ? [...origin.chain, origin.loop] : [];
  const cause = { kind: "git", ref, from, to, ...(chain.length > 0 ? { chain } : {}) } as const;
  if (origin?.loop === loop) return { loop, key, cause, barred: "own-work" };
  return chain.length > LONGEST_CHAIN ? { loop, key, cause, barred: "chain" } : { loop, key, cause };
}
