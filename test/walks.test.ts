// How many files one has to read to follow a command from the front door to the first record of a run.
import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRepo, type TestRepo } from "./support/git-repo.ts";

const HOOKS = join(import.meta.dirname, "support/walk");
const DOOR = join(import.meta.dirname, "../src/cli/lw.ts");
const FLOORS = ["cli/", "app/", "engine/"];
/** Data: all it waits for is that the file of a command is loaded. */
const TABLE = "cli/table.ts";
const SPEC = {
  name: "fix",
  intent: "Make it right.",
  level: "L2",
  target: { repo: ".", base: "main" },
  maker: { use: "scripted", with: { scenes: [{ write: { "value.txt": "right\n" } }] } },
  verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
  baseline: { when: "off" },
  act: [{ use: "merge" }],
};

interface Walk {
  /** Files with functions that ran. */
  readonly ran: readonly string[];
  /** Those among them in which something was done that is waited for, and not only decided or put together. */
  readonly waiting: readonly string[];
}

let repo: TestRepo;
let home: string;

beforeAll(async () => {
  repo = createRepo();
  home = realpathSync(mkdtempSync(join(tmpdir(), "lw-walk-")));
  repo.commit("start", { files: { "value.txt": "wrong\n", "fix.loop.json": JSON.stringify(SPEC) } });
  repo.git("checkout", "--quiet", "--detach");
  await lw("sources.mjs", "old", ["run", "fix"]);
});
afterAll(() => {
  repo.remove();
  rmSync(home, { recursive: true, force: true });
});

/** In one of two homes: the old one has a proposal that waits. */
async function lw(hooks: string, age: "new" | "old", args: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, USER: "ada", HOME: home, LOOPWRIGHT_HOME: join(home, age) };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", join(HOOKS, hooks), DOOR, ...args], { cwd: repo.dir, env });
  return stdout;
}

async function walk(age: "new" | "old", args: readonly string[]): Promise<Walk> {
  const { ran, waiting } = JSON.parse((await lw("to-first-record.mjs", age, args)).trim().split("\n").at(-1) ?? "");
  const onOurFloors = (path: string): boolean => FLOORS.some((floor) => path.startsWith(floor));
  return { ran: ran.filter(onOurFloors), waiting: waiting.filter((path: string) => onOurFloors(path) && path !== TABLE) };
}

/**
 * What only decides or puts together is behind a function that one need not open; the door is one more, and waits for nothing.
 * Fifteen, one since who runs a loop by hand waits until nobody else writes to its repository, and one that looks whether there are
 * parts of one's own.
 */
const MOST_WAITING = 17 - 1;

it.each([
  // All that run, pure functions and composition included, may only become fewer. One more came when a scheduler began to open runs too, one when documents and changes came to share what is done with files, and one for what a run is told anew. Two came when who runs by hand began to wait for its repository, and three when a run began to say what box it has, which is said before anything is spent. One more looks for parts of one's own.
  { name: "run", age: "new", args: ["run", "fix"], most: 35 },
  { name: "approve", age: "old", args: ["approve", "fix", "--as", "ada"], most: 24 },
  { name: "referee", age: "new", args: ["referee", "--base", "main", "--loop", "fix"], most: 29 },
] as const)("comes from the door to the first record of $name in a few files", async ({ name, age, args, most }) => {
  if (name === "referee") repo.write("value.txt", "right\n");

  const { ran, waiting } = await walk(age, args);

  expect(ran).toContain(`cli/commands/${name === "approve" ? "decide" : name}.ts`);
  expect(waiting.length, waiting.join("\n")).toBeLessThanOrEqual(MOST_WAITING);
  expect(ran.length, ran.join("\n")).toBeLessThanOrEqual(most);
});
