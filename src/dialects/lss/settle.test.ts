import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { SOUND_LSS } from "../../../test/support/lss.ts";
import { builtIn } from "../../app/crew.ts";
import { nativeSurface } from "../native-surface.ts";
import { sheetOf } from "../sheet.ts";
import { EMPTY_SHELF, type Translation } from "../translation.ts";
import { lss } from "./lss.ts";

const native = nativeSurface(builtIn);

const translate = (value: object, set: readonly (readonly [string, string])[]): Translation =>
  lss.translate(
    "l.yaml",
    sheetOf(stringify(value)),
    {
      providers: new Map(),
      use: undefined,
      test: "npm test",
      set: new Map([["length.most", "300"], ...set]),
      commits: false,
      libraries: [],
    },
    native,
    EMPTY_SHELF,
  );

/** The sound document with an evaluator, a channel, a constraint and a metric that are there twice. */
function twins(): { [key: string]: unknown } {
  const document = parse(SOUND_LSS);
  const [, clarity] = document.evaluators;
  document.evaluators.push({ ...clarity, rubric: { ...clarity.rubric, pass_threshold: 0.9 } });
  document.feedback_channels.push({ ...document.feedback_channels[0] });
  document.safety_constraints.push({ ...document.safety_constraints[1] });
  document.metrics.push({ ...document.metrics[0], target: 0.9 });
  return document;
}

describe("ids that are there twice", () => {
  it("are refused unless somebody says what becomes of them", () => {
    expect(translate(twins(), []).kind).toBe("refused");
    expect(translate(twins(), [["ids", "whatever"]]).kind).toBe("refused");
  });

  it("get names of their own, each told, and what is wanted of a metric is wanted of both", () => {
    const translation = translate(twins(), [["ids", "rename"]]);
    if (translation.kind !== "translated") throw new Error(JSON.stringify(translation));
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the spec as its reader would, by name
    const { verifiers, metrics, until } = translation.spec as { [key: string]: any };

    expect(verifiers.map(({ id }: { id: string }) => id)).toEqual(["length", "clarity", "clarity_2"]);
    expect(Object.entries<{ primary?: boolean }>(metrics).map(([name, { primary }]) => [name, primary === true])).toEqual([
      ["clarity_score", true],
      ["words", false],
      ["cost_usd", false],
      ["clarity_score_2", false],
    ]);
    expect(until.success.map(({ when }: { when: string }) => when)).toEqual(["clarity_score >= 0.8", "clarity_score_2 >= 0.8"]);
    expect(translation.fates.flatMap(({ path, why }) => (why.includes("ids=rename") ? [`${path}: ${why}`] : []))).toEqual([
      "evaluators[2].id: --set ids=rename: it is clarity_2",
      "feedback_channels[1].id: --set ids=rename: it is clarity-to-writer_2",
      "safety_constraints[2].id: --set ids=rename: it is no-secrets_2",
      "metrics[3].name: --set ids=rename: it is clarity_score_2",
    ]);
  });

  it("stay an error of workers, to whom others lead, and beside anything else that is wrong", () => {
    const workers = parse(SOUND_LSS);
    workers.workers.push({ ...workers.workers[1] });
    const more = twins();
    more.cost_limits = { ...(more.cost_limits as object), cumulative_usd: 0.01 };

    expect([translate(workers, [["ids", "rename"]]).kind, translate(more, [["ids", "rename"]]).kind]).toEqual(["refused", "refused"]);
  });
});

describe("a merge that the standard does not name", () => {
  const composed = {
    ...parse(SOUND_LSS),
    composition: {
      type: "parallel",
      children: [
        { id: "a", ref: "a.yaml", role: "branch" },
        { id: "b", ref: "b.yaml", role: "branch" },
      ],
      merge: { strategy: "consensus_rubric" },
    },
  };

  it("is refused unless one is named that the standard has", () => {
    expect(translate(composed, []).kind).toBe("refused");
    expect(translate(composed, [["merge.strategy", "banana"]]).kind).toBe("refused");
  });

  it("is the one that somebody names, and only its children are asked for then", () => {
    const translation = translate(composed, [["merge.strategy", "synthesize"]]);

    expect(translation.kind === "stuck" && translation.fates.filter(({ kind }) => kind === "asked").map(({ path }) => path)).toEqual([
      "composition.children[0].ref",
      "composition.children[1].ref",
    ]);
  });
});
