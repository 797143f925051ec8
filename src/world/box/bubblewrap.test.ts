import { expect, it } from "vitest";
import { wasStarted } from "./bubblewrap.ts";

it.each([
  ["bwrap tells an exit code", { status: '{ "exit-code": 0 }', words: "" }, true],
  ["the shell inside saw the end, and bwrap was too busy to tell", { status: '{ "child-pid": 7 }', words: "Terminated\nover\n" }, true],
  ["nobody tells of an end", { status: '{ "child-pid": 7 }', words: "" }, false],
  ["the way out could not be made", { status: '{ "exit-code": 126 }', words: "no way to the proxy\n" }, false],
])("knows whether a command was started where %s", (_, told, started) => {
  expect(wasStarted(told)).toBe(started);
});
