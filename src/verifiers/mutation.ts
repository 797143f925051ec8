// A spot check of the checks: if the changed lines are made wrong on purpose, somebody should notice.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { Change } from "../contract/proposal.ts";
import { Duration } from "../contract/spec.ts";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import type { RoomOrder } from "../contract/workshop.ts";
import { formatDuration, parseDuration } from "../std/duration.ts";
import { sha256 } from "../std/hash.ts";
import { LOOK_AT_BASE } from "./look-at-base.ts";
import { changedLines } from "./reading/changed-lines.ts";
import { expectationsOf } from "./reading/expectations.ts";
import { languageOf } from "./reading/mask-code.ts";
import { type Mutant, mutantsOf, probeOf, withMutant } from "./reading/mutants.ts";
import { RUN_OPTIONS, runTests, sightOf, type TestRun } from "./run-tests.ts";

const options = z.strictObject({
  ...RUN_OPTIONS,
  mutants: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .meta({ description: "How many mutants to try at most.", examples: [8] }),
  time: Duration.default("5m").meta({ description: "How long to go on trying.", examples: ["5m"] }),
  atLeast: z
    .number()
    .min(0.01)
    .max(1)
    .default(0.6)
    .meta({ description: "The share of mutants that must be noticed.", examples: [0.6] }),
  expectations: z
    .int()
    .min(0)
    .max(50)
    .default(0)
    .meta({
      description:
        "How many values that the tests expect to make wrong, one at a time: every one must be noticed, or it is not the tests that say yes. This writes to copies of test files, which code under test can see; `twins` asks the same without a known byte changed, so this is for tests without a runner that `twins` knows.",
      examples: [4],
    }),
  ifNone: z
    .enum(["unknown", "hold"])
    .default("unknown")
    .meta({ description: "What to say when no changed line can be mutated, such as when only texts changed.", examples: ["unknown"] }),
});
type Options = z.infer<typeof options>;

export const mutation = defineCommitVerifier({
  name: "mutation",
  kind: "proof",
  summary: "Holds when a command notices enough of the mistakes that are put, one at a time, into the lines that the change touched.",
  options,
  baseline: LOOK_AT_BASE,
  async verify(claim, chosen, world) {
    const sources = await readSources(claim, world);
    const mutants = choose(claim.proposal.tree, sources.flatMap(mutantsOfSource), chosen.mutants);
    const tests = await readTests(chosen, world);
    const expectations = choose(claim.proposal.tree, tests.flatMap(expectationsOfTest), chosen.expectations);
    if (mutants.length + expectations.length === 0) return none(chosen);

    const whole = sightOf(await runTests(() => claim.checkout, chosen, world), chosen, claim.quarantined);
    if (whole.outcome !== "holds")
      return { ...whole, detail: `the change itself does not pass, so nothing can be noticed: ${whole.detail}` };
    const doubt = await doubtOf(await tryAll(expectations, tests, chosen, world, claim), tests, chosen, world, claim);
    if (doubt !== undefined) return { ...doubt, output: whole.output };
    if (mutants.length === 0) return none(chosen);
    const trials = await tryAll(mutants, sources, chosen, world, claim);
    const unreached = await unreachedIn(trials, sources, chosen, world, claim);
    return judgeTrials(trials, unreached, mutants.length, chosen, whole.output);
  },
});

/** A file that the change touched, and the lines in it that it wrote. */
interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly number[];
}

const MOST_SOURCE_BYTES = 1024 * 1024;

/** Tests are left out: they are what should notice. */
async function readSources({ proposal }: CommitClaim, { rooms }: VerifierWorld): Promise<readonly Source[]> {
  const code = proposal.changes.filter(
    ({ path, after }) => after?.mode.startsWith("100") && languageOf(path) !== undefined && !rooms.newTests.includes(path),
  );
  if (code.length === 0) return [];
  const contents = await rooms.contents(code.flatMap(({ before, after }) => [before, after].flatMap((side) => (side ? [side.blob] : []))));
  return code.flatMap((change) => sourceOf(change, contents));
}

function sourceOf({ path, before, after }: Change, contents: ReadonlyMap<string, Uint8Array>): readonly Source[] {
  const now = after && contents.get(after.blob);
  const old = before && contents.get(before.blob);
  if (!now || now.length > MOST_SOURCE_BYTES || (old?.length ?? 0) > MOST_SOURCE_BYTES) return [];
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(now);
  // Text that is not what it decodes to could not be written back as it was.
  if (Buffer.compare(new TextEncoder().encode(text), now) !== 0) return [];
  return [{ path, text, lines: changedLines(old ? new TextDecoder().decode(old) : "", text).added }];
}

