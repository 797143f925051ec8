// The anatomy of a document of the standard, as far as it can be made out: which of its checks could say no, and what it only claims.
import {
  type Anatomy,
  type AnatomyEdge,
  type AnatomyNode,
  type CheckNode,
  callsARun,
  type EndNode,
  type GuardNode,
  type MakerNode,
} from "../../contract/anatomy.ts";
import { canFail } from "../../guard/command/can-fail.ts";
import { sheetOf } from "../sheet.ts";
import { EMPTY_SHELF, type Shelf } from "../translation.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf, textsAt } from "../values.ts";
import { OUR_COMMAND, ourCommand } from "./our-command.ts";
import { type Entry, type Sketch, sketchOf } from "./sketch.ts";

/** Whatever is wrong with the document: what is not there has no node. */
export function lssAnatomy(value: unknown, shelf: Shelf = EMPTY_SHELF): Anatomy {
  const insides = new Map<string, number | null>();
  const sketch = sketchOf(value);
  const { root } = sketch;
  const inputs = [...sketch.names.inputs].map(
    (name, index): AnatomyNode => ({
      id: `input-${index + 1}`,
      kind: "input",
      name,
      says: textOf(fieldsOf(fieldsOf(fieldsOf(root.inputs).schema)[name]).description) ?? "",
    }),
  );
  const makers = sketch.workers.map(makerNode);
  const models = new Set(makers.flatMap(({ model }) => model ?? []));
  const checks = sketch.evaluators.map((entry, index) => checkNode(withCommand(entry, root), index, models));
  const memory = memoryOf(root);
  const guards = sketch.constraints.map(guardNode);
  const gates = sketch.constraints.flatMap(({ name, fields }, index): readonly AnatomyNode[] =>
    fields.type === "human_gate"
      ? [{ id: `gate-${index + 1}`, kind: "gate", name: name ?? "human_gate", says: "a person says yes", asks: "human" }]
      : [],
  );
  const tools = [...new Set(sketch.workers.flatMap(({ fields }) => textsAt(fields.tools, []).map(({ text }) => text)))];
  const actions = tools.map((name, index): AnatomyNode => ({ id: `action-${index + 1}`, kind: "action", name, says: "tool" }));
  const children = sketch.children.map(
    ({ name, fields }, index): AnatomyNode => ({
      id: `child-${index + 1}`,
      kind: "child",
      name: name ?? `child ${index + 1}`,
      says: [textOf(fields.role) ?? "stage", textOf(fields.ref) ?? ""].join(" ").trim(),
      inside: insideOf(textOf(fields.ref) ?? "", shelf, insides),
    }),
  );
  const ends = endsOf(sketch);
  const nodes = [...inputs, ...memory, ...guards, ...makers, ...checks, ...gates, ...actions, ...children, ...ends];
  const usd = numberOf(fieldsOf(root.cost_limits).cumulative_usd) ?? numberOf(fieldsOf(root.cost_limits).max_cost_usd);
  return {
    name: textOf(root.loop_name) ?? "a loop without a name",
    goal: textOf(root.objective) ?? "",
    dialect: "lss",
    nodes,
    edges: edgesOf(sketch, { inputs, memory, makers, checks, guards, gates, actions, children, ends }),
    bounds: { rounds: roundsOf(root), usd, usdStops: ends.some(({ family, holds }) => family === "cost" && holds) },
    changes: CHANGES.get(String(fieldsOf(root.optimization_strategy).type)) ?? "nothing",
    composition: COMPOSITIONS.find((type) => type === fieldsOf(root.composition).type) ?? "none",
    claims: claimsIn(root),
  };
}

/** Each file is looked at once, however many children it is. */
function insideOf(ref: string, shelf: Shelf, known: Map<string, number | null>): number | null {
  const before = known.get(ref);
  if (before !== undefined) return before;
  const found = shelf.find(ref);
  const inside = found.kind === "found" ? callsARun(lssAnatomy(sheetOf(found.text).plain().value, found.shelf)) : null;
  known.set(ref, inside);
  return inside;
}

const COMPOSITIONS = ["sequential", "parallel", "nested"] as const;

