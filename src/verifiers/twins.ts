// The same tests once more, in other surroundings and with twins among them: so that it is the tests that say yes, and nobody in their name.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { tellNames } from "../std/tell-tests.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { Results, RUN_OPTIONS, runTests, sightOf } from "./run-tests.ts";
import { languageToTwin, ofOneWay, planTwins, type TestText, TWINNED_RUNNERS, type TwinPlan } from "./twinning/plan-twins.ts";
import { strangeIn } from "./twinning/read-guard.ts";
import { type Instrumented, runElsewhere, runWithTwins } from "./twinning/run-with-twins.ts";
import { absentTwins, misbehaved, weighTwins } from "./twinning/weigh-twins.ts";

const options = z.strictObject({
  ...RUN_OPTIONS,
  results: Results.meta({
    description:
      "How the result of every test is read, as for other verifiers: twins are told by them. `file` is where the runner writes them, inside the copy.",
    examples: [{ format: "junit", file: "reports/junit.xml" }],
  }),
  tests: z
    .int()
    .min(1)
    .max(10_000)
    .default(40)
    .meta({
      description: "How many tests to twin, besides those in files with tests that are red on base: these always are.",
      examples: [40],
    }),
});
type Options = z.infer<typeof options>;

export const twins = defineCommitVerifier({
  name: "twins",
  kind: "proof",
  summary:
    "Holds when the tests pass in other surroundings with twins among them, and each twin that must fail does: code that silences tests, or knows them, is told.",
  options,
  baseline: LOOK_AT_BASE,
  async verify(claim, chosen, world) {
    const plan = await planFor(claim, chosen, world);
    if (plan.twins.length === 0) return unknown(tellNone(plan), undefined);
    const first = await runWithTwins("proposal", plan.twins, chosen, world);
    // A twin that says the contrary may wait for ever for what it should not.
    const isLong = first.kind === "unread" && first.sight.detail.includes(TOOK_LONGER);
    const calm = isLong ? plan.twins.filter(({ kind }) => kind !== "neg") : plan.twins;
    const proposal = isLong ? await runWithTwins("proposal", calm, chosen, world) : first;
    if (proposal.kind === "unread") return whyUnread(proposal.sight, claim, chosen, world);
    const sight = await weigh(proposal, { ...plan, twins: calm }, claim, chosen, world);
    const left = isLong ? ["not tried: tests that say the contrary, since the run did not come to its end with them"] : [];
    return {
      ...sight,
      detail: [sight.detail, ...left, ...tellUnheard(proposal), ...tellUntwinned(plan)].join("\n"),
      output: proposal.output,
    };
  },
});

const TOOK_LONGER = "took longer than";

/** Base's tests, and those that the change adds; of Rust also what it changes, since tests stand in the source there. */
async function planFor(claim: CommitClaim, { tests, run, results }: Options, world: VerifierWorld): Promise<TwinPlan> {
  const inSource = claim.proposal.changes.flatMap(({ path, after }) => (after && path.endsWith(".rs") ? [{ path, blob: after.blob }] : []));
  const listed = new Map([...(await world.rooms.testFiles()), ...inSource].map(({ path, blob }) => [path, blob]));
  const twinnable = [...listed].flatMap(([path, blob]) => (languageToTwin(path) === undefined ? [] : [{ path, blob }]));
  const known = ofOneWay(twinnable, run, results.format);
  if (known.length === 0) return { twins: [], untwinned: [] };
  const contents = await world.rooms.contents(known.map(({ blob }) => blob));
  const files = known.flatMap(({ path, blob }): readonly TestText[] => {
    const bytes = contents.get(blob);
    return bytes === undefined ? [] : [{ path, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) }];
  });
  const syntax = await world.loadSyntax(new Set(known.map(({ path }) => languageToTwin(path)!)));
  return planTwins(files, syntax, { seed: world.seed, red: claim.red ?? [], most: tests });
}

