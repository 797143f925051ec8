// How long `lw verify` and `lw verify-iso` take for many ids, beside a plain `git cat-file --batch-check`, and beyond start-up.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { compare, ms, must, timed } from "./measure.ts";

const TIMES = 9;
const lw = resolve("dist/lw.cjs");
const folder = mkdtempSync(join(tmpdir(), "lw-bench-verify-"));
const env = { PATH: process.env.PATH, HOME: folder };

try {
  const ids = makeHistory(10_000);
  const startUpMs = await fastestOf(() => feed(process.execPath, [lw, "verify", "--help"], ""));
  for (const count of [100, 10_000]) {
    const input = `${ids.slice(0, count).join("\n")}\n`;
    const short = `${ids
      .slice(0, count)
      .map((id) => id.slice(0, 12))
      .join("\n")}\n`;
    console.log(`verify ${count} ids`);
    await compare(
      TIMES,
      { name: "lw verify", work: () => feed(process.execPath, [lw, "verify", folder, "-"], input) },
      { name: "git cat-file --batch-check", work: () => feed("git", ["-C", folder, "cat-file", "--batch-check"], input) },
    );
    // Other work on the machine only ever makes it slower, so the fastest of all turns is what it takes.
    const fastestMs = await fastestOf(() => feed(process.execPath, [lw, "verify", folder, "-"], input));
    const others = [
      ["fastest: lw verify", fastestMs],
      ["fastest: lw verify, abbreviated ids", await fastestOf(() => feed(process.execPath, [lw, "verify", folder, "-"], short))],
      ["fastest: lw verify-iso", await fastestOf(() => feed(process.execPath, [lw, "verify-iso", folder, "-"], input))],
      ["fastest: start-up (lw verify --help)", startUpMs],
      ["lw verify beyond start-up", fastestMs - startUpMs],
    ] as const;
    for (const [name, took] of others) console.log(`  ${name.padEnd(44)} ${ms(took)}`);
    console.log("");
    const [tookMs, mostMs] = count === 100 ? [fastestMs - startUpMs, 100] : [fastestMs, 1000];
    if (tookMs > mostMs) throw new Error(`${count} ids took ${ms(tookMs)}, at most ${mostMs} ms may pass`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A history of so many commits, made in one go; gives back their ids. */
function makeHistory(count: number): readonly string[] {
  must("git", ["init", "--quiet", "--initial-branch=main", "."], folder, env);
  const commit = (n: number): string =>
    `commit refs/heads/main\ncommitter Ada <ada@example.com> ${1_700_000_000 + n} +0000\ndata <<END\ncommit ${n}\nEND\n\n`;
  feed("git", ["-C", folder, "fast-import", "--quiet"], Array.from({ length: count }, (_, n) => commit(n)).join(""));
  return must("git", ["log", "--format=%H"], folder, env).trim().split("\n");
}

async function fastestOf(work: () => void): Promise<number> {
  const took: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) took.push(await timed(work));
  return Math.min(...took);
}

function feed(program: string, args: readonly string[], input: string): void {
  const { status, stderr } = spawnSync(program, [...args], { input, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} exited ${status}: ${stderr}`);
}
