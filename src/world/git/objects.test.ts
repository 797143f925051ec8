import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createYard, type TestRepo } from "../../../test/support/git-repo.ts";
import { createGitCalls, type StartGit } from "./git-call.ts";
import { createKeptObjects, type KeptObjects, MOST_BYTES_AT_ONCE } from "./objects.ts";

const PATH = process.env.PATH ?? "/usr/bin:/bin";
const { newRepo, newFolder, clear } = createYard();
const opened: KeptObjects[] = [];

afterEach(() => {
  for (const kept of opened.splice(0)) kept.close();
  clear();
});

interface Watched {
  readonly kept: KeptObjects;
  readonly started: ReturnType<StartGit>[];
}

function open(path = PATH): Watched {
  const { start } = createGitCalls(path);
  const started: ReturnType<StartGit>[] = [];
  const kept = createKeptObjects((call) => {
    const child = start(call);
    started.push(child);
    return child;
  });
  opened.push(kept);
  return { kept, started };
}

const gitDirOf = (repo: TestRepo): string => join(repo.dir, ".git");
const idsOf = async (kept: KeptObjects, repo: TestRepo, names: readonly string[]): Promise<readonly (string | undefined)[]> =>
  (await kept.of(gitDirOf(repo)).look(names)).map((found) => found?.id);
const isOver = (child: ReturnType<StartGit>): Promise<void> =>
  new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve() : child.once("exit", () => resolve())));

/** A git that does not know what came with 2.36. */
function oldGit(): string {
  const folder = newFolder();
  const real = execFileSync("/bin/sh", ["-c", "command -v git"]).toString("utf8").trim();
  const refuses = `case " $* " in *" --batch-command"*) echo "error: unknown option" >&2; exit 129;; esac`;
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${refuses}\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  return `${folder}:${PATH}`;
}

