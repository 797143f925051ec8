// Puts a sound document of the Loop Specification Standard into our words, and says what became of every part of it.
import type { NativeSurface } from "../native-surface.ts";
import { createNotes, type PlaceOf } from "../notes.ts";
import type { Bindings, Shelf, SpecValue } from "../translation.ts";
import { fieldsOf, textOf } from "../values.ts";
import type { LssDocument } from "./document.ts";
import { translateBudget } from "./translate-budget.ts";
import { translateChecks } from "./translate-checks.ts";
import { translateEnds } from "./translate-ends.ts";
import { constraintChecks, translateGuards } from "./translate-guards.ts";
import { translateInputs } from "./translate-inputs.ts";
import { translateMemory } from "./translate-memory.ts";
import { translateWorkers } from "./translate-workers.ts";
import type { Translated, Translating } from "./translating.ts";

export function translateLss(
  document: LssDocument,
  bindings: Bindings,
  native: NativeSurface,
  placeOf: PlaceOf,
  shelf: Shelf,
  prefix = "",
): Translated {
  const notes = createNotes(placeOf);
  for (const name of settable(document)) bindings.set.has(name);
  const called = new Map<string, SpecValue>();
  const child: Translating["child"] = (inner, about) => {
    // What is composed is put together by the file's own workers, and is no commit before that.
    const own = { ...bindings, commits: false };
    const translated = translateLss(inner, own, native, about.placeOf, about.shelf, about.file.replace(/loop\.yaml$/, ""));
    if (translated.spec !== undefined) called.set(about.file, translated.spec);
    for (const [file, spec] of translated.called) called.set(file, spec);
    return translated;
  };
  const at: Translating = { document, bindings, native, notes, shelf, prefix, child };
  const work = translateWorkers(at);
  const checks = translateChecks(at);
  const spec = {
    name: nameOf(at),
    intent: intentOf(at),
    level: "L2",
    ...(work?.task === undefined ? {} : { task: work.task }),
    ...translateInputs(at),
    ...(work?.spec ?? {}),
    ...(checks === undefined ? {} : { verifiers: [...constraintChecks(at), ...checks] }),
    ...translateEnds(at, idsOf(checks)),
    ...translateMemory(at),
    ...translateGuards(at),
    ...translateBudget(at),
  };
  notes.tell(
    "added",
    ["loop_name"],
    "level",
    "L2: it proposes, and a person decides; metadata.taxonomy_level says how it thinks, not how far it may go",
  );
  inertParts(at);
  const isStuck = work === undefined || checks === undefined || notes.fates.some(({ kind }) => kind === "asked");
  return { spec: isStuck ? undefined : spec, fates: notes.fates, called };
}

/** What may be said of a document whether or not it is needed, so that one line of answers does for many files. */
const settable = ({ workers }: LssDocument): readonly string[] => [
  "ids",
  "merge.strategy",
  "memory.schema",
  ...workers.flatMap(({ id }) => [`${id}.gives`, `${id}.schema`]),
];

/** The verifiers that other parts of the spec may speak of. */
const idsOf = (checks: readonly object[] = []): ReadonlySet<string> => new Set(checks.flatMap((check) => textOf(fieldsOf(check).id) ?? []));

const LONGEST_NAME = 49;
const LONGEST_INTENT = 300;

function nameOf({ document, notes }: Translating): string {
  const { loop_name } = document;
  const name = loop_name.slice(0, LONGEST_NAME).replace(/-+$/, "");
  notes.tell(
    name === loop_name ? "translated" : "tightened",
    ["loop_name"],
    "name",
    name === loop_name ? "" : `cut to ${LONGEST_NAME} characters`,
  );
  return name;
}

function intentOf({ document, notes }: Translating): string {
  const line = document.objective.replaceAll(/\s+/g, " ").trim();
  const isWhole = line.length <= LONGEST_INTENT;
  notes.tell("translated", ["objective"], "intent", isWhole ? "" : "its beginning; all of it is in the task");
  return isWhole ? line : `${line.slice(0, LONGEST_INTENT - 1).toWellFormed()}…`;
}

/** What says nothing about how the loop runs. */
function inertParts({ document, notes }: Translating): void {
  notes.tell("inert", ["version"], "", "a spec goes by its hash");
  for (const key of Object.keys(document))
    if (key === "metadata" || key === "extensions" || key.startsWith("x_")) notes.tell("inert", [key], "", "says nothing that is run");
  if (document.inputs.examples !== undefined) notes.tell("inert", ["inputs", "examples"], "", "are only shown to people");
}
