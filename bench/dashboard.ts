// What the dashboard takes with a large home and many open pages: the server's work, every record to every page, and the frames of a browser.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWeb } from "../src/app/open-web.ts";
import { serveDashboard } from "../src/daemon/http/serve-dashboard.ts";
import { findHome, type LoopRecord, LoopSpec, openHouse } from "../src/index.ts";
import { BIG, fillBig, measureFrames } from "./frames.ts";
import { median, ms, timed } from "./measure.ts";

const LOOPS = 1_000;
const RUNS = 10_000;
const PAGES = 50;
const A_SECOND = 100;
const SECONDS = 20;
const [asked, at] = process.argv.slice(2);
/** `npm run bench dashboard -- --frames`: only what the browser takes. */
const isFramesOnly = asked === "--frames";
const homeAt = (folder: string) => findHome(folder, { get: () => undefined }, process.platform, folder);

if (asked === "--serve" && at !== undefined) await serve(at);
else await measure();

/** The server alone in its process, so that what it takes can be told. */
async function serve(folder: string): Promise<void> {
  const home = homeAt(folder);
  const house = await openHouse(home, "bench");
  const web = openWeb(home, "built");
  const wishes = { listen: "127.0.0.1:0", tlsCert: undefined, tlsKey: undefined, behindProxy: undefined, isReadOnly: true };
  const { url, link } = await serveDashboard(house, web, wishes, { name: "bench", how: "bench" });
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    global.gc?.();
    process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage().rss, heap: process.memoryUsage().heapUsed });
  });
  process.send?.({ url, link, token: web.token });
}

interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
  readonly heap: number;
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
  if (!isFramesOnly) {
    console.log(`a home of ${RUNS} runs in ${LOOPS} loops`);
    const filled = await timed(() => fill(join(folder, "home")));
    console.log(`  filled in ${ms(filled)}`);
  }
  const child = fork(fileURLToPath(import.meta.url), ["--serve", join(folder, "home")], { execArgv: ["--expose-gc"] });
  const message = <T>(): Promise<T> => new Promise((resolve) => child.once("message", (value) => resolve(value as T)));
  const usage = (): Promise<Usage> => {
    const answer = message<Usage>();
    child.send("usage");
    return answer;
  };
  try {
    const { url, link, token } = await message<{ readonly url: string; readonly link: string; readonly token: string }>();
    if (!isFramesOnly) await views(url, token);
    if (!isFramesOnly) await live(join(folder, "home"), url, token, usage);
    await frames(join(folder, "home"), link, url);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function views(url: string, token: string): Promise<void> {
  const ask = async (path: string): Promise<string> => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.text();
  };
  await ask("/api/health");
  const health = median(await times(20, () => ask("/api/health")));
  console.log("                                     first        again   to health   bytes");
  const paths = [
    "/api/inbox",
    "/api/loops?most=100",
    "/api/loops?most=500&after=loop-500",
    "/api/now",
    "/api/runs",
    `/api/runs/${runId(9_999)}`,
    "/api/loops/loop-7",
    "/api/ledger",
    "/api/ledger?q=nowhere",
    "/api/schedule",
    "/api/spend",
  ];
  for (const path of paths) {
    const sizes: number[] = [];
    const first = await timed(async () => void sizes.push((await ask(path)).length));
    const again = median(await times(7, () => ask(path)));
    console.log(`  ${path.slice(0, 36).padEnd(30)} ${ms(first)}  ${ms(again)}   ${(again / health).toFixed(1).padStart(8)}  ${sizes[0]}`);
  }
}

async function times(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const took: number[] = [];
  for (let turn = 0; turn < count; turn++) took.push(await timed(async () => void (await work())));
  return took;
}

async function live(folder: string, url: string, token: string, usage: () => Promise<Usage>): Promise<void> {
  const house = await openHouse(homeAt(folder), "bench");
  const start = (await house.journal.head())?.seq ?? 0;
  const seen = Array.from({ length: PAGES }, () => ({ ids: 0, last: start, isInOrder: true }));
  const requests = await Promise.all(seen.map((page) => openPage(url, token, start, page)));
  const idle = await usage();
  const began = performance.now();
  const samples: Usage[] = [];
  for (let tick = 1; tick <= SECONDS * 10; tick++) {
    const loop = `loop-${tick % LOOPS}`;
    const lines = Array.from({ length: A_SECOND / 10 }, () => ({
      loop,
      run: `${loop}-standing`,
      record: { kind: "stop-requested", by: "bench" } as const,
    }));
    await house.journal.append(lines);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + tick * 100 - performance.now())));
    if (tick % 50 === 0) samples.push(await usage());
  }
  const seconds = (performance.now() - began) / 1000;
  const end = (await house.journal.head())?.seq ?? 0;
  for (let wait = 0; wait < 50 && seen.some(({ last }) => last < end); wait++) await new Promise((resolve) => setTimeout(resolve, 100));
  const busy = await usage();
  for (const request of requests) request.destroy();
  house.close();
  const whole = seen.filter(({ ids, isInOrder }) => ids === end - start && isInOrder).length;
  const [first, last] = [samples[0], samples.at(-1)];
  console.log(`\n${PAGES} pages, ${((end - start) / seconds).toFixed(0)} records a second for ${seconds.toFixed(0)} s`);
  console.log(`  pages that have every record, once and in order   ${whole} of ${PAGES}`);
  console.log(`  share of one core                                 ${((busy.cpuMs - idle.cpuMs) / 1000 / seconds).toFixed(2)}`);
  console.log(
    `  heap after 5 s and at the end, ratio              ${((last?.heap ?? 0) / (first?.heap ?? 1)).toFixed(2)} (rss ${((busy.rss ?? 0) / 2 ** 20).toFixed(0)} MB)`,
  );
  if (whole !== PAGES) process.exitCode = 1;
}