describe("objects of a repository", () => {
  it.each(["sha1", "sha256"] as const)("are told in the order they were asked for, by one process (%s)", async (objectFormat) => {
    const { kept, started } = open();
    const repo = newRepo({ objectFormat });
    const commit = repo.commit("one", { files: { "a.txt": "a\n", "dir/b.txt": "b\n" } });
    const blob = repo.git("rev-parse", "HEAD:a.txt");
    const tree = repo.git("rev-parse", "HEAD^{tree}");
    const objects = kept.of(gitDirOf(repo));

    const found = await objects.look([
      blob,
      "refs/heads/nowhere",
      commit,
      `${commit}^{tree}`,
      `${commit}:dir/b.txt`,
      `${commit}:nothing`,
      "refs/heads/main",
      blob,
    ]);
    const contents = await objects.read(found.flatMap((one) => (one?.type === "blob" ? [one] : [])));

    expect(found.map((one) => one?.type)).toEqual(["blob", undefined, "commit", "tree", "blob", undefined, "commit", "blob"]);
    expect([found[0], found[3]?.id, found[6]?.id]).toEqual([{ id: blob, type: "blob", bytes: 2 }, tree, commit]);
    expect([...contents.values()].map(String).sort()).toEqual(["a\n", "b\n"]);
    expect(started.length).toBe(1);
  });

  it("are not asked for by what would be two questions, or none", async () => {
    const { kept, started } = open();
    const repo = newRepo();
    const commit = repo.commit("one");

    expect(await idsOf(kept, repo, [`${commit}\ninfo ${commit}`, "", `${commit}\r`, `${commit}\0`, "x".repeat(100_000)])).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(started.length).toBe(0);
    expect(await idsOf(kept, repo, ["flush", "contents HEAD", commit])).toEqual([undefined, undefined, commit]);
  });

  it("are read byte for byte, also many at a time, whatever they hold", async () => {
    const { kept } = open();
    const repo = newRepo();
    const texts = ["", "\n", "a blob 3\nabc\n", `${"f".repeat(40)} blob 2\n`, "\0\xff\n\n", "x".repeat(3_000_000)];
    const ids = texts.map((text) => repo.feed(Buffer.from(text, "latin1"), "hash-object", "-w", "--stdin"));
    const objects = kept.of(gitDirOf(repo));

    const found = await objects.look(ids);
    const contents = await objects.read(found.flatMap((one) => (one ? [one] : [])));

    expect(ids.map((id) => contents.get(id)?.toString("latin1"))).toEqual(texts);
  });

  it("are not read where they are larger than is read at once, nor one that is damaged; the others are", async () => {
    const { kept } = open();
    const repo = newRepo();
    const [large, small, broken, last] = [Buffer.alloc(MOST_BYTES_AT_ONCE + 1, "a"), "small", "broken".repeat(1000), "last"].map((text) =>
      repo.feed(Buffer.from(text), "hash-object", "-w", "--stdin"),
    );
    const objects = kept.of(gitDirOf(repo));
    const found = await objects.look([large!, small!, broken!, last!]);
    const path = join(gitDirOf(repo), "objects", broken!.slice(0, 2), broken!.slice(2));
    const bytes = readFileSync(path);
    chmodSync(path, 0o644);
    writeFileSync(path, bytes.subarray(0, bytes.length - 10));

    const contents = await objects.read(found.flatMap((one) => (one ? [one] : [])));

    expect([...contents].map(([id, content]) => [id, String(content)])).toEqual([
      [small, "small"],
      [last, "last"],
    ]);
  });

  it("are not those that replace refs name", async () => {
    const { kept } = open();
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "1" } });
    const two = repo.commit("two", { files: { a: "2" } });
    repo.git("replace", two, one);
    const objects = kept.of(gitDirOf(repo));

    const [found] = await objects.look([two]);
    const contents = await objects.read(found ? [found] : []);

    expect(contents.get(two)?.toString("utf8")).toContain(`parent ${one}`);
  });

  it("are found by a git that needs one process for facts and one for contents", async () => {
    const { kept, started } = open(oldGit());
    const repo = newRepo();
    const commit = repo.commit("one", { files: { "a.txt": "a\n" } });
    const objects = kept.of(gitDirOf(repo));

    for (const turn of [1, 2, 3]) {
      const [found, none] = await objects.look([`${commit}:a.txt`, "refs/heads/nowhere"]);
      const contents = await objects.read(found ? [found] : []);
      expect([turn, ...[...contents.values()].map(String), none]).toEqual([turn, "a\n", undefined]);
    }
    // The one that did not know the question, and the two that stay.
    expect(started.length).toBe(3);
  });
});

describe("what others do meanwhile is seen", () => {
  it("a branch that moves, goes, comes back, and is packed away", async () => {
    const { kept, started } = open();
    const repo = newRepo();
    const one = repo.commit("one");
    const ask = (): Promise<readonly (string | undefined)[]> => idsOf(kept, repo, ["refs/heads/main", "refs/heads/side", "HEAD"]);
    const seen = [await ask()];

    const two = repo.commit("two");
    seen.push(await ask());
    repo.git("update-ref", "refs/heads/side", one);
    repo.git("pack-refs", "--all");
    seen.push(await ask());
    repo.git("update-ref", "refs/heads/side", two);
    repo.git("pack-refs", "--all");
    seen.push(await ask());
    repo.git("update-ref", "-d", "refs/heads/side");
    seen.push(await ask());

    expect(seen).toEqual([
      [one, undefined, one],
      [two, undefined, two],
      [two, one, two],
      [two, two, two],
      [two, undefined, two],
    ]);
    expect(started.length).toBe(1);
  });

  it("objects that were not there, were packed, and lost their old pack", async () => {
    const { kept } = open();
    const repo = newRepo();
    const one = repo.commit("one", { files: { a: "1" } });
    const later = repo.feed(Buffer.from("later"), "hash-object", "--stdin");

    expect(await idsOf(kept, repo, [later, one])).toEqual([undefined, one]);
    repo.feed(Buffer.from("later"), "hash-object", "-w", "--stdin");
    repo.commit("two", { files: { later: "later" } });
    expect(await idsOf(kept, repo, [later, one])).toEqual([later, one]);
    repo.git("repack", "-adq");
    repo.commit("three", { files: { a: "3" } });
    repo.git("repack", "-adq");
    expect(readdirSync(join(gitDirOf(repo), "objects", "pack")).filter((file) => file.endsWith(".pack")).length).toBe(1);

    expect(await idsOf(kept, repo, [later, one])).toEqual([later, one]);
  });
});

