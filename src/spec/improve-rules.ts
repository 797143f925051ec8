// Rules about how a loop may change itself: whom it names, what it could be changed to, and what it is measured by.
import * as z from "zod";
import type { Registries } from "../contract/crew.ts";
import { THE_MAKER } from "../contract/improve.ts";
import type { Part } from "../contract/part.ts";
import { KINDS } from "../contract/proposal.ts";
import { closest } from "../std/closest.ts";
import type { Complaint } from "./complaints.ts";
import { type Path, quoted } from "./path.ts";

const lenient = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const Ref = z.object({ use: lenient(z.string()), with: lenient(z.record(z.string(), z.unknown())) });

/** Nothing in it can fail on a map: what is wrong with a field is the schema's to say. */
const Outline = z.object({
  improve: z.object({
    use: lenient(z.string()),
    of: lenient(z.array(z.unknown())),
    space: lenient(z.record(z.string(), lenient(z.array(z.unknown())))),
  }),
  metrics: lenient(z.record(z.string(), z.unknown())),
  maker: lenient(z.union([Ref, z.array(Ref).transform((all) => all[0])])),
  team: lenient(z.object({ workers: lenient(z.record(z.string(), lenient(Ref))) })),
});

export function improveIsSound(value: unknown, { makers, improvers }: Pick<Registries, "makers" | "improvers">): readonly Complaint[] {
  const outline = Outline.safeParse(value).data;
  if (!outline) return [];
  const { improve, metrics, maker, team } = outline;
  const strategy = improvers.find(({ name }) => name === improve.use);
  const workers = team?.workers;
  const changed = new Map(workers ? Object.entries(workers) : [[THE_MAKER, maker]]);
  const ids = [...changed.keys()];
  const of = improve.of?.flatMap((name) => (typeof name === "string" ? [name] : []));
  const known = maker && makers.find(({ name }) => name === maker.use);
  const isReporter = known !== undefined && !KINDS[known.proposes].hasFiles;
  return [
    ...(metrics === undefined
      ? [complain(["improve"], "nothing is measured, so that nobody could say whether a change is better", "Add `metrics`.")]
      : []),
    ...(isReporter && !team ? [complain(["improve"], "its maker writes reports by rule, and has no instructions", "Leave it out.")] : []),
    ...(of ?? []).flatMap((name, index) => (ids.includes(name) ? [] : [unknown(["improve", "of", index], name, ids)])),
    ...spaceFits(strategy?.space, improve.space),
    ...Object.entries(improve.space ?? {}).flatMap(([name, values]) =>
      optionFits(name, values ?? [], { ids: of ?? ids, partOf: (id) => refOf(changed.get(id), makers) }),
    ),
  ];
}

const refOf = (ref: z.infer<typeof Ref> | undefined, makers: Registries["makers"]) => {
  const part = makers.find(({ name }) => name === ref?.use);
  return part && { part, written: ref?.with ?? {} };
};

function spaceFits(wanted: "needed" | "taken" | "refused" | undefined, space: object | undefined): readonly Complaint[] {
  if (wanted === "needed" && space === undefined)
    return [complain(["improve"], "there is nothing to search", "Add `space`, such as {output: [4k, 8k]}.")];
  return wanted === "refused" && space !== undefined
    ? [complain(["improve", "space"], "has a meaning for `search` and `propose` only", "Leave it out.")]
    : [];
}

interface Changeable {
  readonly ids: readonly string[];
  readonly partOf: (id: string) => { readonly part: Part; readonly written: { readonly [option: string]: unknown } } | undefined;
}

/** Each value is tried on the part's own options, so that no round ends on one that it does not take. */
function optionFits(name: string, values: readonly unknown[], { ids, partOf }: Changeable): readonly Complaint[] {
  const path: Path = ["improve", "space", name];
  const [worker = "", option] = name.split(".");
  const targets = option === undefined ? ids : [worker];
  if (option !== undefined && !ids.includes(worker)) return [unknown(path, worker, ids)];
  return targets.flatMap((id) => {
    const found = partOf(id);
    if (!found) return [];
    const { part, written } = found;
    if (!part.options.safeParse(written).success) return [];
    return values.flatMap((value, index) =>
      part.options.safeParse({ ...written, [option ?? name]: value }).success
        ? []
        : [
            complain(
              [...path, index],
              `${quoted(part.name)} does not take ${JSON.stringify(value)} as \`${option ?? name}\``,
              `\`lw parts maker ${part.name}\` says what it takes.`,
            ),
          ],
    );
  });
}

const unknown = (path: Path, name: string, known: readonly string[]): Complaint => {
  const guess = closest(name, known);
  return complain(
    path,
    `there is no ${quoted(name)} that could change`,
    guess ? `Did you mean ${quoted(guess)}?` : `There is: ${known.join(", ")}.`,
  );
};

const complain = (path: Path, problem: string, instead: string): Complaint => ({ path, about: "value", problem, instead });
