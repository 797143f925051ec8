// `lw referee` as it is called, on real repositories. Tests with a number are holes of another referee, by their numbers in the list of them.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { createRepo, type TestRepo } from "../support/git-repo.ts";
import { inPlace, type Place, startProgram, until } from "../support/lw.ts";

const spec = (more: object = {}) =>
  `${JSON.stringify({
    name: "fix",
    intent: "Keep it green.",
    level: "L2",
    target: { base: "main" },
    maker: { use: "shell", with: { run: "false" } },
    verifiers: [{ use: "command", with: { run: "sh check.sh" } }],
    baseline: { when: "off" },
    ...more,
  })}\n`;

const FILES = {
  "app.txt": "ok\n",
  "check.sh": "grep -q ok app.txt\n",
  ".gitignore": ".env\n.env.*\n*.local\nignored/\n",
  "secrets/key.txt": "old\n",
};

/** A checkout on a branch of its own, with a loop on main. */
function atWork(place: Place, more: object = {}, files: { readonly [path: string]: string } = {}): TestRepo {
  const { repo } = place;
  repo.commit("base", { files: { ...FILES, "fix.loop.json": spec(more), ...files } });
  repo.git("switch", "--quiet", "--create", "work");
  return repo;
}

const judge = (place: Place, ...args: readonly string[]) => place.lw(["referee", ...args], { cwd: place.repo.dir });
const exitOf = async (place: Place, ...args: readonly string[]) => (await judge(place, ...args)).exit;

/** Everything that could tell that somebody wrote into the checkout or moved something in it. Receipts have refs of their own. */
const traceOf = (repo: TestRepo) => ({
  refs: repo.git("for-each-ref", "refs/heads", "refs/tags", "refs/remotes"),
  head: repo.git("rev-parse", "HEAD"),
  status: repo.git("status", "--porcelain", "--ignored"),
  files: readdirSync(repo.dir).toSorted(),
});

describe.concurrent("what is proven", () => {
  it("passes a change that holds, committed or not, and leaves the repository as it was", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "ok, and more\n");
      repo.write("new file.txt", "fresh\n");
      const before = traceOf(repo);

      const judged = await place.json(["referee", "--as", "ada"], { cwd: repo.dir });
      expect(judged).toMatchObject({
        exit: 0,
        said: { loop: "fix.referee", rest: { kind: "accept", action: "report" }, branch: null, proposal: null },
      });
      expect(judged.said.referee).toEqual({ of: "work-tree", tree: expect.stringMatching(/^[0-9a-f]{40}$/), by: "ada" });
      expect(traceOf(repo)).toEqual(before);

      const commit = repo.commit("done");
      const again = await place.json(["referee"], { cwd: repo.dir });
      expect(again).toMatchObject({ exit: 0, said: { referee: { of: "work-tree", commit, tree: judged.said.referee.tree } } });
      expect(await place.json(["referee", "--head", commit, "--base", "main"], { cwd: repo.dir })).toMatchObject({
        exit: 0,
        said: { referee: { of: "commit", commit } },
      });
      // What it said is signed, and counts for a merge gate.
      expect(await place.json(["receipt", "show", "fix.referee"])).toMatchObject({
        exit: 0,
        said: { kind: "referee", tested: { commit } },
      });
      expect((await place.lw(["ledger", "check", "--require", "fix", "--commit", commit, "--repo", repo.dir])).exit).toBe(0);
      expect((await place.json(["inbox"])).said.items).toEqual([]);
      expect((await place.json(["status"])).said.loops.map(({ loop }: { loop: string }) => loop)).toEqual(["fix.referee"]);
    }));

  it("refuses one that does not hold with the exit code of its reason, and tells it as SARIF", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "bad\n");
      repo.write(".env.example.local", "no secret of the tree\n");

      const sarif = join(place.dir, "referee.sarif");
      expect(await exitOf(place, "--base", "main", "--sarif", sarif)).toBe(4);
      rmSync(join(repo.dir, ".env.example.local"));
      expect(await exitOf(place, "--base", "main", "--sarif", sarif)).toBe(1);
      const { runs } = JSON.parse(readFileSync(sarif, "utf8"));
      expect(runs[0].results).toEqual([
        { ruleId: "check/command", ruleIndex: 0, level: "error", message: { text: expect.stringContaining("`sh check.sh` exited 1") } },
      ]);
    }));

  it("takes a change of nothing for no proof", () =>
    inPlace(async (place) => {
      atWork(place);

      const judged = await place.json(["referee"], { cwd: place.repo.dir });
      expect(judged).toMatchObject({
        exit: 4,
        said: { error: { code: "cannot-judge", message: expect.stringContaining("nothing changed since main") } },
      });
    }));
});

