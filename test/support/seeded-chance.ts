// Chance from a number: the same number makes up the same secrets, for tests and benchmarks.
import type { Chance } from "../../src/guard/secrets/kind.ts";

export function seededChance(seed: number): Chance {
  let state = seed >>> 0 || 1;
  const next = (below: number): number => {
    // xorshift: small, fast and the same everywhere.
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  return {
    text(alphabet, length) {
      const letters = lettersOf(alphabet);
      return Array.from({ length }, () => letters[next(letters.length)]).join("");
    },
  };
}

/** `A-Z0-9_` is all of them. */
function lettersOf(alphabet: string): string {
  return alphabet.replace(/([A-Za-z0-9])-([A-Za-z0-9])/g, (_, first: string, last: string) => {
    const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
    return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, step) => from + step));
  });
}
