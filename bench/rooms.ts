// What a round costs where a repository is as large as real ones: beside its own check, warm and with the same line changed, in the same run.
// `lw run` is a whole process; base is known from an earlier run. The same once more in a home that knows of no overlay. Nothing is deleted
// between turns but what a round deletes itself. `--only NAME`: one kind of project; `--sets`: also what `lw init` recommends.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, release, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median, ms, must, timed } from "./measure.ts";

const wordAfter = (flag: string): string | undefined =>
  process.argv.includes(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined;
const only = wordAfter("--only");
const turns = Number(wordAfter("--turns") ?? 5);
const folder = mkdtempSync(join(wordAfter("--in") ?? tmpdir(), "lw-bench-rooms-"));
const lw = resolve("dist/lw.js");
const identity = {
  ...process.env,
  GIT_AUTHOR_NAME: "b",
  GIT_AUTHOR_EMAIL: "b@localhost",
  GIT_COMMITTER_NAME: "b",
  GIT_COMMITTER_EMAIL: "b@localhost",
};

interface Project {
  readonly name: string;
  readonly needs?: string;
  readonly files: { readonly [path: string]: string };
  readonly prepare?: { readonly run: string; readonly keep: readonly string[] };
  /** Adds the line that makes everything which depends on it be built again. */
  readonly change: string;
  readonly check: string;
  /** For the check in a room, whose home is an empty folder. */
  readonly env?: { readonly [name: string]: string };
}

const JS_TEST = (deps: number): string =>
  `const test = require("node:test"); const assert = require("node:assert");\n${Array.from({ length: 20 }, (_, n) => `test("${n}", () => assert.equal(require("d${n % deps}/f0.js"), ${n % deps}));`).join("\n")}\ntest("own", () => assert.equal(require("./own.js").own, 1));\n`;
const MAKE_MODULES = `const { mkdirSync, writeFileSync } = require("node:fs"); const all = Number(process.argv[2]); const deps = Math.ceil(all / 100);
for (let dep = 0; dep < deps; dep++) { const at = "node_modules/d" + dep; mkdirSync(at, { recursive: true }); writeFileSync(at + "/package.json", "{}");
for (let file = 0; file < 99; file++) writeFileSync(at + "/f" + file + ".js", "module.exports = " + dep + ";\\n" + "// ".padEnd(8000, "x") + "\\n"); }\n`;

const javascript = (files: number): Project => ({
  name: `js-${files}`,
  files: {
    "own.js": "exports.own = 1;\n",
    "own.test.js": JS_TEST(Math.min(20, files / 100)),
    "make.js": MAKE_MODULES,
    ".gitignore": "node_modules\n",
  },
  prepare: { run: `node make.js ${files}`, keep: ["node_modules"] },
  change: "echo '// more' >> own.js",
  check: "node --test",
});

const many = (files: number): Project => ({
  name: `tracked-${files}`,
  files: Object.fromEntries(
    Array.from({ length: files }, (_, n) => [`d${n % 100}/e${Math.floor(n / 100) % 20}/file-${n}.txt`, `line ${n}\n`.repeat(50)]),
  ),
  change: "echo more >> d0/e0/file-0.txt",
  check: "test -s d1/e0/file-1.txt",
});

const GO_FILES = 30;
const go: Project = {
  name: "go",
  needs: "go",
  files: {
    "go.mod": "module example.org/bench\n\ngo 1.19\n",
    ...Object.fromEntries(
      Array.from({ length: GO_FILES }, (_, n) => [
        `p${n}/p.go`,
        `package p${n}\n\nimport (\n\t"encoding/json"\n\t"net/http"\n)\n\n// Of is ${n}.\nfunc Of() int { _, _ = json.Marshal(http.StatusOK); return ${n} }\n`,
      ]),
    ),
    "p0/p_test.go": 'package p0\n\nimport "testing"\n\nfunc TestOf(t *testing.T) {\n\tif Of() != 0 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    "p1/p_test.go": 'package p1\n\nimport "testing"\n\nfunc TestOf(t *testing.T) {\n\tif Of() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n',
  },
  change: "echo '// more' >> p0/p.go",
  check: "go test ./...",
};

const VENDORED = 12;
/** As `cargo vendor` leaves it, with a checksum of each file. */
const crate = (n: number): { readonly [path: string]: string } => {
  const files = {
    "Cargo.toml": `[package]\nname = "v${n}"\nversion = "1.0.0"\nedition = "2021"\n`,
    "src/lib.rs": CRATE,
  };
  const sums = Object.entries(files).map(([path, text]) => [path, createHash("sha256").update(text).digest("hex")]);
  const checksum = JSON.stringify({ files: Object.fromEntries(sums), package: "0".repeat(64) });
  return {
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`vendor/v${n}/${path}`, text])),
    [`vendor/v${n}/.cargo-checksum.json`]: checksum,
  };
};
const CRATE = Array.from(
  { length: 120 },
  (_, f) =>
    `#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]\npub struct S${f} { pub a: u64, pub b: String, pub c: Vec<u32> }\nimpl S${f} { pub fn of(n: u64) -> u64 { let s = S${f} { a: n, b: format!("{n:?}"), c: vec![1, 2] }; s.a + s.b.len() as u64 + s.c.len() as u64 } }\n`,
).join("");
const rust: Project = {
  name: "rust",
  needs: "cargo",
  files: {
    "Cargo.toml": `[package]\nname = "bench"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${Array.from({ length: VENDORED }, (_, n) => `v${n} = "1.0.0"`).join("\n")}\n`,
    ".cargo/config.toml": '[source.crates-io]\nreplace-with = "vendored-sources"\n[source.vendored-sources]\ndirectory = "vendor"\n',
    "src/lib.rs": `pub fn all() -> u64 { ${Array.from({ length: VENDORED }, (_, n) => `v${n}::S0::of(${n})`).join(" + ")} }\n\n#[test]\nfn adds() { assert!(all() > 0); }\n`,
    ...Object.assign({}, ...Array.from({ length: VENDORED }, (_, n) => crate(n))),
    ".gitignore": "target\n",
  },
  change: "echo '// more' >> src/lib.rs",
  check: "cargo test --offline --quiet",
  env: { RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup") },
};

const python: Project = {
  name: "python",
  needs: "python3",
  files: {
    "own.py": "OWN = 1\n",
    "test_own.py": `import unittest\nimport own\n${Array.from({ length: 30 }, (_, n) => `import d${n}.m0`).join("\n")}\n\nclass T(unittest.TestCase):\n    def test_own(self):\n        self.assertEqual(own.OWN, 1)\n`,
    "make.py":
      "import os\nsite='.venv/site'\nfor d in range(80):\n  os.makedirs(f'{site}/d{d}')\n  open(f'{site}/d{d}/__init__.py','w').close()\n  for m in range(20):\n    open(f'{site}/d{d}/m{m}.py','w').write(f'X = {m}\\n' * 200)\n",
    ".gitignore": ".venv\n__pycache__\n",
  },
  prepare: { run: "python3 make.py", keep: [".venv"] },
  change: "echo '# more' >> own.py",
  check: "PYTHONPATH=.venv/site python3 -m unittest -q",
};

const TSC = resolve("node_modules/typescript");
const typescript: Project = {
  name: "typescript",
  files: {
    "tsconfig.json": JSON.stringify({
      compilerOptions: { strict: true, incremental: true, outDir: "out", module: "commonjs", target: "es2022", types: [] },
      include: ["src"],
    }),
    ...Object.fromEntries(
      Array.from({ length: 200 }, (_, n) => [
        `src/f${n}.ts`,
        `${n > 0 ? `import { of as before } from "./f${n - 1}";\n` : "const before = (): number => 0;\n"}export const of = (): number => before() + ${n};\nexport interface I${n} { readonly a: string; readonly b: { readonly [K in "x" | "y"]: K } }\n`,
      ]),
    ),
    ".gitignore": "node_modules\nout\n*.tsbuildinfo\n",
  },
  prepare: { run: `mkdir node_modules && cp -R ${JSON.stringify(TSC)} node_modules/typescript`, keep: ["node_modules"] },
  change: "echo '// more' >> src/f199.ts",
  check: "node node_modules/typescript/lib/tsc.js",
};

const PROJECTS: readonly Project[] = [javascript(12_000), javascript(100_000), go, rust, python, typescript, many(20_000)];

console.log(
  `file system: ${must("stat", ["-f", "-c", "%T", folder], folder).trim()}, kernel ${release()}, ${process.getuid?.() === 0 ? "as root" : "as a user"}, medians of ${turns}`,
);
console.log("load before:", readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" "));
for (const project of PROJECTS) if (only === undefined || project.name === only) await measure(project);
rmSync(folder, { recursive: true, force: true });

