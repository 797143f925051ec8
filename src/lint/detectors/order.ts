// Detectors of who works for nobody, who is checked too early, and who writes where another does.
import { nodesOf } from "../../contract/anatomy.ts";
import type { Team, Worker } from "../../contract/spec.ts";
import { waitsFor } from "../../contract/team-graph.ts";
import type { Entry, Sketch } from "../../dialects/lss/sketch.ts";
import { fieldsOf, listOf, textOf, textsAt } from "../../dialects/values.ts";
import { quoted } from "../../spec/path.ts";
import { type Detector, type Flaw, ofLss } from "../detector.ts";

const model = { provider: "openai", name: "gpt-4.1-mini", temperature: 0.2 };
const made = (id: string, from: string, change: object = {}) => ({
  id,
  role: `Do what ${id} does with what it is given.`,
  model,
  inputs: [{ from }],
  outputs: { name: id, format: "text" },
  ...change,
});
const checked = (runsAfter: readonly string[]) => [
  {
    id: "quality",
    type: "llm_rubric",
    runs_after: runsAfter,
    rubric: { dimensions: [{ name: "right", weight: 1, scale: [0, 1], criteria: "Every claim has a source." }], pass_threshold: 0.8 },
    model: { provider: "openai", name: "gpt-4.1", temperature: 0 },
  },
];
const channels = [{ id: "back", source: "evaluators.quality", destination: "workers.writer", format: "structured" }];
const two = (runsAfter: readonly string[], second: object = {}) => ({
  lss: {
    workers: [made("writer", "inputs.task"), made("patcher", "workers.writer", second)],
    evaluators: checked(runsAfter),
    feedback_channels: channels,
  },
});

const text = { role: "Write a page about the topic.", use: "shell", with: { run: "./write" }, gives: { as: "markdown" } };
const commit = (change: object = {}) => ({
  role: "Change the sources.",
  use: "shell",
  with: { run: "./change" },
  gives: { as: "commit" },
  ...change,
});
const ours = (workers: object, proposes: readonly string[], besides: object = {}) => ({
  ours: { maker: undefined, team: { workers, proposes, ...besides } },
});

