// How often a property is tried: so often whenever tests are run, and twenty times as often where somebody has the time.

/** `LOOPWRIGHT_FUZZ=long` is for a night, or for whoever changed what the property is about. */
export const tries = (usual: number): { readonly numRuns: number } => ({
  numRuns: process.env.LOOPWRIGHT_FUZZ === "long" ? usual * 20 : usual,
});
