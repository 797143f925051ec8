// Whether what a spec measures, and the ends it names, speak of things that are there: said when it is read, with the nearest name.
import * as z from "zod";
import { namesForEnds, namesForFeedback, TELEMETRY } from "../contract/measuring.ts";
import { closest } from "../std/closest.ts";
import { readWhen, type WhenNames } from "../std/when.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const Conditions = lenient(z.array(lenient(z.object({ when: lenient(z.string()), metric: lenient(z.string()) }))));

/** Nothing in it can fail on a map: what is wrong with a field is the schema's to say. */
const Outline = z.object({
  verifiers: lenient(z.array(lenient(z.object({ id: lenient(z.string()), use: lenient(z.string()) })))),
  metrics: lenient(z.record(z.string(), lenient(z.object({ from: lenient(z.string()), primary: lenient(z.boolean()) })))),
  feedback: lenient(
    z.array(
      lenient(
        z.object({ from: lenient(z.string()), to: lenient(z.string()), when: lenient(z.string()), tell: lenient(z.array(z.unknown())) }),
      ),
    ),
  ),
  until: lenient(z.object({ success: Conditions, fail: Conditions, stall: Conditions })),
});

export function endsAreSound(value: unknown): readonly Complaint[] {
  const { verifiers = [], metrics = {}, until = {}, feedback = [] } = Outline.safeParse(value).data ?? {};
  const ids = verifiers.map((verifier) => verifier?.id);
  const known = ids.flatMap((id) => id ?? []);
  const holdsOut = verifiers.some((verifier) => verifier?.use === "holdout");
  const names = namesForEnds(Object.keys(metrics), known);
  return [
    ...idsAreUnique(ids),
    ...peopleAreLast(verifiers.map((verifier) => verifier?.use)),
    ...sourcesAreThere(metrics, known),
    ...onePrimary(metrics),
    ...(["success", "fail"] as const).flatMap((family) =>
      (until[family] ?? []).flatMap((one, index) =>
        one?.when === undefined ? [] : whenIsSound(one.when, names, ["until", family, index, "when"]),
      ),
    ),
    ...feedback.flatMap((rule, index) => (rule ? feedbackIsSound(rule, index, { known, metrics: Object.keys(metrics), holdsOut }) : [])),
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

/** Where tests are kept from the maker, what any check says may quote them: only whether it passed may be told. */
function feedbackIsSound(
  { from, to, when, tell = [] }: FeedbackDraft,
  index: number,
  { known, metrics, holdsOut }: { readonly known: readonly string[]; readonly metrics: readonly string[]; readonly holdsOut: boolean },
): readonly Complaint[] {
  return [
    ...(from === undefined ? [] : isNamed(from, known, ["feedback", index, "from"], "verifier with this id")),
    ...(to === undefined ? [] : isNamed(to, ["maker"], ["feedback", index, "to"], "maker or worker")),
    ...(when === undefined ? [] : whenIsSound(when, namesForFeedback(metrics), ["feedback", index, "when"])),
    ...(holdsOut && tell.some((field) => field !== "passed")
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

/** Nobody's time is taken for what a check would have refused. */
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

const sourcesAreThere = (metrics: Drafts, ids: readonly string[]): readonly Complaint[] =>
  Object.entries(metrics).flatMap(([name, metric]) => {
    const from = metric?.from;
    if (from === undefined || Object.hasOwn(TELEMETRY, from) || ids.includes(from.split(".")[0] ?? "")) return [];
    return isNamed(from, [...ids, ...Object.keys(TELEMETRY)], ["metrics", name, "from"], "verifier with this id, nor telemetry,");
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
