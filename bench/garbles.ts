// Garbles every file of a home, each time in a home and a target as they were: `npm run bench garbles -- --times 10000`.
// What was done is named (`lw ledger verify` is not whole), or has no effect on any record, on its signatures or on the target's refs.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, resolve } from "node:path";
import { type Called, openCall } from "./kills/call-lw.ts";
import { quickFolder } from "./kills/quick-folder.ts";

const numberAfter = (flag: string, usual: number): number => {
  const at = process.argv.indexOf(flag);
  return at === -1 ? usual : Number(process.argv[at + 1]);
};
const times = numberAfter("--times", 10_000);
const seed = numberAfter("--seed", Math.floor(Math.random() * 1e9)) || 1;

const top = realpathSync(mkdtempSync(join(quickFolder(), "lw-garbles-")));
process.on("exit", () => rmSync(top, { recursive: true, force: true }));
const place = join(top, "place");
const [home, repo] = [join(place, "home"), join(place, "repo")];
const program = resolve("dist/lw.cjs");
const env = { PATH: process.env.PATH ?? "", HOME: join(place, "user"), LANG: "C.UTF-8", LOOPWRIGHT_HOME: home };
const identity = { GIT_AUTHOR_NAME: "b", GIT_AUTHOR_EMAIL: "b@localhost", GIT_COMMITTER_NAME: "b", GIT_COMMITTER_EMAIL: "b@localhost" };

const call = await openCall(program);
const lw = (...args: readonly string[]): Promise<Called> => call(args, { env, cwd: place });

const git = (...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: repo, env: { ...env, ...identity }, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")} exited ${status}: ${stderr}`);
  return stdout;
};

/** Numbers from a seed, so that a garble can be made again. */
let state = Math.imul(seed, 2_654_435_761) >>> 0;
const draw = (below: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

const GARBLES: readonly (readonly [string, (bytes: Buffer, others: readonly string[]) => Buffer | undefined])[] = [
  ["a bit turned", (bytes) => changedAt(bytes, (byte) => byte ^ (1 << draw(8)))],
  ["a byte overwritten", (bytes) => changedAt(bytes, () => draw(256))],
  ["some of it zeros", (bytes) => filled(bytes, 0)],
  ["some of it noise", (bytes) => filled(bytes, undefined)],
  ["cut off", (bytes) => bytes.subarray(0, draw(bytes.length + 1))],
  ["empty", () => Buffer.alloc(0)],
  ["gone", () => undefined],
  ["longer", (bytes) => Buffer.concat([bytes, Buffer.from(Array.from({ length: 1 + draw(200) }, () => draw(256)))])],
  ["its last line gone", (bytes) => bytes.subarray(0, bytes.lastIndexOf("\n", bytes.length - 2) + 1)],
  ["doubled", (bytes) => Buffer.concat([bytes, bytes])],
  ["another file in its place", (_, others) => readFileSync(others[draw(others.length)]!)],
];

function changedAt(bytes: Buffer, change: (byte: number) => number): Buffer {
  if (bytes.length === 0) return Buffer.from([draw(256)]);
  const at = draw(bytes.length);
  const changed = Buffer.from(bytes);
  changed[at] = change(changed[at]!);
  return changed;
}

function filled(bytes: Buffer, by: number | undefined): Buffer {
  const [from, length] = [draw(bytes.length + 1), 1 + draw(4_096)];
  const changed = Buffer.from(bytes);
  for (let at = from; at < Math.min(from + length, changed.length); at++) changed[at] = by ?? draw(256);
  return changed;
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });

layPlace();
for (const args of [
  ["run", "fix.loop.json"],
  ["approve", "fix", "--as", "ada"],
  ["run", "fix.loop.json", "--again"],
]) {
  const { exit, said } = await lw(...args);
  if (exit !== 0) throw new Error(`lw ${args.join(" ")} exited ${exit}: ${said}`);
}
const kept = join(top, "kept");
cpSync(place, kept, { recursive: true, verbatimSymlinks: true });
const files = filesBelow(home).filter((path) => !path.startsWith(join(home, "lent")));
const runs = [...new Set((await lw("show", "fix", "--records")).said.match(/fix-\d+-\w{5}/g) ?? [])];
/** What is on record, to the byte, with its hashes. */
const tell = async (): Promise<string> => {
  const shown = await Promise.all(["fix", ...runs].map(async (run) => (await lw("show", run, "--records")).said));
  return shown.join("\n");
};
const before = await tell();
const refs = git("for-each-ref");
if ((await lw("ledger", "verify")).exit !== 0) throw new Error("the home is not whole before anything was garbled");

