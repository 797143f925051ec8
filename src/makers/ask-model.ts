// One reply of a model, heard while it comes; and its limits told in the way of every maker.
import { LoopError } from "../contract/errors.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import type { HeardPiece, ModelRef, ModelReply, ModelRequest } from "../contract/models.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";

export async function askModel(
  ref: ModelRef,
  request: ModelRequest,
  { desk, agent }: Pick<MakerWorld, "desk" | "agent">,
): Promise<ModelReply> {
  const teller = createTeller(agent.tell);
  try {
    const reply = await desk.models.ask(ref, { ...request, hear: teller.hear });
    await teller.end();
    const { input, output } = reply.usage;
    if (input && output) await agent.tell({ kind: "usage", of: "part", tokens: input + output });
    else await agent.tell({ kind: "error", text: untrustedText("it reported no usage: what it used is estimated") });
    return reply;
  } catch (error) {
    await teller.end();
    if (!(error instanceof LoopError)) throw error;
    if (error.code !== "model-limited") {
      await agent.tell({ kind: "error", text: untrustedText(error.message) });
      throw error;
    }
    await agent.tell({
      kind: "limit",
      says: untrustedText(error.message),
      ...(error.until === undefined ? {} : { resetsAt: error.until }),
    });
    throw limited(error);
  }
}

/** A limit passes and costs no round, whoever the maker is. */
const limited = (error: LoopError): LoopError =>
  new LoopError("maker-rate-limited", error.message, {
    retry: "later",
    hint:
      error.until === undefined
        ? "Go on with `lw resume` when it has passed; the provider did not say when that is. It costs no round."
        : `It passes at ${error.until}: go on with \`lw resume\` then, or give the run the patience to wait with \`budget.patience\`. It costs no round.`,
    until: error.until,
    cause: error,
  });

/** A line of words is told when it is whole, or long enough. */
const MOST_TOLD = 400;

/** Pieces come faster than they are told: they are told one after the other, in their order. */
function createTeller(tell: (event: MakerEvent) => Promise<void>) {
  let waiting = "";
  let telling: Promise<void> = Promise.resolve();
  const flush = (text: string): void => {
    if (text.trim() !== "") telling = telling.then(() => tell({ kind: "text", text: untrustedText(text) }));
  };
  return {
    hear(piece: HeardPiece): void {
      // A try that failed is heard again from its start: what was told of it stays told, what waits is forgotten.
      if (piece.kind === "began") waiting = "";
      if (piece.kind !== "text") return;
      waiting += piece.text;
      const at = waiting.lastIndexOf("\n");
      const upTo = waiting.length > MOST_TOLD ? waiting.length : at + 1;
      flush(waiting.slice(0, upTo));
      waiting = waiting.slice(upTo);
    },
    async end(): Promise<void> {
      flush(waiting);
      waiting = "";
      await telling;
    },
  };
}
