// What a model that judges must answer, and whether what it answers can be taken for an opinion at all.
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import type { JsonSchema } from "../contract/models.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { Change } from "../contract/proposal.ts";
import type { CommitClaim } from "../contract/verifier.ts";

const Opinion = z
  .object({
    verdict: z.enum(["holds", "refuted", "unsure"]),
    reasons: z.array(z.object({ file: z.string().min(1).max(500), line: z.int().min(1), why: z.string().trim().min(1).max(4000) })).max(50),
  })
  .refine(({ verdict, reasons }) => verdict !== "refuted" || reasons.length > 0, { error: "a refuted proposal needs at least one reason" });
export type Opinion = z.infer<typeof Opinion>;

/** The same for the model, in the few keywords that every provider takes. */
export const OPINION_SCHEMA: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["verdict", "reasons"],
  properties: {
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

export type OpinionReading = { readonly kind: "read"; readonly opinion: Opinion } | { readonly kind: "malformed"; readonly why: string };

export function readOpinion(value: unknown): OpinionReading {
  const read = Opinion.safeParse(value);
  if (read.success) return { kind: "read", opinion: read.data };
  const why = read.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`).slice(0, 5);
  return { kind: "malformed", why: why.join("; ") };
}

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
