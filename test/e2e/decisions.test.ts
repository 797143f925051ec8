// What a yes and a no do, through the built program and with real git.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADA, mainOf, withProposal } from "../support/decisions.ts";

describe("a proposal", () => {
  it("waits in the inbox, is verified again after the yes, moves main once, and is then settled (Archon#2714)", () =>
    withProposal(async (place, { run, branch, base }) => {
      const inbox = await place.json(["inbox"]);
      // The maker's copy is long gone; what was decided about is in the repository (gastown PR 2044).
      expect(readdirSync(join(place.home, "rounds", "fix"))).toEqual([]);
      const before = mainOf(place);
      const dry = await place.json(["approve", run, "--dry-run"]);
      const after = mainOf(place);
      const yes = await place.json(["approve", "fix", ...ADA, "--why", "read it"]);
      const again = await place.json(["approve", run, ...ADA]);
      const shown = await place.json(["show", run]);

      expect([inbox.said.items[0].id, inbox.said.items[0].stage, before, after]).toEqual([run, "open", base, base]);
      expect(dry.said.plan[0].says).toMatch(/^move main to /);
      expect([yes.exit, yes.said.outcome.state.settled.how]).toEqual([0, "acted"]);
      expect(mainOf(place)).toBe(place.repo.git("rev-parse", branch));
      expect([again.exit, again.said.error.message]).toEqual([64, `the proposal of ${run} is acted already`]);
      expect([shown.said.proposal.receipts[0].facts.from, shown.said.proposal.recheck.holds]).toEqual([base, true]);
      expect((await place.json(["inbox"])).said.items).toEqual([]);
      expect(place.repo.git("reflog", "show", "main").split("\n")).toHaveLength(2);
    }));

  it("is not carried out by a no, and the loop may then be run again", () =>
    withProposal(async (place, { run, branch, base }) => {
      const waiting = await place.json(["run", join(place.dir, "fix.loop.json")]);
      const no = await place.json(["reject", run, ...ADA, "--why", "wrong place"]);
      const late = await place.json(["approve", run, ...ADA]);
      const next = await place.json(["run", join(place.dir, "fix.loop.json")]);

      expect([waiting.exit, waiting.said.run, no.exit, late.exit, next.exit]).toEqual([9, run, 0, 64, 0]);
      expect([mainOf(place), next.said.branch === branch, place.repo.git("rev-parse", branch) !== ""]).toEqual([base, false, true]);
    }));

  it("whose main is checked out anywhere is not moved under somebody's hands, and waits (strive 24F)", () =>
    withProposal(async (place, { run, base }) => {
      const linked = join(place.dir, "linked");
      place.repo.git("worktree", "add", "--quiet", linked, "main");

      const refused = await place.json(["approve", run, ...ADA]);
      const inbox = await place.json(["inbox"]);
      const kept = mainOf(place);
      place.repo.git("worktree", "remove", linked);
      const moved = await place.json(["approve", run, ...ADA]);

      expect([refused.exit, kept, inbox.said.items[0].stage]).toEqual([9, base, "approved"]);
      expect(refused.said.outcome.why).toContain(`main is checked out in ${linked}`);
      expect([moved.exit, mainOf(place) === base]).toEqual([0, false]);
    }));

  it("does not drop a commit that landed on main meanwhile, and says so (strive 24F, ro#143)", () =>
    withProposal(async (place, { run, base }) => {
      const tree = place.repo.git("rev-parse", "main^{tree}");
      const human = place.repo.git("commit-tree", tree, "-p", base, "-m", "a human's");
      place.repo.git("update-ref", "refs/heads/main", human);

      const refused = await place.json(["approve", run, ...ADA]);

      expect([refused.exit, mainOf(place)]).toEqual([9, human]);
      expect(refused.said.outcome.why).toMatch(/^base has moved since this was verified/);
      const next = await place.json(["run", join(place.dir, "fix.loop.json")]);
      const landed = await place.json(["approve", next.said.run, ...ADA]);
      expect([next.exit, landed.exit, place.repo.git("log", "--format=%s", "main").split("\n").slice(1)]).toEqual([
        0,
        0,
        ["a human's", "start"],
      ]);
    }));
});
