// Rules about conditions of workers, and about workers that are loops: what they are given fits what they take. Said when the spec is read.
import { LOOP_MAKER } from "../contract/calling.ts";
import { InputWish } from "../contract/inputs.ts";
import type { LoopSpec, Team, Worker } from "../contract/spec.ts";
import { calledSpec, sourceOf } from "../contract/team-graph.ts";
import { parseSize } from "../guard/size.ts";
import { closest } from "../std/closest.ts";
import { readWhen, type WhenNames, type WhenType } from "../std/when.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";
import { LONGEST } from "./read-inputs.ts";

type Inputs = NonNullable<LoopSpec["inputs"]>;

export function callsAreSound(team: Team, value: { readonly [key: string]: unknown }): readonly Complaint[] {
  const inputs = inputsIn(value.inputs);
  const verifiers = verifiersIn(value.verifiers);
  return Object.entries(team.workers).flatMap(([id, worker]) => {
    const at: Path = ["team", "workers", id];
    return [
      ...(worker.when === undefined ? [] : whenIsSound(worker.when, namesFor(team, id, inputs, verifiers), [...at, "when"])),
      ...(worker.spec ? loopIsSound(at, id, worker, { team, inputs, isDocument: value.document !== undefined }) : notALoop(at, worker)),
    ];
  });
}

function inputsIn(written: unknown): Inputs {
  if (typeof written !== "object" || written === null) return {};
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, wish]) => {
      const read = InputWish.safeParse(wish).data;
      return read ? [[name, read] as const] : [];
    }),
  );
}

interface Named {
  readonly id: string;
  readonly of: readonly string[];
}

function verifiersIn(written: unknown): readonly Named[] {
  return (Array.isArray(written) ? written : []).flatMap((ref: unknown) => {
    if (typeof ref !== "object" || ref === null || !("id" in ref) || typeof ref.id !== "string") return [];
    const of = "of" in ref && Array.isArray(ref.of) ? ref.of.map(String) : [];
    return [{ id: ref.id, of }];
  });
}

const TYPES: { readonly [type in InputWish["type"]]?: WhenType } = { text: "text", choice: "text", number: "number", boolean: "truth" };

/** What a worker's `when` may speak of: inputs, and what came of the others. */
function namesFor(team: Team, own: string, inputs: Inputs, verifiers: readonly Named[]): WhenNames {
  const others = Object.entries(team.workers).filter(([id]) => id !== own);
  const checks = others.flatMap(([id, worker]) =>
    (
      calledSpec(worker)?.verifiers.flatMap((ref) => ref.id ?? []) ?? verifiers.filter(({ of }) => of.includes(id)).map((ref) => ref.id)
    ).map((check) => `${id}.${check}.passed`),
  );
  return new Map<string, WhenType>([
    ...Object.entries(inputs).flatMap(([name, { type }]) => {
      const asked = TYPES[type];
      return asked ? [[`inputs.${name}`, asked] as const] : [];
    }),
    ...[...others.map(([id]) => `${id}.holds`), ...checks].map((name) => [name, "truth"] as const),
  ]);
}

function whenIsSound(text: string, names: WhenNames, path: Path): readonly Complaint[] {
  const reading = readWhen(text, names);
  if (reading.kind === "read") return [];
  return reading.problems.map(({ at, problem, instead }) => complain(path, `${problem} (at character ${at + 1})`, instead));
}

/** What has a meaning for a loop only. */
function notALoop(at: Path, { use, give, loop }: Worker): readonly Complaint[] {
  if (loop !== undefined) return [];
  return [
    ...(use === LOOP_MAKER ? [complain([...at, "use"], "stands for another loop, and none is named", "Name its file with `loop`.")] : []),
    ...(give === undefined ? [] : [complain([...at, "give"], "has a meaning for a worker that is a loop only", "Use `reads`.")]),
  ];
}

interface Around {
  readonly team: Team;
  readonly inputs: Inputs;
  /** Whether the calling loop makes a document. */
  readonly isDocument: boolean;
}

const OF_WORKERS = ["with", "reads", "tools", "tries"] as const;

