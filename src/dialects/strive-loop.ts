// Strive's `loop.json` as a dialect: both kinds at every phase, and its state file and run log, which hold no loop.
import * as z from "zod";
import type { Path } from "../spec/path.ts";
import { parseDuration } from "../std/duration.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { modelPartOf, whereIs } from "./models.ts";
import type { RuleComplaint } from "./placed-problems.ts";
import { commandCheck, intentOf, interval, lasting, type PartValue, putMaker, putName, putTask } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { type Fields, fieldsOf, textOf } from "./values.ts";

const KINDS = ["git-commit-triage", "assisted-fix"] as const;
const PHASES = ["L0", "L1", "L2", "L3"] as const;
const Texts = z.array(z.string());

const StriveLoop = z.strictObject({
  id: z.string().min(1),
  kind: z.enum(KINDS),
  phase: z.enum(PHASES),
  cadence: z.string().optional(),
  paused: z.boolean().optional(),
  priority: z.int().optional(),
  state_file: z.string().optional(),
  target: z.strictObject({
    repo: z.string().min(1),
    refs: Texts.optional(),
    first_run_since: z.string().optional(),
    base_ref: z.string().min(1).optional(),
  }),
  budget: z.strictObject({
    max_tokens: z.int().min(0).optional(),
    max_iterations: z.int().min(1).optional(),
    wall_clock_secs: z.int().min(1).optional(),
  }),
  task: z.string().optional(),
  test_command: z.string().optional(),
  maker_command: z.string().optional(),
  maker: z
    .looseObject({
      type: z.enum(["llm", "nvidia", "openai"]),
      model: z.string().optional(),
      base_url: z.string().optional(),
      api_key_env: z.string().optional(),
    })
    .optional(),
  allowlist: z
    .strictObject({ allow_globs: Texts.min(1), deny_globs: Texts.optional(), max_files: z.int().min(1), max_lines: z.int().min(1) })
    .optional(),
  connectors: z
    .array(z.strictObject({ name: z.string(), scope: z.enum(["read", "write"]).optional(), write_tools: Texts.optional() }))
    .optional(),
});
type StriveLoop = z.infer<typeof StriveLoop>;

export const striveLoop = defineDialect<StriveLoop>({
  name: "strive",
  title: "a loop of Strive",
  written: "plain",
  mentioned: /"?phase"?\s*:|"loops"\s*:|"last_result"/,
  looksLike: (root) => isState(root) || (hasAll(root, ["phase"]) && ["kind", "target"].some((key) => hasAll(root, [key])) && !isOurs(root)),
  form: (root) => (isState(root) ? "Strive's state" : "Strive loop.json"),
  schema: StriveLoop,
  rules: (root) => (isState(root) ? [noLoop] : brokenRules(root)),
  doubts: (root) => (root.priority === undefined ? [] : [priorityIsTheirs]),
  standing: [
    ["state_file", "inert", "what runs came to is in the journal of the home; `lw ledger aggregate` reads the old file"],
    ["connectors", "inert", "Strive hands them to no loop, and neither do we"],
    ["target.refs", "inert", "a fix starts from its base, and reads no refs"],
    ["target.base_ref", "inert", "a triage reads its refs"],
    ["target.first_run_since", "inert", "a fix reads no history"],
    ["task", "inert", "a triage has none"],
    ["test_command", "inert", "a triage changes nothing that could be tested"],
    ["maker", "inert", "a triage needs nobody to make it"],
    ["maker_command", "inert", "a triage needs nobody to make it"],
    ["allowlist", "inert", "it is asked at L3 only, and a person decides at L2"],
  ],
  put: (loop, at) => (loop.kind === "git-commit-triage" ? putTriage(loop, at) : putFix(loop, at)),
});

const hasAll = (root: Fields, keys: readonly string[]): boolean => keys.every((key) => Object.hasOwn(root, key));

/** Keys of our own specs that Strive has not. */
const isOurs = (root: Fields): boolean => ["intent", "level", "verifiers"].some((key) => Object.hasOwn(root, key));

/** The state keeps a section for each loop, with how its last run ended. */
const isState = (root: Fields): boolean =>
  Object.hasOwn(root, "loops") && Object.values(fieldsOf(root.loops)).some((section) => Object.hasOwn(fieldsOf(section), "last_result"));

const noLoop: RuleComplaint = complain(
  "no-loop",
  ["loops"],
  "this is Strive's state, which says how runs ended, and is no loop",
  "Count its runs with `lw ledger aggregate`, and import the loop.json itself.",
);

const priorityIsTheirs = complain(
  "priority",
  ["priority"],
  "Strive's schema refuses this, although its scheduler reads it",
  "Leave it out if Strive should read the file too.",
);

