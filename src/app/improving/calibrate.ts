// Holds a rubric against examples that people labelled, and writes down how far they agree.
import * as z from "zod";
import type { Calibrated } from "../../contract/calibration.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Sight } from "../../contract/verifier.ts";
import { markExample, rubricHash } from "../../engine/mark-example.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { agreementOf, type Compared, tellAgreement } from "../../scoring/agreement.ts";
import { sha256 } from "../../std/hash.ts";
import { assembleCrew } from "../crew.ts";
import type { House } from "../open-house.ts";
import type { LoadedSpec } from "../runs/load-spec.ts";
import { openRun, policyFor } from "../runs/open-run.ts";

export interface CalibrationView extends Omit<Calibrated, "kind"> {
  readonly loop: string;
}

const MOST_EXAMPLES = 500;
const MOST_TEXT = 200_000;

const Example = z.strictObject({
  text: z.string().trim().min(1).max(MOST_TEXT),
  label: z.union([z.boolean(), z.enum(["yes", "no", "pass", "fail", "good", "bad"])]).optional(),
  marks: z.record(z.string(), z.number()).optional(),
  score: z.number().min(0).max(1).optional(),
});
type Example = z.infer<typeof Example>;

/** Which rubric is meant, and what all of it may cost where that is not the budget of the spec. */
export interface CalibrationWish {
  readonly verifier: string | undefined;
  readonly usd: string | undefined;
}

export async function calibrate(house: House, loaded: LoadedSpec, text: string, wish: CalibrationWish): Promise<CalibrationView> {
  const index = rubricIn(loaded.spec, wish.verifier);
  const ref = loaded.spec.verifiers[index]!;
  const scales = z.record(z.string(), z.object({ scale: z.tuple([z.number(), z.number()]) })).parse(ref.with?.dimensions);
  const examples = readExamples(text, scales);
  const spec: LoopSpec = wish.usd === undefined ? loaded.spec : { ...loaded.spec, budget: { ...loaded.spec.budget, usd: wish.usd } };
  const loop = spec.name;
  const journal = await openRunJournal(house.journal, { loop, run: `${loop}-calibration-${house.world.ids.token()}` });
  const policy = await policyFor(house, loaded);
  const run = await openRun(house, assembleCrew(spec, house.registries), {
    opened: openedOf(house, loaded, spec),
    journal,
    policy,
    watch: () => {},
  });

  const compared: Compared[] = [];
  for (const [number, example] of examples.entries())
    compared.push(comparedWith(example, scales, await markExample(run, index, number + 1, example.text)));

  const agreement = agreementOf(compared);
  const record: Calibrated = {
    kind: "calibrated",
    verifier: ref.id ?? ref.use,
    rubric: rubricHash(ref.with),
    examples: sha256(text),
    agreement,
    says: tellAgreement(agreement),
    costUsd: journal.state.spent.usd,
  };
  await journal.write(record);
  const { kind: _, ...view } = record;
  return { loop, ...view };
}

/** Nothing of it is a run: only what it may use is taken from here. */
const openedOf = ({ version }: House, { path, folder, hash }: LoadedSpec, spec: LoopSpec): RunOpened => ({
  kind: "run-opened",
  number: 0,
  spec,
  specHash: hash,
  specPath: path,
  folder,
  repo: folder,
  base: { ref: "", commit: "" },
  cursors: {},
  version,
});

function rubricIn({ verifiers }: LoopSpec, asked: string | undefined): number {
  const rubrics = verifiers.flatMap(({ use, id }, index) => (use === "rubric" && (asked === undefined || asked === id) ? [index] : []));
  const [first, second] = rubrics;
  if (first === undefined)
    throw refusal(
      asked === undefined ? "the spec has no rubric" : `the spec has no rubric with the id ${asked}`,
      "Name the id of a verifier that uses rubric.",
    );
  if (second !== undefined) throw refusal("the spec has more than one rubric", "Say which with --verifier ID.");
  return first;
}

type Scales = { readonly [dimension: string]: { readonly scale: readonly [number, number] } };

/** All that is wrong with the examples is said before anybody is asked. */
function readExamples(text: string, scales: Scales): readonly Example[] {
  const lines = text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [{ line, at: index + 1 }]));
  if (lines.length === 0 || lines.length > MOST_EXAMPLES)
    throw refusal(`there are ${lines.length} examples, and 1 to ${MOST_EXAMPLES} are needed`, "Write one JSON value a line.");
  const read = lines.map(({ line, at }) => readExample(line, at, scales));
  const wrong = read.flatMap((one) => (typeof one === "string" ? [one] : []));
  if (wrong.length > 0)
    throw refusal(
      `${wrong.length} of the examples cannot be read: ${wrong.slice(0, 5).join("; ")}`,
      'Write {"text": "…", "label": "good"} or {"text": "…", "marks": {"DIMENSION": 3}}, one a line.',
    );
  return read.flatMap((one) => (typeof one === "string" ? [] : [one]));
}

function readExample(line: string, at: number, scales: Scales): Example | string {
  const value = Example.safeParse(asJson(line)).data;
  if (!value) return `line ${at} is none`;
  if (value.label === undefined && value.marks === undefined && value.score === undefined) return `line ${at} has neither label nor marks`;
  const off = Object.entries(value.marks ?? {}).find(([name, mark]) => {
    const scale = Object.hasOwn(scales, name) ? scales[name]?.scale : undefined;
    return !scale || mark < scale[0] || mark > scale[1];
  });
  return off ? `line ${at} marks ${JSON.stringify(off[0])}, which is no dimension, or not on its scale` : value;
}

function asJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // told with its line
  }
}

const YES = ["yes", "pass", "good"];

function comparedWith({ label, marks = {}, score }: Example, scales: Scales, { outcome, measured }: Sight): Compared {
  const scaled = Object.entries(marks).map(([name, mark]) => {
    const [low, high] = scales[name]?.scale ?? [0, 1];
    return [name, (mark - low) / (high - low)] as const;
  });
  const isAnswered = outcome === "holds" || outcome === "refuted";
  return {
    label: label === undefined || typeof label === "boolean" ? label : YES.includes(label),
    marks: { ...Object.fromEntries(scaled), ...(score === undefined ? {} : { score }) },
    said: isAnswered
      ? { holds: outcome === "holds", marks: { ...measured?.values, ...(measured?.score === undefined ? {} : { score: measured.score }) } }
      : undefined,
  };
}

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
