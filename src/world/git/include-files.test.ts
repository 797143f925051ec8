import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import type { IncludeOrder } from "../../contract/prepared.ts";
import type { Round } from "../../contract/round.ts";
import type { Workshop, Workspace } from "../../contract/workshop.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { includeFiles } from "./include-files.ts";
import { createRunGit } from "./run-git.ts";
import { createWorkshop } from "./workshop.ts";

const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });

let folder = "";
let repo: TestRepo;
let workshop: Workshop;
let round: Round;
let workspace: Workspace;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-include-")));
  repo = createRepo();
  const files = { "a.txt": "a\n", "config/shared.json": "{}\n", ".gitignore": ".env*\nlocal.json\nbig\nlinks\n.ssh\n.npmrc\n" };
  const base = repo.commit("one", { files });
  workshop = createWorkshop(join(folder, "rounds"), git, createArtifacts(join(folder, "artifacts")));
  round = { id: "fix-1-abcde.1", run: "fix-1-abcde", loop: "fix", number: 1, base, openedAt: "2026-01-02T03:04:05.678Z", lessons: [] };
  workspace = await workshop.openWorkspace(repo.dir, round);
});
afterEach(() => {
  repo.remove();
  rmSync(folder, { recursive: true, force: true });
});

const include = (about: Partial<IncludeOrder> = {}, userHomes: readonly string[] = []) =>
  includeFiles(
    git,
    { repo: repo.dir, work: workspace.work, byBase: undefined, apart: { hidden: [], leftOut: [] }, ...about },
    { ourHome: join(folder, "home"), userHomes },
  );
const inCopy = (path: string): string | undefined => {
  const at = join(workspace.work, path);
  return existsSync(at) ? readFileSync(at, "utf8") : undefined;
};

it("copies what the file names and git ignores, with its mode, and nothing else", async () => {
  repo.write(".env", "A=1\n");
  repo.write(".env.test", "A=2\n");
  chmodSync(join(repo.dir, ".env.test"), 0o600);
  repo.write("config/local.json", "{}\n");
  repo.write("loose.txt", "neither ignored nor tracked\n");
  repo.write(".worktreeinclude", "# for a fresh copy\n.env*\n!.env\nconfig/\nloose.txt\na.txt\n");

  expect(await include()).toEqual({
    by: "checkout",
    files: [".env.test", "local.json"].map((name) => (name === "local.json" ? "config/local.json" : name)),
    bytes: 7,
    leftOut: [],
  });
  expect([inCopy(".env.test"), inCopy("config/local.json"), inCopy(".env"), inCopy("loose.txt")]).toEqual([
    "A=2\n",
    "{}\n",
    undefined,
    undefined,
  ]);
  expect(statSync(join(workspace.work, ".env.test")).mode & 0o777).toBe(0o600);
});

it("goes by base's file where the checkout has none, and by the checkout's own where it has one", async () => {
  repo.write(".env", "A=1\n");
  repo.write(".env.test", "A=2\n");

  expect(await include({ byBase: ".env\n" })).toMatchObject({ by: "base", files: [".env"] });
  repo.write(".worktreeinclude", ".env.test\n");
  expect(await include({ byBase: ".env\n" })).toMatchObject({ by: "checkout", files: [".env.test"] });
});

it("does nothing where nothing is named, or where there is no checkout", async () => {
  repo.write(".env", "A=1\n");
  expect(await include()).toBe(undefined);
  expect(await include({ byBase: "nothing-here\n" })).toBe(undefined);

  const bare = join(folder, "bare.git");
  repo.git("clone", "--quiet", "--bare", ".", bare);
  expect(await include({ repo: bare, byBase: ".env\n" })).toBe(undefined);
  // Also not in that of another repository.
  repo.git("clone", "--quiet", "--bare", ".", join(repo.dir, "vendor.git"));
  expect(await include({ repo: join(repo.dir, "vendor.git"), byBase: ".env\n" })).toBe(undefined);
});

