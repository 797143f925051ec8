// What is lent of the caches that base's look filled: what goes by content, and nothing that a test came to or that undeclared inputs decide.
// Where a tool chain is there, with what it says itself.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLong } from "../../../../test/support/tries.ts";
import { removeTree } from "../../files/remove-tree.ts";
import type { CacheRoom } from "./cache-kind.ts";
import { cargo } from "./cargo.ts";
import { ccache } from "./ccache.ts";
import { go } from "./go.ts";
import { cacheKinds } from "./index.ts";
import { tsc } from "./tsc.ts";

let folder = "";
let room: CacheRoom;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-caches-")));
  room = { home: join(folder, "home"), work: join(folder, "work"), tracked: [] };
  for (const path of [room.home, room.work]) mkdirSync(path);
});
afterEach(() => removeTree(folder));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const inHome = (path: string): string => join(room.home, path);
const inWork = (path: string): string => join(room.work, path);
const filesIn = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name).slice(root.length + 1)]))
    .sort();
const has = (program: string): boolean => {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

describe("Go", () => {
  const id = (letter: string, kind: "a" | "d"): string => `.cache/go-build/${letter}${letter}/${letter.repeat(64)}-${kind}`;

  it("is lent what was compiled, and no result of a test: what a test opened is gone, and all from before has run out", async () => {
    write(inHome(id("a", "d")), "!<arch>\ncompiled");
    write(inHome(id("a", "a")), "v1 ...");
    write(inHome(id("b", "d")), "# test log\nopen data.txt\n");
    write(inHome(id("c", "d")), "PASS\n");
    write(inHome(".cache/go-build/fuzz/example.org/FuzzX/1"), "found");
    write(inHome(".cache/go-build/trim.txt"), "1");
    write(inHome(".cache/go-build/aa/strange"), "strange");
    symlinkSync("/etc/passwd", inHome(id("c", "a")));

    const found = await go.prepare(room);

    expect(found).toEqual({ under: "home", paths: [".cache/go-build"] });
    expect(filesIn(inHome(".cache/go-build"))).toEqual(
      [id("a", "a"), id("a", "d"), id("c", "d")].map((path) => path.slice(".cache/go-build/".length)).concat("testexpire.txt"),
    );
    // Else each use would copy it into the room.
    expect(statSync(inHome(id("a", "d"))).mtimeMs).toBeGreaterThan(Date.now() + 86_400_000);
    expect(Number(readFileSync(inHome(".cache/go-build/testexpire.txt"), "utf8")) / 1e6).toBeGreaterThan(Date.now() - 60_000);
  });

  it.skipIf(!isLong || !has("go"))("compiles nothing again with it, and runs every test again", async () => {
    write(inWork("go.mod"), "module example.org/x\n\ngo 1.19\n");
    write(inWork("x.go"), "package x\n\nfunc Of() int { return 1 }\n");
    write(inWork("x_test.go"), 'package x\n\nimport "testing"\n\nfunc TestOf(t *testing.T) { if Of() != 1 { t.Fatal() } }\n');
    const told = (): { readonly cached: boolean; readonly compiled: boolean } => {
      const text = execFileSync("/bin/sh", ["-c", "go test -x ./... 2>&1"], {
        cwd: room.work,
        env: { PATH: process.env.PATH, HOME: room.home },
        encoding: "utf8",
        maxBuffer: 1e8,
      });
      return { cached: text.includes("(cached)"), compiled: / -p example\.org\/x /.test(text) };
    };
    told();
    const before = told();

    await go.prepare(room);

    expect([before, told()]).toEqual([
      { cached: true, compiled: false },
      { cached: false, compiled: false },
    ]);
  });
});

describe("cargo", () => {
  const HASH = { dep: `${"0".repeat(15)}1`, script: `${"0".repeat(15)}2`, run: `${"0".repeat(15)}3`, own: `${"0".repeat(15)}4` };
  const made = (sources: { readonly dep: string; readonly script: string }): void => {
    for (const [name, hash] of [
      ["dep", HASH.dep],
      ["dep", HASH.script],
      ["dep", HASH.run],
      ["own", HASH.own],
    ])
      write(inWork(`target/debug/.fingerprint/${name}-${hash}/lib-${name}.json`), "{}");
    write(inWork(`target/debug/deps/dep-${HASH.dep}.d`), `/x/dep.d: ${sources.dep}\n\n${sources.dep}:\n`);
    write(inWork(`target/debug/deps/libdep-${HASH.dep}.rlib`), "rlib");
    write(inWork(`target/debug/build/dep-${HASH.script}/build_script_build-${HASH.script}.d`), `/x/b: ${sources.script}\n`);
    write(inWork(`target/debug/build/dep-${HASH.run}/output`), "cargo:rustc-cfg=x");
    write(inWork(`target/debug/deps/own-${HASH.own}.d`), `/x/own.d: src/lib.rs\n`);
    write(inWork(`target/debug/deps/own-${HASH.own}`), "test binary");
    write(inWork("target/debug/incremental/own-1/x"), "x");
    write(inWork("target/debug/own"), "binary");
    write(inWork("target/CACHEDIR.TAG"), "x");
    write(inWork("target/.rustc_info.json"), "{}");
    write(inWork("target/doc/index.html"), "x");
  };
  const REGISTRY = "/home/ada/.cargo/registry/src/index/dep-1.0.0";

  it("is lent what comes from a registry, with what its build script said, and nothing of the workspace's own", async () => {
    made({ dep: `${REGISTRY}/src/lib.rs`, script: `${REGISTRY}/build.rs` });

    const found = await cargo.prepare({ ...room, tracked: ["Cargo.toml", "src/lib.rs"] });

    expect(found).toMatchObject({ under: "work", paths: ["target"], bounds: { alone: true, unlessIn: [] } });
    expect(filesIn(inWork("target"))).toEqual(
      [
        ".rustc_info.json",
        "CACHEDIR.TAG",
        ...[HASH.dep, HASH.script, HASH.run].map((hash) => `debug/.fingerprint/dep-${hash}/lib-dep.json`),
        `debug/build/dep-${HASH.run}/output`,
        `debug/build/dep-${HASH.script}/build_script_build-${HASH.script}.d`,
        `debug/deps/dep-${HASH.dep}.d`,
        `debug/deps/libdep-${HASH.dep}.rlib`,
      ].sort(),
    );
  });

  it("is lent vendored packages with a checksum, but to no change that touches where they lie", async () => {
    made({ dep: inWork("vendor/dep/src/lib.rs"), script: inWork("vendor/dep/build.rs") });

    const found = await cargo.prepare({ ...room, tracked: ["Cargo.toml", "vendor/dep/Cargo.toml", "vendor/dep/.cargo-checksum.json"] });

    expect(found?.bounds?.unlessIn).toEqual(["vendor"]);
    expect(existsSync(inWork(`target/debug/deps/libdep-${HASH.dep}.rlib`))).toBe(true);
  });

  it.each([
    ["a package by its path", "path1/src/lib.rs", `${REGISTRY}/build.rs`],
    ["one whose build script lies in the copy", `${REGISTRY}/src/lib.rs`, "build.rs"],
    ["one that also reads a file of the copy", `${REGISTRY}/src/lib.rs shared/table.txt`, `${REGISTRY}/build.rs`],
    ["one whose sources lead into the copy by a detour", "/x/../work/src/lib.rs", `${REGISTRY}/build.rs`],
    ["one of which nothing is told", "", `${REGISTRY}/build.rs`],
  ])("is not lent %s", async (_, dep, script) => {
    made({ dep: dep.replace("/x/../work", join(folder, "x", "..", "work")), script });

    expect(await cargo.prepare({ ...room, tracked: ["Cargo.toml"] })).toBeUndefined();
    expect(filesIn(inWork("target/debug/deps"))).toEqual([]);
  });
});

describe("tsc", () => {
  const SOURCES = ["src/a.ts", "src/b.ts", "tsconfig.json"];
  const note = (about: object = {}, path = "tsconfig.tsbuildinfo"): void =>
    write(
      inWork(path),
      JSON.stringify({
        fileNames: ["node_modules/typescript/lib/lib.d.ts", "src/a.ts", "src/b.ts"],
        options: { outDir: "./out", rootDir: "./src" },
        ...about,
      }),
    );

  it("is lent its notes and what it wrote from base's files, and nothing that others put there", async () => {
    note();
    for (const path of ["a.js", "a.js.map", "a.d.ts", "b.js", "copied.json", "generated.js"]) write(inWork(`out/${path}`), "x");

    const found = await tsc.prepare({ ...room, tracked: SOURCES });

    expect(found).toEqual({
      under: "work",
      paths: ["out", "tsconfig.tsbuildinfo"],
      bounds: { alone: true, byTime: true, unlessGone: true, unless: ["**/tsconfig*.json"] },
    });
    expect(filesIn(inWork("out"))).toEqual(["a.d.ts", "a.js", "a.js.map", "b.js"]);
  });

  it("is lent its notes alone where it writes nothing else", async () => {
    note({ options: { noEmit: true } });

    expect((await tsc.prepare({ ...room, tracked: SOURCES }))?.paths).toEqual(["tsconfig.tsbuildinfo"]);
  });

  it.each([
    ["sources that are generated", {}, ["src/a.ts", "tsconfig.json"]],
    ["output beside the sources", { options: {} }, SOURCES],
    ["output out of the copy", { options: { outDir: "../out" } }, SOURCES],
    ["output among files of base", {}, [...SOURCES, "out/kept.js"]],
    ["notes that are a file of base", {}, [...SOURCES, "tsconfig.tsbuildinfo"]],
    ["notes that nobody can read", { fileNames: 1 }, SOURCES],
  ])("is lent nothing of %s", async (_, about, tracked) => {
    note(about);
    write(inWork("out/a.js"), "x");
    write(join(folder, "out/a.js"), "x");

    expect(await tsc.prepare({ ...room, tracked })).toBeUndefined();
  });
});

describe("every cache", () => {
  it("that is not there is not found", async () => {
    for (const kind of cacheKinds)
      expect(await kind.prepare({ ...room, tracked: ["Cargo.toml", "tsconfig.json", "go.mod"] })).toBeUndefined();
  });

  it("that a link leads to is left where it is", async () => {
    write(join(folder, "elsewhere/go-build/aa/x-d"), "x");
    write(join(folder, "elsewhere/ccache/a/x"), "x");
    write(join(folder, "elsewhere/debug/.fingerprint/x"), "x");
    write(join(folder, "elsewhere/CACHEDIR.TAG"), "x");
    symlinkSync(join(folder, "elsewhere"), inHome(".cache"));
    symlinkSync(join(folder, "elsewhere"), inWork("target"));
    symlinkSync(join(folder, "elsewhere"), inWork("out"));
    const before = filesIn(join(folder, "elsewhere"));

    for (const kind of [go, ccache, cargo, tsc])
      expect(await kind.prepare({ ...room, tracked: ["Cargo.toml", "tsconfig.json"] })).toBeUndefined();
    expect(filesIn(join(folder, "elsewhere"))).toEqual(before);
  });

  it("keeps of ccache what was compiled, and no settings", async () => {
    write(inHome(".cache/ccache/a/b/result"), "x");
    write(inHome(".cache/ccache/ccache.conf"), "compiler_check = none");

    expect(await ccache.prepare(room)).toEqual({ under: "home", paths: [".cache/ccache"] });
    expect(filesIn(inHome(".cache/ccache"))).toEqual(["a/b/result"]);
  });
});
