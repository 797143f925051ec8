// The checks that a new loop begins with: what `lw init` writes, and what the bench of dishonest makers measures as recommended.

/** How the tests of a repository are run, and where what each came to is read. */
export interface TestCheck {
  readonly run: string;
  readonly results?: { readonly format: string; readonly file?: string };
  readonly timeout: string;
  readonly inherit?: readonly string[];
}

export interface RecommendedVerifier {
  readonly use: string;
  readonly with: { readonly [option: string]: unknown };
}

/** Where every test can be read: a witness; twins, so that it is the tests that said so; and their calls made again where nobody tests. Else the exit code. */
export function recommendedVerifiers(check: TestCheck): readonly RecommendedVerifier[] {
  if (!check.results) return [{ use: "command", with: { ...check } }];
  return [
    { use: "witness", with: { ...check } },
    { use: "twins", with: { ...check } },
    { use: "replay", with: { ...check, ifNone: "hold" } },
  ];
}
