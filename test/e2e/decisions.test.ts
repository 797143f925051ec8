// What a yes and a no do, through the built program and with real git.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/contract/record.ts";
import { canBox } from "../support/box.ts";
import { ADA, mainOf, withProposal } from "../support/decisions.ts";
import type { Place } from "../support/lw.ts";

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

  it.skipIf(!canBox)("is not proven again where nothing has changed since it was, and says which proof it stands on", () =>
    withProposal(async (place, { run }) => {
      const yes = await place.lw(["approve", run, ...ADA]);
      const { stdout } = await place.lw(["show", run, "--records"]);

      const records = stdout
        .trim()
        .split("\n")
        .map((line): Entry => JSON.parse(line));
      const [again, closed] = ["rechecked", "round-closed"].map((kind) => records.find(({ record }) => record.kind === kind));
      expect([yes.exit, again?.record]).toEqual([
        0,
        expect.objectContaining({ verdict: expect.objectContaining({ kind: "accept" }), standsOn: { seq: closed?.seq, at: closed?.at } }),
      ]);
      expect(yes.stdout).toContain("stands on its proof of");
      expect(records.filter(({ record }) => record.kind === "step-done" && record.roundId.includes(".again-"))).toEqual([]);
      expect((await place.lw(["receipt", run, "--markdown"])).stdout + (await place.lw(["report", run])).stdout).toContain(
        "not proven again",
      );
    }),
  );

  it.skipIf(!canBox)("is proven again where something beside its spec, or the spec's wish, says so", async () => {
    const recheckOf = async (place: Place, run: string) => {
      await place.lw(["approve", run, ...ADA]);
      const { stdout } = await place.lw(["show", run, "--records"]);
      const records = stdout
        .trim()
        .split("\n")
        .map((line): Entry => JSON.parse(line));
      return records.flatMap(({ record }) => (record.kind === "rechecked" ? [record.standsOn] : []));
    };

    const changed = await withProposal(async (place, { run }) => {
      place.write("fix.loop.json", `${place.read("fix.loop.json")}\n`);
      return recheckOf(place, run);
    });
    const asked = await withProposal(async (place, { run }) => recheckOf(place, run), { recheck: "always" });

    expect([changed, asked]).toEqual([[undefined], [undefined]]);
  });

  it("is not carried out by a no, and the loop may then be run again", () =>
    withProposal(async (place, { run, branch, base }) => {
      const waiting = await place.json(["run", join(place.dir, "fix.loop.json")]);
      const no = await place.json(["reject", run, ...ADA, "--why", "wrong place"]);
      const late = await place.json(["approve", run, ...ADA]);
      const next = await place.json(["run", join(place.dir, "fix.loop.json")]);

      expect([waiting.exit, waiting.said.run, no.exit, late.exit, next.exit]).toEqual([9, run, 0, 64, 0]);
      expect([mainOf(place), next.said.branch === branch, place.repo.git("rev-parse", branch) !== ""]).toEqual([base, false, true]);
    }));

  it("moves along the checkout of main that somebody works in, and what they work on there stays (strive 24F)", () =>
    withProposal(async (place, { run, branch }) => {
      place.repo.git("checkout", "--quiet", "main");
      place.repo.write("notes.txt", "mine\n");

      const dry = await place.json(["approve", run, "--dry-run"]);
      const yes = await place.json(["approve", run, ...ADA]);

      expect(dry.said.plan[0].says).toContain(`and the checkout in ${place.repo.dir} along with it`);
      expect([yes.exit, mainOf(place)]).toEqual([0, place.repo.git("rev-parse", branch)]);
      expect([place.repo.git("status", "--porcelain"), readFileSync(join(place.repo.dir, "docs/value.txt"), "utf8")]).toEqual([
        "?? notes.txt",
        "right\n",
      ]);
    }));

  it("waits where work of theirs would be written over there, says which file, and moves when it is out of the way", () =>
    withProposal(async (place, { run, base }) => {
      place.repo.git("checkout", "--quiet", "main");
      place.repo.write("docs/value.txt", "half done\n");

      const refused = await place.json(["approve", run, ...ADA]);
      const inbox = await place.json(["inbox"]);
      const kept = [mainOf(place), readFileSync(join(place.repo.dir, "docs/value.txt"), "utf8")];
      place.repo.git("stash");
      const moved = await place.json(["approve", run, ...ADA]);

      expect([refused.exit, kept, inbox.said.items[0].stage]).toEqual([9, [base, "half done\n"], "approved"]);
      expect(refused.said.outcome.why).toContain(`in ${place.repo.dir}, docs/value.txt would be written over`);
      expect([moved.exit, mainOf(place) === base]).toEqual([0, false]);
    }));

  it("outlives a base that moved: put on it, verified there, and merged with the yes that it had (strive 24F, ro#143)", () =>
    withProposal(async (place, { run, base, branch }) => {
      const human = onMain(place, { "docs/other.txt": "a human's\n" });

      const yes = await place.json(["approve", run, ...ADA]);
      const shown = await place.json(["show", run]);
      const proof = await place.json(["receipt", "show", run]);

      expect([yes.exit, yes.said.outcome.state.settled.how]).toEqual([0, "acted"]);
      expect(place.repo.git("log", "--format=%s", "main").split("\n").slice(1)).toEqual(["a human's", "start"]);
      expect([mainOf(place), place.repo.git("show", "main:docs/value.txt"), place.repo.git("show", "main:docs/other.txt")]).toEqual([
        place.repo.git("rev-parse", branch),
        "right",
        "a human's",
      ]);
      expect([shown.said.proposal.refreshed.base, shown.said.proposal.recheck.base, shown.said.proposal.approvals[0].by]).toEqual([
        human,
        human,
        "ada",
      ]);
      expect(JSON.stringify(proof.said)).toContain(`base moved from ${base} to ${human}`);
      expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
      expect((await place.json(["receipt", "verify", run])).exit).toBe(0);
    }));

  it("is put on the base of today by `lw refresh`, waits there, and keeps its run; a second time there is nothing to do", () =>
    withProposal(async (place, { run, branch }) => {
      const human = onMain(place, { "docs/other.txt": "a human's\n" });

      const fresh = await place.json(["refresh", "fix", ...ADA]);
      const told = await place.lw(["refresh", run, ...ADA]);
      const inbox = await place.json(["inbox"]);

      expect([fresh.exit, fresh.said.outcome, fresh.said.now.base, fresh.said.now.isSameChange]).toEqual([0, "stands", human, true]);
      expect([place.repo.git("rev-parse", `${branch}^`), inbox.said.items[0].id, inbox.said.items[0].stage]).toEqual([human, run, "open"]);
      expect([told.exit, told.stdout.split("\n")[0]]).toEqual([0, `refreshed  ${run}`]);
    }));

  it("waits where base changed the same lines, and the next maker is told what it was", () =>
    withProposal(async (place, { run }) => {
      const human = onMain(place, { "docs/value.txt": "somebody's\n" });

      const stuck = await place.json(["refresh", run, ...ADA]);
      const refused = await place.json(["approve", run, ...ADA]);
      const next = await place.json(["run", join(place.dir, "fix.loop.json")]);
      const briefs = await place.lw(["show", next.said.run, "--brief"]);

      expect([stuck.exit, stuck.said.outcome, stuck.said.why]).toEqual([9, "stuck", "the same lines were changed there: docs/value.txt"]);
      expect([refused.exit, mainOf(place), next.exit]).toEqual([9, human, 0]);
      expect(briefs.stdout).toContain(`(${run}). Base changed the same lines since, in:\n  docs/value.txt`);
      expect(briefs.stdout).toContain("+right");
    }));
});

/** Somebody else's commit on main, which nobody has checked out. */
function onMain({ repo }: Place, files: { readonly [path: string]: string }): string {
  const before = repo.git("rev-parse", "main");
  repo.git("checkout", "--quiet", "main");
  const commit = repo.commit("a human's", { files });
  repo.git("checkout", "--quiet", "--detach", before);
  return commit;
}
