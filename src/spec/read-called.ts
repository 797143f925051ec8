// Puts the specs that a spec names as workers in their places, and says what is wrong with them: all before it is read itself.
import { LOOP_MAKER, MOST_DEPTH } from "../contract/calling.ts";
import type { Registries } from "../contract/crew.ts";
import { KINDS } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Complaint } from "./complaints.ts";
import { type Library, membersIn } from "./library.ts";
import { quoted } from "./path.ts";
import type { SpecProblem, SpecReading } from "./spec-reading.ts";

export interface Called {
  /** The spec as it is written, with what its workers call. */
  readonly value: unknown;
  readonly complaints: readonly Complaint[];
  /** Of the files that it names, with places of their own. */
  readonly problems: readonly SpecProblem[];
}

/** How a spec is read that another names; the way is the files that lead to it. */
export type ReadInner = (file: string, text: string, way: readonly string[]) => SpecReading;

export interface CallPlace {
  readonly file: string;
  readonly library: Library;
  /** Where each spec on the way really is, this one last. */
  readonly way: readonly string[];
  /** Counts one more that is called; false where there are too many in all. */
  readonly mayCall: () => boolean;
}

export function readCalled(
  written: unknown,
  { file, library, way, mayCall }: CallPlace,
  registries: Registries,
  readInner: ReadInner,
): Called {
  const named = membersIn(written).filter(([, { loop }]) => typeof loop === "string");
  if (named.length === 0) return { value: written, complaints: [], problems: [] };
  const complaints: Complaint[] = [];
  const problems: SpecProblem[] = [];
  const specs = new Map<string, LoopSpec>();
  for (const [id, { loop }] of named) {
    const name = String(loop);
    const found = library.find(way.at(-1) ?? "", name);
    const wrong = found.kind === "missing" ? `cannot be read: ${found.why}` : (circleOf(way, found.file, name) ?? tooMany(way, mayCall));
    if (wrong !== undefined || found.kind === "missing") {
      complaints.push({ path: ["team", "workers", id, "loop"], about: "value", problem: `${quoted(name)} ${wrong}`, instead: WHERE });
      continue;
    }
    const reading = readInner(besides(file, name), found.text, [...way, found.file]);
    if (reading.kind === "read") specs.set(id, reading.spec);
    else {
      const problem = `${quoted(name)} cannot be obeyed: it has ${reading.problems.length} problem(s) of its own`;
      complaints.push({ path: ["team", "workers", id, "loop"], about: "value", problem, instead: "Mend that file." });
      problems.push(...reading.problems);
    }
  }
  return { value: filled(written, specs, registries), complaints, problems };
}

const WHERE = "Name a spec that lies below this one's folder, or below the folder `loops` or `.loopwright` that it is in.";
const tooMany = (way: readonly string[], mayCall: () => boolean): string | undefined => {
  if (way.length > MOST_DEPTH) return TOO_DEEP;
  return mayCall() ? undefined : `is one too many: a spec and those that it calls may name ${MOST_CALLED} loops in all`;
};

/** All that are named, those named twice twice: each is part of the record of every run. */
export const MOST_CALLED = 64;

const TOO_DEEP = `is called by loops that are called by loops, more than ${MOST_DEPTH} deep`;

const circleOf = (way: readonly string[], file: string, name: string): string | undefined => {
  if (!way.includes(file)) return undefined;
  return way.at(-1) === file ? "is this very spec: it would call itself for ever" : `leads back here: ${circle(way, file, name)}`;
};

const circle = (way: readonly string[], file: string, name: string): string =>
  [...way.slice(way.indexOf(file)).map(lastOf), name].map(quoted).join(" calls ");

const lastOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** As people would write it who stand where the other file was named. */
const besides = (file: string, name: string): string => (file.includes("/") ? `${file.slice(0, file.lastIndexOf("/"))}/${name}` : name);

/** What a worker that is a loop need not say: who it is, and what it hands over. */
function filled(written: unknown, specs: ReadonlyMap<string, LoopSpec>, registries: Registries): unknown {
  const members = membersIn(written).map(([id, worker]) => {
    const spec = specs.get(id);
    // It is refused already: that it says neither who nor what is no further mistake.
    if (!spec)
      return [id, typeof worker.loop === "string" ? { role: "-", use: LOOP_MAKER, gives: { as: "text" }, ...worker } : worker] as const;
    const own = typeof worker.gives === "object" ? worker.gives : {};
    return [id, { role: spec.intent, use: LOOP_MAKER, ...worker, gives: { ...givesOf(spec, registries), ...own }, spec }] as const;
  });
  const { team, ...rest } = written as { readonly team: object }; // it has workers, or nothing would be filled in
  return { ...rest, team: { ...team, workers: Object.fromEntries(members) } };
}

function givesOf({ maker, document }: LoopSpec, { makers }: Registries): { readonly as: string; readonly most?: string } {
  const [first] = Array.isArray(maker) ? maker : [maker];
  const { hasFiles } = KINDS[makers.find(({ name }) => name === first?.use)?.proposes ?? "commit"];
  if (!hasFiles) return { as: "json", most: MOST_GIVEN };
  return document === undefined ? { as: "commit" } : { as: "markdown", most: MOST_GIVEN };
}

/** Of all files of a document together; what a loop may keep in one is for its own spec to say. */
const MOST_GIVEN = "256kB";
