import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { smallProjects } from "../../../test/support/small-projects.ts";
import { isTelling, scanTree } from "../../ecosystems/scan-tree.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { type InitWishes, type InitWorld, planInit } from "./init-loop.ts";
import type { Tried } from "./outline-loop.ts";
import { triedOf } from "./try-checks.ts";

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

it("changes nothing the second time where there are no tests, whatever agent is named both times", async () => {
  const world = worldWith();
  const first = await planned({ agent: "codex" }, world, { "README.md": "" });
  await world.writeText(first.path, first.text);

  const second = await planned({ agent: "codex" }, world, { "README.md": "" });

  expect([second.kind, second.text, second.notes]).toEqual([
    "unchanged",
    first.text,
    [".loopwright/watch-my-shop.loop.yaml only reports, and calls no agent."],
  ]);
});

it("changes what is asked for outright, and no other byte of a file that is there", async () => {
  const world = worldWith();
  const first = await planned({}, world);
  await world.writeText(first.path, first.text);

  const second = await planned({ agent: "codex", at: "05:00" }, world);

  expect(second.kind).toBe("changed");
  expect(second.text).toBe(first.text.replace("use: claude-code", "use: codex").replace('"02:30"', '"05:00"'));
});

it("lets a yes move the base branch only where that is asked for, then and later, and nothing else changes", async () => {
  const world = worldWith();
  const first = await planned({}, world);
  const merging = await planned({ merge: true }, world);
  await world.writeText(first.path, first.text);

  const later = await planned({ merge: true }, world);

  expect([first.text, merging.text].map((text) => /^act: .*/m.exec(text)?.[0])).toEqual(["act: []", "act: [{ use: merge }]"]);
  expect(parse(later.text)).toEqual(parse(merging.text));
  expect(later.kind).toBe("changed");
});

it.each([[{ at: "25:99" }], [{ at: "garbage" }], [{ agent: "nonesuch" }], [{ test: "" }], [{ test: "true" }]])(
  "refuses %j for a file that is there, where the loop would not be right",
  async (wishes) => {
    const world = worldWith();
    const first = await planned({}, world);
    await world.writeText(first.path, first.text);

    await expect(planned(wishes, world)).rejects.toMatchObject({ code: "bad-input" });
  },
);

it("takes the time out of a loop that is to be woken by hand, and puts one in again", async () => {
  const world = worldWith();
  const first = await planned({}, world);
  await world.writeText(first.path, first.text);

  const byHand = await planned({ at: "by hand" }, world);
  await world.writeText(first.path, byHand.text);
  const still = await planned({ at: "by hand" }, world);
  const timed = await planned({ at: "05:00" }, world);

  expect(parse(byHand.text)).toEqual({ ...parse(first.text), trigger: { use: "manual" } });
  expect(still.kind).toBe("unchanged");
  expect(parse(timed.text).trigger).toEqual({ use: "daily", with: { at: "05:00" } });
});

