import { describe, expect, it } from "vitest";
import { scoreAs, type TheirFile } from "./score-as.ts";

const TRACE = '"trace_version": "1.0", "loop_name": "demo", "success": true';
const traceOf = (fields: string): TheirFile => ({ path: "trace.json", text: `{${TRACE}, ${fields}}` });
const ROUND = '{"evaluator_scores": {"q": 0.9}, "cost_usd": 0.05}';

describe("what another tool would say", () => {
  it("takes no trace for a spec, though it names its loop", () => {
    const trace = traceOf(`"iterations": [${ROUND}]`);
    expect(() => scoreAs("core", trace, [])).toThrow("nothing that core would score");
    expect(scoreAs("loopctl", trace, []).results).toHaveLength(1);
  });

  it.each([
    [`"total_cost_usd": 1e999, "iterations": [${ROUND}]`, "total_cost_usd is Infinity"],
    [`"total_cost_usd": -1, "iterations": [${ROUND}]`, "total_cost_usd is -1, and less than nothing"],
    [`"iterations": "x"`, 'iterations is "x", and no list'],
    [`"success": false`, "iterations is missing"],
    [`"iterations": [{"cost_usd": "free"}]`, 'iterations[0].cost_usd is "free"'],
    [`"iterations": [{"evaluator_scores": {"q": -1e999}}]`, "iterations[0].evaluator_scores.q is -Infinity"],
    [`"iterations": [{"evaluator_scores": [1]}]`, "no map of figures"],
  ])("scores no trace with %s", (fields, says) => {
    expect(() => scoreAs("loopctl", traceOf(fields), [])).toThrow(says);
  });

  it("scores neither records nor submissions with what cannot be", () => {
    const record = { path: "r.json", text: '{"trajectory": [{"goal_score": 0.5, "cost_usd": -3}]}' };
    const submission = { path: "s.json", text: '{"results": [{"task_id": "t", "runs": [{"g_0": 0, "g_final": 1e999}]}]}' };
    expect(() => scoreAs("loopnet", record, [])).toThrow("trajectory[0].cost_usd is -3");
    expect(() => scoreAs("loopgym", record, [])).toThrow("trajectory[0].cost_usd is -3");
    expect(() => scoreAs("loopbench", submission, [])).toThrow("t runs[0].g_final is Infinity");
  });
});