const CHANGES: ReadonlyMap<string, Anatomy["changes"]> = new Map([
  ["prompt_refinement", "prompts"],
  ["parameter_search", "parameters"],
  ["memory_update", "memory"],
  ["structural", "structure"],
]);

function makerNode({ name, fields }: Entry, index: number): MakerNode {
  const role = textOf(fields.role) ?? "";
  return {
    id: `maker-${index + 1}`,
    kind: "maker",
    name: name ?? (role === "" ? `worker ${index + 1}` : role),
    says: role,
    model: modelOf(fields),
    idle: whyIdle(role),
    retries: numberOf(fields.retries) ?? 0,
    isSpare: false,
  };
}

const modelOf = (fields: Fields): string | undefined => textOf(fieldsOf(fields.model).name);

/** A role is all that a worker is told of its own. */
function whyIdle(role: string): string | undefined {
  const words = role.match(/\p{L}+/gu) ?? [];
  if (words.length < FEWEST_WORDS) return "its role does not say what it does";
  return HANDS_BACK.test(role) ? "it hands back what it was given" : undefined;
}

const FEWEST_WORDS = 3;
const HANDS_BACK = /^\W*(echo|repeat|return|output|copy|hand back)\b.{0,20}\b(input|prompt|task|question|request)s?\b.{0,25}$/is;

/** Evaluators that the standard's files name, and what they look at. Any other name is known to its author alone. */
const KNOWN: ReadonlyMap<string, CheckNode["about"]> = new Map([
  ["test_pass_rate", "result"],
  ["test_suite_pass", "result"],
  ["citation_integrity", "result"],
  ["word_count_max", "form"],
  ["citation_count_min", "form"],
  ["schema_validate", "form"],
  ["approval_required", "result"],
]);

/** A command of ours is judged by what it runs, as everywhere. */
function withCommand(entry: Entry, root: Fields): Entry {
  const { name, fields } = entry;
  const command = fields.type === "deterministic" && fields.implementation === OUR_COMMAND ? ourCommand(root.extensions, name) : undefined;
  return command === undefined ? entry : { ...entry, fields: { ...fields, type: "command", command, implementation: undefined } };
}

type Judged = Pick<CheckNode, "is" | "refuses" | "doubt" | "about">;

function checkNode({ name, fields }: Entry, index: number, makers: ReadonlySet<string>): CheckNode {
  const model = modelOf(fields);
  const isSelfGraded = model !== undefined && makers.has(model);
  const judged = judge(fields);
  return {
    id: `verifier-${index + 1}`,
    kind: "verifier",
    name: name ?? `evaluator ${index + 1}`,
    says: [textOf(fields.type), textOf(fields.implementation) ?? textOf(fields.command)].filter((word) => word !== undefined).join(" "),
    ...judged,
    doubt: judged.doubt === "" && isSelfGraded ? "the model that made it judges it" : judged.doubt,
    model,
    isSelfGraded,
  };
}

function judge(fields: Fields): Judged {
  switch (fields.type) {
    case "human":
      return { is: "human", refuses: "yes", doubt: "", about: "result" };
    case "llm_rubric":
      return judgeRubric(fieldsOf(fields.rubric));
    case "test_suite":
      return { is: "proof", refuses: "yes", doubt: "", about: "result" };
    case "command": {
      const isEmpty = typeof fields.command === "string" && !canFail(fields.command);
      return { is: "proof", refuses: isEmpty ? "no" : "yes", doubt: isEmpty ? "its command cannot fail" : "", about: "result" };
    }
    default: {
      const about = KNOWN.get((textOf(fields.implementation) ?? "").replace(/^evaluators\./, ""));
      if (about === undefined)
        return { is: "proof", refuses: "unknown", doubt: "nobody here knows what stands behind its name", about: "result" };
      return { is: "proof", refuses: "yes", doubt: about === "form" ? "it looks at the form alone" : "", about };
    }
  }
}

/** Words that let everything pass, in a criterion that is all there is to go by. */
const LETS_ALL_PASS = /\b(always|any(thing)?|every(thing)?|whatever|regardless|unconditional(ly)?)\b/i;
const PASSES = /\b(pass(es)?|accept(ed|able)?|approve[ds]?|ok(ay)?|yes|fine|good|full (score|marks)|1(\.0)?)\b/i;

