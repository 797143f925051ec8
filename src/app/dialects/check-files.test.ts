import { expect, it } from "vitest";
import { SOUND_LSS } from "../../../test/support/lss.ts";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import { builtIn } from "../crew.ts";
import { checkFilesBy } from "./check-files.ts";

const specText = (name: string, more: object = {}): string =>
  JSON.stringify({
    name,
    intent: "Make it right.",
    level: "L2",
    maker: { use: "shell", with: { run: "npm run fix" } },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
    ...more,
  });
const after = (name: string) => ({ trigger: { use: "loop", with: { name } } });

async function check(files: { readonly [path: string]: string }, asked: readonly string[]): Promise<readonly string[]> {
  const { house, files: disk } = createMemoryHouse();
  for (const [path, text] of Object.entries(files)) disk.written.set(path, text);
  const { texts, specFiles } = house;
  const checked = await checkFilesBy(
    { texts, specFiles, registries: builtIn, cwd: "/", libraries: [], now: new Date("2026-06-01") },
    asked,
  );
  return checked.flatMap(({ file, problems }) =>
    problems.length === 0 ? [`${file}: ok`] : problems.map(({ path, problem, instead }) => `${file}: ${path}: ${problem}. ${instead}`),
  );
}

it("checks every spec of a folder by itself, and all of them against one another", async () => {
  const told = await check(
    {
      "/l/a.loop.json": specText("a", after("c")),
      "/l/b.loop.json": specText("b", after("a")),
      "/l/c.loop.json": specText("c", after("b")),
      "/l/d.loop.json": specText("same"),
      "/l/e.loop.json": specText("same"),
      "/l/f.loop.json": specText("f", { level: "L9" }),
      "/l/g.loop.json": specText("g", { trigger: { use: "daily", with: { at: "22:00" } }, wake: { within: [{ dates: ["2026-05-01"] }] } }),
      "/l/notes.txt": "no spec",
    },
    ["l"],
  );

  expect(told).toEqual([
    "l/a.loop.json: ok",
    "l/b.loop.json: ok",
    "l/c.loop.json: trigger: its loop triggers make a circle: c → a → b → c. Take one of them away.",
    "l/d.loop.json: name: two specs are called same: /l/d.loop.json and /l/e.loop.json. Give one of them another name, or take one away.",
    "l/e.loop.json: name: two specs are called same: /l/e.loop.json and /l/d.loop.json. Give one of them another name, or take one away.",
    expect.stringContaining("l/f.loop.json: level:"),
    "l/g.loop.json: wake.within: never opens again: all of its dates are over. Write dates that are still to come, or leave them out.",
  ]);
});

it("checks files that are named one by one together too, and says of a folder without specs that there are none", async () => {
  const files = { "/a.loop.json": specText("same"), "/b.loop.json": specText("same"), "/e/notes.txt": "no spec" };

  expect((await check(files, ["a.loop.json", "b.loop.json"])).map((line) => /two specs are called same/.test(line))).toEqual([true, true]);
  expect(await check(files, ["a.loop.json"])).toEqual(["a.loop.json: ok"]);
  expect(await check(files, ["e"])).toEqual(["e: : no spec lies in this folder. Specs end in .loop.yaml or .loop.json."]);
});

it("says of another system's file what ours cannot be held to, where the file says it", async () => {
  const { house, files: disk } = createMemoryHouse();
  disk.written.set("/l/a.yaml", SOUND_LSS.replace("default: plain", "default: rude").replace("when: score <", "when: scre <"));
  const { texts, specFiles } = house;

  const [checked] = await checkFilesBy({ texts, specFiles, registries: builtIn, cwd: "/", libraries: [], now: new Date("2026-06-01") }, [
    "/l/a.yaml",
  ]);

  expect(checked?.problems).toEqual([]);
  expect(checked?.warnings.map(({ line, path, problem }) => `${line} ${path}: ${problem}`)).toEqual([
    "7 inputs.schema.tone: cannot be run here: must be one of: plain, friendly",
    "40 feedback_channels[0]: cannot be run here: at character 1 of the condition, there is no `scre` here",
  ]);
});
