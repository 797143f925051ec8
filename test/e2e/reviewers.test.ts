// What people do to a proposal by hand is respected, and never lost.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADA, mainOf, withProposal } from "../support/decisions.ts";

describe("a proposal", () => {
  it("with a reviewer's commits is never overwritten, and lands as they left it once they are taken over", () =>
    withProposal(async (place, { run, branch }) => {
      place.repo.git("checkout", "--quiet", branch);
      const reviewed = place.repo.commit("reviewed", { files: { "docs/more.txt": "more\n" } });
      place.repo.git("checkout", "--quiet", "--detach");

      const blind = await place.json(["approve", run, ...ADA]);
      const ticked = await place.json(["run", join(place.dir, "fix.loop.json"), "--again"]);
      const amended = await place.json(["amend", run, ...ADA]);
      const yes = await place.json(["approve", run, ...ADA]);

      expect([blind.exit, blind.said.error.message.startsWith(`the branch ${branch} holds other commits`)]).toEqual([64, true]);
      expect([ticked.exit, place.repo.git("rev-parse", branch)]).toEqual([0, reviewed]);
      expect([amended.exit, yes.exit, mainOf(place)]).toEqual([0, 0, reviewed]);
    }));

  it("that no longer holds after it was amended moves nothing, and stays in the inbox", () =>
    withProposal(async (place, { run, branch, base }) => {
      place.repo.git("checkout", "--quiet", branch);
      place.repo.commit("broken", { files: { "docs/value.txt": "broken\n" } });
      place.repo.git("checkout", "--quiet", "--detach");
      await place.lw(["amend", run, ...ADA]);

      const yes = await place.json(["approve", run, ...ADA]);

      expect([yes.exit, mainOf(place), yes.said.outcome.state.recheck.holds]).toEqual([1, base, false]);
      expect((await place.json(["inbox"])).said.items.map(({ id }: { readonly id: string }) => id)).toEqual([run]);
    }));

  it("that somebody merged or threw away by hand is noticed", () =>
    withProposal(async (place, { run, branch }) => {
      place.repo.git("update-ref", "refs/heads/main", place.repo.git("rev-parse", branch));

      const late = await place.json(["approve", run, ...ADA]);

      expect([late.exit, late.said.outcome.state.settled.how, (await place.json(["inbox"])).said.items]).toEqual([0, "landed", []]);
    }));

  it("that somebody merged by hand leaves the inbox when those who should know are told, and that is on record", () =>
    withProposal(async (place, { run, branch }) => {
      place.repo.git("update-ref", "refs/heads/main", place.repo.git("rev-parse", branch));

      const told = await place.json(["inbox", "--tell"]);
      const later = await place.json(["inbox"]);
      const shown = await place.json(["show", run]);

      expect([told.said.items, later.said.items, shown.said.proposal.settled]).toEqual([
        [],
        [],
        { how: "landed", why: "base contains it" },
      ]);
    }));

  it("is decided about only by who saw this tree, and a yes that ran out counts no more", () =>
    withProposal(async (place, { run, base }) => {
      const other = await place.json(["approve", run, ...ADA, "--tree", "0123456789"]);
      const nobody = await place.json(["approve", run]);
      place.repo.git("checkout", "--quiet", "main");
      const expiring = await place.json(["approve", run, ...ADA, "--expires", "1ms"]);
      place.repo.git("checkout", "--quiet", "--detach");
      const items = (await place.json(["inbox"])).said.items;

      expect([other.exit, nobody.exit, expiring.exit, mainOf(place)]).toEqual([64, 64, 9, base]);
      expect(items.map(({ stage }: { readonly stage: string }) => stage)).toEqual(["open"]);
    }));
});
