// Whether what a spec measures, and the ends it names, speak of things that are there: said when it is read, with the nearest name.
import * as z from "zod";
import { namesForEnds, namesForFeedback, TELEMETRY } from "../contract/measuring.ts";
import type { Worker } from "../contract/spec.ts";
import { closest } from "../std/closest.ts";
import { readWhen, type WhenNames } from "../std/when.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";
import { draftWorkers, tellIsSound, workerSourceIsSound } from "./team-checks-rules.ts";

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const Conditions = lenient(z.array(lenient(z.object({ when: lenient(z.string()), metric: lenient(z.string()) }))));

/** Nothing in it can fail on a map: what is wrong with a field is the schema's to say. */
const Outline = z.object({
  verifiers: lenient(z.array(lenient(z.object({ id: lenient(z.string()), use: lenient(z.string()), before: z.unknown().optional() })))),
  metrics: lenient(z.record(z.string(), lenient(z.object({ from: lenient(z.string()), primary: lenient(z.boolean()) })))),
  feedback: lenient(
    z.array(
      lenient(
        z.object({ from: lenient(z.string()), to: lenient(z.string()), when: lenient(z.string()), tell: lenient(z.array(z.unknown())) }),
      ),
    ),
  ),
  improve: z.unknown().optional(),
  until: lenient(z.object({ success: Conditions, fail: Conditions, stall: Conditions })),
});

export function endsAreSound(value: unknown): readonly Complaint[] {
  const { verifiers = [], metrics = {}, until = {}, feedback = [], improve } = Outline.safeParse(value).data ?? {};
  const ids = verifiers.map((verifier) => verifier?.id);
  const known = ids.flatMap((id) => id ?? []);
  const holdsOut = verifiers.some((verifier) => verifier?.use === "holdout");
  const workers = draftWorkers(value);
  const names = namesForEnds(Object.keys(metrics), known);
  return [
    ...idsAreUnique(ids),
    ...peopleAreLast(verifiers.map((verifier) => (verifier?.before === undefined ? verifier?.use : undefined))),
    ...sourcesAreThere(metrics, known, workers),
    ...onePrimary(metrics),
    ...(["success", "fail"] as const).flatMap((family) =>
      (until[family] ?? []).flatMap((one, index) =>
        one?.when === undefined ? [] : whenIsSound(one.when, names, ["until", family, index, "when"]),
      ),
    ),
    ...feedback.flatMap((rule, index) =>
      rule
        ? feedbackIsSound(rule, index, { known, metrics: Object.keys(metrics), holdsOut, workers, improves: improve !== undefined })
        : [],
    ),
    ...(until.stall ?? []).flatMap((one, index) =>
      one?.metric === undefined ? [] : isNamed(one.metric, Object.keys(metrics), ["until", "stall", index, "metric"], "metric"),
    ),
  ];
}

interface FeedbackDraft {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly when?: string | undefined;
  readonly tell?: readonly unknown[] | undefined;
}

interface Speakers {
  /** Ids of verifiers. */
  readonly known: readonly string[];
  readonly metrics: readonly string[];
  readonly holdsOut: boolean;
  readonly workers: { readonly [id: string]: Worker };
  /** Whether the loop may change its own instructions: then that hears something too. */
  readonly improves: boolean;
}

