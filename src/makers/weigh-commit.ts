// How much a commit matters to whoever answers for the code: by what its lines do, and by words only where the lines bear them out. Pure.
import type { ChangeSigns, DependencyChange } from "../contract/change-signs.ts";

/** What weighs, how much, and why. */
export interface Weight {
  readonly points: number;
  readonly why: string;
}

/** What the words of a commit say, found before. */
export interface Said {
  readonly breaking: string | undefined;
  readonly security: string | undefined;
  readonly revert: string | undefined;
}

export function weigh(signs: ChangeSigns, said: Said, risky: string | undefined): readonly Weight[] {
  const code = signs.added + signs.removed;
  const touches = code > 0 || signs.dependencies.some(({ runs }) => runs) || signs.needs.length > 0;
  const weights: readonly (Weight | undefined)[] = [
    said.breaking === undefined ? undefined : { points: touches ? 40 : 10, why: said.breaking },
    said.security === undefined ? undefined : { points: touches ? 25 : 3, why: said.security },
    said.revert === undefined ? undefined : { points: code > 0 ? 25 : 3, why: said.revert },
    named(signs.gone, 24, "takes away"),
    named(signs.altered, 14, "changes how to call"),
    named(signs.brought, 9, "adds"),
    signs.needs.length > 0 ? { points: 25, why: `needs something else to run: ${signs.needs[0]}` } : undefined,
    signs.migration ? { points: 25, why: "migrates data" } : undefined,
    signs.powers ? { points: 20, why: "gives a workflow more power" } : undefined,
    signs.isBump && !signs.dependencies.some(({ runs }) => runs) ? undefined : ofDependencies(signs.dependencies),
    signs.delicate.length > 0 ? { points: 10, why: `is about ${signs.delicate.join(", ")}` } : undefined,
    signs.decisions > 0 ? { points: Math.min(12, 3 + signs.decisions), why: "changes what decides" } : undefined,
    signs.isTold && code > 0 ? { points: 10, why: "is in the changelog" } : undefined,
    signs.deletedSources > 0 ? { points: 6, why: `deletes ${signs.deletedSources} source file(s)` } : undefined,
    signs.testLines > 0 && code > 0 ? { points: 4, why: "" } : undefined,
    code > 0 ? { points: Math.min(14, Math.round(2 * Math.log2(1 + code))), why: "" } : undefined,
    risky !== undefined && !signs.isBump ? { points: 5, why: risky } : undefined,
  ];
  return weights.filter((one) => one !== undefined);
}

const named = (names: readonly string[], points: number, what: string): Weight | undefined =>
  names.length === 0
    ? undefined
    : {
        points: points + Math.min(4, names.length - 1),
        why: `${what} ${names.slice(0, 3).join(", ")}${names.length > 3 ? " and more" : ""}`,
      };

function ofDependencies(changes: readonly DependencyChange[]): Weight | undefined {
  const running = changes.filter(({ runs }) => runs);
  const [heaviest] = running.map((one) => ({ one, points: pointsOf(one) })).toSorted((one, other) => other.points - one.points);
  if (!heaviest) return undefined;
  const { name, from, to } = heaviest.one;
  const what = from === undefined ? `brings in ${name}` : to === undefined ? `does without ${name}` : `${name} from ${from} to ${to}`;
  return { points: heaviest.points, why: what };
}

function pointsOf({ from, to }: DependencyChange): number {
  if (from === undefined || to === undefined) return 20;
  const [before, after] = [majorOf(from), majorOf(to)];
  return before !== undefined && after !== undefined && before !== after ? 20 : 6;
}

const majorOf = (wanted: string): string | undefined => /\d+(?:\.\d+)?/.exec(wanted)?.[0].replace(/^([1-9]\d*)\..*$/, "$1");
