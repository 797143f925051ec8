import { expect, it } from "vitest";
import { findHome } from "../app/home.ts";
import type { Call, CliAround, Io } from "./call.ts";
import { deciderOf } from "./who.ts";

const silent: Io = {
  out: () => {},
  err: () => {},
  input: { isTyped: () => false, chunks: () => expect.fail("nobody reads") },
  cwd: "/",
  outIsTerminal: false,
  outColor: false,
  errColor: false,
  isLive: false,
  columns: 80,
};

const callBy = (options: Call["options"], env: Call["env"], loginName: CliAround["loginName"]): Call => ({
  args: [],
  options,
  env,
  platform: "linux",
  program: ["lw"],
  version: "0.0.0",
  onSignal: () => () => {},
  home: findHome("/home", { get: () => undefined }, "linux", "/"),
  io: silent,
  ...(loginName ? { loginName } : {}),
});

it.each([
  ["--as", { as: "ada" }, { USER: "bob" }, "ada"],
  ["a variable", {}, { LOGNAME: "bob" }, "bob"],
  ["the system, where no variable says it", {}, {}, "cleo"],
])("whoever decides is known by %s", (_, options, env, by) => {
  expect(deciderOf(callBy(options, env, () => "cleo"))).toEqual({ by, why: "" });
});

it("nobody decides where the system knows no name either", () => {
  expect(() => deciderOf(callBy({}, {}, () => undefined))).toThrow("it is not clear who decides");
});
