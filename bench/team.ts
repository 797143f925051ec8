// What a team costs beyond its workers' own times: fifty trivial workers in five chains of ten. And what it takes to fold and to go on
// with a run of many rounds, which must grow with their number and not with its square.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn, findHome, type House, type LoopRecord, loadSpec, openHouse, resumeRun, runSpec, viewOf } from "../src/index.ts";
import { median, ms, must, timed } from "./measure.ts";

const CHAINS = 5;
const LENGTH = 10;
const STEP_MS = 20;
const MOST_RATIO = 1.3;
const TIMES = 5;
const ROUNDS = [250, 500, 1000] as const;

const folder = mkdtempSync(join(tmpdir(), "lw-bench-team-"));
const repo = join(folder, "repo");
const env = {
  ...process.env,
  GIT_AUTHOR_NAME: "b",
  GIT_AUTHOR_EMAIL: "b@localhost",
  GIT_COMMITTER_NAME: "b",
  GIT_COMMITTER_EMAIL: "b@localhost",
};
mkdirSync(repo);
must("git", ["init", "-q", "-b", "main"], repo, env);
writeFileSync(join(repo, "a.txt"), "a\n");
must("git", ["add", "."], repo, env);
must("git", ["commit", "-q", "-m", "start"], repo, env);

const house = await openHouse(findHome(join(folder, "home"), { get: () => undefined }, process.platform, folder), "bench");
const isCheap = await measureTeam();
const isLinear = await measureRounds();
house.close();
rmSync(folder, { recursive: true, force: true });
process.exit(isCheap && isLinear ? 0 : 1);

async function measureTeam(): Promise<boolean> {
  const work = (id: string): string => `sleep 0.05; echo ${id} > ${id}.txt`;
  const ids = Array.from({ length: CHAINS * LENGTH }, (_, n) => `w${n}`);
  const workers = Object.fromEntries(
    ids.map((id, n) => [
      id,
      {
        role: "Work.",
        use: "shell",
        with: { run: work(id), spends: "nothing" },
        gives: { as: "text" },
        ...(n % LENGTH === 0 ? {} : { reads: [`w${n - 1}`] }),
      },
    ]),
  );
  const spec = write("team", {
    team: { atOnce: CHAINS, workers, proposes: [`w${ids.length - 1}`] },
    budget: { rounds: 1, launches: 1000 },
  });
  const own = median(await taking(TIMES, () => void must("sh", ["-c", `cd ${folder}; ${work("plain")}`], folder)));
  const ours = median(await taking(TIMES, () => run(spec)));
  const most = MOST_RATIO * own * LENGTH + STEP_MS * ids.length;
  console.log(`fifty trivial workers, ${CHAINS} chains of ${LENGTH}, without a box`);
  console.log(`  a worker's own time, medians of ${TIMES}          ${ms(own)}`);
  console.log(`  their own times on the critical path         ${ms(own * LENGTH)}`);
  console.log(`  the run, from its spec to its rest           ${ms(ours)}`);
  console.log(`  ${MOST_RATIO} times the path and ${STEP_MS} ms a step           ${ms(most)}   ${ours <= most ? "held" : "NOT HELD"}\n`);
  return ours <= most;
}

async function measureRounds(): Promise<boolean> {
  console.log("a run of many rounds, folded and shown, and taken up until it rests");
  const took: number[] = [];
  for (const count of ROUNDS) {
    const name = `rounds-${count}`;
    const opened = await openedRun(name);
    const place = { loop: name, run: `${name}-1-bench` };
    const records: LoopRecord[] = [opened, ...Array.from({ length: count }, (_, n) => roundOf(place, n + 1)).flat()];
    await house.journal.append(records.map((record) => ({ ...place, record })));
    const folding = median(await taking(3, async () => void (await viewOf(house, place.run))));
    const resuming = await timed(async () => void (await resumeRun(house, name, () => {})));
    console.log(`  ${String(count).padStart(5)} rounds   folded in ${ms(folding)}   resumed in ${ms(resuming)}`);
    took.push(folding + resuming);
  }
  const growth = took[2]! / took[0]!;
  const most = (ROUNDS[2] / ROUNDS[0]) * 1.5;
  console.log(`  four times as many take ${growth.toFixed(1)} times as long (at most ${most})   ${growth <= most ? "held" : "NOT HELD"}`);
  return growth <= most;
}

/** The opening record of a real run of this spec, under another name. */
async function openedRun(name: string): Promise<LoopRecord> {
  await run(write("opening", { maker: { use: "shell", with: { run: "echo b >> a.txt", spends: "nothing" } }, budget: { rounds: 1 } }));
  const [last] = await house.journal.newestOf("opening", "run-opened", { most: 1 });
  if (!last) throw new Error("no run was opened");
  return { ...last.record, number: 1, spec: { ...last.record.spec, name } };
}

function roundOf({ loop, run: of }: { readonly loop: string; readonly run: string }, number: number): readonly LoopRecord[] {
  const roundId = `${of}.${number}`;
  const openedAt = new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
  const talk = { ended: "finished", summary: "" };
  const diff = { sha256: "0".repeat(64), bytes: 0, truncated: false };
  const change = { path: "a.txt", before: undefined, after: { mode: "100644", blob: String(number) } };
  const step = (name: string) => ({ kind: "step-done", roundId, step: name, result: {}, tookMs: 1 });
  return [
    { kind: "round-opened", round: { id: roundId, run: of, loop, number, base: "0".repeat(40), openedAt, lessons: [] } },
    ...["make", "commit", "scan", "verify-1"].map(step),
    {
      kind: "round-closed",
      roundId,
      evidence: {
        proposal: { kind: "commit", commit: String(number), tree: String(number), changes: [change], diff, talk },
        findings: [],
        proofs: [],
      },
      verdict: { kind: "retry", because: "check-failed", lesson: "It does not hold yet." },
    },
  ] as unknown as readonly LoopRecord[]; // made up, in the shape that is on record
}

async function taking(times: number, work: () => Promise<void> | void): Promise<readonly number[]> {
  await work();
  const took: number[] = [];
  for (let turn = 0; turn < times; turn++) took.push(await timed(work));
  return took;
}

async function run(path: string): Promise<void> {
  const loading = await loadSpec(path, folder, builtIn);
  if (loading.kind !== "loaded") throw new Error(JSON.stringify(loading.problems));
  const result = await runSpec(house as House, loading.loaded, { onlyIfDue: false, again: true }, () => {});
  if (result.kind !== "ran" || result.outcome.kind !== "rested" || result.outcome.rest.kind !== "accept")
    throw new Error(JSON.stringify(result));
}

function write(name: string, more: object): string {
  const path = join(folder, `${name}.loop.json`);
  const off = { when: "off" };
  writeFileSync(
    path,
    JSON.stringify({
      name,
      intent: "Measure what a team costs.",
      level: "L2",
      target: { repo: "repo", base: "main" },
      verifiers: [{ use: "command", with: { run: "test -n here" } }],
      baseline: off,
      box: { maker: off, verifiers: off },
      ...more,
    }),
  );
  return path;
}
