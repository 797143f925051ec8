// What a model that judges must answer, and whether what it answers can be taken for an opinion at all.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { JsonSchema, ModelReply } from "../contract/models.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { Change } from "../contract/proposal.ts";
import type { CommitClaim } from "../contract/verifier.ts";
import { soleJson } from "../std/json-in-text.ts";

const Opinion = z
  .strictObject({
    question: z.string(),
    verdict: z.enum(["holds", "refuted", "unsure"]),
    reasons: z
      .array(z.strictObject({ file: z.string().min(1).max(500), line: z.int().min(1), why: z.string().trim().min(1).max(4000) }))
      .max(50),
  })
  .refine(({ verdict, reasons }) => verdict !== "refuted" || reasons.length > 0, { error: "a refuted proposal needs at least one reason" });
export type Opinion = Omit<z.infer<typeof Opinion>, "question">;

/** The same for the model, in the few keywords that every provider takes. */
export const OPINION_SCHEMA: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["question", "verdict", "reasons"],
  properties: {
    question: { type: "string", description: "The number of the question that you were asked." },
    verdict: { type: "string", enum: ["holds", "refuted", "unsure"] },
    reasons: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["file", "line", "why"],
        properties: {
          file: { type: "string", description: "Path from the root of the repository." },
          line: { type: "integer", description: "Counted from 1." },
          why: { type: "string", description: "One or two sentences." },
        },
      },
    },
  },
};

export type OpinionReading =
  | { readonly kind: "read"; readonly opinion: Opinion }
  /** It only looks around. */
  | { readonly kind: "looks" }
  /** It says nothing that could be a judgement, and may be reminded. */
  | { readonly kind: "chatter" }
  /** Whatever it meant, it is no agreement; nobody asks again until it says yes. */
  | { readonly kind: "unreadable"; readonly why: string };

/** One verdict, to this question, of the shape that was asked for. What else a reply may hold can take a yes back and never make one. */
export function readOpinion(said: ModelReply["said"], question: string): OpinionReading {
  const reading = readVerdict(said, question);
  const isTakenBack = SAYS_REFUTED.test(said.text) && !(reading.kind === "read" && reading.opinion.verdict === "refuted");
  if (!isTakenBack || reading.kind === "unreadable" || said.kind === "answer") return reading;
  return unreadable("it spoke of a refutation besides what it answered");
}

const SAYS_REFUTED = /verdict\W{0,10}refuted/i;

function readVerdict(said: ModelReply["said"], question: string): OpinionReading {
  if (said.kind === "answer") return opinionIn(said.value, question);
  if (said.kind === "text") {
    const value = soleJson(said.text);
    return value === undefined ? readWords(said.text) : opinionIn(value, question);
  }
  const verdicts = said.calls.filter(({ tool }) => tool === "verdict");
  const [first] = verdicts;
  if (first === undefined) return { kind: "looks" };
  return verdicts.length === 1 ? opinionIn(first.input, question) : unreadable("it gave more than one verdict at once");
}

function opinionIn(value: unknown, asked: string): OpinionReading {
  const read = Opinion.safeParse(value);
  if (!read.success) {
    const why = read.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`).slice(0, 5);
    return unreadable(`its answer has not the shape that was asked for: ${why.join("; ")}`);
  }
  const { question, ...opinion } = read.data;
  return question === asked ? { kind: "read", opinion } : unreadable("its answer is to another question");
}

/** A judgement in words is one that nobody can hold it to. */
const JUDGES = /[{}]|\b(refut|reject|wrong|bad|broken|fail|fake|cheat|hold|accept|approv|good|fine|correct|unsure|verdict|lgtm)/i;

const readWords = (text: string): OpinionReading =>
  JUDGES.test(text) ? unreadable("it gave no answer that can be read") : { kind: "chatter" };

const unreadable = (why: string): OpinionReading => ({ kind: "unreadable", why });

/** Places that are cited and not there, neither in the proposal nor on base. Whoever cites such a place did not look. */
export async function placesNotThere(
  { reasons }: Opinion,
  { proposal: { changes }, checkout }: CommitClaim,
  { rooms, roomFiles }: Pick<VerifierWorld, "rooms" | "roomFiles">,
): Promise<readonly string[]> {
  const files = new Set(reasons.map(({ file }) => file));
  const lines = new Map<string, number>();
  const changed = changes.filter(({ path }) => files.has(path));
  const contents = changed.length === 0 ? new Map<string, Uint8Array>() : await rooms.contents(changed.flatMap(blobsOf));
  for (const file of files) {
    const text = await readOrNone(() => roomFiles(checkout).read(file));
    const sides = changed.filter(({ path }) => path === file).flatMap(blobsOf);
    const texts = [text ?? "", ...sides.map((blob) => new TextDecoder().decode(contents.get(blob) ?? new Uint8Array()))];
    lines.set(file, Math.max(...texts.map(lineCount)));
  }
  return reasons.filter(({ file, line }) => line > (lines.get(file) ?? 0)).map(({ file, line }) => `${file}:${line}`);
}

const blobsOf = ({ before, after }: Change): readonly string[] => [before, after].flatMap((side) => (side ? [side.blob] : []));

const lineCount = (text: string): number => (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);

/** A path that leads out of the copy is not there. */
async function readOrNone(read: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LoopError) return undefined;
    throw error;
  }
}
