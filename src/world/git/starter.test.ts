import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createYard } from "../../../test/support/git-repo.ts";
import { createGitCalls } from "./git-call.ts";
import { createStarter } from "./starter.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-it's a \n starter-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const most = { stdout: 1000, stderr: 100 };
/** A program in the place of git, which is started with these words. */
const starting = (program: string, env: { readonly [name: string]: string } = {}) => {
  const path = join(folder, "git");
  writeFileSync(path, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return createStarter([path], { PATH: process.env.PATH ?? "", ...env });
};
const came = (starter: ReturnType<typeof createStarter>, call: object = {}) => starter.ask({ cwd: folder, args: [], ...call }, most)?.came;
const answer = (stdout: string, stderr = "", code = 0) => ({ kind: "answered", answer: { code, stdout: Buffer.from(stdout), stderr } });

describe("a program that a shell starts", () => {
  it("is given its folder, its words, its variables and its input as they are, and nothing that the shell made up", async () => {
    const starter = starting(`pwd; printf '<%s>' "$@"; printf '[%s]' "$A" "\${PWD:-none}" "\${SHLVL:-none}"; cat; echo aside >&2`);
    const odd = ["it's", "two\nlines\n", "", "$(date) `date` \\ \\n $n", "--", " * ? ~ #;&|<>(){}!"];

    const told = await came(starter, { args: odd, env: { A: "a 'b'\n$c" }, input: "in %s\nput\n" });

    expect(told).toEqual(
      answer(`${folder}\n${odd.map((word) => `<${word}>`).join("")}[a 'b'\n$c][${folder}][none]in %s\nput\n`, "aside\n"),
    );
    starter.close();
  });

  it("says how it ended, and is told apart from one that could not be run", async () => {
    const starter = starting(`[ "$1" = kill ] && kill -9 $$; exit "$1"`);

    expect(await came(starter, { args: ["3"] })).toEqual(answer("", "", 3));
    expect(await came(starter, { args: ["129"] })).toEqual(answer("", "", 129));
    expect(await came(starter, { args: ["kill"] })).toEqual({ kind: "killed", by: "signal 9" });
    expect(await came(starter, { args: [], cwd: join(folder, "nowhere") })).toEqual({ kind: "not-run" });
    expect(await came(createStarter(["/nonexistent/git"], { PATH: "" }))).toEqual({ kind: "not-run" });
    starter.close();
  });

  it("may print as much as is wanted and no more, to the byte, and no line break at the end", async () => {
    const starter = starting('head -c "$1" /dev/zero | tr "\\0" x');

    expect(await came(starter, { args: ["1000"] })).toEqual(answer("x".repeat(1000)));
    expect(await came(starter, { args: ["1001"] })).toMatchObject({ kind: "too-much", stdout: Buffer.from("x".repeat(1000)) });
    expect(await came(starter, { args: ["100000000"] })).toMatchObject({ kind: "too-much", stdout: Buffer.from("x".repeat(1000)) });
    expect(await came(starter, { args: ["5"] })).toEqual(answer("xxxxx"));
    starter.close();
  });

  it("is one of two at a time, and left to others where it cannot be said in a line", async () => {
    const starter = starting("sleep 0.2; echo done");
    const [one, two] = [came(starter), came(starter)];

    expect([came(starter), came(starter, { input: Buffer.from("a\0b") })]).toEqual([undefined, undefined]);
    expect(await Promise.all([one, two])).toEqual([answer("done\n"), answer("done\n")]);
    for (const word of ["a\0b", "x".repeat(5000), "\u0081", "\x01", "\t", "\r", "Á"])
      expect(came(starter, { args: [word] })).toBeUndefined();
    starter.close();
  });

  it("leaves no shell behind once it is closed, also where it is closed meanwhile, and can be asked again", async () => {
    const starter = starting("echo here");
    const parentOf = async (): Promise<number> => {
      const asked = starter.ask({ cwd: folder, args: [] }, most);
      await asked?.came;
      return asked?.pid ?? 0;
    };
    const first = await parentOf();
    expect(await parentOf()).toBe(first);
    starter.close();
    const second = parentOf();
    starter.close();

    expect(await second).not.toBe(first);
    for (const pid of [first, await second]) await expect.poll(() => stateOf(pid)).toMatch(/^$|Z/);
  });
});

describe("git", () => {
  const { newRepo, clear } = createYard();
  afterEach(clear);

  it("gives the same answers whoever starts it", async () => {
    const repo = newRepo();
    repo.commit("start", { files: { "it's.txt": "text\n" } });
    const { call, close } = createGitCalls(process.env.PATH ?? "");

    const told = await Promise.all([1, 2, 3, 4].map(() => call({ cwd: repo.dir, args: ["ls-tree", "--name-only", "HEAD"] })));
    const no = await call({ cwd: repo.dir, args: ["rev-parse", "--verify", "nothing"] });
    close();

    expect(told).toEqual(told.map(() => ({ code: 0, stdout: Buffer.from("it's.txt\n"), stderr: "" })));
    expect([no.code, no.stderr]).toEqual([128, expect.stringContaining("fatal")]);
    await expect(call({ cwd: join(repo.dir, "gone"), args: ["status"] })).rejects.toMatchObject({
      message: expect.stringContaining("git could not be started"),
    });
  });
});

function stateOf(pid: number): string {
  try {
    return / \) ?([A-Z]) |\) ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, "latin1"))?.[0] ?? "";
  } catch {
    return "";
  }
}
