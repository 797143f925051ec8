// How far a loop may go with what it proposed, by the evidence: nobody acts alone on what is in doubt. Pure.
import type { Evidence } from "../contract/evidence.ts";
import { factsOf, KINDS } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import type { Accepted } from "../contract/verdict.ts";
import type { Alone } from "../contract/views.ts";
import { cappedLevel } from "../guard/text/taint.ts";

/** What the loop may do, after what it has read: below L3 where anything says that it should not act alone. */
export function levelOf({ level, outsiders }: LoopSpec, evidence: Evidence): LoopSpec["level"] {
  const capped = cappedLevel(level, outsiders.level, evidence.taint ?? { kind: "clean" });
  return capped === "L3" && whyInDoubt(evidence) !== undefined ? "L2" : capped;
}

/** Why an L3 loop may not act alone on this, whatever it has earned; undefined where it may, or where its level is lower. */
export function whyHeldBack(spec: LoopSpec, evidence: Evidence): string | undefined {
  if (spec.level !== "L3" || levelOf(spec, evidence) === "L3") return undefined;
  return whyInDoubt(evidence) ?? "it read text of outsiders";
}

/** With what this evidence says against it. */
export const aloneOn = (alone: Alone, heldBack: string | undefined): Alone =>
  heldBack === undefined ? alone : { kind: "not", why: alone.kind === "not" ? `${heldBack}; ${alone.why}` : heldBack };

function whyInDoubt(evidence: Evidence): string | undefined {
  const { notTraced, proofs, version } = evidence;
  if (!wasBoxed(evidence)) return "not every command was in a box";
  if (notTraced !== undefined) return `it could not be told what its checks read, so that names alone say what is sealed: ${notTraced}`;
  const { on } = standsOn(evidence);
  if (on !== undefined)
    return on === "part" ? "only a part of what was asked is proven" : "it is held good by opinions, and proven by nothing";
  const empty = proofs.find(({ emptyHanded }) => emptyHanded !== undefined);
  if (empty) return `${empty.verifier} found nothing that it could look at: ${empty.emptyHanded}`;
  return version === undefined ? undefined : "it was made by new instructions, which have earned nothing";
}

/** Nothing is said about a box in records from before there was one: then there was none. */
function wasBoxed({ proposal, proofs }: Evidence): boolean {
  const boxes = [...factsOf(proposal).boxes, ...proofs.map(({ box }) => box)];
  return boxes.every((box) => box !== undefined && box.kind !== "none");
}

export const isProven = ({ proofs }: Pick<Evidence, "proofs">): boolean =>
  proofs.some(({ kind, outcome, room, of }) => kind === "proof" && outcome === "holds" && room !== "own" && of === undefined);

/** How far less is proven than was asked; nothing where all of it is. */
export function standsOn(evidence: Evidence): Pick<Accepted, "on" | "stillRed"> {
  if (KINDS[evidence.proposal.kind].mayBeOpinion && !isProven(evidence)) return { on: "opinion" };
  const stillRed = [...new Set(evidence.proofs.flatMap((proof) => (proof.room === "own" ? [] : (proof.stillRed ?? []))))];
  return stillRed.length === 0 ? {} : { on: "part", stillRed };
}
