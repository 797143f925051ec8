// Fixes from the history of real libraries, each as the change of a maker: what the recommended checks refuse or hand over, why, and what they cost beside the tests alone.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { recommendedVerifiers } from "../src/app/authoring/recommended-verifiers.ts";

/**
 * Words choose libraries; --each=N how many fixes of each (10), --at-once=N; --keep=FILE writes down each result and does not run again what
 * stands there; --write makes the page, with --note=TEXT on it. Bundles are looked for beside the repository (../shared/repos), what
 * libraries need in LOOPWRIGHT_RUNNERS (packages of npm in it, of Python in its folder `py`).
 */
const asked = process.argv.slice(2);
const words = asked.filter((word) => !word.startsWith("--"));
const option = (name: string): string | undefined => asked.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const EACH = Number(option("each") ?? 10);
const AT_ONCE = Number(option("at-once") ?? 2);
const kept = option("keep");
const runners = process.env.LOOPWRIGHT_RUNNERS;
const bundles = resolve(
  dirname(spawnSync("git", ["rev-parse", "--path-format=absolute", "--git-common-dir"], { encoding: "utf8" }).stdout.trim()),
  "..",
  "shared",
  "repos",
);

interface Check {
  readonly run: string;
  readonly results: { readonly format: string; readonly file: string };
  readonly env?: { readonly [name: string]: string };
}

interface Library {
  readonly name: string;
  readonly branch: string;
  readonly source: RegExp;
  readonly test: RegExp;
  /** How these test files are run, and none of the others; new ones beside them are. */
  readonly check: (tests: readonly string[], others: readonly string[], files: ReadonlySet<string>) => Check | undefined;
}

const ignoring = (flag: string, paths: readonly string[]): string => paths.map((path) => `'${flag}${path}'`).join(" ");
const pythonPath = (...paths: readonly string[]): { readonly PYTHONPATH: string } => ({
  PYTHONPATH: [...paths, ...(runners ? [join(runners, "py")] : [])].join(":"),
});

const LIBRARIES: readonly Library[] = [
  {
    name: "click",
    branch: "main",
    source: /^src\/click\/.*\.py$/,
    test: /^tests\/test_.*\.py$/,
    check: (_, others) => ({
      run: `python3 -m pytest -q -p no:cacheprovider --junitxml=results.xml tests ${ignoring("--ignore=", others)}`,
      results: { format: "junit", file: "results.xml" },
      env: pythonPath("src"),
    }),
  },
  {
    name: "python-slugify",
    branch: "master",
    source: /^slugify\/.*\.py$/,
    test: /^test\.py$/,
    check: () => ({
      run: "python3 -m pytest -q -p no:cacheprovider --junitxml=results.xml -o python_files='test*.py'",
      results: { format: "junit", file: "results.xml" },
      env: pythonPath(),
    }),
  },
  {
    name: "commander.js",
    branch: "master",
    source: /^(?:lib\/.*|index)\.js$/,
    test: /^tests\/.*\.test\.js$/,
    check: (_, others, files) => {
      if (!files.has("jest.config.js"))
        return {
          run: "node --test --test-reporter=junit --test-reporter-destination=results.xml",
          results: { format: "junit", file: "results.xml" },
        };
      return runners === undefined
        ? undefined
        : {
            run: `node ${join(runners, "node_modules/jest/bin/jest.js")} --json --outputFile=results.json ${ignoring("--testPathIgnorePatterns=", others)}`,
            results: { format: "jest", file: "results.json" },
          };
    },
  },
];

const HANDED_OVER = new Set(["seal", "gap", "tampering"]);
const IS_FIX = /\b(?:fix(?:e[sd])?|bugs?|wrong|incorrect|crash(?:es)?|broken|regression|should not|don't|handle)\b/i;

interface Fix {
  readonly library: Library;
  readonly commit: string;
  readonly subject: string;
  readonly tests: readonly string[];
  readonly check: Check;
  readonly plainSeconds: number;
}

interface Row {
  readonly library: string;
  readonly commit: string;
  readonly subject: string;
  readonly came: "accepted" | "handed over" | "refused";
  readonly because: string;
  readonly why: string;
  readonly plainSeconds: number;
  readonly checkSeconds: number;
  /** Each check by its number. */
  readonly each: readonly number[];
}

const place = realpathSync(mkdtempSync(join(tmpdir(), "lw-history-")));
const lw = resolve("dist/lw.cjs");
const PATH = [dirname(process.execPath), "/usr/bin", "/bin", process.env.PATH ?? ""].join(":");
const rows: Row[] = [];
try {
  if (!existsSync(bundles)) console.log(`skipped: there are no bundles in ${bundles}`);
  else await runAll();
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 });
}

