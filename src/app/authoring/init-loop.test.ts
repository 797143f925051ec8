import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { smallProjects } from "../../../test/support/small-projects.ts";
import { isTelling, scanTree } from "../../ecosystems/scan-tree.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { type InitWishes, type InitWorld, planInit } from "./init-loop.ts";
import type { Tried } from "./outline-loop.ts";

const GREEN: Tried = { kind: "ran", state: "green", detail: "", redCount: 0, tookMs: 90_000 };
const AGENTS = [{ maker: "claude-code", program: "claude", path: "/bin/claude" }];

const seenIn = (files: { readonly [path: string]: string }, agents = AGENTS, root = "/home/ada/My Shop") => ({
  root,
  scan: scanTree(
    {
      paths: Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1)),
      texts: new Map(Object.entries(files).filter(([path]) => isTelling(path))),
    },
    { branch: { branch: "main", sure: "certain", because: "it is checked out", seen: [] }, forge: undefined, agents, unread: [] },
  ),
});

function worldWith(about: Partial<InitWorld> = {}, files = new Map<string, string>()): InitWorld & { readonly files: Map<string, string> } {
  return {
    files,
    readText: async (path) => files.get(path),
    writeText: async (path, text) => void files.set(path, text),
    choose: async (_, [first]) => first!,
    isSet: (variable) => variable === "ANTHROPIC_API_KEY",
    tryOnBase: async () => GREEN,
    ...about,
  };
}

const NODE = smallProjects[0]!.files;
const planned = (wishes: InitWishes = {}, world = worldWith(), files = NODE, agents = AGENTS) =>
  planInit(seenIn(files, agents), wishes, world);

describe.each(smallProjects)("for $name", ({ files, check }) => {
  it("writes a loop that is right, with a reason for every choice, and no doubt about it", async () => {
    const { text, file, kind } = await planned({}, worldWith(), files);
    const reading = readSpec(file, text, builtIn);

    expect([kind, file, reading.kind === "refused" ? reading.problems : reading.warnings]).toEqual([
      "new",
      ".loopwright/fix-my-shop.loop.yaml",
      [],
    ]);
    expect(
      reading.kind === "read" && [reading.spec.verifiers[0]?.use, reading.spec.verifiers[0]?.with?.run, reading.spec.baseline.want],
    ).toEqual([check.format === undefined ? "command" : "witness", check.run, "red"]);
    expect(
      text.split("\n").filter((line) => /^(?:level|target|trigger|prepare|baseline|maker|verifiers|seal|budget):/.test(line)).length,
    ).toBeGreaterThanOrEqual(8);
  });
});

it("gives tests that take long more time, and the agent the key that is set and no other", async () => {
  const { verifiers, budget, maker } = parse((await planned()).text);

  expect([verifiers[0].with.timeout, budget.time, maker]).toEqual([
    "6m",
    "90m",
    { use: "claude-code", with: { inherit: ["ANTHROPIC_API_KEY"], timeout: "20m" } },
  ]);
});

it("changes nothing the second time, and leaves hand edits alone", async () => {
  const world = worldWith();
  const first = await planned({}, world);
  const edited = `# Mine.\n${first.text.replace("level: L2", "level:   L1 # not yet")}`;
  await world.writeText(first.path, edited);

  const second = await planned({}, world);

  expect([second.kind, second.text, second.diff]).toEqual(["unchanged", edited, []]);
});

it("changes what is asked for outright, and no other byte of a file that is there", async () => {
  const world = worldWith();
  const first = await planned({}, world);
  await world.writeText(first.path, first.text);

  const second = await planned({ agent: "codex", at: "05:00" }, world);

  expect(second.kind).toBe("changed");
  expect(second.text).toBe(first.text.replace("use: claude-code", "use: codex").replace('"02:30"', '"05:00"'));
});

it("takes the first check that runs on base, and says what it loses", async () => {
  const tries: unknown[] = [];
  const { text } = await planned(
    {},
    worldWith({
      tryOnBase: async (_, fields) => {
        tries.push(fields.find(({ key }) => key === "verifiers")?.value);
        return tries.length < 2 ? { kind: "cannot-run", why: "exited 127", hint: undefined } : GREEN;
      },
    }),
  );

  expect(tries.length).toBe(2);
  expect(text).toContain("use: command");
  expect(text).toContain("Only the exit code tells");
});

it("writes the best check with why it could not be run where none could", async () => {
  const { text, notes } = await planned(
    {},
    worldWith({ tryOnBase: async () => ({ kind: "cannot-run", why: "exited 127\nmore", hint: "Install it." }) }),
  );

  expect(text).toContain("# Tried on base, and it could not be run: exited 127 Install it.\n");
  expect(notes).toContain("The tests could not be run on base: see the comment at `verifiers`, and mend that first.");
});

it("only reports where there are no tests", async () => {
  const { text, name } = await planned({}, worldWith(), { "README.md": "# Words\n" });
  const { level, gather, maker, verifiers } = parse(text);

  expect({ name, level, gather, maker, verifiers, sound: readSpec("a", text, builtIn).kind }).toEqual({
    name: "watch-my-shop",
    level: "L1",
    gather: [{ use: "commits", with: { refs: ["main"], since: "7d" } }],
    maker: { use: "triage" },
    verifiers: [{ use: "grounded" }],
    sound: "read",
  });
});

it("asks which agent only where there are several, and says so where there is none", async () => {
  const asked: string[] = [];
  const choose = async (question: string, choices: readonly string[]): Promise<string> => {
    asked.push(question);
    return choices.at(-1)!;
  };
  const world = worldWith({ choose });
  const two = [...AGENTS, { maker: "codex", program: "codex", path: "/bin/codex" }];

  const both = await planned({}, world, NODE, two);
  const none = await planned({}, worldWith(), NODE, []);

  expect(asked).toEqual(["Which agent makes the changes?", "When should it wake by itself?"]);
  expect([both.text.includes("use: codex"), both.text.includes("use: manual")]).toEqual([true, true]);
  expect(none.notes[0]).toBe("claude-code is not on the PATH: install it, or name another with --agent.");
});

it("refuses what is no maker, and a time that is none, and writes nothing", async () => {
  await expect(planned({ agent: "nobody" })).rejects.toMatchObject({ code: "bad-input" });
  await expect(planned({ at: "noon" })).rejects.toMatchObject({ code: "bad-input", hint: expect.stringContaining("Nothing was written.") });
});
