import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { laterWishes, misroutes, outsideWishes, wishes } from "../../../test/support/intents.ts";
import { smallProjects } from "../../../test/support/small-projects.ts";
import { tries } from "../../../test/support/tries.ts";
import { isTelling, scanTree } from "../../ecosystems/scan-tree.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { intend } from "./intend.ts";
import { readWish, WISH_KINDS } from "./read-wish.ts";

const NODE = {
  ...smallProjects[0]!.files,
  "package.json":
    '{ "scripts": { "test": "node --test", "lint": "eslint .", "typecheck": "tsc --noEmit", "format": "prettier --write ." }, "devDependencies": { "eslint": "9" } }',
  "package-lock.json": "{}",
};

const seenIn = (files: { readonly [path: string]: string }) => ({
  root: "/home/ada/shop",
  scan: scanTree(
    {
      paths: Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1)),
      texts: new Map(Object.entries(files).filter(([path]) => isTelling(path))),
    },
    { branch: { branch: "main", sure: "certain", because: "it is checked out", seen: [] }, forge: undefined, agents: [], unread: [] },
  ),
});

const ask = (sentence: string, about: object = {}, files: { readonly [path: string]: string } = NODE) =>
  intend(seenIn(files), { sentence, level: undefined, agent: undefined, out: undefined, means: undefined, ...about }, () => false);

describe.each([
  ["fifty sentences that were written before the rules", wishes, 50],
  ["sentences that lead keywords astray", misroutes, 15],
  ["sentences that were written after the rules", laterWishes, 20],
  ["sentences of people who had not seen the rules", outsideWishes, 84],
])("%s", (_, sentences, count) => {
  it.each(sentences)("reads: $says", ({ says, means, wakes }) => {
    const reading = readWish(says);

    expect(reading.kind === "read" ? reading.means : "unsure").toBe(means);
    if (wakes !== undefined) expect(reading.kind === "read" && reading.when?.kind).toBe(wakes);
  });

  it(`are ${count}, and each that is understood becomes a loop that is right, with its reason and a runner-up`, () => {
    const made = sentences.filter(({ means }) => means !== "unsure").map(({ says }) => ({ says, intended: ask(says) }));

    expect(sentences.length).toBe(count);
    expect(made.filter(({ intended }) => intended.kind !== "intended" || readSpec("a", intended.text, builtIn).kind !== "read")).toEqual(
      [],
    );
    expect(
      made.filter(
        ({ intended }) => intended.kind === "intended" && (intended.why.length === 0 || intended.runnerUp.means === intended.means),
      ),
    ).toEqual([]);
  });
});

it("asks one question where the sentence does not say, and takes the answer", () => {
  expect(ask("Make it better")).toEqual({
    kind: "unsure",
    why: '"make it better" is nothing that a loop of ours does',
    question: "What should the loop do?",
    could: WISH_KINDS,
  });
  expect(ask("Make it better", { means: "change" })).toMatchObject({ kind: "intended", means: "change" });
  expect(ask("Fix the parser or summarise the commits")).toMatchObject({ kind: "unsure", could: ["mend", "watch"] });
});

it.each([
  ["Upgrade the report page to show totals", "change"],
  ["Upgrade the report page to show the latest totals", "change"],
  ["Upgrade authentication to use OAuth", "unsure"],
  ["Upgrade lodash to 5", "upkeep"],
  ["Bump the toolchain", "upkeep"],
  ["Remove unused imports", "lint"],
  ["Remove unused dependencies", "unsure"],
  ["Fix lint errors and bump dependencies", "unsure"],
  ["Fix the parser and add tests", "mend"],
  ["Format my hard disk", "unsure"],
  ["Format the Go files", "format"],
])("goes by what the verb is about: %s", (sentence, means) => {
  const reading = readWish(sentence);

  expect(reading.kind === "read" ? reading.means : "unsure").toBe(means);
});

it("proves each kind in its own way", () => {
  const made = (sentence: string) => {
    const intended = ask(sentence);
    return intended.kind === "intended" ? parse(intended.text) : intended;
  };
  const uses = (sentence: string) =>
    made(sentence).verifiers.map((one: { readonly use: string; readonly with?: { readonly expect?: string } }) => [
      one.use,
      one.with?.expect,
    ]);

  expect(readSpec("a", JSON.stringify(made("Write tests for the parser")), builtIn).kind).toBe("read");
  expect([
    made("Fix the failing tests").baseline.want,
    made("Fix the rounding of prices").baseline.want,
    made("Add a role column").baseline.want,
  ]).toEqual(["red", "any", "green"]);
  expect(made("Add a role column").task).toContain("Add a test that fails without the change");
  expect(uses("Fix the rounding of prices")).toEqual([
    ["witness", undefined],
    ["twins", undefined],
    ["replay", undefined],
  ]);
  expect(uses("Write tests for the parser")[0]).toEqual(["witness", "unchanged"]);
  expect(made("Format the code every night").maker).toEqual({ use: "shell", with: { run: "npm run format", timeout: "10m" } });
  expect(made("Fix the lint errors").verifiers[0].with.run).toBe("npm run lint");
  expect(made("Resolve the type errors").verifiers[0].with.run).toBe("npm run typecheck");
  expect(made("Update the dependencies every Monday")).toMatchObject({
    trigger: { use: "weekly", with: { on: "mon", at: "06:00" } },
    verifiers: [
      { use: "witness", with: { run: expect.stringMatching(/^npm ci && node --test /), expect: "unchanged" } },
      { use: "twins", with: { run: expect.stringMatching(/^npm ci && node --test /) } },
      { use: "replay", with: { run: expect.stringMatching(/^npm ci && node --test /) } },
    ],
    box: { verifiers: { network: "open" } },
  });
  expect(made("Update the dependencies every Monday").prepare).toBeUndefined();
  expect(made("Tell me every morning what landed").trigger).toEqual({ use: "daily", with: { at: "07:00" } });
  expect(made("Whenever a test breaks on main, repair it").trigger).toEqual({ use: "git", with: { ref: "main" } });
});

