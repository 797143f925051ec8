// Has base looked at, and writes down what was seen.
import type { Baseline } from "../contract/baseline.ts";
import { LoopError } from "../contract/errors.ts";
import { recallBaseline } from "../journal/flakes.ts";
import { baseRoundOf } from "./names.ts";
import { asFailure } from "./outcome.ts";
import { layPrepared } from "./prepare.ts";
import { recordedMs } from "./recorded-ms.ts";
import type { Run } from "./run.ts";
import { looksOf, takeBaseline } from "./take-baseline.ts";

/** Once in a run and before its first round; gives back a failure that passes. */
export async function closeBaseline(run: Run): Promise<LoopError | undefined> {
  const { opened, crew, journal, world, watch } = run;
  const { baseline, rounds, rest } = journal.state;
  const looks = looksOf(opened, crew);
  if (baseline || rest || rounds.length > 0 || looks.length === 0) return undefined;
  if (run.stop.asked())
    return new LoopError("interrupted", "stopped before base was looked at", { retry: "later", hint: "Go on with `lw resume`." });
  const past = await recallBaseline(run.records, journal.loop);
  watch({ kind: "step-began", id: journal.run, step: "baseline" });
  const startedMs = world.clock.monotonicMs();
  const before = journal.entries.length;
  const tookMs = (): number => Math.max(0, Math.round(world.clock.monotonicMs() - startedMs - recordedMs(journal.entries.slice(before))));
  const round = baseRoundOf(journal, opened, "");
  try {
    const seen = await takeBaseline(await layPrepared(run), looks, past);
    journal.hold({ kind: "baseline-taken", baseline: seen, tookMs: tookMs() });
  } catch (error) {
    const failure = asFailure(error);
    const { code, message, hint } = failure;
    if (failure.retry === "later") {
      await journal.write({ kind: "round-failed", roundId: round.id, code, message, hint, retry: "later", tookMs: tookMs() });
      return failure;
    }
    // The quarantine is carried on as it was.
    const stopped: Baseline = { tree: "", checks: [], quarantine: past.flakes, failure: { code, message, hint } };
    journal.hold({ kind: "baseline-taken", baseline: stopped, tookMs: tookMs() });
  }
  await world.workshop.close(round);
  return undefined;
}