async function runAll(): Promise<void> {
  const before: readonly Row[] =
    kept && existsSync(kept)
      ? readFileSync(kept, "utf8")
          .trim()
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Row) // written below
      : [];
  const chosen = LIBRARIES.filter(({ name }) => words.length === 0 || words.includes(name));
  const waiting = chosen.flatMap((library) => findFixes(library, before));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) rows.push("came" in next ? next : told(await letFix(next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(`\n${page().join("\n")}`);
  if (asked.includes("--write")) writeFileSync("docs/reference/history.md", `${page().join("\n")}\n`);
}

/** The newest fixes whose tests fail without them and pass with them, in a plain process. */
function findFixes(library: Library, before: readonly Row[]): readonly (Fix | Row)[] {
  const repo = join(place, library.name);
  git(place, "clone", "--quiet", join(bundles, `${library.name}.bundle`), "--branch", library.branch, repo);
  const known = new Map(before.filter((row) => row.library === library.name).map((row) => [row.commit, row]));
  const log = git(repo, "log", "--no-merges", "--format=%x00%H%x09%s", "--name-only", library.branch);
  const fixes: (Fix | Row)[] = [];
  for (const entry of log.split("\0").slice(1)) {
    if (fixes.length >= EACH) break;
    const [head = "", ...paths] = entry.split("\n").filter((line) => line !== "");
    const [commit = "", subject = ""] = head.split("\t");
    const tests = paths.filter((path) => library.test.test(path));
    if (!IS_FIX.test(subject) || tests.length === 0 || tests.length > 6 || !paths.some((path) => library.source.test(path))) continue;
    const row = known.get(commit);
    if (row) fixes.push(row);
    else fixes.push(...asFix(library, repo, commit, subject, tests));
  }
  return fixes;
}

function asFix(library: Library, repo: string, commit: string, subject: string, tests: readonly string[]): readonly Fix[] {
  const files = new Set(git(repo, "ls-tree", "-r", "--name-only", commit).split("\n"));
  const there = tests.filter((path) => files.has(path));
  const others = [...files].filter((path) => library.test.test(path) && !there.includes(path));
  const check = there.length === 0 ? undefined : library.check(there, others, files);
  if (!check) return [];
  git(repo, "checkout", "--quiet", "--force", commit);
  git(repo, "clean", "--quiet", "-dfx");
  const started = performance.now();
  if (run(repo, check) !== 0) return [];
  const plainSeconds = (performance.now() - started) / 1000;
  git(repo, "checkout", "--quiet", `${commit}^`, "--", ".");
  git(repo, "checkout", "--quiet", commit, "--", ...there);
  const isRed = run(repo, check) !== 0;
  git(repo, "reset", "--quiet", "--hard", commit);
  return isRed ? [{ library, commit, subject, tests: there, check, plainSeconds }] : [];
}

function run(cwd: string, check: Check): number {
  const env = { PATH, HOME: place, CI: "1", PYTHONDONTWRITEBYTECODE: "1", ...check.env };
  return spawnSync("/bin/sh", ["-c", check.run], { cwd, env, timeout: 300_000, stdio: "ignore" }).status ?? 1;
}

/** The tests of the fix are there first, and red: what a maker of ours finds. */
async function letFix({ library, commit, subject, tests, check, plainSeconds }: Fix): Promise<Row> {
  const folder = mkdtempSync(join(place, "fix-"));
  const repo = join(folder, "repo");
  cpSync(join(place, library.name), repo, { recursive: true });
  git(repo, "clean", "--quiet", "-dfx");
  git(repo, "checkout", "--quiet", "--force", "-B", "main", `${commit}^`);
  git(repo, "checkout", "--quiet", commit, "--", ...tests);
  git(repo, "commit", "--quiet", "--message", "Say what is wrong by tests");
  writeFileSync(join(folder, "fix.patch"), git(repo, "diff", "--binary", "HEAD", commit));
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "user/.gitconfig"), "");
  const reads = runners === undefined ? {} : { box: { verifiers: { reads: [runners] } } };
  const spec = {
    name: "fix",
    intent: "Keep main green.",
    task: subject,
    level: "L2",
    target: { repo: "repo", base: "main" },
    maker: { use: "shell", with: { run: "git apply --whitespace=nowarn ../../../../../fix.patch", timeout: "60s" } },
    verifiers: recommendedVerifiers({ ...check, timeout: "300s" }).map(({ use, with: options }) => ({
      use,
      with: { ...options, ...(check.env ? { env: check.env } : {}) },
    })),
    budget: { rounds: 1, time: "30m" },
    ...reads,
  };
  writeFileSync(join(folder, "fix.loop.json"), JSON.stringify(spec));
  const env = { PATH, HOME: join(folder, "user"), LANG: "C.UTF-8", LOOPWRIGHT_HOME: join(folder, "home") };
  await new Promise<void>((done) =>
    spawn(process.execPath, [lw, "run", "fix.loop.json", "--json"], { cwd: folder, env, stdio: "ignore" }).on("close", () => done()),
  );
  const shown = spawnSync(process.execPath, [lw, "show", "fix", "--json"], { cwd: folder, env, encoding: "utf8", maxBuffer: 1 << 26 });
  const seen = read(shown.stdout);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { library: library.name, commit, subject, ...seen, plainSeconds };
}

