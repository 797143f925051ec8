// The command line as people and programs meet it: exit codes, results on stdout, talk on stderr, and messages that say what to do.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { DAILY } from "../../src/cli/groups.ts";
import { COMMANDS } from "../../src/cli/table.ts";
import { createRepo } from "../support/git-repo.ts";
import { atEach, inPlace, type Place, until } from "../support/lw.ts";
import { lookAt, proposalsIn } from "../support/target.ts";

const RIGHT = { write: { "value.txt": "right\n" } };
const WRONG = { write: { "value.txt": "still wrong\n" } };
const ESCAPE = "\u001b[";
/** Gives a command a terminal; not every machine has it. */
const TERMINAL = "/usr/bin/script";

interface Loop {
  readonly name?: string;
  readonly scenes?: readonly object[];
  readonly check?: string;
  readonly rest?: object;
}

/** A fix loop that plays scenes; its check is that value.txt says right. */
const fixLoop = (place: Place, { name = "fix", scenes = [RIGHT], check = "grep -x right value.txt", rest = {} }: Loop = {}): string =>
  place.write(
    `${name}.loop.json`,
    JSON.stringify({
      name,
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "scripted", with: { scenes } },
      verifiers: [{ use: "command", with: { run: check } }],
      baseline: { when: "off" },
      ...rest,
    }),
  );

/** Most tests here need no look at base before the first round. */
const LOOKS = { baseline: { when: "always" } };

