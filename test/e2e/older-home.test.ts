// A home that was written before many runs could go on in one process: it opens, verifies, and a loop goes on in it.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, UNBOXED } from "../support/lw.ts";

/** Of the last version before decision 75: a merged change, one that waits, a failed check, a report, and a run that was killed. */
const OLDER = join(import.meta.dirname, "../fixtures/home-before-many-runs.tar.gz");

it("shows, verifies and goes on in a home of an older version", () =>
  inPlace(async (place) => {
    execFileSync("tar", ["xzf", OLDER, "-C", place.dir]);

    const status = (await place.lw(["status"])).stdout;
    const verified = await place.json(["ledger", "verify"]);
    const receipt = await place.lw(["receipt", "verify", "fix"]);
    const inbox = (await place.json(["inbox"])).said;

    const states = status.split("\n").slice(1, 6);
    expect(states.map((line) => line.split(/ {2,}/).filter((_, at) => at === 0 || at === 2))).toEqual([
      ["bad", "needs you: check-failed"],
      ["fix", "merged"],
      ["killed", "interrupted"],
      ["waits", "proposed"],
      ["watch", "reported"],
    ]);
    expect([verified.exit, verified.said]).toMatchObject([
      0,
      { kind: "whole", entries: 68, signedUpTo: 64, receipts: 5, artifacts: 12, problems: [] },
    ]);
    expect([receipt.exit, receipt.stdout.includes("genuine")]).toEqual([0, true]);
    expect(inbox.items.map(({ id }: { readonly id: string }) => id.replace(/-[^-]*$/, ""))).toEqual(["bad-1", "waits-1"]);

    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    const spec = {
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      baseline: { when: "off" },
      target: { repo: place.repo.dir, base: "main" },
      maker: { use: "shell", with: { run: "echo right >value.txt", spends: "nothing" } },
      verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
      box: UNBOXED,
    };
    const went = await place.lw(["run", place.write("fix.loop.json", JSON.stringify(spec))]);
    const after = await place.json(["ledger", "verify"]);

    expect([went.exit, /fix-2-\w+/.test(went.stdout), after.exit]).toEqual([0, true, 0]);
    expect(after.said.entries).toBeGreaterThan(68);
  }));
