import { expect, it } from "vitest";
import { barrenDesk, finishedAs, quietAgentWorld, quietNotebook } from "../../test/support/fake-world.ts";
import { createFakeMeter } from "../../test/support/purses.ts";
import type { Finished } from "../contract/commands.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { LoopSpec } from "../contract/spec.ts";
import { scripted } from "./scripted.ts";

function play(scenes: readonly object[], number: number, end: Finished["end"] = { kind: "exited", code: 0 }) {
  const did: string[] = [];
  const world: MakerWorld = {
    proc: {
      async run({ run, cwd, timeoutMs, env }) {
        did.push(`run ${run} in ${cwd} for ${timeoutMs} with ${Object.keys(env).join(" ")}`);
        return finishedAs(end);
      },
    },
    notebook: quietNotebook,
    agent: quietAgentWorld,
    desk: barrenDesk,
    files: {
      read: async () => undefined,
      write: async (path, text) => void did.push(`write ${path}: ${text}`),
      remove: async (path) => void did.push(`remove ${path}`),
    },
    env: { get: (name) => ({ PATH: "/bin", HOME: "/home/ada", SECRET: "s" })[name] },
    meter: {
      ...createFakeMeter(),
      async charge({ usd, tokens }) {
        did.push(`charge ${usd} ${tokens}`);
        return "budget-spent";
      },
    },
    readUsage: async () => undefined,
  };
  const make = scripted.configure({ scenes });
  if (make.proposes !== "commit") throw new Error("scripted must make commits");
  const talking = make.edit(
    {
      spec: LoopSpec.parse({ name: "demo", intent: "Show it.", level: "L2", maker: { use: "scripted" }, verifiers: [{ use: "command" }] }),
      round: { id: `demo-1-abcde.${number}`, run: "demo-1-abcde", loop: "demo", number, base: "ba5e", openedAt: "", lessons: [] },
      workspace: { work: "/r/work", home: "/r/home", brief: "/r/brief.md", usage: "/r/usage.json" },
      brief: "",
      timeLeftMs: 1000,
    },
    world,
  );
  return { talking, did };
}

it("plays one scene a round, and the last again and again", async () => {
  const scenes = [{ say: "first" }, { say: "second" }];

  const said = await Promise.all([1, 2, 3, 9].map((number) => play(scenes, number).talking));

  expect(said.map(({ ended, summary }) => `${ended}: ${summary}`)).toEqual([
    "finished: first",
    "finished: second",
    "finished: second",
    "finished: second",
  ]);
});

it("removes, writes, runs and spends, in this order", async () => {
  const { talking, did } = play(
    [{ hang: "2s", remove: ["test/a.test.js"], write: { "a.js": "1", "b.js": "2" }, run: "npm run fix", spend: { usd: 9, tokens: 5 } }],
    1,
  );

  expect(await talking).toEqual({ ended: "finished", summary: "done" });
  expect(did).toEqual([
    "run sleep 2 in /r/work for 62000 with PATH HOME GIT_CEILING_DIRECTORIES",
    "remove test/a.test.js",
    "write a.js: 1",
    "write b.js: 2",
    "run npm run fix in /r/work for 600000 with PATH HOME GIT_CEILING_DIRECTORIES",
    "charge 9 5",
  ]);
});

it("gives up, crashes or hits a limit as told, after its edits", async () => {
  const failing = (fail: string) => play([{ say: "no", write: { "a.js": "1" }, fail }], 1);
  const givingUp = failing("gives-up");

  expect([await givingUp.talking, givingUp.did]).toEqual([{ ended: "gave-up", summary: "no" }, ["write a.js: 1"]]);
  await expect(failing("crashes").talking).rejects.toMatchObject({ code: "maker-failed", retry: "never" });
  await expect(failing("is-limited").talking).rejects.toMatchObject({ code: "maker-rate-limited", retry: "later" });
});

it("gives up without an edit when it hangs past its time", async () => {
  const { talking, did } = play([{ hang: "10m", write: { "a.js": "1" } }], 1, { kind: "timed-out", afterMs: 1000 });

  expect(await talking).toEqual({ ended: "gave-up", summary: "its time was up before it did anything" });
  expect(did).toHaveLength(1);
});
