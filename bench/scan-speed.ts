// The diff scanner against the clock: ordinary changes in time, absurd ones bounded, each in a process of its own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Scanned, scanDiff, scanRepository } from "../src/index.ts";
import { median, ms, must, timed } from "./measure.ts";

interface Case {
  readonly name: string;
  readonly times: number;
  /** What it may take at most, on one core; without it the time is only told. */
  readonly mostMs?: number;
  readonly prepare: () => () => Promise<Scanned>;
}

interface Told {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly verdict: Scanned["verdict"];
  readonly files: number;
  readonly findings: number;
  readonly unseen: readonly string[];
}

const text =
  (diff: string): (() => Promise<Scanned>) =>
  () =>
    scanDiff(diff);

const CASES: readonly Case[] = [
  { name: "a change of 100 lines", times: 20, mostMs: 50, prepare: () => text(ordinaryDiff(5, 20)) },
  { name: "a change of 10,000 lines in 100 files", times: 3, mostMs: 1_000, prepare: () => text(ordinaryDiff(100, 100)) },
  { name: "a change of 10,000 lines in one test file", times: 3, mostMs: 1_000, prepare: () => text(ordinaryDiff(1, 10_000)) },
  { name: "10,000 lines changed in a repository", times: 3, mostMs: 1_000, prepare: changedRepository },
  { name: "a line of 1 MB", times: 1, prepare: () => text(diffOf("src/a.test.js", [], [`expect(${"[1],".repeat(250_000)})`])) },
  { name: "a million lines", times: 1, prepare: () => text(diffOf("src/a.test.js", [], testLines("js", 1_000_000))) },
  { name: "a million lines in 2,000 files", times: 1, prepare: () => text(ordinaryDiff(2_000, 500)) },
  { name: "20,000 files", times: 1, prepare: () => text(ordinaryDiff(20_000, 2)) },
  { name: "brackets 200,000 deep", times: 1, prepare: () => text(diffOf("src/a.test.js", [], nested("(", ")", 200_000))) },
  {
    name: "blocks 20,000 deep in five languages",
    times: 1,
    prepare: () =>
      text(["js", "py", "go", "rs", "java"].map((ending) => diffOf(`src/a_test.${ending}`, [], nested("{", "}", 20_000))).join("")),
  },
  {
    name: "a wholly rewritten file of 20,000 lines",
    times: 1,
    prepare: () => text(diffOf("src/a.test.ts", testLines("js", 20_000), testLines("py", 20_000))),
  },
];

const asked = process.argv[2];
if (asked === undefined) tellAll();
else console.log(JSON.stringify(await measure(CASES[Number(asked)]!)));

function tellAll(): void {
  console.log("scan-speed (medians after one scan that loads the grammars)");
  const told = CASES.map((one, index): readonly [Case, Told] => [
    one,
    JSON.parse(must(process.execPath, [process.argv[1]!, String(index)], process.cwd())),
  ]);
  for (const [{ name, mostMs }, { wallMs, cpuMs, peakMb, verdict, files, findings, unseen }] of told) {
    console.log(
      `  ${name.padEnd(42)} ${ms(wallMs)}  cpu ${ms(cpuMs)}  peak ${String(Math.round(peakMb)).padStart(5)} MB  ${verdict}, ${files} files, ${findings} findings${mostMs ? `  (at most ${mostMs} ms)` : ""}`,
    );
    for (const what of unseen.slice(0, 3)) console.log(`      not looked at: ${what}`);
    if (unseen.length > 3) console.log(`      and ${unseen.length - 3} more`);
  }
  const slow = told.filter(([{ mostMs }, { wallMs }]) => mostMs !== undefined && wallMs > mostMs);
  for (const [{ name }] of slow) console.log(`  TOO SLOW: ${name}`);
  if (slow.length > 0) process.exitCode = 1;
}

async function measure({ times, prepare }: Case): Promise<Told> {
  const scan = prepare();
  await scanDiff(ordinaryDiff(8, 4));
  const walls: number[] = [];
  const cpus: number[] = [];
  const scans: Scanned[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const before = process.cpuUsage();
    walls.push(await timed(async () => void scans.push(await scan())));
    const { user, system } = process.cpuUsage(before);
    cpus.push((user + system) / 1_000);
  }
  const { verdict, files, findings } = scans.at(-1)!;
  return {
    wallMs: median(walls),
    cpuMs: median(cpus),
    peakMb: process.resourceUsage().maxRSS / 1024,
    verdict,
    files,
    findings: findings.length,
    unseen: findings.filter(({ rule }) => rule === "not-understood").map(({ file, what }) => `${file} ${what}`),
  };
}

/** Files in turn of several languages, source and tests, each with so many changed lines. */
function ordinaryDiff(files: number, linesEach: number): string {
  const kinds = [
    "src/%.test.ts",
    "src/%.ts",
    "tests/test_%.py",
    "pkg/%.py",
    "pkg/%_test.go",
    "src/%.rs",
    "src/test/java/%Test.java",
    "docs/%.md",
  ];
  return Array.from({ length: files }, (_, index) => {
    const path = kinds[index % kinds.length]!.replace("%", `file${index}`);
    const language = /\.(py|md)$/.test(path) ? "py" : "js";
    const half = Math.ceil(linesEach / 2);
    return diffOf(
      path,
      testLines(language, half),
      testLines(language, half).map((line) => line.replace("value", "amount")),
    );
  }).join("");
}

function testLines(language: "js" | "py", count: number): readonly string[] {
  const block =
    language === "js"
      ? (at: number) => [
          `it("keeps ${at}", () => {`,
          `  const value = compute(${at}, { deep: [1, 2, ${at}] });`,
          `  expect(value).toBe(${at});`,
          "});",
          "",
        ]
      : (at: number) => [`def test_keeps_${at}():`, `    value = compute(${at}, deep=[1, 2, ${at}])`, `    assert value == ${at}`, ""];
  const lines: string[] = [];
  for (let at = 0; lines.length < count; at += 1) lines.push(...block(at));
  return lines.slice(0, count);
}

function diffOf(path: string, before: readonly string[], after: readonly string[]): string {
  const head = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
  const range = (lines: readonly string[]): string => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  const body = [...before.map((line) => `-${line}\n`), ...after.map((line) => `+${line}\n`)].join("");
  return `${head}@@ -${range(before)} +${range(after)} @@\n${body}`;
}

/** Over many lines, so that no line is cut. */
function nested(open: string, close: string, depth: number): readonly string[] {
  const rows = Math.ceil(depth / 100);
  return ["x = ", ...Array<string>(rows).fill(open.repeat(100)), "1", ...Array<string>(rows).fill(close.repeat(100))];
}

/** Two of five lines change in 25 files of 500: 5,000 lines go and 5,000 come. */
function changedRepository(): () => Promise<Scanned> {
  const repo = mkdtempSync(join(tmpdir(), "lw-bench-scan-"));
  process.on("exit", () => rmSync(repo, { recursive: true, force: true }));
  const git = (...args: readonly string[]): string => must("git", ["-c", "user.name=b", "-c", "user.email=b@localhost", ...args], repo);
  git("init", "--quiet", "--initial-branch=main");
  for (const step of ["value", "amount"]) {
    for (let index = 0; index < 25; index += 1)
      writeFileSync(
        join(repo, `file${index}.test.ts`),
        testLines("js", 500)
          .map((line) => `${line.replace("value", step)}\n`)
          .join(""),
      );
    git("add", "--all");
    git("commit", "--quiet", `--message=${step}`);
  }
  return () => scanRepository(repo, "HEAD~1", { kind: "commit", head: "HEAD" });
}
