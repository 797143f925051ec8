// Killed at any point, a loop that is resumed ends as if nothing had happened.
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { Entry } from "../../src/contract/record.ts";
import { driverName } from "../../src/world/store/sqlite.ts";
import { createRepo, type TestRepo } from "../support/git-repo.ts";
import { withJournal } from "../support/journals.ts";
import { atEach, CALLER, type Ended, inPlace, type Place, processesOfRun, startProgram, UNBOXED, until } from "../support/lw.ts";
import { lookAt, proposalsIn } from "../support/target.ts";

const REAL_GIT = process.env
  .PATH!.split(":")
  .map((folder) => join(folder, "git"))
  .find(existsSync)!;

let template: TestRepo;
let fixedTree: string;
let crashChild: string;

beforeAll(async () => {
  template = makeTemplate();
  fixedTree = makeFixedTree();
  crashChild = join(inject("build").folder, "crash-child.js");
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
afterAll(() => {
  template.remove();
  rmSync(crashChild, { force: true });
});

const LOOPS = { fix: "a fix loop of two rounds", triage: "a triage loop" } as const;
type LoopName = keyof typeof LOOPS;

describe.each(Object.entries(LOOPS) as readonly [LoopName, string][])("%s: %s, killed and resumed, ends as if undisturbed", (loop) => {
  it("before or after every append, one death after the other in the same run", () =>
    inCopy(async (place) => {
      const before = lookAt(place.repo);
      const died = place.write("died", "");
      let deaths = 0;
      for (; (await runChild(place, loop, isEvery ? "new" : "turn", died)).exit === "SIGKILL"; deaths++)
        expect(deaths).toBeLessThan(MOST_DEATHS);

      const ending = { point: {}, crashedBy: "SIGKILL", ...(await look(place, loop, 0)), changed: difference(before, lookAt(place.repo)) };

      expect(deaths).toBeGreaterThan(isEvery ? 20 : 10);
      expect(place.read("died").trim().split("\n").length).toBe(deaths);
      expect(ending).toEqual(asUndisturbed({}, loop));
    }));

  it("before or after single appends", async () => {
    const appends = await inCopy(async (place) => Number((await runChild(place, loop, 0, "never")).stdout));
    expect(appends).toBeGreaterThan(8);
    const points = range(appends)
      .filter((n) => isEvery || n % 18 === 1)
      .flatMap((n) => (isEvery ? ["before", "after"] : [n % 4 === 2 ? "before" : "after"]).map((when) => ({ n, when })));

    const endings = await resumeAtEach(points, (place, { n, when }) => runChild(place, loop, n, when), loop);

    expect(endings).toEqual(points.map((point) => asUndisturbed(point, loop)));
  });

  it("before, during or after calls of git", async () => {
    const calls = await inCopy(async (place) => {
      const { exit } = await runWithShim(place, loop, 0, "never");
      expect(exit).toBe(0);
      return Number(place.read("calls"));
    });
    expect(calls).toBeGreaterThan(4);
    const points = range(calls).flatMap((n) => deathsOf(n).map((when) => ({ n, when })));

    const endings = await resumeAtEach(points, (place, { n, when }) => runWithShim(place, loop, n, when), loop);

    expect(endings).toEqual(points.map((point) => asUndisturbed(point, loop)));
  });
});

it("kills lw from inside what prepares, a check of base, the maker, a verifier and the notifier, which leave processes behind, and ends as if undisturbed", async () => {
  const points = ["preparer", "base", "maker 1", "maker 2", "verifier 1", "verifier 2", "notifier"].flatMap((part, index) =>
    (isEvery ? ["before", "after"] : [index % 2 === 0 ? "after" : "before"]).map((when) => ({ part, when })),
  );

  const endings = await resumeAtEach(
    points,
    (place, { part, when }) => {
      place.write(`deadly ${part} ${when}`, "");
      return place.apart.lw(["run", specOf(place, "fix", OPEN)]);
    },
    "fix",
  );

  expect(endings).toEqual(points.map((point) => asUndisturbed(point, "fix")));
});

/** Dies once at every single point, in every way; that takes many times as long. */
const isEvery = process.env.LOOPWRIGHT_CRASH === "every";
const MOST_DEATHS = 200;

/** One way to die for every tenth call, in turn. */
const deathsOf = (n: number): readonly string[] => {
  const deaths = ["before", "during", "after"];
  if (isEvery) return deaths;
  return n % 10 === 1 ? [deaths[((n - 1) / 10) % deaths.length]!] : [];
};

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, index) => index + 1);