async function frames(folder: string, link: string, url: string): Promise<void> {
  const house = await openHouse(homeAt(folder), "bench");
  const [opened] = story(0, BIG.loop);
  if (opened) await fillBig(house, opened);
  const more: LoopRecord = { kind: "step-done", roundId: `${BIG.run}.1000`, step: "act", result: {}, tookMs: 10 };
  const isKept = await measureFrames(link, url, async (count) => {
    await house.journal.append(Array.from({ length: count }, () => ({ ...BIG, record: more })));
  }).catch((error: unknown) => {
    console.log(`  the frames could not be measured: ${String(error).split("\n")[0]}`);
    return false;
  });
  house.close();
  if (!isKept) process.exitCode = 1;
}

function openPage(url: string, token: string, after: number, page: { ids: number; last: number; isInOrder: boolean }) {
  return new Promise<ReturnType<typeof get>>((resolve) => {
    const request = get(`${url}/api/events?after=${after}`, { headers: { authorization: `Bearer ${token}` }, agent: false }, (response) => {
      let rest = "";
      response.setEncoding("utf8");
      response.on("data", (text: string) => {
        const lines = `${rest}${text}`.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (!line.startsWith("id: ")) continue;
          const id = Number(line.slice(4));
          page.isInOrder &&= id === page.last + 1;
          page.last = id;
          page.ids++;
        }
      });
      response.on("error", () => {});
      resolve(request);
    });
    request.on("error", () => {});
  });
}

function runId(run: number): string {
  return `loop-${run % LOOPS}-${run}-bench`;
}

async function fill(folder: string): Promise<void> {
  const house = await openHouse(homeAt(folder), "bench");
  for (let run = 0; run < RUNS; run += 50) {
    const lines = Array.from({ length: 50 }, (_, index) => run + index).flatMap((number) => {
      const loop = `loop-${number % LOOPS}`;
      return story(number, loop).map((record) => ({ loop, run: runId(number), record }));
    });
    await house.journal.append(lines);
  }
  house.close();
}

/** A run that proposed something; all but the last of every fifth loop are settled. */
function story(run: number, loop: string): readonly LoopRecord[] {
  const roundId = `${runId(run)}.1`;
  const round = { id: roundId, run: runId(run), loop, number: 1, base: "0".repeat(40), openedAt: "2026-01-01T00:00:00.000Z", lessons: [] };
  const artifact = { sha256: "0".repeat(64), bytes: 0, truncated: false };
  const steps = ["make", "commit", "scan", "verify-1", "act"].map(
    (step): LoopRecord => ({ kind: "step-done", roundId, step, result: { branch: "b" }, tookMs: 10 }),
  );
  const isWaiting = run >= RUNS - LOOPS && run % 5 === 0;
  const evidence = {
    proposal: {
      kind: "commit",
      commit: "1".repeat(40),
      tree: "2".repeat(40),
      changes: [],
      diff: artifact,
      talk: { ended: "finished", summary: "done" },
    },
    findings: [],
    proofs: [{ verifier: "command", kind: "proof", outcome: "holds", detail: "it holds", output: artifact }],
  };
  const accept = { kind: "accept", action: "propose" } as const;
  return [
    {
      kind: "run-opened",
      number: run,
      spec: specOf(loop),
      specHash: "0".repeat(64),
      specPath: "/bench.loop.yaml",
      folder: "/",
      repo: "/repo",
      base: { ref: "main", commit: "0".repeat(40) },
      cursors: {},
      version: "bench",
      nextDue: null,
    },
    { kind: "round-opened", round },
    ...steps,
    { kind: "round-closed", roundId, evidence, verdict: accept } as unknown as LoopRecord, // as a maker's would be
    { kind: "run-rested", rest: accept, report: artifact },
    ...(isWaiting ? [] : [{ kind: "proposal-settled", how: "acted", why: "for the bench" } as const]),
  ];
}

function specOf(loop: string) {
  return LoopSpec.parse({
    name: loop,
    intent: "Measure the dashboard.",
    level: "L2",
    trigger: { use: "every", with: { interval: "1h" } },
    maker: { use: "shell", with: { run: "true" } },
    verifiers: [{ use: "command", with: { run: "true" } }],
  });
}
