// The environment a command gets: a short list by name, never all of ours.

/** What every command may see: where programs are, and how to write dates and text. */
const ALWAYS = ["PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TERM"];

/** Picks the named variables that are set. */
export function chosenEnvironment(
  names: readonly string[],
  ours: { get(name: string): string | undefined },
): { readonly [name: string]: string } {
  return Object.fromEntries(
    [...ALWAYS, ...names].flatMap((name) => {
      const value = ours.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