describe.concurrent("what loopgen let pass", () => {
  it("1: sees an ignored .env that was added, changed or removed since the beginning, and fails without a beginning", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "ok too\n");
      repo.write(".env", "A=1\n");

      const unbegun = await judge(place);
      expect(unbegun).toMatchObject({ exit: 4, stdout: expect.stringContaining("lw referee --begin") });

      expect(await exitOf(place, "--begin")).toBe(0);
      expect(await exitOf(place, "--base", "main")).toBe(0);
      repo.write(".env", "A=2\n");
      expect(await judge(place, "--base", "main")).toMatchObject({ exit: 7, stdout: expect.stringContaining(".env was changed") });
      rmSync(join(repo.dir, ".env"));
      expect(await judge(place, "--base", "main")).toMatchObject({ exit: 7, stdout: expect.stringContaining(".env was removed") });
      repo.write(".env", "A=1\n");
      repo.write("ignored/deep/.ENV", "B=1\n");
      expect(await judge(place, "--base", "main")).toMatchObject({
        exit: 7,
        stdout: expect.stringContaining("ignored/deep/.ENV was added"),
      });
    }));

  it("2: sees work that is committed already, also what a later commit took back", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      expect(await exitOf(place, "--begin")).toBe(0);
      repo.write(".env", "A=1\n");
      repo.git("add", "--force", ".env");
      repo.commit("mine", { files: { "app.txt": "ok too\n" } });

      expect(await exitOf(place)).toBe(7);
      expect(await exitOf(place, "--base", "main")).toBe(7);
      // Base HEAD has nothing to judge, and that is no pass.
      expect(await exitOf(place, "--base", "HEAD")).toBe(4);

      repo.git("rm", "--quiet", ".env");
      repo.commit("gone again");
      expect(await judge(place)).toMatchObject({ exit: 7, stdout: expect.stringContaining("taken back") });
    }));

  it("3: fails on a base that is wrong, missing, unborn, or out of reach", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "ok too\n");

      expect(await judge(place, "--base", "origin/mian")).toMatchObject({ exit: 64, stderr: expect.stringContaining("origin/mian") });
      expect(await exitOf(place, "--base", "--all")).toBe(64);
      expect(await exitOf(place, "--base", "HEAD~99")).toBe(64);
      repo.git("switch", "--quiet", "main");
      expect(await exitOf(place)).toBe(64);

      repo.git("checkout", "--quiet", "--orphan", "other");
      repo.commit("unrelated");
      expect(await exitOf(place, "--base", "main")).toBe(4);

      const shallow = join(place.dir, "shallow");
      repo.git("switch", "--quiet", "main");
      repo.commit("two", { files: { "app.txt": "ok 2\n" } });
      repo.git("switch", "--quiet", "--create", "side", "HEAD~1");
      repo.commit("three", { files: { "other.txt": "x\n" } });
      repo.git("clone", "--quiet", "--depth=1", "--no-single-branch", `file://${repo.dir}`, shallow);
      expect(await place.lw(["referee", "--base", "origin/main"], { cwd: shallow })).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining("shallow"),
      });

      const unborn = createRepo();
      expect((await place.lw(["referee", "--base", "main"], { cwd: unborn.dir })).exit).toBe(4);
      expect((await place.lw(["referee", "--begin"], { cwd: unborn.dir })).exit).toBe(4);
      unborn.remove();
    }));

  it("4: knows protected paths by names that git quotes, pads or cannot read", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      const names = ["secrets/clé.txt", 'secrets/qu"ote', "secrets/tab\there", "secrets/ leading", "secrets/line\nbreak", " secrets/x"];
      for (const name of names) repo.write(name, "x\n");
      mkdirSync(join(repo.dir, "secrets"), { recursive: true });
      writeFileSync(Buffer.concat([Buffer.from(`${repo.dir}/secrets/`), Buffer.from([0xff, 0xfe, 0x62])]), "x\n");

      const judged = await place.json(["referee"], { cwd: repo.dir });
      expect(judged.exit).toBe(7);
      const files = judged.said.rounds[0].evidence.findings.map(({ file }: { file: string }) => file);
      expect(files).toEqual(expect.arrayContaining([...names, "secrets/\u00ff\u00feb"]));
    }));

  it("5: sees both names of what was moved, and edits that git was told not to look at", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.git("mv", "secrets/key.txt", "x.txt");
      const moved = await place.json(["referee"], { cwd: repo.dir });
      expect(moved.exit).toBe(7);
      expect(moved.said.rounds[0].evidence.findings).toMatchObject([{ rule: "protected-path", file: "secrets/key.txt" }]);
      repo.git("reset", "--quiet", "--hard");

      for (const mark of ["--skip-worktree", "--assume-unchanged"]) {
        repo.write("secrets/key.txt", `hidden by ${mark}\n`);
        repo.write("app.txt", "bad\n");
        repo.git("update-index", mark, "secrets/key.txt", "app.txt");
        expect(repo.git("status", "--porcelain")).toBe("");
        expect(await exitOf(place)).toBe(7);
        repo.git("update-index", mark.replace("--", "--no-"), "secrets/key.txt");
        repo.git("checkout", "--quiet", "--", "secrets/key.txt");
        expect(await exitOf(place)).toBe(1);
        repo.git("update-index", mark.replace("--", "--no-"), "app.txt");
        repo.git("checkout", "--quiet", "--", "app.txt");
      }
    }));

  it("6: a check that writes .env does so in a copy; one that reaches the checkout is seen", () =>
    inPlace(async (place) => {
      const reach = join(place.dir, "reach");
      const repo = atWork(
        place,
        { box: { verifiers: { when: "off" } } },
        {
          "check.sh": `echo B=1 > .env; if [ -f ${reach} ]; then . ${reach}; fi; grep -q ok app.txt
`,
        },
      );
      repo.write("app.txt", "ok too\n");
      expect(await exitOf(place, "--begin")).toBe(0);

      expect(await exitOf(place, "--base", "main")).toBe(0);
      expect(existsSync(join(repo.dir, ".env"))).toBe(false);

      place.write("reach", `echo A=1 > ${repo.dir}/.env; echo "ok 3" > ${repo.dir}/app.txt\n`);
      const judged = await judge(place, "--base", "main");
      expect(judged).toMatchObject({ exit: 4, stdout: expect.stringContaining("app.txt changed while it was verified") });
      expect(judged.stdout).toContain(".env changed while it was verified, and git ignores it");
    }));

  it("7: protects secrets at any depth and in any case, keys, and what the spec denies", () =>
    inPlace(async (place) => {
      const repo = atWork(place, { referee: { deny: ["production/**"], allow: ["docs/secrets.md"] } });
      const names = [
        "credentials.json",
        "aws-credentials",
        "prod-secret.txt",
        "config/secrets/k",
        "deploy/server.PEM",
        "id_rsa",
        ".npmrc",
        ".aws/config",
        "production/x.txt",
        "fix2.loop.yaml",
      ];
      for (const name of [...names, "docs/secrets.md"]) repo.write(name, "x\n");
      repo.git("add", "--force", "--all");
      for (const name of ["packages/api/.env", "packages/api/.Env.Prod"]) {
        repo.write(name, "A=1\n");
        repo.git("add", "--force", name);
      }

      const judged = await place.json(["referee"], { cwd: repo.dir });
      const files = judged.said.rounds[0].evidence.findings.map(({ file }: { file: string }) => file);
      expect(judged.exit).toBe(7);
      expect(files.toSorted()).toEqual([...names, "packages/api/.env", "packages/api/.Env.Prod"].toSorted());
    }));

  it("8: sees modes, links and submodules", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      chmodSync(join(repo.dir, "app.txt"), 0o755);
      const mode = await place.json(["referee"], { cwd: repo.dir });
      expect(mode.exit).toBe(0);
      expect(mode.said.rounds[0].evidence.proposal.changes).toMatchObject([
        { path: "app.txt", before: { mode: "100644" }, after: { mode: "100755" } },
      ]);
      chmodSync(join(repo.dir, "app.txt"), 0o644);

      symlinkSync("secrets/key.txt", join(repo.dir, "settings"));
      expect(await judge(place)).toMatchObject({ exit: 7, stdout: expect.stringContaining("is a link to secrets/key.txt") });
      rmSync(join(repo.dir, "settings"));
      symlinkSync("../../elsewhere", join(repo.dir, "out"));
      expect(await judge(place)).toMatchObject({ exit: 7, stdout: expect.stringContaining("leads out of the repository") });
      rmSync(join(repo.dir, "out"));

      // A folder that became a link: what lies behind it is no part of the checkout.
      const outside = join(place.dir, "outside");
      mkdirSync(outside);
      writeFileSync(join(outside, "key.txt"), "old\n");
      rmSync(join(repo.dir, "secrets"), { recursive: true });
      symlinkSync(outside, join(repo.dir, "secrets"));
      expect(await exitOf(place)).toBe(7);
      rmSync(join(repo.dir, "secrets"));
      repo.git("checkout", "--quiet", "--", "secrets");

      const other = createRepo();
      other.commit("other", { files: { "a.txt": "a\n" } });
      repo.git("clone", "--quiet", other.dir, join(repo.dir, "nested"));
      expect(await judge(place)).toMatchObject({ exit: 7, stdout: expect.stringContaining("submodule brings in code") });
      other.remove();
    }));

  it("9: refuses a draft loop, whatever its command prints", () =>
    inPlace(async (place) => {
      const draft = (run: string) => ({ verifiers: [{ use: "command", with: { run } }] });
      const repo = atWork(place, draft('echo "TODO: write a check"'), {
        "package.json": '{"scripts": {"test": "echo \\"Error: no test specified\\""}}',
      });
      repo.write("app.txt", "ok too\n");
      expect(await judge(place)).toMatchObject({ exit: 4, stderr: expect.stringContaining("is a draft") });

      for (const run of ["npm test", "sh check.sh || true"]) {
        repo.git("stash", "--quiet");
        repo.git("switch", "--quiet", "main");
        repo.commit("another draft", { files: { "fix.loop.json": spec(draft(run)) } });
        repo.git("switch", "--quiet", "work");
        repo.git("reset", "--quiet", "--hard", "main");
        repo.git("stash", "pop", "--quiet");
        expect(await exitOf(place)).toBe(4);
      }
      expect((await place.lw(["validate", "fix.loop.json"], { cwd: repo.dir })).stderr).toContain("cannot fail");
    }));

  it("10: runs no check that the guard denies, gives checks none of the environment, and keeps no secret of what they print", () =>
    inPlace(async (place) => {
      const repo = atWork(place, { verifiers: [{ use: "command", with: { run: "git push --force origin main" } }] });
      repo.write("app.txt", "ok too\n");
      expect(await exitOf(place)).toBe(2);

      const token = `ghp_${"a1B2".repeat(9)}`;
      const outside = place.write(
        "env.loop.json",
        spec({ verifiers: [{ use: "command", with: { run: `env; echo token ${token}; sh check.sh` } }] }),
      );
      const judged = await place.json(["referee", "--base", "main", "--loop", outside], {
        cwd: repo.dir,
        env: { MY_SECRET_TOKEN: "s3cr3t-value-of-mine", PLAIN: "also mine" },
      });
      expect(judged.exit).toBe(0);
      const { stdout } = await place.lw(["show", judged.said.run, "--output", "1"]);
      expect(stdout).toContain("CI=1");
      expect(stdout).not.toMatch(/s3cr3t-value-of-mine|also mine|ghp_a1B2/);
    }));

  it("11: has one limit for the whole time, and not one a command", () =>
    inPlace(async (place) => {
      const slow = { use: "command", with: { run: "sleep 2; sh check.sh" } };
      const repo = atWork(place, { budget: { time: "3s" }, verifiers: [slow, slow, slow] });
      repo.write("app.txt", "ok too\n");

      const judged = await place.json(["referee"], { cwd: repo.dir });
      expect(judged.exit).toBe(10);
      expect(judged.said.rounds[0].steps.map(({ step }: { step: string }) => step)).not.toContain("verify-3");
    }));

  it("12: goes by what the spec on base says, and not by what the change says about it", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      const weaker = spec({ verifiers: [{ use: "command", with: { run: "test -f app.txt" } }], referee: { protect: [], allow: ["**"] } });
      repo.write("app.txt", "bad\n");
      repo.write("fix.loop.json", weaker);
      const edited = await place.json(["referee", "--base", "main"], { cwd: repo.dir });
      expect(edited).toMatchObject({ exit: 7 });
      expect(edited.said.rounds[0].evidence.proofs).toMatchObject([{ outcome: "refuted" }]);

      // A spec that is not on base judges nothing; neither does a link in its place.
      repo.write("own.loop.json", weaker.replace('"fix"', '"own"'));
      expect(await judge(place, "--base", "main", "--loop", "own")).toMatchObject({
        exit: 64,
        stderr: expect.stringContaining("as it is on base"),
      });
      expect(await exitOf(place, "--base", "main", "--loop", "./own.loop.json")).toBe(64);
      rmSync(join(repo.dir, "fix.loop.json"));
      symlinkSync(place.write("evil.loop.json", weaker), join(repo.dir, "fix.loop.json"));
      expect(await exitOf(place, "--base", "main", "--loop", "fix.loop.json")).toBe(7);

      // The base that it names is no way around it.
      rmSync(join(repo.dir, "fix.loop.json"));
      repo.write("fix.loop.json", spec({ target: { base: "work2" } }));
      repo.commit("another base");
      repo.git("branch", "work2", "main");
      expect(await exitOf(place)).toBe(64);
    }));
});