const triageLoop = (place: Place, refs?: readonly string[]): string =>
  place.write(
    "triage.loop.json",
    JSON.stringify({
      name: "triage",
      intent: "Say what is new.",
      level: "L1",
      target: { repo: place.repo.dir },
      gather: [{ use: "commits", with: { since: "36500d", ...(refs ? { refs } : {}) } }],
      maker: { use: "triage" },
      verifiers: [{ use: "grounded" }],
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n", "test/value.test.js": "// a test\n" } });
    return work(place);
  });

describe("exit codes of a run", () => {
  const endings: readonly (readonly [number, string, Loop, string | undefined])[] = [
    [0, "a proven change is proposed", {}, undefined],
    [0, "a change that was refuted once is proven", { scenes: [WRONG, RIGHT] }, undefined],
    [
      1,
      "the check fails in every round",
      { scenes: [WRONG, { write: { "value.txt": "worse\n" } }], rest: { budget: { rounds: 2 } } },
      "check-failed",
    ],
    [1, "the maker changes nothing", { scenes: [{}], rest: { budget: { rounds: 1 } } }, "check-failed"],
    [4, "the check cannot be run", { check: "no-such-program-here" }, "cannot-verify"],
    [4, "the maker gives up", { scenes: [{ ...RIGHT, fail: "gives-up" }], rest: { budget: { rounds: 1 } } }, "maker-unfinished"],
    [4, "the maker crashes", { scenes: [{ ...RIGHT, fail: "crashes" }] }, "outside-failure"],
    [5, "a test is deleted, though the check holds", { scenes: [{ ...RIGHT, remove: ["test/value.test.js"] }] }, "tampering"],
    [5, "a sealed file is changed", { rest: { seal: ["value.*"] } }, "tampering"],
    [10, "the budget is spent", { scenes: [{ ...WRONG, spend: { usd: 6, tokens: 10 } }] }, "budget"],
    [11, "the same change is proposed twice", { scenes: [WRONG, WRONG] }, "stalled"],
  ];

  it.each(endings)("%i when %s", (exit, _, loop, because) =>
    inShop(async (place) => {
      const before = lookAt(place.repo);

      const ended = await place.json(["run", fixLoop(place, loop)]);

      const { rest, rounds } = ended.said;
      expect([ended.exit, ended.said.exit.code, rest.because]).toEqual([exit, exit, because]);
      const proofs = rounds.at(-1)?.evidence?.proofs ?? [];
      if (exit === 0) expect(proofs.map(({ outcome }: { readonly outcome: string }) => outcome)).toEqual(["holds"]);
      expect(proposalsIn(place.repo)).toHaveLength(exit === 0 ? 1 : 0);
      expect(lookAt(place.repo)).toEqual(before);
      expect(readdirSync(join(place.home, "rounds", "fix"))).toEqual([]);
    }),
  );

  it("0 when a report is proven", () =>
    inShop(async (place) => {
      const ended = await place.json(["run", triageLoop(place)]);

      expect([ended.exit, ended.said.rest]).toEqual([0, { kind: "accept", action: "report" }]);
    }));

  it("4 and never 0 when a report read nothing, so that nothing is proven", () =>
    inShop(async (place) => {
      const ended = await place.json(["run", triageLoop(place, ["no-such-branch"])]);

      expect([ended.exit, ended.said.rest.because]).toEqual([4, "cannot-verify"]);
    }));

  it("9 while the last proposal waits, 0 with --again, and 0 when it was merged", () =>
    inShop(async (place) => {
      const spec = fixLoop(place);
      await place.lw(["run", spec]);

      const waiting = await place.json(["run", spec]);
      const again = await place.lw(["run", spec, "--again"]);
      const [first] = proposalsIn(place.repo);
      for (const branch of proposalsIn(place.repo).slice(1)) place.repo.git("branch", "-D", branch);
      place.repo.git("merge", "--quiet", first!);
      const next = await place.json(["run", fixLoop(place, { scenes: [{ write: { "value.txt": "right\n", "more.txt": "more\n" } }] })]);

      expect([waiting.exit, waiting.said.state, again.exit, next.exit]).toEqual([9, "waiting", 0, 0]);
    }));

  it("75 when the maker is limited, and it goes on at the same place later", () =>
    inShop(async (place) => {
      const limited = await place.json(["run", fixLoop(place, { scenes: [{ ...RIGHT, fail: "is-limited" }] })]);
      const resumed = await place.json(["resume"]);

      expect([limited.exit, limited.said.rest, limited.said.rounds[0].failures[0].code]).toEqual([75, null, "maker-rate-limited"]);
      expect([resumed.exit, resumed.said.runs[0].run]).toEqual([75, limited.said.run]);
    }));

  it("75 when it is not due, and 0 when it is", () =>
    inShop(async (place) => {
      const spec = fixLoop(place, { rest: { trigger: { use: "every", with: { interval: "1h" } } } });

      const first = await place.lw(["run", spec, "--if-due"]);
      const second = await place.json(["run", spec, "--if-due"]);
      const manual = await place.lw(["run", fixLoop(place, { name: "manual" }), "--if-due"]);

      expect([first.exit, second.exit, second.said.state, manual.exit]).toEqual([0, 75, "not-due", 75]);
    }));
});

describe("exit 64, with words that help", () => {
  const mistakes: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["an unknown command", ["statsu"], /Did you mean status\?/],
    ["an unknown option", ["status", "--jsn"], /Did you mean --json\?/],
    ["a missing argument", ["run"], /missing required argument 'loop'/],
    ["too many arguments", ["status", "all", "of", "them"], /too many arguments/],
    ["a spec that is not there", ["run", "nowhere.loop.yaml"], /nowhere\.loop\.yaml cannot be read: there is no such file/],
    ["a name without a spec", ["run", "nowhere"], /no spec called nowhere was found/],
    ["a run that is not there", ["show", "nowhere"], /no run or loop is called nowhere/],
    ["a part that is not there", ["parts", "comand"], /Did you mean command\?/],
    ["a shell without completions", ["completions", "tcsh"], /Write one of: bash, zsh, fish/],
    ["a time that is none", ["stop", "fix", "--wait", "soon"], /--wait soon is not a length of time/],
  ];

  it.each(mistakes)("for %s", (_, args, words) =>
    inPlace(async (place) => {
      const ended = await place.lw(args);

      expect([ended.exit, ended.stdout]).toEqual([64, ""]);
      expect(ended.stderr).toMatch(words);
      expect(ended.stderr).not.toMatch(/\n {4}at /);
    }),
  );

  it("as JSON on stdout too, when JSON was asked for", () =>
    inPlace(async (place) => {
      const asked = [["run"], ["status", "--nonsense"], ["show", "nowhere"], ["run", "nowhere"], ["resume", "nowhere"]];

      const answers = await atEach(asked, (args) => place.json(args));

      expect(answers.map(({ exit, said }) => [exit, said.error.code])).toEqual(asked.map(() => [64, "bad-input"]));
    }));

  it("for a target that is no repository, is not there, has no commits, or lacks the base", () =>
    inPlace(async (place) => {
      const target = (repo: string, base?: string) => fixLoop(place, { rest: { target: { repo, ...(base ? { base } : {}) } } });
      mkdirSync(join(place.dir, "plain"));

      const plain = await place.lw(["run", target(join(place.dir, "plain"))]);
      const missing = await place.lw(["run", target(join(place.dir, "missing"))]);
      const empty = await place.lw(["run", target(place.repo.dir)]);
      place.repo.commit("first");
      const lost = await place.lw(["run", target(place.repo.dir, "develop")]);

      expect([plain, missing, empty, lost].map(({ exit }) => exit)).toEqual([64, 64, 64, 64]);
      expect(plain.stderr).toContain("it is not a git repository");
      expect(missing.stderr).toContain("there is no such folder");
      expect(empty.stderr).toContain("has no commit called main");
      expect(lost.stderr).toContain("has no commit called develop");
      expect((await place.json(["status"])).said.loops).toEqual([]);
    }));

  it("for a bad spec, with file, line, column and path of every problem at once", () =>
    inPlace(async (place) => {
      place.write("bad.loop.yaml", "name: Bad Name\nintent: x\nlevel: L2\nmaker:\n  use: shel\nverifiers: []\nbudget: {rounds: 0}\n");

      const validated = await place.lw(["validate", "bad.loop.yaml"]);
      const ran = await place.lw(["run", "bad.loop.yaml"]);
      const json = await place.json(["validate", "bad.loop.yaml"]);

      const lines = validated.stdout.trim().split("\n");
      expect(lines.map((line) => /^(bad\.loop\.yaml:\d+:\d+) {2}([^:]+): /.exec(line)?.slice(1))).toEqual([
        ["bad.loop.yaml:1:7", "name"],
        ["bad.loop.yaml:5:8", "maker.use"],
        ["bad.loop.yaml:6:12", "verifiers"],
        ["bad.loop.yaml:7:18", "budget.rounds"],
      ]);
      expect([validated.exit, ran.exit, json.exit]).toEqual([64, 64, 64]);
      expect(ran.stderr).toBe(validated.stdout);
      expect(json.said.files[0].problems).toHaveLength(4);
    }));
});

