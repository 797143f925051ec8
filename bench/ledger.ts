// The ledger beside the bare store: reserve and settle against plain durable commits, in turns, and eight processes at one cap.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findHome, openHouse } from "../src/index.ts";
import { median, timed } from "./measure.ts";

const PROCESSES = 8;
const CONTEND_MS = 15_000;
const TURNS = 9;
const A_TURN = 40;
const CAP = 10 ** 12;

const [mode, folder] = process.argv.slice(2);
if (mode === "contend") await contend(folder!);
else await measure();

async function measure(): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "lw-bench-ledger-"));
  const house = await openHouse(homeAt(join(place, "home")), "bench");
  const bare = openBare(join(place, "bare.db"));
  const took = { pairs: [] as number[], commits: [] as number[] };
  await pairs(house, A_TURN);
  commits(bare, A_TURN);
  for (let turn = 0; turn < TURNS; turn++) {
    took.commits.push(rate(A_TURN, await timed(() => commits(bare, A_TURN))));
    took.pairs.push(rate(A_TURN, await timed(() => pairs(house, A_TURN))));
  }
  house.close();
  const [pairsASecond, commitsASecond] = [median(took.pairs), median(took.commits)];
  const ratio = (2 * pairsASecond) / commitsASecond;
  console.log(`  bare durable commits        ${commitsASecond.toFixed(0).padStart(7)} /s`);
  console.log(`  reserve or settle           ${(2 * pairsASecond).toFixed(0).padStart(7)} /s, each a durable commit of its own`);
  console.log(`  ratio ${ratio.toFixed(2)} (at least 0.33)   medians of ${TURNS} turns of ${A_TURN}`);
  console.log(
    `  reserve and settle as one   ${pairsASecond.toFixed(0).padStart(7)} /s, ${(ratio / 2).toFixed(2)} of the bare commits (two commits: a half at best)`,
  );

  const shared = join(place, "shared");
  (await openHouse(homeAt(shared), "bench")).close();
  const counts = await Promise.all(Array.from({ length: PROCESSES }, () => countOf(shared)));
  const average = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const share = Math.min(...counts) / average;
  console.log(`  ${PROCESSES} processes at one cap: ${counts.join(" ")}; slowest ${share.toFixed(2)} of the average (at least 0.25)`);
  rmSync(place, { recursive: true, force: true });
  if (ratio < 1 / 3 || share < 0.25) process.exitCode = 1;
}

function homeAt(path: string) {
  return findHome(path, { get: () => undefined }, process.platform, path);
}

async function pairs({ journal }: Awaited<ReturnType<typeof openHouse>>, count: number): Promise<void> {
  for (let number = 0; number < count; number++) await pair(journal);
}

async function pair(journal: Awaited<ReturnType<typeof openHouse>>["journal"]): Promise<void> {
  const place = { loop: "bench", run: `bench-${process.pid}` };
  const answer = await journal.reserve(place, {
    roundId: "r",
    purpose: "bench",
    who: { maker: "bench" },
    wanted: { microUsd: 100, tokens: 100, calls: 1 },
    caps: [
      { scope: "run", measure: "microUsd", most: CAP, written: "", from: "" },
      { scope: "machine-day", measure: "microUsd", most: CAP, written: "", from: "" },
    ],
    today: "2026-01-01",
    owner: { pid: process.pid },
    isGone: () => false,
  });
  if (answer.kind === "refused") throw new Error("the bench's cap is too small");
  await journal.append([
    {
      ...place,
      record: {
        kind: "settled",
        roundId: "r",
        reservation: answer.entry.seq,
        amounts: { microUsd: 50, tokens: 80, calls: 1 },
        basis: "reported",
      },
    },
  ]);
}

/** As the store is set up, and nothing else. */
function openBare(path: string): { exec(sql: string): unknown } {
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNew = major > 22 || (major === 22 && minor >= 13);
  const db = isNew ? new (require("node:sqlite").DatabaseSync)(path) : new (require("libsql"))(path);
  db.exec(`pragma journal_mode=${isNew ? "wal" : "truncate"}`);
  db.exec("pragma synchronous=full; create table rows (id integer primary key, body text not null)");
  return db;
}

function commits(db: { exec(sql: string): unknown }, count: number): void {
  for (let number = 0; number < count; number++) db.exec(`begin immediate; insert into rows (body) values ('${"x".repeat(300)}'); commit`);
}

/** As often as it can until its time is over; its parent counts. */
async function contend(path: string): Promise<void> {
  const house = await openHouse(homeAt(path), "bench");
  let count = 0;
  for (const until = performance.now() + CONTEND_MS; performance.now() < until; count++) await pair(house.journal);
  house.close();
  console.log(count);
}

function countOf(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [process.argv[1]!, "contend", path], { stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on("close", (code) => (code === 0 ? resolve(Number(said)) : reject(new Error(`a contender exited ${code}`))));
  });
}

function rate(count: number, ms: number): number {
  return (count * 1000) / ms;
}
