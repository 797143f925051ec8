// From what was seen of a repository to a loop that fits it: every field with the reason for it.
import type { AgentFact, CheckFact, Fact, PrepareFact, RepositoryScan } from "../../contract/scan.ts";
import type { SpecField } from "../../spec/write-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { formatDuration } from "../../std/duration.ts";
import { recommendedVerifiers } from "./recommended-verifiers.ts";

/** Where specs of a repository lie, seen from its root. */
export const SPEC_FOLDER = ".loopwright";

/** A way to check the repository that can be tried. */
export interface Candidate {
  readonly check: CheckFact;
  readonly prepare: PrepareFact | undefined;
}

/** What became of running the tests once. */
export type Tried =
  | { readonly kind: "ran"; readonly state: "green" | "red"; readonly detail: string; readonly redCount: number; readonly tookMs: number }
  | { readonly kind: "cannot-run"; readonly why: string; readonly hint: string | undefined }
  | { readonly kind: "not-tried"; readonly why: string };

export interface LoopChoices {
  readonly name: string;
  readonly agent: AgentChoice;
  /** When it wakes; undefined for a loop that is only run by hand. */
  readonly at: string | undefined;
  /** Whether a yes moves the base branch. */
  readonly merge?: true | undefined;
}

export interface AgentChoice {
  readonly maker: string;
  readonly because: string;
  /** Variables with its key that are set, and may be handed to it. */
  readonly inherit: readonly string[];
}

/** The best check first; then the same without what could not be prepared, and one that goes by the exit code alone. */
export function candidatesOf({ checks, prepares }: Pick<RepositoryScan, "checks" | "prepares">, wish?: string): readonly Candidate[] {
  const [best] = wish === undefined ? checks : [checkOf(wish, checks)];
  if (!best) return [];
  const prepare = prepares.find(
    ({ ecosystem, folder }) =>
      (ecosystem === best.ecosystem || FRONT_DOORS.has(best.ecosystem)) && (folder === best.folder || folder === ""),
  );
  const plain = best.results && checks.find(({ results, folder }) => !results && folder === best.folder);
  return [
    { check: best, prepare },
    ...(prepare ? [{ check: best, prepare: undefined }] : []),
    ...(plain ? [{ check: plain, prepare: FRONT_DOORS.has(plain.ecosystem) ? undefined : prepare }] : []),
  ];
}

/** Suites of other packages or languages of which nothing shows that this check runs them. A recipe or a command of somebody's own is taken at its word. */
export function unrunSuites(checks: readonly CheckFact[], taken: CheckFact): readonly CheckFact[] {
  const suites = new Map<string, CheckFact>();
  for (const one of checks) {
    const isTaken = one.folder === taken.folder && (one.ecosystem === taken.ecosystem || FRONT_DOORS.has(taken.ecosystem));
    const isWithin = FRONT_DOORS.has(taken.ecosystem) && (taken.folder === "" || one.folder.startsWith(`${taken.folder}/`));
    const id = `${one.folder}\0${one.ecosystem}`;
    if (!isTaken && !isWithin && !FRONT_DOORS.has(one.ecosystem) && !suites.has(id)) suites.set(id, one);
  }
  return [...suites.values()];
}

const MOST_TOLD = 5;

export function tellUnrun(suites: readonly CheckFact[]): readonly string[] {
  if (suites.length === 0) return [];
  const told = suites.slice(0, MOST_TOLD).map(({ folder, run }) => displayLine(`${folder === "" ? "." : folder} (${run})`, 100));
  const more = suites.length > MOST_TOLD ? [`${suites.length - MOST_TOLD} more`] : [];
  return [
    `Seen, and nothing shows that a check of this loop runs them: ${[...told, ...more].join(", ")}. Give --test a command that runs them all, or each a loop of its own.`,
  ];
}

/** Recipes may need what any ecosystem installs. */
const FRONT_DOORS: ReadonlySet<string> = new Set(["make", "just", "task", "asked"]);

/** A command that somebody gave: known, if the scan has it, else only its exit code tells. */
const checkOf = (run: string, checks: readonly CheckFact[]): CheckFact =>
  checks.find((one) => one.run === run) ?? {
    runner: "command",
    run,
    folder: "",
    ecosystem: "asked",
    inherit: [],
    notes: ["Only the exit code tells: which tests failed before and pass now is not seen."],
    sure: "certain",
    because: "it was asked for",
    seen: [],
  };