describe("--json", () => {
  it("gives one document on stdout for every command that has it", () =>
    inShop(async (place) => {
      const spec = fixLoop(place);
      const calls: { readonly [command: string]: readonly (readonly string[])[] } = {
        demo: [["demo", "--dir", join(place.dir, "demo")]],
        init: [["init", place.repo.dir, "--yes", "--no-try", "--dry-run"]],
        scan: [["scan", place.repo.dir]],
        intent: [["intent", "Fix the failing tests", "--repo", place.repo.dir]],
        run: [["run", spec]],
        resume: [["resume"], ["resume", "fix"]],
        status: [["status"]],
        open: [["open"]],
        add: [["add", spec, "--now", "--as", "ada"]],
        loops: [["loops"]],
        schedule: [["schedule"], ["schedule", "--simulate", "1h"], ["schedule", "fix", "--why"]],
        tick: [["tick"], ["tick", "--now", "2030-01-01T00:00:00Z"]],
        remove: [["remove", "fix", "--as", "ada"]],
        service: [["service", "status"]],
        show: [
          ["show", "fix"],
          ["show", "fix", "--report"],
          ["show", "fix", "--diff"],
          ["show", "fix", "--output", "1"],
          ["show", "fix", "--records"],
          ["show", "fix", "--brief"],
        ],
        report: [
          ["report", "fix"],
          ["report", "fix", "--html"],
        ],
        ledger: [
          ["ledger", "summary"],
          ["ledger", "aggregate", place.home],
          ["ledger", "verify"],
          ["ledger", "checkpoint"],
          ["ledger", "check", "--require", "fix", "--repo", place.repo.dir],
        ],
        inbox: [["inbox"], ["inbox", "--all"]],
        promote: [["promote", "fix"]],
        pause: [["pause", "fix", "--as", "ada"]],
        "check-allowlist": [
          ["check-allowlist", "entries"],
          ["check-allowlist", "fix", "--allow", "**"],
          ["check-allowlist", "--repo", place.repo.dir, "--base", "HEAD", "--head", "HEAD", "--allow", "docs/**"],
        ],
        amend: [["amend", "fix", "--as", "ada"]],
        refresh: [["refresh", "fix", "--as", "ada"]],
        defer: [["defer", "fix", "--as", "ada"]],
        approve: [["approve", "fix", "--as", "ada", "--dry-run"]],
        answer: [["answer", "fix", "--as", "ada", "yes"]],
        reject: [["reject", "fix", "--as", "ada"]],
        judge: [["judge", "fix", "--policy", spec]],
        referee: [
          ["referee", "--repo", place.repo.dir, "--base", "HEAD", "--loop", spec],
          ["referee", "--repo", place.repo.dir, "--begin"],
        ],
        flakes: [["flakes"], ["flakes", "fix"]],
        notes: [
          ["notes", "fix"],
          ["notes", "fix", "--clear"],
        ],
        spend: [["spend"], ["spend", "--by", "day"]],
        cost: [["cost", spec]],
        score: [
          ["score", spec],
          ["score", "fix"],
        ],
        level: [["level", spec]],
        complexity: [["complexity", spec]],
        diagram: [["diagram", spec]],
        explain: [["explain", spec]],
        review: [["review", "fix", "--as", "ada", "yes"]],
        stop: [["stop", "fix"]],
        validate: [["validate", spec]],
        lint: [
          ["lint", spec],
          ["lint", "--rules"],
          ["lint", spec, "--sarif"],
        ],
        audit: [["audit", spec]],
        evolve: [["evolve", "fix"]],
        calibrate: [["calibrate", "fix", "--examples", join(place.dir, "missing.jsonl")]],
        patterns: [["patterns"], ["patterns", "show", "debate"]],
        compare: [["compare", spec, spec]],
        fmt: [["fmt", "--check", spec]],
        minify: [["minify", spec]],
        fork: [["fork", spec, "other"]],
        mix: [
          ["mix", "--list"],
          ["mix", spec, "cheap"],
        ],
        compose: [["compose", "both", spec, join(dirname(spec), "other.loop.json")]],
        import: [["import", spec]],
        export: [["export", spec, "--to", "lss"]],
        parts: [["parts"], ["parts", "command"]],
        doctor: [["doctor"]],
        annotate: [
          ["annotate", join(place.dir, "missing.sarif")],
          ["annotate", join(place.dir, "missing.sarif"), "--summary", "--ended", "referee=0"],
        ],
        receipt: [
          ["receipt", "show", "fix"],
          ["receipt", "verify", "fix"],
          ["receipt", "sign", "fix", "--sigstore"],
        ],
        key: [
          ["key", "show"],
          ["key", "export"],
          ["key", "rotate", "--as", "ada"],
        ],
        guard: [
          ["guard", "ls"],
          ["guard", "rules"],
        ],
        "scan-diff": [
          ["scan-diff", "rules"],
          ["scan-diff", "--repo", place.repo.dir, "--base", "HEAD", "--head", "HEAD"],
        ],
        verify: [["verify", place.repo.dir, place.repo.git("rev-parse", "HEAD")]],
        "verify-iso": [["verify-iso", place.repo.dir, place.repo.git("rev-parse", "HEAD")]],
        "scan-text": [
          ["scan-text", spec],
          ["scan-text", "--list"],
        ],
        redact: [
          ["redact", spec],
          ["redact", "--check", spec],
          ["redact", "--list"],
        ],
        hook: [
          ["hook", "list"],
          ["hook", "install", "claude-code", "--dry-run"],
        ],
        adapt: [
          ["adapt", place.repo.dir, "--list"],
          ["adapt", place.repo.dir, "--agents", "claude-code", "--dry-run"],
        ],
        mcp: [
          ["mcp", "install"],
          ["mcp", "install", "claude-code", "--repo", place.repo.dir, "--dry-run"],
        ],
        clean: [["clean"]],
      };
      // What goes on and on prints a line for each thing that happens.
      const lines = (await place.lw(["serve", "--once", "--json"])).stdout.trim().split("\n");
      expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => "object"));
      const withJson = COMMANDS.filter(({ options }) => options.some(([flags]) => flags === "--json")).map(({ name }) => name);

      for (const args of Object.values(calls).flat()) {
        const { said } = await place.json(args);
        expect(typeof said, args.join(" ")).toBe("object");
      }

      expect(withJson.filter((name) => name !== "serve").toSorted()).toEqual(Object.keys(calls).toSorted());
    }));

  it("tells of one run that cannot go on, and goes on with the others (paperclip#4027)", () =>
    inShop(async (place) => {
      const gone = createRepo();
      gone.commit("start", { files: { "value.txt": "wrong\n" } });
      const limited = [{ ...RIGHT, fail: "is-limited" }];
      await place.lw(["run", fixLoop(place, { name: "broken", scenes: limited, rest: { target: { repo: gone.dir } } })]);
      await place.lw(["run", fixLoop(place, { name: "well", scenes: limited })]);
      gone.remove();

      const { said } = await place.json(["resume"]);

      expect(said.runs.map(({ loop, rest }: { loop: string; rest: { kind: string } | null }) => [loop, rest?.kind])).toEqual([
        ["broken", "halt"],
        ["well", undefined],
      ]);
    }));

  it("is one document also when several runs are resumed", () =>
    inShop(async (place) => {
      for (const name of ["one", "two"]) await place.lw(["run", fixLoop(place, { name, scenes: [{ ...RIGHT, fail: "is-limited" }] })]);

      const { exit, said } = await place.json(["resume"]);

      expect([exit, said.resumed, said.runs.map(({ loop }: { readonly loop: string }) => loop)]).toEqual([75, 2, ["one", "two"]]);
    }));
});

