// Scans a file, standard input, or one line of a list of texts, and says when it cannot tell.
import type { Input } from "../../contract/around.ts";
import type { Inputs } from "../../contract/files.ts";
import { decodeBytes } from "../../guard/text/decode-bytes.ts";
import { scanText, type TextScan, type TextSignal } from "../../guard/text/scan-text.ts";

export type InputScan = { readonly kind: "scanned"; readonly scan: TextScan } | { readonly kind: "unreadable"; readonly why: string };

const MOST_BYTES = 16 * 1024 * 1024;

export async function scanInput(inputs: Pick<Inputs, "bytes">, input: Input): Promise<InputScan> {
  const reading = await inputs.bytes(input, MOST_BYTES);
  if (reading.kind === "unreadable") return reading;
  const { text, encoding } = decodeBytes(reading.bytes);
  const scan = scanText(text);
  const signals = encoding === "utf-8" ? scan.signals : [...scan.signals, notUtf8(encoding)];
  return { kind: "scanned", scan: { ...scan, signals, isWhole: scan.isWhole && reading.isWhole } };
}

const notUtf8 = (encoding: string): TextSignal => ({
  id: NOT_UTF_8,
  weight: 0,
  where: `not UTF-8; read as ${encoding}`,
  line: 1,
  how: "plain",
});
/** Said of bytes that had to be guessed at. It weighs nothing. */
export const NOT_UTF_8 = "not-utf-8";

export type LineScan =
  | { readonly id: unknown; readonly severity: TextScan["severity"]; readonly score: number; readonly signals: readonly TextSignal[] }
  | { readonly id: unknown; readonly severity: "unknown"; readonly score: 0; readonly signals: readonly []; readonly why: string };

/** One answer for one line, whatever the line is. Without its end seen, only an injection is sure. */
export function scanLine(line: string): LineScan {
  const asked = readAsked(line);
  if (asked.text === undefined) return unknownLine(asked.id, "This line is no JSON object with a text `text`.");
  const { severity, score, signals, isWhole } = scanText(asked.text);
  if (!isWhole && severity !== "medium" && severity !== "high")
    return unknownLine(asked.id, "There is more encoded in it than can be looked at.");
  return { id: asked.id, severity, score, signals };
}

const unknownLine = (id: unknown, why: string): LineScan => ({ id, severity: "unknown", score: 0, signals: [], why });

function readAsked(line: string): { readonly id: unknown; readonly text: string | undefined } {
  try {
    const asked: unknown = JSON.parse(line);
    if (typeof asked !== "object" || asked === null) return { id: null, text: undefined };
    return { id: "id" in asked ? asked.id : null, text: "text" in asked && typeof asked.text === "string" ? asked.text : undefined };
  } catch {
    return { id: null, text: undefined };
  }
}
