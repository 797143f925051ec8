import { afterAll, beforeAll, expect, it } from "vitest";
import { createProvingGround, type ProvingGround } from "../../test/support/proving-ground.ts";
import { command } from "./command.ts";
import { holdout } from "./holdout.ts";

// How a check looks at base, in real shells.
let ground: ProvingGround;
beforeAll(async () => {
  ground = await createProvingGround({ "package.json": '{ "name": "shop", "dependencies": { "left-pad": "1.0.0" } }' }, { "a.txt": "a\n" });
});
afterAll(() => ground.remove());

async function look(run: string, options: object = {}) {
  const verifier = command.configure({ run, ...options });
  if (verifier.proves !== "commit" || !verifier.baseline) throw new Error("it must look at base");
  const { state, detail, hint, tests } = await verifier.baseline.look(ground.claim.checkout, ground.world);
  return { state, detail, hint, tests };
}
const TAP = { results: { format: "tap" } };
const NODE = `echo "Error: Cannot find module 'left-pad'" >&2; exit 1`;

it.each<readonly [string, string, object, string, string]>([
  ["green", "true", {}, "green", "`true` exited 0"],
  ["red", "false", {}, "red", "`false` exited 1"],
  ["red when it takes too long", "sleep 30", { timeout: "50ms" }, "red", "`sleep 30` took longer than 50 ms"],
  ["not to be run when there is no such program", "no-such-program-here", {}, "cannot-run", "could not be run (exit 127)"],
  ["not to be run when a dependency that base asks for is not there", NODE, {}, "cannot-run", "dependencies are not there (left-pad)"],
  [
    "not to be run when a recipe calls a program that is not there",
    "printf 'make: no-tester: No such file or directory\\nmake: *** [Makefile:2: test] Error 127\\n'; exit 2",
    {},
    "cannot-run",
    "there is no program no-tester",
  ],
  ["not to be run when Python has no such runner", "python3 -m no_such_runner", {}, "cannot-run", "Python has no module no_such_runner"],
  [
    "not to be run when make has no such target",
    "printf \"make: *** No rule to make target 'test'.  Stop.\\n\"; exit 2; make test",
    {},
    "cannot-run",
    "make has no target test",
  ],
  [
    "red when what is missing is not what the command asks for",
    "printf 'Error: No module named to_be_written\\n'; exit 1",
    {},
    "red",
    "exited 1",
  ],
  [
    "red when a test ran before a program was missing",
    "printf '1..1\\nnot ok 1\\nsh: 1: jq: not found\\n'; exit 1",
    TAP,
    "red",
    "1 failed",
  ],
  ["red when a module is missing that nobody asked for", NODE.replace("left-pad", "to-be-written"), {}, "red", "exited 1"],
  [
    "red when other tests ran",
    `${NODE.replace("; exit 1", "")}; printf '1..2\\nok 1\\nnot ok 2\\n'; exit 1`,
    TAP,
    "red",
    "1 passed, 1 failed",
  ],
  ["not to be run when its results are not to be had", "true", TAP, "cannot-run", "its results cannot be relied on"],
  ["red when every test is skipped", "printf '1..1\\nok 1 - a # SKIP\\n'", TAP, "red", "no test passed"],
])("is %s", async (_, run, options, state, detail) => {
  const seen = await look(run, options);

  expect(seen.state).toBe(state);
  expect(seen.detail).toContain(detail);
  expect(seen.hint === undefined).toBe(state !== "cannot-run");
});

it("tells every test, where all of them are known", async () => {
  const tap = "printf '1..2\\nok 1 - a\\nnot ok 2 - b\\n'; exit 1";

  expect((await look(tap, TAP)).tests).toEqual([
    { id: "a", outcome: "passed" },
    { id: "b", outcome: "failed" },
  ]);
  expect((await look(tap.replace("1..2", "1..3"), TAP)).tests).toBeUndefined();
});

it("is one matter for verifiers that run the same, whatever else they are told", () => {
  const matterOf = (options: object) => {
    const verifier = command.configure(options);
    return verifier.proves === "commit" ? verifier.baseline?.matter : undefined;
  };

  expect(matterOf({ run: "npm test", timeout: "10m" })).toEqual(matterOf({ run: "npm test" }));
  expect(matterOf({ run: "npm test", env: { A: "1" } })).not.toEqual(matterOf({ run: "npm test" }));
});

it("is hidden from the maker for a hold-out", () => {
  const verifier = holdout.configure({ run: "npm test" });

  expect(verifier.proves === "commit" && verifier.baseline?.isHidden).toBe(true);
});
