import { expect, it } from "vitest";
import { LoopError } from "../../contract/errors.ts";
import { builtIn } from "../crew.ts";
import { type LintWorld, lintFilesBy } from "./lint-files.ts";

const GOOD =
  "name: good\nintent: Keep main green.\nlevel: L2\nmaker: {use: claude-code}\nverifiers: [{use: command, with: {run: npm test}}]\n";
const WEAK = GOOD.replace("npm test", "npm test || true").replace("good", "weak");

/** A folder in memory that counts how often each of its files is read. */
function folderOf(files: { readonly [path: string]: string }) {
  const now = new Map(Object.entries(files).map(([path, text]) => [`/at/${path}`, text]));
  const reads = new Map<string, number>();
  const world: LintWorld = {
    texts: {
      async readWhole(path) {
        reads.set(path, (reads.get(path) ?? 0) + 1);
        const text = now.get(path);
        if (text === undefined)
          throw new LoopError("bad-input", `${path} cannot be read: there is no such file`, { retry: "never", hint: "Look." });
        return text;
      },
      readBelow: async () => ({ kind: "refused", why: "there is no such file" }),
    },
    files: { writeText: async (path, text) => void now.set(path, text) },
    kindAt: async (path) => (now.has(path) ? "file" : path === "/at" ? "folder" : "missing"),
    find: async (_, { isWanted }) => ({ paths: [...now.keys()].filter((path) => isWanted(path, "")), unseen: [], links: 0 }),
  };
  return { world, reads, now };
}
const lint = (world: LintWorld, asked: readonly string[], fix = false) => lintFilesBy(world, asked, "/at", builtIn, { fix });

it("reads every loop of a folder once, and passes over what is none", async () => {
  const { world, reads } = folderOf({
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`${index}.loop.yaml`, GOOD])),
    "package.json": "{}",
    "notes.md": "# Notes",
    "main.ts": "",
  });

  const { files, exit } = await lint(world, [".", "3.loop.yaml"]);

  expect({ files: files.length, exit, most: Math.max(...reads.values()), main: reads.has("/at/main.ts") }).toEqual({
    files: 40,
    exit: "done",
    most: 1,
    main: false,
  });
});

it("ends as the worst of them: 1 where something weighs, 64 where one is no sound loop or cannot be read", async () => {
  const { world } = folderOf({ "good.loop.yaml": GOOD, "weak.loop.yaml": WEAK, "bad.loop.yaml": "name: [" });
  const exitOf = async (...asked: readonly string[]) => (await lint(world, asked)).exit;

  expect(await exitOf("good.loop.yaml")).toBe("done");
  expect(await exitOf("good.loop.yaml", "weak.loop.yaml")).toBe("checkFailed");
  expect(await exitOf("weak.loop.yaml", "bad.loop.yaml")).toBe("usage");
  expect(await exitOf("good.loop.yaml", "gone.loop.yaml")).toBe("usage");
});

it("mends only where it is asked to, and tells what is left", async () => {
  const { world, now } = folderOf({ "weak.loop.yaml": `# mine\n${WEAK}` });

  expect((await lint(world, ["."])).files[0]?.mended).toEqual([]);
  expect(now.get("/at/weak.loop.yaml")).toBe(`# mine\n${WEAK}`);

  const { exit, files } = await lint(world, ["."], true);

  expect({ exit, mended: files[0]?.mended.map(({ rule }) => rule), left: files[0]?.findings }).toEqual({
    exit: "done",
    mended: ["cannot-fail"],
    left: [],
  });
  expect(now.get("/at/weak.loop.yaml")).toBe(`# mine\n${WEAK.replace(" || true", "")}`);
});

it("says so where there is no loop at all", async () => {
  await expect(lint(folderOf({ "a.json": "{}" }).world, ["."])).rejects.toThrow("there is no loop in .");
});
