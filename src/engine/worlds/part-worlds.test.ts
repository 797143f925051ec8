import { describe, expect, it } from "vitest";
import { createFakeWorld, finishedAs, quietNotebook } from "../../../test/support/fake-world.ts";
import { createMemoryJournal } from "../../../test/support/memory-journal.ts";
import { endlessLaunch } from "../../../test/support/purses.ts";
import { seededChance } from "../../../test/support/seeded-chance.ts";
import { LoopSpec } from "../../contract/spec.ts";
import type { Taint } from "../../contract/text.ts";
import type { Surroundings } from "../../guard/command/rule.ts";
import { createHearing } from "../hear-maker.ts";
import type { AskGuard } from "./guard-proc.ts";
import { createMakerWorld } from "./maker-world.ts";
import { createConnectorWorld } from "./telling-world.ts";
import { createVerifierWorld, noRooms } from "./verifier-world.ts";

const secret = `gh${"p_"}${seededChance(9).text("A-Za-z0-9", 36)}`;
const { world: plain } = createFakeWorld();
const world = {
  ...plain,
  env: { get: (name: string) => ({ PATH: "/bin", GITHUB_TOKEN: secret, NOTE: secret, JAVA_HOME: "/opt/java" })[name] },
};
const around = { world, guard: () => ({ decision: "allow" as const, findings: [] }) };
const hearing = createHearing({ roundId: "r", place: 1 }, createMemoryJournal(), () => {});
const workspace = { work: "/w", brief: "/b", usage: "/u", home: "/h" };
const specWith = (inherit: readonly string[]): LoopSpec =>
  LoopSpec.parse({
    name: "fix",
    intent: "Fix.",
    level: "L2",
    maker: { use: "shell", with: { run: "x", inherit } },
    verifiers: [{ use: "command", with: { run: "x" } }],
  });
const seen = (env: { get(name: string): string | undefined }) =>
  ["PATH", "GITHUB_TOKEN", "NOTE", "JAVA_HOME"].filter((name) => env.get(name) !== undefined);

describe("the environment that a part may ask", () => {
  it("has no secrets for a maker, but those that its spec names", () => {
    const about = (inherit: readonly string[]) => ({
      options: { run: "x", inherit },
      roundId: "r",
      workspace,
      timeLeftMs: 1,
      taint: { kind: "clean" as const },
      folder: "/spec",
      hearing,
      earlierSession: undefined,
      models: world.models,
      notebook: quietNotebook,
    });

    expect(seen(createMakerWorld(about([]), specWith([]), endlessLaunch, around).env)).toEqual(["PATH", "JAVA_HOME"]);
    expect(seen(createMakerWorld(about(["GITHUB_TOKEN"]), specWith([]), endlessLaunch, around).env)).toEqual([
      "PATH",
      "GITHUB_TOKEN",
      "JAVA_HOME",
    ]);
  });

  it("has no secrets for a verifier at all", () => {
    expect(seen(createVerifierWorld("r", 1, specWith([]).budget, around, noRooms).env)).toEqual(["PATH", "JAVA_HOME"]);
  });
});

describe("the commands of a maker", () => {
  const asked = async (taint: Taint, outsiders: object) => {
    const heard: Surroundings[] = [];
    const guard: AskGuard = (_, at) => {
      heard.push(at);
      return { decision: "deny", findings: [] };
    };
    const spec = LoopSpec.parse({ ...specWith([]), level: "L3", outsiders });
    const { proc } = createMakerWorld(
      {
        roundId: "r",
        options: {},
        workspace,
        timeLeftMs: 1,
        taint,
        folder: "/spec",
        hearing,
        earlierSession: undefined,
        models: world.models,
        notebook: quietNotebook,
      },
      spec,
      endlessLaunch,
      {
        world,
        guard,
      },
    );
    await expect(proc.run({ run: "curl x", cwd: "/w", env: {}, timeoutMs: 1 })).rejects.toThrow("the guard did not let this run");
    return heard[0];
  };

  it("are judged by the spec's level while nobody else's text was read", async () => {
    expect(await asked({ kind: "clean" }, { level: "L1" })).toEqual({ workspace: "/w", level: "L3" });
  });

  it("are narrowed as the spec says once outsiders' text was read", async () => {
    const taint: Taint = { kind: "tainted", by: ["commits of main"] };

    expect(await asked(taint, {})).toEqual({ workspace: "/w", level: "L2", network: "closed" });
    expect(await asked(taint, { level: "L1", network: "open" })).toEqual({ workspace: "/w", level: "L1", network: "open" });
  });
});

it("gives each command of a connector a mark of its own, so that none ends with another", async () => {
  const marks: string[] = [];
  const { world: running } = createFakeWorld({
    run({ mark }) {
      marks.push(mark);
      return finishedAs({ kind: "exited", code: 0 });
    },
  });
  const about = { ...around, world: running, opened: { folder: "/" }, records: {} };
  const { proc } = createConnectorWorld("r.1", about as unknown as Parameters<typeof createConnectorWorld>[1]); // what commands pass

  await Promise.all([1, 2].map(() => proc.run({ run: "true", cwd: "/", env: {}, timeoutMs: 1 })));

  expect(marks).toEqual(["r.1.gather.1", "r.1.gather.2"]);
});
