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

/** Three workers, two of them loops side by side, one of which calls another loop: all who work write down that they were called. */
function specOf(place: Place): string {
  const shell = (id: string, work: string) => ({
    use: "shell",
    with: { run: `echo ${id} >> ${place.dir}/called; ${work}`, spends: "nothing" },
  });
  const loop = (name: string, about: object): string =>
    place.write(
      `${name}.loop.json`,
      JSON.stringify({
        name,
        intent: "Change both ends.",
        level: "L2",
        target: { repo: place.repo.dir, base: "main" },
        box: UNBOXED,
        baseline: { when: "off" },
        budget: { rounds: 1, launches: 500 },
        ...about,
      }),
    );
  const check = (run: string) => ({ verifiers: [{ use: "command", with: { run } }] });
  loop("left", { maker: shell("left", "sed -i s/one/ONE/ v.txt"), ...check("grep -q ONE v.txt") });
  loop("inner", { maker: shell("inner", "sed -i s/seven/SEVEN/ v.txt"), ...check("grep -q SEVEN v.txt") });
  loop("right", { team: { workers: { inner: { loop: "inner.loop.json" } }, proposes: ["inner"] }, ...check("grep -q SEVEN v.txt") });
  return loop("both", {
    team: {
      workers: {
        left: { loop: "left.loop.json" },
        right: { loop: "right.loop.json" },
        plan: { role: "Plan.", ...shell("plan", "echo ends > plan.txt"), after: ["left", "right"], gives: { as: "text" } },
      },
      proposes: ["left", "right"],
    },
    ...check("grep -q ONE v.txt && grep -q SEVEN v.txt"),
  });
}

it("killed before and after appends, one death after the other in the same run and in those that it calls", () =>
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
    const stories = await withJournal(place.home, driverName(), async (journal) => {
      const runs = [said.run, ...(await journal.runsLike(`${said.run}.`, 50)).map(({ run }) => run)];
      return Promise.all([...new Set(runs)].map(async (run: string) => (await journal.story(run)).entries));
    });
    const steps = stories
      .flat()
      .flatMap(({ record }) =>
        record.kind === "step-done" && /^(worker|make|commit)/.test(record.step)
          ? [`${record.roundId.slice(said.run.length)} ${record.step}`]
          : [],
      );
    const all = stories.flat();
    const settled = new Set(all.flatMap(({ record }) => (record.kind === "settled" ? [record.reservation] : [])));
    const called = place.read("called").trim().split("\n");

    expect(deaths).toBeGreaterThan(5);
    expect(said.rest).toEqual({ kind: "accept", action: "propose" });
    expect(steps.toSorted()).toEqual(
      [
        ".1 commit",
        ".1 make",
        ".1 worker-left.1",
        ".1 worker-plan.1",
        ".1 worker-right.1",
        ".1.left.1 commit",
        ".1.left.1 make",
        ".1.right.1 commit",
        ".1.right.1 make",
        ".1.right.1 worker-inner.1",
        ".1.right.1.inner.1 commit",
        ".1.right.1.inner.1 make",
      ].toSorted(),
    );
    expect(said.children.map(({ worker, rest }: { readonly worker: string; readonly rest: unknown }) => [worker, rest])).toEqual([
      ["left", { kind: "accept", action: "report" }],
      ["right", { kind: "accept", action: "report" }],
    ]);
    // Each run was opened, rested and signed for once.
    for (const kind of ["run-opened", "run-rested", "receipted"])
      expect(stories.map((entries) => entries.filter(({ record }) => record.kind === kind).length)).toEqual([1, 1, 1, 1]);
    expect(place.repo.git("show", `${said.branch}:v.txt`)).toContain("ONE");
    expect(place.repo.git("show", `${said.branch}:v.txt`)).toContain("SEVEN");
    // Whoever is called again after another is on record was not finished before.
    expect(called.indexOf("plan")).toBeGreaterThan(Math.max(called.lastIndexOf("left"), called.lastIndexOf("inner")));
    expect(all.filter(({ record, seq }) => record.kind === "reserved" && !settled.has(seq))).toEqual([]);
    expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
    expect(place.repo.git("branch", "--list", "loopwright/*").trim().split("\n")).toHaveLength(1);
    for (const folder of existsSync(join(place.home, "rounds")) ? readdirSync(join(place.home, "rounds")) : [])
      expect([folder, readdirSync(join(place.home, "rounds", folder))]).toEqual([folder, []]);
    expect(processesOfRun(said.run)).toEqual([]);
  }));
