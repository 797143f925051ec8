// What every page is read from: the records, and what was worked out of them and is still so.
import type { Registries } from "../../contract/crew.ts";
import type { Records } from "../open-records.ts";
import { createLoopMemo, type LoopMemo } from "./loop-memo.ts";

export interface PageRecords extends Records {
  readonly memo: LoopMemo;
  /** For reading specs as they lie there. */
  readonly registries: Registries;
}

export const pageRecords = <R extends Records & { readonly registries: Registries }>(records: R): R & PageRecords => ({
  ...records,
  memo: createLoopMemo(records.journal, () => records.clock.now()),
});
