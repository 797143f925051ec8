// What is asked of base before anything is spent: each answer can end a run for nothing, and a flaky test is put aside by base alone.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";
import { lookAt, proposalsIn } from "../support/target.ts";

const TOTAL = "export const total = (prices) => prices.reduce((sum, price) => sum + price";
const WRONG = `${TOTAL});\n`;
const RIGHT = `${TOTAL}, 0);\n`;
const TESTS = `import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { total } from "../src/total.js";
test("adds up", () => assert.equal(total([1, 2]), 3));
test("takes nothing", () => assert.equal(total([]), 0));
test("wavers", () => {
  const mark = process.env.WAVERS;
  if (mark === undefined) return;
  const isThere = existsSync(mark);
  if (isThere) rmSync(mark);
  else writeFileSync(mark, "");
  assert.ok(isThere);
});
`;

interface Loop {
  readonly run?: string;
  readonly verifier?: object;
  readonly scenes?: readonly object[];
  readonly rest?: object;
}

/** Every maker leaves a mark outside, so that it can be seen whether one was called. */
const shopLoop = (place: Place, { run = "node --test", verifier = {}, scenes, rest = {} }: Loop = {}): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: scenes
        ? { use: "scripted", with: { scenes } }
        : { use: "shell", with: { run: `touch ${place.dir}/called; cat > src/total.js <<'END'\n${RIGHT}END` } },
      verifiers: [{ use: "command", with: { run, ...verifier } }],
      box: UNBOXED,
      ...rest,
    }),
  );

const READ = { results: { format: "node", file: "results.xml" } };
const JUNIT = "node --test --test-reporter=junit --test-reporter-destination=results.xml";

const inShop = <T>(source: string, work: (place: Place) => Promise<T>, tests = TESTS): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", {
      files: {
        "package.json": '{ "type": "module", "dependencies": { "left-pad": "1.3.0" } }\n',
        "src/total.js": source,
        "test/total.test.js": tests,
      },
    });
    return work(place);
  });

const wasCalled = (place: Place): boolean => existsSync(join(place.dir, "called"));

/** A command that says no every other time. */
const wavering = (place: Place): string =>
  `if [ -e ${place.dir}/wavers ]; then rm ${place.dir}/wavers; exit 0; else touch ${place.dir}/wavers; exit 1; fi`;

it.each<readonly [string, number, string, (place: Place) => Loop, string | undefined, string]>([
  ["base needs nothing", 0, RIGHT, () => ({ rest: { baseline: { want: "red" } } }), undefined, "nothing to mend"],
  ["there is no such program", 4, WRONG, () => ({ run: "no-such-program-here" }), "cannot-verify", "could not be run (exit 127)"],
  [
    "dependencies are not there",
    4,
    WRONG,
    () => ({ run: `node -e 'require("left-pad")'` }),
    "cannot-verify",
    "dependencies are not there (left-pad)",
  ],
  ["the check says now this, now that", 8, WRONG, (place) => ({ run: wavering(place) }), "gap", "failed in 1 of 2 runs"],
  ["base should be green and is not", 1, WRONG, () => ({ rest: { baseline: { want: "green" } } }), "check-failed", "must be green"],
])("ends before a maker is called when %s, with exit %i", (_, exit, source, loop, because, reason) =>
  inShop(source, async (place) => {
    const before = lookAt(place.repo);

    const ended = await place.json(["run", shopLoop(place, loop(place))]);

    expect([ended.exit, ended.said.exit.code, ended.said.rest.because, ended.said.rounds]).toEqual([exit, exit, because, []]);
    expect(ended.said.rest.reason).toContain(reason);
    expect(wasCalled(place)).toBe(false);
    expect([proposalsIn(place.repo), lookAt(place.repo)]).toEqual([[], before]);
    expect(readdirSync(join(place.home, "rounds", "fix"))).toEqual([]);
    const report = (await place.lw(["show", "fix", "--report"])).stdout;
    expect(report).toContain("No maker was called, and nothing was spent.");
    expect((await place.lw(["show", "fix"])).stdout).toContain(`\nexit ${exit}: `);
  }),
);