describe.concurrent("around it", () => {
  it("fails when the tree changes while it is verified, and says what", () =>
    inPlace(async (place) => {
      const flag = join(place.dir, "running");
      const go = join(place.dir, "go");
      const repo = atWork(place, {
        box: { verifiers: { when: "off" } },
        verifiers: [{ use: "command", with: { run: `touch ${flag}; while [ ! -f ${go} ]; do sleep 0.05; done; sh check.sh` } }],
      });
      repo.write("app.txt", "ok too\n");
      const judging = place.start(["referee"], { cwd: repo.dir });
      await until(() => existsSync(flag));
      repo.write("app.txt", "swapped\n");
      repo.write("late.txt", "late\n");
      writeFileSync(go, "");

      const { exit, stdout } = await judging.ended;
      expect(exit).toBe(4);
      expect(stdout).toContain("app.txt changed while it was verified");
      expect(stdout).toContain("late.txt changed while it was verified");
    }));

  it("lets two referees judge one after the other, and takes up again after one that was killed", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "ok too\n");
      const judgeApart = () => place.apart.lw(["referee"], { cwd: repo.dir });
      const both = await Promise.all([judgeApart(), judgeApart()]);
      expect(both.map(({ exit }) => exit)).toEqual([0, 0]);

      const slow = place.write("slow.loop.json", spec({ verifiers: [{ use: "command", with: { run: "sleep 30; sh check.sh" } }] }));
      const killed = place.start(["referee", "--base", "main", "--loop", slow], { cwd: repo.dir });
      await until(async () => (await place.json(["status"])).said.loops[0].state === "running");
      killed.signal("SIGKILL");
      await killed.ended;
      expect(await exitOf(place)).toBe(0);
      expect((await place.json(["status"])).said.loops).toMatchObject([{ loop: "fix.referee", state: "rested" }]);
    }));

  it("wants to know which loop, where there are several", () =>
    inPlace(async (place) => {
      const repo = atWork(place, {}, { "loops/other.loop.json": spec({ name: "other", target: { repo: "..", base: "main" } }) });
      repo.write("app.txt", "ok too\n");

      expect(await judge(place)).toMatchObject({ exit: 64, stderr: expect.stringMatching(/2 loops that judge commits: fix, other/) });
      expect(await exitOf(place, "--loop", "other")).toBe(0);
    }));
});

