// Where a value of a spec stands in its text.

/** Where a value and its key stand, as offsets into the text. */
export interface Place {
  readonly keyAt: number;
  readonly at: number;
  readonly end: number;
  readonly inside: ReadonlyMap<string | number, Place>;
}
