// From evidence to a verdict: pure judgements, read top to bottom; no answer means a human must look.
import type { Evidence, Finding, Proof } from "../contract/evidence.ts";
import { factsOf, KINDS } from "../contract/proposal.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import type { Because, Verdict } from "../contract/verdict.ts";
import { DOCUMENT_BOUNDS } from "../guard/document.ts";
import { CHANGED_MEANWHILE, NOT_BEGUN, PROTECTED_PATH } from "../guard/protected.ts";
import { isProven, levelOf, standsOn } from "./level-of.ts";
import type { Terms } from "./terms.ts";

/** What a verdict may depend on besides the evidence. */
export interface Case {
  readonly spec: LoopSpec;
  readonly terms: Terms;
  readonly roundNumber: number;
  /** Trees that earlier rounds of this run proposed in vain. */
  readonly triedTrees: readonly string[];
}

type Judgement = (the: Case, evidence: Evidence) => Verdict | undefined;

/** Refuses the round: another one if there is one left, else a human. */
function refuse({ terms, roundNumber }: Case, because: Because, lesson: string): Verdict {
  return roundNumber < terms.rounds
    ? { kind: "retry", because, lesson: untrustedText(lesson) }
    : { kind: "escalate", because, reason: lesson };
}

const beyondLevel: Judgement = ({ spec }, evidence) =>
  levelOf(spec, evidence) === "L1" && KINDS[evidence.proposal.kind].isDecided
    ? { kind: "escalate", because: "outside-level", reason: beyondReason(spec) }
    : undefined;

const beyondReason = ({ level }: LoopSpec): string =>
  level === "L1"
    ? "an L1 loop may only report, and its maker proposed a change"
    : "this run has read outsiders' text and may then only report, and its maker proposed a change";

/** Only a referee sees these: what nobody may touch was touched, or nobody can tell whether it was. */
const untouchable: Judgement = (_, { findings }) => {
  const told = (rules: readonly string[]): string =>
    findings
      .filter(({ rule }) => rules.includes(rule))
      .map(({ where, why }) => `${where}. ${why}`)
      .join("\n");
  const touched = told([PROTECTED_PATH]);
  if (touched !== "") return { kind: "escalate", because: "outside-level", reason: `protected paths were touched: ${touched}` };
  const unclear = told([CHANGED_MEANWHILE, NOT_BEGUN]);
  return unclear === "" ? undefined : { kind: "escalate", because: "cannot-verify", reason: unclear };
};

/** A guard of the spec says itself what follows; the gravest counts. */
const guarded: Judgement = (the, { findings }) => {
  const told = (...thens: readonly Finding["then"][]): string =>
    findings
      .filter(({ then }) => then !== undefined && thens.includes(then))
      .map(({ rule, where, why }) => `${rule}: ${where}. ${why}`)
      .join("\n");
  if (told("halt") !== "") return { kind: "halt", because: "blocked", reason: told("halt") };
  if (told("escalate") !== "") return { kind: "escalate", because: "blocked", reason: told("escalate") };
  return told("withhold") === "" ? undefined : refuse(the, "blocked", told("withhold"));
};

const tampered: Judgement = (the, { findings, proposal }) => {
  const grave = findings.filter(({ severity }) => severity === "critical" || severity === "high");
  if (grave.length === 0) return undefined;
  const reason = grave.map(({ rule, where, why }) => `${rule}: ${where}. ${why}`).join("\n");
  if (the.spec.gate.tampering === "retry" && !isTried(the, proposal)) return refuse(the, "tampering", reason);
  return { kind: "escalate", because: "tampering", reason };
};

/** What a check of workers' results held back was never made: the check says why, and not that its makers gave up. */
const heldBack: Judgement = (the, evidence) => {
  const { talk } = factsOf(evidence.proposal);
  if (!talk || talk.ended === "finished") return undefined;
  return fabricated(the, evidence) ?? unverifiable(the, evidence) ?? gapped(the, evidence) ?? refuted(the, evidence);
};

const unfinished: Judgement = (the, { proposal }) => {
  const { talk } = factsOf(proposal);
  return talk && talk.ended !== "finished" ? refuse(the, "maker-unfinished", `The maker did not finish: ${talk.summary}`) : undefined;
};

/** Nobody answers while a loop runs. One that asked and still changed something may have found its own answer: that is for the checks to say. */
const asked: Judgement = (_, { proposal }) => {
  const { talk, changes } = factsOf(proposal);
  return talk?.question !== undefined && (talk.ended === "asked" || changes.length === 0)
    ? { kind: "escalate", because: "question", reason: `the maker asks: ${talk.question}` }
    : undefined;
};

const stalled: Judgement = (the, { proposal }) =>
  isTried(the, proposal)
    ? { kind: "escalate", because: "stalled", reason: "the maker proposed exactly what an earlier round already refuted" }
    : undefined;

const unchanged: Judgement = (the, { proposal }) =>
  KINDS[proposal.kind].hasFiles && factsOf(proposal).changes.length === 0
    ? refuse(the, "check-failed", "The maker changed nothing.")
    : undefined;

