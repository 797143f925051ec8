// Lets the verifiers look at a proposal, one after the other, each in a copy of its own.
import type { Finding, Proof } from "../contract/evidence.ts";
import { factsOf, type KindName, type ProposalOf } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { looksAtWork } from "../contract/team-graph.ts";
import type { VerifyOf } from "../contract/verifier.ts";
import type { SealPlan } from "../guard/seal.ts";
import { type Asked, askPeople } from "./ask-people.ts";
import { rubricHash } from "./mark-example.ts";
import { timeLeftMs } from "./next-round.ts";
import { isNotAsked } from "./not-asked.ts";
import type { Check, Run } from "./run.ts";
import { showWork, type WorkMade } from "./show-work.ts";
import type { Steps } from "./steps.ts";
import { boxVerifier } from "./worlds/box-world.ts";
import { outOfTime } from "./worlds/guard-proc.ts";
import { createDesk, createVerifierWorld } from "./worlds/verifier-world.ts";

interface ToVerify<K extends KindName> {
  /** Whether it was verified before, in the round that made it. */
  readonly isAgain: boolean;
  readonly proposal: ProposalOf<K>;
  readonly findings: readonly Finding[];
  readonly sealing: SealPlan;
}

/**
 * One verifier after the other, each in a copy of its own, so that none sees what another left behind. How often each looks is
 * a question of the kind: a change of sealed files is looked at twice.
 */
export async function verifyAll<K extends KindName>(
  round: Round,
  run: Run<K>,
  { isAgain, proposal, findings, sealing }: ToVerify<K>,
  step: Steps,
): Promise<readonly Proof[]> {
  const seen: (readonly [index: number, proof: Proof])[] = [];
  const looks = await run.kind.looks(round, proposal, sealing, run);
  for (const [index, verifier] of proofsFirst(run.crew.verifiers)) {
    const isTaken = run.journal.result(round.id, verifyStep(index)) !== undefined;
    const proofs = (): readonly Proof[] => seen.map(([, proof]) => proof);
    const id = run.opened.spec.verifiers[index]?.id;
    if (!isTaken && isNotAsked({ kind: verifier.kind, asks: verifier.asks !== undefined }, id, proofs())) continue;
    if (looksAtWork(run.opened.spec, run.opened.spec.verifiers[index] ?? {})) {
      // How it was made does not change when it is looked at again, or when somebody else made it.
      const { team } = factsOf(proposal);
      if (!isAgain && team) seen.push([index, await verifyWork(round, run, index, team.workers, step)]);
      continue;
    }
    for (const { suffix, room, tested } of looks) {
      const name = `${index + 1}${suffix}`; // as `verifyStep` has it
      const about = { round, proposal, verifier, number: index + 1, name, tested };
      const sight = await step(`verify-${name}`, () => verifyOne(run, about, { findings, proofs: proofs() }, id));
      seen.push([index, { verifier: verifier.name, kind: verifier.kind, ...(id ? { id } : {}), ...sight, ...(room ? { room } : {}) }]);
    }
  }
  return seen.toSorted(([a], [b]) => a - b).map(([, proof]) => proof);
}

/** Who only has an opinion is asked when there is nothing left to prove. */
const proofsFirst = <V extends VerifyOf<KindName>>(verifiers: readonly V[]): readonly (readonly [index: number, verifier: V])[] =>
  [...verifiers.entries()].toSorted(([, a], [, b]) => Number(a.kind === "opinion") - Number(b.kind === "opinion"));

const verifyStep = (index: number): string => `verify-${index + 1}`;

/** How a step is taken: alone, or beside others. */
export type TakeStep = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Lets a verifier look at what workers made. What it says is on record as that of any other. */
export async function verifyWork<K extends KindName>(
  round: Round,
  run: Run<K>,
  index: number,
  made: readonly WorkMade[],
  step: TakeStep,
): Promise<Proof> {
  const verifier = run.crew.verifiers[index];
  const { id, of = [] } = run.opened.spec.verifiers[index] ?? {};
  if (!verifier) throw new TypeError(`there is no verifier ${index + 1}`);
  const sight = await step(verifyStep(index), () =>
    showWork(round, run, { of, made, name: verifyStep(index) }, ({ at, proposal, tested }) =>
      verifyOne(
        run,
        { round, at, proposal, verifier, number: index + 1, name: String(index + 1), tested },
        { findings: [], proofs: [] },
        id,
      ),
    ),
  );
  return { verifier: verifier.name, kind: verifier.kind, ...(id ? { id } : {}), ...sight, of };
}