export const orderDetectors: readonly Detector[] = [
  {
    id: "idle-maker",
    failure: "F1",
    weight: "error",
    why: "Nobody in it does anything that could bring its goal nearer.",
    find: (subject) => {
      const makers = nodesOf(subject.anatomy, "maker");
      const isAll = makers.every(({ idle }) => idle !== undefined);
      return makers.flatMap((maker): readonly Flaw[] =>
        maker.idle === undefined
          ? []
          : [
              {
                path: subject.pathOf(maker),
                problem: `${quoted(maker.name)} changes nothing: ${maker.idle}`,
                instead: subject.lss
                  ? "Say in its role what it does with what it is given."
                  : "Let it run something that changes the target.",
                ...(isAll ? {} : { weight: "warning" }),
              },
            ],
      );
    },
    examples: {
      flags: [
        { ours: { maker: { use: "shell", with: { run: "true" } } } },
        { lss: { workers: [{ ...made("writer", "inputs.task"), role: "a rock" }] } },
        { lss: { workers: [{ ...made("writer", "inputs.task"), role: "Echo the input." }] } },
      ],
      passes: [{ ours: {} }, { lss: {} }],
    },
  },
  {
    id: "checked-too-early",
    failure: "F5",
    weight: "error",
    why: "A check that runs before the work is done says nothing about it.",
    find: ofLss((sketch) => {
      const covered = coveredWorkers(sketch);
      return sketch.evaluators.flatMap(({ name, path, fields }): readonly Flaw[] => {
        const after = textsAt(fields.runs_after, []).map(({ text: id }) => id);
        if (after.length === 0 || after.includes("*")) return [];
        const later = sketch.workers.filter(
          (entry) => entry.name !== undefined && !covered.has(entry.name) && reachesFrom(sketch, after, entry.name),
        );
        return later.length === 0
          ? []
          : [
              {
                path: [...path, "runs_after"],
                problem: `${quoted(name ?? "it")} runs before ${later.map((entry) => quoted(entry.name ?? "")).join(", ")}, whose result nobody checks`,
                instead: `Let it run after ${quoted(later.at(-1)?.name ?? "")}, or after "*".`,
              },
            ];
      });
    }),
    examples: { flags: [two(["writer"])], passes: [two(["patcher"]), two(["*"]), two(["writer", "patcher"])] },
  },
  {
    id: "works-for-nobody",
    failure: "F10",
    weight: "warning",
    why: "What it makes is read by nobody, checked by nobody and proposed by nobody.",
    find: (subject) => [
      ...(subject.ours?.spec.team ? unreadWorkers(subject.ours.spec.team) : []),
      ...(subject.lss ? unreadEntries(subject.lss) : []),
    ],
    examples: {
      flags: [
        ours({ writer: text, lost: text }, ["writer"]),
        {
          lss: {
            workers: [made("writer", "inputs.task"), made("lost", "inputs.task")],
            evaluators: checked(["writer"]),
            feedback_channels: channels,
          },
        },
      ],
      passes: [ours({ writer: { ...text, reads: ["finder"] }, finder: text }, ["writer"]), two(["patcher"])],
    },
  },
  {
    id: "same-writers",
    failure: "F9",
    weight: "warning",
    why: "Two who change the same without knowing of each other undo or contradict each other.",
    find: (subject) => [
      ...(subject.ours?.spec.team ? overlappingWriters(subject.ours.spec.team) : []),
      ...(subject.lss ? freeMemory(subject.lss) : []),
    ],
    examples: {
      flags: [
        ours({ core: commit(), page: commit() }, ["core", "page"]),
        ours({ core: commit({ paths: ["src/**"] }), page: commit({ paths: ["src/web/**"] }) }, ["core", "page"]),
        {
          lss: {
            ...two(["patcher"]).lss,
            memory: { type: "persistent", backend: "redis", write_policy: { allowed_writers: ["writer", "patcher"] } },
          },
        },
        { lss: { ...two(["patcher"]).lss, memory: { type: "persistent", backend: "redis" } } },
      ],
      passes: [
        ours({ core: commit({ paths: ["src/**"] }), page: commit({ paths: ["web/**"] }) }, ["core", "page"]),
        ours({ core: commit(), page: commit({ onto: ["core"] }) }, ["core", "page"]),
        { lss: { memory: { type: "persistent", backend: "redis", write_policy: { allowed_writers: ["writer"] } } } },
      ],
    },
  },
  {
    id: "waits-without-end",
    failure: "F10",
    weight: "note",
    why: "Others wait for a worker that may take for ever.",
    find: ofLss(({ root, workers }) => {
      const ends = fieldsOf(root.termination_conditions);
      const isTimed = listOf(ends.failure).some((end) => fieldsOf(end).type === "timeout" && fieldsOf(end).value !== undefined);
      const waited = new Set(workers.flatMap((entry) => beforeOf(entry)));
      if (isTimed) return [];
      return workers
        .filter(({ name, fields }) => name !== undefined && waited.has(name) && fields.timeout_seconds === undefined)
        .map(({ name, path }) => ({
          path,
          problem: `others wait for ${quoted(name ?? "")}, and nothing says how long it may take`,
          instead: "Add `timeout_seconds`, or a `failure` of type timeout.",
        }));
    }),
    examples: { flags: [two(["patcher"])], passes: [{ lss: {} }] },
  },
];

/** Those that a worker of the standard waits for or reads. */
const beforeOf = ({ fields }: Entry): readonly string[] => [
  ...textsAt(fields.depends_on, []).map(({ text: id }) => id),
  ...listOf(fields.inputs).flatMap((input) => /^workers\.([^.]+)/.exec(textOf(fieldsOf(input).from) ?? "")?.[1] ?? []),
];

/** Everybody that some evaluator runs after, and all that those build on. */
function coveredWorkers({ workers, evaluators }: Sketch): ReadonlySet<string> {
  const before = new Map(workers.map((entry) => [entry.name ?? "", beforeOf(entry)]));
  const after = evaluators.flatMap(({ fields }) => textsAt(fields.runs_after, []).map(({ text: id }) => id));
  return closure(after.includes("*") ? [...before.keys()] : after, before);
}

