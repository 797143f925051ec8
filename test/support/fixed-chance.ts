// Property tests draw the same cases in every run, so that what lands does not depend on chance, and half as many as usual; when asked to
// try for long, they draw others each time.
import fc from "fast-check";

const SEED = 20_261_118;

if (process.env.LOOPWRIGHT_FUZZ === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, numRuns: 50 });
