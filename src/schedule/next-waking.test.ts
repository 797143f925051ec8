import { expect, it } from "vitest";
import { DAY, HOUR, MINUTE, NOON, planFor, slotsEvery } from "../../test/support/schedule-world.ts";
import type { Wake } from "../contract/spec.ts";
import { nextWaking } from "./next-waking.ts";
import { windowsOf } from "./windows.ts";

const within = (...windows: NonNullable<Wake["within"]>) => windowsOf({ within: windows });
const ALL_DAY = { from: "00:00", to: "24:00", zone: "UTC" } as const;

it("is the next time, with its jitter", () => {
  const plan = planFor("a", { slots: slotsEvery(HOUR), jitterMs: 10 * MINUTE });

  const next = nextWaking(plan, NOON);

  expect(next).toMatchObject({ kind: "at", slot: NOON + HOUR });
  expect(next.kind === "at" && next.dueAt > NOON + HOUR && next.dueAt < NOON + HOUR + 10 * MINUTE).toBe(true);
});

it("leaves out the times at which its window is shut", () => {
  const plan = planFor("a", { slots: slotsEvery(HOUR, 30 * MINUTE), windows: within({ from: "22:00", to: "06:00", zone: "UTC" }) });

  expect(nextWaking(plan, NOON)).toEqual({ kind: "at", slot: NOON + 10.5 * HOUR, dueAt: NOON + 10.5 * HOUR });
});

it("finds a time of a short interval behind many that are shut", () => {
  const plan = planFor("a", { slots: slotsEvery(1000), windows: within({ ...ALL_DAY, dates: ["2027-03-01"] }) });

  expect(nextWaking(plan, NOON)).toMatchObject({ kind: "at", slot: Date.parse("2027-03-01T00:00:00Z") });
});

it("says that no time comes any more while its window is open", () => {
  const plan = planFor("a", { slots: slotsEvery(DAY), windows: within({ ...ALL_DAY, dates: ["2020-01-01"] }) });

  expect(nextWaking(plan, NOON)).toEqual({ kind: "shut" });
  expect(nextWaking(planFor("a", { slots: undefined }), NOON)).toEqual({ kind: "no-slot" });
});