/** Whether a worker builds on one of these. */
const reachesFrom = ({ workers }: Sketch, from: readonly string[], to: string): boolean => {
  const before = new Map(workers.map((entry) => [entry.name ?? "", beforeOf(entry)]));
  const all = closure([to], before);
  return from.some((id) => id !== to && all.has(id));
};

function closure(start: readonly string[], next: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const left = [...start];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    left.push(...(next.get(id) ?? []));
  }
  return seen;
}

function unreadWorkers(team: Team): readonly Flaw[] {
  const used = new Set<string>();
  const left = [...team.proposes];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (used.has(id)) continue;
    used.add(id);
    left.push(...waitsFor(team, id));
  }
  return Object.keys(team.workers)
    .filter((id) => !used.has(id))
    .map((id) => ({
      path: ["team", "workers", id],
      problem: `nobody reads what ${quoted(id)} makes, and it is not proposed`,
      instead: "Let somebody read it, name it in `proposes`, or leave it out.",
    }));
}

function unreadEntries(sketch: Sketch): readonly Flaw[] {
  if (sketch.children.length > 0) return [];
  const covered = coveredWorkers(sketch);
  const heard = new Set(sketch.channels.flatMap(({ fields }) => /^workers\.(.+)$/.exec(textOf(fields.source) ?? "")?.[1] ?? []));
  const built = new Set(sketch.workers.flatMap(beforeOf));
  // Whoever builds on something that is checked was checked too early, which is said there.
  const early = (id: string): boolean => [...covered].some((other) => other !== id && reachesFrom(sketch, [other], id));
  return sketch.workers.flatMap(({ name, path }): readonly Flaw[] =>
    name === undefined || covered.has(name) || heard.has(name) || built.has(name) || early(name)
      ? []
      : [
          {
            path,
            problem: `nobody reads or checks what ${quoted(name)} makes`,
            instead: "Let an evaluator run after it, or leave it out.",
          },
        ],
  );
}

function overlappingWriters({ workers }: Team): readonly Flaw[] {
  const writers = Object.entries(workers).filter(([, { gives }]) => gives.as === "commit");
  return writers.flatMap(([id, one], index) =>
    writers
      .slice(index + 1)
      .filter(([other, two]) => !(one.onto ?? []).includes(other) && !(two.onto ?? []).includes(id) && overlaps(one, two))
      .map(
        ([other]): Flaw => ({
          path: ["team", "workers", other],
          problem: `${quoted(other)} and ${quoted(id)} may change the same files, each without knowing of the other`,
          instead: "Give each `paths` of its own, or let one work `onto` the other.",
        }),
      ),
  );
}

/** What a glob surely begins with. */
const stemOf = (glob: string): string => /^[^*?[{]*/.exec(glob)?.[0] ?? "";

const overlaps = (one: Worker, two: Worker): boolean => {
  if (one.paths === undefined || two.paths === undefined) return true;
  return one.paths.some((glob) =>
    two.paths?.some((other) => stemOf(glob).startsWith(stemOf(other)) || stemOf(other).startsWith(stemOf(glob))),
  );
};

function freeMemory({ root, workers }: Sketch): readonly Flaw[] {
  const memory = fieldsOf(root.memory);
  if (memory.type !== "persistent") return [];
  const writers = textsAt(fieldsOf(memory.write_policy).allowed_writers, []);
  const isHeld = fieldsOf(memory.write_policy).allowed_writers !== undefined && !writers.some(({ text: id }) => id === "*");
  const count = isHeld ? writers.length : workers.length;
  if (count < 2) return [];
  return [
    {
      path: isHeld ? ["memory", "write_policy", "allowed_writers"] : ["memory"],
      problem: `${count} workers write what stays for later runs, and nothing says whose word counts`,
      instead: "Name one writer in `write_policy.allowed_writers`.",
    },
  ];
}