function loopIsSound(at: Path, id: string, worker: Worker, around: Around): readonly Complaint[] {
  const spec = calledSpec(worker);
  if (!spec) return [];
  const stray = OF_WORKERS.filter((key) => worker[key] !== undefined);
  const people = spec.verifiers.some(({ use }) => use === "human");
  return [
    ...stray.map((key) => complain([...at, key], "has no meaning for a worker that is a loop", "Its own spec says it; leave it out.")),
    ...(worker.use === LOOP_MAKER ? [] : [complain([...at, "use"], "the worker is a loop, which has makers of its own", "Leave it out.")]),
    ...(id === "referee" ? [complain(at, "a worker that is a loop cannot be called referee", "Give it another name.")] : []),
    ...(people
      ? [
          complain(
            [...at, "loop"],
            "it asks a person while it runs, and nobody would look there",
            "Let the calling loop ask, with `human`.",
          ),
        ]
      : []),
    ...(worker.gives.as === "commit" && around.isDocument
      ? [complain([...at, "loop"], "it changes a repository, and this loop makes a document", "Call it from a loop that proposes changes.")]
      : []),
    ...givenIsSound([...at, "give"], worker, spec, around),
  ];
}

/** Everything that the loop takes and is not given, is given and does not take, or is given as something else. */
function givenIsSound(at: Path, { give = {} }: Worker, { inputs: taken = {} }: LoopSpec, around: Around): readonly Complaint[] {
  const names = Object.keys(taken);
  const missing = Object.entries(taken).filter(([name, wish]) => wish.required && wish.default === undefined && give[name] === undefined);
  return [
    ...missing.map(([name, { about }]) =>
      complain(at, `the loop needs the input ${quoted(name)} (${about})`, `Add \`${name}: inputs.…\`, or a worker.`),
    ),
    ...Object.entries(give).flatMap(([name, from]) => {
      const wish = Object.hasOwn(taken, name) ? taken[name] : undefined;
      if (!wish) return [complain([...at, name], `the loop has no input ${quoted(name)}`, nearest(name, names, "It takes none."))];
      const problem = misfitOf(wish, from, around);
      return problem ? [complain([...at, name], problem.problem, problem.instead)] : [];
    }),
  ];
}

const nearest = (name: string, names: readonly string[], none: string): string => {
  const guess = closest(name, names);
  return guess ? `Did you mean ${quoted(guess)}?` : names.length > 0 ? `There is: ${names.join(", ")}.` : none;
};

type Misfit = { readonly problem: string; readonly instead: string } | undefined;

function misfitOf(wish: InputWish, from: string, { team, inputs }: Around): Misfit {
  const { of, field } = sourceOf(from);
  if (of === "inputs") {
    const given = field !== undefined && Object.hasOwn(inputs, field) ? inputs[field] : undefined;
    return given
      ? inputMisfit(wish, given, from)
      : { problem: `there is no ${quoted(from)}`, instead: nearest(field ?? "", Object.keys(inputs), "This spec declares no inputs.") };
  }
  const worker = Object.hasOwn(team.workers, of) ? team.workers[of] : undefined;
  if (worker) return resultMisfit(wish, worker, of, field);
  if (team.joins && Object.hasOwn(team.joins, of) && field === undefined)
    return wish.type === "text"
      ? undefined
      : { problem: `${of} gives texts, and this is a ${wish.type}`, instead: "Give it something else." };
  const known = [...Object.keys(team.workers), ...Object.keys(team.joins ?? {}), ...Object.keys(inputs).map((name) => `inputs.${name}`)];
  return { problem: `there is no ${quoted(from)}`, instead: nearest(from, known, "There is nothing to give.") };
}