describe("stdout, stderr and colour", () => {
  it("puts results on stdout and talk on stderr", () =>
    inShop(async (place) => {
      const { stdout, stderr } = await place.lw(["run", fixLoop(place, { rest: LOOKS })]);

      expect(stdout).toMatch(/^proposed {2}fix-1-\w+ {2}1 round\(s\)/);
      expect(stderr).toMatch(/^(you are root: [^\n]*\n)?fix-1-\w+ {2}L2 {2}Make it right\.\n {2}· base: command red [^\n]*\nRound 1\n/);
      expect(stderr).toContain("✓ holds: `grep -x right value.txt` exited 0");
    }));

  it("has no escape codes in a pipe, whatever the environment says of colours", () =>
    inShop(async (place) => {
      const spec = fixLoop(place);
      const ends = [await place.apart.lw(["run", spec])];
      for (const env of [{}, { CI: "true" }, { NO_COLOR: "1" }, { NO_COLOR: "1", FORCE_COLOR: "1" }, { TERM: "dumb" }])
        for (const args of [["run", spec], ["show", "fix"], ["status"]]) ends.push(await place.apart.lw(args, { env }));

      expect(ends.filter(({ stdout, stderr }) => (stdout + stderr).includes(ESCAPE))).toEqual([]);
      expect(ends.map(({ stdout, stderr }) => (stdout + stderr).length > 20)).not.toContain(false);
    }));

  it("has colours when they are forced", () =>
    inShop(async (place) => {
      const env = { FORCE_COLOR: "1" };

      const ran = await place.apart.lw(["run", fixLoop(place)], { env });
      const status = await place.apart.lw(["status"], { env });

      expect([ran.stdout, ran.stderr, status.stdout].map((text) => text.includes(ESCAPE))).toEqual([true, true, true]);
    }));

  it.skipIf(!existsSync(TERMINAL))("redraws the running step on a terminal, and leaves finished steps as lines", () =>
    inShop(async (place) => {
      const spec = fixLoop(place, { scenes: [{ ...RIGHT, run: `while [ ! -e "${place.dir}/seen" ]; do sleep 0.05; done` }] });
      const command = `stty cols 100; ${process.execPath} ${inject("build").program} run ${spec}`;
      const log = join(place.dir, "typescript");
      const env = { PATH: process.env.PATH!, HOME: join(place.dir, "user"), LOOPWRIGHT_HOME: place.home, TERM: "xterm", SHELL: "/bin/sh" };
      const screen = () => (existsSync(log) ? place.read("typescript") : "");
      const terminal = runInTerminal(command, log, env);

      await until(() => /maker at work[^\r\n]*\d/.test(screen()));
      place.write("seen", "");
      await terminal;

      expect(screen()).toMatch(/\r\u001b\[2K {2}\S*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]\S* maker at work/u);
      expect(screen()).toMatch(/·\S* maker at work \S*\d+\w+\S*\r?\n/u);
      expect(screen()).toContain("proposed");
    }),
  );
});