interface Shown {
  readonly rest?: { readonly kind: string; readonly because?: string; readonly reason?: string };
  readonly rounds: readonly {
    readonly evidence?: {
      readonly findings: readonly { readonly rule: string; readonly severity: string; readonly where: string }[];
      readonly proofs: readonly { readonly verifier: string; readonly outcome: string; readonly detail: string }[];
    };
    readonly steps?: readonly { readonly step: string; readonly tookMs: number }[];
  }[];
}

function read(text: string): Pick<Row, "came" | "because" | "why" | "checkSeconds" | "each"> {
  const shown = text === "" ? undefined : (JSON.parse(text) as Shown); // what `lw show --json` prints
  const rest = shown?.rest;
  const round = shown?.rounds.at(-1);
  const because = rest?.because ?? rest?.kind ?? "nothing";
  const came = rest?.kind === "accept" ? "accepted" : HANDED_OVER.has(because) ? "handed over" : "refused";
  const why = [
    ...(round?.evidence?.findings ?? [])
      .filter(({ severity }) => severity === "high" || severity === "critical")
      .map(({ rule, where }) => `${rule}: ${where}`),
    ...(round?.evidence?.proofs ?? [])
      .filter(({ outcome }) => outcome !== "holds")
      .map(({ verifier, outcome, detail }) => `${verifier} ${outcome}: ${detail}`),
    ...(round?.evidence ? [] : [rest?.reason ?? "lw run said nothing"]),
  ].join("\n");
  const each = (round?.steps ?? []).filter(({ step }) => step.startsWith("verify-")).map(({ tookMs }) => Math.round(tookMs / 100) / 10);
  return { came, because, why: came === "accepted" ? "" : why, checkSeconds: each.reduce((sum, one) => sum + one, 0), each };
}

function told(row: Row): Row {
  if (kept) appendFileSync(kept, `${JSON.stringify(row)}\n`);
  console.log(
    `  ${row.came.padEnd(11)} ${row.plainSeconds.toFixed(1)} s, checks ${row.each.join(" + ")} s  ${row.library} ${row.commit.slice(0, 8)} ${row.subject} | ${row.because}`,
  );
  if (row.came !== "accepted") console.log(row.why.split("\n").slice(0, 8).join("\n").replace(/^/gm, "       "));
  return row;
}

function page(): readonly string[] {
  const of = (library: string, came?: Row["came"]): readonly Row[] =>
    rows.filter((row) => row.library === library && (came === undefined || row.came === came));
  const names = [...new Set(rows.map(({ library }) => library))];
  const shareOf = (all: readonly Row[]): string => {
    const shares = all.map((row) => row.checkSeconds / row.plainSeconds).sort((a, b) => a - b);
    return shares.length === 0 || shares.some((share) => share === 0) ? "" : `${shares[Math.floor(shares.length / 2)]!.toFixed(1)} ×`;
  };
  return [
    "<!-- Written by `npm run bench history -- --write`; do not edit. -->",
    "",
    "# Fixes from the history of real libraries",
    "",
    `${rows.length} fixes, the newest of each library whose tests fail without them and pass with them; each is the change of a maker in front of what \`lw init\` recommends. Made ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}; ${AT_ONCE} at once. Its tests are on base, and red; the others of the library are left out, but where its runner knows no way.`,
    "",
    ...(option("note") === undefined ? [] : [`${option("note")}\n`]),
    "| library | fixes | accepted | handed over | refused | checks beside one plain run of the tests, in the middle |",
    "|---|---|---|---|---|---|",
    ...names.map(
      (name) =>
        `| ${name} | ${of(name).length} | ${of(name, "accepted").length} | ${of(name, "handed over").length} | ${of(name, "refused").length} | ${shareOf(of(name))} |`,
    ),
    "",
    "## Handed over or refused",
    "",
    ...rows
      .filter(({ came }) => came !== "accepted")
      .flatMap((row) => [
        `- ${row.library} \`${row.commit.slice(0, 10)}\`, ${row.came} (${row.because})`,
        ...row.why
          .split("\n")
          .slice(0, 7)
          .map((line) => `  - ${line.replaceAll("|", "\\|").replaceAll(/`/g, "'").slice(0, 300)}`),
      ]),
  ];
}

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout;
}
