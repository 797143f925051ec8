// How much of a costly test is tried: a part whenever tests are run, and the whole and more where somebody has the time.

/** `LOOPWRIGHT_FUZZ=long` is for a night, or for whoever changed what a property is about. */
export const isLong = process.env.LOOPWRIGHT_FUZZ === "long";

/** How often a property is tried. */
export const tries = (usual: number): { readonly numRuns: number } => ({ numRuns: isLong ? usual * 20 : usual });

/** All of them where somebody has the time, else those that differ most. */
export const someOf = <T>(all: readonly T[], some: (one: T, index: number) => boolean): readonly T[] => (isLong ? all : all.filter(some));
