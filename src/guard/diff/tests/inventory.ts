// What one version of a test file holds: its tests, assertions, skips, swallowed failures and stand-ins.
/** What was found, where, and in which test. */
export interface Fact {
  /** Compared between the versions: without blanks, comments and the kind of quotes. */
  readonly text: string;
  readonly raw: string;
  readonly line: number;
  /** The name of the test it stands in; a piece that starts inside a test names itself by its number. */
  readonly test: string;
}

export interface Test extends Fact {
  readonly kind: "test" | "group";
  readonly lastLine: number;
  /** Whether something else than its name says that it is a test. */
  readonly isMarked: boolean;
  /** How many of its assertions are in sight. */
  readonly assertions: number;
}

export interface Disabling extends Fact {
  /** `skip`: never runs. `sometimes`: runs only under a condition. `focus`: the others do not run. */
  readonly kind: "skip" | "sometimes" | "focus";
}

export interface Inventory {
  readonly tests: readonly Test[];
  readonly assertions: readonly Fact[];
  readonly disablings: readonly Disabling[];
  /** Places that keep a failure from being seen. */
  readonly swallows: readonly Fact[];
  /** Stand-ins for real code. */
  readonly mocks: readonly Fact[];
  /** Functions that no runner collects, by their names. */
  readonly helpers: readonly Fact[];
}

export const EMPTY: Inventory = { tests: [], assertions: [], disablings: [], swallows: [], mocks: [], helpers: [] };

/** Text reduced to what two ways of writing the same have in common. */
export const normalised = (raw: string): string =>
  raw
    .slice(0, 4_000)
    .replace(/\s+/g, "")
    .replace(/["'`]/g, '"')
    .replace(/,([)\]}])/g, "$1")
    .replace(/;$/, "");
