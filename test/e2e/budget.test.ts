// Budgets as people meet them: a maker is ended when its money is gone, what it did is kept, and more budget goes on from there.
import { describe, expect, it } from "vitest";
import { inPlace, type Place, processesOfRun } from "../support/lw.ts";

/** The first launch spends too much and would go on for ever; the second finds what the first one did, and adds to it. */
const MAKER = `if [ -f first.txt ]; then echo second > second.txt; exit 0; fi
echo first > first.txt
( while :; do sleep 1; done & )
echo '{"usd": 3.5, "tokens": 1000}' > "$LOOPWRIGHT_USAGE"
while :; do sleep 1; done`;

const spec = (place: Place, usd: string): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make two files.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run: `sh ${place.dir}/maker.sh` } },
      verifiers: [{ use: "command", with: { run: "cat first.txt second.txt" } }],
      budget: { rounds: 2, usd },
    }),
  );

describe("a maker that spends all it may", () => {
  it("is ended with everything it started in the background (Claude Code's subagents past --max-budget-usd), its work is kept, and `lw resume` goes on from it once there is more", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "a.txt": "a\n" } });
      place.write("maker.sh", MAKER);

      const first = await place.json(["run", spec(place, "$3.00")]);
      const outlived = processesOfRun(first.said.run);
      const still = await place.json(["resume", "fix"]);
      spec(place, "$9.00");
      const second = await place.json(["resume", "fix"]);
      const spent = await place.json(["spend", "--by", "maker"]);

      expect(first.exit).toBe(10);
      expect(outlived).toEqual([]);
      expect(first.said.rest.reason).toBe("$3.50 of $3.00 are taken for this run (budget.usd)");
      expect(first.said.rounds[0].kept).toMatch(/^[0-9a-f]{40}$/);
      expect([still.exit, still.said.rest?.because ?? still.said.runs?.[0]?.rest?.because]).toEqual([10, "budget"]);
      expect(second.exit).toBe(0);
      expect(place.repo.git("ls-tree", "--name-only", second.said.runs[0].branch).split("\n")).toEqual([
        "a.txt",
        "first.txt",
        "second.txt",
      ]);
      expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
      expect(spent.said.lines[0]).toMatchObject({ key: "shell", microUsdBy: { reported: 3_500_000 } });
    }));

  it("leaves nothing to other runs of the machine once its limits are used up, and a broken limits file stops everything", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "a.txt": "a\n" } });
      place.write("maker.sh", MAKER);
      const path = spec(place, "$9.00");
      place.write("home/limits.yaml", "zone: Europe/Berlin\nday: {usd: $3.00}\n");

      const over = await place.json(["run", path]);
      place.write("home/limits.yaml", "day: {usd: 0}\n");
      const broken = await place.lw(["run", path]);
      const doctor = await place.json(["doctor"]);

      expect([over.exit, over.said.rest.reason]).toEqual([10, "$3.50 of $3.00 are taken for all loops today (day.usd in limits.yaml)"]);
      expect(broken.exit).toBe(64);
      expect(broken.stderr).toContain("day.usd: is no cap");
      expect(doctor.said.checks.find(({ name }: { name: string }) => name === "limits").result).toBe("damaged");
    }));
});
