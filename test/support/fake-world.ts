// A world without files, git or processes, that writes down what was asked of it.
import type { CacheStore } from "../../src/contract/caches.ts";
import type { Comparison } from "../../src/contract/change-set.ts";
import type { Finished, MarkedCommand } from "../../src/contract/commands.ts";
import { LoopError } from "../../src/contract/errors.ts";
import type { CopyFiles } from "../../src/contract/files.ts";
import type { TreeFile } from "../../src/contract/git.ts";
import type { Models } from "../../src/contract/models.ts";
import type { AgentWorld, MakerDesk, Notebook, VerifierWorld } from "../../src/contract/part-worlds.ts";
import type { Change, Included } from "../../src/contract/proposal.ts";
import { untrustedText } from "../../src/contract/text.ts";
import type { World } from "../../src/contract/world.ts";
import { sha256 } from "../../src/std/hash.ts";
import { loadSyntax } from "../../src/world/machine/syntax.ts";

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
  /** The files of base. */
  readonly files?: readonly TreeFile[];
  /** Hidden paths at which the maker left something. */
  readonly displaced?: readonly string[];
  /** Whether what was prepared is still what it was, at every look; default: always. */
  readonly isWhole?: () => boolean;
  /** Whether what is prepared lies under rooms; default: it is copied. */
  readonly lends?: boolean;
  /** What lies in the store of prepared folders from earlier runs. */
  readonly stocked?: boolean;
  /** Which tool chain there is, at each look. */
  readonly toolchains?: readonly string[] | undefined;
  /** Caches of tool chains; default: nothing leaves any. */
  readonly caches?: CacheStore;
  readonly models?: Models;
  /** What `.worktreeinclude` brought. */
  readonly included?: Included;
  /** What a maker leaves in its file of notes; without it there is no such file. */
  readonly notes?: string;
  /** What base's files hold, by path. */
  readonly texts?: { readonly [path: string]: string };
}

const CHANGED: readonly Change[] = [{ path: "src/a.ts", before: { mode: "100644", blob: "a1" }, after: { mode: "100644", blob: "b2" } }];

export const finishedAs = (end: Finished["end"], tail = ""): Finished => ({
  end,
  tookMs: 1,
  output: { sha256: "0".repeat(64), bytes: tail.length, truncated: false },
  tail: untrustedText(tail),
  box: { kind: "none", why: "not in this world" },
});

/** What an agent maker sees, with nothing behind it. */
export const quietAgentWorld: AgentWorld = {
  clock: { now: () => new Date("2026-01-02T03:04:05.678Z"), monotonicMs: () => 0 },
  tell: async () => {},
  missed: () => {},
  earlierSession: undefined,
  askGuard: () => ({ decision: "allow", why: "" }),
  hookSettings: (adapter) => `settings of ${adapter}`,
  lay: async (name) => `/rounds/r.1/home/${name}`,
};

/** A notebook that keeps nothing. */
export const quietNotebook: Notebook = { add: async () => ({ kind: "kept" }), read: async () => [] };

const nothing = () => Promise.reject(new Error("not in this world"));

const noModels: Models = {
  ask: () => Promise.reject(new LoopError("model-failed", "no model is in this world", { retry: "never", hint: "Look." })),
};

const noCopyFiles: CopyFiles = {
  list: nothing,
  readLines: nothing,
  readBytes: nothing,
  search: nothing,
  write: nothing,
  replace: nothing,
  remove: nothing,
  move: nothing,
};

/** What a maker sees that is a model, with nothing behind it. */
export const barrenDesk: MakerDesk = {
  models: noModels,
  files: noCopyFiles,
  show: () => ({ kind: "withheld", why: "nothing is shown in this world" }),
  keep: async (text) => ({ sha256: "0".repeat(64), bytes: text.length, truncated: false }),
  readKept: nothing,
};

