// From a wish that was read to a loop that carries it out in this repository: a known loop, filled with what was seen.
import type { CommandFact, RepositoryScan, Task } from "../../contract/scan.ts";
import type { SpecField } from "../../spec/write-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { candidatesOf, type LoopChoices, outlineFix, outlineWatch } from "./outline-loop.ts";
import type { ReadWish, WishTime } from "./read-wish.ts";

export type WishOutline =
  /** It needs no repository: its text is there already. */
  | { readonly kind: "ready-made"; readonly pattern: string }
  | { readonly kind: "outlined"; readonly fields: readonly SpecField[] }
  | { readonly kind: "impossible"; readonly why: string };

export interface WishChoices extends LoopChoices {
  readonly sentence: string;
  readonly level: string | undefined;
}

/** The tests were not run for it; `lw init` and the first run of the loop do. */
const NOT_TRIED = { kind: "not-tried", why: "`lw run` tries it on base before anything is spent" } as const;

export function outlineWish(scan: RepositoryScan, wish: ReadWish, choices: WishChoices): WishOutline {
  const [best] = candidatesOf(scan);
  const branch = scan.branch?.branch ?? "HEAD";
  const shared: readonly SpecField[] = [
    { key: "intent", value: oneSentence(choices.sentence), comment: ["As it was wished."] },
    triggerField(wish.when, branch),
    ...(choices.level === undefined ? [] : [{ key: "level", value: choices.level, comment: ["It was asked for."] }]),
  ];
  if (wish.means === "think") return { kind: "ready-made", pattern: wish.pattern ?? "research-agent" };
  if (wish.means === "watch") return { kind: "outlined", fields: withAll(outlineWatch(scan, choices), shared) };
  if (!best) return { kind: "impossible", why: "no command that runs tests was found, and without one no change can be proven" };
  const fix = withAll(outlineFix(scan, best, NOT_TRIED, choices), [...shared, taskField(choices.sentence, wish)]);
  const verifiers = fix.find(({ key }) => key === "verifiers")!;
  const tests = listIn(verifiers.value);
  switch (wish.means) {
    case "mend":
      return { kind: "outlined", fields: isAboutTests(wish) ? fix : withAll(fix, [ANY_BASE]) };
    case "change":
      return { kind: "outlined", fields: withAll(fix, [GREEN_BASE]) };
    case "tests":
      return {
        kind: "outlined",
        fields: withAll(fix, [
          GREEN_BASE,
          {
            ...verifiers,
            value: tests.map(unchanged),
            comment: ["No test that is there may break, go away or be skipped.", ...verifiers.comment.slice(1)],
          },
        ]),
      };
    case "format":
      return withCommand(scan, "format", (found) =>
        withAll(fix, [
          {
            key: "baseline",
            value: { want: "any" },
            comment: ["Tests that are red already are not its business, as long as no other turns red."],
          },
          {
            key: "maker",
            value: { use: "shell", with: { run: inFolder(found), timeout: "10m" } },
            comment: [`No agent is needed. ${whyOf(found)}`],
          },
          {
            ...verifiers,
            value: tests.map(unchanged),
            comment: ["How code looks may not change what it does.", ...verifiers.comment.slice(1)],
          },
          { key: "budget", value: { rounds: 1, time: "30m" }, comment: ["A command does the same every time: one round."] },
        ]),
      );
    case "lint":
      return withCommand(scan, /\btyp(?:e|es|ing)\b|mypy|pyright|tsc/.test(wish.object) ? "typecheck" : "lint", (found) =>
        withAll(fix, [
          {
            ...verifiers,
            value: [{ use: "command", with: { run: inFolder(found), timeout: "10m" } }, ...tests.map(unchanged)],
            comment: [
              `What complains must be content. ${whyOf(found)}`,
              "And no test may break, go away or be skipped.",
              ...verifiers.comment.slice(1),
            ],
          },
        ]),
      );
    case "upkeep":
      return { kind: "outlined", fields: upkeep(fix, verifiers, tests, best.prepare?.run) };
  }
}

/** A maker that raises versions decides what is installed; so what is installed comes from its own lock file, and needs the network. */
const upkeep = (
  fix: readonly SpecField[],
  verifiers: SpecField,
  tests: readonly Verifier[],
  install: string | undefined,
): readonly SpecField[] =>
  withAll(
    fix.filter(({ key }) => key !== "prepare"),
    [
      GREEN_BASE,
      {
        ...verifiers,
        value: tests.map((one) =>
          unchanged({ ...one, with: { ...one.with, run: install === undefined ? one.with.run : `${install} && ${one.with.run}` } }),
        ),
        comment: ["With the proposal's own versions installed, no test may break, go away or be skipped.", ...verifiers.comment.slice(1)],
      },
      { key: "unseal", value: UNSEALED, comment: ["Sealed in every other loop: here they are what is changed."] },
      {
        key: "box",
        value: { verifiers: { network: "open" } },
        comment: ["Checks install what the proposal names, and so need the network."],
      },
    ],
  );

