// What gates and levels let through, and what they never do.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canBox } from "../support/box.ts";
import { ADA, mainOf, specOf, withProposal, withTrusted } from "../support/decisions.ts";

describe("gates and levels", () => {
  it("a quorum needs all of its people, and a command that says no is asked after the yes too", () =>
    withProposal(
      async (place, { run, base }) => {
        const one = await place.json(["approve", run, "--as", "ada"]);
        const stranger = await place.json(["approve", run, "--as", "eve"]);
        const between = mainOf(place);
        const two = await place.json(["approve", run, "--as", "grace"]);

        expect([one.exit, stranger.exit, between, two.exit]).toEqual([9, 9, base, 0]);
        expect(one.said.outcome.why).toBe("quorum: 1 more of grace must say yes");
      },
      {
        gate: {
          all: [
            { use: "quorum", with: { people: ["ada", "grace"], needs: 2 } },
            { use: "command", with: { run: 'grep -q \'"loop":"fix"\'' } },
          ],
        },
      },
    ));

  const allowlist = { all: [{ use: "allowlist", with: { allow: ["docs/**"] } }] };

  it.skipIf(!canBox)("L3 inside its allowlist acts alone once somebody let it, with a receipt, in the same waking", () =>
    withTrusted(
      async (place, { run, branch }) => {
        const shown = await place.json(["show", run]);

        expect(mainOf(place)).toBe(place.repo.git("rev-parse", branch));
        expect([shown.said.proposal.settled.how, shown.said.proposal.approvals]).toEqual(["acted", []]);
        expect((await place.json(["check-allowlist", run])).exit).toBe(0);
      },
      { gate: allowlist },
    ),
  );

  it("a new L3 loop's first run moves nothing, and run, show and status say at once that and why it only proposed", () =>
    withProposal(
      async (place, { run, base }) => {
        const [shown, status, inbox] = [await place.lw(["show", run]), await place.lw(["status"]), await place.json(["show", run])];
        const again = await place.lw(["run", "fix.loop.json", "--again"]);
        const why = "it has not earned to act alone here: people decided about only 0 of its proposals, and 10 are needed";

        expect([mainOf(place), inbox.said.proposal.settled, inbox.said.alone]).toEqual([base, undefined, { kind: "not", why }]);
        for (const { stdout } of [shown, again]) expect(stdout).toContain(`L3, and only proposed: ${why}`);
        expect(status.stdout).toContain("L3, as L2");
      },
      { level: "L3", gate: allowlist, check: () => "true" },
    ));

  it("after `promote --yes` an older proposal still waits, and another maker or another check has to earn it again", () =>
    withProposal(
      async (place, { run, base }) => {
        await place.json(["promote", "fix", "--yes", "--anyway", ...ADA, "--why", "it is ours"]);
        await place.json(["run", "fix.loop.json"]);
        const [older, afterPromotion] = [await place.json(["show", run]), mainOf(place)];
        const other = await place.json(["run", specOf(place, { level: "L3", gate: allowlist, check: () => "true" }), "--again"]);

        expect([afterPromotion, mainOf(place)]).toEqual([base, base]);
        expect(older.said.alone.why).toContain("it was proposed before ada let the loop go further");
        expect(other.said.alone.why).toContain("what ada let go further was another target, maker, check or spec");
      },
      { level: "L3", gate: allowlist },
    ));

  it("a change that rewrites its own loop is handed over, and proposed by no level", () =>
    withProposal(
      async (place, { run, base }) => {
        const { said } = await place.json(["show", run]);

        expect([said.rest.because, said.branch, mainOf(place)]).toEqual(["outside-level", null, base]);
        expect(said.rest.reason).toContain("ops/fix.loop.yaml was added");
      },
      { level: "L3", gate: allowlist, scenes: [{ write: { "docs/value.txt": "right\n", "ops/fix.loop.yaml": "name: fix\n" } }] },
    ));

  it("L3 outside its allowlist waits, check-allowlist says 7 and why, and a human's yes is enough", () =>
    withProposal(
      async (place, { run, base }) => {
        const between = mainOf(place);
        const checked = await place.json(["check-allowlist", run]);
        const yes = await place.json(["approve", run, ...ADA]);

        expect([between, checked.exit, yes.exit]).toEqual([base, 7, 0]);
        expect(
          checked.said.objections.map(({ rule, path }: { readonly rule: string; readonly path: string }) => [rule, path]),
        ).toContainEqual(["auth", "docs/auth/x.md"]);
      },
      { level: "L3", gate: allowlist, scenes: [{ write: { "docs/value.txt": "right\n", "docs/auth/x.md": "x\n" } }] },
    ));

  it("no gate lets an L2 loop act alone, and check-allowlist answers for any two commits", () =>
    withProposal(
      async (place, { base, branch }) => {
        const check = async (...flags: readonly string[]) =>
          (await place.lw(["check-allowlist", "--repo", place.repo.dir, "--base", "main", "--head", branch, ...flags])).exit;

        expect([
          mainOf(place),
          await check("--allow", "docs/**"),
          await check("--allow", "src/**"),
          await check("--allow", "../x"),
        ]).toEqual([base, 0, 7, 64]);
      },
      { level: "L2", gate: allowlist },
    ));

  it.skipIf(!canBox)(
    "L3 whose action was taken back under another subject is held at L2 by itself, status says so, until a human says otherwise",
    () =>
      withTrusted(
        async (place, { branch }) => {
          const spec = join(place.dir, "fix.loop.json");
          const acted = mainOf(place);
          const tree = place.repo.git("rev-parse", `${acted}~1^{tree}`);
          const revert = place.repo.git("commit-tree", tree, "-p", acted, "-m", "Tidy the docs");
          place.repo.git("update-ref", "refs/heads/main", revert);

          const second = await place.json(["run", spec]);
          const held = mainOf(place);
          const status = await place.lw(["status"]);
          const record = await place.json(["promote", "fix"]);
          const unsupported = await place.json(["promote", "fix", "--yes", ...ADA]);
          const promoted = await place.json(["promote", "fix", "--yes", "--anyway", ...ADA, "--why", "it was ours"]);

          expect([acted, second.exit, held]).toEqual([place.repo.git("rev-parse", branch), 0, revert]);
          expect([record.exit, record.said.held, record.said.record.reverted, record.said.record.alone]).toEqual([9, "L2", 1, 1]);
          expect(status.stdout).toMatch(/L3, as L2.*it is held at L2: every file that [0-9a-f]{12} changed is again as it was/);
          expect([unsupported.exit, promoted.exit, promoted.said.held]).toEqual([9, 0, "L3"]);
        },
        { gate: allowlist },
      ),
  );
});