const tellNone = ({ untwinned }: TwinPlan): string =>
  untwinned.length === 0
    ? `there are no twins for these tests: they can be written for ${TWINNED_RUNNERS}`
    : `no twin could be written of these tests: ${tellNames(untwinned)}`;

const tellUnheard = ({ guard }: Extract<Instrumented, { kind: "read" }>): readonly string[] =>
  guard?.heard === 0
    ? ["not looked at: whether functions that tests hang on are replaced, since the command lets nothing be loaded first"]
    : [];

const tellUntwinned = ({ untwinned }: TwinPlan): readonly string[] =>
  untwinned.length === 0 ? [] : [`no twin could be written of (${untwinned.length}): ${tellNames(untwinned)}`];

/** Where nothing can be read with twins, at least what is red without them is told. */
async function whyUnread(sight: Sight, claim: CommitClaim, chosen: Options, world: VerifierWorld): Promise<Sight> {
  const plain = sightOf(await runTests(() => claim.checkout, chosen, world), chosen, claim.quarantined);
  if (plain.outcome === "refuted") return plain;
  return { ...sight, outcome: "unknown", detail: `with twins among the tests it cannot be told: ${sight.detail}` };
}

/** Base and the tests by themselves are run only where there is something to ask them. */
async function weigh(
  proposal: Extract<Instrumented, { kind: "read" }>,
  { twins: planned }: TwinPlan,
  claim: CommitClaim,
  chosen: Options,
  world: VerifierWorld,
): Promise<Pick<Sight, "outcome" | "detail">> {
  const quarantined = claim.quarantined ?? [];
  const apart = new Set(quarantined);
  const red = [...proposal.run.known].filter(([id, outcome]) => outcome === "failed" && !apart.has(id)).map(([id]) => id);
  const plain = red.length > 0 ? await runTests(() => claim.checkout, chosen, world) : undefined;
  const plainSight = plain && sightOf(plain, chosen, quarantined);
  if (plainSight && plainSight.outcome !== "holds") return plainSight;
  const plainTests = plain?.kind === "exited" ? plain.results?.tests : undefined;

  const absent = absentTwins(proposal.run, planned);
  const isQuiet = misbehaved(proposal.run, apart).length === 0 && absent.length === 0 && red.length === 0 && isClean(proposal);
  if (isQuiet)
    return weighTwins({ proposal: proposal.run, base: undefined, plain: undefined, elsewhere: undefined }, quarantined, claim.red);

  const base = await runWithTwins("base-with-new-tests", planned, chosen, world);
  if (base.kind === "unread") return unknown(`base could not be asked with twins among its tests: ${base.sight.detail}`, undefined);
  const strange = strangeIn(proposal.guard, base.guard);
  if (strange.length > 0)
    return {
      outcome: "refuted",
      detail: `deaf: with this change, and not on base, functions that tests hang on are replaced: ${tellNames(strange)}`,
    };
  const missing = absentTwins(base.run, planned);
  const gone = absent.filter((twin) => !missing.includes(twin));
  if (gone.length > 0)
    return {
      outcome: "refuted",
      detail: `deaf: twins of these files are heard on base, and not with this change: ${tellNames(gone.map(({ known }) => known))}`,
    };
  const isOpen = red.some((id) => base.run.known.get(id) !== "passed");
  const elsewhere = isOpen ? await runElsewhere("proposal", chosen, world) : undefined;
  return weighTwins(
    { proposal: proposal.run, base: base.run, plain: plainTests && outcomesOf(plainTests), elsewhere: elsewhere && outcomesOf(elsewhere) },
    quarantined,
    claim.red,
  );
}

const isClean = ({ guard }: Extract<Instrumented, { kind: "read" }>): boolean =>
  guard === undefined || (guard.replaced.length === 0 && guard.silent === 0 && guard.heard > 0);

const outcomesOf = (tests: readonly { readonly id: string; readonly outcome: "passed" | "failed" | "skipped" | "todo" }[]) =>
  new Map(tests.map(({ id, outcome }) => [id, outcome]));

const unknown = (detail: string, output: Sight["output"]): Sight => ({ outcome: "unknown", detail, output });
