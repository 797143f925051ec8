import { expect, it } from "vitest";
import { createFakeWorld } from "../../../test/support/fake-world.ts";
import type { LoopRecord } from "../../contract/record.ts";
import { createMemoryJournal } from "../../journal/memory-journal.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { type Audit, auditLoop } from "./audit-loop.ts";

const L2 = {
  name: "fix",
  intent: "Keep main green.",
  level: "L2",
  maker: { use: "claude-code" },
  verifiers: [{ use: "command", with: { run: "npm test" } }],
};
const L3 = { ...L2, level: "L3", gate: { all: [{ use: "allowlist", with: { allow: ["docs/**"] } }] }, act: [{ use: "merge" }] };

/** So many runs by a spec that were proven, and what people said to each of them. */
async function journalOf(runs: readonly { readonly spec: object; readonly taken?: boolean; readonly tampered?: boolean }[], held?: "L2") {
  const journal = createMemoryJournal({ now: () => new Date("2026-01-02T03:04:05Z") });
  for (const [index, { spec, taken, tampered }] of runs.entries()) {
    const place = { loop: "fix", run: `fix-${index}` };
    const reading = readSpec("x", JSON.stringify(spec), builtIn);
    if (reading.kind === "refused") throw new Error("the example is unsound");
    const records: readonly LoopRecord[] = [
      {
        kind: "run-opened",
        number: index,
        spec: reading.spec,
        specHash: reading.hash,
        specPath: "/s.yaml",
        folder: "/",
        repo: "/r",
        base: { ref: "main", commit: "b" },
        cursors: {},
        version: "1",
      },
      {
        kind: "run-rested",
        rest: tampered ? { kind: "escalate", because: "tampering", reason: "" } : { kind: "accept", action: "propose" },
        report: { sha256: "", bytes: 0, truncated: false },
      },
      ...(taken ? [{ kind: "proposal-settled" as const, how: "released" as const, why: "" }] : []),
    ];
    await journal.append(records.map((record) => ({ ...place, record })));
  }
  if (held) await journal.append([{ loop: "fix", run: "fix-standing", record: { kind: "level-held", most: held, by: "ada", why: "" } }]);
  return journal;
}

async function audit(spec: object, runs: Parameters<typeof journalOf>[0] = [], held?: "L2"): Promise<Audit> {
  const { killSwitch } = createFakeWorld().world;
  return auditLoop({ journal: await journalOf(runs, held), killSwitch }, { file: "fix.loop.json", text: JSON.stringify(spec) }, builtIn);
}
const told = ({ exit, claims, readyFor, bySpec, byRecord }: Audit) => ({ exit, claims, readyFor, bySpec, byRecord });
const many = (count: number, one: object) => Array.from({ length: count }, () => ({ spec: L2, ...one }));

it("lets a loop be ready for no more than its record shows, however good its spec is", async () => {
  expect(told(await audit(L3))).toEqual({ exit: "checkFailed", claims: "L3", readyFor: "L1", bySpec: "L3", byRecord: "L1" });
  expect(told(await audit(L2, many(4, {})))).toEqual({ exit: "checkFailed", claims: "L2", readyFor: "L1", bySpec: "L2", byRecord: "L1" });
  expect(told(await audit(L2, many(5, {})))).toEqual({ exit: "done", claims: "L2", readyFor: "L2", bySpec: "L2", byRecord: "L2" });
});

it("lets a loop be ready for no more than its spec shows, however good its record is", async () => {
  const runs = many(12, { taken: true });

  expect(told(await audit(L2, runs))).toEqual({ exit: "done", claims: "L2", readyFor: "L2", bySpec: "L2", byRecord: "L3" });
  expect(told(await audit(L3, runs))).toEqual({ exit: "done", claims: "L3", readyFor: "L3", bySpec: "L3", byRecord: "L3" });
  expect((await audit({ ...L3, gate: { all: [{ use: "allowlist", with: { allow: ["**"] } }] } }, runs)).readyFor).toBe("L1");
});

it("counts only runs by the same maker and the same checks", async () => {
  const answer = await audit({ ...L2, verifiers: [{ use: "command", with: { run: "npm run check" } }] }, many(9, { taken: true }));

  expect({ readyFor: answer.readyFor, runs: answer.runs }).toEqual({ readyFor: "L1", runs: { counted: 0, others: 9 } });
  expect(answer.missing).toEqual(["for L2: a record that supports L2 (no run of it is on record)"]);
});

it("goes by who holds it, and by what it was caught at", async () => {
  expect((await audit(L3, many(12, { taken: true }), "L2")).readyFor).toBe("L2");
  expect((await audit(L3, [...many(12, { taken: true }), { spec: L2, tampered: true }])).readyFor).toBe("L1");
});

it.each([
  ["a rock", { ...L2, maker: { use: "shell", with: { run: "true" } } }],
  ["a loop whose only check cannot fail", { ...L2, verifiers: [{ use: "command", with: { run: "npm test || true" } }] }],
  ["a loop that asks its own maker", { ...L2, verifiers: [{ use: "command", with: { run: "claude -p 'is it right?'" } }] }],
])("holds %s to be ready for nothing", async (_, spec) => {
  expect(told(await audit(spec, many(12, { taken: true })))).toMatchObject({ exit: "checkFailed", readyFor: null, bySpec: null });
});

it("is not impressed by a loop that says of itself that it is good, in whatever words", async () => {
  const unsound = await audit({ ...L2, verifiers: [] });
  const strive = await audit({
    ...L3,
    verifiers: [{ use: "command", with: { run: "true" } }],
    gate: { all: [{ use: "allowlist", with: { allow: ["**"] } }] },
  });

  expect(unsound.exit).toBe("usage");
  expect({ exit: strive.exit, readyFor: strive.readyFor }).toEqual({ exit: "checkFailed", readyFor: null });
});