function judgeRubric(rubric: Fields): Judged {
  const dimensions = listOf(rubric.dimensions).map(fieldsOf);
  const threshold = numberOf(rubric.pass_threshold) ?? 0;
  const isFlat = dimensions.length > 0 && dimensions.every(({ scale }) => listOf(scale)[0] === listOf(scale)[1]);
  const letsPass =
    dimensions.length > 0 &&
    dimensions.every(({ criteria }) => {
      const text = textOf(criteria) ?? "";
      return LETS_ALL_PASS.test(text) && PASSES.test(text);
    });
  const doubt =
    threshold <= 0
      ? "its threshold lets everything pass"
      : isFlat
        ? "its scale has one value"
        : letsPass
          ? "its criteria let everything pass"
          : dimensions.length === 0
            ? "it has no criteria"
            : "";
  return { is: "opinion", refuses: doubt === "" ? "yes" : "no", doubt, about: "result" };
}

const LASTING: ReadonlyMap<unknown, "round" | "run" | "runs"> = new Map([
  ["ephemeral", "round"],
  ["session", "run"],
  ["persistent", "runs"],
]);

function memoryOf(root: Fields): readonly (AnatomyNode & { readonly kind: "memory" })[] {
  const { type, backend, write_policy } = fieldsOf(root.memory);
  // What nobody may write to keeps nothing, whatever it is called: so it is imported, too.
  const isWritten = listOf(fieldsOf(write_policy).allowed_writers).length > 0;
  const lasts = type === "persistent" && !isWritten ? "run" : LASTING.get(type);
  if (lasts === undefined) return [];
  return [{ id: "memory-1", kind: "memory", name: String(type), says: textOf(backend) ?? "", lasts }];
}

const STOPPING = ["halt", "quarantine", "strip"];

const guardNode = ({ name, fields }: Entry, index: number): GuardNode => ({
  id: `guard-${index + 1}`,
  kind: "guard",
  name: name ?? `constraint ${index + 1}`,
  says: [textOf(fields.type), textOf(fields.action)].filter((word) => word !== undefined).join(", "),
  does: STOPPING.includes(String(fields.action)) ? "stops" : fields.action === "escalate_human" ? "asks" : "tells",
});

const roundsOf = (root: Fields): number | undefined => {
  const ends = root.termination_conditions;
  const listed = [...listOf(fieldsOf(ends).failure), ...listOf(ends)].map(fieldsOf);
  return numberOf(listed.find(({ type }) => type === "max_iterations")?.value) ?? numberOf(fieldsOf(root.cost_limits).max_iterations);
};

const FAMILIES: ReadonlyMap<string, EndNode["family"]> = new Map([
  ["max_iterations", "bound"],
  ["timeout", "bound"],
  ["cost_exceeded", "cost"],
  ["all_tests_pass", "success"],
  ["quality_threshold", "success"],
]);

