// A chain of a million records: verifying it beside `sha256sum` over the same bytes, in turns; the memory that takes; and whether
// appends cost the same at the end as at the beginning. `--records N` for another length.
import { spawnSync } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryHash, exportChainTo, findHome, openHouse, readChainFile, readPublicKeys, verifyHome } from "../src/index.ts";
import { median, timed } from "./measure.ts";

const TURNS = 3;
const APPENDS = 200;
const MOST_RSS_MB = 256;
const MOST_APPEND_RATIO = 2;

const [mode, ...args] = process.argv.slice(2);
if (mode === "verify") await verifyAlone(args[0]!, args[1]!);
else await measure(mode === "--records" ? Number(args[0]) : 1_000_000);

async function measure(records: number): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "lw-bench-chain-"));
  try {
    const home = findHome(join(place, "home"), { get: () => undefined }, process.platform, place);
    let house = await openHouse(home, "bench");
    const early = await appends(house);
    house.close();
    fill(join(home.folder, "journal.db"), records);
    house = await openHouse(home, "bench");
    const late = await appends(house);
    const again = await appends(house);

    const [file, key] = [join(place, "chain.jsonl"), join(place, "key.pub")];
    const exportMs = await timed(async () => void (await exportChainTo(house, file)));
    const ring = house.signing.keys.ring();
    writeFileSync(key, ring.kind === "whole" ? ring.keys.map(({ pem }) => pem).join("") : "");
    const homeMs = await timed(async () => {
      const { kind, entries, problems } = await verifyHome(house);
      if (kind !== "whole" || entries < records) throw new Error(`the home is ${kind}: ${JSON.stringify(problems[0])}`);
    });
    house.close();

    const megabytes = statSync(file).size / 1e6;
    const took = { ours: [] as number[], sha: [] as number[], rss: [] as number[] };
    for (let turn = 0; turn < TURNS; turn++) {
      took.sha.push(await timed(() => void succeed("sha256sum", [file])));
      took.ours.push(await timed(() => void took.rss.push(Number(succeed(process.execPath, [process.argv[1]!, "verify", file, key])))));
    }
    const [ours, sha, rss] = [median(took.ours), median(took.sha), Math.max(...took.rss)];
    console.log(`  ${records} records and more, ${megabytes.toFixed(0)} MB; written out in ${seconds(exportMs)}`);
    console.log(`  verified as a file            ${seconds(ours)}  ${(megabytes / (ours / 1000)).toFixed(0)} MB/s, with its start-up`);
    console.log(`  sha256sum over the same       ${seconds(sha)}  ${(megabytes / (sha / 1000)).toFixed(0)} MB/s   (medians of ${TURNS})`);
    console.log(`  speed ${(sha / ours).toFixed(2)} of sha256sum (at least 0.10)`);
    console.log(`  most memory while verifying   ${rss.toFixed(0)} MB (at most ${MOST_RSS_MB})`);
    console.log(
      `  verified in the home          ${seconds(homeMs)}  ${(megabytes / (homeMs / 1000)).toFixed(0)} MB/s (${(sha / homeMs).toFixed(2)} of sha256sum)`,
    );
    const ratio = Math.min(late, again) / early;
    console.log(
      `  an append                     ${early.toFixed(2)} ms at the beginning, ${late.toFixed(2)} and ${again.toFixed(2)} ms after ${records}`,
    );
    console.log(`  ratio ${ratio.toFixed(2)} (at most ${MOST_APPEND_RATIO})   medians of ${APPENDS}`);
    if (ours > 10 * sha || rss > MOST_RSS_MB || ratio > MOST_APPEND_RATIO) process.exitCode = 1;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What one append costs, in milliseconds. */
async function appends({ journal }: Awaited<ReturnType<typeof openHouse>>): Promise<number> {
  const took: number[] = [];
  for (let number = 0; number < APPENDS; number++)
    took.push(
      await timed(
        async () => void (await journal.append([{ loop: "bench", run: "bench-1", record: { kind: "stop-requested", by: `${number}` } }])),
      ),
    );
  return median(took);
}

/** Puts records behind those that are there, chained as ours are, without waiting for the disk at each of them. */
function fill(path: string, records: number): void {
  const require = createRequire(import.meta.url);
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNew = major > 22 || (major === 22 && minor >= 13);
  const db = isNew ? new (require("node:sqlite").DatabaseSync)(path) : new (require("libsql"))(path);
  const last = db.prepare("select seq, hash from records order by seq desc limit 1").get();
  const insert = db.prepare("insert into records (seq, at, loop, run, kind, prev, hash, body) values (?, ?, ?, ?, ?, ?, ?, ?)");
  let { seq, hash: prev } = last as { seq: number; hash: string };
  const to = seq + records;
  while (seq < to) {
    db.exec("begin immediate");
    for (const end = Math.min(to, seq + 20_000); seq < end; ) {
      seq += 1;
      const entry = {
        seq,
        at: "2026-01-02T03:04:05.678Z",
        loop: `loop-${seq % 7}`,
        run: `loop-${seq % 7}-${Math.floor(seq / 700)}-abcde`,
        prev,
      };
      const body = JSON.stringify({ by: `somebody ${seq} ${"x".repeat((seq * 997) % 800)}`, kind: "stop-requested" });
      const hash = entryHash(entry, body);
      insert.run(seq, entry.at, entry.loop, entry.run, "stop-requested", prev, hash, body);
      prev = hash;
    }
    db.exec("commit");
  }
  db.close();
}

/** In a process of its own, so that only what verifying takes is measured. Prints the most memory it had, in megabytes. */
async function verifyAlone(file: string, key: string): Promise<void> {
  const { readFileSync } = await import("node:fs");
  const found = await readChainFile(createReadStream(file, { highWaterMark: 256 * 1024 }), readPublicKeys(readFileSync(key, "utf8")) ?? []);
  if (found.kind !== "whole") throw new Error(`the chain is ${JSON.stringify(found)}`);
  console.log(process.resourceUsage().maxRSS / 1024);
}

function succeed(program: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} exited ${status}: ${stderr}`);
  return stdout;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`.padStart(9);
}