console.log(`${times} garbles of ${files.length} files of a home (seed ${seed})`);
const counts = { named: 0, "without effect": 0, "SILENT LOSS": 0, "A BUG": 0, "MOVED THE TARGET": 0 };
const byFile = new Map<string, { named: number; without: number }>();
let isAsked = false;
// Whoever has no time left hears of what there is.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (isAsked = true));
for (let turn = 0; turn < times && !isAsked; turn++) {
  for (const folder of [home, repo]) rmSync(folder, { recursive: true, force: true });
  for (const name of ["home", "repo"]) cpSync(join(kept, name), join(place, name), { recursive: true, verbatimSymlinks: true });
  const path = files[turn % files.length]!;
  const [how, garble] = GARBLES[draw(GARBLES.length)]!;
  const was = readFileSync(path);
  const garbled = garble(
    was,
    files.filter((other) => other !== path),
  );
  const mode = statSync(path).mode;
  rmSync(path);
  if (garbled) writeFileSync(path, garbled, { mode });
  const verified = await lw("ledger", "verify");
  const told = await tell();
  const receipts = await lw("receipt", "verify", runs[0]!);
  const again = await lw("ledger", "verify");
  const isNamed = verified.exit !== 0 && again.exit !== 0;
  const isSame = told === before;
  const what = [verified, receipts, again].some(({ exit }) => exit === 70)
    ? "A BUG"
    : git("for-each-ref") !== refs
      ? "MOVED THE TARGET"
      : isNamed
        ? "named"
        : isSame
          ? "without effect"
          : "SILENT LOSS";
  counts[what] += 1;
  const name = kindOf(relative(home, path));
  const of = byFile.get(name) ?? { named: 0, without: 0 };
  byFile.set(name, { named: of.named + (what === "named" ? 1 : 0), without: of.without + (what === "without effect" ? 1 : 0) });
  if (what === "named" || what === "without effect") continue;
  console.log(`  ${what}: garble ${turn}, ${relative(home, path)} ${how}: exits ${verified.exit}, ${receipts.exit}, ${again.exit}`);
  console.log(
    `      ${(what === "A BUG" ? verified.said + receipts.said : again.said).trim().replaceAll("\n", "\n      ").slice(0, 1_000)}`,
  );
}
for (const [name, { named, without }] of [...byFile].sort()) console.log(`  ${name.padEnd(40)} named ${named}, without effect ${without}`);
for (const [what, count] of Object.entries(counts)) console.log(`  ${what.padEnd(20)} ${count}`);
if (counts["SILENT LOSS"] + counts["A BUG"] + counts["MOVED THE TARGET"] > 0) process.exitCode = 1;

/** Kept outputs and receipts have names of their own in each home. */
function kindOf(name: string): string {
  return name.includes("/") ? `${name.split("/")[0]}/…` : name;
}

function layPlace(): void {
  for (const folder of [repo, join(place, "user")]) mkdirSync(folder, { recursive: true });
  mkdirSync(join(repo, "docs"));
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(join(repo, "docs/value.txt"), "wrong\n");
  git("add", "--all");
  git("commit", "--quiet", "--message=start");
  git("checkout", "--quiet", "--detach");
  const spec = {
    name: "fix",
    intent: "Make it right.",
    level: "L2",
    target: { repo: "repo", base: "main" },
    maker: { use: "shell", with: { run: "date +%N > docs/when.txt; echo right > docs/value.txt" } },
    verifiers: [{ use: "command", with: { run: "grep -x right docs/value.txt" } }],
    baseline: { when: "off" },
    act: [{ use: "merge" }],
    budget: { rounds: 1 },
  };
  writeFileSync(join(place, "fix.loop.json"), JSON.stringify(spec));
  if (!existsSync(repo)) throw new Error("there is no repository");
}
