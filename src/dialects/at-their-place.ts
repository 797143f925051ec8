// Tells what is wrong with a spec that came of another system's file where the file says it, and not where the spec does, which nobody wrote.
import type { SpecProblem } from "../spec/read-spec.ts";
import type { Fate } from "./translation.ts";

/** Problems of files that were translated beside it stay as they are. */
export const atTheirPlace = (file: string, problems: readonly SpecProblem[], fates: readonly Fate[]): readonly SpecProblem[] =>
  problems.map((problem) => (problem.file === file ? { ...problem, ...placeOf(problem.path, fates) } : problem));

/** What went there, what contains it, or what went into it; else the beginning of the file, with the spec's own path. */
function placeOf(path: string, fates: readonly Fate[]): Pick<SpecProblem, "path" | "line" | "col"> {
  const around = fates.filter(({ to }) => to !== "" && isWithin(path, to));
  const nearest = around.reduce((longest, { to }) => (to.length > longest.length ? to : longest), "");
  const went = around.filter(({ to }) => to === nearest);
  const fate = nthOf(went, path.slice(nearest.length)) ?? fates.find(({ to }) => to !== "" && isWithin(to, path));
  return fate === undefined ? { path, line: 1, col: 1 } : { path: fate.path, line: fate.line, col: fate.col };
}

const isWithin = (path: string, whole: string): boolean =>
  path === whole || (path.startsWith(whole) && [".", "["].includes(path.charAt(whole.length)));

/** Entries of a list are there in the order in which they were translated. */
function nthOf(went: readonly Fate[], rest: string): Fate | undefined {
  const index = /^\[(\d+)\]/.exec(rest)?.[1];
  if (index === undefined) return went[0];
  const entries = [...new Map(went.toReversed().map((fate) => [entryOf(fate.path), fate])).values()].toReversed();
  return entries[Number(index)] ?? entries.at(-1);
}

/** `feedback_channels[2].when` is about `feedback_channels[2]`. */
const entryOf = (path: string): string => /^[^[]*\[\d+\]/.exec(path)?.[0] ?? path;
