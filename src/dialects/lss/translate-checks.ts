// Evaluators of a document as verifiers of ours. All of them must hold, whatever a document says about adding them up.
import type { Path } from "../../spec/path.ts";
import { fieldsOf, listOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { OUR_COMMAND, ourCommand } from "./our-command.ts";
import { checkName, workerName } from "./our-names.ts";
import { answering, modelPart } from "./translate-models.ts";
import { proposedBy } from "./translate-workers.ts";
import { isTeam, type Translating } from "./translating.ts";

type Evaluator = LssDocument["evaluators"][number];

/** Undefined where not one of them has a counterpart. */
export function translateChecks(at: Translating): readonly object[] | undefined {
  const { document, native, notes } = at;
  const verifiers = document.evaluators.flatMap((evaluator, index) => {
    const path = ["evaluators", index];
    const verifier = verifierOf(evaluator, path, at);
    if (verifier === undefined) return [];
    if (evaluator.aggregation !== undefined && evaluator.type !== "llm_rubric")
      notes.tell("tightened", [...path, "aggregation"], "", "every evaluator must hold");
    const of = lookedAt(evaluator, at);
    if (of === undefined) notes.tell("tightened", [...path, "runs_after"], "", "it looks at what is proposed, once all workers are done");
    else notes.tell("translated", [...path, "runs_after"], "verifiers.of", `once all workers are done; it looks at ${of.join(", ")}`);
    return [
      {
        ...(native.has("verifiers.id") ? { id: checkName(evaluator.id, document) } : {}),
        ...verifier,
        ...(of === undefined ? {} : { of }),
      },
    ];
  });
  // Nobody's time is taken for what a check would have refused.
  const isPerson = (verifier: object): boolean => fieldsOf(verifier).use === "human";
  const all = [...verifiers.filter((one) => !isPerson(one)), ...testsBesides(at), ...verifiers.filter(isPerson)];
  if (all.length > 0) return withOneOfAll(all, at);
  notes.tell("lost", ["evaluators"], "", "no counterpart yet for any of them, and a loop without a check proves nothing");
  return undefined;
}

/** Whose results it looks at, where that is not just what is proposed. What is proposed and nobody looks at, every rubric does. */
function lookedAt(evaluator: Evaluator, at: Translating): readonly string[] | undefined {
  const { document, native, bindings } = at;
  if (!native.has("verifiers.of") || !isTeam(at) || evaluator.runs_after.includes("*") || isOfAll(evaluator, bindings)) return undefined;
  const proposed = proposedBy(at);
  const seen = new Set(document.evaluators.flatMap(({ runs_after }) => (runs_after.includes("*") ? proposed : runs_after.map(workerName))));
  const unseen = evaluator.type === "llm_rubric" ? proposed.filter((name) => !seen.has(name)) : [];
  const of = [...new Set([...evaluator.runs_after.map(workerName), ...unseen])];
  return of.length === proposed.length && proposed.every((name) => of.includes(name)) ? undefined : of;
}

/** Tests are run on what is proposed, and what it cites is what counts, whoever reports about either. */
const isOfAll = (evaluator: Evaluator, { test, set }: Translating["bindings"]): boolean =>
  evaluator.type === "deterministic" &&
  !set.has(`${evaluator.id}.run`) &&
  ((TESTS.includes(plainName(evaluator.implementation)) && test !== undefined) ||
    plainName(evaluator.implementation).startsWith("citation_"));

/** Something looks at the proposal itself, or nothing could carry it: where no evaluator does, the last of them. */
function withOneOfAll(all: readonly object[], at: Translating): readonly object[] {
  const proposed = isTeam(at) ? proposedBy(at) : [];
  const looksAtAll = (check: object): boolean => {
    const of = listOf(fieldsOf(check).of);
    return of.length === 0 || (!at.bindings.commits && proposed.every((name) => of.includes(name)));
  };
  if (all.some(looksAtAll)) return all;
  at.notes.tell("tightened", ["evaluators"], "verifiers", "none looks at all that is proposed: the last of them does");
  const { of: _, ...last } = fieldsOf(all.at(-1));
  return [...all.slice(0, -1), last];
}

/** Opinions prove no change of a repository: where no evaluator runs the tests, and somebody says how, they are run all the same. */
function testsBesides({ document, bindings, notes }: Translating): readonly object[] {
  const isAsked = document.evaluators.some(
    (evaluator) =>
      evaluator.type === "deterministic" &&
      (TESTS.includes(plainName(evaluator.implementation)) || ownCommand(evaluator, { document }) !== undefined),
  );
  if (isAsked || !bindings.commits) return [];
  if (bindings.test === undefined) {
    notes.tell("asked", ["evaluators"], "", "what proves a commit? No evaluator runs the tests: say how with --test COMMAND");
    return [];
  }
  notes.tell("added", ["evaluators"], "verifiers", "--test: a proof, which a change of a repository needs beside opinions");
  return [{ use: "command", with: { run: bindings.test } }];
}

const TESTS = ["test_pass_rate", "test_suite_pass"];

const plainName = (implementation: string): string => implementation.replace(/^evaluators\./, "");

function verifierOf(evaluator: Evaluator, path: Path, at: Translating): object | undefined {
  switch (evaluator.type) {
    case "deterministic":
      return deterministic(evaluator, path, at);
    case "llm_rubric":
      return rubric(evaluator, path, at);
    case "human":
      return human(evaluator, path, at);
  }
}

function deterministic(evaluator: Extract<Evaluator, { type: "deterministic" }>, path: Path, at: Translating): object | undefined {
  const { bindings, notes } = at;
  const name = plainName(evaluator.implementation);
  const given = bindings.set.get(`${evaluator.id}.run`);
  if (given !== undefined) {
    notes.tell("translated", path, "verifiers", `--set ${evaluator.id}.run: it holds when the command exits 0`);
    return { use: "command", with: { run: given } };
  }
  const own = ownCommand(evaluator, at);
  if (own !== undefined) {
    notes.tell("translated", path, "verifiers", "the command that extensions.loopwright has for it: it holds when that exits 0");
    return { use: "command", with: { run: own } };
  }
  switch (name) {
    case "test_pass_rate":
    case "test_suite_pass":
      return tests(path, at);
    case "word_count_max":
      return measured(evaluator.id, path, at, "most", (most) => ({ words: { most } }), targetOf(evaluator.id, at));
    case "citation_count_min":
      return measured(evaluator.id, path, at, "least", (least) => ({ citations: { least } }), 1);
    case "citation_integrity":
      return measured(evaluator.id, path, at, "least", (least) => ({ citations: { least } }), 0);
    case "schema_validate":
      return schemas(evaluator, path, at);
    case "approval_required":
      notes.tell("inherent", path, "gate", "at L2 a person decides about every proposal");
      return undefined;
    default:
      notes.tell(
        "asked",
        [...path, "implementation"],
        "",
        `what is ${name}? Say which command checks it with --set ${evaluator.id}.run=COMMAND`,
      );
      return undefined;
  }
}

const ownCommand = (evaluator: Evaluator, { document }: Pick<Translating, "document">): string | undefined =>
  evaluator.type === "deterministic" && evaluator.implementation === OUR_COMMAND
    ? ourCommand(document.extensions, evaluator.id)
    : undefined;

/** What is JSON is held to its schema as it is handed over: a result that is off it never comes as far as a verifier. */
function schemas(evaluator: Evaluator, path: Path, at: Translating): undefined {
  const { document, notes } = at;
  const looked = document.workers.filter(({ id }) => evaluator.runs_after.includes("*") || evaluator.runs_after.includes(id));
  if (isTeam(at) && looked.some(({ outputs }) => outputs.format === "json" && outputs.schema_ref !== undefined))
    notes.tell("inherent", path, "team.workers", "a result that is off its schema is a failed try, and the next is told why");
  else
    notes.tell(
      "asked",
      [...path, "implementation"],
      "",
      `which schema? No worker that it looks at has one: say --set ${evaluator.id}.run=COMMAND`,
    );
  return undefined;
}

function tests(path: Path, { bindings, notes }: Translating): object | undefined {
  if (bindings.test === undefined) {
    notes.tell("asked", [...path, "implementation"], "", "how are the tests run? Say it with --test COMMAND");
    return undefined;
  }
  notes.tell("translated", path, "verifiers", "--test: a proof, where all tests must pass");
  return { use: "command", with: { run: bindings.test } };
}

function measured(
  id: string,
  path: Path,
  { bindings, native, notes }: Translating,
  option: "most" | "least",
  options: (figure: number) => object,
  otherwise: number | undefined,
): object | undefined {
  if (!native.part("measure")) {
    notes.tell("lost", path, "", "no counterpart yet: nothing of ours takes such a figure");
    return undefined;
  }
  const said = bindings.set.get(`${id}.${option}`);
  const figure = said === undefined ? otherwise : Number(said);
  if (figure === undefined || said?.trim() === "" || !Number.isSafeInteger(figure) || figure < 0) {
    const wrong = said === undefined ? "how many?" : `${said.slice(0, 40)} is no whole number from 0 on.`;
    notes.tell("asked", [...path, "implementation"], "", `${wrong} Say it with --set ${id}.${option}=NUMBER`);
    return undefined;
  }
  notes.tell("translated", path, "verifiers", said === undefined ? `${option} ${figure}, which --set ${id}.${option} changes` : "");
  return { use: "measure", with: options(figure) };
}

/** What the metric of an evaluator wants of it. */
const targetOf = (id: string, { document }: Translating): number | undefined =>
  document.metrics.find(({ source, unit }) => source === `evaluators.${id}` && unit === "count")?.target;

function rubric(evaluator: Extract<Evaluator, { type: "llm_rubric" }>, path: Path, at: Translating): object | undefined {
  const { document, native, notes } = at;
  const model = modelPart(evaluator.model, [...path, "model"], at);
  if (model === undefined) return undefined;
  const isOwn = document.workers.some((worker) => worker.model.name === evaluator.model.name);
  if (isOwn) notes.tell("translated", [...path, "model"], "verifiers", "self-graded: a worker's own model judges, which is marked (F2)");
  const judge = { ...model, ...(isOwn ? { sameModel: true } : {}) };
  const { dimensions, pass_threshold } = evaluator.rubric;
  if (native.part("rubric")) {
    const names = dimensions.map(({ name }) => ourName(name));
    if (new Set(names).size < names.length || dimensions.some(({ scale: [low, high] }) => low >= high)) {
      notes.tell("lost", [...path, "rubric", "dimensions"], "", "dimensions of ours have names of their own, and scales that go up");
      return undefined;
    }
    notes.tell("translated", path, "verifiers", "an opinion: it can sink a proposal, and floats a document only on opinion");
    if (evaluator.aggregation !== undefined)
      notes.tell("translated", [...path, "aggregation"], "verifiers.with.how", "of its dimensions; every evaluator must hold");
    answering("rubric", evaluator.model, [...path, "model"], at);
    return {
      use: "rubric",
      with: {
        judges: [judge],
        dimensions: Object.fromEntries(
          dimensions.map(({ weight, criteria, scale }, index) => [names[index] ?? "", { weight, criteria, scale }]),
        ),
        threshold: pass_threshold,
        ...(evaluator.aggregation === undefined
          ? {}
          : { how: evaluator.aggregation === "weighted_avg" ? "weighted" : evaluator.aggregation }),
      },
    };
  }
  notes.tell("translated", path, "verifiers", "a judge that says yes or no: an opinion, which can sink a proposal and never float one");
  notes.tell("lost", [...path, "rubric", "pass_threshold"], "", "no counterpart yet: a judge gives no score");
  const lookFor = dimensions
    .map(({ name, criteria }) => `- ${name}: ${criteria}`)
    .join("\n")
    .slice(0, 4000)
    .toWellFormed();
  return { use: "judge", with: { ...judge, lookFor } };
}

/** As dimensions of ours are called. */
const ourName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]*/, "d_")
    .replace(/^d_(?=[a-z])/, "")
    .slice(0, 64);

/** A person is asked once everything else holds, about exactly what was made; silence is no yes. */
function human(evaluator: Extract<Evaluator, { type: "human" }>, path: Path, { native, notes }: Translating): object | undefined {
  if (!native.part("human")) {
    notes.tell("inherent", path, "gate", "at L2 a person decides about every proposal; silence is no yes");
    return undefined;
  }
  notes.tell("translated", path, "verifiers", "a person is asked in the inbox, once every other check holds; silence is no yes");
  if (evaluator.queue !== undefined) notes.tell("inert", [...path, "queue"], "", "whoever looks into the inbox is asked");
  const ask = (evaluator.instructions ?? `${evaluator.id}: is this as it should be?`).trim().slice(0, LONGEST_QUESTION).toWellFormed();
  return { use: "human", with: { ask: ask || evaluator.id, within: `${evaluator.timeout_seconds}s` } };
}

const LONGEST_QUESTION = 2000;
