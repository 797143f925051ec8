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
  return claims.toSorted((one, other) => Number(isFor(one)) - Number(isFor(other)));
}

const isFor = ({ mark }: Claim): boolean => mark === "holds" || mark === "opinion";

function claimOf({ verifier, kind, outcome, detail, output, room, box }: Proof, tookMs: number | null): Claim {
  const holds = MEANS[verifier] ?? (kind === "opinion" ? `${verifier} thinks well of it.` : `${verifier} holds.`);
  return {
    mark: outcome === "holds" ? (kind === "opinion" ? "opinion" : "holds") : outcome,
    says: outcome === "holds" ? holds : `${OTHERWISE[outcome]}: ${verifier}.`,
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
  const { baseline, level } = view;
  const evidence = restedView(view)?.evidence;
  const proofs = evidence?.proofs ?? [];
  const asked = new Set(proofs.map(({ verifier }) => verifier));
  const unboxed = proofs.some(({ box }) => box?.kind === "none") || (evidence && factsOf(evidence.proposal).box?.kind === "none");
  return [
    ...(evidence ? [] : ["Nothing was made that could be looked at."]),
    ...(baseline ? [] : ["What the checks say of base alone was not looked at."]),
    ...(asked.has("witness") ? [] : ["Whether a test fails without the change was not looked at."]),
    ...(asked.has("mutation") ? [] : ["Whether the tests would notice a mistake in the changed lines was not looked at."]),
    ...(asked.has("holdout") || asked.has("isomorphic") ? [] : ["No check was kept from the maker."]),
    ...(unboxed ? ["Commands ran without a box: what else they did was not seen."] : []),
    ...(level === "L1" ? [] : ["Whether anybody wants this change is for a person to say."]),
    ...(level === "L1" ? ["Whether the report matters to anybody is for a person to say."] : []),
  ];
}

const SEVERITY_RISK: { readonly [S in Severity]: Risk } = { critical: "high", high: "high", medium: "medium", low: "low" };
const RISKS: readonly Risk[] = ["none", "low", "medium", "high"];

/** How much could go wrong with a yes, and why. It is a rule of thumb, made of what is on record. */
export function riskOf(evidence: Evidence | null | undefined): { readonly risk: Risk; readonly risks: readonly string[] } {
  if (!evidence) return { risk: "none", risks: [] };
  const { changes } = factsOf(evidence.proposal);
  const reasons: (readonly [Risk, string])[] = [
    ...evidence.findings.map(({ severity, rule }) => [SEVERITY_RISK[severity], `${severity} finding: ${rule}`] as const),
    ...(evidence.taint?.kind === "tainted" ? [["medium", "it read outsiders' text"] as const] : []),
    ...(evidence.seal ? [["medium", "it changes sealed files"] as const] : []),
    ...(changes.length > 20 ? [["medium", `${changes.length} files`] as const] : []),
    ...(evidence.proofs.some(({ box }) => box?.kind === "none") ? [["low", "checks ran without a box"] as const] : []),
    ...(changes.length > 0 ? [["low", `${changes.length} file(s) change`] as const] : []),
  ];
  const worst = Math.max(0, ...reasons.map(([risk]) => RISKS.indexOf(risk)));
  return { risk: RISKS[worst] ?? "none", risks: [...new Set(reasons.map(([, says]) => says))].slice(0, 8) };
}
