import { expect, it } from "vitest";
import { tellResumed } from "./tell-resumed.ts";

it.each([
  ["nothing was interrupted", { hasFreedAll: false, isAllStopped: false, runs: 0 }, ["nothing was interrupted"]],
  ["runs went on", { hasFreedAll: false, isAllStopped: false, runs: 2 }, []],
  ["everything is stopped", { hasFreedAll: false, isAllStopped: true, runs: 0 }, ["everything is stopped: `lw resume --all` ends that"]],
  [
    "that was ended",
    { hasFreedAll: true, isAllStopped: false, runs: 0 },
    ["everything may run again: what `lw stop --all` began is over", "nothing was interrupted"],
  ],
  [
    "that was ended, and runs went on",
    { hasFreedAll: true, isAllStopped: false, runs: 1 },
    ["everything may run again: what `lw stop --all` began is over"],
  ],
])("says what there is to know where %s", (_, resumed, says) => {
  expect(tellResumed(resumed)).toEqual(says);
});
