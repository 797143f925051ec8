import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { barrenWorld, finishedAs } from "../../test/support/fake-world.ts";
import type { Command, Finished } from "../contract/commands.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { neverStops } from "../contract/stop.ts";
import { untrustedText } from "../contract/text.ts";
import type { CommitClaim } from "../contract/verifier.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createProc } from "../world/process/proc.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { command } from "./command.ts";

const claimIn = (place: string): CommitClaim => ({
  proposal: {
    kind: "commit",
    commit: "c0ffee",
    tree: "7ree",
    changes: [],
    diff: { sha256: "", bytes: 0, truncated: false },
    talk: { ended: "finished", summary: untrustedText("all tests pass") },
  },
  checkout: { work: `${place}/work`, home: `${place}/home` },
  timeLeftMs: 60_000,
});

const OURS: { readonly [name: string]: string } = {
  PATH: "/bin",
  HOME: "/home/ada",
  LANG: "C.UTF-8",
  JAVA_HOME: "/java",
  API_KEY: "s3cret",
};
const notHere = () => Promise.reject(new Error("no git was expected"));
const noGit = {
  headName: notHere,
  branches: notHere,
  resolve: notHere,
  walk: notHere,
  commitsThatExist: notHere,
  reachableFrom: notHere,
  aheadBehind: notHere,
  filesAt: notHere,
  filesOf: notHere,
};

async function verify(options: object, finished: Finished) {
  const commands: Command[] = [];
  const world: VerifierWorld = {
    ...barrenWorld,
    proc: {
      async run(asked) {
        commands.push(asked);
        return finished;
      },
    },
    git: noGit,
    env: { get: (name) => OURS[name] },
  };
  return { sight: await ready({ run: "npm test", ...options }).verify(claimIn("/check-1"), world), commands };
}

function ready(options: object) {
  const verifier = command.configure(options);
  if (verifier.proves !== "commit") throw new Error("command must prove commits");
  return verifier;
}

it("runs in its own copy, with an empty home, and sees neither our secrets nor our HOME", async () => {
  const { commands } = await verify({ timeout: "90s" }, finishedAs({ kind: "exited", code: 0 }));

  expect(commands).toEqual([
    { run: "npm test", cwd: "/check-1/work", timeoutMs: 90_000, env: { HOME: "/check-1/home", CI: "1", PATH: "/bin", LANG: "C.UTF-8" } },
  ]);
});

it("sees what was asked for by name, and what was set", async () => {
  const { commands } = await verify(
    { inherit: ["JAVA_HOME", "HOME", "NOT_SET"], env: { NODE_ENV: "test", CI: "0" } },
    finishedAs({ kind: "exited", code: 0 }),
  );

  expect(commands[0]!.env).toEqual({ HOME: "/home/ada", CI: "0", PATH: "/bin", LANG: "C.UTF-8", JAVA_HOME: "/java", NODE_ENV: "test" });
});

it.each<readonly [string, Finished["end"], string, string]>([
  ["holds when it exits zero", { kind: "exited", code: 0 }, "holds", "`npm test` exited 0\nwhat it said"],
  ["is refuted when it exits otherwise", { kind: "exited", code: 1 }, "refuted", "`npm test` exited 1\nwhat it said"],
  [
    "does not know when it takes too long",
    { kind: "timed-out", afterMs: 600_000 },
    "unknown",
    "`npm test` took longer than 600000 ms\nwhat it said",
  ],
  ["does not know when it was killed", { kind: "killed", signal: "SIGKILL" }, "unknown", "`npm test` was killed by SIGKILL\nwhat it said"],
  [
    "does not know when it could not be found",
    { kind: "exited", code: 127 },
    "unknown",
    "`npm test` could not be run (exit 127)\nwhat it said",
  ],
  [
    "does not know when it may not be run",
    { kind: "exited", code: 126 },
    "unknown",
    "`npm test` could not be run (exit 126)\nwhat it said",
  ],
])("%s", async (_, end, outcome, detail) => {
  const finished = finishedAs(end, "what it said\n");

  expect((await verify({}, finished)).sight).toEqual({ outcome, detail, output: finished.output });
});

describe("with a real shell", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-command-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const proc = createProc(createArtifacts(join(folder, "artifacts")), systemClock, neverStops);
  const world: VerifierWorld = {
    ...barrenWorld,
    proc: { run: (asked) => proc.run({ ...asked, mark: `command-test-${process.pid}` }) },
    git: noGit,
    env: { get: (name) => (name === "PATH" ? process.env.PATH : OURS[name]) },
  };
  const claim = { ...claimIn(folder), checkout: { work: folder, home: folder } };

  it.each([
    ['test -z "$API_KEY" && test "$HOME" = "$PWD"', "holds"],
    ["exit 1", "refuted"],
    ["no-such-program-at-all", "unknown"],
    ["kill -SEGV $$", "unknown"],
    ["sleep 60", "unknown"],
    ["sleep 60 & exit 0", "holds"],
  ])("%s: %s", async (run, outcome) => {
    expect((await ready({ run, timeout: "300ms" }).verify(claim, world)).outcome).toBe(outcome);
  });
});
