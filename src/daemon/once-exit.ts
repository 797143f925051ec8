// What a shell hears of one tick: the gravest of what became of everything that it woke.
import { EXIT, type ExitName, gravestOf } from "../contract/exit.ts";
import type { Sight } from "./sights.ts";

/**
 * What was skipped, was missed or joined another is in order: its spec wants it so. A spec that is wrong is not, whenever it became so:
 * its loop would not be woken, and nobody who calls us from elsewhere would hear of it.
 */
export function onceExit(sights: readonly Sight[], { isAnyWrong }: { readonly isAnyWrong: boolean }): ExitName {
  return gravestOf([...sights.flatMap(endOf), ...(isAnyWrong ? (["usage"] as const) : [])]);
}

function endOf(sight: Sight): readonly ExitName[] {
  if (sight.kind === "over") return [nameOf(sight.exit)];
  if (sight.kind === "not-woken" && sight.fate === "failed") return ["cannotVerify"];
  // It is due and did not run: whoever called may call again.
  return sight.kind === "waits" ? ["later"] : [];
}

/** Undefined where a signal ended it: it can be resumed. */
function nameOf(code: number | undefined): ExitName {
  const names = Object.keys(EXIT) as readonly ExitName[]; // the keys of a table that is written out
  return code === undefined ? "later" : (names.find((name) => EXIT[name].code === code) ?? "bug");
}
