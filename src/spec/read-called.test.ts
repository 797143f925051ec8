import { expect, it } from "vitest";
import { builtIn } from "../app/crew.ts";
import { LOOP_MAKER } from "../contract/calling.ts";
import type { Library } from "./library.ts";
import { formatProblem, readSpec } from "./read-spec.ts";

const CHECK = [{ id: "tests", use: "command", with: { run: "npm test" } }];
const loop = (name: string, about: object = {}): object => ({
  name,
  intent: `Do ${name}.`,
  level: "L2",
  maker: { use: "shell", with: { run: "./work" } },
  verifiers: CHECK,
  ...about,
});
const outer = (workers: object, about: object = {}): object => {
  const { maker: _, ...rest } = loop("outer", about) as { readonly maker: object };
  return { ...rest, team: { workers, proposes: Object.keys(workers), ...("team" in about ? (about.team as object) : {}) } };
};
const TASK = { task: { type: "text", about: "What to do", required: true, longest: 100 } };

const libraryOf = (files: { readonly [name: string]: object }): Library => ({
  root: "outer.json",
  find: (_from, name) =>
    Object.hasOwn(files, name)
      ? { kind: "file", file: name, text: JSON.stringify(files[name]) }
      : { kind: "missing", why: "there is no such file" },
});
const reading = (spec: object, files: { readonly [name: string]: object } = {}) =>
  readSpec("outer.json", JSON.stringify(spec), builtIn, undefined, libraryOf({ "outer.json": spec, ...files }));
const problemsOf = (...args: Parameters<typeof reading>): readonly string[] => {
  const read = reading(...args);
  return read.kind === "refused" ? read.problems.map((problem) => formatProblem(problem).replace(/^\S+ +/, "")) : [];
};

it("makes what a worker calls a part of the spec and of its hash, and fills in who it is", () => {
  const files = (run: string) => ({ "fix.json": loop("fix", { maker: { use: "shell", with: { run } } }) });
  const one = reading(outer({ fix: { loop: "fix.json" } }), files("./one"));
  const other = reading(outer({ fix: { loop: "fix.json" } }), files("./other"));

  if (one.kind !== "read" || other.kind !== "read") throw new Error(JSON.stringify([one, other]));
  expect(one.spec.team?.workers.fix).toMatchObject({ use: LOOP_MAKER, role: "Do fix.", gives: { as: "commit" }, spec: { name: "fix" } });
  expect(one.spec.document).toBeUndefined();
  expect(one.hash).not.toBe(other.hash);
});

it("makes a document of what loops make that make documents", () => {
  const read = reading(outer({ a: { loop: "a.json" } }), { "a.json": loop("a", { document: {} }) });

  expect(read).toMatchObject({ kind: "read", spec: { document: {}, team: { workers: { a: { gives: { as: "markdown" } } } } } });
});

it("refuses what is not there, calls itself, or leads back to itself", () => {
  expect(problemsOf(outer({ fix: { loop: "gone.json" } }))).toEqual([
    expect.stringContaining("`gone.json` cannot be read: there is no such file"),
  ]);
  expect(problemsOf(outer({ fix: { loop: "outer.json" } }))).toEqual([expect.stringContaining("`outer.json` is this very spec")]);
  expect(problemsOf(outer({ a: { loop: "a.json" } }), { "a.json": outer({ b: { loop: "outer.json" } }) }).join("\n")).toContain(
    "`outer.json` leads back here: `outer.json` calls `a.json` calls `outer.json`",
  );
});

it("tells what is wrong with a file where it stands in that file", () => {
  const read = reading(outer({ fix: { loop: "fix.json" } }), { "fix.json": loop("fix", { level: "L9" }) });

  expect(read.kind === "refused" && read.problems.map(({ file, path }) => [file, path])).toEqual([
    ["outer.json", "team.workers.fix.loop"],
    ["fix.json", "level"],
  ]);
});

