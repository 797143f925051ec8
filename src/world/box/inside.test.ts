import { expect, it } from "vitest";
import { cpuMsIn, signalIn, wasStarted } from "./inside.ts";

it.each([
  ["bwrap tells an exit code", { status: '{ "exit-code": 0 }', words: "" }, true],
  ["the shell inside saw the end, and bwrap was too busy to tell", { status: '{ "child-pid": 7 }', words: "Terminated\nover\n" }, true],
  ["nobody tells of an end", { status: '{ "child-pid": 7 }', words: "" }, false],
  ["the way out could not be made", { status: '{ "exit-code": 126 }', words: "no way to the proxy\n" }, false],
])("knows whether a command was started where %s", (_, told, started) => {
  expect(wasStarted(told)).toBe(started);
});

const TIMES = "0m0.010000s 0m0.000000s\n1m2.500000s 0m0.250000s\n";

it("hears the CPU time that the shell inside tells, and takes it for no word about the command", () => {
  const [well, killed] = [`${TIMES}over\n`, `Killed\n${TIMES}over\n`].map((words) => ({ status: "", words }));

  expect([well, killed].map((told) => told && [cpuMsIn(told), wasStarted(told), signalIn(137, told)])).toEqual([
    [62_760, true, undefined],
    [62_760, true, 9],
  ]);
  expect(cpuMsIn({ status: "", words: "over\n" })).toBeUndefined();
});