function endsOf({ root, metrics, evaluators }: Sketch): readonly EndNode[] {
  const ends = fieldsOf(root.termination_conditions);
  const costs = fieldsOf(root.cost_limits);
  const sources = new Map(metrics.map(({ name, fields }) => [name, textOf(fields.source) ?? ""]));
  const isLooked = (metric: string): boolean => {
    const source = sources.get(metric) ?? "";
    return source.startsWith("evaluators.") && evaluators.some(({ name }) => source === `evaluators.${name}`);
  };
  const action = textOf(fieldsOf(costs.on_exceed).action);
  const written: readonly Omit<EndNode, "id" | "kind">[] = [
    ...listOf(ends.success)
      .map(fieldsOf)
      .map(({ metric, operator, value }): Omit<EndNode, "id" | "kind"> => {
        const name = textOf(metric) ?? "success";
        return {
          name,
          family: "success",
          says: `${name} ${String(operator)} ${String(value)}`,
          holds: isLooked(name) && !isMetByAll(operator, value),
        };
      }),
    ...[...listOf(ends.failure), ...listOf(root.termination_conditions)]
      .map(fieldsOf)
      .map(({ type, value }): Omit<EndNode, "id" | "kind"> => {
        const name = textOf(type) ?? "failure";
        const family = FAMILIES.get(name) ?? "failure";
        const isBound = family !== "bound" || numberOf(value) !== undefined;
        return { name, family, says: value === undefined ? name : `${name} ${String(value)}`, holds: isBound };
      }),
    ...listOf(ends.stall)
      .map(fieldsOf)
      .map(
        ({ metric, window_iterations: window }): Omit<EndNode, "id" | "kind"> => ({
          name: "stall",
          family: "stall",
          says: `${textOf(metric) ?? "metric"} over ${String(window)} rounds`,
          holds: true,
        }),
      ),
    ...(numberOf(costs.cumulative_usd) === undefined
      ? []
      : [
          {
            name: "cost",
            family: "cost" as const,
            says: `$${String(costs.cumulative_usd)}, then ${action ?? "nothing"}`,
            holds: action === "halt",
          },
        ]),
  ];
  return written.map((end, index) => ({ id: `end-${index + 1}`, kind: "end", ...end }));
}

/** A goal that is met before anything was done. Scores are of 0 to 1. */
const isMetByAll = (operator: unknown, value: unknown): boolean => {
  const bound = numberOf(value);
  if (bound === undefined) return true;
  if (operator === "gte") return bound <= 0;
  if (operator === "gt") return bound < 0;
  if (operator === "lte") return bound >= 1 && bound < 2;
  return false;
};

/** What is about everybody is drawn to each of so many, and else to the last alone: a hostile file is no reason for a million lines. */
const MOST_SPELLED_OUT = 40;

interface Columns {
  readonly inputs: readonly AnatomyNode[];
  readonly memory: readonly AnatomyNode[];
  readonly makers: readonly MakerNode[];
  readonly checks: readonly CheckNode[];
  readonly guards: readonly GuardNode[];
  readonly gates: readonly AnatomyNode[];
  readonly actions: readonly AnatomyNode[];
  readonly children: readonly AnatomyNode[];
  readonly ends: readonly EndNode[];
}

function edgesOf(sketch: Sketch, columns: Columns): readonly AnatomyEdge[] {
  const { makers, checks, guards, gates, actions, children, ends, inputs, memory } = columns;
  const edge = (
    from: AnatomyNode | undefined,
    to: AnatomyNode | undefined,
    kind: AnatomyEdge["kind"],
    says = "",
  ): readonly AnatomyEdge[] => (from && to ? [{ from: from.id, to: to.id, kind, says }] : []);
  const byName = <N extends AnatomyNode>(nodes: readonly N[]): ReadonlyMap<string, N> => new Map(nodes.map((node) => [node.name, node]));
  const [maker, check, input, action, child] = [byName(makers), byName(checks), byName(inputs), byName(actions), byName(children)];
  const everybody = makers.length > MOST_SPELLED_OUT ? makers.slice(-1) : makers;
  const meant = (ids: readonly string[]): readonly MakerNode[] =>
    ids.length === 0 || ids.includes("*") ? everybody : ids.flatMap((id) => maker.get(id) ?? []);
  const says = (ids: readonly string[]): string => (everybody !== makers && (ids.length === 0 || ids.includes("*")) ? "everybody" : "");
  const texts = (value: unknown): readonly string[] => textsAt(value, []).map(({ text }) => text);
  const [firstMemory] = memory;
  const [lastMaker] = makers.slice(-1);
  const writers = texts(fieldsOf(fieldsOf(sketch.root.memory).write_policy).allowed_writers);
  const reads = sketch.workers.flatMap(({ fields }, index) => {
    const reader = makers[index];
    const from = listOf(fields.inputs).flatMap((one) => textOf(fieldsOf(one).from) ?? []);
    const read = from.flatMap((path) => {
      const [list, name = ""] = path.split(".");
      if (list === "inputs") return edge(input.get(name), reader, "reads");
      if (list === "memory") return edge(firstMemory, reader, "reads", name);
      return edge(maker.get(name), reader, "reads");
    });
    const waited = texts(fields.depends_on).filter((id) => !from.includes(`workers.${id}`));
    return [
      ...read,
      ...waited.flatMap((id) => edge(maker.get(id), reader, "reads", "after")),
      ...texts(fields.tools).flatMap((tool) => edge(reader, action.get(tool), "moves")),
    ];
  });
  const all = [
    ...reads,
    ...writers.flatMap((id) => edge(maker.get(id), firstMemory, "writes")),
    ...sketch.constraints.flatMap(({ fields }, index) =>
      meant(texts(fields.applies_to)).flatMap((to) => edge(guards[index], to, "guards", says(texts(fields.applies_to)))),
    ),
    ...sketch.evaluators.flatMap(({ fields }, index) =>
      meant(texts(fields.runs_after)).flatMap((from) => edge(from, checks[index], "checks", says(texts(fields.runs_after)))),
    ),
    ...sketch.channels.flatMap(({ fields }) => feedback(fields, { maker, check, makers, root: sketch.root }, edge)),
    ...gates.flatMap((gate) => edge(lastMaker, gate, "decides")),
    ...ends.flatMap((end) => {
      const source = sketch.metrics.find(({ name }) => name === end.name)?.fields.source;
      const from = check.get(String(source ?? "").replace(/^evaluators\./, "")) ?? (end.family === "success" ? checks[0] : undefined);
      return edge(from ?? lastMaker ?? children[0], end, "ends");
    }),
    ...children.flatMap((one) => edge(lastMaker, one, "holds", one.says)),
    ...listOf(fieldsOf(sketch.root.composition).adapters).flatMap((adapter) => {
      const { from, to } = fieldsOf(adapter);
      return edge(child.get(childOf(from)), child.get(childOf(to)), "hands");
    }),
  ];
  return [...new Map(all.map((one) => [`${one.from} ${one.to} ${one.kind}`, one])).values()];
}

