// A daemon that is killed again and again: every slot has its one record, and nothing of what it began is left.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findHome } from "../../src/app/home.ts";
import { openRecords, type Records } from "../../src/app/open-records.ts";
import type { EntryOf } from "../../src/journal/journal.ts";
import { createRepo, type TestRepo } from "../support/git-repo.ts";
import { inPlace, type Place, processesIn, UNBOXED, until } from "../support/lw.ts";

/** `LOOPWRIGHT_ALWAYS_ON=long` is what the issue asks for; the short form is the same with less of it. */
const IS_LONG = process.env.LOOPWRIGHT_ALWAYS_ON === "long";
const { LOOPS, LASTS_MS, KILLED_EVERY_MS } = IS_LONG
  ? { LOOPS: 40, LASTS_MS: 120_000, KILLED_EVERY_MS: 5_000 }
  : { LOOPS: 12, LASTS_MS: 20_000, KILLED_EVERY_MS: 4_000 };
const TARGETS = 4;
const SECOND = 1_000;

/** What the makers do, each between the two lines that it leaves in its target's file. */
const MAKERS = ["sleep 0.3", "exit 1", "sleep 300", "kill -KILL $$", "echo right >value.txt"];

let repos: readonly TestRepo[] = [];
beforeAll(() => {
  repos = Array.from({ length: TARGETS }, () => createRepo());
  for (const repo of repos) repo.commit("start", { files: { "value.txt": "wrong\n" } });
});
afterAll(() => {
  for (const repo of repos) repo.remove();
});

