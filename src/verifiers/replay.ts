// Calls that the tests make are made again in a plain process: code that is right only while it is tested, or only now and then, answers otherwise there.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../contract/verifier.ts";

import { LOOK_AT_BASE } from "./look-at-base.ts";
import { gentleVariantsOf } from "./replaying/gentle.ts";
import { languageToPlay, type Played } from "./replaying/note-calls.ts";
import { playAsUsual, playElsewhere } from "./replaying/play-elsewhere.ts";
import { type Recorded, recordCalls } from "./replaying/record-calls.ts";
import { type AskedGently, tellUnasked, unaskedIn } from "./replaying/unasked.ts";
import { type Value, variantsOf } from "./replaying/vary.ts";
import {
  type Asked,
  beyondHabit,
  fitsOnlyWhatIsShown,
  functionOf,
  type Gap,
  habitsOn,
  isHeardOn,
  type NotedCall,
  reachOf,
  tellGaps,
  unsteadyIn,
  watchedIn,
} from "./replaying/weigh-replay.ts";
import { RUN_OPTIONS, runTests, sightOf } from "./run-tests.ts";

const options = z.strictObject({
  ...RUN_OPTIONS,
  variants: z
    .int()
    .min(0)
    .max(100)
    .default(24)
    .meta({
      description: "How many other calls to try for each that the tests make, of functions that touch nothing outside. 0 for none.",
      examples: [24],
    }),
  unasked: z
    .enum(["ask", "hold"])
    .default("ask")
    .meta({
      description:
        "What to do where calls close to those of the tests are answered in ways that no test asks for: hand the change to a person, who sees them in five lines, or let it hold.",
      examples: ["hold"],
    }),
  ifNone: z
    .enum(["unknown", "hold"])
    .default("unknown")
    .meta({
      description:
        "What to say when no call of the tests can be made again, such as when all they hand over is alive. Where it holds so, nobody acts alone.",
      examples: ["hold"],
    }),
});
type Options = z.infer<typeof options>;

export const replay = defineCommitVerifier({
  name: "replay",
  kind: "proof",
  summary:
    "Holds when a plain process, without tests and runner, answers the calls of the tests as they were answered; code that is right only while watched, by chance or for what tests show is told, and answers that no test asks for are shown to a person.",
  options,
  baseline: LOOK_AT_BASE,
  whyNeverAlone: ({ run, ifNone }) =>
    ifNone === "hold" && languageToPlay(run) === undefined ? `${CAN_PLAY}, and ${JSON.stringify(run)} names none of them` : undefined,
  async verify(claim, chosen, world) {
    const language = languageToPlay(chosen.run);
    if (language === undefined) return none(CAN_PLAY, chosen);
    const recorded = await recordProposal(language, claim, chosen, world);
    if (recorded.kind === "nothing") return none(recorded.why, chosen);
    const red = await whyRed(recorded.run, claim, chosen, world);
    // Tests that base's are like as well are red since somebody takes notes; what the others called counts.
    if (red) return { ...red, output: recorded.output };
    const shown = recorded.recording.calls;
    if (shown.length === 0) return none("no call of the tests could be noted: all that they hand over lives in one process only", chosen);

    const calm = recorded.calmOnBase;
    const plainly: readonly (Asked & AskedGently)[] = [
      ...shown.map((call) => ({ call, of: undefined, isNear: true, how: undefined })),
      ...shown
        .flatMap((call, of) =>
          !calm.has(call.path) || isOfGoObject(call)
            ? []
            : variantsOf(call.args, `${world.seed} ${of}`, chosen.variants, call.deeds !== undefined).map(({ args, isNear }) => ({
                call: { ...call, args, came: undefined },
                of,
                isNear,
                how: undefined,
              })),
        )
        .slice(0, MOST_VARIANTS),
    ];
    const asked = [...plainly, ...gentlyAsked(shown, calm, language, chosen, world)];
    const calls = asked.map(({ call, of }) => ({ ...call, again: of === undefined && calm.has(call.path) }));
    const played = await playElsewhere(language, { calls, recording: recorded.recording, chosen }, world);
    if (played.kind === "unplayed") return none(played.why, chosen);
    const { proposal, proposalToo, base, baseToo } = played;
    const heard = shown.filter((_, at) => proposal.came.get(at) !== undefined).length;
    if (heard === 0) return none("no function that the tests call could be found in a plain process", chosen);

    const all = asked.map(({ call }) => call);
    const unsteady = beyondHabit(unsteadyIn(all, proposal, proposalToo), unsteadyIn(all, base, baseToo)).filter(isOnBase(all, base));
    if (unsteady.length > 0)
      return refuted(`unsteady: the same call has two answers, and one on base\n${tellGaps(unsteady, "once", "then")}`);
    const watched = watchedIn(shown, proposal);
    if (watched.length > 0) {
      const habit = await recordCalls("base-with-new-tests", language, chosen, world);
      const onBase = habit.kind === "recorded" ? habit.recording.calls : [];
      const left = beyondHabit(watched, habitsOn(onBase, shown, base));
      const known = left.filter(isOnBase(all, base)).filter(isHeardOn(onBase));
      if (known.length > 0)
        return refuted(`watched: a plain process gets another answer than the tests got\n${tellGaps(known, "tested", "plain")}`);
      if (left.length > 0)
        return {
          outcome: "gap",
          detail: `functions that are new, or that base's tests never came to, answer a plain process otherwise than the tests\n${tellGaps(left, "tested", "plain")}`,
          output: undefined,
        };
    }
    const fitted = reachOf(plainly, proposal, base).filter(fitsOnlyWhatIsShown);
    if (fitted.length > 0) {
      const [first] = fitted;
      return refuted(
        `fitted: next to nothing changed but what the tests show: of ${first!.variants} calls like them, ${first!.changed} are answered in the new way\n${tellGaps(first!.shown, "on base", "now")}`,
      );
    }
    const usual =
      recorded.recording.usual.size === 0
        ? { came: new Map(), again: new Map(), rivals: [] }
        : await playAsUsual(language, { calls, recording: recorded.recording, chosen, questions: recorded.questions }, world);
    const weighed = { asked, base, proposal, usual, conditions: recorded.questions.all, sources: recorded.sources };
    const unasked = chosen.unasked === "hold" ? [] : unaskedIn(weighed);
    if (unasked.length > 0)
      return {
        outcome: "gap",
        detail: `a person should look: calls close to those of the tests are answered in ways that no test asks for\n${tellUnasked(unasked)}`,
        output: recorded.output,
      };
    return {
      outcome: "holds",
      detail: `a plain process answers ${heard} calls of the tests as they were answered, again and again${all.length > shown.length ? `, and ${all.length - shown.length} other calls the same in two processes` : ""}`,
      output: recorded.output,
    };
  },
});