function brokenRules(root: Fields): readonly RuleComplaint[] {
  const { kind, phase, target, cadence } = root;
  const missing = (path: Path, why: string) => complain("missing", path, why, "Add it.");
  const isFix = kind === "assisted-fix";
  return [
    ...(kind === "git-commit-triage" && !Array.isArray(fieldsOf(target).refs) ? [missing(["target", "refs"], "a triage needs refs")] : []),
    ...(isFix && !textOf(root.task)?.trim() ? [missing(["task"], "a fix needs a task")] : []),
    ...(isFix && !textOf(root.test_command)?.trim() ? [missing(["test_command"], "a fix needs a test")] : []),
    ...(isFix && (phase === "L0" || phase === "L1")
      ? [complain("phase-fits-kind", ["phase"], "a fix runs at L2 and L3 only: Strive itself ends in an error here", "Write L2.")]
      : []),
    ...(typeof cadence === "string" && interval(cadence) === undefined
      ? [complain("cadence", ["cadence"], "is no number with s, m, h or d behind it, from 1s to 366d", "Write e.g. 1d.")]
      : []),
    ...(fieldsOf(root.maker).type === "openai" && !hasAll(fieldsOf(root.maker), ["base_url", "model"])
      ? [complain("missing", ["maker"], "a maker of type openai needs base_url and model", "Add both.")]
      : []),
  ];
}

function complain(code: string, path: Path, problem: string, instead: string): RuleComplaint {
  return { code, path, about: "value", problem, instead };
}

function putTriage(loop: StriveLoop, at: Putting): SpecValue | undefined {
  const { notes } = at;
  const refs = loop.target.refs ?? [];
  const since = sinceOf(loop.target.first_run_since, at);
  notes.tell("translated", ["kind"], "maker", "commits are ranked by what they say and touch, not by words inside words");
  notes.tell("translated", ["target", "refs"], "gather");
  notes.tell("added", ["kind"], "verifiers", "grounded: every commit that a report cites is looked up, and must be part of its ref");
  return {
    name: putName(loop.id, ["id"], at),
    intent: intentOf(`Tell what landed on ${refs.join(", ")}.`),
    level: levelOf(loop, at),
    target: targetOf(loop, at),
    ...wakingOf(loop, at),
    gather: [{ use: "commits", with: { refs, ...(since === undefined ? {} : { since }) } }],
    maker: { use: "triage" },
    verifiers: [{ use: "grounded" }],
    budget: budgetOf(loop, 1, at),
  };
}

function putFix(loop: StriveLoop, at: Putting): SpecValue | undefined {
  const { notes } = at;
  const level = levelOf(loop, at);
  notes.tell("translated", ["kind"], "maker", "an attempt is a round");
  notes.tell("translated", ["test_command"], "verifiers", "in a clean copy of the proposal, with the sealed files as they are on base");
  const maker = makerOf(loop, at);
  const task = putTask(loop.task ?? "", ["task"], at);
  if (maker === undefined || task === undefined) return undefined;
  return {
    name: putName(loop.id, ["id"], at),
    intent: intentOf(task),
    level,
    target: targetOf(loop, at),
    task,
    ...wakingOf(loop, at),
    maker,
    verifiers: [commandCheck(loop.test_command ?? "")],
    budget: budgetOf(loop, 3, at),
    ...(level === "L3" && loop.allowlist !== undefined ? alone(loop.allowlist, at) : {}),
  };
}

/** Phases are our levels. What is manual has no trigger; what may act alone without a list of what it may touch does not. */
function levelOf({ kind, phase, allowlist }: StriveLoop, { notes }: Putting): "L1" | "L2" | "L3" {
  if (kind === "git-commit-triage") {
    const isSame = phase === "L0" || phase === "L1";
    notes.tell(isSame ? "translated" : "tightened", ["phase"], "level", isSame ? "" : "L1: a triage only reports, whatever its phase");
    return "L1";
  }
  if (phase === "L3" && allowlist === undefined) {
    notes.tell("tightened", ["phase"], "level", "L2: without an allowlist nothing is merged alone, there as here");
    return "L2";
  }
  notes.tell("translated", ["phase"], "level");
  return phase === "L3" ? "L3" : "L2";
}

function targetOf({ target: { repo, base_ref }, kind }: StriveLoop, { notes }: Putting): object {
  notes.tell("translated", ["target", "repo"], "target.repo", "from the folder of the file");
  if (kind === "git-commit-triage") return { repo };
  notes.tell(
    base_ref === undefined ? "added" : "translated",
    base_ref === undefined ? ["target"] : ["target", "base_ref"],
    "target.base",
    base_ref === undefined ? "main, which is Strive's default" : "",
  );
  return { repo, base: base_ref ?? "main" };
}