describe("the process", () => {
  it("is started again where somebody ended it", async () => {
    const { kept, started } = open();
    const repo = newRepo();
    const commit = repo.commit("one");

    await idsOf(kept, repo, [commit]);
    started[0]?.kill("SIGKILL");
    expect(await idsOf(kept, repo, [commit, "refs/heads/main"])).toEqual([commit, commit]);
    started[1]?.kill("SIGKILL");
    await isOver(started[1]!);
    expect(await idsOf(kept, repo, [commit])).toEqual([commit]);
  });

  it("answers those who ask at the same time, each what he asked", async () => {
    const { kept, started } = open();
    const repo = newRepo();
    const commits = Array.from({ length: 5 }, (_, n) => repo.commit(`commit ${n}`));

    const answers = await Promise.all(commits.map((commit) => idsOf(kept, repo, [commit, `${commit}:nothing`])));

    expect(answers).toEqual(commits.map((commit) => [commit, undefined]));
    expect(started.length).toBe(1);
  });

  it("ends when it is let go and when all is closed, and is there again for who asks again", async () => {
    const { kept, started } = open();
    const [one, two] = [newRepo(), newRepo()];
    const [first, second] = [one.commit("one"), two.commit("two")];
    await idsOf(kept, one, [first]);
    await idsOf(kept, two, [second]);

    kept.letGo(gitDirOf(one));
    await isOver(started[0]!);
    expect(started[1]?.exitCode).toBe(null);
    expect(await idsOf(kept, one, [first])).toEqual([first]);
    kept.close();
    await Promise.all(started.map(isOver));

    expect(started.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  });

  it("is not kept for more than a few repositories at once", async () => {
    const { kept, started } = open();
    const repos = Array.from({ length: 10 }, () => newRepo());
    for (const repo of repos) await idsOf(kept, repo, [repo.commit("one")]);

    await Promise.all(started.slice(0, 2).map(isOver));

    expect(started.map(({ exitCode }) => exitCode)).toEqual([0, 0, ...Array.from({ length: 8 }, () => null)]);
  });

  it("does not keep ours from ending, and ends with it however that is", async () => {
    const repo = newRepo();
    repo.commit("one");
    const script = (end: string): string => `
      import { createKeptObjects } from ${JSON.stringify(join(import.meta.dirname, "objects.ts"))};
      import { createGitCalls } from ${JSON.stringify(join(import.meta.dirname, "git-call.ts"))};
      const { start } = createGitCalls(process.env.PATH);
      let pid;
      const kept = createKeptObjects((call) => { const child = start(call); pid = child.pid; return child; });
      await kept.of(${JSON.stringify(gitDirOf(repo))}).look(["HEAD"]);
      console.log(pid);
      ${end}`;
    const esbuild = join(import.meta.dirname, "..", "..", "..", "node_modules", ".bin", "esbuild");
    for (const end of ["", "process.exit(0);", 'process.kill(process.pid, "SIGKILL");']) {
      const bundle = execFileSync(esbuild, ["--bundle", "--platform=node", "--format=esm", "--loader=ts"], {
        input: script(end),
        cwd: import.meta.dirname,
      });
      const pid = Number(runAll(bundle));
      await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    }
  });

  it("is said to have failed where the repository is gone", async () => {
    const { kept } = open();
    const repo = newRepo();
    rmSync(gitDirOf(repo), { recursive: true });

    await expect(kept.of(gitDirOf(repo)).look(["HEAD"])).rejects.toMatchObject({ code: "git-failed" });
  });
});

/** What a program printed, however it ended. */
function runAll(program: Buffer): string {
  try {
    return execFileSync(process.execPath, ["--input-type=module"], { input: program, timeout: 20_000 }).toString("utf8");
  } catch (error) {
    if (error instanceof Error && "stdout" in error && "signal" in error && error.signal === "SIGKILL") return String(error.stdout);
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
