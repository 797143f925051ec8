// What somebody meets in the first hour, in the words of their own commands.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";

const loopWith = (place: Place, more: object): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run: `touch ${place.dir}/called` } },
      verifiers: [{ use: "command", with: { run: `touch ${place.dir}/looked` } }],
      box: UNBOXED,
      ...more,
    }),
  );

it("misses an agent before it looks at base, and nothing is run or spent", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    const file = loopWith(place, { maker: { use: "codex" } });

    const { exit, stderr } = await place.lw(["run", file], { env: { PATH: "/usr/bin:/bin" } });
    const status = await place.json(["spend"]);

    expect([exit, stderr]).toEqual([4, expect.stringContaining("the maker codex needs the program codex, which is not on the PATH")]);
    expect(() => place.read("looked")).toThrow("ENOENT");
    expect(status.said.lines).toEqual([]);
  }));

it("names the branches that are there where base is none of them", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    place.repo.git("branch", "-m", "trunk");

    const { exit, stderr } = await place.lw(["run", loopWith(place, { target: { repo: place.repo.dir, base: "main" } })]);

    expect([exit, stderr]).toEqual([64, expect.stringContaining("a branch that is there (trunk), or leave it out")]);
  }));

it("says of a command that is not there that it cost nothing", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });

    const { exit } = await place.lw(["run", loopWith(place, { maker: { use: "shell", with: { run: "no-such-agent --go" } } })]);
    const { said } = await place.json(["spend"]);

    expect([exit, said.total.amounts.microUsd ?? 0, said.total.amounts.tokens ?? 0]).toEqual([4, 0, 0]);
  }));

it("names file, line and key of a policy that cannot be read", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    place.write(".loopwright/policy.yaml", "commands:\n  - decision: alow\n    program: rm\n");

    const { exit, stdout } = await place.lw(["run", loopWith(place, {})]);

    expect([exit, stdout]).toEqual([2, expect.stringMatching(/policy\.yaml:2 +commands\[0\]\.decision: /)]);
  }));

it.each([
  ["scan-text", "redact"],
  ["scan-diff", "validate"],
])("says of a file that is not there what it says everywhere: %s, %s", (...commands) =>
  inPlace(async (place) => {
    const told = await Promise.all(commands.map((command) => place.lw([command, "nowhere.txt"])));

    for (const { exit, stderr, stdout } of told) {
      expect([exit, `${stderr}${stdout}`]).toEqual([64, expect.stringContaining("nowhere.txt cannot be read: there is no such file")]);
      expect(stderr).not.toContain("ENOENT");
    }
  }),
);

it("refuses a day that no calendar has", () =>
  inPlace(async (place) => {
    const { exit, stderr } = await place.lw(["spend", "--since", "2026-13-45"]);

    expect([exit, stderr]).toEqual([64, expect.stringContaining("--since takes a day, and not 2026-13-45")]);
  }));