it("follows no link, out of the repository or within it", async () => {
  writeFileSync(join(folder, "secret"), "s3cret\n");
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "elsewhere", "local.json"), "s3cret\n");
  symlinkSync(join(folder, "secret"), join(repo.dir, ".env"));
  symlinkSync(join(folder, "elsewhere"), join(repo.dir, "links"));
  repo.write(".worktreeinclude", ".env\nlinks\nlinks/local.json\n");

  const included = await include();

  expect(included).toMatchObject({ files: [], leftOut: [{ path: ".env" }, { path: "links" }] });
  expect([inCopy(".env"), inCopy("links/local.json")]).toEqual([undefined, undefined]);
});

it("does not read the names from a link", async () => {
  writeFileSync(join(folder, "names"), ".env\n");
  symlinkSync(join(folder, "names"), join(repo.dir, ".worktreeinclude"));
  repo.write(".env", "A=1\n");

  expect(await include()).toBe(undefined);
});

it("leaves places for secrets where they are, also in a repository that is somebody's home", async () => {
  repo.write(".ssh/id_ed25519", "private\n");
  repo.write(".npmrc", "token\n");
  repo.write("deep/.ssh/id", "private\n");
  repo.write(".worktreeinclude", ".ssh\n.npmrc\n");

  expect(await include({}, [join(repo.dir, "deep")])).toMatchObject({
    files: [],
    leftOut: [{ path: ".npmrc" }, { path: ".ssh/id_ed25519" }, { path: "deep/.ssh/id" }],
  });
});

it("puts nothing over what base has, where something is hidden, or where something was prepared", async () => {
  writeFileSync(join(workspace.work, ".env"), "base's own\n");
  symlinkSync(folder, join(workspace.work, "big"));
  for (const path of [".env", "big/local.json", "hidden/local.json", "made/local.json"]) repo.write(path, "user's\n");
  repo.write(".worktreeinclude", ".env\nlocal.json\n");

  const included = await include({ apart: { hidden: ["hidden/local.json"], leftOut: ["made"] } });

  expect(included?.files).toEqual([]);
  expect(included?.leftOut.map(({ path }) => path)).toEqual([".env", "big/local.json", "hidden/local.json", "made/local.json"]);
  expect([inCopy(".env"), existsSync(join(folder, "local.json"))]).toEqual(["base's own\n", false]);
});

it("leaves out what is too large, and says so", async () => {
  repo.write("big", Buffer.alloc(17 * 1024 * 1024));
  repo.write(".env", "A=1\n");
  repo.write(".worktreeinclude", "big\n.env\n");

  expect(await include()).toMatchObject({ files: [".env"], leftOut: [{ path: "big", why: "it has more than 16777216 bytes" }] });
});

it("brings nothing into the proposal, even if the maker no longer ignores it", async () => {
  repo.write(".env", "A=1\n");
  repo.write("config/local.json", "{}\n");
  repo.write(".worktreeinclude", ".env\nlocal.json\n");
  const included = await include();
  writeFileSync(join(workspace.work, ".gitignore"), "");
  writeFileSync(join(workspace.work, ".git", "info", "exclude"), "");
  writeFileSync(join(workspace.work, "a.txt"), "b\n");

  const { changes } = await workshop.commitWorkspace(repo.dir, round, "more", { hidden: [], leftOut: included?.files ?? [] });

  expect(changes.map(({ path }) => path)).toEqual([".gitignore", "a.txt"]);
});

it("does not show them to a maker who asks git what it changed", async () => {
  repo.write("odd [name] *.txt", "x\n");
  repo.write(".gitignore", "odd*\n");
  repo.write(".worktreeinclude", "odd*\n");

  expect((await include())?.files).toEqual(["odd [name] *.txt"]);
  expect((await git({ cwd: workspace.work, args: ["status", "--porcelain"] })).stdout.toString()).toBe("");
});
