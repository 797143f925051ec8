// One line of a runner that writes JSON line by line.
import { isNestedDeeper } from "../../std/json-depth.ts";
import { type Fields, readRecord } from "../../std/json-record.ts";

const MOST_DEEP = 20;

/** Undefined when it is cut off, no JSON object, or nested as no runner nests. */
export function readJsonLine(line: string): Fields | undefined {
  if (isNestedDeeper(line, MOST_DEEP)) return undefined;
  const reading = readRecord(line);
  return reading.kind === "record" ? reading.fields : undefined;
}
