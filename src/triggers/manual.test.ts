import { expect, it } from "vitest";
import { manual } from "./manual.ts";

it("is never due by itself", () => {
  const nextDue = manual.configure({});

  expect([nextDue(undefined), nextDue(new Date("2024-01-01T12:00:00Z"))]).toEqual([{ kind: "never" }, { kind: "never" }]);
});