it("takes two keys out of a text one by one, and leaves what stands between them", () =>
  inPlace(async (place) => {
    const key = (letter: string): string =>
      `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${`${`${letter}${"Zx9k3Qw7"}`.repeat(7)}\n`.repeat(6)}-----END ${"RSA PRIVATE"} KEY-----\n`;

    const { stdout } = await place.lw(["redact"], { input: `${key("a")}keep this line\n${key("b")}password: hunter2secret\n` });

    const [first, between, second, password] = stdout.split("\n").filter((line) => line.includes("[redacted") || line === "keep this line");
    expect([between, first === second, password]).toEqual([
      "keep this line",
      false,
      expect.stringMatching(/^password: \[redacted:assigned-secret:/),
    ]);
    expect(stdout).not.toContain("Zx9k3Qw7");
  }));

it("tells each morning what a change does before what it is called, and other versions in one line", () =>
  inPlace(async (place) => {
    const npm = (version: string): string => JSON.stringify({ name: "shop", devDependencies: { mocha: version } }, null, 2);
    const api = "export function open(door) {\n  return door;\n}\nexport function shut(door) {\n  return door;\n}\n";
    place.repo.commit("start", { files: { "src/api.js": api, "package.json": npm("^10.0.0"), "README.md": "a\n" } });
    place.repo.git("branch", "-m", "master");
    place.repo.git("remote", "add", "origin", "https://ada:s3cret@github.com/ada/shop.git");
    const watch = place.write(
      "watch.loop.yaml",
      `name: watch\nintent: Tell me.\nlevel: L1\ntarget: { repo: ${place.repo.dir} }\ngather: [{ use: commits, with: { since: 20000d } }]\nmaker: { use: triage }\nverifiers: [{ use: grounded }]\n`,
    );
    await place.lw(["run", watch]);
    place.repo.commit("docs: improve security of wording", { files: { "README.md": "b\n" } });
    place.repo.commit("bump mocha", { files: { "package.json": npm("^11.0.0") } });
    const tidy = place.repo.commit("chore: tidy", { files: { "src/api.js": api.split("export function shut")[0]! } });

    const run = await place.json(["run", watch]);
    const { stdout } = await place.lw(["show", "watch", "--report"]);
    place.repo.commit("docs: a word", { files: { "README.md": "c\n" } });
    await place.lw(["run", watch]);
    const quiet = await place.lw(["show", "watch", "--report"]);

    expect(run.exit).toBe(0);
    expect(stdout).toContain("### To look at\n\n- breaking ");
    expect(stdout).toMatch(/chore: tidy: takes away shut/);
    expect(stdout).toContain(`<https://github.com/ada/shop/commit/${tidy}>`);
    expect(stdout).toMatch(/Other versions \(1\): `[0-9a-f]{12}` bump mocha/);
    expect(stdout).not.toContain("s3cret");
    expect(quiet.stdout).toContain("A quiet day on master: nothing to look at in 1 new commit (1 ordinary).");
  }));

it("locks no colleague out by a hook in the project, and tells them; one's own stays strict", () =>
  inPlace(async (place) => {
    const commandIn = (file: string): string => JSON.parse(place.read(file)).hooks.PreToolUse[0].hooks[0].command;
    const withoutLw = (command: string) =>
      spawnSync("/bin/sh", ["-c", command], { env: { PATH: "/nowhere" }, input: "{}", encoding: "utf8" });

    const shared = await place.lw(["hook", "install", "claude-code"]);
    const passed = withoutLw(commandIn(".claude/settings.json"));
    const own = await place.lw(["hook", "install", "claude-code", "--local"]);
    const denied = withoutLw(commandIn(".claude/settings.local.json"));
    await place.lw(["hook", "install", "claude-code", "--project", "--if-missing", "deny"]);
    const strict = commandIn(".claude/settings.json");
    await place.lw(["hook", "uninstall", "claude-code"]);
    const none = await place.lw(["hook", "install", "codex", "--local"]);

    expect(shared.stderr).toContain("it binds everybody who works on this project");
    expect([passed.status, JSON.parse(passed.stdout).systemMessage]).toEqual([0, expect.stringContaining("lw is not installed here")]);
    expect([own.stderr, denied.status]).toEqual([expect.stringContaining("it binds only you, in this project"), 2]);
    expect(strict).toBe("lw hook run claude-code || exit 2");
    expect(existsSync(join(place.dir, ".claude/settings.json"))).toBe(false);
    expect([none.exit, none.stderr]).toEqual([64, expect.stringContaining("write --project or --user")]);
  }));

it("tells what a maker said last that gave up, and nothing of what took no time", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    const file = loopWith(place, {
      maker: { use: "shell", with: { run: "echo reading; echo 'fatal: no such remote' >&2; exit 128" } },
      budget: { rounds: 1 },
    });

    const { stderr } = await place.lw(["run", file]);

    expect(stderr).toMatch(/✗ the maker gave up: it exited 128/);
    expect(stderr).toContain("fatal: no such remote");
    expect(stderr).not.toContain("admit");
  }));
