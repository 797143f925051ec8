// Children: this program once more, as a process of its own that ends with us.
export interface ChildOrder {
  /** What follows the program's own name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** What its heap may take. */
  readonly memoryMb: number;
  /** What it reads; without it, nothing. */
  readonly input?: string;
  /** How much of what it prints is kept, where that is more than usual. */
  readonly keepBytes?: number;
  /** Hears what it tells on its own pipe, line by line: no more in a second than is worth showing, and nothing of it is believed. */
  readonly hear?: (line: string) => void;
}

export interface ChildEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The first of what it printed, and the last of what it said on the side. */
  readonly printed: string;
  readonly said: string;
}

export interface Child {
  readonly pid: number;
  /** Never fails: a child that could not be told of any more has ended too. */
  readonly ended: Promise<ChildEnd>;
  /** Asks it to stop in a way that can be resumed. */
  ask(): void;
  /** Ends it and all of its group at once, like a crash. */
  end(): void;
}

export interface Children {
  start(order: ChildOrder): Promise<Child>;
}
