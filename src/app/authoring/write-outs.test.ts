import { expect, it } from "vitest";
import { type Out, type OutsAsked, writeOuts } from "./write-outs.ts";

/** Two names of one file are told by a shared object. */
function worldOf(files: Map<string, { text: string }>) {
  return {
    isTaken: async (path: string) => files.has(path),
    isSameFile: async (one: string, other: string) => files.has(one) && files.get(one) === files.get(other),
    kindAt: async (path: string) =>
      files.has(path) ? ("file" as const) : ["/", "/in"].includes(path) ? ("folder" as const) : ("missing" as const),
    readText: async (path: string) => files.get(path)?.text,
    writeText: async (path: string, text: string) => void files.set(path, { text }),
  };
}

const out = (path: string, named = true): Out => ({ path, text: "new", named });

async function written(outs: readonly Out[], there: readonly string[], asked: Partial<OutsAsked> = {}) {
  const source = { text: "old" };
  const files = new Map(there.map((path) => [path, path.startsWith("/in/source") ? source : { text: "old" }]));
  const said = await writeOuts(worldOf(files), outs, { cwd: "/in", inputs: ["source"], force: false, ...asked }).catch(
    (error: Error) => error.message,
  );
  return { said, files: Object.fromEntries([...files].map(([path, { text }]) => [path, text])) };
}

it("writes what is new, and says which folder it made for it", async () => {
  const { said, files } = await written([out("a"), out("deep/b")], []);

  expect(said).toEqual({ paths: ["/in/a", "/in/deep/b"], madeFolders: ["/in/deep"] });
  expect(files).toEqual({ "/in/a": "new", "/in/deep/b": "new" });
});

it.each([
  ["one that was named", [out("a")], ["/in/a"], {}],
  ["the second of two", [out("a"), out("b")], ["/in/b"], {}],
  ["one that nobody named, also with --force", [out("a"), out("b", false)], ["/in/b"], { force: true }],
])("leaves all as it is where one is there already: %s", async (_, outs, there, asked) => {
  const { said, files } = await written(outs, there, asked);

  expect(said).toContain("is there already");
  expect(files).toEqual(Object.fromEntries(there.map((path) => [path, "old"])));
});

it("writes over what was named with --force", async () => {
  const { files } = await written([out("a")], ["/in/a"], { force: true });

  expect(files).toEqual({ "/in/a": "new" });
});

it.each(["source", "source-link"])("never writes over what it reads, whatever is said: %s", async (path) => {
  const { said, files } = await written([out(path)], ["/in/source", "/in/source-link"], { force: true });

  expect(said).toContain("is what it would be made of");
  expect(files["/in/source"]).toBe("old");
});

it("refuses two files of one name, and takes the same text again as written", async () => {
  const twice = await written([out("a"), out("./a")], []);
  const again = await written([{ ...out("a"), text: "old" }], ["/in/a"]);

  expect(twice).toEqual({ said: "two files would be written to /in/a", files: {} });
  expect(again.files).toEqual({ "/in/a": "old" });
});
