// The argument for a proposal: what was proven, sentence by sentence, and what nobody looked at. Pure.
import type { Claim, Risk } from "../../contract/api.ts";
import type { Evidence, Proof, Severity } from "../../contract/evidence.ts";
import { factsOf } from "../../contract/proposal.ts";
import type { RoundView, RunView } from "../../contract/views.ts";
import { restedView } from "../../journal/views.ts";

/** What it means that a verifier's check holds. What is not here is told by its name. */
const MEANS: { readonly [verifier: string]: string } = {
  command: "The checks pass with the change.",
  "run-tests": "The tests pass with the change.",
  witness: "A test fails without the change and passes with it.",
  isomorphic: "It does the same when nobody watches.",
  holdout: "Checks that the maker never saw pass too.",
  mutation: "The tests notice when the change is wrong.",
  scope: "It changes nothing besides what it should.",
  grounded: "Everything that it cites is there.",
};

/** What speaks against it comes first. */
export function claimsOf(round: RoundView | undefined): readonly Claim[] {
  if (!round?.evidence) return [];
  const { evidence } = round;
  const claims = [...evidence.proofs.map((proof, index) => claimOf(proof, tookMs(round, proof, index))), ...scanClaim(evidence)];
  return claims.toSorted((one, other) => ORDER.indexOf(one.mark) - ORDER.indexOf(other.mark));
}

const ORDER: readonly Claim["mark"][] = ["refuted", "fabricated", "finding", "gap", "unknown", "holds", "opinion"];

/** Where somebody changed the tree after it was proven, nothing that was proven is about what a decision counts for. */
export const amendedClaim = (by: string, claims: readonly Claim[]): Claim => ({
  mark: "unknown",
  says: "Nobody has checked this tree.",
  detail: `${by} amended the proposal after it was proven. ${claims.length === 1 ? "What was checked before is" : `The ${claims.length} things that were checked before are`} about the maker's own tree. A yes has this one verified before anything moves.`,
  how: { part: "amended", kind: "scan", room: null, box: null, tookMs: null, output: null },
});

function claimOf({ verifier, kind, outcome, detail, output, room, box }: Proof, tookMs: number | null): Claim {
  const holds = MEANS[verifier] ?? (kind === "opinion" ? `${verifier} thinks well of it.` : `${verifier} holds.`);
  // What holds only with the sealed files that the maker changed itself is no proof of anything.
  const isOwn = room === "own" && outcome === "holds";
  return {
    mark: isOwn ? "unknown" : outcome === "holds" ? (kind === "opinion" ? "opinion" : "holds") : outcome,
    says: isOwn
      ? `Only with sealed files that the maker changed: ${verifier} holds.`
      : outcome === "holds"
        ? holds
        : `${OTHERWISE[outcome]}: ${verifier}.`,
    detail,
    how: { part: verifier, kind, room: room ?? null, box: box ?? null, tookMs, output: output ?? null },
  };
}

const OTHERWISE: { readonly [O in Exclude<Proof["outcome"], "holds">]: string } = {
  refuted: "A check refutes it",
  fabricated: "Something that it says is there is not",
  gap: "Two equivalent checks disagree",
  unknown: "A check could not be made",
};

function scanClaim({ findings }: Evidence): readonly Claim[] {
  const how = { part: "scan", kind: "scan", room: null, box: null, tookMs: null, output: null } as const;
  if (findings.length === 0)
    return [{ mark: "holds", says: "The scan of the change found nothing.", detail: "No rule of the guard saw anything.", how }];
  const detail = findings.map(({ rule, severity, where, why }) => `${severity} ${rule} at ${where}: ${why}`).join("\n");
  return [{ mark: "finding", says: `The scan of the change found ${findings.length}.`, detail, how }];
}

/** The steps of verifiers have their numbers, in the order in which the proofs stand. */
function tookMs({ steps }: RoundView, _proof: Proof, index: number): number | null {
  return steps.filter(({ step }) => step.startsWith("verify-"))[index]?.tookMs ?? null;
}

/** Never empty: no check can tell whether somebody wants it. */
export function unseenOf(view: RunView): readonly string[] {
  const { baseline, level, proposal } = view;
  const evidence = restedView(view)?.evidence;
  const proofs = evidence?.proofs ?? [];
  const asked = new Set(proofs.map(({ verifier }) => verifier));
  const unboxed = proofs.some(({ box }) => box?.kind === "none") || (evidence && factsOf(evidence.proposal).box?.kind === "none");
  return [
    ...(evidence ? [] : ["Nothing was made that could be looked at."]),
    ...(proposal?.amendedBy === undefined ? [] : ["What was changed since the checks was not looked at by any of them."]),
    ...(baseline ? [] : ["What the checks say of base alone was not looked at."]),
    ...(asked.has("witness") ? [] : ["Whether a test fails without the change was not looked at."]),
    ...(asked.has("mutation") ? [] : ["Whether the tests would notice a mistake in the changed lines was not looked at."]),
    ...(asked.has("holdout") || asked.has("isomorphic") ? [] : ["No check was kept from the maker."]),
    ...(unboxed ? ["Commands ran without a box: what else they did was not seen."] : []),
    ...(level === "L1" ? [] : ["Whether anybody wants this change is for a person to say."]),
    ...(level === "L1" ? ["Whether the report matters to anybody is for a person to say."] : []),
  ];
}

const countOf = (count: number): string => count.toLocaleString("en-US");

const SEVERITY_RISK: { readonly [S in Severity]: Risk } = { critical: "high", high: "high", medium: "medium", low: "low" };
const RISKS: readonly Risk[] = ["none", "low", "medium", "high"];

/** How much could go wrong with a yes, and why. It is a rule of thumb, made of what is on record. */
export function riskOf(
  evidence: Evidence | null | undefined,
  amendedBy?: string,
): { readonly risk: Risk; readonly risks: readonly string[] } {
  if (!evidence) return { risk: "none", risks: [] };
  if (amendedBy !== undefined) return { risk: "high", risks: [`amended by ${amendedBy}`, "not verified since"] };
  const { changes } = factsOf(evidence.proposal);
  const reasons: (readonly [Risk, string])[] = [
    ...evidence.findings.map(({ severity, rule }) => [SEVERITY_RISK[severity], `${severity} finding: ${rule}`] as const),
    ...(evidence.taint?.kind === "tainted" ? [["medium", "it read outsiders' text"] as const] : []),
    ...(evidence.seal ? [["medium", "it changes sealed files"] as const] : []),
    ...(changes.length > 20 ? [["medium", `${countOf(changes.length)} files change`] as const] : []),
    ...(evidence.proofs.some(({ box }) => box?.kind === "none") ? [["low", "checks ran without a box"] as const] : []),
    ...(changes.length > 0
      ? [["low", changes.length === 1 ? "one file changes" : `${countOf(changes.length)} files change`] as const]
      : []),
  ];
  const worst = Math.max(0, ...reasons.map(([risk]) => RISKS.indexOf(risk)));
  return { risk: RISKS[worst] ?? "none", risks: [...new Set(reasons.map(([, says]) => says))].slice(0, 8) };
}
