// What the text scanner found, as findings of a round.
import type { Finding } from "../../contract/evidence.ts";
import type { TextScan } from "./scan-text.ts";
import { signals } from "./signals/index.ts";

const WHY = new Map(signals.map(({ id, why }) => [id, why]));

/** What was found, as findings of a round. Each bears the severity of the whole: alone it would say little. */
export function textFindings({ severity, signals: found }: TextScan): readonly Finding[] {
  if (severity === "none") return [];
  return found.map(({ id, where, line, how }) => ({
    rule: `text/${id}`,
    severity,
    where: `line ${line}: ${where}`,
    why: `${WHY.get(id) ?? "It is not what it seems."}${how === "plain" ? "" : ` It is ${how}.`}`,
  }));
}
