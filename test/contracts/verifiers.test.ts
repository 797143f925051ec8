import { describe, expect, it } from "vitest";
import type { Finished } from "../../src/contract/commands.ts";
import { LoopError } from "../../src/contract/errors.ts";
import type { GitReader } from "../../src/contract/git.ts";
import type { VerifierWorld } from "../../src/contract/part-worlds.ts";
import { untrustedText } from "../../src/contract/text.ts";
import type { CommitClaim, ReportClaim, Sight, Verify } from "../../src/contract/verifier.ts";
import { verifiers } from "../../src/verifiers/index.ts";
import { barrenWorld, finishedAs } from "../support/fake-world.ts";
import { promisesOf } from "../support/part-suite.ts";

/** Options with which each verifier can work; one that needs none needs no line here. */
const HAPPY: { readonly [verifier: string]: unknown } = {
  check: { run: "npm test" },
  command: { run: "npm test" },
  holdout: { run: "npm test", from: "../holdout" },
  human: { ask: "Is it sound?" },
  isomorphic: { run: "npm test" },
  judge: { provider: "ollama", model: "qwen3" },
  measure: { run: "npm test", coverage: { file: "lcov.info" }, words: { least: 1 } },
  mutation: { run: "npm test" },
  rubric: { judges: [{ provider: "ollama", model: "qwen3" }], dimensions: { clear: { criteria: "It is clear." } }, threshold: 0.5 },
  quorum: { judges: ["a", "b", "c"].map((model) => ({ provider: "ollama", model })), agree: 2 },
  replay: { run: "npm test" },
  twins: { run: "npm test", results: { format: "tap" } },
  witness: { run: "npm test" },
};

const commitClaim: CommitClaim = {
  proposal: {
    kind: "commit",
    commit: "c0ffee",
    tree: "7ree",
    changes: [{ path: "src/a.ts", before: undefined, after: { mode: "100644", blob: "b2" } }],
    diff: { sha256: "", bytes: 0, truncated: false },
    talk: { ended: "finished", summary: untrustedText("all tests pass, trust me") },
  },
  checkout: { work: "/check-1/work", home: "/check-1/home" },
  timeLeftMs: 60_000,
};
const reportClaim: ReportClaim = {
  repo: "/r",
  gathered: [],
  proposal: {
    kind: "report",
    items: [{ rank: "security", commit: "1".repeat(40), ref: "main", title: "t", why: "w" }],
    refs: [{ ref: "main", tip: "1".repeat(40), commits: 1, notes: [] }],
    divergence: [],
    summary: "",
  },
};

const gone = new LoopError("git-failed", "git could not be started", { retry: "never", hint: "Look." });
const deadGit = new Proxy({} as GitReader, { get: () => () => Promise.reject(gone) });
const emptyGit: GitReader = {
  headName: async () => "main",
  branches: async () => [],
  resolve: async () => undefined,
  walk: async () => ({ ref: "main", tip: undefined, commits: [], notes: [] }),
  commitsThatExist: async () => new Set(),
  reachableFrom: async () => new Set(),
  aheadBehind: async () => undefined,
  filesOf: async () => [],
  filesAt: async (_repo, places) => places.map(() => ({ kind: "absent" })),
};

const see = (verifier: Verify, world: VerifierWorld): Promise<Sight> =>
  verifier.proves === "report" ? verifier.verify(reportClaim, world) : verifier.verify(commitClaim, world);

/** A world whose rooms can be had and are empty. */
const worldWhere = (run: () => Promise<Finished>, git: GitReader): VerifierWorld => ({
  ...barrenWorld,
  proc: { run },
  git,
  rooms: {
    newTests: [],
    open: async () => ({ work: "/room/work", home: "/room/home" }),
    contents: async () => new Map(),
    testFiles: async () => [],
    files: async () => [],
    rewritten: async () => [],
    bring: async () => {},
    discard: async () => {},
  },
  roomFiles: () => ({ read: async () => undefined, write: async () => {}, remove: async () => {} }),
  readOutput: async () => "",
});

it("gives every verifier a name of its own", () => {
  expect(new Set(verifiers.map(({ name }) => name)).size).toBe(verifiers.length);
});

describe.each(verifiers.map((verifier) => [verifier.name, verifier] as const))("%s", (name, verifier) => {
  promisesOf(verifier);

  it("is what it says it is", () => {
    const { name: called, kind, proves } = verifier.configure(HAPPY[name] ?? {});

    expect({ name: called, kind, proves }).toEqual({ name: verifier.name, kind: verifier.kind, proves: verifier.proves });
  });

  it.each<readonly [string, () => Promise<Finished>]>([
    ["a command that fails", async () => finishedAs({ kind: "exited", code: 1 })],
    ["a command that cannot be found", async () => finishedAs({ kind: "exited", code: 127 })],
    ["a command that may not be run", async () => finishedAs({ kind: "exited", code: 126 })],
    ["a command that was killed by a shell's count", async () => finishedAs({ kind: "exited", code: 137 })],
    ["a command that crashes", async () => finishedAs({ kind: "killed", signal: "SIGSEGV" })],
    ["a command that hangs", async () => finishedAs({ kind: "timed-out", afterMs: 1000 })],
    ["a command that cannot be started", () => Promise.reject(gone)],
  ])("never holds because of %s, nor with a git that does not answer", async (_, run) => {
    for (const git of [deadGit, emptyGit]) {
      const sight = await see(verifier.configure(HAPPY[name] ?? {}), worldWhere(run, git)).catch((error: unknown) => error);

      if (sight instanceof Error) expect(sight).toBeInstanceOf(LoopError);
      else expect((sight as Sight).outcome).not.toBe("holds");
    }
  });
});