it("refuses calls that go too deep, or are too many", () => {
  const deep = Object.fromEntries(
    [1, 2, 3, 4, 5].map((at) => [`l${at}.json`, at < 5 ? outer({ a: { loop: `l${at + 1}.json` } }) : loop("end")]),
  );
  const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`w${at}`, { loop: "mid.json" }]));
  const mid = outer(Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`w${at}`, { loop: "end.json" }])));

  expect(problemsOf(outer({ a: { loop: "l1.json" } }), deep).join("\n")).toContain("more than 4 deep");
  expect(problemsOf(outer(wide), { "mid.json": mid, "end.json": loop("end") }).join("\n")).toContain("64 loops in all");
});

it("holds what is given against what is taken, before anything runs", () => {
  const give = (wish: object, more: object = {}, inputs: object = TASK) =>
    problemsOf(
      outer(
        {
          plan: {
            role: "Plan.",
            use: "shell",
            with: { run: "x" },
            gives: { as: "json", schema: { type: "object", properties: { n: { type: "number" } } } },
          },
          fix: { loop: "fix.json", give: wish, ...more },
        },
        {
          inputs: {
            ...TASK,
            long: { type: "text", about: "Long", required: true, longest: 5000 },
            maybe: { type: "text", about: "Maybe", longest: 9 },
            many: { type: "list", about: "Many", required: true },
          },
          team: { proposes: ["fix"] },
        },
      ),
      { "fix.json": loop("fix", { inputs }) },
    ).join("\n");

  expect(give({ task: "inputs.task" })).toBe("");
  expect(give({})).toContain("team.workers.fix.give: the loop needs the input `task` (What to do)");
  expect(give({ task: "inputs.task", tsk: "inputs.task" })).toContain("the loop has no input `tsk`. Did you mean `task`?");
  expect(give({ task: "inputs.tsk" })).toContain("there is no `inputs.tsk`. Did you mean `task`?");
  expect(give({ task: "inputs.many" })).toContain("inputs.many is a list, and this is a text");
  expect(give({ task: "inputs.long" })).toContain("may have 5000 characters, and 100 are the most here");
  expect(give({ task: "inputs.maybe" })).toContain("may be left out, and this is required");
  expect(give({ task: "nobody" })).toContain("there is no `nobody`");
  expect(give({ task: "plan.m" })).toContain("plan gives no `m` by its schema");
  expect(give({ task: "plan.n" }, {}, { task: { type: "list", about: "x", required: true } })).toContain(
    "plan.n is a number, and this is a list",
  );
  expect(give({ task: "plan.why" })).toBe("");
  expect(give({ task: "inputs.task" }, { reads: ["plan"] })).toContain("has no meaning for a worker that is a loop");
  expect(give({ task: "inputs.task" }, { spec: {} })).toContain("is filled in from the file that `loop` names");
});

it("checks a condition against the inputs, the workers and their checks, with the nearest name", () => {
  const when = (text: string) =>
    problemsOf(
      outer(
        { code: { loop: "fix.json" }, fix: { loop: "fix.json", when: text } },
        { inputs: { depth: { type: "number", about: "How", required: true } } },
      ),
      {
        "fix.json": loop("fix"),
      },
    ).join("\n");

  expect(when("not code.holds and inputs.depth > 2 or not code.tests.passed")).toBe("");
  expect(when("not cod.holds")).toContain("there is no `cod.holds` here (at character 5). Did you mean `code.holds`?");
  expect(when("fix.holds")).toContain("there is no `fix.holds` here");
  expect(when("inputs.depth")).toContain("is neither true nor false");
});

it("refuses a text that names loops where no files lie beside it", () => {
  const read = readSpec("x", JSON.stringify(outer({ fix: { loop: "fix.json" } })), builtIn);

  expect(read.kind === "refused" && read.problems[0]?.problem).toContain("this text was read by itself");
});
