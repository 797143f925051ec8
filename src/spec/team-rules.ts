// Rules about teams: names that lead nowhere, circles, parts and tools that do not fit. All of it is said when the spec is read.
import type * as z from "zod";
import { LOOP_MAKER } from "../contract/calling.ts";
import type { Registries } from "../contract/crew.ts";
import { KINDS } from "../contract/proposal.ts";
import { Team, type Worker } from "../contract/spec.ts";
import { circleIn, fileOf, gatedTeam } from "../contract/team-graph.ts";
import { closest } from "../std/closest.ts";
import { globProblem } from "../std/glob.ts";
import { shapeProblem } from "../std/json-shape.ts";
import { callsAreSound } from "./calling-rules.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";
import { draftVerifiers } from "./team-checks-rules.ts";

const MAKER = "team";

const isMap = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a spec with a team need not say: who makes, and that it makes a document where none of those it proposes gives a commit. */
export function filledIn(value: unknown): unknown {
  if (!isMap(value) || !isMap(value.team)) return value;
  const { workers, proposes } = value.team;
  const gives = (Array.isArray(proposes) ? proposes : []).map((id) => {
    const worker: unknown = isMap(workers) && typeof id === "string" && Object.hasOwn(workers, id) ? workers[id] : undefined;
    return isMap(worker) && isMap(worker.gives) ? worker.gives.as : undefined;
  });
  const isDocument = gives.length > 0 && !gives.includes("commit");
  return {
    ...value,
    ...("maker" in value ? {} : { maker: { use: MAKER } }),
    ...("document" in value || !isDocument ? {} : { document: {} }),
  };
}

/** The parts that workers name, whatever else is wrong with them. */
export function workersIn(value: unknown): readonly unknown[] {
  const workers = isMap(value) && isMap(value.team) ? value.team.workers : undefined;
  return isMap(workers) ? Object.values(workers) : [];
}

export function teamIsSound(value: unknown, registries: Pick<Registries, "makers">): readonly Complaint[] {
  if (!isMap(value)) return [];
  const maker = isMap(value.maker) ? value.maker.use : undefined;
  if (maker === LOOP_MAKER) return [complain(["maker", "use"], "stands for a worker that is a loop", "Use another maker, or a `team`.")];
  if (value.team === undefined)
    return maker === MAKER ? [complain(["maker", "use"], "there is no `team` in this spec", "Add one, or use another maker.")] : [];
  const stray =
    maker === MAKER
      ? []
      : [complain(["maker"], "the spec has a `team` as well, and only one of them can make it", "Leave one of them out.")];
  const team = Team.safeParse(value.team).data;
  if (!team) return stray;
  const circle = circleIn(gatedTeam(team, draftVerifiers(value)));
  return [
    ...stray,
    ...namesAreKnown(team, value),
    ...(circle ? [complain(["team", "workers"], `${circle.join(" waits for ")}: none of them could ever begin`, "Break the circle.")] : []),
    ...Object.entries(team.workers).flatMap(([id, worker]) => workerIsSound(id, worker, team, registries)),
    ...joinsAreSound(team),
    ...proposesOneKind(team, value),
    ...callsAreSound(team, value),
  ];
}

function namesAreKnown(team: Team, value: { readonly [key: string]: unknown }): readonly Complaint[] {
  const known = [...Object.keys(team.workers), ...Object.keys(team.joins ?? {})];
  const inputs = isMap(value.inputs) ? Object.keys(value.inputs).map((name) => `inputs.${name}`) : [];
  const twice = Object.keys(team.joins ?? {}).filter((id) => Object.hasOwn(team.workers, id));
  const unknown = (path: Path, written: readonly string[], allowed: readonly string[]): readonly Complaint[] =>
    written.flatMap((name, index) => {
      if (allowed.includes(name)) return [];
      const guess = closest(name, allowed);
      return [
        complain(
          [...path, index],
          `there is no ${quoted(name)}`,
          guess ? `Did you mean ${quoted(guess)}?` : `There is: ${allowed.join(", ")}.`,
        ),
      ];
    });
  return [
    ...twice.map((id) => complain(["team", "joins", id], "a worker has the same name", "Give it another one.")),
    ...Object.entries(team.workers).flatMap(([id, { reads = [], after = [], onto = [] }]) => [
      ...unknown(["team", "workers", id, "reads"], reads, [...known.filter((name) => name !== id), ...inputs, ...keptNames(value), "repo"]),
      ...unknown(
        ["team", "workers", id, "after"],
        after,
        known.filter((name) => name !== id),
      ),
      ...unknown(
        ["team", "workers", id, "onto"],
        onto,
        Object.keys(team.workers).filter((name) => name !== id),
      ),
    ]),
    ...Object.entries(team.joins ?? {}).flatMap(([id, { of, by }]) => [
      ...unknown(["team", "joins", id, "of"], of, Object.keys(team.workers)),
      ...(by === undefined || Object.hasOwn(team.workers, by)
        ? []
        : [
            complain(["team", "joins", id, "by"], `there is no worker ${quoted(by)}`, `There is: ${Object.keys(team.workers).join(", ")}.`),
          ]),
    ]),
    ...unknown(["team", "proposes"], team.proposes, known),
  ];
}

const keptNames = ({ notebook }: { readonly [key: string]: unknown }): readonly string[] =>
  isMap(notebook) && isMap(notebook.keys) ? Object.keys(notebook.keys).map((name) => `notes.${name}`) : [];

