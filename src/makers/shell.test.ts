import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { barrenDesk, finishedAs, quietAgentWorld, quietNotebook } from "../../test/support/fake-world.ts";
import { createFakeMeter } from "../../test/support/purses.ts";
import type { Command, Finished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { EditOrder } from "../contract/maker.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { LoopSpec } from "../contract/spec.ts";
import { neverStops } from "../contract/stop.ts";
import { createFiles, createWorkspaceFiles } from "../world/files/files.ts";
import { systemClock } from "../world/machine/clock.ts";
import { createProc } from "../world/process/proc.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { makers } from "./index.ts";
import { shell } from "./shell.ts";

const orderIn = (place: string): EditOrder => ({
  spec: LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "shell" },
    verifiers: [{ use: "command" }],
  }),
  round: {
    id: "keep-green-1-abcde.1",
    run: "keep-green-1-abcde",
    loop: "keep-green",
    number: 1,
    base: "ba5e",
    openedAt: "2026-01-02T03:04:05.678Z",
    lessons: [],
  },
  workspace: { work: `${place}/work`, home: `${place}/home`, brief: `${place}/brief.md`, usage: `${place}/usage.json` },
  brief: "# keep-green\n\nIntent: Keep main green.\n",
  timeLeftMs: 60_000,
});
const order = orderIn("/rounds/r.1");

const OURS: { readonly [name: string]: string } = {
  PATH: "/bin",
  HOME: "/home/ada",
  USER: "ada",
  LANG: "C.UTF-8",
  API_KEY: "s3cret",
  OTHER_KEY: "s3cret too",
};

/** A maker's world in which the command comes to this end, and said it spent that. */
function worldWhere(finished: Finished | LoopError, usage?: string) {
  const commands: Command[] = [];
  const meter = createFakeMeter();
  const world: MakerWorld = {
    proc: {
      async run(command) {
        commands.push(command);
        if (finished instanceof LoopError) throw finished;
        return finished;
      },
    },
    files: {
      read: () => Promise.reject(new Error("no")),
      write: () => Promise.reject(new Error("no")),
      remove: () => Promise.reject(new Error("no")),
    },
    notebook: quietNotebook,
    agent: quietAgentWorld,
    desk: barrenDesk,
    env: { get: (name) => OURS[name] },
    meter,
    readUsage: async () => usage,
  };
  return { world, commands, spends: meter.charged, meter };
}

function edit(options: object, world: MakerWorld, about = order) {
  const make = shell.configure({ run: "agent --print", ...options });
  if (make.proposes !== "commit") throw new Error("shell must make commits");
  return make.edit(about, world);
}
const exited = (code: number, tail = "") => finishedAs({ kind: "exited", code }, tail);

it("runs its command in its copy, with the brief on standard input and a short environment", async () => {
  const { world, commands } = worldWhere(exited(0, "done"));

  await edit({ inherit: ["API_KEY", "NOT_SET"], timeout: "90s" }, world);

  expect(commands).toEqual([
    {
      run: "agent --print",
      cwd: "/rounds/r.1/work",
      input: "# keep-green\n\nIntent: Keep main green.\n",
      meanwhile: expect.any(Function),
      timeoutMs: 90_000,
      env: {
        PATH: "/bin",
        HOME: "/home/ada",
        USER: "ada",
        LANG: "C.UTF-8",
        API_KEY: "s3cret",
        LOOPWRIGHT_BRIEF: "/rounds/r.1/brief.md",
        LOOPWRIGHT_USAGE: "/rounds/r.1/usage.json",
        LOOPWRIGHT_LOOP: "keep-green",
        LOOPWRIGHT_ROUND: "keep-green-1-abcde.1",
        GIT_CEILING_DIRECTORIES: "/rounds/r.1",
      },
    },
  ]);
});

describe("how it ended", () => {
  it.each([
    ["finished when it exits zero", exited(0, "all good"), { ended: "finished", summary: "all good" }],
    ["given up when it exits otherwise", exited(3, "no idea"), { ended: "gave-up", summary: "it exited 3\nno idea" }],
    [
      "given up when it is killed",
      finishedAs({ kind: "killed", signal: "SIGKILL" }, "x"),
      { ended: "gave-up", summary: "it was killed by SIGKILL\nx" },
    ],
    [
      "given up when its time is up",
      finishedAs({ kind: "timed-out", afterMs: 1000 }, "x"),
      { ended: "gave-up", summary: "it took longer than 1000 ms\nx" },
    ],
  ])("is %s", async (_, finished, talk) => {
    expect(await edit({}, worldWhere(finished).world)).toEqual(talk);
  });

  it.each([126, 127])("is an outside failure when the command cannot be run: exit %i", async (code) => {
    await expect(edit({}, worldWhere(exited(code, "sh: agent: not found\n")).world)).rejects.toMatchObject({
      name: "LoopError",
      code: "maker-failed",
      retry: "never",
      message: `the maker's command could not be run (exit ${code}): sh: agent: not found`,
      hint: "Try it by hand in the repository: agent --print",
    });
  });
});

