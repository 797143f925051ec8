// Which ears a daemon needs for the loops that it knows: what to look at, who listens at which address, and who waits for which records.
import { dirname, resolve } from "node:path";
import { wakerOf } from "../app/crew.ts";
import { specIn } from "../app/loops/loop-plan.ts";
import { createWorkOf } from "../app/loops/work-of.ts";
import type { DaemonTools } from "../app/open-daemon.ts";
import type { House } from "../app/open-house.ts";
import type { Hearing } from "../contract/trigger.ts";
import type { KnownLoop } from "../journal/known-loops.ts";
import type { Listener } from "./hear-webhooks.ts";
import type { HeardBook } from "./heard.ts";
import { lifeOf } from "./sources/cursor.ts";
import { createFilesSource } from "./sources/files.ts";
import { createGitSource } from "./sources/git.ts";
import { chainOf, type RecordListener } from "./sources/records.ts";
import type { Source } from "./sources/source.ts";

export interface Ears {
  readonly sources: readonly { readonly id: string; readonly make: () => Source }[];
  readonly webhooks: ReadonlyMap<string, readonly Listener[]>;
  readonly records: readonly RecordListener[];
}

export interface EarsWorld {
  readonly house: House;
  readonly tools: Pick<DaemonTools, "fileStates">;
  readonly book: HeardBook;
  readonly trouble: (loop: string, says: string) => void;
}

/** These name instants, and hear nothing: of ten thousand loops with them, none is taken apart. */
const DEAF = new Set(["every", "cron", "daily", "weekly", "manual"]);

/** One loop whose trigger throws is told, and is deaf; the others hear. */
export async function earsFor(world: EarsWorld, known: readonly KnownLoop[]): Promise<Ears> {
  const sources: Ears["sources"][number][] = [];
  const webhooks = new Map<string, Listener[]>();
  const records: RecordListener[] = [];
  const names = known.map(({ loop }) => loop);
  for (const one of known) {
    try {
      for (const hearing of hearingsOf(world.house, one)) await add(one, hearing);
    } catch (error) {
      world.trouble(one.loop, `what it waits for cannot be heard: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { sources, webhooks, records };

  async function add(one: KnownLoop, hearing: Hearing): Promise<void> {
    const { loop } = one;
    if (hearing.kind === "webhook") {
      webhooks.set(hearing.address, [...(webhooks.get(hearing.address) ?? []), { loop, hearing }]);
      return;
    }
    const life = await lifeOf(world.house.journal, loop);
    if (hearing.kind === "loop" || hearing.kind === "inbox") return void records.push({ loop, life, hearing });
    const { id, make } = sourceOf(world, { one, life, hearing, names });
    sources.push({ id, make });
  }
}

function hearingsOf(house: House, { state, good }: KnownLoop): readonly Hearing[] {
  const spec = specIn(good.record);
  if (state !== "known" || !spec || DEAF.has(spec.trigger.use)) return [];
  return wakerOf(house.registries, spec.trigger).hears;
}

interface Wanted {
  readonly one: KnownLoop;
  readonly life: number;
  readonly hearing: Extract<Hearing, { kind: "git" | "files" }>;
  /** All loops of the home, among whom is whoever moved something. */
  readonly names: readonly string[];
}

/** Its id says everything that it is made of: where that changes, another one takes its place. */
function sourceOf({ house, tools, book }: EarsWorld, { one: { loop, path, good }, life, hearing, names }: Wanted): Ears["sources"][number] {
  const repo = resolve(dirname(path), specIn(good.record)?.target.repo ?? ".");
  const id = JSON.stringify([loop, life, repo, hearing]);
  const { git, mover, clock } = house.world;
  const { journal } = house;
  if (hearing.kind === "files") {
    const folder = resolve(repo, hearing.folder);
    return { id, make: () => createFilesSource({ clock, journal, book, files: tools.fileStates }, { loop, life, folder, hearing }) };
  }
  const workOf = createWorkOf(journal, () => [loop, ...names.filter((name) => name !== loop)]);
  const world = {
    clock,
    journal,
    book,
    tip: (at: string, ref: string, remote: string | undefined) =>
      remote === undefined ? git.resolve(at, ref) : mover.remoteTip(at, { remote, branch: ref }),
    originOf: async (commit: string) => {
      const work = await workOf(commit);
      return work && { loop: work.loop, chain: await chainOf(journal, work.loop, work.run) };
    },
  };
  return { id, make: () => createGitSource(world, { loop, life, repo, hearing }) };
}