function workerIsSound(id: string, worker: Worker, team: Team, { makers }: Pick<Registries, "makers">): readonly Complaint[] {
  const at: Path = ["team", "workers", id];
  const part = makers.find(({ name }) => name === worker.use);
  const usable = makers
    .filter(({ name, proposes }) => name !== MAKER && name !== LOOP_MAKER && KINDS[proposes].hasFiles)
    .map(({ name }) => name);
  if (!part || (!usable.includes(part.name) && worker.loop === undefined))
    return [complain([...at, "use"], `no maker of files is called ${quoted(worker.use)}`, `Write one of: ${usable.join(", ")}.`)];
  const options = part.options.safeParse(worker.with ?? {});
  const isCommit = worker.gives.as === "commit";
  const shape = worker.gives.schema === undefined ? undefined : shapeProblem(worker.gives.schema);
  const ofText = (worker.onto ?? []).filter((other) => team.workers[other] && team.workers[other]?.gives.as !== "commit");
  return [
    ...(options.error?.issues ?? []).map((issue) =>
      complain(
        [...at, "with", ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))],
        plainly(issue),
        `\`lw parts maker ${part.name}\` says what it takes.`,
      ),
    ),
    ...(worker.tools && !part.keepsToTools
      ? [
          complain(
            [...at, "tools"],
            `${quoted(part.name)} cannot be kept to a list of tools`,
            `Leave it out, or use one of: ${makers
              .filter(({ keepsToTools }) => keepsToTools)
              .map(({ name }) => name)
              .join(", ")}.`,
          ),
        ]
      : []),
    ...(worker.tools && isCommit && !worker.tools.some((tool) => ["write", "patch", "run", "move", "delete"].includes(tool))
      ? [complain([...at, "tools"], "it gives a commit, and has no tool that changes anything", "Give it write or patch.")]
      : []),
    ...(!isCommit && worker.paths
      ? [complain([...at, "paths"], "has a meaning for a worker that gives a commit only", "Leave it out.")]
      : []),
    ...(!isCommit && worker.onto
      ? [complain([...at, "onto"], "has a meaning for a worker that gives a commit only", "Read their results instead.")]
      : []),
    ...ofText.map((other) => complain([...at, "onto"], `${other} gives no commit`, "Name workers that do.")),
    ...(worker.gives.schema && worker.gives.as !== "json"
      ? [complain([...at, "gives", "schema"], "has a meaning for json only", "Leave it out.")]
      : []),
    ...(shape === undefined ? [] : [complain([...at, "gives", "schema"], shape, "Write a smaller schema.")]),
    ...(worker.paths ?? []).flatMap((glob, index) => {
      const problem = globProblem(glob);
      return problem === undefined ? [] : [complain([...at, "paths", index], `this glob ${problem}`, "Write e.g. src/**.")];
    }),
  ];
}

const plainly = ({ code, message }: z.core.$ZodIssue): string =>
  code === "unrecognized_keys" ? "has a key that it does not take" : message || "is not allowed here";

function joinsAreSound(team: Team): readonly Complaint[] {
  return Object.entries(team.joins ?? {}).flatMap(([id, { of, how, by, least }]) => {
    const at: Path = ["team", "joins", id];
    const commits = of.filter((member) => team.workers[member]?.gives.as === "commit");
    return [
      ...(how === "synthesis" && by === undefined ? [complain(at, "a synthesis needs somebody who makes it", "Add `by: WORKER`.")] : []),
      ...(how !== "synthesis" && by !== undefined ? [complain([...at, "by"], "has a meaning for a synthesis only", "Leave it out.")] : []),
      ...(least !== undefined && least > of.length
        ? [complain([...at, "least"], `is more than the ${of.length} that it is of`, `Write ${of.length} or less.`)]
        : []),
      ...(commits.length > 0
        ? [
            complain(
              [...at, "of"],
              `${commits.join(", ")} give commits, which come together by \`onto\` and \`proposes\``,
              "Leave them out.",
            ),
          ]
        : []),
    ];
  });
}

function proposesOneKind(team: Team, value: { readonly [key: string]: unknown }): readonly Complaint[] {
  const gives = team.proposes.map((id) => team.workers[id]?.gives.as).filter((as) => as !== undefined);
  const commits = gives.filter((as) => as === "commit").length;
  if (commits > 0 && (commits < team.proposes.length || value.document !== undefined))
    return [complain(["team", "proposes"], "some give a commit and some do not", "Propose changes or a document; let the others be read.")];
  const files = team.proposes.flatMap((id) => (team.workers[id] ? [fileOf(id, team.workers[id])] : []));
  const meeting =
    commits === 0 ? files.find((file, index) => files.some((other, at) => at < index && cannotBothLie(file, other))) : undefined;
  return meeting === undefined
    ? []
    : [complain(["team", "proposes"], `two of them write ${quoted(meeting)}`, "Give one of them another `gives.file`.")];
}

/** They are one file, on some disks at least, or one is a folder of the other. */
function cannotBothLie(file: string, other: string): boolean {
  const [one, two] = [file, other].map((name) => `${name.normalize("NFC").toLowerCase()}/`) as [string, string]; // of two there are two
  return one.startsWith(two) || two.startsWith(one);
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
