// The first few of each kind of finding, where there are more than anybody reads at once; and how many more there are. Pure.

interface Kindred {
  readonly rule: string;
  readonly severity: string;
}

export interface FirstOfEach<F extends Kindred> {
  readonly told: readonly F[];
  /** Kinds of which more were found, with how many are not told. */
  readonly more: readonly (Kindred & { readonly count: number })[];
}

/** So many are told one by one. */
const FEW = 20;
const MOST_OF_A_KIND = 3;

export function firstOfEach<F extends Kindred>(findings: readonly F[], isAll: boolean): FirstOfEach<F> {
  if (isAll || findings.length <= FEW) return { told: findings, more: [] };
  const kinds = new Map<string, readonly F[]>();
  for (const finding of findings) {
    const kind = `${finding.severity} ${finding.rule}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  const told = new Set([...kinds.values()].flatMap((alike) => alike.slice(0, MOST_OF_A_KIND)));
  return {
    told: findings.filter((finding) => told.has(finding)),
    more: [...kinds.values()].flatMap(([first, ...others]) => {
      const count = others.length + 1 - MOST_OF_A_KIND;
      return first && count > 0 ? [{ rule: first.rule, severity: first.severity, count }] : [];
    }),
  };
}