/** Kills a run at each point, resumes it, and says how that ended and what is left. */
const resumeAtEach = <Point>(
  points: readonly Point[],
  crash: (place: Place, point: Point) => Promise<{ readonly exit: number | NodeJS.Signals }>,
  loop: LoopName,
): Promise<readonly unknown[]> =>
  atEach(points, (point) =>
    inCopy(async (place) => {
      const before = lookAt(place.repo);
      const { exit } = await crash(place, point);
      return { point, crashedBy: exit, ...(await resumeAndLook(place, loop)), changed: difference(before, lookAt(place.repo)) };
    }),
  );

/** Resumes what was interrupted, or runs when nothing had come on record, and looks at everything that should hold then. */
async function resumeAndLook(place: Place, loop: LoopName) {
  const resumed = await place.json(["resume"]);
  const isOnRecord = resumed.said.resumed > 0 || (await readJournal(place, loop)).records.length > 0;
  const finished = isOnRecord ? resumed : await place.json(["run", specOf(place, loop)]);
  return look(place, loop, finished.exit);
}

async function look(place: Place, loop: LoopName, exit: Ended["exit"]) {
  const { records, isWhole } = await readJournal(place, loop);
  const left = { processes: processesOfRun(records[0]!.run), folders: foldersIn(join(place.home, "rounds", loop)) };
  const told = { file: place.read("told.md").startsWith("#"), commands: readdirSync(join(place.dir, "told")).length };
  const proposals = proposalsIn(place.repo).map((branch) => place.repo.git("rev-parse", `${branch}^{tree}`));
  const again = await place.lw(["run", specOf(place, loop)]);
  return {
    exit,
    verdicts: records.flatMap(({ record }) => verdictOf(record)),
    records: countRecords(records),
    unsettled: unsettled(records),
    proposals,
    told,
    left,
    isWhole,
    again: again.exit,
    fsck: place.repo.git("fsck", "--no-progress", "--strict"),
  };
}

/** Read here and not by `lw`, which would take a process each time. */
const readJournal = (place: Place, loop: LoopName): Promise<{ readonly records: readonly Entry[]; readonly isWhole: boolean }> =>
  withJournal(place.home, driverName(), async (journal) => {
    const [last] = await journal.newestOf(loop, "run-opened", { most: 1 });
    return { records: last ? (await journal.story(last.run)).entries : [], isWhole: (await journal.inspect()).whole };
  });

function asUndisturbed(point: object, loop: LoopName): object {
  const common = {
    point,
    crashedBy: "SIGKILL",
    exit: 0,
    told: { file: true, commands: 1 },
    unsettled: [],
    left: { processes: [], folders: [] },
    isWhole: true,
    fsck: "",
    changed: {},
  };
  const ofRun = { "run-opened": 1, "step-done notify-1-file": 1, "step-done notify-2-command": 1, "run-rested": 1, receipted: 1 };
  if (loop === "triage")
    return {
      ...common,
      verdicts: ["accept report", "accept report"],
      records: { ...ofRun, ...inRound(1, ["gather", "make", "scan", "verify-1", "act"]), "remembered 1": 1 },
      proposals: [],
      again: 0,
    };
  return {
    ...common,
    verdicts: ["retry check-failed", "accept propose", "accept propose"],
    records: {
      ...ofRun,
      "step-done prepare": 1,
      "baseline-taken": 1,
      ...inRound(1, ["make", "commit", "scan", "verify-1"]),
      ...inRound(2, ["admit", "make", "commit", "plant", "scan", "seal", "verify-1", "verify-1-own", "act"]),
    },
    proposals: [fixedTree],
    again: 9,
  };
}

