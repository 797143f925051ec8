import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Place } from "./box-plan.ts";
import { type Failed, tellHidden } from "./tell-hidden.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "lw-hidden-")));
const home = join(top, "ada");
afterAll(() => rmSync(top, { recursive: true, force: true }));

const write = (path: string, text = "x\n"): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const program = (path: string, text = "#!/bin/sh\n"): string => {
  write(path, text);
  chmodSync(path, 0o755);
  return path;
};

const tool = program(join(home, "tools/bin/check"));
const loner = program(join(home, "check"));
const table = write(join(home, "data/my table.csv"));
const key = write(join(home, ".ssh/id_ed25519"));
const dotEnv = write(join(home, "project/.env"));
const holdOut = write(join(home, "holdout/test.js"));
const ours = write(join(home, "state/journal.db"));
const shown = write(join(home, "shown/file"));
program(join(home, "shown/bin/pytest"), `#!${program(join(home, "venv/bin/python"))}\n`);
symlinkSync(join(home, "state"), join(top, "alias"));

const places: readonly Place[] = [
  { path: "/usr", access: "read", isFolder: true },
  { path: home, access: "scratch", isFolder: true },
  { path: join(home, "shown"), access: "read", isFolder: true },
];
const tell = (tail: string, about: Partial<Failed> = {}): Promise<string | undefined> =>
  tellHidden({
    tail,
    plan: { places, links: [], hides: [] },
    path: `/nonexistent:${join(home, "tools/bin")}:${join(home, "shown/bin")}`,
    userHomes: [home],
    unspoken: [join(top, "alias"), join(home, "holdout")],
    key: "box.verifiers.reads",
    ...about,
  });

describe("what a failed command missed", () => {
  it.each([
    ["a program by its path", `/bin/sh: 1: ${tool}: not found`, tool, "~/tools"],
    ["a program by its name", "/bin/sh: 1: check: not found", tool, "~/tools"],
    ["a program by its name, as bash says it", "bash: line 1: check: command not found", tool, "~/tools"],
    ["a program by its name, as zsh says it", "zsh: command not found: check", tool, "~/tools"],
    ["a program by its name, as Node says it", "Error: spawn check ENOENT", tool, "~/tools"],
    ["a program that lies in the home itself", `env: '${loner}': No such file or directory`, loner, "~/check"],
    ["a file with a blank in its name", `Error: ENOENT: no such file or directory, open '${table}'`, table, "~/data/my table.csv"],
    ["a file from the home", "cat: ~/holdouts ~/data: No such file or directory", dirname(table), "~/data"],
    ["the interpreter of a script that is shown", "/bin/sh: 1: pytest: not found", join(home, "venv/bin/python"), "~/venv"],
  ])("is told with what to write: %s", async (_, tail, path, opens) => {
    expect(await tell(`first\n${tail}\nlast\n`)).toBe(
      `the box hides ${path}: to show it, write box.verifiers.reads: ["${opens}"] in the spec`,
    );
  });

  it.each([
    ["is not there, whoever looks", `cat: ${home}/nothing: No such file or directory`],
    ["is shown", `cat: ${shown}: No such file or directory`],
    ["is only spoken of", `Reading ${table}`],
    ["is a secret of the user's", `cat: ${key}: No such file or directory`],
    ["is a secret of a project's", `cat: ${dotEnv}: No such file or directory`],
    ["is a hold-out", `cat: ${holdOut}: No such file or directory`],
    ["is ours, by whatever name", `cat: ${ours}: No such file; ${join(top, "alias/journal.db")} not found`],
    ["is the home itself", `ls: ${home}: No such file or directory`],
  ])("is not told where it %s", async (_, tail) => {
    expect(await tell(tail)).toBe(undefined);
  });

  it("is told three times at the most, so that nobody learns by it what there is", async () => {
    const many = Array.from({ length: 9 }, (_, index) => write(join(home, `many/${index}`)));

    const told = await tell(many.map((path) => `cat: ${path}: No such file or directory`).join("\n"));

    expect(many.filter((path) => told?.includes(path))).toEqual(many.slice(-3));
  });

  it("cannot put lines or codes of its own into what is told", async () => {
    const odd = write(join(home, "odd/\u001b[31mred\u202e"));

    const told = (await tell(`open '${odd}': ENOENT`)) ?? "";

    expect(told).toContain("the box hides");
    expect([...told].filter((character) => character < " " || character === "\u202e")).toEqual([]);
  });
});