/** Where tests are kept from the maker, what any check says may quote them: only whether it passed may be told. */
function feedbackIsSound(
  { from, to, when, tell = [] }: FeedbackDraft,
  index: number,
  { known, metrics, holdsOut, workers, improves }: Speakers,
): readonly Complaint[] {
  const at: Path = ["feedback", index];
  const ids = Object.keys(workers);
  const worker = from !== undefined && Object.hasOwn(workers, from) ? workers[from] : undefined;
  return [
    ...(from === undefined ? [] : isNamed(from, [...known, ...ids], [...at, "from"], "verifier or worker with this id")),
    ...(to === undefined
      ? []
      : isNamed(to, [...(ids.length > 0 ? ids : ["maker"]), ...(improves ? ["improve"] : [])], [...at, "to"], "maker or worker")),
    ...(worker && to === undefined ? [complain(at, "nobody is named who hears what this worker says", "Add `to: WORKER`.")] : []),
    ...(when === undefined ? [] : whenIsSound(when, namesForFeedback(metrics, worker ? "worker" : "verifier"), [...at, "when"])),
    ...tellIsSound(tell, worker, [...at, "tell"]),
    ...(holdsOut && !worker && tell.some((field) => field !== "passed")
      ? [
          complain(
            ["feedback", index, "tell"],
            "a check of this loop is kept from the maker, and what others say may quote it",
            "Write [passed], or leave `feedback` out.",
          ),
        ]
      : []),
  ];
}

/** Nobody's time is taken for what a check would have refused. Who holds others back is asked before there is a proposal. */
const peopleAreLast = (uses: readonly (string | undefined)[]): readonly Complaint[] =>
  uses.flatMap((use, index) =>
    use === "human" && uses.slice(index + 1).some((other) => other !== "human")
      ? [complain(["verifiers", index, "use"], "people are asked last", "Put `human` behind all other verifiers.")]
      : [],
  );

const idsAreUnique = (ids: readonly (string | undefined)[]): readonly Complaint[] =>
  ids.flatMap((id, index) =>
    id !== undefined && ids.indexOf(id) < index
      ? [complain(["verifiers", index, "id"], `${quoted(id)} is the id of another verifier too`, "Give each an id of its own.")]
      : [],
  );

type Drafts = { readonly [name: string]: { readonly from?: string | undefined; readonly primary?: boolean | undefined } | undefined };

const sourcesAreThere = (metrics: Drafts, ids: readonly string[], workers: Speakers["workers"]): readonly Complaint[] =>
  Object.entries(metrics).flatMap(([name, metric]) => {
    const from = metric?.from;
    const [id = "", ...field] = (from ?? "").split(".");
    if (from === undefined || Object.hasOwn(TELEMETRY, from) || ids.includes(id)) return [];
    const path: Path = ["metrics", name, "from"];
    const worker = Object.hasOwn(workers, id) ? workers[id] : undefined;
    if (worker) return workerSourceIsSound(worker, field.join("."), path);
    return isNamed(
      from,
      [...ids, ...Object.keys(workers), ...Object.keys(TELEMETRY)],
      path,
      "verifier or worker with this id, nor telemetry,",
    );
  });

function onePrimary(metrics: Drafts): readonly Complaint[] {
  const names = Object.keys(metrics);
  const primary = names.filter((name) => metrics[name]?.primary === true);
  if (primary.length > 1)
    return [
      complain(
        ["metrics", primary[1] ?? "", "primary"],
        `${quoted(primary[0] ?? "")} is primary already`,
        "Rounds are compared by one metric.",
      ),
    ];
  if (names.length > 1 && primary.length === 0)
    return [
      complain(
        ["metrics"],
        "none of these is primary, so that nobody can say which round is the best",
        "Write `primary: true` at one of them.",
      ),
    ];
  return [];
}

/** Each problem with its place in the condition. */
export function whenIsSound(when: string, names: WhenNames, path: Path): readonly Complaint[] {
  const reading = readWhen(when, names);
  if (reading.kind === "read") return [];
  return reading.problems.map(({ at, problem, instead }) => complain(path, `at character ${at + 1} of the condition, ${problem}`, instead));
}

function isNamed(name: string, known: readonly string[], path: Path, what: string): readonly Complaint[] {
  if (known.includes(name)) return [];
  const guess = closest(name, known);
  const list = known.length === 0 ? "There are none." : `There is: ${known.join(", ")}.`;
  return [
    complain(path, `there is no ${what} called ${quoted(name)}`, guess === undefined ? list : `Did you mean ${quoted(guess)}? ${list}`),
  ];
}

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