describe("help", () => {
  it.each(COMMANDS.map(({ name }) => name))("of %s has examples, and exits 0", (name) =>
    inPlace(async (place) => {
      const { exit, stdout, stderr } = await place.lw([name, "--help"]);

      expect([exit, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(new RegExp(`Usage: lw ${name}[\\s\\S]*\\nExamples:\\n  lw ${name}`));
    }),
  );

  it("names every command and every exit code", () =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw(["help", "--all"]);
      const version = await place.lw(["--version"]);

      expect(COMMANDS.filter(({ name }) => !new RegExp(`^  ${name}[ |]`, "m").test(stdout))).toEqual([]);
      expect([...stdout.matchAll(/^ {2}( ?\d+) {2}\S/gm)].map(([, code]) => Number(code))).toEqual([
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 64, 70, 75,
      ]);
      expect([exit, version.exit, version.stdout]).toEqual([0, 0, "0.1.0\n"]);
    }));

  it("shows the commands of a day alone, and leads to the rest", () =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw(["--help"]);

      const named = [...stdout.matchAll(/^ {2}([a-z]+)/gm)].flatMap(([, name = ""]) => (name === "lw" ? [] : [name]));
      expect([exit, named]).toEqual([0, DAILY]);
      expect(stdout).toContain("lw help --all");
    }));

  it("says for no command at all where the loops stand, and how to begin", () =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw([]);

      expect(exit).toBe(0);
      expect(stdout).toMatch(/^No loop has run here yet[\s\S]*lw demo[\s\S]*lw init[\s\S]*lw intent/);
    }));
});

