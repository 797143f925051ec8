// What a browser takes to show one run of 10,000 records with a diff of 50,000 lines: its longest frames while somebody scrolls, opens and hears of more.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import type { House, LoopRecord } from "../src/index.ts";
import { findBrowser } from "../test/support/find-browser.ts";
import { ms } from "./measure.ts";

const ROUNDS = 1_000;
const STEPS = ["gather", "make", "commit", "scan", "verify-1", "verify-2", "look-again", "act"];
const FILES = 50;
const LINES = 1_000;
const LIVE_SECONDS = 8;
const LIVE_A_SECOND = 20;
/** What the page promises after it is loaded. */
const MOST_MS = 100;

export const BIG = { loop: "big", run: "big-1-bench" };

/** Ten records a round, and the whole diff in the last; it has not come to rest. */
export async function fillBig(house: House, opened: LoopRecord): Promise<void> {
  const { artifacts } = house.world;
  const [small, large] = [await artifacts.keep("diff --git a/x b/x\n"), await artifacts.keep(diffText())];
  const output = await artifacts.keep("ok\n".repeat(2_000));
  await house.journal.append([{ ...BIG, record: opened }]);
  for (let first = 1; first <= ROUNDS; first += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => first + index);
    await house.journal.append(
      numbers.flatMap((number) => roundOf(number, number === ROUNDS ? large : small, output).map((record) => ({ ...BIG, record }))),
    );
  }
}

type Artifact = Awaited<ReturnType<House["world"]["artifacts"]["keep"]>>;

function roundOf(number: number, diff: Artifact, output: Artifact): readonly LoopRecord[] {
  const roundId = `${BIG.run}.${number}`;
  const opened = { id: roundId, ...BIG, number, base: "0".repeat(40), openedAt: "2026-01-01T00:00:00.000Z", lessons: [] };
  const evidence = {
    proposal: {
      kind: "commit",
      commit: "1".repeat(40),
      tree: "2".repeat(40),
      changes: [{ path: "src/file-0.js", kind: "changed" }],
      diff,
      talk: { ended: "finished", summary: `Round ${number}: I changed what was wrong.` },
    },
    findings: [{ rule: "bench", severity: "low", where: "src/file-3.js:40", file: "src/file-3.js", line: 40, why: "It is for the bench." }],
    proofs: ["command", "witness"].map((verifier) => ({ verifier, kind: "proof", outcome: "refuted", detail: "it does not hold", output })),
  };
  return [
    { kind: "round-opened", round: opened },
    ...STEPS.map((step): LoopRecord => ({ kind: "step-done", roundId, step, result: {}, tookMs: 40 })),
    { kind: "round-closed", roundId, evidence, verdict: { kind: "retry", because: "refuted", lesson: `Not yet, in round ${number}.` } },
  ] as unknown as readonly LoopRecord[]; // as an engine would write them
}

function diffText(): string {
  const code = (line: number): string =>
    `  const value${line} = compute("${line}", { deep: ${line % 7}, list: [1, 2, 3] }); // line ${line}`;
  return Array.from({ length: FILES }, (_, file) => {
    const half = LINES / 2;
    const lines = Array.from({ length: half }, (_, index) => `-${code(index)}\n+${code(index + 1)}`).join("\n");
    return `diff --git a/src/file-${file}.js b/src/file-${file}.js\nindex 1..2 100644\n--- a/src/file-${file}.js\n+++ b/src/file-${file}.js\n@@ -1,${half} +1,${half} @@\n${lines}\n`;
  }).join("");
}

const WATCH = `window.lwFrames = { gaps: [], tasks: [], last: performance.now() };
requestAnimationFrame(function step(now) {
  lwFrames.gaps.push(now - lwFrames.last);
  lwFrames.last = now;
  requestAnimationFrame(step);
});
new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => lwFrames.tasks.push(duration))).observe({ type: "longtask" });`;
const BEGIN = "lwFrames.gaps = []; lwFrames.tasks = []; lwFrames.last = performance.now();";

interface Frames {
  readonly gaps: readonly number[];
  readonly tasks: readonly number[];
}

/** Tells the longest of each, and whether the promise was kept. */
export async function measureFrames(link: string, url: string, append: (count: number) => Promise<void>): Promise<boolean> {
  const found = findBrowser(process.cwd());
  const profile = mkdtempSync(join(tmpdir(), "lw-bench-browser-"));
  const browser = await chromium.launch({
    executablePath: found.program,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
    env: { ...(process.env as { [name: string]: string }), ...found.env, HOME: profile },
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(120_000);
    await page.goto(link);
    await page.locator(".live .dot.on").waitFor({ state: "attached" });
    const began = performance.now();
    await page.goto(`${url}/runs/${BIG.run}`);
    await page.locator(".diff .file").first().waitFor({ state: "attached" });
    console.log(`\na run of ${ROUNDS * (STEPS.length + 2)} records and a diff of ${FILES * LINES} lines, in Chromium`);
    console.log(`  shown after ${ms(performance.now() - began)}`);
    await page.waitForTimeout(3_000);
    await page.evaluate(WATCH);
    console.log("                                        frames   longest   95 of 100   longest task");
    const kept = [
      await phase(page, "nothing happens", () => page.waitForTimeout(3_000)),
      await phase(page, "scrolling through the diff", () => scroll(page)),
      await phase(page, "to its end and back", () => jump(page)),
      await phase(page, "opening what is folded", () => unfold(page)),
      await phase(page, `${LIVE_A_SECOND} records a second come in`, () => hear(page, append)),
    ];
    return kept.every(Boolean);
  } finally {
    await browser.close();
    found.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function phase(page: Page, name: string, work: () => Promise<void>): Promise<boolean> {
  await page.evaluate(BEGIN);
  await work();
  const { gaps, tasks } = await page.evaluate<Frames>("({ gaps: lwFrames.gaps, tasks: lwFrames.tasks })");
  const sorted = gaps.toSorted((one, other) => one - other);
  const [longest, usual, task] = [sorted.at(-1) ?? 0, sorted[Math.floor(sorted.length * 0.95)] ?? 0, Math.max(0, ...tasks)];
  console.log(`  ${name.padEnd(36)} ${String(gaps.length).padStart(6)} ${ms(longest)} ${ms(usual)} ${ms(task)}`);
  return task <= MOST_MS;
}

async function scroll(page: Page): Promise<void> {
  await page.locator(".diff").first().scrollIntoViewIfNeeded();
  await page.mouse.move(700, 400);
  for (let turn = 0; turn < 150; turn++) {
    await page.mouse.wheel(0, 700);
    await page.waitForTimeout(16);
  }
}

async function jump(page: Page): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await page.keyboard.press("End");
    await page.waitForTimeout(500);
    await page.keyboard.press("Home");
    await page.waitForTimeout(500);
  }
}

async function unfold(page: Page): Promise<void> {
  for (const summary of await page.locator("details > summary").all()) {
    if (!(await summary.isVisible())) continue;
    await summary.click({ timeout: 5_000 });
    await page.waitForTimeout(150);
    if ((await page.locator("details[open]").count()) > 12) break;
  }
}

async function hear(page: Page, append: (count: number) => Promise<void>): Promise<void> {
  for (let tick = 0; tick < LIVE_SECONDS * 4; tick++) {
    await append(LIVE_A_SECOND / 4);
    await page.mouse.wheel(0, 200);
    await page.waitForTimeout(250);
  }
}
