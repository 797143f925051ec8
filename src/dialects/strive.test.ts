import fc from "fast-check";
import { expect, it } from "vitest";
import type { LedgerSource } from "../contract/receipt.ts";
import { createStriveLogReader, readStriveState } from "./strive.ts";

const NO_CHAIN = "Strive keeps no chain, ids or hashes: whatever was changed, removed or added cannot be seen";

const triage = { ts: "2026-06-28T09:00:00Z", loop: "watch", result: "found", action: "wrote-state", high: 1, watch: 3, note: "" };
const fix = {
  ts: "2026-06-28T10:00:00Z",
  loop: "fix",
  result: "proposed",
  action: "opened-branch",
  branch: "loop/fix-1",
  attempts: 2,
  note: "",
};

function read(lines: readonly (string | undefined)[], mostRows?: number): LedgerSource {
  const reader = createStriveLogReader("state.runlog.jsonl", mostRows);
  for (const line of lines) reader.line(line);
  return reader.end();
}

it("reads each row of the run log as a run, and says that nothing can be verified", () => {
  const source = read([JSON.stringify(triage), JSON.stringify(fix), ""]);

  expect(source).toEqual({
    label: "state.runlog.jsonl",
    system: "strive",
    runs: [
      { id: expect.any(String), system: "strive", loop: "watch", at: "2026-06-28T09:00:00.000Z", result: "passed", findings: 4 },
      { id: expect.any(String), system: "strive", loop: "fix", at: "2026-06-28T10:00:00.000Z", result: "passed", rounds: 2 },
    ],
    chain: { kind: "unchained", why: NO_CHAIN },
  });
});

it.each([
  ["found", "passed"],
  ["proposed", "passed"],
  ["merged", "passed"],
  ["clean", "nothing-to-do"],
  ["escalated", "unknown"],
  ["error", "unknown"],
  ["whatever", "unknown"],
  ["__proto__", "unknown"],
])("counts %s as %s", (result, counted) => {
  expect(read([JSON.stringify({ ...fix, result })]).runs[0]?.result).toBe(counted);
});

it("names torn, bad and overlong lines, and still counts the others", () => {
  const source = read([JSON.stringify(triage), "[]", undefined, `{"loop":"x"}`, JSON.stringify(fix), `{"ts":"2026`]);

  expect(source.runs.map(({ loop }) => loop)).toEqual(["watch", "fix"]);
  expect(source.chain).toEqual({
    kind: "unchained",
    why: `${NO_CHAIN}; line 2 is not a JSON object; line 3 is too long, and was not read; line 4 is no row: it does not name a loop and a result; line 6 is not a JSON object`,
  });
});

it("says where it stopped looking", () => {
  expect(read([JSON.stringify(triage), JSON.stringify(fix), JSON.stringify(fix)], 1).chain).toMatchObject({
    why: expect.stringMatching(/line 2 is past the 1 rows that are read: what comes from here on was not looked at$/),
  });
});

it("reads the last run of each loop from the state file, the same run as in the log", () => {
  const { ts, result, branch, attempts, note } = fix;
  const state = {
    version: 1,
    loops: {
      fix: { phase: "L2", last_run: ts, last_result: result, branch, commit: "c0ffee", attempts, reflections: [], note },
      "fix::sched": { history: ["proposed"], last_run: ts },
      new: { notes: ["a note, and no run yet"] },
    },
  };

  const source = readStriveState("state.json", JSON.stringify(state, null, 2));

  expect(source.runs).toEqual([{ ...read([JSON.stringify(fix)]).runs[0], commit: "c0ffee" }]);
  expect(source.chain).toEqual({ kind: "unchained", why: `${NO_CHAIN}; and only the last run of each loop is kept here` });
});

it.each([
  ["torn", `{"version":1,"loops":{"fix"`, "it is not a JSON object: it was torn while it was written, or is no state file"],
  ["of something else", `{"version":1}`, "it has no field loops"],
  [
    "a bomb of depth",
    `{"loops":${"{".repeat(500_000)}`,
    "it is nested too deeply, and was not read: it was torn while it was written, or is no state file",
  ],
])("calls a state file that is %s unreadable", (_, text, why) => {
  expect(readStriveState("state.json", text)).toEqual({
    label: "state.json",
    system: "strive",
    runs: [],
    chain: { kind: "unreadable", why },
  });
});

it("never throws, and never calls anything whole", () => {
  const odd = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom("__proto__", "constructor", "loops", "loop", "result", "ts", "note", "last_run"), fc.anything())
      .map((one) => {
        try {
          return JSON.stringify(one) ?? "";
        } catch {
          return ""; // not everything has a JSON form
        }
      }),
  );
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 6 }), odd, (lines, text) => {
      expect(read(lines).chain.kind).toBe("unchained");
      expect(["unchained", "unreadable"]).toContain(readStriveState("s", text).chain.kind);
    }),
  );
});