const OPENING = [
  "Made by `lw init`. Every choice says where it comes from: change whatever is wrong, `lw init` leaves your edits alone.",
  "Next: `lw cost` tells what a run may cost, `lw run` runs it, `lw add` lets it wake by itself, `lw validate` finds mistakes.",
];

export const openingOf = (): readonly string[] => OPENING;

/** A loop that mends red tests, proven by a witness where every test can be read, else by the exit code. */
export function outlineFix(scan: RepositoryScan, { check, prepare }: Candidate, tried: Tried, choices: LoopChoices): readonly SpecField[] {
  const tookMs = tried.kind === "ran" ? tried.tookMs : 0;
  const inFolder = (folder: string, run: string): string => (folder === "" ? run : `cd ${quotedFolder(folder)} && ${run}`);
  const within = (folder: string, path: string): string => (folder === "" ? path : `${folder}/${path}`);
  const { results } = check;
  return [
    ...headOf(
      scan,
      choices,
      "L2",
      [`Keep ${scan.branch?.branch ?? "the tests"} green.`],
      ["L1 only reports, L2 proposes and you decide, L3 may act inside its allowlist. A new loop begins with L2."],
    ),
    {
      key: "task",
      value: "Make the failing tests pass with the smallest change that is right. Do not change what the tests expect.",
      comment: [],
    },
    triggerOf(choices),
    ...(prepare
      ? [
          {
            key: "prepare",
            value: {
              run: inFolder(prepare.folder, prepare.run),
              keep: prepare.keep.map((path) => within(prepare.folder, path)),
              ...(prepare.inherit.length > 0 ? { inherit: prepare.inherit } : {}),
            },
            comment: [`Made once from base, where there is a network, and copied into every room. ${whyOf(prepare)}`],
          },
        ]
      : []),
    {
      key: "baseline",
      value: { want: "red" },
      comment: ["When no test is red on base there is nothing to do: no maker is called, and nothing is spent."],
    },
    makerOf(choices),
    {
      key: "verifiers",
      value: recommendedVerifiers({
        run: inFolder(check.folder, check.run),
        ...(results
          ? { results: { format: results.format, ...(results.file === undefined ? {} : { file: within(check.folder, results.file) }) } }
          : {}),
        timeout: timeoutFor(tookMs),
        ...(check.inherit.length > 0 ? { inherit: check.inherit } : {}),
        ...(check.whole === undefined ? {} : { whole: inFolder(check.folder, check.whole) }),
      }),
      comment: [
        results
          ? "A test that is red on base must be green with the change, and no test may break, go away or be skipped."
          : "The command must end well in a clean copy of the change.",
        whyOf(check),
        tellTried(tried),
        ...check.notes,
        ...tellUnrun(unrunSuites(scan.checks, check)),
      ],
    },
    {
      key: "seal",
      value: [],
      comment: [
        "Tests, fixtures, snapshots, settings, CI and lock files are always checked as they are on base. Name more that the maker may not decide about.",
      ],
    },
    {
      key: "act",
      value: choices.merge ? [{ use: "merge" }] : [],
      comment: [
        choices.merge
          ? "Your yes (`lw approve`) moves the base branch to the change, and your checkout with it where nothing of yours is in the way."
          : "After your yes (`lw approve`) the change stays on its branch. With [{ use: merge }] it moves the base branch, and your checkout with it; also push, github, gitlab …",
      ],
    },
    budgetOf(tookMs),
  ];
}

/** Where there is nothing to prove a change with, a loop can still read: it tells what landed. */
export const outlineWatch = (scan: RepositoryScan, choices: LoopChoices): readonly SpecField[] => [
  ...headOf(
    scan,
    choices,
    "L1",
    ["Tell me what landed that I should look at."],
    ["No command that runs tests was found, and without one no change can be proven: this loop only reports."],
  ),
  triggerOf(choices),
  {
    key: "gather",
    value: [{ use: "commits", with: { refs: [scan.branch?.branch ?? "HEAD"], since: "7d" } }],
    comment: ["The commits since it last looked; the first time, those of a week."],
  },
  { key: "maker", value: { use: "triage" }, comment: ["Ranks commits by what deserves a look. No model, no key."] },
  { key: "verifiers", value: [{ use: "grounded" }], comment: ["Every commit that the report cites is looked up."] },
];