interface Known {
  readonly maker: ReadonlyMap<string, MakerNode>;
  readonly check: ReadonlyMap<string, CheckNode>;
  readonly makers: readonly MakerNode[];
  readonly root: Fields;
}

/** What is fed to the strategy goes to whom the strategy refines. */
function feedback(
  fields: Fields,
  { maker, check, makers, root }: Known,
  edge: (from: AnatomyNode | undefined, to: AnatomyNode | undefined, kind: AnatomyEdge["kind"], says?: string) => readonly AnatomyEdge[],
): readonly AnatomyEdge[] {
  const [list, name = ""] = (textOf(fields.source) ?? "").split(".");
  const from = list === "workers" ? maker.get(name) : check.get(name);
  const destination = textOf(fields.destination) ?? "";
  const target = textOf(fieldsOf(fieldsOf(root.optimization_strategy).config).refinement_target)?.replace(/^workers\./, "");
  const to = destination.startsWith("workers.")
    ? maker.get(destination.slice("workers.".length))
    : target === undefined
      ? makers[0]
      : maker.get(target);
  return edge(from, to, "feedback", textOf(fields.when) ?? "");
}

const childOf = (path: unknown): string => /^children\.([^.]+)/.exec(textOf(path) ?? "")?.[1] ?? "";

/** Keys under which files say how good they are. */
const CLAIMS = ["les_scores", "les_score", "les", "les_estimate", "taxonomy_level", "x_loopforge"];

/** Which of them stand at the top of a file. */
export const claimsAtTop = (root: unknown): readonly string[] => CLAIMS.filter((key) => Object.hasOwn(fieldsOf(root), key));

function claimsIn(root: Fields): Anatomy["claims"] {
  const at = (where: string, fields: Fields): Anatomy["claims"] =>
    CLAIMS.filter((key) => Object.hasOwn(fields, key)).map((key) => ({
      at: where === "" ? key : `${where}.${key}`,
      says: (JSON.stringify(fields[key]) ?? "").slice(0, MOST_CLAIM_CHARS),
    }));
  return [...at("", root), ...at("metadata", fieldsOf(root.metadata)), ...at("extensions", fieldsOf(root.extensions))];
}

const MOST_CLAIM_CHARS = 200;
