// The watch loop on real repositories: how well what it puts first agrees with what somebody wrote down who read the diffs before there was a ranking.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** From 0 (nothing) to 3 (must be looked at), by commit; those that are not named were written down as 0. */
interface Written {
  readonly branch: string;
  readonly role: "tuned" | "untouched";
  /** How many commits that are no merges were read, newest first. */
  readonly read: number;
  readonly importance: { readonly [commit: string]: number };
}

const REPOS = resolve("../shared/repos");
const PROGRAM = resolve("dist/lw.cjs");
const LEAST = { precision: 0.75, ndcg: 0.7 };

const written = JSON.parse(readFileSync("bench/watch.score.json", "utf8")) as { readonly [name: string]: Written };
const place = mkdtempSync(join(tmpdir(), "lw-bench-watch-"));
try {
  console.log("the watch loop: what it puts first, against what was written down before");
  for (const [name, about] of Object.entries(written)) measure(name, about);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function measure(name: string, { branch, role, read, importance }: Written): void {
  const bundle = join(REPOS, `${name}.bundle`);
  if (!existsSync(bundle)) {
    console.log(`  ${name}: no repository at ${bundle}, nothing was measured`);
    return;
  }
  const repo = join(place, name);
  execFileSync("git", ["clone", "--quiet", "--branch", branch, bundle, repo]);
  const ids = execFileSync("git", ["-C", repo, "log", "--no-merges", "--format=%H", `--max-count=${read}`], { encoding: "utf8" });
  const wanted = new Set(ids.trim().split("\n"));
  const values = ranked(name, repo)
    .filter((id) => wanted.has(id))
    .map((id) => importance[id.slice(0, 12)] ?? 0);
  const precision = values.slice(0, 10).filter((value) => value >= 2).length / 10;
  const ndcg = gained(values) / gained(Object.values(importance).sort((one, other) => other - one));
  const isEnough = precision >= LEAST.precision && ndcg >= LEAST.ndcg;
  console.log(
    `  ${name.padEnd(10)} ${role.padEnd(9)} precision at 10 ${precision.toFixed(2)}, nDCG at 20 ${ndcg.toFixed(2)} of ${values.length} commits`,
  );
  if (role === "untouched" && !isEnough) {
    console.log(`    must be at least ${LEAST.precision} and ${LEAST.ndcg}`);
    process.exitCode = 1;
  }
}

/** As the loop itself puts them. */
function ranked(name: string, repo: string): readonly string[] {
  const spec = join(place, `${name}.loop.json`);
  const gather = [{ use: "commits", with: { since: "20000d", most: 400 } }];
  const maker = { use: "triage" };
  writeFileSync(
    spec,
    JSON.stringify({ name, intent: "Tell me.", level: "L1", target: { repo }, gather, maker, verifiers: [{ use: "grounded" }] }),
  );
  const env = { ...process.env, LOOPWRIGHT_HOME: join(place, "home") };
  const said = execFileSync(process.execPath, [PROGRAM, "run", spec, "--json"], { env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const { rounds } = JSON.parse(said) as {
    readonly rounds: readonly { readonly evidence?: { readonly proposal: { readonly items: readonly { readonly commit: string }[] } } }[];
  };
  return (rounds.at(-1)?.evidence?.proposal.items ?? []).map(({ commit }) => commit);
}

function gained(values: readonly number[]): number {
  return values.slice(0, 20).reduce((sum, value, index) => sum + (2 ** value - 1) / Math.log2(index + 2), 0);
}
