import { expect, it } from "vitest";
import { manual } from "./manual.ts";

it("is never woken by a time or by anything that happens", () => {
  expect(manual.configure({})).toEqual({ hears: [] });
});