/** It is not the document that was asked for, and its maker can do better. */
const outOfBounds: Judgement = (the, { findings }) => {
  const found = findings.filter(({ rule }) => DOCUMENT_BOUNDS.includes(rule));
  return found.length > 0 ? refuse(the, "check-failed", found.map(({ where, why }) => `${where}. ${why}`).join("\n")) : undefined;
};

const fabricated: Judgement = (_, { proofs }) => {
  const found = proofs.filter(({ outcome }) => outcome === "fabricated");
  return found.length > 0 ? { kind: "escalate", because: "fabricated", reason: tell(found) } : undefined;
};

const unverifiable: Judgement = (_, { proofs }) => {
  const open = proofs.filter(({ outcome }) => outcome === "unknown");
  return open.length > 0 ? { kind: "escalate", because: "cannot-verify", reason: tell(open) } : undefined;
};

/** A check that says now this, now that proves nothing, and another round would not make it one that does. */
const gapped: Judgement = (_, { proofs }) => {
  const gaps = proofs.filter(({ outcome }) => outcome === "gap");
  return gaps.length > 0 ? { kind: "escalate", because: "gap", reason: tell(gaps) } : undefined;
};

/** Right by its own tests, and by base's wrong, or not to be told, as where both together do not compile: either it was meant to change what is checked, or it was meant to pass. A human knows. */
const unsealed: Judgement = (_, { proofs, seal }) => {
  const own = proofs.filter(({ room }) => room === "own");
  const broken = proofs.filter(({ room, outcome }) => room === "sealed" && (outcome === "refuted" || outcome === "unknown"));
  if (!seal || broken.length === 0 || own.length === 0 || own.some(({ outcome }) => outcome !== "holds")) return undefined;
  const files = [...seal.restored, ...seal.dropped];
  const named = `${files.slice(0, MOST_NAMED).join(", ")}${files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : ""}`;
  return {
    kind: "escalate",
    because: "seal",
    reason: `it passes only with its own version of sealed files (${named}); with base's version: ${tell(broken)}`,
  };
};

const MOST_NAMED = 10;

const refuted: Judgement = (the, { proofs }) => {
  const broken = proofs.filter(({ outcome }) => outcome === "refuted");
  // Where only a person said no, that is what it is called.
  const because = broken.every(({ verifier }) => verifier === "human") ? "rejected" : "check-failed";
  return broken.length > 0 ? refuse(the, because, tell(broken)) : undefined;
};

/** Some things cannot be proven: then at least somebody must have looked, and nobody must have doubted. */
const isHeldGood = ({ proposal, proofs }: Evidence): boolean =>
  KINDS[proposal.kind].mayBeOpinion &&
  proofs.some(({ kind, outcome, of }) => kind === "opinion" && outcome === "holds" && of === undefined);

const unproven: Judgement = (_, evidence) =>
  isProven(evidence) || isHeldGood(evidence)
    ? undefined
    : { kind: "escalate", because: "cannot-verify", reason: "no proof holds: nothing was shown" };

/** What is proven is proposed. Whether it may move then is for decisions, gates and the level to say, and never for a verdict. */
const gated: Judgement = ({ spec, terms }, evidence) => ({
  kind: "accept",
  action: levelOf(spec, evidence) !== "L1" && KINDS[evidence.proposal.kind].isDecided && terms.proposes ? "propose" : "report",
  ...standsOn(evidence),
});

/** Read top to bottom: the first judgement that has an answer gives the verdict. */
const JUDGEMENTS: readonly Judgement[] = [
  beyondLevel,
  untouchable,
  guarded,
  tampered,
  asked,
  heldBack,
  unfinished,
  stalled,
  unchanged,
  outOfBounds,
  fabricated,
  unsealed,
  unverifiable,
  gapped,
  refuted,
  unproven,
  gated,
];

export function judge(the: Case, evidence: Evidence): Verdict {
  for (const judgement of JUDGEMENTS) {
    const verdict = judgement(the, evidence);
    if (verdict) return verdict;
  }
  return { kind: "escalate", because: "cannot-verify", reason: "no judgement applied" };
}

/** A change of nothing, or one that its maker gave up, needs no proof to be refused. */
export function isWorthVerifying(proposal: Evidence["proposal"]): boolean {
  const { talk, changes } = factsOf(proposal);
  return talk === undefined || (changes.length > 0 && talk.ended === "finished");
}

function isTried({ triedTrees }: Case, proposal: Evidence["proposal"]): boolean {
  const { tree } = factsOf(proposal);
  return tree !== undefined && triedTrees.includes(tree);
}

const tell = (proofs: readonly Proof[]): string =>
  proofs
    .map(({ verifier, detail, room, of }) => {
      const what = of ? ` (of ${of.join(", ")})` : room ? ` (${ROOM[room]})` : "";
      return `${verifier}${what}: ${detail}`;
    })
    .join("\n");

const ROOM = { sealed: "with base's version of the sealed files", own: "with its own version of the sealed files" } as const;
