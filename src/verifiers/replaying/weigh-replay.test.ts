import { expect, it } from "vitest";
import { endedIn } from "./weigh-replay.ts";

const said = (...lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");

it("knows the call in which a process ended, and none of one that came to its end", () => {
  const one = [{ begun: 0 }, { at: 0, came: { value: 1 } }];

  expect(endedIn(said(...one, { begun: 4 }))).toBe(4);
  expect(endedIn(`${said(...one, { begun: 4 })}\n{"at":4,"ca`)).toBe(4);
  expect(endedIn(said(...one, { begun: 4 }, { at: 4, came: { live: true } }))).toBeUndefined();
  expect(endedIn(said(...one, { begun: 4 }, { ended: true }))).toBeUndefined();
  expect(endedIn(said({ begun: 1 }, { begun: 2 }, { at: 2, came: { value: 1 } }))).toBeUndefined();
  expect(endedIn("")).toBeUndefined();
});
