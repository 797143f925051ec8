// Whether a verifier need not look at what is refused anyway. Pure.
import type { Proof } from "../contract/evidence.ts";

/** Nobody's time or money is taken for what is refused anyway; but who has an id gives figures that others ask for. */
export function isNotAsked(
  { kind, asks }: { readonly kind: Proof["kind"]; readonly asks: boolean },
  id: string | undefined,
  proofs: readonly Proof[],
): boolean {
  const counting = proofs.filter(({ room }) => room !== "own");
  if (asks) return counting.some(({ outcome }) => outcome !== "holds");
  const isRefuted = counting.some((proof) => proof.kind === "proof" && (proof.outcome === "refuted" || proof.outcome === "fabricated"));
  return kind === "opinion" && id === undefined && isRefuted;
}