/** A verifier's world in which nothing can be had; a test spreads it and adds what its verifier needs. */
export const barrenWorld: VerifierWorld = {
  seed: 7,
  clock: { now: () => new Date("2026-01-02T03:04:05.678Z") },
  proc: { run: nothing },
  git: {
    headName: nothing,
    branches: nothing,
    resolve: nothing,
    walk: nothing,
    commitsThatExist: nothing,
    reachableFrom: nothing,
    aheadBehind: nothing,
    filesAt: nothing,
    filesOf: nothing,
  },
  env: { get: () => undefined },
  rooms: {
    newTests: [],
    open: nothing,
    contents: nothing,
    testFiles: nothing,
    files: nothing,
    rewritten: nothing,
    bring: nothing,
    discard: nothing,
  },
  roomFiles: () => ({ read: nothing, write: nothing, remove: nothing }),
  readOutput: nothing,
  loadSyntax: async () => ({ parse: () => undefined }),
  desk: {
    models: noModels,
    clock: { monotonicMs: () => 0 },
    show: () => ({ kind: "withheld", why: "nothing is shown in this world" }),
    matter: { intent: "", task: "", findings: [], proofs: [] },
    listFiles: nothing,
    keep: async (text) => ({ sha256: "0".repeat(64), bytes: text.length, truncated: false }),
  },
};

