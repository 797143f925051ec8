import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { builtIn } from "../app/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { readSpec } from "../spec/read-spec.ts";
import { claudeSkill, crontab, githubActions, systemdUnits } from "./start-words.ts";

function specOf(more: object = {}): LoopSpec {
  const reading = readSpec(
    "s.json",
    JSON.stringify({
      name: "fix",
      intent: "Keep main green: \"always\" ${{ secrets.X }} % 'here'.",
      level: "L2",
      trigger: { use: "daily", with: { at: ["06:30", "18:00"] } },
      maker: { use: "claude-code", with: { inherit: ["ANTHROPIC_API_KEY"] } },
      verifiers: [{ use: "command", with: { run: "npm test" } }],
      act: [{ use: "push", with: { token: "GITHUB_TOKEN" } }],
      seal: ["test/**"],
      ...more,
    }),
    builtIn,
  );
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

const HOSTILE = "loops/it's `$(id)` %h\" .loop.yaml";
const paths = ({ left }: { readonly left: readonly { readonly path: string }[] }): readonly string[] => left.map(({ path }) => path);

describe("a workflow of GitHub Actions", () => {
  it("has the shape of one: events, one job, least permissions, every step a `uses` or a `run`, all pinned by commit", () => {
    const flow = parse(githubActions(specOf(), "fix.loop.yaml").text);

    expect(Object.keys(flow).toSorted()).toEqual(["concurrency", "jobs", "name", "on", "permissions"]);
    expect(flow.on).toEqual({ schedule: [{ cron: "30 6 * * *" }, { cron: "0 18 * * *" }], workflow_dispatch: null });
    expect(flow.permissions).toEqual({ contents: "read" });
    const { "runs-on": machine, "timeout-minutes": minutes, steps } = flow.jobs.loop;
    expect([machine, minutes]).toEqual(["ubuntu-latest", 45]);
    for (const step of steps) expect(["run", "uses"].filter((key) => key in step)).toHaveLength(1);
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    expect(steps.at(-1)).toEqual({
      run: 'node .loopwright-program/dist/lw.cjs run fix.loop.yaml --home "$RUNNER_TEMP/loopwright"',
      env: { ANTHROPIC_API_KEY: "${{ secrets.ANTHROPIC_API_KEY }}", GITHUB_TOKEN: "${{ secrets.GITHUB_TOKEN }}" },
    });
  });

  it("puts nothing that a spec says where an expression or a shell would read it", () => {
    const { text } = githubActions(specOf({ name: "fix" }), HOSTILE);
    const flow = parse(text);

    expect(flow.jobs.loop.steps.at(-1).run).toContain("'loops/it'\\''s `$(id)` %h\" .loop.yaml'");
    expect(text.split("\n").filter((line) => line.includes("secrets.X") && !line.startsWith("#"))).toEqual([]);
  });

  it("wakes on pushes and intervals that cron can say, and says what is lost", () => {
    const trigger = (of: readonly object[]) => specOf({ trigger: { use: "any", with: { of } }, act: [] });
    const some = githubActions(
      trigger([
        { use: "git", with: { ref: "main" } },
        { use: "every", with: { interval: "2h" } },
      ]),
      "f",
    );
    const odd = githubActions(
      trigger([
        { use: "every", with: { interval: "7h" } },
        { use: "inbox", with: { of: ["decided"] } },
      ]),
      "f",
    );

    expect(parse(some.text).on).toEqual({ schedule: [{ cron: "0 */2 * * *" }], push: { branches: ["main"] }, workflow_dispatch: null });
    expect(paths(some)).toEqual(["act", "budget.loop", "gate"]);
    expect(paths(odd)).toEqual(["trigger.with.of[0]", "trigger.with.of[1]", "act", "budget.loop", "gate"]);
  });
});

describe("other starters", () => {
  it("writes a skill that the referee judges, and says what a skill does not hold to", () => {
    const skill = claudeSkill(specOf(), "fix.loop.yaml");
    const [, front = ""] = skill.text.split("---\n");

    expect(parse(front)).toEqual({ name: "fix", description: specOf().intent });
    expect(skill.text).toContain("`lw referee --begin`");
    expect(skill.text).toContain("`lw referee --loop fix.loop.yaml`");
    expect(skill.text).toContain("- `test/**`");
    expect(paths(skill)).toEqual(["trigger", "budget", "box", "gate", "act"]);
  });

  it("leaves nothing of a task or a seal in a skill that Claude Code would run or read by itself", () => {
    const task = "Mend!`id` and ``!`rm -rf .` ``, (@/etc/passwd) @~/.ssh/id\n```!\nid\n```\nAsk ada@example.com.";
    const { text } = claudeSkill(specOf({ task, seal: ["x!", "@secret/**"] }), "fix.loop.yaml");

    expect(text).not.toMatch(/!`|`!|(?<!\w)@\S/);
    expect(text).toContain("Ask ada@example.com.");
  });

  it("writes lines for cron with their zone, in quotes that nothing ends", () => {
    const { text } = crontab(
      specOf({ trigger: { use: "weekly", with: { on: ["mon", "thu"], at: "07:05", zone: "Europe/Berlin" } } }),
      HOSTILE,
    );

    expect(text.split("\n").slice(1, 3)).toEqual([
      "CRON_TZ=Europe/Berlin",
      "5 7 * * mon,thu lw run 'loops/it'\\''s `$(id)` \\%h\" .loop.yaml'",
    ]);
  });

  it("writes a timer and its service, and loses what a timer cannot say", () => {
    const weekly = systemdUnits(specOf({ trigger: { use: "weekly", with: { on: "mon", at: "07:05", zone: "Europe/Berlin" } } }), HOSTILE);
    const odd = systemdUnits(specOf({ trigger: { use: "cron", with: { schedule: "0 9 15 * *" } } }), "f");

    expect(weekly.text).toContain("OnCalendar=Mon *-*-* 07:05:00 Europe/Berlin\n");
    expect(weekly.text).toContain('ExecStart=lw run "loops/it\'s `$$(id)` %%h\\" .loop.yaml"\n');
    expect(paths(weekly)).toEqual(["budget.patience"]);
    expect(odd.text).not.toContain("OnCalendar");
    expect(paths(odd)).toEqual(["trigger", "budget.patience"]);
  });
});
