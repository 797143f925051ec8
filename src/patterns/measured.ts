// What runs of the ready-made loops came to, as test/e2e/patterns.test.ts measures and compares it; LOOPWRIGHT_MEASURE=write writes it anew.
import type { MeasuredLoop } from "../contract/pattern.ts";

export const measured: { readonly [name: string]: MeasuredLoop } = {};
