// What npm would publish: complete, clean, and usable from an empty folder without running any install script.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { hashFiles } from "../support/target.ts";

const ROOT = resolve(import.meta.dirname, "../..");

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-installed-")));
  mkdirSync(join(folder, "user"));
  writeFileSync(join(folder, "package.json"), '{ "name": "empty", "private": true, "type": "module" }\n');
  execFileSync(
    "npm",
    ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", inject("build").tarball],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], cwd = folder) =>
  spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: join(folder, "user"), LOOPWRIGHT_HOME: join(folder, "home") },
  });

describe("the tarball", () => {
  const packed = (): readonly string[] =>
    execFileSync("tar", ["-tzf", inject("build").tarball], { encoding: "utf8" })
      .trim()
      .split("\n");

  it("holds the program, the library, its types and its licences, and no test, source or map", () => {
    const files = packed();

    const needed = [
      "package.json",
      "LICENSE",
      "dist/lw.cjs",
      "dist/lw.js",
      "dist/hook.cjs",
      "dist/index.js",
      "dist/guard.js",
      "dist/types/index.d.ts",
      "dist/THIRD-PARTY.txt",
    ];
    expect(needed.filter((name) => !files.includes(`package/${name}`))).toEqual([]);
    expect(files.filter((name) => /\.test\.|\.map$|\/test\/|\/src\/|node_modules|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  it("says nothing of the machine it was made on", () => {
    const unpacked = inject("build").folder;
    const files = packed().map((name) => name.replace(/^package\//, ""));

    const ours = [ROOT, homedir(), hostname()].filter((name) => name.length > 5);
    const telling = files.filter((name) => {
      const text = readFileSync(join(unpacked, name), "utf8");
      return ours.some((word) => text.includes(word)) || text.includes("sourceMappingURL");
    });

    expect(telling).toEqual([]);
  });

  it("holds the pages too, and none of them leads to a file that is not in it", () => {
    const files = new Set(packed().map((name) => name.replace(/^package\//, "")));
    const isThere = (path: string): boolean => files.has(path) || [...files].some((file) => file.startsWith(`${path.replace(/\/$/, "")}/`));

    const dead = [...files]
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        [...readFileSync(join(inject("build").folder, file), "utf8").matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
          .map(([, link = ""]) => join(dirname(file), link))
          .filter((path) => !isThere(path))
          .map((path) => `${file} leads to ${path}`),
      );

    expect([files.has("docs/library.md"), dead]).toEqual([true, []]);
  });

  it("needs no install script, of its own or of what it depends on", () => {
    const scripts = ["preinstall", "install", "postinstall", "prepare"];
    const manifests = Object.keys(hashFiles(join(folder, "node_modules"))).filter((path) =>
      /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(`node_modules/${path}`),
    );

    const withScripts = manifests.filter((path) => {
      const { scripts: own = {} } = JSON.parse(readFileSync(join(folder, "node_modules", path), "utf8"));
      return scripts.some((name) => name !== "prepare" && name in own);
    });

    expect(manifests).toContain("loopwright/package.json");
    expect(withScripts).toEqual([]);
  });
});

describe("installed into an empty folder", () => {
  it.each(["lw", "loopwright"])("has the program %s, which helps, examines and shows a loop", (name) => {
    const program = join(folder, "node_modules/.bin", name);

    const help = run(program, ["--help"]);
    const doctor = run(program, ["doctor", "--json"]);
    const demo = run(program, ["demo", "--json", "--dir", join(folder, `demo of ${name}`)]);

    expect([help.status, doctor.status, demo.status]).toEqual([0, 0, 0]);
    expect(help.stdout).toMatch(/^lw runs coding agents in loops/);
    expect(JSON.parse(demo.stdout).rest).toEqual({ kind: "accept", action: "propose" });
  });

  it("is a library whose functions can be imported", () => {
    writeFileSync(
      join(folder, "use.js"),
      `import { builtIn, readSpec } from "loopwright";
const reading = readSpec("x.loop.yaml", "name: x", builtIn);
console.log(reading.kind, reading.problems.map(({ path }) => path).join(" "));
`,
    );

    const { status, stdout, stderr } = run(process.execPath, ["use.js"]);

    expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^refused .*maker/), ""]);
  });

  it("is a library whose page has examples that run: a spec is read, a loop is run and decided, the guard is asked", () => {
    const shop = join(folder, "shop");
    const page = readFileSync(join(folder, "node_modules/loopwright/docs/library.md"), "utf8");
    mkdirSync(shop);
    for (const [, name = "", text = ""] of page.matchAll(/```\w+\n(?:\/\/|#) (\S+\.(?:mjs|yaml))\n([\s\S]*?)```/g))
      writeFileSync(join(shop, name), text);
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: shop });
    writeFileSync(join(shop, "greeting.txt"), "Go away.\n");
    git("init", "-q", "-b", "main");
    git("add", "greeting.txt");
    git("commit", "-qm", "start");

    const [check, ran, guard] = ["check.mjs", "run.mjs", "guard.mjs"].map((name) => run(process.execPath, [name], shop));

    expect([check?.status, check?.stdout]).toEqual([0, expect.stringMatching(/^tidy is sound\n.*level[\s\S]*maker/)]);
    expect([ran?.status, ran?.stdout, ran?.status === 0 ? "" : ran?.stderr]).toEqual([
      0,
      expect.stringMatching(/^accept 0 0\ntidy loopwright\/tidy-/),
      "",
    ]);
    expect([guard?.status, guard?.stdout]).toEqual([0, "deny git-force-push\nmedium\n"]);
  });

  it("is a library with types that hold", () => {
    writeFileSync(
      join(folder, "use.ts"),
      `import { builtIn, EXIT, type LoopSpec, readSpec, type SpecReading } from "loopwright";
const reading: SpecReading = readSpec("x.loop.yaml", "name: x", builtIn);
export const problems: number = reading.kind === "refused" ? reading.problems.length : 0;
export const name = (spec: LoopSpec): string => spec.name;
export const ok: 0 = EXIT.done.code;
// @ts-expect-error a spec must be text
readSpec("x.loop.yaml", 7, builtIn);
`,
    );

    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--skipLibCheck", "false"];
    const { status, stdout } = run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), ...options, "use.ts"]);

    expect([status, stdout]).toEqual([0, ""]);
  });
});