describe.concurrent("hooks", () => {
  const call = (more: object) => JSON.stringify({ session_id: "s-1", transcript_path: "/x.jsonl", ...more });

  it("keeps Claude Code from stopping until the change is proven, and not for ever", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      const say = async (more: object) =>
        place.lw(["hook", "run", "claude-code", "--referee"], { cwd: repo.dir, input: call({ cwd: repo.dir, ...more }) });
      const stop = async () => (await say({ hook_event_name: "Stop", stop_hook_active: false })).stdout;

      expect(await say({ hook_event_name: "SessionStart", source: "startup" })).toMatchObject({ exit: 0, stdout: "" });
      expect(await stop()).toBe("");
      repo.write(".env", "A=1\n");
      expect(JSON.parse(await stop())).toEqual({ decision: "block", reason: expect.stringContaining(".env was added") });
      // Starting again is no new beginning.
      await say({ hook_event_name: "SessionStart", source: "resume" });
      expect(JSON.parse(await stop())).toMatchObject({ decision: "block", reason: expect.stringContaining("refusal 2 of 3") });
      rmSync(join(repo.dir, ".env"));
      repo.write("app.txt", "bad\n");
      expect(JSON.parse(await stop())).toMatchObject({ decision: "block" });
      expect(JSON.parse(await stop())).toEqual({ systemMessage: expect.stringContaining("lets the agent stop now. It is not proven") });
      const last = await place.json(["show", "fix.referee"]);
      expect(last.said.referee).toMatchObject({
        by: "hook of claude-code",
        hook: { agent: "claude-code", session: "s-1", time: 4, most: 3 },
      });
      repo.write("app.txt", "ok too\n");
      expect(await stop()).toBe("");
      repo.write("app.txt", "bad\n");
      expect(JSON.parse(await stop())).toMatchObject({ reason: expect.stringContaining("refusal 1 of 3") });
    }));

  it("speaks to the other agents in their own words", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      repo.write("app.txt", "bad\n");
      const stop = async (agent: string, input: object) =>
        place.lw(["hook", "run", agent, "--referee", "--base", "main"], { cwd: repo.dir, input: JSON.stringify(input) });

      expect(JSON.parse((await stop("codex", { session_id: "a", hook_event_name: "Stop", cwd: repo.dir })).stdout)).toMatchObject({
        decision: "block",
      });
      expect(
        JSON.parse((await stop("gemini-cli", { session_id: "b", hook_event_name: "AfterAgent", cwd: repo.dir })).stdout),
      ).toMatchObject({ decision: "deny" });
      expect(JSON.parse((await stop("copilot-cli", { sessionId: "c", stopReason: "end_turn", cwd: repo.dir })).stdout)).toMatchObject({
        decision: "block",
      });
      expect((await stop("cursor", {})).exit).toBe(64);
    }));

  it("installs besides what is there, and takes itself out again to the last byte", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      const own = `${JSON.stringify({ model: "x", hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] } }, null, 2)}\n`;
      repo.write(".claude/settings.json", own);
      const settings = () => readFileSync(join(repo.dir, ".claude/settings.json"), "utf8");
      const hook = (...args: readonly string[]) => place.lw(["hook", ...args], { cwd: repo.dir });

      expect((await hook("install", "claude-code", "--referee", "--loop", "fix")).exit).toBe(0);
      const { hooks } = JSON.parse(settings());
      expect(Object.keys(hooks).toSorted()).toEqual(["PreToolUse", "SessionStart", "Stop"]);
      expect(hooks.Stop).toHaveLength(2);
      expect(hooks.Stop[1].hooks[0].command).toBe("lw hook run claude-code --referee --loop fix");
      expect((await hook("install", "claude-code", "--referee")).exit).toBe(0);
      expect(JSON.parse(settings()).hooks.Stop[1].hooks[0].command).toBe("lw hook run claude-code --referee");
      expect((await hook("uninstall", "claude-code")).exit).toBe(0);
      expect(settings()).toBe(own);
      expect(await hook("install", "cursor", "--referee")).toMatchObject({
        exit: 64,
        stderr: expect.stringContaining("keep it from stopping"),
      });
    }));

  it("judges each commit before git pushes it, and never takes the place of a hook of yours", () =>
    inPlace(async (place) => {
      const repo = atWork(place);
      const remote = join(place.dir, "remote.git");
      repo.git("init", "--quiet", "--bare", "--initial-branch=main", remote);
      repo.git("remote", "add", "origin", remote);
      repo.git("push", "--quiet", "origin", "main");
      repo.git("fetch", "--quiet", "origin");
      repo.git("remote", "set-head", "origin", "main");
      const install = () => place.lw(["hook", "install", "git", "--referee"], { cwd: repo.dir });
      const bin = join(place.dir, "bin");
      mkdirSync(bin);
      place.writeProgram("bin/lw", `#!/bin/sh\nexec ${process.execPath} ${inject("build").program} "$@"\n`);
      const push = (...args: readonly string[]) =>
        startProgram(
          [
            "-e",
            "process.exit(require('node:child_process').spawnSync('git', process.argv.slice(1), { stdio: 'inherit' }).status ?? 1)",
            "push",
            ...args,
          ],
          {
            cwd: repo.dir,
            env: { PATH: `${bin}:${process.env.PATH}`, HOME: join(place.dir, "user"), LOOPWRIGHT_HOME: place.home, LANG: "C.UTF-8" },
            input: "",
          },
        ).ended;
      const there = (ref: string) => {
        try {
          return repo.git("--git-dir", remote, "rev-parse", "--verify", "--quiet", ref);
        } catch {
          return undefined;
        }
      };

      expect((await install()).exit).toBe(0);
      expect((await install()).stderr).toContain("already so");
      const good = repo.commit("good", { files: { "app.txt": "ok too\n" } });
      // What lies uncommitted in the checkout is not pushed, and not judged.
      repo.write("app.txt", "bad\n");
      expect(await push("origin", "work")).toMatchObject({ exit: 0 });
      expect(there("refs/heads/work")).toBe(good);

      repo.commit("bad");
      expect(await push("origin", "work")).toMatchObject({ exit: 1, stderr: expect.stringContaining("not pushed: check-failed") });
      expect(there("refs/heads/work")).toBe(good);
      repo.git("reset", "--quiet", "--hard", good);
      repo.write("secrets/more.txt", "x\n");
      repo.commit("secret");
      repo.git("rm", "--quiet", "secrets/more.txt");
      repo.commit("gone again");
      expect(await push("origin", "work")).toMatchObject({ exit: 1, stderr: expect.stringContaining("secrets/more.txt") });
      expect(await push("origin", "--delete", "work")).toMatchObject({ exit: 0 });

      expect((await place.lw(["hook", "uninstall", "git"], { cwd: repo.dir })).exit).toBe(0);
      const yours = "#!/bin/sh\nexit 0\n";
      repo.git("config", "core.hooksPath", "my-hooks");
      repo.write("my-hooks/pre-push", yours);
      expect(await install()).toMatchObject({ exit: 64, stderr: expect.stringContaining("lw hook run git --referee") });
      expect(readFileSync(join(repo.dir, "my-hooks/pre-push"), "utf8")).toBe(yours);
    }));
});
