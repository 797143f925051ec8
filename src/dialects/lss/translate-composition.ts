// Loops that a document composes as workers of its team: one after the other, side by side, or one where another fails.
import type { Path } from "../../spec/path.ts";
import type { Fate, SpecValue } from "../translation.ts";
import { fieldsOf, listOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { checkName, workerName } from "./our-names.ts";
import { readLss } from "./read-lss.ts";
import { isOurInput } from "./translate-inputs.ts";
import type { Translating } from "./translating.ts";

type Composition = NonNullable<LssDocument["composition"]>;
type ChildOf = Composition["children"][number];

/** A document that another composes, and the spec that became of it. */
interface Child {
  readonly at: ChildOf;
  readonly path: Path;
  readonly document: LssDocument;
  readonly spec: SpecValue;
}

export interface Composed {
  /** Workers that are loops, by our names. */
  readonly workers: { readonly [id: string]: object };
  readonly joins?: object;
  /** What whoever puts it all together reads. */
  readonly read: readonly string[];
}

/** Undefined where one of its loops cannot be had, which is said. */
export function composed(composition: Composition, at: Translating): Composed | undefined {
  const children = composition.children.map((child, index) => childOf(child, ["composition", "children", index], at));
  const all = children.flatMap((child) => (child === undefined ? [] : [child]));
  if (all.length < children.length) {
    at.notes.tell("inert", ["composition"], "", "how its loops go together means something when all of them are there");
    return undefined;
  }
  at.notes.tell("translated", ["composition"], "team.workers", HOW[composition.type]);
  const names = all.map((child) => nameOf(child.at, at));
  const workers = all.map((child, index) => [names[index]!, workerOf(child, all[index - 1], all, composition, at)] as const);
  const isMerged = composition.type === "parallel";
  return {
    workers: Object.fromEntries(workers),
    ...(isMerged ? { joins: { [BRANCHES]: merge(names, composition, at) } } : {}),
    read: isMerged ? [BRANCHES] : names,
  };
}

const BRANCHES = "branches";
const HOW = {
  sequential: "one after the other",
  parallel: "side by side, and brought together",
  nested: "the inner ones where the outer one fails",
} as const;

function childOf(child: ChildOf, path: Path, at: Translating): Child | undefined {
  const { notes, shelf } = at;
  const here = [...path, "ref"];
  const found = shelf.find(child.ref);
  if (found.kind !== "found") {
    notes.tell("asked", here, "", found.why);
    return undefined;
  }
  const reading = readLss(found.file, found.text);
  if (reading.kind !== "read") {
    notes.tell("lost", here, "", `${found.file} is no whole and sound document: \`lw validate\` says what is wrong with it`);
    return undefined;
  }
  const document = seenThrough(child.lens, reading.document);
  if (child.lens !== undefined) notes.tell("translated", [...path, "lens"], "team.workers", "before what each of its workers is for");
  const { spec, fates } = at.child(document, { file: fileOf(child.id, at), placeOf: reading.placeOf, shelf: found.shelf });
  for (const { kind, path: where, why } of fates.filter(isGrave)) notes.tell(kind, here, "", `${found.file}: ${where}: ${why}`);
  if (spec === undefined) return undefined;
  if (listOf(spec.verifiers).some((one) => fieldsOf(one).use === "human")) {
    notes.tell("lost", here, "", `${found.file} asks a person while it runs, and a loop that is called cannot`);
    return undefined;
  }
  notes.tell("translated", path, `team.workers.${nameOf(child, at)}`, `the loop of ${found.file}, with a run and a receipt of its own`);
  return { at: child, path, document, spec };
}

const isGrave = ({ kind }: Fate): boolean => kind === "lost" || kind === "asked";

const fileOf = (id: string, { prefix }: Translating): string => `${prefix}${id}.loop.yaml`;

/** By what it is called there, unless a worker of the file has that name. */
const nameOf = ({ id }: ChildOf, { document }: Translating): string =>
  workerName(document.workers.some((worker) => worker.id === id) || id === "referee" ? `${id}_loop` : id);

const seenThrough = (lens: string | undefined, document: LssDocument): LssDocument =>
  lens === undefined
    ? document
    : { ...document, workers: document.workers.map((worker) => ({ ...worker, role: `${lens.trim()}\n\n${worker.role}` })) };

function workerOf(child: Child, before: Child | undefined, all: readonly Child[], composition: Composition, at: Translating): object {
  const isFirst = composition.type === "parallel" || (composition.type === "sequential" ? before === undefined : child.at.role === "outer");
  const adapted = adaptersOf(child, all, composition, at);
  const named = isFirst ? Object.keys(child.document.inputs.schema).filter((name) => isOurInput(name, at.document)) : [];
  const give = { ...Object.fromEntries(named.map((name) => [name, `inputs.${name}`])), ...adapted };
  for (const [name, { required }] of Object.entries(child.document.inputs.schema))
    if (required === true && !Object.hasOwn(give, name))
      at.notes.tell("asked", child.path, "", `what is its input ${name}? Add an adapter to children.${child.at.id}.inputs.${name}`);
  const after = composition.type === "sequential" && before !== undefined ? [nameOf(before.at, at)] : [];
  return {
    loop: fileOf(child.at.id, at),
    ...(Object.keys(give).length > 0 ? { give } : {}),
    ...(after.length > 0 ? { after } : {}),
    ...whenOf(child, all, composition, at),
  };
}

/** What of another loop's results is which input of this one. */
function adaptersOf(
  child: Child,
  all: readonly Child[],
  { adapters = [] }: Composition,
  at: Translating,
): { readonly [input: string]: string } {
  const entries = adapters.flatMap(({ from, to, transform }, index) => {
    const path = ["composition", "adapters", index];
    const [, id, input = ""] = /^children\.([^.]+)\.inputs\.([^.]+)$/.exec(to) ?? [];
    if (id !== child.at.id) return [];
    const [, source, worker = ""] = /^children\.([^.]+)\.outputs\.([^.]+)$/.exec(from) ?? [];
    const giver = all.find((one) => one.at.id === source);
    const gives = listOf(fieldsOf(giver?.spec.team).proposes);
    if (transform !== undefined || giver === undefined || !gives.includes(workerName(worker))) {
      const why =
        transform === undefined
          ? `${source ?? "it"} proposes no result of ${worker || from}`
          : "results are handed on as they are: no transform";
      at.notes.tell("lost", path, "", why);
      return [];
    }
    at.notes.tell("translated", path, `team.workers.${nameOf(child.at, at)}.give`);
    return [[input, `${nameOf(giver.at, at)}.${workerName(worker)}`] as const];
  });
  return Object.fromEntries(entries);
}

/** When it is called at all. What names nothing that we have is read as the whole of that loop. */
function whenOf(
  { at: { id, role, trigger }, path }: Child,
  all: readonly Child[],
  { type }: Composition,
  at: Translating,
): { readonly when?: string } {
  const outer = all.find((one) => one.at.role === "outer");
  if (trigger === undefined) {
    if (type !== "nested" || role !== "inner" || outer === undefined) return {};
    at.notes.tell("added", path, `team.workers.${workerName(id)}.when`, "where the outer one does not hold");
    return { when: `not ${nameOf(outer.at, at)}.holds` };
  }
  const [, asked, evaluator, end] = /^children\.([^.]+)(?:\.evaluators\.([^.]+))?\.(failed|passed)$/.exec(trigger.trim()) ?? [];
  const other = all.find((one) => one.at.id === asked && one.at.id !== id);
  if (other === undefined) {
    at.notes.tell("lost", [...path, "trigger"], "", "ours is children.ID.evaluators.EVALUATOR.failed, or passed");
    return {};
  }
  const check = evaluator === undefined ? undefined : checkName(evaluator, other.document);
  const isKnown = listOf(other.spec.verifiers).some((one) => fieldsOf(one).id === check);
  at.notes.tell(
    "translated",
    [...path, "trigger"],
    "team.workers",
    check === undefined || isKnown
      ? ""
      : `${asked} has no evaluator ${evaluator}: where the loop itself ${end === "failed" ? "does not hold" : "holds"}`,
  );
  const name = nameOf(other.at, at);
  return { when: `${end === "failed" ? "not " : ""}${name}.${check !== undefined && isKnown ? `${check}.passed` : "holds"}` };
}

const STRATEGIES: { readonly [strategy: string]: "all" | "first" | "vote" } = {
  all_pass: "all",
  first_pass: "first",
  vote: "vote",
  synthesize: "all",
};

function merge(branches: readonly string[], { merge: wish = {} }: Composition, { notes }: Translating): object {
  const { strategy = "synthesize", min_branches_pass, preserve_dissent } = wish;
  const path = ["composition", "merge"];
  const how = Object.hasOwn(STRATEGIES, strategy) ? STRATEGIES[strategy]! : undefined;
  if (how === undefined) notes.tell("lost", [...path, "strategy"], "", `ours are ${Object.keys(STRATEGIES).join(", ")}`);
  else
    notes.tell(
      "translated",
      wish.strategy === undefined ? ["composition"] : [...path, "strategy"],
      `team.joins.${BRANCHES}`,
      how === "all" && strategy !== "all_pass"
        ? "the file's own workers read all branches, and its evaluators judge what they make of them"
        : "",
    );
  if (preserve_dissent === false) notes.tell("tightened", [...path, "preserve_dissent"], "team.joins", "dissent is always kept");
  const usual = Math.min(branches.length, Math.max(2, Math.ceil(branches.length / 2)));
  return { of: branches, how: how ?? "all", least: strategy === "all_pass" ? branches.length : (min_branches_pass ?? usual) };
}
