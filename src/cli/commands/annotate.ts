// lw annotate: shows findings in a CI job, beside the lines that they are about.
import { inputs } from "../../app/open-inputs.ts";
import { readSarifText } from "../../app/scans/read-sarif-text.ts";
import { LoopError } from "../../contract/errors.ts";
import { EXIT, type ExitName } from "../../contract/exit.ts";
import { readSarif } from "../../std/read-sarif.ts";
import { type Call, type Command, inputAt, printJson, wantsJson } from "../call.ts";
import { annotations, jobSummary, type StepEnd, verdictOf } from "../print/github.ts";

export const annotate: Command = async (call) => {
  const { io, args, options } = call;
  const file = args[0]!;
  const text = await readSarifText(inputs, inputAt(file, io));
  const results = text === undefined ? undefined : readSarif(text);
  const ends = [...readEnds(options.ended), ...(results ? [] : [{ step: "findings", code: undefined }])];
  const verdict = ends.length === 0 ? "done" : verdictOf(ends);
  if (wantsJson(call)) printJson(call, { verdict, exit: EXIT[verdict].code, findings: results ?? null });
  else if (options.summary === true) io.out(jobSummary(ends, results));
  else io.out(annotations(results ?? []));
  if (!results) tellUnread(call, file);
  return verdict satisfies ExitName;
};

const tellUnread = ({ io }: Call, file: string): void => io.err(`lw: ${file} is no SARIF file that can be read\n`);

/** `referee=5,ledger=0`: a step without a number is one that nobody heard the end of. */
function readEnds(asked: unknown): readonly StepEnd[] {
  if (asked === undefined) return [];
  return String(asked)
    .split(",")
    .map((one) => {
      const [, step, code] = /^([a-z][a-z-]*)=(\d{0,3})$/.exec(one) ?? [];
      if (step === undefined) throw badEnd(one);
      return { step, code: code ? Number(code) : undefined };
    });
}

const badEnd = (one: string): LoopError =>
  new LoopError("bad-input", `“${one}” does not say how a step ended`, { retry: "never", hint: "Write e.g. --ended referee=0,ledger=1" });