function wakingOf({ phase, cadence, paused, priority }: StriveLoop, { notes }: Putting): object {
  if (paused !== undefined)
    notes.tell(
      paused ? "lost" : "inherent",
      ["paused"],
      "",
      paused
        ? "a spec of ours is not paused in its file: write `lw pause NAME`. It has no trigger until you add one"
        : "nothing is paused in its file",
    );
  const isByHand = phase === "L0" || paused === true;
  const every = cadence === undefined || isByHand ? undefined : interval(cadence);
  if (cadence === undefined) notes.tell("added", ["id"], "trigger", "manual: the file names no cadence");
  else
    notes.tell(
      isByHand ? "tightened" : "translated",
      ["cadence"],
      "trigger",
      isByHand ? "manual: it wakes only by hand" : "at fixed times so far apart, whenever it last ran",
    );
  // Low goes first there, from 100; high goes first here, from 0.
  const rank = priority === undefined ? undefined : Math.max(-10, Math.min(10, 100 - priority));
  if (rank !== undefined) notes.tell("translated", ["priority"], "wake.priority", "high goes first here, from -10 to 10");
  return {
    trigger: every === undefined ? { use: "manual" } : { use: "every", with: { interval: every } },
    ...(rank === undefined ? {} : { wake: { priority: rank } }),
  };
}

const MOST_ROUNDS = 100;

function budgetOf({ budget, kind }: StriveLoop, usualRounds: number, { notes }: Putting): object {
  const { max_tokens, max_iterations, wall_clock_secs } = budget;
  const rounds = Math.min(max_iterations ?? usualRounds, MOST_ROUNDS);
  if (max_iterations === undefined) notes.tell("added", ["budget"], "budget.rounds", `${usualRounds}, which is Strive's default`);
  else {
    const isCut = max_iterations > MOST_ROUNDS;
    notes.tell(isCut ? "tightened" : "translated", ["budget", "max_iterations"], "budget.rounds", isCut ? `at most ${MOST_ROUNDS}` : "");
  }
  if (wall_clock_secs === undefined) notes.tell("added", ["budget"], "budget.time", "half an hour, where nothing is said");
  else notes.tell("translated", ["budget", "wall_clock_secs"], "budget.time", "in force here, also while a test hangs");
  if (max_tokens === undefined) notes.tell("added", ["budget"], "budget.tokens", "a million, where nothing is said");
  else if (max_tokens > 0) notes.tell("translated", ["budget", "max_tokens"], "budget.tokens", "in force here");
  else if (kind === "git-commit-triage") notes.tell("inherent", ["budget", "max_tokens"], "", "a triage asks no model");
  else notes.tell("asked", ["budget", "max_tokens"], "", "a run that may use no token cannot ask a model: write a number above 0");
  notes.tell("added", ["budget"], "budget.usd", "five dollars a run, where nothing is said");
  return {
    rounds,
    ...(wall_clock_secs === undefined ? {} : { time: lasting(wall_clock_secs * 1000) }),
    ...(max_tokens === undefined || max_tokens === 0 ? {} : { tokens: String(max_tokens) }),
  };
}

const DEFAULT_MODELS = { llm: "claude-opus-4-8", nvidia: "meta/llama-3.3-70b-instruct" } as const;

function makerOf({ maker, maker_command }: StriveLoop, at: Putting): PartValue | readonly PartValue[] | undefined {
  const { notes } = at;
  if (maker !== undefined) {
    if (maker_command !== undefined) notes.tell("inert", ["maker_command"], "", "Strive asks the maker where there is one");
    return modelMaker(maker, at);
  }
  if (maker_command === undefined) return putMaker(["kind"], at);
  notes.tell("tightened", ["maker_command"], "maker", "with a time limit, without your whole environment, in a box where there is one");
  return { use: "shell", with: { run: maker_command } };
}

