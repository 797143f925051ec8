// Reads `receipts.yaml` in loopwright's home: where checkpoints are written besides the home itself, and whose keys are trusted.
import { join } from "node:path";
import * as z from "zod";
import { readHomeFile } from "./read-home-file.ts";

const Anchors = z.strictObject({
  /** In the target repository of each run, under refs/loopwright/proofs/. */
  target: z.boolean().default(true),
  /** A file elsewhere, on another disk for example, that lines are added to. */
  file: z.string().min(1).optional(),
  /** An address that each line is sent to with POST. */
  url: z.url({ protocol: /^https?$/ }).optional(),
});

const Receipts = z.strictObject({
  anchors: Anchors.prefault({}),
  /** Files with public keys of other homes whose receipts count here. */
  trust: z.array(z.string().min(1)).default([]),
});

export type ReceiptSettings = z.infer<typeof Receipts>;

export const loadReceiptSettings = (home: string): Promise<ReceiptSettings> =>
  readHomeFile(Receipts, join(home, "receipts.yaml"), "Nothing is signed while it cannot be read.");