it("goes on where base is red and should be, and does not run the same checks on the same base again", () =>
  inShop(WRONG, async (place) => {
    const counting = `echo x >> ${place.dir}/runs; ${JUNIT}`;
    const spec = shopLoop(place, { run: counting, verifier: READ, rest: { baseline: { want: "red", runs: 3 } } });

    const first = await place.json(["run", spec]);
    const second = await place.json(["run", spec, "--again"]);

    expect([first.exit, second.exit, wasCalled(place)]).toEqual([0, 0, true]);
    const [look, again] = [first, second].map(({ said }) => said.baseline.checks[0]);
    expect([look.state, look.runs, look.red, look.lookedBy]).toEqual(["red", 3, ["takes nothing"], first.said.run]);
    expect(again).toEqual(look);
    // Three on base and one on the proposal; then one more on the second proposal.
    expect(place.read("runs")).toBe("x\n".repeat(5));
    expect((await place.lw(["show", "fix"])).stdout).toContain(`as ${first.said.run} saw it, not run again`);
  }));

it("says for nothing that a proposal still waits", () =>
  inShop(WRONG, async (place) => {
    const spec = shopLoop(place, { run: `echo x >> ${place.dir}/runs; node --test` });
    await place.lw(["run", spec]);
    const runs = place.read("runs");

    const waiting = await place.lw(["run", spec]);

    expect([waiting.exit, waiting.stderr, place.read("runs")]).toEqual([9, expect.stringContaining("still waits for you"), runs]);
  }));

it("puts a test that wavers on base into quarantine, accepts without it, and counts it again once somebody says so", () =>
  inShop(WRONG, async (place) => {
    const env = { WAVERS: join(place.dir, "wavers") };
    const spec = shopLoop(place, { run: JUNIT, verifier: { ...READ, env } });

    const ended = await place.json(["run", spec]);

    expect([ended.exit, ended.said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
    const [check] = ended.said.baseline.checks;
    expect([check.state, check.red, check.flaky]).toEqual(["red", ["takes nothing"], ["wavers"]]);
    const [proof] = ended.said.rounds[0].evidence.proofs;
    expect([proof.outcome, proof.detail]).toEqual(["holds", expect.stringContaining("cannot make up its mind about them (1): wavers")]);
    expect((await place.lw(["show", "fix", "--report"])).stdout).toContain("- flaky: wavers failed in 1 of 2 runs on base");

    const [flake] = (await place.json(["flakes", "fix"])).said.flakes;
    expect([flake.loop, flake.id, flake.runs, flake.failed, flake.state]).toEqual(["fix", "wavers", 2, 1, "in-quarantine"]);
    expect(Date.parse(flake.until) - Date.parse(flake.firstSeen)).toBe(7 * 86_400_000);
    expect((await place.lw(["flakes"])).stdout).toContain("wavers");

    expect((await place.lw(["flakes", "--forget", "no such test"])).exit).toBe(64);
    expect((await place.lw(["flakes", "fix", "--forget", "wavers"])).stdout).toContain("it counts again");
    expect((await place.json(["flakes"])).said.flakes).toEqual([]);
    expect((await place.json(["doctor"])).said.checks.find(({ name }: { readonly name: string }) => name === "store").result).toBe("ok");
  }));

it("does not put a test into quarantine that wavers only on the proposal", () =>
  inShop(
    WRONG,
    async (place) => {
      // The mark is never there, so the test fails; that it could pass is nobody's excuse.
      const env = { WAVERS: join(place.dir, "wavers") };
      const source = `import { existsSync } from "node:fs";\n${RIGHT.replace(", 0)", ", existsSync(process.env.WAVERS) ? 0 : 1)")}`;

      const ended = await place.json([
        "run",
        shopLoop(place, {
          run: JUNIT,
          verifier: { ...READ, env },
          scenes: [{ write: { "src/total.js": source } }],
          rest: { budget: { rounds: 1 } },
        }),
      ]);

      expect([ended.exit, ended.said.rest.because]).toEqual([1, "check-failed"]);
      expect((await place.json(["flakes"])).said.flakes).toEqual([]);
    },
    TESTS.replace(/test\("wavers"[\s\S]*$/, ""),
  ));

it("refuses a proposal that removes a test in quarantine", () =>
  inShop(WRONG, async (place) => {
    const env = { WAVERS: join(place.dir, "wavers") };
    const without = TESTS.replace(/test\("wavers"[\s\S]*$/, "");
    const scenes = [{ write: { "src/total.js": RIGHT, "test/total.test.js": without } }];
    const spec = shopLoop(place, { run: JUNIT, verifier: { ...READ, env }, scenes, rest: { unseal: ["test/**"], budget: { rounds: 1 } } });

    const ended = await place.json(["run", spec]);

    expect(ended.exit).not.toBe(0);
    expect(ended.said.rounds[0].evidence.proofs[0]).toMatchObject({
      outcome: "refuted",
      detail: expect.stringContaining("gone or skipped, which nothing excuses: wavers"),
    });
    expect(proposalsIn(place.repo)).toEqual([]);
  }));
