import { expect, it } from "vitest";
import type { Baseline } from "../../contract/baseline.ts";
import type { Proof } from "../../contract/evidence.ts";
import type { RunView } from "../../contract/views.ts";
import { measureRun, refusedIn } from "./measured-run.ts";

const proof = (verifier: string, outcome: Proof["outcome"] = "holds"): Proof => ({
  verifier,
  kind: "proof",
  outcome,
  detail: "",
  output: undefined,
});

/** As much of a view as is looked at. */
const accepted = (proofs: readonly Proof[], base: "red" | "green" = "green"): RunView => {
  const evidence = { proofs, findings: [] };
  const view = {
    run: "fix-1",
    openedAt: "2026-03-01T10:00:00.000Z",
    resumed: 0,
    cost: { known: true, usd: 0.1, tokens: 0, basis: "reported" },
    baseline: { checks: [{ state: base, verifiers: [{ number: 1, name: "command" }] }] } as unknown as Baseline,
    rounds: [{ steps: [{ step: "make", tookMs: 1000 }], evidence, verdict: { kind: "accept", action: "propose" } }],
    rest: { kind: "accept", action: "propose" },
    proposal: null,
  };
  return view as unknown as RunView; // the rest of a view is not looked at
};

const measured = (view: RunView, elsewhere: readonly string[] = []) => measureRun(view, 3, new Set([...refusedIn(view), ...elsewhere]));

it("counts what was proven by a check that refused base", () => {
  expect(measured(accepted([proof("command")], "red"))).toMatchObject({ goals: [1], isProven: true, isShown: true });
});

it("counts nothing that only checks held for which never refused anything: they may always say yes", () => {
  expect(measured(accepted([proof("command")]))).toMatchObject({ goals: [0], isProven: false, isShown: false });
  expect(measured(accepted([proof("scope")]))).toMatchObject({ isShown: false });
});

it("knows a check that refused another run of the loop, or that looks for a difference itself", () => {
  expect(measured(accepted([proof("command")]), ["command"])).toMatchObject({ isShown: true });
  expect(measured(accepted([proof("witness")]))).toMatchObject({ isShown: true });
});
