// What came of something that was approved, for people and for the shell; the commands that decide and that go on share it.
import type { Decided } from "../../app/decisions/decide.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Io } from "../call.ts";

type Standstill = NonNullable<Decided["standstill"]>;

export function tellStandstill(io: Io, { kind, why, state }: Standstill): void {
  const { standsOn } = state.recheck ?? {};
  if (standsOn) io.out(`  ${tellStandsOn(standsOn)}\n`);
  for (const { says } of state.receipts) io.out(`  ${says}\n`);
  if (kind !== "settled") io.out(`  ${why}\n`);
  else if (state.receipts.length === 0)
    io.out(standsOn ? "  Merge its branch when you like.\n" : "  Verified again; merge its branch when you like.\n");
}

/** Where a proof is as good as another one. */
export const tellStandsOn = ({ at }: { readonly at: string }): string =>
  `stands on its proof of ${at.slice(0, 16).replace("T", " ")} UTC: nothing that it went by has changed since`;

export function exitOfStandstill({ kind, state }: Standstill): ExitName {
  if (kind === "settled") return "done";
  const refuted = state.recheck?.holds === false && state.recheck.tree === state.tree;
  return kind === "failed" ? "cannotVerify" : refuted ? "checkFailed" : "waiting";
}
