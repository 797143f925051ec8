// Findings out of a SARIF file: what we wrote, or another scanner did.
import { isNestedDeeper } from "./json-depth.ts";
import { type Fields, fieldsOf, readRecord, textIn } from "./json-record.ts";

/** One result, as far as anybody here looks. */
export interface SarifResult {
  readonly ruleId: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  /** Undefined where it is about no file. */
  readonly file: string | undefined;
  readonly line: number | undefined;
}

const MOST_DEPTH = 64;

/** Undefined when it is no SARIF at all. */
export function readSarif(text: string): readonly SarifResult[] | undefined {
  const reading = isNestedDeeper(text, MOST_DEPTH) ? undefined : readRecord(text);
  const runs = reading?.kind === "record" ? reading.fields.get("runs") : undefined;
  if (!Array.isArray(runs) || runs.length === 0) return undefined;
  const results = runs.map((run) => fieldsOf(run)?.get("results"));
  if (!results.every(Array.isArray)) return undefined;
  return results.flat().map((result) => readResult(fieldsOf(result)));
}

/** What is missing in a result does not make it go away. */
function readResult(fields: Fields | undefined): SarifResult {
  const level = textIn(fields, "level");
  const [location] = listIn(fields, "locations");
  const physical = fieldsOf(fieldsOf(location)?.get("physicalLocation"));
  const line = fieldsOf(physical?.get("region"))?.get("startLine");
  return {
    ruleId: textIn(fields, "ruleId") ?? "unknown",
    level: level === "error" || level === "note" ? level : "warning",
    message: textIn(fieldsOf(fields?.get("message")), "text") ?? "no message",
    file: pathOf(textIn(fieldsOf(physical?.get("artifactLocation")), "uri")),
    line: typeof line === "number" && Number.isSafeInteger(line) && line >= 1 ? line : undefined,
  };
}

function listIn(fields: Fields | undefined, name: string): readonly unknown[] {
  const value = fields?.get(name);
  return Array.isArray(value) ? value : [];
}

function pathOf(uri: string | undefined): string | undefined {
  try {
    return uri === undefined ? undefined : decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