async function measure(project: Project): Promise<void> {
  if (project.needs && !isThere(project.needs)) return console.log(`${project.name}: not measured, there is no ${project.needs}`);
  const repo = join(folder, project.name);
  mkdirSync(repo, { recursive: true });
  for (const [path, text] of Object.entries(project.files)) {
    mkdirSync(join(repo, path, ".."), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  must("git", ["init", "--quiet", "--initial-branch=main", "."], repo);
  must("git", ["add", "--all"], repo, identity);
  must("git", ["commit", "--quiet", "--message", "base"], repo, identity);
  const plain = join(folder, `${project.name}-plain`);
  must("git", ["clone", "--quiet", repo, plain], folder);
  const sh = (run: string): void => void must("/bin/sh", ["-c", run], plain);
  if (project.prepare) sh(project.prepare.run);
  sh(project.check);

  const spec = (set: "command" | "recommended"): string => {
    const path = join(folder, `${project.name}-${set}.loop.json`);
    const test = { run: project.check, ...(project.env ? { env: project.env } : {}) };
    writeFileSync(
      path,
      JSON.stringify({
        name: `${project.name}-${set}`,
        intent: "Measure what a round costs.",
        level: "L2",
        target: { repo: project.name, base: "main" },
        ...(project.prepare ? { prepare: project.prepare } : {}),
        maker: { use: "shell", with: { run: project.change } },
        verifiers: [{ use: "command", with: test }],
      }),
    );
    return path;
  };
  const home = join(folder, `${project.name}-home`);
  const without = join(folder, `${project.name}-home-without`);
  mkdirSync(without, { recursive: true });
  chmodSync(without, 0o700);
  const where = [process.platform, release(), statSync(without).dev, process.getuid?.() ?? 0].join(" ");
  writeFileSync(join(without, "rooms.json"), JSON.stringify({ version: 1, where, means: { kind: "copy", why: "for comparison" } }));
  const run = (at: string, set: "command" | "recommended" = "command"): void =>
    void must(process.execPath, [lw, "run", spec(set), "--again", "--home", at], folder);
  run(home);
  run(without);

  const took = { plain: [] as number[], ours: [] as number[], without: [] as number[] };
  for (let turn = 0; turn < turns; turn++) {
    took.plain.push(await timed(() => sh(`${project.change}\n${project.check}`)));
    took.ours.push(await timed(() => run(home)));
    if (turn < Math.min(2, turns)) took.without.push(await timed(() => run(without)));
  }
  const [check, ours, copied] = [median(took.plain), median(took.ours), median(took.without)];
  const bound = 1.3 * check + 1000;
  console.log(
    `${project.name.padEnd(16)} check ${ms(check)}   round ${ms(ours)}   ${(ours / check).toFixed(2)} × (bound ${ms(bound)}: ${ours <= bound ? "held" : "NOT held"})   without overlay ${ms(copied)} (${(copied / check).toFixed(2)} ×)`,
  );
}

function isThere(program: string): boolean {
  try {
    must("/bin/sh", ["-c", `command -v ${program}`], folder);
    return true;
  } catch {
    return false;
  }
}