const inRound = (number: number, steps: readonly string[]) => ({
  [`round-opened ${number}`]: 1,
  [`round-closed ${number}`]: 1,
  ...Object.fromEntries(steps.map((step) => [`step-done ${number} ${step}`, 1])),
});

/** Launches are paid for as often as they were made; what is reserved is settled in the end, whoever died in between. */
const unsettled = (records: readonly Entry[]): readonly number[] => {
  const settled = new Set(records.flatMap(({ record }) => (record.kind === "settled" ? [record.reservation] : [])));
  return records.filter(({ record, seq }) => record.kind === "reserved" && !settled.has(seq)).map(({ seq }) => seq);
};
const LEDGER = new Set<Entry["record"]["kind"]>(["reserved", "settled", "spent"]);

/** How often each thing is on record. How often the run was resumed and paid for depends on the point, and is left out. */
function countRecords(records: readonly Entry[]): { readonly [what: string]: number } {
  const counts: { [what: string]: number } = {};
  for (const { run, record } of records) {
    if (LEDGER.has(record.kind)) continue;
    const what = nameRecord(run, record);
    if (what !== "run-resumed") counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

function nameRecord(run: string, record: Entry["record"]): string {
  const numberOf = (roundId: string): string => (roundId === run ? "" : ` ${roundId.slice(run.length + 1)}`);
  if (record.kind === "round-opened") return `round-opened ${record.round.number}`;
  if (record.kind === "step-done") return `step-done${numberOf(record.roundId)} ${record.step}`;
  return "roundId" in record ? `${record.kind}${numberOf(record.roundId)}` : record.kind;
}

/** The verdict of each round, and of the run. */
function verdictOf(record: Entry["record"]): readonly string[] {
  if (record.kind !== "round-closed" && record.kind !== "run-rested") return [];
  const verdict = record.kind === "round-closed" ? record.verdict : record.rest;
  return [`${verdict.kind} ${verdict.kind === "accept" ? verdict.action : "because" in verdict ? verdict.because : ""}`];
}

const foldersIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** What is not as it was; nothing when all is. */
const difference = (before: ReturnType<typeof lookAt>, after: ReturnType<typeof lookAt>): object =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before])),
  );

// ── the loops ───────────────────────────────────────────────────────────────────────────────────────────────────

/** A repository in the middle of somebody's work: staged, unstaged, untracked and stashed changes, and a second branch. */
function makeTemplate(): TestRepo {
  const repo = createRepo();
  repo.commit("start", { files: { "value.txt": "wrong\n", "old.txt": "old\n", "docs/readme.md": "# Shop\n", "fixtures/a.json": "{}\n" } });
  repo.git("branch", "other");
  repo.write("value.txt", "stashed\n");
  repo.git("stash", "push", "--quiet");
  repo.write("docs/readme.md", "# Staged\n");
  repo.git("add", "docs/readme.md");
  repo.write("docs/readme.md", "# Staged and changed\n");
  repo.write("notes.txt", "untracked\n");
  return repo;
}

/** The tree of what the second round leaves. */
function makeFixedTree(): string {
  const repo = createRepo();
  repo.commit("fixed", {
    files: { "value.txt": "right\n", "docs/readme.md": "# Shop\n", "fixtures/a.json": "[]\n", "new file.txt": "new\n" },
  });
  const tree = repo.git("rev-parse", "HEAD^{tree}");
  repo.remove();
  return tree;
}

