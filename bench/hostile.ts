// What a hostile size costs beside an ordinary repository: each may take five seconds, or is refused before that with a reason.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { quickFolder } from "./kills/quick-folder.ts";
import { ms, must } from "./measure.ts";

const MOST_MS = 5_000;
const FILES_OF_DIFF = 30_000;
const FILES_OF_MAKER = 100_000;
const FILES_OF_REPOSITORY = 20_000;
const PASSWORDS_BYTES = 2_700_000;
const NOISE_BYTES = 3_000_000;

const program = resolve("dist/lw.cjs");
const folder = mkdtempSync(join(quickFolder(), "lw-bench-hostile-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly name: string;
  readonly tookMs: number;
  /** Of all processors, with what was started below. */
  readonly cpuMs: number;
  readonly exit: number | null;
  readonly said: string;
}

interface Case {
  readonly name: string;
  /** The exits that are right: what it came to, or a refusal. */
  readonly exits: readonly number[];
  readonly call: () => Call;
}

interface Call {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string;
}

/** The same text in every run, so that two runs can be compared. */
function noise(bytes: number, alphabet: string): string {
  let state = 88_172_645;
  const letters: string[] = [];
  for (let at = 0; at < bytes; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    letters.push(alphabet[(state >>> 0) % alphabet.length]!);
  }
  return letters.join("");
}
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-. \n";

const passwords = (): string => "PASSWORD=".repeat(Math.ceil(PASSWORDS_BYTES / 9));
const passwordLines = (): string =>
  Array.from({ length: Math.ceil(PASSWORDS_BYTES / 26) }, (_, at) => `PASSWORD=${noise(1, "abc")}x${String(at).padStart(12, "7")}\n`).join(
    "",
  );

const manyDiffs = (): string =>
  Array.from({ length: FILES_OF_DIFF }, (_, at) => {
    const path = `src/part-${at % 100}/file-${at}.test.ts`;
    const head = `diff --git a/${path} b/${path}\nindex 1111111..2222222 100644\n--- a/${path}\n+++ b/${path}\n`;
    return `${head}@@ -1,2 +1,2 @@\n-it("keeps ${at}", () => expect(value).toBe(${at}));\n+it("holds ${at}", () => expect(value).toBe(${at}));\n export {};\n`;
  }).join("");

/** By fast-import, so that making it takes no time that counts. */
function makeRepository(name: string, files: number): string {
  const repo = join(folder, name);
  mkdirSync(repo);
  must("git", ["init", "--quiet", "--initial-branch=main"], repo);
  const blobs = Array.from({ length: files }, (_, at) => {
    const text = `export const value${at} = ${at};\n`;
    return `M 100644 inline src/part-${at % 100}/file-${at}.ts\ndata ${text.length}\n${text}\n`;
  });
  const head = "commit refs/heads/main\ncommitter b <b@localhost> 1700000000 +0000\ndata 5\nstart\n";
  const stream = join(folder, `${name}.stream`);
  writeFileSync(stream, `${head}${blobs.join("")}`);
  must("/bin/sh", ["-c", `git fast-import --quiet < '${stream}'`], repo);
  return repo;
}

/** Everything that `about` does not name is as in an ordinary loop. */
function runIn(name: string, repo: string, about: { readonly maker?: string; readonly prints?: () => string } = {}): Call {
  const place = join(folder, `place-${name}`);
  mkdirSync(place, { recursive: true });
  // Beside the spec, which a box shows.
  if (about.prints !== undefined) writeFileSync(join(place, "printed.txt"), about.prints());
  const check = about.prints === undefined ? "test -s src/part-0/file-0.ts" : `cat '${join(place, "printed.txt")}'`;
  const spec = join(place, "bench.loop.json");
  writeFileSync(
    spec,
    JSON.stringify({
      name: "bench",
      intent: "Measure what a size costs.",
      level: "L2",
      target: { repo, base: "main" },
      maker: { use: "shell", with: { run: about.maker ?? "echo more >> src/part-0/file-0.ts" } },
      verifiers: [{ use: "command", with: { run: check } }],
      budget: { rounds: 1 },
    }),
  );
  return { args: ["run", "--again", spec], cwd: place };
}

const ordinary = makeRepository("ordinary", 300);
const large = makeRepository("large", FILES_OF_REPOSITORY);
const text = (args: readonly string[], input: () => string) => (): Call => ({ args, cwd: folder, input: input() });

const adds = (files: number): string =>
  `perl -e 'for my $i (0..${files - 1}) { my $d = "new/part-" . ($i % 100); mkdir "new"; mkdir $d; open(my $f, ">", "$d/file-$i.txt") or die; print $f "$i\\n"; }'`;

const CASES: readonly Case[] = [
  { name: "an ordinary repository of 300 files, a run", exits: [0], call: () => runIn("ordinary", ordinary) },
  { name: "the same, a second run", exits: [0], call: () => runIn("ordinary", ordinary) },
  { name: "a repository of 20,000 files, the first run", exits: [0], call: () => runIn("large", large) },
  { name: "the same, a second run", exits: [0], call: () => runIn("large", large) },
  { name: "a diff of 30,000 files, lw scan-diff", exits: [0, 4, 5, 9], call: text(["scan-diff", "-"], manyDiffs) },
  {
    name: "a maker that adds 30,000 files",
    exits: [4],
    call: () => runIn("adds-30", ordinary, { maker: adds(FILES_OF_DIFF) }),
  },
  {
    name: "a maker that adds 100,000 files",
    exits: [4],
    call: () => runIn("adds-100", ordinary, { maker: adds(FILES_OF_MAKER) }),
  },
  { name: "2.7 MB of PASSWORD= in one line, lw redact", exits: [0], call: text(["redact"], passwords) },
  { name: "2.7 MB of PASSWORD=… in lines, lw redact", exits: [0], call: text(["redact"], passwordLines) },
  { name: "2.7 MB of PASSWORD=, lw scan-text", exits: [0, 4, 6], call: text(["scan-text", "-"], passwords) },
  { name: "a check that prints 2.7 MB of PASSWORD=", exits: [0], call: () => runIn("prints", ordinary, { prints: passwords }) },
  { name: "3 MB of noise, lw redact", exits: [0], call: text(["redact"], () => noise(NOISE_BYTES, ALPHABET)) },
  {
    name: "3 MB of noise in one line, lw redact",
    exits: [0],
    call: text(["redact"], () => noise(NOISE_BYTES, ALPHABET.trimEnd().replaceAll(/[ .]/g, ""))),
  },
  { name: "3 MB of noise, lw scan-text", exits: [0, 4, 6], call: text(["scan-text", "-"], () => noise(NOISE_BYTES, ALPHABET)) },
  {
    name: "a check that prints 3 MB of noise",
    exits: [0],
    call: () => runIn("noisy", ordinary, { prints: () => noise(NOISE_BYTES, ALPHABET) }),
  },
];

const asked = process.argv.slice(2).flatMap((word) => (word.startsWith("--only=") ? [word.slice(7)] : []));
console.log(`hostile (each may take ${MOST_MS / 1_000} s, or is refused before that with a reason)`);
const isBusy = (): boolean => loadavg()[0]! > availableParallelism() * 1.5;
if (isBusy()) console.log("  others work on this machine: processor time is what counts, and not the time that passed");
const wrong: string[] = [];
for (const { name, exits, call } of CASES.filter(({ name }) => asked.length === 0 || asked.some((word) => name.includes(word)))) {
  const told = await measure(name, call());
  // Where others work as well, the clock on the wall tells of them.
  const isSlow = (isBusy() ? told.cpuMs : told.tookMs) > MOST_MS;
  const isWrong = told.exit === null || !exits.includes(told.exit);
  const marks = [...(isSlow ? ["TOO SLOW"] : []), ...(isWrong ? ["ANOTHER EXIT THAN WAS MEANT"] : [])];
  console.log(
    `  ${name.padEnd(48)} ${ms(told.tookMs)}  cpu ${ms(told.cpuMs)}  exit ${told.exit}  ${told.said}${marks.map((mark) => `  ${mark}`).join("")}`,
  );
  if (isSlow || isWrong) wrong.push(name);
}
if (wrong.length > 0) process.exitCode = 1;

/** Two minutes are enough to say that it is too slow. */
function measure(name: string, { args, cwd, input }: Call): Promise<Told> {
  return new Promise((done) => {
    const started = performance.now();
    const env = { PATH: process.env.PATH, HOME: folder, LOOPWRIGHT_HOME: join(cwd, "home") };
    const script = '"$@" 3>&-; code=$?; times >&3; exit $code';
    const words = ["-c", script, "sh", process.execPath, program, ...args];
    const child = spawn("/bin/sh", words, { cwd, env, stdio: ["pipe", "pipe", "pipe", "pipe"], timeout: 120_000 });
    const lines = { out: "", err: "" };
    let times = "";
    child.stdio[3]?.on("data", (piece) => {
      times += piece;
    });
    child.stdout.on("data", (piece) => {
      lines.out = `${lines.out}${piece}`.slice(-2_000);
    });
    child.stderr.on("data", (piece) => {
      lines.err = `${lines.err}${piece}`.slice(-2_000);
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    child.on("close", (exit) => {
      const said = `${args[0] === "run" ? lines.out : ""}${lines.err}`.trim().split("\n").at(-1) ?? "";
      done({ name, tookMs: performance.now() - started, cpuMs: cpuIn(times), exit, said: said.slice(0, 100) });
    });
  });
}

/** The second line of what `times` prints is of children: minutes and seconds, for the user and for the system. */
function cpuIn(times: string): number {
  const parts = [...(times.trim().split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000, 0);
}