const mutantsOfSource = ({ path, text, lines }: Source): readonly Mutant[] => mutantsOf(path, text, lines);

/** Tests as they are looked at: base's, and those that the change adds. */
async function readTests({ expectations }: Options, { rooms }: VerifierWorld): Promise<readonly Source[]> {
  if (expectations === 0) return [];
  const files = (await rooms.testFiles()).filter(({ path }) => languageOf(path) !== undefined).slice(0, MOST_TESTS);
  if (files.length === 0) return [];
  const contents = await rooms.contents(files.map(({ blob }) => blob));
  return files.flatMap(({ path, blob }) => sourceOf({ path, before: undefined, after: { mode: "100644", blob } }, contents));
}

const MOST_TESTS = 500;

const expectationsOfTest = ({ path, text }: Source): readonly Mutant[] => expectationsOf(path, text);

/**
 * Expectations that nobody missed. If base hears one of them go wrong, the change made the tests deaf. If not, its line may
 * never run, or its test may be red on base anyway, which proves nothing either way; only where base can tell nothing at all,
 * and nothing was heard with the change, is there doubt.
 */
async function doubtOf(
  tried: readonly Trial[],
  tests: readonly Source[],
  chosen: Options,
  world: VerifierWorld,
  claim: Pick<CommitClaim, "quarantined">,
): Promise<Omit<Sight, "output"> | undefined> {
  const deaf = tried.filter(({ noticed }) => !noticed);
  if (deaf.length === 0) return undefined;
  const of = "base-with-new-tests";
  const plain = await runTests(() => world.rooms.open({ of }), chosen, world);
  const mutants = deaf.map(({ mutant }) => mutant);
  const heard = (await tryAll(mutants, tests, chosen, world, claim, of)).filter(({ run }) => isRedder(run, plain));
  if (heard.length > 0)
    return {
      outcome: "refuted",
      detail: `with this change the tests no longer notice when they expect something wrong:\n${tellDeaf(heard)}`,
    };
  const canTell = plain.kind === "exited" && (plain.code === 0 || plain.results !== undefined);
  return canTell || deaf.length < tried.length
    ? undefined
    : {
        outcome: "unknown",
        detail: `the tests do not notice when they expect something wrong, so they may not be what says yes; with \`results\` base could tell:\n${tellDeaf(deaf)}`,
      };
}

/** Whether something fails that does not fail in the other run of the same tests. */
function isRedder(run: TestRun, plain: TestRun): boolean {
  if (run.kind !== "exited" || plain.kind !== "exited") return false;
  if (plain.code === 0) return run.code !== 0;
  const before = new Set(failedIn(plain));
  return failedIn(run).some((id) => !before.has(id));
}

const failedIn = ({ results }: Extract<TestRun, { kind: "exited" }>): readonly string[] =>
  (results?.tests ?? []).filter(({ outcome }) => outcome === "failed").map(({ id }) => id);

const tellDeaf = (trials: readonly Trial[]): string =>
  trials.map(({ mutant: { path, line, what } }) => `- ${path}:${line}: nobody notices when ${what}`).join("\n");

/** The same choice for the same tree. One mutant of each line comes before a second of any. */
function choose(tree: string, mutants: readonly Mutant[], most: number): readonly Mutant[] {
  const lot = ({ path, line, what, result }: Mutant): string => sha256(JSON.stringify([tree, path, line, what, result]));
  const drawn = mutants.map((mutant) => ({ mutant, lot: lot(mutant) })).sort((a, b) => (a.lot < b.lot ? -1 : 1));
  const seen = new Map<string, number>();
  const ranked = drawn.map(({ mutant }) => {
    const place = JSON.stringify([mutant.path, mutant.line]);
    const rank = seen.get(place) ?? 0;
    seen.set(place, rank + 1);
    return { mutant, rank };
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ mutant }) => mutant);
}

interface Trial {
  readonly mutant: Mutant;
  readonly run: TestRun;
  readonly noticed: boolean;
}

