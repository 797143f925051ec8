// How long a maker and what it started go on after it reported more than its budget: one that lets itself be ended, and one that does not.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const MOST_MS = 2000;
const TURNS = 3;
const lw = resolve("dist/lw.cjs");

console.log(`after the hard line of a budget (at most ${MOST_MS} ms; the worst of ${TURNS})`);
const worst = [
  measure("one that ends when it is asked to", ""),
  measure("one that ignores being asked, and its children", "trap '' TERM;"),
];
if (worst.some((ms) => ms > MOST_MS)) process.exitCode = 1;

function measure(name: string, deaf: string): number {
  const took = Array.from({ length: TURNS }, () => once(deaf));
  console.log(`  ${name.padEnd(48)} ${took.map((ms) => ms.toFixed(0)).join(", ")} ms`);
  return Math.max(...took);
}

function once(deaf: string): number {
  const folder = mkdtempSync(join(tmpdir(), "lw-bench-line-"));
  const repo = join(folder, "repo");
  mkdirSync(repo);
  const env = { ...process.env, LOOPWRIGHT_HOME: join(folder, "home") };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@localhost", ...args], { cwd: repo });
  git("init", "--quiet", "-b", "main");
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  const beat = (who: string): string => `while :; do date +%s%3N >> ${folder}/${who}; sleep 0.02; done`;
  writeFileSync(
    join(folder, "line.loop.json"),
    JSON.stringify({
      name: "line",
      intent: "Spend too much.",
      level: "L2",
      target: { repo },
      maker: {
        use: "shell",
        with: {
          run: `${deaf} (${deaf} ${beat("child")}) & sleep 0.2; date +%s%3N > ${folder}/crossed; echo '{"usd": 9, "tokens": 9}' > "$LOOPWRIGHT_USAGE"; ${beat("maker")}`,
        },
      },
      verifiers: [{ use: "command", with: { run: "true" } }],
      baseline: { when: "off" },
      box: { maker: { when: "off" } },
      budget: { usd: "$1.00" },
    }),
  );
  const { status } = spawnSync(process.execPath, [lw, "run", join(folder, "line.loop.json")], { env, encoding: "utf8" });
  if (status !== 10) throw new Error(`lw ended with ${status}, not with 10`);
  const at = (name: string): number => Number(readFileSync(join(folder, name), "utf8").trim().split("\n").at(-1));
  const ms = Math.max(at("maker"), at("child")) - at("crossed");
  rmSync(folder, { recursive: true, force: true });
  return ms;
}