export function createFakeWorld(about: FakeWorldAbout = {}) {
  const toolchains = [...(about.toolchains ?? [])];
  const asked: string[] = [];
  const written = new Map<string, string>();
  const commands: MarkedCommand[] = [];
  const reports: string[] = [];
  let nowMs = 0;
  let made = 0;
  const notHere = () => Promise.reject(new Error("not in this world"));
  const world: World = {
    clock: {
      now: () => new Date("2026-01-02T03:04:05.678Z"),
      monotonicMs: () => {
        nowMs += about.tickMs ?? 0;
        return nowMs;
      },
    },
    ids: { token: () => "abcde", secretFor: (words) => sha256(words) },
    env: { get: (name) => ({ PATH: "/bin", HOME: "/home/ada", SECRET: "s3cret" })[name] },
    surroundings: {
      word: async () => undefined,
      toolchain: async () => toolchains.shift() ?? "a toolchain",
      newestChange: async () => undefined,
    },
    census: { self: () => ({ pid: 1 }), isGone: () => false },
    git: {
      headName: notHere,
      branches: notHere,
      resolve: notHere,
      walk: notHere,
      commitsThatExist: notHere,
      reachableFrom: notHere,
      aheadBehind: notHere,
      filesAt: async (_repo, places) =>
        places.map(({ path }) => {
          const text = about.texts?.[path];
          return text === undefined ? { kind: "absent" } : { kind: "found", text };
        }),
      filesOf: async () => about.files ?? [],
    },
    scout: { branches: notHere, linesWith: notHere, blame: notHere },
    forges: { open: notHere },
    workshop: {
      async openWorkspace(_repo, { id }, apart) {
        const onBase = apart?.onBase && about.lends ? ["on base"] : [];
        asked.push([`open ${id}`, ...(apart?.hidden.length ? [`without ${apart.hidden.join(",")}`] : []), ...onBase].join(" "));
        return {
          work: `/rounds/${id}/work`,
          home: `/rounds/${id}/home`,
          brief: `/rounds/${id}/brief.md`,
          usage: `/rounds/${id}/usage.json`,
          ...(about.notes === undefined ? {} : { notes: `/rounds/${id}/told/notes.md` }),
        };
      },
      async treeOf(_repo, commit) {
        return `tree-of-${commit}`;
      },
      async openForBase(_repo, { id }) {
        asked.push(`open for base ${id}`);
      },
      async commitWorkspace(_repo, { id, number }) {
        asked.push(`commit ${id}`);
        const tree = about.tree?.(number) ?? `tree-${number}`;
        return {
          commit: `commit-of-${tree}`,
          tree,
          changes: about.changes ?? CHANGED,
          diff: { sha256: "d".repeat(64), bytes: 9, truncated: false },
          ...(about.displaced ? { displaced: about.displaced } : {}),
        };
      },
      async openBase(_repo, { id }, commit) {
        asked.push(`open base ${commit} as ${id}`);
        return { work: `/rounds/${id}/work`, home: `/rounds/${id}/home` };
      },
      async keep(_repo, { id }, commit) {
        asked.push(`keep ${commit} of ${id}`);
      },
      async restore(_repo, { id }, commit) {
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
      async openRoom({ id }, { name, commit, over, path, olderByMs, onBase }) {
        const isOnBase = onBase !== undefined && about.lends === true;
        const shape = [
          isOnBase ? "on base" : "",
          over ? `with ${over.paths.join(",")} of ${over.commit}` : "",
          path ?? "",
          olderByMs ? `aged ${olderByMs}` : "",
        ];
        asked.push(["open room", commit, "as", name, ...shape].filter(Boolean).join(" "));
        const room = { work: `/rounds/${id}/${name}/work`, home: `/rounds/${id}/${name}/home` };
        return isOnBase ? { ...room, below: ["/layers/base"], isOnBase } : room;
      },
      listFiles: notHere,
      listRewritten: notHere,
      listIgnored: async (_round, _room, paths) => paths,
      listChanged: async () => about.changes ?? [],
      trace: async () => ({ paths: [], end: async () => ({ kind: "traced", read: [], touched: [] }) }),
      readBlobs: notHere,
      bring: notHere,
      findBrought: notHere,
      async discard({ work }) {
        asked.push(`discard ${work}`);
      },
      async propose(_repo, _round, commit, branch) {
        asked.push(`propose ${commit} as ${branch}`);
      },
      async proposeKept(_repo, _round, commit, branch) {
        asked.push(`propose kept ${commit} as ${branch}`);
      },
      describe: notHere,
      keepDiff: notHere,
      async close({ id }) {
        asked.push(`close ${id}`);
        await about.closing?.();
      },
      sweep: notHere,
      merge: notHere,
      transplant: notHere,
      forgetTeam: async () => {},
    },
    mover: {
      branchTip: notHere,
      treeOf: notHere,
      contains: notHere,
      canFastForward: notHere,
      fastForward: notHere,
      replace: notHere,
      remoteTip: notHere,
      push: notHere,
      filesOf: notHere,
      commitFiles: notHere,
    },
    servers: { talk: notHere },
    http: { send: notHere },
    mail: { send: notHere },
    comparing: { betweenCommits: notHere },
    checkouts: { open: notHere, openStore: notHere, commitTree: notHere, namesBetween: notHere, pathIn: notHere },
    killSwitch: { path: "/home/STOP", isOn: async () => false, turnOn: notHere, turnOff: notHere },
    prepared: {
      machine: "a machine",
      exclusively: (_id, _waitMs, work) => work(),
      async find(id) {
        return about.stocked ? { id, sha256: "5".repeat(64), how: "reused", files: 3, bytes: 30, notes: [] } : undefined;
      },
      async put(id, { work }, keep) {
        asked.push(`keep ${keep.join(",")} of ${work}`);
        return { id, sha256: String(++made).repeat(64), how: "made", files: 3, bytes: 30, notes: [] };
      },
      async lay({ sha256: hash }, { work }, keep) {
        const isWhole = about.isWhole?.() ?? true;
        asked.push(`${isWhole ? "lay" : "cannot lay"} ${keep.join(",")} of ${hash[0]} into ${work}`);
        return isWhole;
      },
      async lend({ sha256: hash }, { work }) {
        if (!about.lends) return { kind: "not-lent" };
        asked.push(`lend ${hash[0]} to ${work}`);
        return { kind: "lent", layer: `/prepared/${hash[0]}/layer` };
      },
      async drop({ sha256: hash }) {
        asked.push(`drop ${hash[0]}`);
      },
      async collect() {},
    },
    caches: about.caches ?? { fill: async () => [], lend: async () => ({ kind: "gone" }) },
    outfitter: {
      include: async () => about.included,
      async takePorts(count) {
        asked.push(`take ${count} ports`);
        return { first: 20_000, last: 20_000 + count - 1, release: async () => void asked.push("give ports back") };
      },
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
    models: about.models ?? noModels,
    listFiles: async () => ({ paths: [], isWhole: true }),
    hookSettings: (adapter, flags) => `${adapter} ${flags}`,
    copyFiles: () => noCopyFiles,
    workspaceFiles: (work) => ({
      read: async (path) => (path === "told/notes.md" ? about.notes : written.get(`${work}/${path}`)),
      async readText(path) {
        const text = path === "told/notes.md" ? about.notes : written.get(`${work}/${path}`);
        return text === undefined ? { kind: "none", why: `there is no ${path}` } : { kind: "text", text };
      },
      async write(path, text) {
        written.set(`${work}/${path}`, text);
      },
      async remove(path) {
        written.delete(`${work}/${path}`);
        asked.push(`remove ${path}`);
      },
    }),
  };
  return { world, asked, written, commands, reports };
}
