// lw redact: takes secrets out of text.
import { inputs } from "../../app/open-inputs.ts";
import { borrowRedactor } from "../../app/open-redactor.ts";
import { type RedactedPiece, redactChunks } from "../../app/scans/redact-chunks.ts";
import type { ExitName } from "../../contract/exit.ts";
import { secretKinds } from "../../guard/secrets/kinds/index.ts";
import type { Redaction } from "../../guard/secrets/redact.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { printTable } from "../print-table.ts";

/** More text than this is not put into a JSON document. */
const MOST_TEXT_BYTES = 8 * 1024 * 1024;

export const redact: Command = async (call) => {
  const { io, args, options } = call;
  if (options.list === true) return listKinds(call);
  const asked = args[0] ?? "-";
  const pieces = redactChunks(borrowRedactor(call.home, call.env), inputs.chunks(inputAt(asked, io)));
  if (options.check === true) return check(call, asked, pieces);
  return wantsJson(call) ? document(call, pieces) : stream(call, pieces);
};

async function stream({ io }: Call, pieces: AsyncIterable<RedactedPiece>): Promise<ExitName> {
  for await (const { bytes } of pieces) io.out(bytes);
  return "done";
}

async function document(call: Call, pieces: AsyncIterable<RedactedPiece>): Promise<ExitName> {
  const kept: Uint8Array[] = [];
  const found: Redaction[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.bytes.length;
    if (length <= MOST_TEXT_BYTES) kept.push(piece.bytes);
    found.push(...piece.found);
  }
  const text = length <= MOST_TEXT_BYTES ? { text: Buffer.concat(kept).toString("utf8") } : {};
  printJson(call, { redactions: counted(found), ...text });
  return "done";
}

/** Says where, and never what. */
async function check(call: Call, asked: string, pieces: AsyncIterable<RedactedPiece>): Promise<ExitName> {
  const found: Redaction[] = [];
  for await (const piece of pieces) found.push(...piece.found);
  const name = asked === "-" ? "standard input" : asked;
  if (wantsJson(call))
    printJson(call, { redactions: counted(found), places: found.map(({ line, kind, placeholder }) => ({ line, kind, placeholder })) });
  else if (found.length === 0) call.io.err(`lw: no secrets in ${name}\n`);
  else call.io.out(found.map(({ line, kind, placeholder }) => `${name}:${line}  ${kind}  ${placeholder}\n`).join(""));
  return found.length === 0 ? "done" : "checkFailed";
}

interface Counted {
  readonly kind: string;
  readonly count: number;
  readonly placeholder: string;
}

function counted(found: readonly Redaction[]): readonly Counted[] {
  const counts = new Map<string, Counted>();
  for (const { kind, placeholder } of found)
    counts.set(placeholder, { kind, placeholder, count: (counts.get(placeholder)?.count ?? 0) + 1 });
  return [...counts.values()];
}

function listKinds(call: Call): ExitName {
  const kinds = secretKinds.map(({ id, name }) => ({ id, name }));
  if (wantsJson(call)) printJson(call, { kinds });
  else
    printTable(
      call,
      kinds.map(({ id, name }) => [id, name]),
    );
  return "done";
}
