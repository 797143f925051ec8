import { describe, expect, it } from "vitest";
import { createFakeWorld, type FakeWorldAbout, finishedAs } from "../../test/support/fake-world.ts";
import type { RunOpened } from "../contract/record.ts";
import { LoopSpec } from "../contract/spec.ts";
import { addVariables, fitOut, setUp } from "./outfit.ts";

const openedWith = (workspace: object | undefined): RunOpened => ({
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "fix",
    intent: "Fix.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
    ...(workspace ? { workspace } : {}),
  }),
  specHash: "",
  specPath: "/s/fix.loop.yaml",
  folder: "/s",
  repo: "/r",
  base: { ref: "main", commit: "ba5e" },
  cursors: {},
  version: "0",
});
const workspace = { work: "/w", brief: "/b", usage: "/u", home: "/h" };
const apart = { hidden: [], leftOut: [] };
const included = { by: "checkout", files: [".env"], bytes: 4, leftOut: [] } as const;

const inWorld = (wish: object | undefined, about: FakeWorldAbout = {}) => {
  const fake = createFakeWorld(about);
  return { ...fake, room: { opened: openedWith(wish), world: fake.world } };
};

describe("the outfit of a maker's copy", () => {
  it("is what its checkout lends and nothing more, where the spec asks for nothing", async () => {
    const { room, asked } = inWorld(undefined, { included });

    expect(await fitOut(room, workspace, apart)).toMatchObject({ fact: { included }, env: {} });
    expect(asked).toEqual([]);
  });

  it("has nothing of the checkout where the spec says so, or was written before it could", async () => {
    const { room } = inWorld({ include: false }, { included });
    const { workspace: _, ...old } = room.opened.spec;

    expect((await fitOut(room, workspace, apart)).fact).toEqual({});
    // What the journal holds of an older run has fewer fields than the type says.
    const before = { ...room, opened: { ...room.opened, spec: old as LoopSpec } };
    expect((await fitOut(before, workspace, apart)).fact).toEqual({});
  });

  it("hands base's own list over, for a checkout without one", async () => {
    const { room, world } = inWorld(undefined, { texts: { ".worktreeinclude": ".env\n" } });
    const heard: unknown[] = [];
    const outfitter = { ...world.outfitter, include: async (order: object) => void heard.push(order) };

    await fitOut(
      { ...room, world: { ...world, outfitter: { ...outfitter, include: async (order) => outfitter.include(order) as never } } },
      workspace,
      apart,
    );

    expect(heard).toEqual([{ repo: "/r", work: "/w", byBase: ".env\n", apart }]);
  });

  it("has ports that its commands are told of, and that are given back", async () => {
    const { room, asked, commands, world } = inWorld({ ports: 10 });

    const { fact, env, release } = await fitOut(room, workspace, apart);
    await addVariables(world, env).proc.run({ run: "x", cwd: "/w", env: { A: "1" }, timeoutMs: 1, mark: "m" });
    release();

    expect(fact).toEqual({ ports: { first: 20_000, last: 20_009 } });
    expect(commands[0]?.env).toEqual({ A: "1", LOOPWRIGHT_PORT: "20000", LOOPWRIGHT_PORT_END: "20009" });
    expect(asked).toEqual(["take 10 ports", "give ports back"]);
  });
});

describe("a set-up command", () => {
  const running = async (wish: object, about: FakeWorldAbout = {}) => {
    const { room, world, commands } = inWorld({ setup: { run: "make db", ...wish } }, about);
    const done = setUp(room, workspace, { run: (command) => world.proc.run({ ...command, mark: "m" }) });
    return { done, commands };
  };

  it("runs in the maker's copy, with an empty home, the variables it is given, and its time", async () => {
    const { done, commands } = await running({ inherit: ["SECRET"], timeout: "9s" });

    expect(await done).toEqual({ setup: { tookMs: 1, output: { sha256: "0".repeat(64), bytes: 0, truncated: false } } });
    expect(commands).toMatchObject([
      { run: "make db", cwd: "/w", timeoutMs: 9_000, env: { HOME: "/h", CI: "1", PATH: "/bin", SECRET: "s3cret" } },
    ]);
  });

  it.each([
    ["fails", { kind: "exited", code: 3 }, /the set-up `make db` exited 3, so that no maker was called\nno such table/],
    ["takes too long", { kind: "timed-out", afterMs: 9 }, /took longer than 9 ms \(workspace\.setup\.timeout is 5m\)/],
    ["is killed", { kind: "killed", signal: "SIGKILL", why: "it filled the disk" }, /was killed by SIGKILL, because it filled the disk/],
  ] as const)("that %s ends the run for good, and says how", async (_, end, message) => {
    const { done } = await running({}, { run: () => finishedAs(end, "no such table\n") });

    await expect(done).rejects.toMatchObject({ code: "setup-failed", retry: "never", message: expect.stringMatching(message) });
  });

  it("is not missed where there is none", async () => {
    const { room } = inWorld({});

    expect(await setUp(room, workspace, { run: () => Promise.reject(new Error("not run")) })).toEqual({});
  });
});