describe("show", () => {
  it("finds a run by its id, by the start of it and by its loop, and refuses a start that fits several", () =>
    inShop(async (place) => {
      const spec = fixLoop(place);
      const first = (await place.json(["run", spec])).said.run;
      const second = (await place.json(["run", spec, "--again"])).said.run;

      const found = await atEach(
        [first, first.slice(0, -2), second, "fix", "fix-2"],
        async (asked) => (await place.json(["show", asked])).said.run,
      );
      const ambiguous = await place.json(["show", "fix-"]);

      expect(found).toEqual([first, first, second, second, second]);
      expect([ambiguous.exit, ambiguous.said.error.message]).toEqual([
        64,
        `fix- fits more than one run: ${[first, second].sort().join(", ")}, …`,
      ]);
    }));

  it("prints the report, the diff, a verifier's output and the records", () =>
    inShop(async (place) => {
      await place.lw(["run", fixLoop(place, { check: "echo looking; grep -x right value.txt", rest: LOOKS })]);

      const show = (...args: readonly string[]) => place.lw(["show", "fix", ...args]);
      const [told, report, diff, output, records, nothing] = await Promise.all([
        show(),
        show("--report"),
        show("--diff"),
        show("--output", "1"),
        show("--records"),
        show("--output", "2"),
      ]);

      expect(told.stdout).toMatch(
        / {2}proposed\n {2}intent {3}Make it right\.[\s\S]*proof +holds command: [\s\S]*\nexit 0: done and proven\n$/,
      );
      expect(report.stdout).toMatch(/^# /);
      expect(spawnSync("git", ["apply", "--check", "-"], { cwd: place.repo.dir, input: diff.stdout }).status).toBe(0);
      expect(output.stdout).toBe("looking\nright\n");
      expect(
        records.stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line).record.kind),
      ).toEqual([
        "run-opened",
        "spent",
        "baseline-taken",
        "round-opened",
        "reserved",
        "settled",
        ...Array(3).fill("step-done"),
        "spent",
        ...Array(2).fill("step-done"),
        "round-closed",
        "run-rested",
        "receipted",
      ]);
      expect([nothing.exit, nothing.stderr]).toEqual([64, expect.stringContaining("it had 1 verifier(s)")]);
    }));
});

