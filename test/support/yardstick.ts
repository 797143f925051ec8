// How long a piece of work takes, told in what this machine needs at that moment for another one that is known: no number of seconds
// is right for every machine.

/** About 20 ms on a machine of 2025 that has nothing else to do; a quarter of it is done, and stands for the whole. */
function measureYardstick(): number {
  const started = performance.now();
  let word = 7;
  let text = "";
  for (let turn = 0; turn < 1_000_000; turn++) {
    word = Math.imul(word, 31) + turn;
    if ((word & 0xffff) === 0) text += String.fromCharCode(97 + (turn % 26));
  }
  if (text === "never") throw new Error("the loop is left out where nobody asks for what it makes");
  return (performance.now() - started) * 4;
}

/** Whoever is given the processor in between makes one look useless; three in a row are not. */
const MOST_LOOKS = 3;

/** The least of a few looks; no second one where the first is within what is expected. */
export function yardsticksOf(work: () => void, expected: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < MOST_LOOKS && least > expected; look++) {
    const before = measureYardstick();
    const started = performance.now();
    work();
    const tookMs = performance.now() - started;
    // The machine may have become slower meanwhile; that matters only where the work seems slow.
    const yardstick = tookMs / before <= expected ? before : Math.max(before, measureYardstick());
    least = Math.min(least, tookMs / yardstick);
  }
  return least;
}
