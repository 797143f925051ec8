// What a run is told: checked against its spec before anything is spent, and as it goes on record.
import { LoopError } from "../../contract/errors.ts";
import type { GivenInputs, RunInputs } from "../../contract/inputs.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import type { Cause } from "../../contract/waking.ts";
import { readInputs } from "../../spec/read-inputs.ts";
import { shellWord } from "../../std/shell-word.ts";
import type { House } from "../open-house.ts";

/** With placeholders in the place of secrets, so that a run that goes on later is told the same. */
export function takeInputs({ redact }: Pick<House, "redact">, spec: LoopSpec, given: GivenInputs): RunInputs | undefined {
  const reading = readInputs(spec, given);
  if (reading.kind === "read") return reading.inputs && redact(reading.inputs);
  throw new LoopError("bad-input", `the loop ${spec.name} cannot run with these inputs:\n${reading.problems.join("\n")}`, {
    retry: "never",
    hint: `Nothing was spent. Its spec says what it takes: \`lw validate ${shellWord(spec.name)}\`.`,
  });
}

/** What those who woke the loop say, where an input asks for it: the newest delivery that has it. */
export function inputsOf({ inputs = {} }: Pick<LoopSpec, "inputs">, causes: readonly Cause[]): GivenInputs {
  const deliveries = causes.flatMap((cause) => (cause.kind === "webhook" ? [cause] : [])).toReversed();
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, { from }]) => {
      const text = from && deliveries.map((cause) => cause[from]).find((words) => words !== null && words !== "");
      return text === undefined || text === null ? [] : [[name, { text, by: "trigger" as const }]];
    }),
  );
}