it("wakes every loop at each of its times once, or says why not, however often it is killed", () =>
  inPlace(async (place) => {
    place.write("home/machine.yaml", "runs: 6\nheadroom: { cpu: 0%, memory: 0% }\ndrain: 60s\n");
    const loops = Array.from({ length: LOOPS }, (_, index) => `loop-${index + 1}`);
    for (const [index, loop] of loops.entries()) place.write(`specs/${loop}.loop.json`, specOf(place, loop, index));
    expect(await place.lw(["add", "specs", "--as", "ada"])).toMatchObject({ exit: 0, stderr: "" });

    // Killed in the middle of whatever it does, once it did anything, and started again at once.
    const overMs = performance.now() + LASTS_MS;
    while (performance.now() < overMs) {
      const before = makersBegun(place);
      const daemon = place.start(["serve", "--no-web", "--json"]);
      await new Promise((resolve) => setTimeout(resolve, KILLED_EVERY_MS));
      // Once all of them are halted or wait for a person no maker begins any more: then it is killed while it only writes down why not.
      const patientMs = performance.now() + KILLED_EVERY_MS;
      await until(() => makersBegun(place) > before || performance.now() > patientMs);
      daemon.signal("SIGKILL");
      expect((await daemon.ended).exit).toBe("SIGKILL");
    }

    // All of them are taken away, so that their last times are closed; what is open is finished.
    expect((await place.lw(["remove", "specs", "--as", "ada"])).exit).toBe(0);
    const last = await place.start(["serve", "--once", "--json"]).ended;
    expect(last.exit, last.stderr).toBe(0);
    await place.lw(["resume"]);

    let accepted: readonly string[] = [];
    const records = await openRecords(findHome(place.home, { get: () => undefined }, process.platform, "/"));
    try {
      const accounts = await Promise.all(loops.map((loop) => accountOf(records, loop)));
      expect(accounts.filter(({ twice, missing }) => twice.length + missing.length > 0)).toEqual([]);
      accepted = (await Promise.all(loops.map((loop) => acceptedOf(records, loop)))).flat();
      // Else nothing was tried.
      expect(accounts.filter(({ ran }) => ran > 0).length).toBeGreaterThan(0);
      expect(
        await Promise.all(["daemon" as const, ...loops.map((loop) => `loop ${loop}` as const)].map((name) => records.locks.isHeld(name))),
      ).not.toContain(true);
    } finally {
      records.close();
    }
    expect(linesIn(place, ".met")).toEqual([]);
    await until(() => processesIn(place).length === 0);
    expect(leftIn(join(place.home, "rounds"))).toEqual([]);
    const proposals = new Set(accepted);
    for (const repo of repos) {
      expect(repo.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
      const branches = repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");
      expect(
        branches.filter((branch) => branch !== "main" && ![...proposals].some((run) => branch.startsWith(`loopwright/${run}.`))),
      ).toEqual([]);
    }
  }));

interface Account {
  readonly loop: string;
  /** Slots with more than one record, and slots with none, as ISO times. */
  readonly twice: readonly string[];
  readonly missing: readonly string[];
  readonly ran: number;
}

/** What is on record about each second between its being added and its being taken away. */
async function accountOf({ journal }: Records, loop: string): Promise<Account> {
  const [added] = await journal.newestOf(loop, "loop-known", { most: 1 });
  const [removed] = await journal.newestOf(loop, "loop-removed", { most: 1 });
  const wakings: EntryOf<"waking">[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await journal.newestOf(loop, "waking", { before, most: 500 });
    wakings.push(...page);
    before = page.at(-1)?.seq ?? 0;
    if (page.length < 500) break;
  }
  const counts = new Map<number, number>();
  for (const { record } of wakings) for (const slot of slotsOf(record)) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  const [from, to] = [Date.parse(added?.at ?? ""), Date.parse(removed?.at ?? "")];
  const all: number[] = [];
  for (let slot = (Math.floor(from / SECOND) + 1) * SECOND; slot <= to; slot += SECOND) all.push(slot);
  const told = (slots: readonly number[]): readonly string[] => slots.map((slot) => new Date(slot).toISOString());
  return {
    loop,
    twice: told([...counts].filter(([, count]) => count > 1).map(([slot]) => slot)),
    missing: told(all.filter((slot) => !counts.has(slot))),
    ran: wakings.filter(({ record }) => record.fate === "ran").length,
  };
}

async function acceptedOf({ journal }: Records, loop: string): Promise<readonly string[]> {
  const rested = await journal.newestOf(loop, "run-rested", { most: 500 });
  return rested.flatMap(({ run, record }) => (record.rest.kind === "accept" ? [run] : []));
}

function slotsOf({ cause, covers }: EntryOf<"waking">["record"]): readonly number[] {
  if (cause.kind !== "slot") return [];
  const own = Date.parse(cause.slot);
  const first = covers ? Date.parse(covers.first) : own;
  return Array.from({ length: (own - first) / SECOND + 1 }, (_, index) => first + index * SECOND);
}

function specOf(place: Place, loop: string, index: number): string {
  const target = repos[index % TARGETS]!;
  const work = MAKERS[index % MAKERS.length]!;
  const here = join(place.dir, `target-${index % TARGETS}`);
  // Whoever meets somebody who is alive writes that down: nobody but the test would stop them.
  const run = `
if read -r other <"${here}.pid" 2>/dev/null && read -r _ _ state _ <"/proc/$other/stat" 2>/dev/null && [ "$state" != Z ]; then
  echo "${loop} met $other" >>"${here}.met"
fi
echo $$ >"${here}.pid"
echo "${loop}" >>"${here}.begun"
${work}
`;
  return JSON.stringify({
    name: loop,
    intent: "Make it right.",
    level: "L2",
    budget: { rounds: 1 },
    baseline: { when: "off" },
    target: { repo: target.dir, base: "main" },
    trigger: { use: "every", with: { interval: "1s" } },
    maker: { use: "shell", with: { run, spends: "nothing", timeout: "1s" } },
    verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
    box: UNBOXED,
  });
}

const linesIn = ({ dir }: Place, ending: string): readonly string[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith(ending))
    .flatMap((name) => readFileSync(join(dir, name), "utf8").trim().split("\n"));

const makersBegun = (place: Place): number => linesIn(place, ".begun").length;

const leftIn = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).flatMap((loop) => readdirSync(join(folder, loop)).map((round) => `${loop}/${round}`)) : [];
