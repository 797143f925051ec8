// What a shell hears of many answers at once: the gravest of them.
import type { ExitName } from "../contract/exit.ts";

/** `order` is the gravest first; what is not in it is the least grave. */
export function gravestExit(heard: ReadonlySet<ExitName>, order: readonly ExitName[]): ExitName {
  return order.find((exit) => heard.has(exit)) ?? "done";
}