describe("what it spent", () => {
  it.each([
    ["both", '{"usd": 0.42, "tokens": 18000}', [{ usd: 0.42, tokens: 18000 }]],
    ["dollars only", '{"usd": 0.42}', [{ usd: 0.42 }]],
    ["tokens only, a model, and more that we do not know", '{"tokens": 7, "model": "x", "mood": 3}', [{ tokens: 7, model: "x" }]],
    ["less than nothing, which the meter refuses", '{"usd": -1}', [{ usd: -1 }]],
  ])("is charged when it says so: %s", async (_, usage, spends) => {
    const { world, spends: charged } = worldWhere(exited(0), usage);

    await edit({}, world);

    expect(charged).toEqual(spends);
  });

  it.each([undefined, "", "{}", '{"usd": 0, "tokens": 0}', '{"usd": null}', '{"model": "x"}'])(
    "stays unknown when it says %j",
    async (usage) => {
      const { world, spends } = worldWhere(exited(0), usage);

      expect((await edit({}, world)).ended).toBe("finished");
      expect(spends).toEqual([]);
    },
  );

  it.each([
    ["no JSON", "not json", "no JSON: not json", []],
    ["no object", "null", "no object: null", []],
    ["a list", "[]", "no object: []", []],
    ["a text for a number", '{"usd": "0.42"}', 'usd is no number: "0.42"', []],
    ["more than a number holds", '{"usd": 1e999}', "usd is no number: null", []],
    ["figures of other names", '{"cost": 0.4}', 'none of its figures is known: {"cost": 0.4}', []],
    [
      "one that is good beside one that is not",
      '{"usd": 0.4, "tokens": {"input": 100}}',
      'tokens is no number: {"input":100}',
      [{ usd: 0.4 }],
    ],
  ])("fails it when nobody can read it, and is charged as far as it can be read: %s", async (_, usage, why, charged) => {
    const { world, commands, spends } = worldWhere(exited(0), usage);

    await expect(edit({}, world)).rejects.toMatchObject({
      code: "maker-failed",
      retry: "never",
      message: `what the maker reported in $LOOPWRIGHT_USAGE cannot be read: ${why}`,
      hint: expect.stringContaining('{"usd": 0.42, "tokens": 18000}'),
    });
    expect(spends).toEqual(charged);
    // It may just be writing it.
    expect(await commands[0]?.meanwhile?.({})).toBe("go-on");
  });

  it("is charged as it comes, and ends the command when the budget is spent", async () => {
    const { world, commands, spends } = worldWhere(exited(0), '{"usd": 0.42}');

    await edit({ model: "claude-opus-4-8" }, { ...world, meter: { ...createFakeMeter("budget-spent"), total: world.meter.total } });
    const stopped = worldWhere(exited(0), '{"usd": 0.42}');
    await edit({}, { ...stopped.world, meter: createFakeMeter("budget-spent") });

    expect([await commands[0]?.meanwhile?.({}), await stopped.commands[0]?.meanwhile?.({})]).toEqual(["go-on", "stop"]);
    expect(spends).toEqual([
      { usd: 0.42, model: "claude-opus-4-8" },
      { usd: 0.42, model: "claude-opus-4-8" },
    ]);
  });

  it.each([
    ["a plain command", { run: "npx prettier --write . && ./scripts/sort-imports.sh" }, true],
    ["an agent that is told to cost nothing", { run: "claude -p", spends: "nothing" }, true],
    ["a script that says it may call a model", { run: "./agent.sh", spends: "unknown" }, false],
    ["an agent", { run: 'cd web && npx @anthropic-ai/claude-code -p "$(cat)"' }, false],
    ["a command that writes what it spent", { run: 'node agent.mjs > "$LOOPWRIGHT_USAGE"' }, false],
    ["a command with somebody's key", { run: "./agent.sh", inherit: ["API_KEY"] }, false],
    ["a command whose model is named", { run: "./agent.sh", model: "some-model" }, false],
  ])("is known to be nothing, or has to be estimated, of %s", async (_, options, isFree) => {
    const { world, meter } = worldWhere(exited(0));

    await edit(options, world);

    expect(meter.isFree()).toBe(isFree);
  });

  it("has to be estimated of every agent that we drive ourselves", async () => {
    for (const { program } of makers) {
      if (!program) continue;
      const { world, meter } = worldWhere(exited(0));
      await edit({ run: `${program.name} --print` }, world);
      expect([program.name, meter.isFree()]).toEqual([program.name, false]);
    }
  });

  it.each([
    ["gave up", exited(1)],
    ["could not be run", exited(127)],
    ["was stopped", new LoopError("interrupted", "stopped", { retry: "later", hint: "Go on." })],
  ])("is charged also when it %s", async (_, finished) => {
    const { world, spends } = worldWhere(finished, '{"usd": 0.42}');

    await edit({}, world).catch(() => {});

    expect(spends).toEqual([{ usd: 0.42 }]);
  });
});

describe("with a real shell", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-shell-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("reads its brief from standard input or from the file, edits its copy, and says what it spent", async () => {
    const real = orderIn(folder);
    const files = createFiles();
    await files.writeText(real.workspace.brief, real.brief);
    await files.writeText(`${real.workspace.work}/a.txt`, "");
    const proc = createProc(createArtifacts(join(folder, "artifacts")), systemClock, neverStops);
    const { world, spends } = worldWhere(exited(0));
    const realWorld: MakerWorld = {
      ...world,
      proc: { run: (command) => proc.run({ ...command, mark: `shell-test-${process.pid}` }) },
      files: createWorkspaceFiles(real.workspace.work),
      env: { get: (name) => process.env[name] },
      readUsage: () => files.readText(real.workspace.usage),
    };

    const talk = await edit(
      { run: 'cat > in.txt; cmp in.txt "$LOOPWRIGHT_BRIEF" && echo \'{"tokens": 5}\' > "$LOOPWRIGHT_USAGE"; echo said' },
      realWorld,
      real,
    );

    expect([talk, spends, readFileSync(join(real.workspace.work, "in.txt"), "utf8")]).toEqual([
      { ended: "finished", summary: "said\n" },
      [{ tokens: 5 }],
      real.brief,
    ]);
  });
});