/** An input that is handed on: all that it may be must be what the other may be. */
function inputMisfit(wish: InputWish, given: InputWish, from: string): Misfit {
  const instead = "Declare both alike, or give it something else.";
  const isText = given.type === "text" || (given.type === "choice" && (given.values ?? []).every((value) => typeof value === "string"));
  if (wish.type !== given.type && !(wish.type === "text" && isText))
    return { problem: `${from} is a ${given.type}, and this is a ${wish.type}`, instead };
  if (wish.required && wish.default === undefined && !given.required && given.default === undefined)
    return { problem: `${from} may be left out, and this is required`, instead: "Make it required, or give it a default." };
  if (wish.type === "text" && given.type === "text" && (given.longest ?? LONGEST) > (wish.longest ?? LONGEST))
    return {
      problem: `${from} may have ${given.longest ?? LONGEST} characters, and ${wish.longest ?? LONGEST} are the most here`,
      instead,
    };
  if (wish.type === "choice" && !(given.values ?? []).every((value) => wish.values?.includes(value)))
    return { problem: `${from} may be something else than ${(wish.values ?? []).map(String).join(", ")}`, instead };
  if (isWider(given.least, wish.least, 1) || isWider(given.most, wish.most, -1))
    return { problem: `${from} may be out of the bounds that are set here`, instead };
  return undefined;
}

const isWider = (given: number | undefined, bound: number | undefined, sign: 1 | -1): boolean =>
  bound !== undefined && (given === undefined || given * sign < bound * sign);

/** Fields of a handover, and what they are. */
const HANDOVER: { readonly [field: string]: InputWish["type"] } = {
  goal: "text",
  facts: "list",
  decisions: "list",
  questions: "list",
  artifacts: "list",
};

/** Why a worker does not hold is a text, and every worker has one. */
export const WHY_FIELD = "why";

const JSON_TYPES: { readonly [type: string]: InputWish["type"] } = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  array: "list",
  object: "map",
};

function resultMisfit(wish: InputWish, worker: Worker, of: string, field: string | undefined): Misfit {
  const found = typeOf(worker, field);
  if ("problem" in found) return { problem: `${of} ${found.problem}`, instead: found.instead };
  // A text is itself; a text that reads as a number is one when it is given.
  const fits =
    found.type === undefined || found.type === wish.type || wish.type === "text" || (found.type === "text" && wish.type === "choice");
  if (!fits)
    return {
      problem: `${of}${field ? `.${field}` : ""} is a ${found.type}, and this is a ${wish.type}`,
      instead: "Give it something else.",
    };
  const most = field === undefined && worker.gives.most !== undefined && !worker.spec ? parseSize(worker.gives.most) : undefined;
  if (wish.type === "text" && wish.longest !== undefined && most !== undefined && most > wish.longest)
    return {
      problem: `${of} may give ${worker.gives.most}, and ${wish.longest} characters are the most here`,
      instead: "Lower its `gives.most`.",
    };
  return undefined;
}

type Found = { readonly type: InputWish["type"] | undefined } | { readonly problem: string; readonly instead: string };

function typeOf({ gives, spec }: Worker, field: string | undefined): Found {
  if (field === WHY_FIELD) return { type: "text" };
  const parts = spec ? (calledSpec({ spec })?.team?.proposes ?? []) : [];
  if (field === undefined) return { type: gives.as === "json" ? JSON_TYPES[String(gives.schema?.type)] : "text" };
  if (spec) {
    if (parts.includes(field)) return { type: "text" };
    return { problem: `proposes nothing called ${quoted(field)}`, instead: nearest(field, [...parts, WHY_FIELD], "") };
  }
  if (gives.as === "handover") {
    const type = Object.hasOwn(HANDOVER, field) ? HANDOVER[field] : undefined;
    return type
      ? { type }
      : { problem: `hands over no ${quoted(field)}`, instead: nearest(field, [...Object.keys(HANDOVER), WHY_FIELD], "") };
  }
  if (gives.as !== "json") return { problem: `gives no fields, but ${gives.as}`, instead: "Give the whole of it, or let it give json." };
  const properties = gives.schema?.properties;
  if (typeof properties !== "object" || properties === null) return { type: undefined };
  const shape: unknown = Object.hasOwn(properties, field) ? Reflect.get(properties, field) : undefined;
  if (shape === undefined)
    return { problem: `gives no ${quoted(field)} by its schema`, instead: nearest(field, [...Object.keys(properties), WHY_FIELD], "") };
  return { type: typeof shape === "object" && shape !== null && "type" in shape ? JSON_TYPES[String(shape.type)] : undefined };
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