/** What checks of workers' results said before the rest of the team went on, where that is all there is. */
export async function verifiedEarly<K extends KindName>(
  round: Round,
  run: Run<K>,
  proposal: ProposalOf<K>,
  step: Steps,
): Promise<readonly Proof[]> {
  const workers = factsOf(proposal).team?.workers ?? [];
  const taken = run.opened.spec.verifiers.flatMap(({ before }, index) =>
    before !== undefined && run.journal.result(round.id, verifyStep(index)) ? [index] : [],
  );
  return Promise.all(taken.map((index) => verifyWork(round, run, index, workers, step)));
}

/** What was seen of the proposal so far. */
interface SoFar {
  readonly findings: readonly Finding[];
  readonly proofs: readonly Proof[];
}

/** Figures are kept of verifiers that have an id: nobody could speak of the others'. */
async function verifyOne<K extends KindName>(bare: Run<K>, about: Omit<Check<K>, "timeLeftMs">, sofar: SoFar, id: string | undefined) {
  const { run, enforced, caches } = boxVerifier(bare);
  const { asks }: VerifyOf<KindName> = about.verifier;
  const facts = factsOf(about.proposal);
  const { measured, ...sight } =
    asks && facts.tree !== undefined
      ? await askPeople(about.round, { tree: facts.tree, ...ofWork(about, run) }, asks, run)
      : await look(run, about, sofar);
  const known = measured && about.verifier.kind === "opinion" ? await calibrationOf(run, about.number) : undefined;
  const detail = known === undefined ? sight.detail : `${sight.detail}\ncalibration: ${known}`;
  const lent = caches();
  return { ...sight, detail, ...(id && measured ? { measured } : {}), ...(lent.length > 0 ? { caches: lent } : {}), box: enforced() };
}

const MOST_CALIBRATIONS = 50;

/** How far it agreed with people, where somebody held exactly this rubric against examples. */
async function calibrationOf({ opened, records, journal }: Run, number: number): Promise<string | undefined> {
  const ref = opened.spec.verifiers[number - 1];
  const all = await records.newestOf(journal.loop, "calibrated", { most: MOST_CALIBRATIONS });
  return all.find(({ record }) => record.verifier === (ref?.id ?? ref?.use) && record.rubric === rubricHash(ref?.with))?.record.says;
}

/** What people should look at, where that is not the proposal. */
function ofWork<K extends KindName>(
  { at, number, proposal }: Omit<Check<K>, "timeLeftMs">,
  { opened }: Run<K>,
): Pick<Asked, "of" | "shows"> {
  const { of } = opened.spec.verifiers[number - 1] ?? {};
  const { diff } = factsOf(proposal).artifacts;
  return at && of && diff ? { of, shows: diff } : {};
}

async function look<K extends KindName>(run: Run<K>, about: Omit<Check<K>, "timeLeftMs">, { findings, proofs }: SoFar) {
  const { opened, journal, meter } = run;
  const { round } = about;
  const { name: verifier }: VerifyOf<KindName> = about.verifier;
  const left = timeLeftMs(opened, journal.state);
  if (left === 0) throw outOfTime(opened.spec.budget);
  const commands = meter.commands(round);
  const calls = meter.calls(round, { maker: verifier });
  const desk = createDesk({ verifier, timeLeftMs: left, findings, proofs, meter: calls }, run);
  try {
    return await run.kind.verify({ ...about, timeLeftMs: left }, run, (rooms) => ({
      ...createVerifierWorld((about.at ?? round).id, left, opened.spec.budget, run, rooms, commands.add),
      desk,
    }));
  } finally {
    await calls.settleAll();
    await commands.settle();
  }
}