it("says what is missing where the repository lacks it, and what is wrong with what was asked for", () => {
  expect(ask("Format the code", {}, { "go.mod": "module a\n" })).toMatchObject({ kind: "intended" });
  expect(ask("Format the code", {}, { Makefile: "test:\n\t./t\n" })).toEqual({
    kind: "impossible",
    means: "format",
    why: "no command for format was found in the repository",
  });
  expect(ask("Fix the tests", {}, { "README.md": "" })).toMatchObject({ kind: "impossible", means: "mend" });
  expect(ask("Fix the tests", { level: "L9" })).toMatchObject({ kind: "refused" });
  expect(() => ask("Fix the tests", { agent: "nobody" })).toThrow("there is no maker called nobody");
});

it("takes the ready-made loop that thinks a question through, and gives it the question", () => {
  const sentence = "Research which database fits: Postgres or SQLite";
  const made = ask("Every Monday, debate whether we should move to a monorepo");
  const brief = ask(sentence);

  expect(made).toMatchObject({ kind: "intended", means: "think", pattern: "debate", name: "think-shop" });
  expect(made.kind === "intended" && parse(made.text)).toMatchObject({
    name: "think-shop",
    inputs: { question: { default: "Every Monday, debate whether we should move to a monorepo.", required: false } },
    trigger: { use: "weekly", with: { on: "mon", at: "06:00" } },
  });
  expect(brief.kind === "intended" && parse(brief.text).inputs.task.default).toBe(`${sentence}.`);
  expect(() => ask(sentence, { agent: "codex" })).toThrow(/team of models/);
});

it("knows where its file will lie", () => {
  const lying = (out: string) => {
    const intended = ask("Fix the tests", { out });
    return intended.kind === "intended" && parse(intended.text).target.repo;
  };

  expect([
    lying("/home/ada/shop/fix.loop.yaml"),
    lying("/home/ada/shop/.loopwright/fix.loop.yaml"),
    lying("/home/ada/loops/fix.loop.yaml"),
  ]).toEqual([".", "..", "../shop"]);
});

it("never fails, whatever the words, and writes only what is right", () => {
  const words = [
    "fix",
    "the",
    "tests",
    "tell",
    "me",
    "or",
    "and",
    "if",
    "when",
    ",",
    ":",
    "it",
    "every",
    "night",
    "at",
    "7:15",
    "don't",
    "keep",
    "green",
    "'",
    "#",
    "\n",
    "{",
    "\ud800",
    "${x}",
  ];

  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (some) => {
      const intended = ask(some.join(" "));

      expect(intended.kind === "refused" ? intended.problems.filter(({ path }) => path !== "intent" && path !== "task") : []).toEqual([]);
    }),
    tries(15),
  );
});

it("reads any length in a moment", () => {
  expect(readWish("fix ".repeat(100_000))).toMatchObject({ kind: "unsure", why: "it is longer than one sentence" });
});

it.each([
  ["Whenever a test breaks on main, repair it", "red"],
  ["When CI fails on main, fix it", "red"],
  ["Whenever a customer complains about the cart, fix it", "any"],
])("knows by what it tells of whether tests that are there show it: %s", (sentence, want) => {
  const made = ask(sentence);

  expect(made.kind === "intended" ? parse(made.text).baseline : made).toEqual({ want });
});

it.each([
  ["every Monday at 9", { use: "weekly", with: { on: "mon", at: "09:00" } }],
  ["every Tuesday and Friday at 9:00", { use: "cron", with: { schedule: "0 9 * * 2,5" } }],
  ["every weekday at 7pm", { use: "cron", with: { schedule: "0 19 * * 1-5" } }],
  ["every 90 minutes", { use: "every", with: { interval: "90m" } }],
  ["twice a day", { use: "every", with: { interval: "12h" } }],
  ["on the first of every month", { use: "cron", with: { schedule: "0 6 1 * *" } }],
  ["every day at 12:15 am", { use: "daily", with: { at: "00:15" } }],
])("reads %s, before and behind the order", (when, trigger) => {
  for (const sentence of [`${when} tell me what landed on main`, `Tell me what landed on main ${when}.`]) {
    const made = ask(sentence);

    expect(made.kind === "intended" ? parse(made.text).trigger : made).toEqual(trigger);
  }
});

it.each(["at 25:00 every day", "every day at 13pm", "five times a week", "every 17th day", "every 3 days at 9:00"])(
  "says what it does not understand of when: %s",
  (when) => {
    const made = ask(`Tell me what landed on main ${when}`);
    if (made.kind !== "intended") throw new Error(made.kind);

    expect(parse(made.text).trigger).toEqual({ use: "manual" });
    expect(made.text).toContain("was not understood");
    expect(made.text).not.toContain("As the sentence says");
    expect(made.why.join(" ")).toContain("nothing wakes it");
  },
);
