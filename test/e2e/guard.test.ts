// The command guard through its doors: the command line, the hooks of other agents, and the engine itself.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";

describe("lw guard", () => {
  it.each([
    ["ls -la", 0, "allow"],
    ["git rebase main", 9, "ask"],
    ["rm -rf /", 2, "deny"],
    ['echo "', 2, "deny"],
  ])("says of %s with exit %i: %s", (command, exit, decision) =>
    inPlace(async (place) => {
      const answer = await place.json(["guard", command]);

      expect([answer.exit, answer.said.decision]).toEqual([exit, decision]);
    }),
  );

  it("tells people why, what to do instead, and where", () =>
    inPlace(async (place) => {
      const { stdout } = await place.lw(["guard", "--explain", "cd x; git push -f"]);

      expect(stdout).toBe(
        "deny\n  git-force-push (critical): A forced push rewrites history others build on.\n    Push a new branch and open a pull request.\n    in: git push -f\n",
      );
    }));

  it("answers many questions in their order, and denies a line it cannot read", () =>
    inPlace(async (place) => {
      const input = '{"cmd":"ls"}\n{"cmd":"git reset --hard","cwd":"/tmp"}\nnonsense\n{"cmd":7}\n';

      const { stdout, exit } = await place.lw(["guard", "--jsonl"], { input });

      const decisions = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).decision);
      expect([exit, decisions]).toEqual([2, ["allow", "ask", "deny", "deny"]]);
    }));

  it("lists its rules with their examples", () =>
    inPlace(async (place) => {
      const { said } = await place.json(["guard", "rules"]);

      expect(said.rules.length).toBeGreaterThan(40);
      expect(Object.keys(said.rules[0])).toEqual(["id", "family", "severity", "why", "instead", "examples"]);
    }));

  it("lets only what reads pass at L1", () =>
    inPlace(async (place) => {
      const answers = await Promise.all(["git log", "npm test"].map((command) => place.lw(["guard", "--level", "L1", command])));

      expect(answers.map(({ exit }) => exit)).toEqual([0, 2]);
    }));

  it("follows the project's policy, names its line, and clears nothing when it is broken", () =>
    inPlace(async (place) => {
      mkdirSync(join(place.dir, ".loopwright"));
      place.write(".loopwright/policy.yaml", "commands:\n  - { decision: deny, program: make, args: [deploy] }\n");
      const denied = await place.json(["guard", "make deploy"]);
      place.write(".loopwright/policy.yaml", "commands: [oops");
      const broken = await place.json(["guard", "ls"]);

      expect([denied.exit, denied.said.findings[0].from]).toEqual([2, join(place.dir, ".loopwright/policy.yaml:2")]);
      expect([broken.exit, broken.said.findings[0].rule]).toEqual([2, "policy-broken"]);
    }));

  it("is told how to be called", () =>
    inPlace(async (place) => {
      const { exit, stderr } = await place.lw(["guard", "git", "status"]);

      expect(exit).toBe(64);
      expect(stderr).toContain("in quotes");
    }));
});

describe("lw hook", () => {
  const asked = (command: string, cwd: string): string =>
    JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd });

  it("answers Claude Code in its own protocol", () =>
    inPlace(async (place) => {
      const fine = await place.apart.lw(["hook", "run", "claude-code"], { input: asked("ls", place.dir) });
      const bad = await place.apart.lw(["hook", "run", "claude-code"], { input: asked("rm -rf /", place.dir) });

      expect([fine.exit, fine.stdout]).toEqual([0, ""]);
      expect(bad.exit).toBe(2);
      expect(bad.stderr).toContain("remove-vital");
    }));

  it.each(["", "nonsense", '{"tool_name":"Bash"}', "x".repeat(5_000_000)])("denies what it cannot read", (input) =>
    inPlace(async (place) => {
      expect((await place.apart.lw(["hook", "run", "claude-code"], { input })).exit).toBe(2);
    }),
  );

  it("denies when the policy of the folder is broken", () =>
    inPlace(async (place) => {
      place.write(".loopwright/policy.yaml", "{");

      expect((await place.apart.lw(["hook", "run", "plain"], { input: JSON.stringify({ command: "ls", cwd: place.dir }) })).exit).toBe(2);
    }));

  it("is installed into existing settings, shown first, again without a change, and taken out to the byte", () =>
    inPlace(async (place) => {
      const before = '{\n  "model": "x",\n  "hooks": { "Stop": [] }\n}\n';
      const path = place.write(".claude/settings.json", before);

      const shown = await place.lw(["hook", "install", "claude-code", "--dry-run"]);
      const untouched = readFileSync(path, "utf8");
      const installed = await place.lw(["hook", "install", "claude-code"]);
      const settings = JSON.parse(readFileSync(path, "utf8"));
      const again = await place.json(["hook", "install", "claude-code"]);
      await place.lw(["hook", "uninstall", "claude-code"]);

      expect([shown.exit, untouched]).toEqual([0, before]);
      expect(shown.stdout).toContain("+");
      expect(installed.stdout).toBe(shown.stdout);
      expect([settings.model, settings.hooks.PreToolUse.length]).toEqual(["x", 1]);
      expect(again.said.kind).toBe("unchanged");
      expect(readFileSync(path, "utf8")).toBe(before);
    }));

  it("refuses settings that it cannot read, and says so", () =>
    inPlace(async (place) => {
      const path = place.write(".claude/settings.json", "{ broken");

      const { exit, stderr } = await place.lw(["hook", "install", "claude-code"]);

      expect([exit, readFileSync(path, "utf8")]).toEqual([64, "{ broken"]);
      expect(stderr).toContain("settings.json");
    }));

  it("names the agents it knows", () =>
    inPlace(async (place) => {
      const { said } = await place.json(["hook", "list"]);

      expect(said.hooks.map(({ name }: { name: string }) => name)).toEqual([
        "claude-code",
        "codex",
        "gemini-cli",
        "cursor",
        "opencode",
        "copilot-cli",
        "plain",
      ]);
    }));
});

describe("inside a loop", () => {
  const loop = (place: Place, maker: string, check: string): string => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    return place.write(
      "fix.loop.json",
      JSON.stringify({
        name: "fix",
        intent: "Try it.",
        level: "L2",
        target: { repo: place.repo.dir },
        maker: { use: "shell", with: { run: maker } },
        verifiers: [{ use: "command", with: { run: check } }],
      }),
    );
  };

  it("stops a maker's command before it runs, with exit 2 and how to allow it", () =>
    inPlace(async (place) => {
      const witness = join(place.dir, "witness");
      const { exit, said } = await place.json(["run", loop(place, `touch ${witness}; git push --force`, "true")]);

      expect([exit, said.rest.because, existsSync(witness)]).toEqual([2, "blocked", false]);
      expect(said.rounds[0].failures[0].hint).toContain(".loopwright/policy.yaml");
    }));

  it("stops a verifier's command too, and lets it run when the policy beside the spec allows it", () =>
    inPlace(async (place) => {
      const spec = loop(place, "echo b >> a.txt", "git rebase HEAD");
      const stopped = await place.json(["run", spec]);
      place.write(".loopwright/policy.yaml", "commands:\n  - { decision: allow, rule: git-rebase }\n");
      const allowed = await place.json(["run", spec]);

      expect([stopped.exit, stopped.said.rest.because]).toEqual([2, "blocked"]);
      expect(allowed.said.rounds[0].failures).toEqual([]);
    }));
});
