// Asks a person at the terminal, or whoever pipes answers in; what nobody answers is never taken for a yes.
import { LoopError } from "../contract/errors.ts";
import type { Io } from "./call.ts";

export interface Asking {
  /** By its number, its words, or an empty line for the first. */
  choose(question: string, choices: readonly string[]): Promise<string>;
  isYes(question: string): Promise<boolean>;
}

const MOST_TRIES = 3;

export function createAsking({ input, err }: Pick<Io, "input" | "err">): Asking {
  const lines = linesOf(input.chunks);
  const ask = async (prompt: string): Promise<string> => {
    err(prompt);
    const next = await lines.next();
    if (next.done)
      throw new LoopError("bad-input", "there is nobody to ask", {
        retry: "never",
        hint: "Take what was seen with --yes, or say it with --agent, --test and --at.",
      });
    return next.value.trim();
  };
  return {
    async choose(question, choices) {
      const list = choices.map((choice, index) => `  ${index + 1}) ${choice}\n`).join("");
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const said = await ask(`${question}\n${list}[1] `);
        const chosen = said === "" ? choices[0] : (choices[Number(said) - 1] ?? choices.find((choice) => choice === said));
        if (chosen !== undefined) return chosen;
        err(`Write a number from 1 to ${choices.length}.\n`);
      }
      throw new LoopError("bad-input", `no answer to: ${question}`, {
        retry: "never",
        hint: "Say it with an option instead: lw init --help.",
      });
    },
    isYes: async (question) => /^(?:y|yes)$/i.test(await ask(`${question} [y/N] `)),
  };
}

/** Nothing is read before somebody asks. */
async function* linesOf(chunks: () => AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  for await (const chunk of chunks()) {
    rest += Buffer.from(chunk).toString("utf8");
    for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n")) {
      yield rest.slice(0, at);
      rest = rest.slice(at + 1);
    }
  }
  if (rest !== "") yield rest;
  return undefined;
}
