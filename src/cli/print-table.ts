// Prints a table as wide as whoever reads it can see.
import type { Call } from "./call.ts";
import { fitted, lineWidth } from "./print/fit.ts";

/** `drop`: columns that may go where there is no room, the first of them first. */
export function printTable(
  { io, env }: Pick<Call, "io" | "env">,
  rows: readonly (readonly string[])[],
  drop: readonly number[] = [],
): void {
  if (rows.length > 0) io.out(`${fitted(rows, { width: lineWidth(io, env.COLUMNS), drop }).join("\n")}\n`);
}
