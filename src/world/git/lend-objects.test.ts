import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createRepo } from "../../../test/support/git-repo.ts";
import { borrow } from "./copies.ts";
import { createGitCalls } from "./git-call.ts";
import { createLending } from "./lend-objects.ts";
import { gitOf } from "./run-git.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-lend-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const calls = createGitCalls(process.env.PATH ?? "/usr/bin:/bin");
let packed = 0;
const git = gitOf({
  ...calls,
  call: (asked) => {
    if (asked.args.includes("pack-objects")) packed++;
    return calls.call(asked);
  },
});
let count = 0;
const fresh = () => {
  const lent = join(folder, `home-${++count}`, "lent");
  return {
    lent,
    rounds: join(folder, `home-${count}`, "rounds"),
    lending: createLending(lent, join(folder, `home-${count}`, "rounds"), git),
  };
};
const ask = (place: string, ...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: place, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
const objectsIn = (place: string): readonly string[] =>
  ask(place, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n");

describe("what a copy borrows", () => {
  it("is brought together also where the home lies on another disk than the target", async () => {
    const elsewhere = ["/dev/shm", "/tmp"].find((place) => existsSync(place) && statSync(place).dev !== statSync(folder).dev);
    if (elsewhere === undefined) return; // One disk is all there is here.
    const other = mkdtempSync(join(elsewhere, "lw-lend-"));
    const repo = createRepo();
    const base = repo.commit("base", { files: { "a.txt": "a\n" } });

    const { objects } = await createLending(join(other, "lent"), join(other, "rounds"), git).lend(repo.dir, base);

    expect(objects.flatMap((place) => readdirSync(join(place, "pack"))).filter((name) => name.endsWith(".pack")).length).toBe(1);
    repo.remove();
    rmSync(other, { recursive: true, force: true });
  });

  it("is what its base is made of, with its history, and nothing else that lies in the target", async () => {
    const { lending } = fresh();
    const repo = createRepo();
    const first = repo.commit("first", { files: { "a.txt": "a\n" } });
    const base = repo.commit("base", { files: { "b.txt": "b\n" } });
    const later = repo.commit("later", { files: { "solution.txt": "42\n" } });
    const added = execFileSync("git", ["hash-object", "-w", "--stdin"], {
      cwd: repo.dir,
      input: "TOKEN=planted\n",
      encoding: "utf8",
    }).trim();

    const copy = join(folder, `copy-${count}`);
    await borrow(await lending.lend(repo.dir, base), copy, "bare");
    const reachable = ask(repo.dir, "rev-list", "--objects", "--no-object-names", base).split("\n");

    expect([...objectsIn(copy)].sort()).toEqual([...reachable].sort());
    expect(ask(copy, "log", "--format=%s", base)).toBe("base\nfirst");
    expect(objectsIn(repo.dir)).toEqual(expect.arrayContaining([first, later, added]));
    repo.remove();
  });

  it("is packed once for a base, and of a base that moved on only what came", async () => {
    const { lending, lent } = fresh();
    const repo = createRepo();
    const bases = ["one", "two", "three"].map((name) => repo.commit(name, { files: { [name]: `${name}\n` } }));
    packed = 0;

    for (const base of [bases[0]!, bases[0]!, bases[1]!, bases[2]!, bases[2]!]) await lending.lend(repo.dir, base);
    const last = await lending.lend(repo.dir, bases[2]!);
    const copy = join(folder, `copy-${count}`);
    await borrow(last, copy, "bare");

    expect(packed).toBe(3);
    expect(last.objects).toEqual(bases.toReversed().map((base) => join(lent, readdirSync(lent)[0]!, base, "objects")));
    expect(ask(copy, "fsck", "--full", "--no-dangling", bases[2]!)).toBe("");
    // Whoever still works on the older base sees nothing of what came.
    const older = join(folder, `older-${count}`);
    await borrow(await lending.lend(repo.dir, bases[0]!), older, "bare");
    expect(objectsIn(older)).not.toContain(bases[2]);
    repo.remove();
  });

  it("is made by one of those who ask for it side by side, also in another process", async () => {
    const { lending, lent, rounds } = fresh();
    const another = createLending(lent, rounds, git);
    const repo = createRepo();
    const base = repo.commit("base", { files: { a: "a\n" } });
    packed = 0;

    const lenders = await Promise.all([lending, lending, lending, another].map((each) => each.lend(repo.dir, base)));
    const copy = join(folder, `copy-${count}`);
    await borrow(lenders[0]!, copy, "bare");

    expect([packed, new Set(lenders.map(({ objects }) => objects.join())).size]).toEqual([2, 1]);
    expect(readdirSync(join(lent, readdirSync(lent)[0]!))).toEqual([base]);
    expect(ask(copy, "log", "--format=%s", base)).toBe("base");
    repo.remove();
  });

  it("lies on nothing that is no part of its history", async () => {
    const { lending } = fresh();
    const repo = createRepo();
    const main = repo.commit("main", { files: { a: "a\n" } });
    const ahead = repo.commit("ahead", { files: { b: "b\n" } });
    await lending.lend(repo.dir, ahead);

    const copy = join(folder, `copy-${count}`);
    await borrow(await lending.lend(repo.dir, main), copy, "bare");

    expect(objectsIn(copy)).not.toContain(ahead);
    repo.remove();
  });

  it("is made again where half of it is gone, and thrown away when nobody used it for long", async () => {
    const { lending, lent } = fresh();
    const repo = createRepo();
    const [one, two] = [repo.commit("one", { files: { a: "a\n" } }), repo.commit("two", { files: { b: "b\n" } })];
    await lending.lend(repo.dir, one);
    await lending.lend(repo.dir, two);
    const target = join(lent, readdirSync(lent)[0]!);
    rmSync(join(target, one), { recursive: true });

    const again = await lending.lend(repo.dir, two);
    const three = repo.commit("three", { files: { c: "c\n" } });
    utimesSync(join(target, two), 1, 1);
    execFileSync("git", ["reset", "-q", "--hard", one], { cwd: repo.dir });
    const aside = repo.commit("aside", { files: { d: "d\n" } });
    await lending.lend(repo.dir, aside);

    expect(again.objects).toEqual([join(target, two, "objects")]);
    expect([two, three, aside].map((commit) => existsSync(join(target, commit)))).toEqual([false, false, true]);
    repo.remove();
  });

  it("says what is wrong with a target whose history is damaged", async () => {
    const { lending, lent } = fresh();
    const repo = createRepo();
    const base = repo.commit("base", { files: { "a.txt": "a\n" } });
    const blob = ask(repo.dir, "rev-parse", "HEAD:a.txt");
    rmSync(join(repo.dir, ".git", "objects", blob.slice(0, 2), blob.slice(2)));

    await expect(lending.lend(repo.dir, base)).rejects.toMatchObject({ code: "git-failed", hint: expect.stringContaining("git fsck") });
    expect(readdirSync(join(lent, readdirSync(lent)[0]!))).toEqual([]);
    repo.remove();
  });
});
