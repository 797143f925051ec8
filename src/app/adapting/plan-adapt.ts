// lw adapt as one use: which agents are here, which files teach them the loops, and what would change in each. Everything but the writing.
import { agentAdapters } from "../../adapters/agents/index.ts";
import type { AgentAdapter, Piece, TaughtLoop, Teaching } from "../../contract/agents.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Edits, KeptFile, KeptTree, TextEdit } from "../../contract/texts-of-others.ts";
import { closest } from "../../std/closest.ts";
import { lineDiff } from "../hooks/line-diff.ts";
import { pathOf, putPiece, type Stopping, takePiece } from "./put-piece.ts";

export interface AdaptWishes {
  /** Undefined: those that are found. */
  readonly agents: readonly string[] | undefined;
  readonly mode: "put" | "take";
  readonly edits: Edits;
  /** Whether the hooks of the guard and the referee go in. */
  readonly hooks: boolean;
  /** Whether our server of the Model Context Protocol goes in. */
  readonly server: boolean;
  /** The loop that judges an agent before it stops; undefined: the only one there is. */
  readonly referee: string | undefined;
}

export interface AdaptSight {
  readonly tree: Pick<KeptTree, "read" | "list">;
  readonly findProgram: (name: string) => Promise<string | undefined>;
}

export interface ChosenAgent {
  readonly name: string;
  readonly title: string;
  readonly because: string;
}

export interface AdaptedFile {
  readonly path: string;
  readonly kind: "new" | "changed" | "removed";
  readonly agents: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly diff: readonly string[];
}

export interface AdaptPlan {
  readonly agents: readonly ChosenAgent[];
  readonly files: readonly AdaptedFile[];
  /** What was not done, and why: somebody edited what is ours, or nothing can be done there for certain. */
  readonly left: readonly { readonly path: string; readonly kind: "edited" | "refused"; readonly why: string }[];
  readonly notes: readonly string[];
}

export async function planAdapt(loops: readonly TaughtLoop[], wishes: AdaptWishes, sight: AdaptSight): Promise<AdaptPlan> {
  const chosen = await chooseAgents(wishes, sight);
  const adapters = agentAdapters.filter(({ name }) => chosen.some((one) => one.name === name));
  const kinds = new Map(
    await Promise.all(adapters.flatMap(({ asks }) => asks).map(async (path) => [path, await kindAt(path, sight)] as const)),
  );
  const stopping = stoppingOf(loops, wishes);
  const teaching: Teaching = { loops, kindAt: (path) => kinds.get(path) };
  const wanted = adapters.flatMap((adapter) =>
    adapter
      .pieces(teaching)
      .filter(({ kind }) => wishes.mode === "take" || ((wishes.hooks || kind !== "hook") && (wishes.server || kind !== "server")))
      .map((piece) => ({ agent: adapter.name, piece })),
  );
  const kept = new Set(wishes.mode === "put" ? wanted.map(({ piece }) => pathOf(piece)) : []);
  const stale = (await staleFiles(adapters, sight)).filter(({ piece }) => !kept.has(piece.path));
  const folding = createFolding(sight, wishes.mode);
  // What was put in last goes first: several pieces may stand in one file.
  for (const { agent, piece } of wishes.mode === "put" ? wanted : wanted.toReversed())
    await folding.edit(agent, pathOf(piece), (text) =>
      wishes.mode === "put" ? putPiece(text, piece, wishes.edits, stopping.value) : takePiece(text, piece, wishes.edits),
    );
  for (const { agent, piece } of stale) await folding.edit(agent, piece.path, (text) => takePiece(text, piece, wishes.edits));
  return { agents: chosen, ...folding.result(), notes: wishes.mode === "put" ? notesOf(adapters, stopping.notes) : [] };
}

/** Which agents there are, for whoever asks. */
export const describeAgents = (): readonly Pick<AgentAdapter, "name" | "title" | "summary" | "notes">[] =>
  agentAdapters.map(({ name, title, summary, notes }) => ({ name, title, summary, notes }));

async function chooseAgents({ agents, mode }: AdaptWishes, sight: AdaptSight): Promise<readonly ChosenAgent[]> {
  const named = agents?.includes("all") ? agentAdapters.map(({ name }) => name) : agents;
  const unknown = named?.find((name) => !agentAdapters.some((one) => one.name === name));
  if (unknown !== undefined) throw noSuch("agent", unknown, ["all", ...agentAdapters.map(({ name }) => name)]);
  const found = new Map<string, string>();
  for (const { name, signs, needs } of agentAdapters) {
    const because = named
      ? named.includes(name)
        ? "it was named"
        : undefined
      : mode === "take"
        ? "everything goes"
        : await signOf(signs, sight);
    if (because === undefined) continue;
    // Who takes one agent out leaves what others build on.
    if (mode === "put") for (const needed of needs) if (!found.has(needed)) found.set(needed, `${name} reads it`);
    found.set(name, because);
  }
  if (found.size === 0) found.set("agents-md", "no agent was found here, and most read it");
  return agentAdapters.flatMap(({ name, title }) => (found.has(name) ? [{ name, title, because: found.get(name)! }] : []));
}

async function signOf({ paths, programs }: AgentAdapter["signs"], sight: AdaptSight): Promise<string | undefined> {
  for (const path of paths) if ((await kindAt(path, sight)) !== undefined) return `${path} is here`;
  for (const program of programs) if ((await sight.findProgram(program)) !== undefined) return `${program} is on the PATH`;
  return undefined;
}

