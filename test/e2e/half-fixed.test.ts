// A change that mends some of what is red and not all of it, from the command line to the receipt.
import { expect, it } from "vitest";
import { canBox } from "../support/box.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { proposalsIn } from "../support/target.ts";

const TEST = `import assert from "node:assert";
import test from "node:test";
import { add, sub, mul } from "../src/sums.js";
test("adds", () => assert.equal(add(2, 3), 5));
test("subtracts", () => assert.equal(sub(2, 3), -1));
test("multiplies", () => assert.equal(mul(2, 3), 6));
`;
const sums = (add: string): string =>
  `export const add = (a, b) => ${add};\nexport const sub = (a, b) => a * b;\nexport const mul = (a, b) => a;\n`;

const withHalf = <T>(spec: object, work: (place: Place, loop: string) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", {
      files: { "src/sums.js": sums("a - b"), "test/sums.test.js": TEST, "package.json": '{ "type": "module" }\n' },
    });
    place.repo.git("checkout", "--quiet", "--detach");
    const loop = {
      name: "fix",
      intent: "Keep the sums right.",
      baseline: { when: "off" },
      target: { repo: place.repo.dir, base: "main" },
      maker: { use: "scripted", with: { scenes: [{ write: { "src/sums.js": sums("a + b") } }] } },
      budget: { rounds: 1 },
      ...spec,
    };
    return work(place, place.write("fix.loop.json", JSON.stringify(loop)));
  });

const witness = (more: object) => [
  { use: "witness", with: { run: "node --test --test-reporter=tap", results: { format: "tap" }, ...more } },
];

it("is refused where the checks were to pass, and what is still red is named", () =>
  withHalf({ level: "L2", verifiers: witness({}) }, async (place, loop) => {
    const { exit, said } = await place.json(["run", loop]);

    expect([exit, said.rest.because, proposalsIn(place.repo)]).toEqual([1, "check-failed", []]);
    expect(said.rest.reason).toMatch(/still fail \(2\): .*subtracts.*multiplies/);
  }));

it.skipIf(!canBox)("is proposed as a part where progress was asked for, never moves alone, and every place says what is still red", () =>
  withHalf(
    {
      level: "L3",
      verifiers: witness({ expect: "progress" }),
      gate: { all: [{ use: "allowlist", with: { allow: ["src/**"] } }] },
      act: [{ use: "merge" }],
    },
    async (place, loop) => {
      const main = place.repo.git("rev-parse", "main");

      // Also where somebody lets the loop act alone.
      await place.lw(["run", loop]);
      await place.lw(["promote", "fix", "--yes", "--anyway", "--as", "ada", "--why", "it is ours"]);
      const ran = await place.lw(["run", loop, "--again"]);
      const shown = await place.lw(["show", "fix"]);
      const inbox = await place.lw(["inbox"]);
      const status = await place.lw(["status"]);
      const receipt = await place.json(["receipt", "show", "fix"]);

      expect([ran.exit, place.repo.git("rev-parse", "main")]).toEqual([12, main]);
      expect(proposalsIn(place.repo).filter((branch) => !branch.endsWith("-partly"))).toEqual([]);
      expect(inbox.stdout).toContain("partly: 2 still red");
      for (const { stdout } of [ran, shown]) expect(stdout).toMatch(/2 still red \(.*subtracts.*multiplies/);
      expect([ran.stdout, status.stdout]).toEqual([expect.stringContaining("PARTLY"), expect.stringContaining("partly")]);
      expect(JSON.stringify(receipt.said)).toContain("subtracts");
      expect((await place.lw(["ledger", "check", "--require", "fix", "--commit", `${proposalsIn(place.repo)[0]}`])).exit).not.toBe(0);
    },
  ),
);
