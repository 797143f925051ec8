// A world without files, git or processes, that writes down what was asked of it.
import type { Comparison } from "../../src/contract/change-set.ts";
import type { Change } from "../../src/contract/evidence.ts";
import { untrustedText } from "../../src/contract/text.ts";
import type { Finished, MarkedCommand, VerifierWorld, World } from "../../src/contract/world.ts";
import { loadSyntax } from "../../src/world/syntax.ts";

export interface FakeWorldAbout {
  /** The tree that each round's work makes, by round number; default: one of its own. */
  readonly tree?: (roundNumber: number) => string;
  readonly changes?: readonly Change[];
  /** What those changes look like to the scanner; default: nothing. */
  readonly comparison?: Comparison;
  /** What a command comes to. */
  readonly run?: (command: MarkedCommand) => Promise<Finished> | Finished;
  /** How much later it is at every look at the clock. */
  readonly tickMs?: number;
  readonly usage?: string | undefined;
  readonly stopAsked?: () => boolean;
  readonly closing?: () => Promise<void>;
}

const CHANGED: readonly Change[] = [{ path: "src/a.ts", before: { mode: "100644", blob: "a1" }, after: { mode: "100644", blob: "b2" } }];

export const finishedAs = (end: Finished["end"], tail = ""): Finished => ({
  end,
  tookMs: 1,
  output: { sha256: "0".repeat(64), bytes: tail.length, truncated: false },
  tail: untrustedText(tail),
});

const nothing = () => Promise.reject(new Error("not in this world"));

/** A verifier's world in which nothing can be had; a test spreads it and adds what its verifier needs. */
export const barrenWorld: VerifierWorld = {
  proc: { run: nothing },
  git: {
    headName: nothing,
    resolve: nothing,
    walk: nothing,
    commitsThatExist: nothing,
    reachableFrom: nothing,
    aheadBehind: nothing,
    filesAt: nothing,
  },
  env: { get: () => undefined },
  rooms: { newTests: [], open: nothing, contents: nothing, bring: nothing, discard: nothing },
  roomFiles: () => ({ read: nothing, write: nothing, remove: nothing }),
  readOutput: nothing,
};

export function createFakeWorld(about: FakeWorldAbout = {}) {
  const asked: string[] = [];
  const written = new Map<string, string>();
  const commands: MarkedCommand[] = [];
  const reports: string[] = [];
  let nowMs = 0;
  const notHere = () => Promise.reject(new Error("not in this world"));
  const world: World = {
    clock: {
      now: () => new Date("2026-01-02T03:04:05.678Z"),
      monotonicMs: () => {
        nowMs += about.tickMs ?? 0;
        return nowMs;
      },
    },
    ids: { token: () => "abcde" },
    env: { get: (name) => ({ PATH: "/bin", HOME: "/home/ada", SECRET: "s3cret" })[name] },
    census: { self: () => ({ pid: 1 }), isGone: () => false },
    git: {
      headName: notHere,
      resolve: notHere,
      walk: notHere,
      commitsThatExist: notHere,
      reachableFrom: notHere,
      aheadBehind: notHere,
      filesAt: notHere,
    },
    workshop: {
      async openWorkspace(_repo, { id }) {
        asked.push(`open ${id}`);
        return {
          work: `/rounds/${id}/work`,
          home: `/rounds/${id}/home`,
          brief: `/rounds/${id}/brief.md`,
          usage: `/rounds/${id}/usage.json`,
        };
      },
      async commitWorkspace(_repo, { id, number }) {
        asked.push(`commit ${id}`);
        const tree = about.tree?.(number) ?? `tree-${number}`;
        return {
          commit: `commit-of-${tree}`,
          tree,
          changes: about.changes ?? CHANGED,
          diff: { sha256: "d".repeat(64), bytes: 9, truncated: false },
        };
      },
      async keep(_repo, { id }, commit) {
        asked.push(`keep ${commit} of ${id}`);
      },
      async restore({ id }, commit) {
        asked.push(`restore ${commit} in ${id}`);
      },
      async forget(_repo, { id }) {
        asked.push(`forget ${id}`);
      },
      async compareWithBase(_round, commit) {
        asked.push(`compare ${commit}`);
        return about.comparison ?? { files: [], blind: [] };
      },
      async undo(_round, commit, paths) {
        asked.push(`undo ${paths.join(",")} of ${commit}`);
        return `sealed-${commit}`;
      },
      async checkOut(_repo, { id }, commit, verifier) {
        asked.push(`check out ${commit} for ${verifier}`);
        return { work: `/rounds/${id}/check-${verifier}/work`, home: `/rounds/${id}/check-${verifier}/home` };
      },
      async openRoom({ id }, { name, commit, over, path, olderByMs }) {
        const shape = [over ? `with ${over.paths.join(",")} of ${over.commit}` : "", path ?? "", olderByMs ? `aged ${olderByMs}` : ""];
        asked.push(["open room", commit, "as", name, ...shape].filter(Boolean).join(" "));
        return { work: `/rounds/${id}/${name}/work`, home: `/rounds/${id}/${name}/home` };
      },
      readBlobs: notHere,
      bring: notHere,
      discard: notHere,
      async propose(_repo, _round, commit, branch) {
        asked.push(`propose ${commit} as ${branch}`);
      },
      isWaiting: notHere,
      async close({ id }) {
        asked.push(`close ${id}`);
        await about.closing?.();
      },
      sweep: notHere,
    },
    proc: {
      async run(command) {
        commands.push(command);
        return about.run?.(command) ?? finishedAs({ kind: "exited", code: 0 });
      },
    },
    files: {
      readText: async (path) => (path.endsWith("usage.json") ? about.usage : written.get(path)),
      async writeText(path, text) {
        written.set(path, text);
      },
    },
    artifacts: {
      async keep(bytes) {
        reports.push(typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8"));
        return { sha256: "e".repeat(64), bytes: bytes.length, truncated: false };
      },
      read: notHere,
    },
    // The grammars are data that never changes: there is nothing to pretend.
    loadSyntax,
    workspaceFiles: (work) => ({
      read: async (path) => written.get(`${work}/${path}`),
      async write(path, text) {
        written.set(`${work}/${path}`, text);
      },
      async remove(path) {
        written.delete(`${work}/${path}`);
        asked.push(`remove ${path}`);
      },
    }),
    stopAsked: about.stopAsked ?? (() => false),
  };
  return { world, asked, written, commands, reports };
}