async function kindAt(path: string, { tree }: AdaptSight): Promise<"file" | "folder" | undefined> {
  if ((await tree.list(path)).length > 0) return "folder";
  return (await tree.read(path)).kind === "absent" ? undefined : "file";
}

/** An agent that is judged by one of several loops would be judged by none: the referee asks for a name. */
function stoppingOf(
  loops: readonly TaughtLoop[],
  { referee, hooks, server }: AdaptWishes,
): { readonly value: Stopping; readonly notes: readonly string[] } {
  if (!hooks && !server) return { value: undefined, notes: [] };
  const judging = loops.filter(({ proofs }) => proofs.length > 0);
  if (referee !== undefined) {
    if (!loops.some(({ name }) => name === referee))
      throw noSuch(
        "loop",
        referee,
        loops.map(({ name }) => name),
      );
    return { value: { loop: referee }, notes: [] };
  }
  const [only, ...others] = judging;
  if (only && others.length === 0) return { value: { loop: only.name }, notes: [] };
  const notes = only
    ? [`The referee is no stop rule yet: ${judging.map(({ name }) => name).join(", ")} could each judge. Name one with --referee NAME.`]
    : [];
  return { value: undefined, notes };
}

function notesOf(adapters: readonly AgentAdapter[], stopping: readonly string[]): readonly string[] {
  const hasHooks = adapters.some(({ needs }) => needs.length > 0);
  return hasHooks ? stopping : [];
}

/** Files of ours that only loops that are gone, or an older version, wanted. */
async function staleFiles(
  adapters: readonly AgentAdapter[],
  { tree }: AdaptSight,
): Promise<readonly { readonly agent: string; readonly piece: Extract<Piece, { kind: "file" }> }[]> {
  const found = await Promise.all(
    adapters.flatMap(({ name, own }) =>
      own.map(async (pattern) => {
        const paths = await matching(pattern, tree);
        return paths.map((path) => ({
          agent: name,
          piece: { kind: "file", path, body: "", marks: path.endsWith(".toml") ? "hashes" : "markdown" } as const,
        }));
      }),
    ),
  );
  return found.flat();
}

/** The paths that a pattern with a `*` in one of its names stands for. */
async function matching(pattern: string, tree: AdaptSight["tree"]): Promise<readonly string[]> {
  const [, folder, head, tail, rest] = /^(.*)\/([^/*]*)\*([^/]*)(.*)$/.exec(pattern) ?? [];
  if (folder === undefined || head === undefined || tail === undefined || rest === undefined) return [pattern];
  const names = await tree.list(folder);
  return names
    .filter((name) => name.startsWith(head) && name.endsWith(tail) && name.length > head.length + tail.length)
    .map((name) => `${folder}/${name}${rest}`);
}

/** Edits of files one after the other, without writing: several paths may be one file, and several pieces may go into it. */
function createFolding({ tree }: AdaptSight, mode: AdaptWishes["mode"]) {
  interface Folded {
    readonly path: string;
    readonly before: string | undefined;
    readonly now: string | undefined;
    readonly agents: readonly string[];
  }
  const files = new Map<string, Folded>();
  const seen = new Map<string, KeptFile>();
  const left = new Map<string, AdaptPlan["left"][number]>();

  return {
    async edit(agent: string, path: string | undefined, edit: (text: string | undefined) => TextEdit): Promise<void> {
      if (path === undefined) return;
      const file = seen.get(path) ?? (await tree.read(path));
      seen.set(path, file);
      if (file.kind === "unusable") {
        // Where nothing could be put, there is nothing to take out.
        if (mode === "put") left.set(path, { path, kind: "refused", why: file.why });
        return;
      }
      const key = file.kind === "text" ? file.real : path;
      const before = file.kind === "text" ? file.text : undefined;
      const folded = files.get(key) ?? { path: key, before, now: before, agents: [] };
      const edited = edit(folded.now);
      if (edited.kind === "refused" || edited.kind === "edited") {
        left.set(`${path} ${edited.why}`, { path, kind: edited.kind, why: edited.why });
        return;
      }
      if (edited.kind !== "unchanged" && file.kind === "text" && file.isReadOnly) {
        left.set(path, { path, kind: "refused", why: "it is read-only" });
        return;
      }
      if (edited.kind === "unchanged") return;
      const agents = [...new Set([...folded.agents, agent])];
      files.set(key, { ...folded, agents, now: edited.kind === "changed" ? edited.text : undefined });
    },
    result: (): Pick<AdaptPlan, "files" | "left"> => ({
      files: [...files.values()].flatMap(({ path, before, now, agents }): readonly AdaptedFile[] => {
        if (before === now) return [];
        const kind = before === undefined ? "new" : now === undefined ? "removed" : "changed";
        return [{ path, kind, agents, before, after: now, diff: lineDiff(before ?? "", now ?? "") }];
      }),
      left: [...left.values()],
    }),
  };
}

function noSuch(what: string, asked: string, there: readonly string[]): LoopError {
  const guess = closest(asked, there);
  return new LoopError("bad-input", `there is no ${what} called ${asked}`, {
    retry: "never",
    hint: guess === undefined ? `There is: ${there.join(", ")}.` : `Did you mean ${guess}? There is: ${there.join(", ")}.`,
  });
}

/** Each file whole, one after the other: what a crash leaves is old or new, and the next call goes on from there. */
export async function carryOutAdapt({ files }: Pick<AdaptPlan, "files">, tree: Pick<KeptTree, "write" | "remove">): Promise<void> {
  for (const { path, before, after } of files)
    await (after === undefined ? tree.remove(path, before ?? "") : tree.write(path, after, before));
}
