import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { traceReads } from "./trace-reads.ts";

/** A part of the system where it is there at all, and no dependency of ours. */
const APART = "unshare";
const made: string[] = [];
const roomIn = (place: string): string => {
  const folder = mkdtempSync(join(place, "lw-trace-"));
  made.push(folder);
  const work = join(folder, "work");
  for (const below of ["src", ".git", "node_modules"]) mkdirSync(join(work, below), { recursive: true });
  for (const name of ["read", "executed", "statted", "opened", "linked", "dated", "src/nobody"])
    writeFileSync(join(work, name), "#!/bin/sh\ntrue\n", { mode: 0o755 });
  for (const name of ["empty", ".git/config", "node_modules/left-out"]) writeFileSync(join(work, name), "");
  for (const name of ["rewritten", "restored", "removed", "replaced"]) writeFileSync(join(work, name), name);
  linkSync(join(work, "linked"), join(work, "other-name"));
  symlinkSync("read", join(work, "symlink"));
  // As git does, where it looks whether a file is as it was.
  readFileSync(join(work, "read"));
  return work;
};
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** What a check may do to a room, as another process does it. */
const useAll = (work: string): void => {
  const at = (name: string): string => join(work, name);
  spawnSync("sh", ["-c", "cat symlink other-name empty > /dev/null; ./executed; readlink symlink > /dev/null"], { cwd: work });
  statSync(at("statted"));
  closeSync(openSync(at("opened"), "r"));
  readFileSync(at(".git/config"));
  readFileSync(at("node_modules/left-out"));
  writeFileSync(at("rewritten"), "otherwise");
  const text = readFileSync(at("restored"));
  writeFileSync(at("restored"), "otherwise");
  writeFileSync(at("restored"), text);
  rmSync(at("removed"));
  writeFileSync(at("new"), "replaced");
  renameSync(at("new"), at("replaced"));
  const { atime, mtime } = statSync(at("dated"));
  readFileSync(at("dated"));
  utimesSync(at("dated"), atime, mtime);
};

const places = [tmpdir(), "/dev/shm", process.cwd()].filter((place) => existsSync(place));

describe.each(places)("a room in %s", (place) => {
  it("tells what was read and written, also where it was put back or dated back, and not what was only looked for", async () => {
    const work = roomIn(place);
    const trace = await traceReads(work, ["node_modules"]);

    useAll(work);
    const seen = await trace.end();

    const touched = ["dated", "removed", "replaced", "restored", "rewritten"];
    expect({ ...seen, touched: [...seen.touched].sort(), ...(seen.kind === "traced" ? { read: [...seen.read].sort() } : {}) }).toEqual({
      kind: "traced",
      read: [...touched, "empty", "executed", "linked", "other-name", "read", "symlink"].sort(),
      touched,
    });
  });
});

it("says that it does not know where the file system keeps no such times", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lw-trace-"));
  made.push(folder);
  const place = join(folder, "mounted");
  mkdirSync(place);
  // In a mount namespace of its own, so that nothing is left of it.
  const program = `
    import { traceReads } from ${JSON.stringify(new URL("./trace-reads.ts", import.meta.url).pathname)};
    import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
    mkdirSync("${place}/work");
    writeFileSync("${place}/work/a", "a");
    const trace = await traceReads("${place}/work");
    readFileSync("${place}/work/a");
    writeFileSync("${place}/work/a", "b");
    console.log(JSON.stringify(await trace.end()));`;
  const script = join(folder, "program.mjs");
  buildSync({ stdin: { contents: program, resolveDir: folder }, bundle: true, platform: "node", format: "esm", outfile: script });
  const { stdout, status } = spawnSync(
    APART,
    ["-Urm", "sh", "-c", `mount -t tmpfs -o noatime none ${place} || exit 77; exec ${process.execPath} ${script}`],
    { encoding: "utf8" },
  );
  // Not everybody may make namespaces.
  if (status === 77 || status === null || stdout === "") return;

  expect(JSON.parse(stdout)).toEqual({
    kind: "not-traced",
    why: "the file system of the rooms does not tell when a file is read",
    touched: ["a"],
  });
});