/** One after the other, each in a room of its own, until the time is over. One whose check could not be made tells nothing. */
async function tryAll(
  mutants: readonly Mutant[],
  sources: readonly Source[],
  chosen: Options,
  world: VerifierWorld,
  { quarantined }: Pick<CommitClaim, "quarantined">,
  of: RoomOrder["of"] = "proposal",
): Promise<readonly Trial[]> {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const [fullMs, mostMs] = [parseDuration(chosen.timeout)!, parseDuration(chosen.time)!];
  const trials: Trial[] = [];
  let spentMs = 0;
  const timed: VerifierWorld = {
    ...world,
    proc: {
      async run(command) {
        const finished = await world.proc.run(command);
        spentMs += finished.tookMs;
        return finished;
      },
    },
  };
  for (const mutant of mutants) {
    const leftMs = mostMs - spentMs;
    if (leftMs < 1) break;
    const room = await world.rooms.open({ of });
    await world.roomFiles(room).write(mutant.path, withMutant(texts.get(mutant.path) ?? "", mutant));
    const run = await runTests(() => room, { ...chosen, timeout: `${Math.floor(Math.min(fullMs, leftMs))}ms` }, timed);
    await world.rooms.discard(room);
    const { outcome } = sightOf(run, chosen, quarantined);
    // A mutant that hangs was noticed; one that was cut short by our own limit might have passed.
    if (run.kind === "timed-out" && leftMs >= fullMs) trials.push({ mutant, run, noticed: true });
    else if (outcome !== "unknown") trials.push({ mutant, run, noticed: outcome !== "holds" });
  }
  return trials;
}

/** Of the mutants that nobody noticed, those on lines to which no check comes: that says something of the checks, and nothing of the change. */
async function unreachedIn(
  trials: readonly Trial[],
  sources: readonly Source[],
  chosen: Options,
  world: VerifierWorld,
  claim: Pick<CommitClaim, "quarantined">,
): Promise<ReadonlySet<Mutant>> {
  const texts = new Map(sources.map(({ path, text }) => [path, text]));
  const survivors = trials.filter(({ noticed }) => !noticed).map(({ mutant }) => mutant);
  const probes = new Map<string, Mutant>();
  for (const { path, line } of survivors) {
    const probe = probeOf(path, texts.get(path) ?? "", line);
    if (probe) probes.set(`${path}:${line}`, probe);
  }
  const tried = await tryAll([...probes.values()], sources, chosen, world, claim);
  const silent = new Set(tried.filter(({ noticed }) => !noticed).map(({ mutant: { path, line } }) => `${path}:${line}`));
  return new Set(survivors.filter(({ path, line }) => silent.has(`${path}:${line}`)));
}

function judgeTrials(
  all: readonly Trial[],
  unreached: ReadonlySet<Mutant>,
  planned: number,
  chosen: Options,
  output: Sight["output"],
): Sight {
  const { atLeast, time } = chosen;
  if (all.length === 0) return unknown(`no mutant could be tried within ${formatDuration(parseDuration(time)!)}`, output);
  const trials = all.filter(({ mutant }) => !unreached.has(mutant));
  const untold = [...new Set([...unreached].map(({ path, line }) => `- ${path}:${line}: no check comes here, so that it was not counted`))];
  if (trials.length === 0) {
    const nothing = none(chosen);
    return { ...nothing, detail: [`no check comes to the changed lines that were tried`, ...untold].join("\n"), output };
  }
  const noticed = trials.filter((trial) => trial.noticed).length;
  const cut = all.length < planned ? ` (${planned - all.length} more could not be tried)` : "";
  const survivors = trials
    .filter((trial) => !trial.noticed)
    .map(({ mutant: { path, line, what } }) => `- ${path}:${line}: nobody notices when ${what}`);
  return {
    outcome: noticed / trials.length >= atLeast ? "holds" : "refuted",
    detail: [
      `${noticed} of ${trials.length} mutants were noticed${cut}, at least ${Math.round(atLeast * 100)}% must be`,
      ...survivors,
      ...untold,
    ].join("\n"),
    output,
  };
}

const none = ({ ifNone }: Options): Sight =>
  ifNone === "hold"
    ? { outcome: "holds", detail: "no changed line can be mutated, and the spec takes that for enough", output: undefined }
    : unknown("no changed line can be mutated, so nothing is shown; set `ifNone: hold` if that is enough", undefined);

const unknown = (detail: string, output: Sight["output"]): Sight => ({ outcome: "unknown", detail, output });