function modelMaker(maker: NonNullable<StriveLoop["maker"]>, at: Putting): PartValue | undefined {
  const { notes, bindings } = at;
  const { type, model, base_url, api_key_env } = maker;
  for (const key of Object.keys(maker))
    if (!["type", "model", "base_url", "api_key_env"].includes(key)) notes.tell("inert", ["maker", key], "", "Strive reads no such key");
  const provider = type === "llm" ? "anthropic" : type;
  const name = model ?? (type === "openai" ? "" : DEFAULT_MODELS[type]);
  const part = modelPartOf({ provider, name }, bindings);
  notes.tell("translated", ["maker", "type"], "maker.use", "with bounded tools, in the place of one reply with whole files");
  if (model === undefined) notes.tell("added", ["maker"], "maker.with.model", `${name}, which is Strive's default`);
  else notes.tell("translated", ["maker", "model"], "maker.with.model");
  if (part === undefined) {
    notes.tell("asked", ["maker", "type"], "", whereIs(provider));
    return undefined;
  }
  const address = bindings.providers.get(provider)?.baseUrl ?? base_url;
  if (base_url !== undefined && !isSafeAddress(address ?? "")) {
    notes.tell("asked", ["maker", "base_url"], "", `nothing is sent in the clear: ${whereIs(provider)}`);
    return undefined;
  }
  if (base_url !== undefined) notes.tell("translated", ["maker", "base_url"], "maker.with.baseUrl");
  if (api_key_env !== undefined) notes.tell("translated", ["maker", "api_key_env"], "maker.with.keyVariable");
  const { provider: use, ...options } = part;
  return {
    use,
    with: {
      ...options,
      ...(address === undefined ? {} : { baseUrl: address }),
      ...(api_key_env === undefined ? {} : { keyVariable: api_key_env }),
    },
  };
}

const isSafeAddress = (url: string): boolean => /^https:\/\/\S+$|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/\S*)?$/.test(url);

/** What may be merged alone. Our own list of what is never touched alone holds besides. */
function alone(list: NonNullable<StriveLoop["allowlist"]>, { notes }: Putting): object {
  const { allow_globs, deny_globs, max_files, max_lines } = list;
  notes.tell(
    "tightened",
    ["allowlist", "allow_globs"],
    "gate.all[0].with.allow",
    "`**/` ends at a slash, and renames, deletions and modes count",
  );
  if (deny_globs !== undefined)
    notes.tell(
      "tightened",
      ["allowlist", "deny_globs"],
      "gate.all[0].with.deny",
      "in either case; what is denied to all loops is denied besides",
    );
  notes.tell(max_files > MOST_FILES ? "tightened" : "translated", ["allowlist", "max_files"], "gate.all[0].with.files");
  notes.tell(max_lines > MOST_LINES ? "tightened" : "translated", ["allowlist", "max_lines"], "gate.all[0].with.lines");
  notes.tell(
    "added",
    ["allowlist"],
    "act",
    "merge: base moves only from the commit that was verified, and never where somebody has it checked out",
  );
  return {
    gate: {
      all: [
        {
          use: "allowlist",
          with: {
            allow: allow_globs.map(literally),
            ...(deny_globs === undefined ? {} : { deny: deny_globs.flatMap(asDenied) }),
            files: Math.min(max_files, MOST_FILES),
            lines: Math.min(max_lines, MOST_LINES),
          },
        },
      ],
    },
    act: [{ use: "merge" }],
  };
}

const MOST_FILES = 5000;
const MOST_LINES = 100_000;

/** Braces, brackets and the like are letters in globs of Strive. */
const literally = (glob: string): string => glob.replaceAll(/[\\{}[\]]/g, "\\$&").replace(/^!/, "\\!");

/** `**` and a slash also stand for the beginning of a name there: what is denied stays denied. */
const asDenied = (glob: string): readonly string[] => {
  const plain = literally(glob);
  const wide = plain.replaceAll(/\*\*\/(?!\*)/g, "**/*");
  return wide === plain ? [plain] : [plain, wide];
};

const UNITS: { readonly [unit: string]: string } = { second: "s", minute: "m", hour: "h", day: "d" };

/** `7 days ago`, as git reads it. */
function sinceOf(written: string | undefined, { bindings, notes }: Putting): string | undefined {
  if (written === undefined) return undefined;
  const set = bindings.set.get("first_run_since");
  const [, count, unit] = /^\s*(\d{1,4})[ .](second|minute|hour|day|week|month|year)s?[ .]ago\s*$/i.exec(written) ?? [];
  const since = set ?? sinceText(Number(count), unit?.toLowerCase());
  if (since === undefined || parseDuration(since) === undefined)
    notes.tell("asked", ["target", "first_run_since"], "", "how long is that? Say it with --set first_run_since=7d");
  else notes.tell("translated", ["target", "first_run_since"], "gather[0].with.since");
  return since;
}

function sinceText(count: number, unit: string | undefined): string | undefined {
  if (unit === undefined) return undefined;
  if (unit === "week") return `${count * 7}d`;
  if (unit === "month") return `${count * 30}d`;
  if (unit === "year") return `${count * 365}d`;
  return `${count}${UNITS[unit] ?? "d"}`;
}
