import { expect, it } from "vitest";
import type { GitReader, GitScout, LineSeen } from "../contract/git.ts";
import { untrustedText } from "../contract/text.ts";
import { todos } from "./todos.ts";

const DAY_MS = 86_400_000;
const [OLD, NEW] = ["1".repeat(40), "2".repeat(40)];
const line = (path: string, number: number, text: string): LineSeen => ({ path, line: number, text: untrustedText(text) });

/** A repository whose commits have these marked lines, each written ten days after the one before it. */
function given(lines: { readonly [commit: string]: readonly LineSeen[] }) {
  const git = {
    resolve: async () => NEW,
    commitsThatExist: async (_repo: string, ids: readonly string[]) => new Set(ids.filter((id) => id in lines)),
  } as unknown as GitReader; // what the connector asks for
  const scout: GitScout = {
    branches: () => Promise.reject(new Error("not asked for here")),
    linesWith: async (_repo, commit) => ({ lines: lines[commit] ?? [], isWhole: true }),
    blame: async (_repo, _commit, places) =>
      places.map(({ line }) => ({ commit: OLD, author: untrustedText("Ada"), at: new Date(line * 10 * DAY_MS).toISOString() })),
  };
  const gather = (cursors = {}, options = {}) =>
    todos.configure(options)({ repo: "/r", baseRef: "main", cursors, nowMs: 100 * DAY_MS, folder: "/", loop: "watch" }, { git, scout });
  return { gather };
}

it("brings every marked comment at first, newest first, with who wrote it, and cites its line", async () => {
  const { gather } = given({ [NEW]: [line("a.ts", 1, "x(); // TODO: mend it"), line("b.c", 9, "/* FIXME later */")] });

  const { things, cursors } = await gather();

  expect(things).toEqual([
    {
      id: JSON.stringify(["b.c", 9, NEW]),
      title: "FIXME later",
      author: "Ada",
      at: new Date(90 * DAY_MS).toISOString(),
      trust: "outsider",
      why: "b.c:9, by Ada, 10 day(s) old",
      cites: [{ kind: "line", path: "b.c", line: 9, commit: NEW }],
    },
    expect.objectContaining({ title: "TODO: mend it", why: "a.ts:1, by Ada, 90 day(s) old" }),
  ]);
  expect(cursors).toEqual({ "todos:main": NEW });
});

it("brings only what came since, and not what went to another line or file", async () => {
  const { gather } = given({
    [OLD]: [line("a.ts", 1, "// TODO one"), line("a.ts", 2, "// TODO same"), line("a.ts", 3, "// TODO gone")],
    [NEW]: [
      line("a.ts", 7, "  // TODO one"),
      line("b.ts", 1, "// TODO same"),
      line("b.ts", 2, "// TODO same"),
      line("b.ts", 3, "// TODO new"),
    ],
  });

  const { things } = await gather({ "todos:main": OLD });

  expect(things.map(({ why }) => why)).toEqual(["b.ts:3, by Ada, 70 day(s) old", "b.ts:2, by Ada, 80 day(s) old"]);
  expect((await gather({ "todos:main": NEW })).things).toEqual([]);
});

it("tells all again, and says so, where what it had read is no longer there", async () => {
  const { gather } = given({ [NEW]: [line("a.ts", 1, "# TODO x")] });

  const { things, notes } = await gather({ "todos:main": "3".repeat(40) });

  expect([things.length, notes]).toEqual([1, ["the commit up to which they were read is no longer in the repository: all are told again"]]);
});

it.each([
  ["// TODO: x", true],
  ["# FIXME x", true],
  ["-- TODO x", true],
  ["   TODO(ada): x", true],
  ["<!-- TODO x -->", true],
  ["const TODO = 1", false],
  ['say("https://x/TODO")', false],
  ["a list of TODO items", false],
])("takes %j for a comment: %s", async (text, is) => {
  const { gather } = given({ [NEW]: [line("a", 1, text)] });

  expect((await gather()).things.length).toBe(is ? 1 : 0);
});

it("leaves out files that others wrote, and counts what it does not tell", async () => {
  const { gather } = given({ [NEW]: [line("vendor/a.js", 1, "// TODO a"), line("b", 2, "# TODO b"), line("c", 3, "# TODO c")] });

  const { things, notes } = await gather({}, { most: 1 });

  expect([things.map(({ title }) => title), notes]).toEqual([["TODO c"], ["only the newest 1 of 2 are told"]]);
});