const headOf = (
  scan: RepositoryScan,
  { name }: LoopChoices,
  level: string,
  [intent]: readonly [string],
  why: readonly string[],
): readonly SpecField[] => [
  { key: "name", value: name, comment: [] },
  { key: "intent", value: intent, comment: ["One sentence: it is put before every maker and on every report."] },
  { key: "level", value: level, comment: why },
  {
    key: "target",
    value: { repo: "..", ...(scan.branch ? { base: scan.branch.branch } : {}) },
    comment: [
      `This file lies one folder below the repository.${scan.branch ? ` Base: ${scan.branch.because} (${scan.branch.sure}).` : ""}`,
    ],
  },
];

const triggerOf = ({ at }: LoopChoices): SpecField =>
  at === undefined
    ? { key: "trigger", value: { use: "manual" }, comment: ["Runs when somebody asks for it: `lw run`."] }
    : {
        key: "trigger",
        value: { use: "daily", with: { at } },
        comment: [
          "Wakes by itself once it was added with `lw add` and `lw serve` runs; `lw run` works at any time. Also cron, weekly, git, files, webhook, loop …",
        ],
      };

function makerOf({ agent: { maker, because, inherit } }: LoopChoices): SpecField {
  const options = { ...(inherit.length > 0 ? { inherit } : {}), timeout: "20m" };
  return {
    key: "maker",
    value: { use: maker, with: options },
    comment: [
      because,
      inherit.length > 0
        ? "It gets these variables, and no other secret of yours."
        : "It gets no secret of yours: name variables that it needs in `inherit`.",
    ],
  };
}

const budgetOf = (tookMs: number): SpecField => ({
  key: "budget",
  value: { rounds: 3, time: runTimeFor(tookMs), usd: "$2.50", tokens: "2M", loop: { day: { usd: "$5.00" } } },
  comment: [
    "For one run, and for all runs of a day. At a cap the run ends, what was made is kept, and `lw resume` goes on once it was raised.",
  ],
});

const MINUTE = 60_000;

/** Four times what it took, and at least five minutes. */
const timeoutFor = (tookMs: number): string => `${Math.min(60, Math.max(5, Math.ceil((tookMs * 4) / MINUTE)))}m`;

/** A proof runs the tests about a dozen times in three rounds, beside an hour for makers. */
const runTimeFor = (tookMs: number): string => {
  const minutes = Math.ceil((60 + (tookMs * 12) / MINUTE) / 15) * 15;
  return tookMs < MINUTE ? "1h" : `${Math.min(minutes, 24 * 60)}m`;
};

export const tellTried = (tried: Tried): string => {
  switch (tried.kind) {
    case "ran":
      return tried.state === "green"
        ? `Tried on base: green, in ${formatDuration(tried.tookMs)}.`
        : `Tried on base: red in ${formatDuration(tried.tookMs)}${tried.redCount > 0 ? `, ${tried.redCount} tests` : ""}.`;
    case "cannot-run":
      return displayLine(
        `Tried on base, and it could not be run: ${tried.why.split("\n")[0]}${tried.hint === undefined ? "" : ` ${tried.hint}`}`,
        250,
      );
    case "not-tried":
      return `Not tried: ${tried.why}.`;
  }
};

const whyOf = ({ sure, because, seen }: Fact): string =>
  displayLine(
    `${sure[0]!.toUpperCase()}${sure.slice(1)}: ${because}${
      seen.length === 0
        ? ""
        : ` (${seen
            .slice(0, 3)
            .map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))
            .join(", ")})`
    }.`,
    300,
  );

const quotedFolder = (folder: string): string => (/^[\w./@-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`);

/** The name of a loop for a repository: what a spec allows, and told apart from those of other repositories. */
export function nameFor(prefix: string, root: string): string {
  const slug = (root.split("/").at(-1) ?? "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${prefix}-${slug === "" ? "tests" : slug}`.slice(0, 49).replace(/-+$/, "");
}

/** The agent that was asked for, the only one that is here, or the first of those that are. */
export function chooseAgent(
  agents: readonly AgentFact[],
  asked: string | undefined,
  setVariables: (maker: string) => readonly string[],
): AgentChoice {
  const found = asked === undefined ? agents[0] : agents.find(({ maker }) => maker === asked);
  const maker = asked ?? found?.maker ?? "claude-code";
  const because =
    found === undefined
      ? `${asked === undefined ? "No agent was found on the PATH: this is the first that we know." : "It was asked for, and is not on the PATH."} \`lw doctor\` says what is there.`
      : `${displayLine(found.program, 80)} is on the PATH${
          agents.length > 1 && asked === undefined
            ? `, and so are ${agents
                .slice(1)
                .map(({ program }) => program)
                .join(", ")}`
            : ""
        }. Any other: \`lw parts\`.`;
  return { maker, because, inherit: setVariables(maker) };
}
