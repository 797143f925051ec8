// Everything that can be seen of a proposal, and what follows from it.
import type { Evidence, Finding } from "../contract/evidence.ts";
import { factsOf, type KindName, type ProposalOf } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Taint } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import { isUntouched, type SealPlan } from "../guard/seal.ts";
import { findingOf, guardsAt, passGuards } from "../guard/spec-guards.ts";
import type { RunState } from "../journal/fold.ts";
import { wasEnough } from "./ends.ts";
import { displacedFindings, hushed, untold } from "./hold-out.ts";
import { isWorthVerifying, judge } from "./judge.ts";
import { NOTHING_PLANTED } from "./planted.ts";
import { preparedEvidence, tellPrepared } from "./prepare.ts";
import type { Run } from "./run.ts";
import { inheritedBy, isCertain } from "./stands-on.ts";
import type { Steps } from "./steps.ts";
import { teamFindings } from "./team.ts";
import { termsOf } from "./terms.ts";
import { verifiedEarly, verifyAll } from "./verify.ts";
import { type Judged, weighRound } from "./weigh-round.ts";

interface Made<K extends KindName> {
  readonly proposal: ProposalOf<K>;
  readonly taint: Taint;
  /** Files of base that the maker did not get to see. */
  readonly hidden: readonly string[];
  /** There where it was verified before, in the round that made it. */
  readonly isAgain?: boolean;
}

/** What the checks say of it, and whether that is enough by what the spec measures. */
export async function examine<K extends KindName>(round: Round, run: Run<K>, made: Made<K>, step: Steps): Promise<Judged> {
  const { opened, journal, crew } = run;
  return weighRound(round, opened, journal.state, await inspect(round, run, made, step), untold(crew).size > 0 ? "quiet" : "told");
}

/** What the checks alone say of it. */
export async function inspect<K extends KindName>(
  round: Round,
  run: Run<K>,
  { proposal, taint, hidden, isAgain = false }: Made<K>,
  step: Steps,
): Promise<Judged> {
  const { opened, kind, journal } = run;
  const scanned = await step.light("scan", () => kind.scan(round, proposal, run));
  const planted = isWorthVerifying(proposal) ? await kind.plant(round, proposal, run, step) : NOTHING_PLANTED;
  const sealing = kind.sealing(proposal, run, planted);
  const guarded = await guardProposal(proposal, run, step);
  const early = [...scanned, ...planted.findings, ...guarded, ...displacedFindings(proposal), ...teamFindings(proposal)];
  const seen = isWorthVerifying(proposal)
    ? await verifyAll(round, run, { isAgain, proposal, findings: early, sealing }, step)
    : await verifiedEarly(round, run, proposal, step);
  const { lookAgain } = kind;
  const findings = lookAgain ? [...early, ...(await step.light("look-again", () => lookAgain(run)))] : early;

  const prepared = preparedEvidence(run, proposal);
  const proofs = seen.map((proof) => tellPrepared(proof, prepared));
  const evidence: Evidence = {
    proposal,
    findings,
    proofs,
    ...sealEvidence(sealing),
    taint,
    ...(prepared ? { prepared } : {}),
    ...tracing(journal.state),
    ...byVersion(round),
  };
  const judged = judge(
    { spec: opened.spec, terms: termsOf(opened), roundNumber: round.number, triedTrees: triedTreesIn(journal.state) },
    evidence,
  );
  const { surroundings } = await surroundingsOf(run, evidence, judged, isAgain);
  const refuted = proofs.filter(({ outcome }) => outcome === "refuted").map(({ verifier }) => verifier);
  return {
    evidence: surroundings === undefined ? evidence : { ...evidence, surroundings },
    verdict: hushed(judged, hidden, refuted),
  };
}

/** Noted where somebody may say yes to it soon, and it is then not to be proven again for nothing. */
async function surroundingsOf<K extends KindName>(
  { kind, opened: { spec }, world }: Run<K>,
  { proofs }: Evidence,
  verdict: Verdict,
  isAgain: boolean,
): Promise<{ readonly surroundings?: string | undefined }> {
  const mayBe = kind.deciding !== undefined && !isAgain && verdict.kind === "accept" && spec.level === "L2" && spec.recheck !== "always";
  return mayBe && proofs.every(isCertain) ? { surroundings: await world.surroundings.word(inheritedBy(spec)) } : {};
}

/** What guards of the spec see in what is proposed: in what it adds, as it was kept. */
async function guardProposal<K extends KindName>(
  proposal: ProposalOf<K>,
  { opened, world }: Run<K>,
  step: Steps,
): Promise<readonly Finding[]> {
  const guards = guardsAt(opened.spec.guards, "proposal");
  const { diff } = factsOf(proposal).artifacts;
  if (guards.length === 0 || !diff) return [];
  return step.light("guard", async () => {
    const text = new TextDecoder().decode(await world.artifacts.read(diff));
    const added = text
      .split("\n")
      .flatMap((line) => (line.startsWith("+") && !line.startsWith("+++ ") ? [line.slice(1)] : []))
      .join("\n");
    const unseen = diff.truncated ? guards.map((guard) => ({ guard, why: "not all of it could be looked at" })) : [];
    return [...passGuards(guards, added).hits, ...unseen].map((hit) => findingOf(hit, "what is proposed"));
  });
}

/** Where names alone decide what is sealed, though somebody looked, that is said. */
function tracing({ baseline }: RunState): Pick<Evidence, "notTraced"> {
  const silent = baseline?.checks.flatMap(({ reads }) => (reads?.kind === "not-traced" ? [reads.why] : [])) ?? [];
  return silent[0] === undefined ? {} : { notTraced: silent[0] };
}

/** New instructions have earned nothing, so that what was made by them says so. */
const byVersion = ({ version }: Round): Pick<Evidence, "version"> => (version === undefined ? {} : { version });

export function sealEvidence(plan: SealPlan): Pick<Evidence, "seal"> {
  if (isUntouched(plan)) return {};
  const { restored, dropped, byReading: read } = plan;
  const paths = { restored: restored.map(({ path }) => path), dropped: dropped.map(({ path }) => path) };
  return { seal: read.length === 0 ? paths : { ...paths, read } };
}

/** What earlier rounds finished and lost. A change that its maker only gave up was never refuted. */
export const triedTreesIn = ({ rounds }: RunState): readonly string[] =>
  rounds.flatMap(({ evidence }) => {
    if (!evidence || wasEnough({ evidence })) return [];
    const { tree, talk } = factsOf(evidence.proposal);
    return tree !== undefined && talk?.ended === "finished" ? [tree] : [];
  });