const inCopy = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(work, () => {
    const repo = createRepo();
    cpSync(template.dir, repo.dir, { recursive: true, preserveTimestamps: true });
    return repo;
  });

/** From inside a box nobody can kill lw: that is what it is for. */
const OPEN = { box: UNBOXED };

/** Each part kills lw, once, before or after its work, if a file of its name lies there; it leaves two children behind. */
function specOf(place: Place, loop: LoopName, about: object = {}): string {
  const deadly = (part: string, when: string): string =>
    `if [ -e "${place.dir}/deadly ${part} ${when}" ]; then rm "${place.dir}/deadly ${part} ${when}"; sleep 300 & setsid sleep 300 & kill -9 $PPID; sleep 300; fi`;
  const around = (part: string, work: string): string => `${deadly(part, "before")}\n${work}\n${deadly(part, "after")}`;
  const notify = [
    { use: "file", with: { path: "told.md" } },
    { use: "command", with: { run: around("notifier", `mkdir -p told; cat > "told/$LOOPWRIGHT_RUN"`) } },
  ];
  const shared = { name: loop, intent: "Keep it right.", target: { repo: place.repo.dir, base: "main" }, notify, ...about };
  const spec =
    loop === "triage"
      ? {
          ...shared,
          level: "L1",
          gather: [{ use: "commits", with: { since: "36500d" } }],
          maker: { use: "triage" },
          verifiers: [{ use: "grounded" }],
        }
      : {
          ...shared,
          level: "L2",
          prepare: { run: around("preparer", "mkdir -p deps/in; echo whole > deps/in/it"), keep: ["deps"] },
          maker: {
            use: "shell",
            with: {
              run: `case $LOOPWRIGHT_ROUND in\n*.1) ${around("maker 1", "echo almost > value.txt")};;\n*) ${around("maker 2", "echo right > value.txt; echo '[]' > fixtures/a.json; echo new > 'new file.txt'; rm old.txt")};;\nesac`,
            },
          },
          verifiers: [
            {
              use: "command",
              with: {
                run: `grep -qx whole deps/in/it || exit 7\nif grep -qx right value.txt; then ${around("verifier 2", ":")}\nexit 0; fi\nif grep -qx wrong value.txt; then ${around("base", ":")}\nexit 1; fi\n${around("verifier 1", ":")}\nexit 1`,
              },
            },
          ],
        };
  return place.write(`${loop}.loop.json`, JSON.stringify(spec));
}

// ── the ways to die ─────────────────────────────────────────────────────────────────────────────────────────────

const runChild = (place: Place, loop: LoopName, n: number | "new" | "turn", when: string) =>
  startProgram([crashChild, place.home, specOf(place, loop), String(n), when], {
    cwd: place.dir,
    env: { PATH: process.env.PATH!, HOME: join(place.dir, "user") },
    input: "",
  }).ended;

/** Puts before the real git one that counts, and kills whoever called it the n-th time. It waits until that git is done. */
async function runWithShim(place: Place, loop: LoopName, n: number, when: string) {
  const git = `"${REAL_GIT}" "$@"`;
  const deaths: { readonly [when: string]: string } = {
    never: `exec ${git}`,
    before: "kill -9 $lw",
    during: `exec 3<&0; ${git} <&3 & kill -9 $lw; wait $!`,
    after: `${git}; kill -9 $lw`,
  };
  place.write("calls", "0");
  place.writeProgram(
    "shim/git",
    `#!/bin/sh
read -r n < "${place.dir}/calls"
n=$((n + 1))
echo $n > "${place.dir}/calls"
[ $n -eq ${n} ] || exec ${git}
${CALLER}
${deaths[when]}
echo done > "${place.dir}/dead"
`,
  );
  const ended = await place.apart.lw(["run", specOf(place, loop)], { env: { PATH: `${place.dir}/shim:${process.env.PATH}` } });
  if (n > 0) await until(() => existsSync(join(place.dir, "dead")));
  return ended;
}
