// Pauses, halts and the switch that stops everything.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADA, mainOf, specOf, withProposal } from "../support/decisions.ts";
import { inPlace } from "../support/lw.ts";

describe("stopping", () => {
  it("a paused loop neither runs nor moves anything, until it is resumed", () =>
    withProposal(async (place, { run, base }) => {
      const paused = await place.json(["pause", "fix", ...ADA, "--why", "release"]);
      const ran = await place.json(["run", join(place.dir, "fix.loop.json"), "--again"]);
      const yes = await place.json(["approve", run, ...ADA]);
      const between = mainOf(place);
      const { loops } = (await place.json(["status"])).said;
      expect(loops.map(({ state }: { readonly state: string }) => state)).toEqual(["paused"]);
      const resumed = await place.json(["resume", "fix"]);
      const moved = await place.json(["approve", run, ...ADA]);

      expect([paused.exit, ran.exit, yes.exit, between, resumed.exit, moved.exit]).toEqual([0, 9, 9, base, 0, 0]);
    }));

  it("what was approved is not moved by the word that ends a pause, and is by the next", () =>
    withProposal(async (place, { run, base }) => {
      await place.lw(["pause", "fix", ...ADA]);
      const yes = await place.lw(["approve", run, ...ADA]);
      const passedOver = await place.lw(["resume"]);
      const freed = await place.lw(["resume", "fix"]);
      const between = mainOf(place);
      const resumed = await place.json(["resume", "fix"]);
      const again = await place.lw(["resume", "fix"]);

      expect([yes.exit, passedOver.exit, freed.exit, between, resumed.exit, again.exit]).toEqual([9, 0, 0, base, 0, 64]);
      expect(freed.stderr).toContain(`${run} was approved; \`lw run\`, \`lw approve\` or \`lw resume fix\` carries it out`);
      expect(resumed.said).toMatchObject({ resumed: 1, runs: [{ run, loop: "fix", decision: "approved", outcome: { kind: "settled" } }] });
      expect(mainOf(place)).not.toBe(base);
    }));

  it("the kill switch holds everything, also when it is a file that somebody made by hand", () =>
    withProposal(async (place, { run, base }) => {
      place.write("home/STOP", "");
      const yes = await place.json(["approve", run, ...ADA]);
      const ran = await place.json(["run", join(place.dir, "fix.loop.json"), "--again"]);
      const off = await place.lw(["resume", "--all"]);
      const on = await place.json(["stop", "--all"]);
      const held = await place.json(["run", join(place.dir, "fix.loop.json"), "--again"]);

      expect([yes.exit, ran.exit, off.exit, on.exit, held.exit, mainOf(place)]).toEqual([9, 9, 0, 0, 9, base]);
    }));

  it("a loop that fails the same way three times is halted with the reason, and resume clears it", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
      const spec = specOf(place, { scenes: [{ write: { "docs/value.txt": "worse\n" } }], budget: { rounds: 1 } });

      const exits = [];
      for (let turn = 0; turn < 4; turn++) exits.push((await place.lw(["run", spec])).exit);
      const { items } = (await place.json(["inbox"])).said;
      const freed = await place.lw(["resume", "fix"]);
      const next = await place.lw(["run", spec]);

      expect(exits).toEqual([1, 1, 1, 9]);
      expect(items[0].why).toMatch(/^the loop is halted \(same-failure\)/);
      expect([freed.exit, next.exit]).toEqual([0, 1]);
    }));
});