describe("the schema", () => {
  it("accepts every example, as validate does", () =>
    inPlace(async (place) => {
      const { stdout } = await place.lw(["schema"]);
      const schema = z.fromJSONSchema(JSON.parse(stdout));
      const folder = resolve(import.meta.dirname, "../../examples");
      const examples = readdirSync(folder)
        .filter((name) => /\.loop\.(ya?ml|json)$/.test(name))
        .map((name) => join(folder, name));

      const refused = examples.filter((path) => !schema.safeParse(parse(readFileSync(path, "utf8"))).success);
      const validated = examples.length === 0 ? 0 : (await place.lw(["validate", ...examples])).exit;

      expect(JSON.parse(stdout).$schema).toMatch(/^https?:\/\/json-schema\.org\//);
      expect(schema.safeParse(JSON.parse(place.read(fixLoop(place).slice(place.dir.length + 1)))).success).toBe(true);
      expect(schema.safeParse({ name: "fix" }).success).toBe(false);
      expect([refused, validated]).toEqual([[], 0]);
    }));
});

describe("completions", () => {
  it("for bash parse and complete commands, options, shells and specs", () =>
    inPlace(async (place) => {
      place.write("fix.loop.yaml", "");
      const script = place.write("completions.bash", (await place.lw(["completions", "bash"])).stdout);
      const complete = (...words: readonly string[]): readonly string[] =>
        execFileSync(
          "bash",
          ["-c", `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _lw; printf '%s\\n' "\${COMPREPLY[@]}"`, script, ...words],
          {
            cwd: place.dir,
            encoding: "utf8",
          },
        )
          .trim()
          .split("\n");

      expect(spawnSync("bash", ["-n", script]).status).toBe(0);
      expect(complete("lw", "st")).toEqual(["status", "stop"]);
      expect(complete("lw", "show", "--r")).toEqual(["--report", "--records"]);
      expect(complete("lw", "completions", "f")).toEqual(["fish"]);
      expect(complete("lw", "run", "fi")).toEqual(["fix.loop.yaml"]);
    }));

  it.each(["zsh", "fish"])("for %s name every command", (shell) =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw(["completions", shell]);

      expect([exit, COMMANDS.filter(({ name }) => !stdout.includes(name))]).toEqual([0, []]);
    }),
  );
});

describe("parts and doctor", () => {
  it("list what is built in, and what this machine has", () =>
    inPlace(async (place) => {
      const parts = await place.lw(["parts"]);
      const doctor = await place.json(["doctor"]);

      expect(
        ["shell", "scripted", "triage", "command", "grounded", "commits", "every", "manual", "file"].filter(
          (name) => !new RegExp(`^${name}  `, "m").test(parts.stdout),
        ),
      ).toEqual([]);
      const needed = doctor.said.checks.filter((check: { readonly needed: boolean }) => check.needed);
      expect([
        doctor.exit,
        doctor.said.ok,
        needed.map(({ name, result }: { readonly name: string; readonly result: string }) => `${name} ${result}`),
      ]).toEqual([0, true, ["node ok", "git ok", "shell ok", "store ok", "limits ok", "machine ok"]]);
    }));

  it("find no git where there is none, and what keeps everything from waking", () =>
    inPlace(async (place) => {
      place.write("home/machine.yaml", "[");
      const { exit, said } = await place.json(["doctor"], { env: { PATH: join(place.dir, "nothing") } });

      const resultOf = (name: string) => said.checks.find((check: { readonly name: string }) => check.name === name).result;
      expect([exit, said.ok, resultOf("git"), resultOf("machine")]).toEqual([1, false, "missing", "damaged"]);
    }));
});

