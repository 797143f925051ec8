// Values that have to reach a command's processes by variables which the command itself may give values to. Pure.

/** What has to stand before whatever the command gives the variable; ends as the variable's own parts are parted. */
export interface Given {
  readonly name: string;
  readonly first: string;
}

/**
 * `A=b test` would lose what stands in `A`: each such place gets it before the value of its own, by a variable
 * that nobody foresees, so that no text of ours comes into quotes of theirs.
 */
export function alsoGiven(run: string, word: string, given: readonly Given[]): { readonly run: string; readonly env: Variables } {
  const set = given.map(({ name, first }) => ({ name, first, carried: `${word}_${name}` }));
  const written = set.reduce((text, { name, carried }) => text.replace(assignmentOf(name), beforeIts(carried)), run);
  return { run: written, env: written === run ? {} : Object.fromEntries(set.map(({ carried, first }) => [carried, first])) };
}

interface Variables {
  readonly [name: string]: string;
}

const assignmentOf = (name: string): RegExp => new RegExp(`(?<![\\w$./-])${name}=`, "g");

const beforeIts =
  (carried: string) =>
  (found: string, at: number, all: string): string =>
    isInQuotes(all.slice(0, at)) ? `${found}\${${carried}}` : `${found}"\${${carried}}"`;

const isInQuotes = (before: string): boolean => ['"', "'"].some((quote) => before.split(quote).length % 2 === 0);
