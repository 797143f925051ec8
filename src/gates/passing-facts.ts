// What strangers' commands and servers are told about something that wants to move: plain facts, in one shape.

export interface PassingFacts {
  readonly loop: string;
  readonly run: string;
  readonly intent: string;
  readonly level: string;
  readonly branch: string;
  readonly commit: string;
  readonly tree: string;
  readonly base: { readonly ref: string; readonly commit: string };
  readonly approvals: readonly { readonly by: string; readonly at: string }[];
  readonly changed: readonly string[];
  readonly proofs: readonly { readonly verifier: string; readonly outcome: string }[];
}

interface Told extends Omit<PassingFacts, "changed" | "proofs"> {
  readonly evidence: {
    readonly proposal: { readonly kind: string; readonly changes?: readonly { readonly path: string }[] };
    readonly proofs: PassingFacts["proofs"];
  };
}

export const passingFacts = ({ loop, run, intent, level, branch, commit, tree, base, approvals, evidence }: Told): PassingFacts => ({
  loop,
  run,
  intent,
  level,
  branch,
  commit,
  tree,
  base,
  approvals: approvals.map(({ by, at }) => ({ by, at })),
  changed: (evidence.proposal.changes ?? []).map(({ path }) => path),
  proofs: evidence.proofs.map(({ verifier, outcome }) => ({ verifier, outcome })),
});
