// The checks that a new loop begins with: what `lw init` writes, and what the bench of dishonest makers measures as recommended.

/** How the tests of a repository are run, and where what each came to is read. */
export interface TestCheck {
  readonly run: string;
  readonly results?: { readonly format: string; readonly file?: string };
  readonly timeout: string;
  readonly inherit?: readonly string[];
  /** All that the project calls its tests, where `run` is a part of it: its exit code must say yes as well. */
  readonly whole?: string;
}

export interface RecommendedVerifier {
  readonly use: string;
  readonly with: { readonly [option: string]: unknown };
}

/** Where every test can be read: a witness; twins, so that it is the tests that said so; and their calls made again where nobody tests. Else the exit code. */
export function recommendedVerifiers({ whole, ...check }: TestCheck): readonly RecommendedVerifier[] {
  if (!check.results) return [{ use: "command", with: { ...check } }];
  return [
    { use: "witness", with: { ...check } },
    { use: "twins", with: { ...check } },
    { use: "replay", with: { ...check, ifNone: "hold" } },
    ...(whole === undefined ? [] : [wholeOf(check, whole)]),
  ];
}

const wholeOf = ({ timeout, inherit }: TestCheck, run: string): RecommendedVerifier => ({
  use: "command",
  with: { run, timeout, ...(inherit === undefined ? {} : { inherit }) },
});