it("says nothing of tests that could not be run where nobody wanted them tried", async () => {
  const { notes } = await planned({}, worldWith({ tryOnBase: async () => ({ kind: "not-tried", why: "--no-try was given" }) }));

  expect(notes).toEqual([]);
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

it("says which suites of a repository with several packages and languages no check runs", async () => {
  const test = '{ "scripts": { "test": "node --test" } }';
  const { text, notes } = await planned({}, worldWith(), {
    "package.json": '{ "workspaces": ["packages/*"] }',
    "packages/a/package.json": test,
    "packages/b/package.json": test,
    "services/svc/go.mod": "module svc\n",
    "services/svc/a_test.go": "package svc\n",
  });
  const asked = await planned({ test: "sh all.sh" }, worldWith(), { ...NODE, "svc/go.mod": "module svc\n", "svc/a_test.go": "" });

  const told = notes.find((note) => note.startsWith("Seen, and nothing shows"));
  expect([told?.includes("packages/b ("), told?.includes("services/svc (go test"), told?.includes("packages/a (")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(text).toContain(`# ${told}`);
  expect(asked.notes).toEqual([]);
});

it.each([['{"name": "x", "scripts": {"test": '], ["\u0000\u0001"]])(
  "takes a manifest that is broken for no missing one: %j",
  async (broken) => {
    const files = { "package.json": broken, "README.md": "" };
    const { scan } = seenIn(files);

    expect([scan.unread.some((line) => line.startsWith("package.json: ")), scan.missing.some((line) => /manifest/.test(line))]).toEqual([
      true,
      false,
    ]);
    await expect(planned({}, worldWith(), files)).rejects.toMatchObject({
      code: "bad-input",
      message: expect.stringContaining("package.json"),
    });
  },
);

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

describe("a red base", () => {
  const redWith = (detail: string) => ({
    tookMs: 5,
    baseline: {
      tree: "t",
      quarantine: [],
      checks: [
        {
          matter: "m",
          verifiers: [],
          state: "red" as const,
          detail,
          runs: 1,
          asked: 1,
          red: ["a"],
          redCount: 1,
          flaky: [],
          quarantined: [],
          isHidden: false,
          output: undefined,
          lookedAt: "",
          lookedBy: "",
        },
      ],
    },
  });

  it.each([
    ["`make test` exited 2\nmake: go: No such file or directory\nmake: *** [Makefile:32: install_deps] Error 127", false],
    ["`npm test` exited 1\nsh: 1: vitest: not found", false],
    ["`pytest` exited 2: 1 failed\nE   ModuleNotFoundError: No module named 'text_unidecode'", true],
  ])("is none where the tests could not begin: %s", (detail, readsThem) => {
    expect(triedOf(redWith(detail), readsThem).kind).toBe("cannot-run");
  });

  it.each([
    ["`npm test` exited 1\nError: the user was not found", false],
    ["`pytest` exited 1: 1 failed, 7 passed\nE   ModuleNotFoundError: No module named 'x'", true],
  ])("is one where they did: %s", (detail, readsThem) => {
    expect(triedOf(redWith(detail), readsThem).kind).toBe("ran");
  });
});

describe("--test for a loop that is there", () => {
  const changedBy = async (test: string) => {
    const world = worldWith();
    const first = await planned({}, world);
    await world.writeText(first.path, first.text);
    const { text } = await planned({ test }, world);
    return { before: parse(first.text).verifiers, after: parse(text).verifiers, text };
  };

  it("changes every check that carries the command, where its results are where they were", async () => {
    const { before, after } = await changedBy(
      "node --test --test-reporter=junit --test-reporter-destination=.lw-results.xml unit".replace(".lw-results.xml", await resultsFile()),
    );

    expect(after.map(({ use }: { use: string }) => use)).toEqual(before.map(({ use }: { use: string }) => use));
    expect(new Set(after.map((one: { with: { run: string } }) => one.with.run)).size).toBe(1);
    expect(after[2].with.run).toContain(" unit");
  });

  it("leaves no check that reads results which the new command does not write", async () => {
    const { after, text } = await changedBy("make check");

    expect(after).toEqual([{ use: "command", with: { run: "make check", timeout: "6m" } }]);
    expect(text).toContain("# Made by `lw init`.");
  });

  const resultsFile = async (): Promise<string> => parse((await planned()).text).verifiers[0].with.results.file;
});

it.each([
  ["node --test && node check.js", "node --test --test-reporter"],
  ["vitest run && eslint .", "vitest run --run --reporter=json"],
  ["node --test unit && node --test e2e", "node --test --test-reporter"],
])("keeps the whole of a test script of which only a part can be read: %s", async (script, part) => {
  const { text } = await planned({}, worldWith(), { "package.json": JSON.stringify({ scripts: { test: script } }) });
  const { verifiers } = parse(text);

  expect(verifiers[0]).toMatchObject({ use: "witness", with: { run: expect.stringContaining(part) } });
  expect(verifiers.at(-1)).toEqual({ use: "command", with: { run: "npm test", timeout: "6m" } });
  expect(text).toContain("Test by test only");
});

it("adds no second check where the whole of the script is read", async () => {
  const { text } = await planned({}, worldWith(), { "package.json": JSON.stringify({ scripts: { test: "eslint . && vitest run" } }) });

  expect(parse(text).verifiers.map(({ use }: { use: string }) => use)).toEqual(["witness", "twins", "replay"]);
});

it("tells no base green of which the rest of the test script is red", () => {
  const checkAs = (state: "green" | "red") => ({ verifier: "v", state, detail: state, redCount: 0 });
  const taken = { baseline: { checks: [checkAs("green"), checkAs("red")] }, tookMs: 1 };

  expect(triedOf(taken as never, true)).toMatchObject({ kind: "ran", state: "red", detail: "red" });
});
