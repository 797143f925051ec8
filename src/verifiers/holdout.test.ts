import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import { holdout } from "./holdout.ts";

const grounds: ProvingGround[] = [];
const SECRET = "must answer forty-two";

afterEach(() => {
  for (const ground of grounds.splice(0)) ground.remove();
});

/** A change of `answer.txt`, and a hold-out beside the spec that looks at it. */
async function given(answer: string, files: { readonly [path: string]: string } = {}) {
  const ground = await createProvingGround({ "answer.txt": "0\n" }, { "answer.txt": answer, ...files });
  grounds.push(ground);
  const { claim, world, folder, repo } = ground;
  mkdirSync(join(folder, "secret"));
  writeFileSync(
    join(folder, "secret", "check.sh"),
    `echo "TAP version 13\n1..1"\ngrep -q 42 answer.txt || { echo "not ok 1 ${SECRET}"; exit 1; }\necho "ok 1 ${SECRET}"\n`,
  );
  const see = (options: object = {}) =>
    proveWith(holdout, { run: "sh hidden/check.sh", from: "secret", into: "hidden", results: { format: "tap" }, ...options }, ground);
  return { repo, folder, claim, world, see };
}

it("holds when the hidden check passes, and keeps what it printed", async () => {
  const { see, world } = await given("42\n");

  const { outcome, detail, output } = await see();

  expect([outcome, detail]).toEqual(["holds", "the hold-out check passed: 0 of 1 tests failed"]);
  expect(await world.readOutput(output!)).toContain(SECRET);
});

it("tells the maker nothing but that it failed, and leaves nothing of it lying about", async () => {
  const { see, claim, world } = await given("41\n");

  const { outcome, detail, output } = await see();

  expect([outcome, detail]).toEqual(["refuted", "the hold-out check failed: 1 of 1 tests failed"]);
  expect(await world.readOutput(output!)).toContain(SECRET);
  expect(existsSync(claim.checkout.work)).toBe(false);
});

it("replaces what the change put in its place", async () => {
  const { see } = await given("41\n", { "hidden/check.sh": "exit 0\n" });

  expect((await see()).outcome).toBe("refuted");
});

it("does not write through a link that the change put in its way", async () => {
  const { see, claim, folder } = await given("41\n");
  mkdirSync(join(folder, "elsewhere"));
  symlinkSync(join(folder, "elsewhere"), join(claim.checkout.work, "deep"));

  const { outcome } = await see({ into: "deep/hidden", run: "sh deep/hidden/check.sh" });

  expect([outcome, existsSync(join(folder, "elsewhere", "hidden"))]).toEqual(["refuted", false]);
});

it("does not know when the check cannot be run, and says not which", async () => {
  const { see } = await given("42\n");

  expect(await see({ run: "no-such-program --secret" })).toMatchObject({
    outcome: "unknown",
    detail: "the hold-out check could not be run",
  });
});

it("cannot be told when it takes too long", async () => {
  const { see } = await given("42\n");

  expect(await see({ run: "sleep 20", timeout: "100ms" })).toMatchObject({
    outcome: "unknown",
    detail: "the hold-out check took too long",
  });
});

it("refuses a folder that the maker could see, or that is not there", async () => {
  for (const from of ["inside", ".", "missing"]) {
    const { see, repo } = await given("42\n");
    mkdirSync(join(repo, "inside"));
    const path = from === "inside" ? join(repo, "inside") : from === "." ? repo : join(repo, "..", "no-such-folder");

    await expect(see({ from: path })).rejects.toThrow(/inside the target repository|no such folder/);
  }
});

it("says which folder it brings, and takes no place outside the room", () => {
  expect(holdout.configure({ run: "x", from: "../h" }).brings).toEqual(["../h"]);
  expect(holdout.configure({ run: "x" }).brings).toEqual([]);
  for (const into of ["../x", "/x", "a/../b", ""]) expect(() => holdout.configure({ run: "x", from: "h", into })).toThrow();
});

it("gives the check a seed that is the same when it is made again", async () => {
  const { see, world } = await given("42\n");
  const told = async () =>
    world.readOutput((await see({ run: 'echo "seed $LOOPWRIGHT_SEED"', from: undefined, results: undefined })).output!);

  const seed = Number(/seed (\d+)/.exec(await told())?.[1]);

  expect(seed).toBe(world.seed);
  expect(Number.isSafeInteger(seed) && seed >= 0 && seed < 2 ** 31).toBe(true);
});

it("says what it draws from the sealed tests: a quarter, unless it is told how much", () => {
  const sampled = (sample: object) => holdout.configure({ run: "x", sample: { from: ["test/**"], ...sample } }).holdsOut;

  expect(sampled({})).toEqual({ samples: [{ from: ["test/**"], size: { share: 0.25 } }] });
  expect(sampled({ share: 0.5 })).toEqual({ samples: [{ from: ["test/**"], size: { share: 0.5 } }] });
  expect(sampled({ count: 3 })).toEqual({ samples: [{ from: ["test/**"], size: { count: 3 } }] });
  expect(holdout.configure({ run: "x" }).holdsOut).toEqual({ samples: [] });
  for (const wrong of [{ share: 0.5, count: 3 }, { share: 0 }, { share: 2 }, { count: 0 }, { from: ["/abs"] }, { from: [] }])
    expect(() => sampled(wrong)).toThrow();
});
