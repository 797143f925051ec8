// A team that is killed at any append and resumed ends as if nothing had happened: no finished worker works twice, nothing is left.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { driverName } from "../../src/world/store/sqlite.ts";
import { withJournal } from "../support/journals.ts";
import { inPlace, type Place, processesOfRun, startProgram, UNBOXED } from "../support/lw.ts";

/** Each death takes a process: all of them are died on demand. */
const MOST_DEATHS = process.env.LOOPWRIGHT_CRASH === "every" ? 200 : 6;

let crashChild: string;

beforeAll(async () => {
  crashChild = join(inject("build").folder, "team-crash-child.js");
  await build({
    entryPoints: [join(import.meta.dirname, "../support/crash-child.ts")],
    outfile: crashChild,
    bundle: true,
    format: "esm",
    platform: "node",
    external: ["libsql"],
    banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
    logLevel: "warning",
  });
});
afterAll(() => rmSync(crashChild, { force: true }));

/** Three workers, two of them side by side on code of their own, all of whom write down that they were called. */
function specOf(place: Place): string {
  const shell = (id: string, work: string) => ({
    use: "shell",
    with: { run: `echo ${id} >> ${place.dir}/called; ${work}`, spends: "nothing" },
  });
  return place.write(
    "both.loop.json",
    JSON.stringify({
      name: "both",
      intent: "Change both ends.",
      level: "L2",
      target: { repo: place.repo.dir, base: "main" },
      box: UNBOXED,
      baseline: { when: "off" },
      budget: { rounds: 1, launches: 500 },
      team: {
        workers: {
          plan: { role: "Plan.", ...shell("plan", "echo ends > plan.txt"), gives: { as: "text" } },
          left: { role: "First.", ...shell("left", "sed -i s/one/ONE/ v.txt"), reads: ["plan"], gives: { as: "commit" } },
          right: { role: "Last.", ...shell("right", "sed -i s/seven/SEVEN/ v.txt"), reads: ["plan"], gives: { as: "commit" } },
        },
        proposes: ["left", "right"],
      },
      verifiers: [{ use: "command", with: { run: "grep -q ONE v.txt && grep -q SEVEN v.txt" } }],
    }),
  );
}

it("killed before and after appends, one death after the other in the same run", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "v.txt": "one\n2\n3\n4\n5\n6\nseven\n" } });
    const died = place.write("died", "");
    const spec = specOf(place);
    const env = { PATH: process.env.PATH!, HOME: join(place.dir, "user") };
    const child = (n: string, when: string) =>
      startProgram([crashChild, place.home, spec, n, when], { cwd: place.dir, env, input: "" }).ended;
    // After its first append it is one run, whose records have their names.
    let exit: unknown = (await child("1", "after")).exit;
    let deaths = 1;
    for (; exit === "SIGKILL" && deaths < MOST_DEATHS; deaths++) exit = (await child("new", died)).exit;
    if (exit === "SIGKILL") await place.lw(["resume"]);

    const { said } = await place.json(["show", "both"]);
    const entries = await withJournal(place.home, driverName(), async (journal) => (await journal.story(said.run)).entries);
    const steps = entries.flatMap(({ record }) =>
      record.kind === "step-done" && /^(worker|make|commit)/.test(record.step) ? [record.step] : [],
    );
    const settled = new Set(entries.flatMap(({ record }) => (record.kind === "settled" ? [record.reservation] : [])));
    const called = place.read("called").trim().split("\n");

    expect(deaths).toBeGreaterThan(5);
    expect(said.rest).toEqual({ kind: "accept", action: "propose" });
    expect(steps.toSorted()).toEqual(["commit", "make", "worker-left.1", "worker-plan.1", "worker-right.1"]);
    expect(place.repo.git("show", `${said.branch}:v.txt`)).toContain("ONE");
    expect(place.repo.git("show", `${said.branch}:v.txt`)).toContain("SEVEN");
    // Whoever is called again after another is on record was not finished before.
    expect(called.lastIndexOf("plan")).toBeLessThan(Math.min(called.indexOf("left"), called.indexOf("right")));
    expect(entries.filter(({ record, seq }) => record.kind === "reserved" && !settled.has(seq))).toEqual([]);
    expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
    expect(existsSync(join(place.home, "rounds", "both")) ? readdirSync(join(place.home, "rounds", "both")) : []).toEqual([]);
    expect(processesOfRun(said.run)).toEqual([]);
  }));