describe("a home that is damaged", () => {
  it("by garbage in place of the journal: every command works, says what is damaged, and keeps the file", () =>
    inShop(async (place) => {
      const spec = fixLoop(place);
      await place.lw(["run", spec]);
      for (const name of readdirSync(place.home).filter((name) => name.startsWith("journal.db"))) rmSync(join(place.home, name));
      writeFileSync(join(place.home, "journal.db"), "this is no database ".repeat(1000));

      const status = await place.json(["status"]);
      const doctor = await place.json(["doctor"]);
      const run = await place.lw(["run", spec, "--again"]);
      const again = await place.json(["doctor"]);

      expect([status.exit, status.stderr]).toEqual([0, expect.stringMatching(/damaged/)]);
      expect([doctor.exit, doctor.said.checks.find((check: { readonly name: string }) => check.name === "store").result]).toEqual([
        1,
        "damaged",
      ]);
      expect([run.exit, again.exit]).toEqual([0, 1]);
      const kept = readdirSync(place.home).find((name) => name.startsWith("damaged-"));
      expect(place.read(join("home", kept!, "journal.db"))).toMatch(/^this is no database/);
    }));

  const unusable: readonly (readonly [string, (place: Place) => string])[] = [
    ["a file", (place) => place.write("home", "not a folder")],
    ["below a file", (place) => join(place.write("file", "not a folder"), "home")],
    ["where nobody may write", () => "/sys/loopwright"],
    [
      "a folder in which the journal is a folder",
      (place) => {
        mkdirSync(join(place.dir, "odd", "journal.db"), { recursive: true });
        return join(place.dir, "odd");
      },
    ],
  ];

  it.each(unusable)("because it is %s: says so, and what to do, without a stack", (_, homeIn) =>
    inShop(async (place) => {
      const env = { LOOPWRIGHT_HOME: homeIn(place) };

      const status = await place.lw(["status"], { env });
      const run = await place.lw(["run", fixLoop(place)], { env });
      const doctor = await place.json(["doctor"], { env });

      expect([status.exit, run.exit, doctor.exit]).toEqual([4, 4, 1]);
      expect(status.stderr).toMatch(/^lw: .*\n {4}.*(--home|LOOPWRIGHT_HOME)/);
      expect(status.stderr + run.stderr).not.toMatch(/\n {4}at |bug in loopwright/);
    }),
  );

  it.each([
    ["thrown", 'throw new Error("nobody caught this")'],
    ["rejected", 'Promise.reject(new Error("nobody caught this"))'],
  ])("is a bug and never a verdict where an error is %s that nobody catches: exit 70, with where it came from", (_, fails) =>
    inShop(async (place) => {
      // Once we listen for it, and in the middle of a run that would fail otherwise.
      const preload = place.write(
        "fails.cjs",
        `const waiting = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(waiting);
  ${fails};
}, 5);\n`,
      );

      const ended = await place.apart.lw(["run", fixLoop(place, { scenes: [WRONG] })], { env: { NODE_OPTIONS: `--require ${preload}` } });

      expect([ended.exit, ended.stderr]).toEqual([70, expect.stringMatching(/lw: a bug: Error: nobody caught this\n {4}at .*fails\.cjs/)]);
      expect(proposalsIn(place.repo)).toEqual([]);
    }),
  );

  it("counts an empty LOOPWRIGHT_HOME as none, and so keeps out of the folder it stands in", () =>
    inShop(async (place) => {
      const before = lookAt(place.repo);

      const { exit, said } = await place.json(["status"], { cwd: place.repo.dir, env: { LOOPWRIGHT_HOME: "" } });

      expect([exit, said.home]).toEqual([0, join(place.dir, "user/.local/state/loopwright")]);
      expect(lookAt(place.repo)).toEqual(before);
    }));
});

describe("the demo", () => {
  it("catches the cheat, proposes the fix, and prints commands that work", () =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw(["demo", "--dir", join(place.dir, "demo")]);

      const lw = place.writeProgram("bin/lw", `#!/bin/sh\nexec "${process.execPath}" "${inject("build").program}" "$@"\n`);
      const commands = stdout
        .split("\n")
        .slice(stdout.split("\n").indexOf("Look further") + 1)
        .map((line) => line.trim())
        .filter(Boolean);
      const run = (command: string) =>
        spawnSync("/bin/sh", ["-c", command], {
          encoding: "utf8",
          env: { PATH: `${join(lw, "..")}:${process.env.PATH}`, HOME: place.dir },
        });
      const outputs = commands.map(run);

      expect(exit).toBe(0);
      expect(stdout).toContain("Caught: test-file-removed, test/empty.test.js was deleted.");
      expect(outputs.map(({ status }) => status)).toEqual(commands.map(() => 0));
      expect(outputs[0]!.stdout).toContain("+  return prices.reduce((sum, price) => sum + price, 0);");
      expect(outputs[1]!.stdout).toContain("high test-file-removed");
      expect(existsSync(join(place.dir, "demo"))).toBe(false);
    }));

  it("refuses a folder that has something in it", () =>
    inPlace(async (place) => {
      place.write("full/of/things.txt", "");

      const { exit, stderr } = await place.lw(["demo", "--dir", join(place.dir, "full")]);

      expect([exit, stderr]).toEqual([64, expect.stringContaining("is not empty")]);
    }));
});

/** Runs a command on a terminal of its own, and keeps everything that was drawn. */
async function runInTerminal(command: string, log: string, env: { readonly [name: string]: string }): Promise<void> {
  const child = spawn(TERMINAL, ["--quiet", "--flush", "--command", command, log], { env, stdio: "ignore" });
  await new Promise((done) => child.on("close", done));
}