const CAN_PLAY = "calls can be made again of tests in JavaScript, Python and Go";
const MOST_VARIANTS = 1500;
const MOST_GENTLE = 2400;
const GENTLE_EACH = 32;

/** Calls close to the shown ones, of functions that may be asked what no test asks. */
function gentlyAsked(
  shown: readonly NotedCall[],
  calm: ReadonlySet<string>,
  language: Played,
  { variants }: Options,
  { seed }: VerifierWorld,
): readonly (Asked & AskedGently)[] {
  if (variants === 0) return [];
  const byFunction = new Map<string, Value[]>();
  for (const call of shown) byFunction.set(functionOf(call), [...(byFunction.get(functionOf(call)) ?? []), call.args]);
  const depth = language === "python" ? 2 : 1;
  return shown
    .flatMap((call, of) => {
      if (!calm.has(call.path) || isOfGoObject(call)) return [];
      const others = byFunction.get(functionOf(call)) ?? [];
      const found = gentleVariantsOf({
        args: call.args,
        others,
        depth: call.deeds === undefined ? depth : depth + 1,
        hasNames: call.deeds !== undefined,
        seed: `${seed} ${of}`,
        most: GENTLE_EACH,
      });
      return found.map(({ args, how }) => ({ call: { ...call, args, came: undefined }, of, isNear: false, how }));
    })
    .slice(0, MOST_GENTLE);
}

/** Once more without its questions noted, where tests are red only with them: some code cannot be asked. */
async function recordProposal(language: Played, claim: CommitClaim, chosen: Options, world: VerifierWorld): Promise<Recorded> {
  const recorded = await recordCalls("proposal", language, chosen, world);
  if (recorded.kind === "nothing" || recorded.questions.all.length === 0) return recorded;
  if (sightOf(recorded.run, chosen, claim.quarantined).outcome === "holds") return recorded;
  return recordCalls("proposal", language, chosen, world, { asks: false });
}

/** The object is the first of what it was given: others that are made up may be none that there could be. */
const isOfGoObject = ({ name }: NotedCall): boolean => name.startsWith("(");

const refuted = (detail: string): Sight => ({ outcome: "refuted", detail, output: undefined });

/** Where that is enough for a person, who is told of it, it is not for a loop that acts alone. */
const none = (why: string, { ifNone }: Options): Sight => ({
  detail: `nothing was made again: ${why}`,
  output: undefined,
  ...(ifNone === "hold" ? { outcome: "holds", emptyHanded: why } : { outcome: "unknown" }),
});

/** Base has the function: a call of it came to something there. */
function isOnBase(all: readonly { readonly path: string; readonly name: string }[], base: { readonly came: ReadonlyMap<number, unknown> }) {
  const there = new Set(all.flatMap(({ path, name }, at) => (base.came.has(at) ? [`${path}#${name}`] : [])));
  return ({ call }: Gap): boolean => there.has(`${call.path}#${call.name}`);
}

/** Tests that are red only while calls are noted: the code looks for whoever notes them, or cannot be noted. */
async function whyRed(
  run: Parameters<typeof sightOf>[0],
  claim: CommitClaim,
  chosen: Options,
  world: VerifierWorld,
): Promise<Sight | undefined> {
  const noted = sightOf(run, chosen, claim.quarantined);
  if (noted.outcome === "holds") return undefined;
  const plain = sightOf(await runTests(() => claim.checkout, chosen, world), chosen, claim.quarantined);
  if (plain.outcome !== "holds") return plain;
  const language = languageToPlay(chosen.run)!;
  const base = await recordCalls("base-with-new-tests", language, chosen, world);
  const redOn = (of: typeof run): readonly string[] =>
    of.kind === "exited" ? (of.results?.tests ?? []).filter(({ outcome }) => outcome === "failed").map(({ id }) => id) : [];
  const habits = new Set([...(base.kind === "recorded" ? redOn(base.run) : []), ...(claim.quarantined ?? [])]);
  const known = new Set(claim.red ?? []);
  const strange = redOn(run).filter((id) => !habits.has(id) || known.has(id));
  if (strange.length === 0) return undefined;
  return { outcome: "gap", detail: `it holds by itself, and not while calls are noted: ${noted.detail}`, output: undefined };
}