const UNSEALED = [
  "**/{package.json,package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,deno.json,deno.lock}",
  "**/{pyproject.toml,poetry.lock,uv.lock,pdm.lock,Pipfile,Pipfile.lock,*requirements*.txt,setup.cfg}",
  "**/{Cargo.toml,Cargo.lock,go.mod,go.sum,Gemfile,Gemfile.lock,composer.json,composer.lock,mix.exs,mix.lock}",
  "**/{pom.xml,build.gradle,build.gradle.kts,*.csproj,Directory.Packages.props,Package.swift,Package.resolved}",
];

interface Verifier {
  readonly use: string;
  readonly with: { readonly [name: string]: unknown };
}

/** What `outlineFix` wrote. */
const listIn = (value: unknown): readonly Verifier[] => (Array.isArray(value) ? value : []);

/** A witness that wants nothing mended, only nothing broken. */
const unchanged = (verifier: Verifier): Verifier =>
  verifier.use === "witness" ? { ...verifier, with: { ...verifier.with, expect: "unchanged" } } : verifier;

const GREEN_BASE: SpecField = {
  key: "baseline",
  value: { want: "green" },
  comment: ["The tests must be green to start with; where they are not, a person looks, and nothing is spent."],
};
const ANY_BASE: SpecField = {
  key: "baseline",
  value: { want: "any" },
  comment: ["No test may show it yet: then the change must bring one that fails without it."],
};

/** Whether what is mended shows in tests that are there: it is called so, or it is what the condition tells of. */
const isAboutTests = ({ object, condition = "" }: ReadWish): boolean =>
  ABOUT_TESTS.test(object) || object === "" || (/^(?:it|this|that|them|these|those)\b/.test(object) && ABOUT_TESTS.test(condition));
const ABOUT_TESTS = /\b(?:tests?|suite|build|ci|main|master|green|specs?)\b/;

function withCommand(scan: RepositoryScan, task: Task, outline: (found: CommandFact) => readonly SpecField[]): WishOutline {
  const found = scan.commands.find((one) => one.task === task);
  return found
    ? { kind: "outlined", fields: outline(found) }
    : { kind: "impossible", why: `no command for ${task} was found in the repository` };
}

const inFolder = ({ folder, run }: CommandFact): string => (folder === "" ? run : `cd '${folder.replaceAll("'", "'\\''")}' && ${run}`);
const whyOf = ({ sure, because, seen }: CommandFact): string =>
  `${sure[0]!.toUpperCase()}${sure.slice(1)}: ${because}${seen[0] ? ` (${seen[0].file}${seen[0].line === undefined ? "" : `:${seen[0].line}`})` : ""}.`;

export const oneSentence = (sentence: string): string => {
  const plain = sentence.replaceAll(/\s+/g, " ").trim();
  return /[.!?]$/.test(plain) ? plain : `${plain}.`;
};

function taskField(sentence: string, wish: ReadWish): SpecField {
  const more =
    wish.means === "change" || (wish.means === "mend" && !isAboutTests(wish))
      ? " Add a test that fails without the change and passes with it. Make the smallest change that is right."
      : wish.means === "tests"
        ? " Change no code but tests."
        : wish.means === "upkeep"
          ? " Change versions and lock files, and code only where a new version asks for it."
          : " Make the smallest change that is right. Do not change what the tests expect.";
  return { key: "task", value: `${oneSentence(sentence)}${more}`, comment: [] };
}

/** Each takes the place of the one of its name, or comes last. */
const withAll = (fields: readonly SpecField[], others: readonly SpecField[]): readonly SpecField[] => [
  ...new Map([...fields, ...others].map((field) => [field.key, field])).values(),
];

export function triggerField(when: WishTime | undefined, branch: string): SpecField {
  const comment = [
    "As the sentence says. Wakes by itself once it was added with `lw add` and `lw serve` runs; `lw run` works at any time.",
  ];
  switch (when?.kind) {
    case "daily":
      return { key: "trigger", value: { use: "daily", with: { at: when.at ?? "02:30" } }, comment };
    case "weekly":
      return { key: "trigger", value: { use: "weekly", with: { on: when.on ?? "mon", at: when.at ?? "06:00" } }, comment };
    case "every":
      return { key: "trigger", value: { use: "every", with: { interval: when.interval } }, comment };
    case "cron":
      return { key: "trigger", value: { use: "cron", with: { schedule: when.schedule } }, comment };
    case "unread":
      return {
        key: "trigger",
        value: { use: "manual" },
        comment: [
          `The sentence says when, and "${displayLine(when.words, 80)}" was not understood: write it here, or it runs only when somebody asks for it, with \`lw run\`.`,
        ],
      };
    case "git":
      return {
        key: "trigger",
        value: { use: "git", with: { ref: branch } },
        comment: ["The sentence has a condition: it is looked at whenever this branch moves.", ...comment.slice(1)],
      };
    case undefined:
      return {
        key: "trigger",
        value: { use: "manual" },
        comment: ["The sentence does not say when: it runs when somebody asks for it, with `lw run`."],
      };
  }
}
