import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../test/support/tries.ts";
import { builtIn } from "../app/crew.ts";
import { formatProblem, readSpec } from "./read-spec.ts";

const SPEC = {
  name: "fix",
  intent: "Make it right.",
  level: "L2",
  maker: { use: "shell", with: { run: "npm run fix" } },
  verifiers: [{ use: "command", with: { run: "npm test" } }],
};

function told(more: object): readonly string[] {
  const reading = readSpec("f", JSON.stringify({ ...SPEC, ...more }), builtIn);
  const problems = reading.kind === "refused" ? reading.problems : reading.warnings;
  return problems.map((problem) => `${reading.kind === "refused" ? "" : "doubt: "}${formatProblem(problem).replace(/^\S+ {2}/, "")}`);
}

const daily = (at: string, zone = "UTC") => ({ use: "daily", with: { at, zone } });

describe("refuses", () => {
  it.each([
    [
      "waits that no calendar has, and a first one that is longer than the longest",
      { trigger: daily("09:00"), wake: { expect: { within: "9999999999999d" }, backoff: { first: "10h", most: "1m" } } },
      [
        "wake.expect.within: must be 366d at most. Write e.g. `25h`.",
        "wake.backoff.first: is longer than the longest wait. Write less than `most`.",
      ],
    ],
    [
      "a token where the name of a variable should be",
      { trigger: { use: "webhook", with: { address: "a", form: "github", secret: `ghp_${"a1B2".repeat(9)}` } } },
      ["trigger.with.secret: this looks like a secret (github-token). Put it into a variable, and write that variable's name."],
    ],
    [
      "an unknown zone of a trigger",
      { trigger: { use: "daily", with: { at: "09:00", zone: "Europe/Berlim" } } },
      ["trigger.with.zone: is no time zone that is known here; Europe/Berlin is one, and sounds like it. Write e.g. `Europe/Berlin`."],
    ],
    [
      "an empty zone of a trigger",
      { trigger: { use: "cron", with: { schedule: "@daily", zone: "" } } },
      ["trigger.with.zone: is empty, and no zone is taken from the machine: write UTC to mean that. Write e.g. `Europe/Berlin`."],
    ],
    [
      "an unknown zone of a window",
      { trigger: daily("09:00"), wake: { within: [{ zone: "Europe/Berlin" }, { zone: "Mars" }] } },
      ["wake.within[1].zone: is no time zone that is known here. Write e.g. `Europe/Berlin`."],
    ],
    [
      "an empty zone of a window",
      { trigger: daily("09:00"), wake: { not: [{ to: "08:00", zone: "" }] } },
      ["wake.not[0].zone: is empty. Write e.g. `Europe/Berlin`."],
    ],
    [
      "an interval of nothing",
      { trigger: { use: "every", with: { interval: "0s" } } },
      [
        "trigger.with.interval: is not a length of time. Write e.g. 1h.",
        "trigger.with.interval: must be 1s at least and 366d at most. Write e.g. 1h.",
      ],
    ],
    [
      "a day that never comes",
      { trigger: { use: "cron", with: { schedule: "0 0 30 2 *" } } },
      [
        "trigger.with.schedule: `30` is a day that does not come in every 8 years in these months: write one that they have, or `L` for their last. Write e.g. `0 9 * * mon-fri`.",
      ],
    ],
    [
      "a date that there is not",
      { trigger: daily("09:00"), wake: { not: [{ dates: ["2026-02-30"] }] } },
      ["wake.not[0].dates[0]: is not a date that there is. Write e.g. 2026-12-24."],
    ],
    [
      "a window whose dates are on none of its days",
      { trigger: daily("09:00"), wake: { within: [{ days: ["mon"], dates: ["2026-12-24"] }] } },
      ["wake.within[0]: never opens: none of its dates is on one of its days. Leave out the days, or the dates."],
    ],
    [
      "windows that are all forbidden",
      { trigger: { use: "inbox" }, wake: { within: [{ days: ["mon"] }], not: [{ days: ["mon", "tue"] }] } },
      ["wake.within: it is never open: all of its time is in `not`. Leave some of it out of `not`."],
    ],
    [
      "windows that no time of the trigger falls into",
      { trigger: daily("12:00"), wake: { within: [{ from: "22:00", to: "06:00" }] } },
      [
        "wake.within: no time of trigger `daily` is ever inside, so that it would never wake. Write a window that its times, such as 2024-01-01T12:00 UTC, fall into, or another trigger.",
      ],
    ],
    [
      "a time that is always forbidden",
      { trigger: { use: "weekly", with: { on: "mon", at: "12:00" } }, wake: { not: [{ days: ["mon"] }] } },
      [
        "wake.not: no time of trigger `weekly` is ever inside, so that it would never wake. Write a window that its times, such as 2024-01-01T12:00 UTC, fall into, or another trigger.",
      ],
    ],
    [
      "a secret that is no variable's name",
      { trigger: { use: "webhook", with: { address: "fix", secret: "my secret" } } },
      ["trigger.with.secret: must be the name of an environment variable. Write e.g. WEBHOOK_SECRET."],
    ],
    [
      "a loop that waits for itself",
      { trigger: { use: "loop", with: { name: "fix" } } },
      ["trigger.with.name: `fix` would wait for itself. Name another loop, or use a trigger such as every."],
    ],
    [
      "a loop that waits for itself among others",
      { trigger: { use: "any", with: { of: [{ use: "inbox" }, { use: "loop", with: { name: "fix" } }] } } },
      ["trigger.with.of[1].with.name: `fix` would wait for itself. Name another loop, or use a trigger such as every."],
    ],
    [
      "options of a trigger among others, each in its place",
      { trigger: { use: "any", with: { of: [daily("9:00"), { use: "dayly" }, { use: "any", with: { of: [{ use: "inbox" }] } }] } } },
      [
        "trigger.with.of[0].with.at: is not a time of the day, from 00:00 to 23:59. Write e.g. `09:30`.",
        "trigger.with.of[1].use: unknown part `dayly`. Did you mean `daily`? Write one of: every, cron, daily, weekly, git, files, webhook, loop, inbox.",
        "trigger.with.of[2].use: unknown part `any`. Write one of: every, cron, daily, weekly, git, files, webhook, loop, inbox.",
      ],
    ],
  ])("%s", (_, more, problems) => {
    expect(told(more)).toEqual(problems);
  });
});

describe("takes without a word", () => {
  it.each([
    ["a window that one of its times is in", { trigger: daily("23:00"), wake: { within: [{ from: "22:00", to: "06:00" }] } }],
    [
      "times that are inside on some days only",
      { trigger: { use: "cron", with: { schedule: "0 9 1 1 *" } }, wake: { within: [{ days: ["mon"] }] } },
    ],
    [
      "a date that is over, or far ahead",
      { trigger: daily("09:00"), wake: { within: [{ dates: ["2020-05-05"] }, { dates: ["2060-05-05"] }] } },
    ],
    [
      "times that begin far ahead",
      { trigger: { use: "every", with: { interval: "1d", from: "2041-01-05T09:00:00Z" } }, wake: { within: [{ days: ["fri"] }] } },
    ],
    ["what happens, which waits for a window", { trigger: { use: "inbox" }, wake: { within: [{ from: "22:00", to: "22:01" }] } }],
    ["an expectation of a loop that is woken by hand", { wake: { expect: { within: "25h" } } }],
    ["an expectation that its times can meet", { trigger: daily("02:30", "Europe/Berlin"), wake: { expect: { within: "25h" } } }],
    [
      "an expectation that dense times in a window can meet",
      {
        trigger: { use: "every", with: { interval: "1m" } },
        wake: { within: [{ from: "22:00", to: "06:00" }], expect: { within: "17h" } },
      },
    ],
  ])("%s", (_, more) => {
    expect(told(more)).toEqual([]);
  });
});

describe("doubts", () => {
  it.each([
    [
      "when a loop may wake that nothing wakes",
      { wake: { missed: "skip", priority: 5, expect: { within: "25h" } } },
      [
        "doubt: wake.missed: has no effect: trigger `manual` never wakes it, and who wakes it by hand is not held up. Leave it out, or use another trigger.",
        "doubt: wake.priority: has no effect: trigger `manual` never wakes it, and who wakes it by hand is not held up. Leave it out, or use another trigger.",
      ],
    ],
    [
      "what is said of times where there are none",
      { trigger: { use: "git", with: { ref: "main" } }, wake: { missed: { all: 3 }, jitter: "5m", overlap: "stop" } },
      [
        "doubt: wake.missed: has no effect: trigger `git` names no times. Leave it out, or use another trigger.",
        "doubt: wake.jitter: has no effect: trigger `git` names no times. Leave it out, or use another trigger.",
      ],
    ],
    [
      "that each time stops the run before it, where a run may take longer",
      { trigger: { use: "every", with: { interval: "5m" } }, wake: { overlap: "stop" } },
      [
        "doubt: wake.overlap: its times may be 5m apart and a run may take 30m: each time would stop the run before it, and the third in a row halts the loop. Write budget.time: 5m, or overlap: skip.",
      ],
    ],
    [
      "nothing where a run that is stopped has had its time",
      { trigger: { use: "every", with: { interval: "5m" } }, wake: { overlap: "stop", jitter: "5m" }, budget: { time: "5m" } },
      [],
    ],
    [
      "a jitter that reaches past the next time",
      { trigger: { use: "every", with: { interval: "10m" } }, wake: { jitter: "1h" } },
      ["doubt: wake.jitter: its times may be 10m apart, and no waking is put off past the next time. Write 10m or less."],
    ],
    [
      "an expectation that the clocks of autumn fail",
      { trigger: daily("12:00", "Europe/Berlin"), wake: { expect: { within: "24h" } } },
      [
        "doubt: wake.expect.within: its times are up to 25h apart, so that somebody would be told although nothing is wrong. Write more than 25h.",
      ],
    ],
    [
      "an expectation that forgets the weekend",
      {
        trigger: { use: "every", with: { interval: "10m" } },
        wake: { within: [{ days: ["mon", "tue", "wed", "thu", "fri"] }], expect: { within: "25h" } },
      },
      [
        "doubt: wake.expect.within: its times are up to 49h apart, so that somebody would be told although nothing is wrong. Write more than 49h.",
      ],
    ],
    [
      "an expectation that is shorter than the interval",
      { trigger: { use: "every", with: { interval: "90s" } }, wake: { expect: { within: "1m" } } },
      [
        "doubt: wake.expect.within: its times are up to 2m apart, so that somebody would be told although nothing is wrong. Write more than 2m.",
      ],
    ],
  ])("%s", (_, more, doubts) => {
    expect(told(more)).toEqual(doubts);
  });
});

it("reads any trigger and any windows, or says what is wrong with them", () => {
  const word = fc.constantFrom(
    "",
    "mon",
    "09:00",
    "24:00",
    "UTC",
    "Europe/Berlin",
    "Mars",
    "1s",
    "1d",
    "2026-02-30",
    "9999-12-31",
    "fix",
    "* * * * *",
    "L",
    "loop",
    "any",
  );
  const odd = fc.oneof(word, word, fc.anything({ maxDepth: 1 }));
  const window = fc.record(
    { from: odd, to: odd, zone: odd, days: fc.array(odd, { maxLength: 2 }), dates: fc.array(odd, { maxLength: 2 }) },
    { requiredKeys: [] },
  );
  const options = fc.record(
    { at: odd, on: odd, schedule: odd, zone: odd, interval: odd, from: odd, ref: odd, paths: odd, name: odd, secret: odd, address: odd },
    { requiredKeys: [] },
  );
  const ref = fc.record(
    { use: fc.constantFrom(...builtIn.triggers.map(({ name }) => name)), with: fc.oneof(options, odd) },
    { requiredKeys: ["use"] },
  );
  const any = fc.record({ use: fc.constant("any"), with: fc.record({ of: fc.array(ref, { maxLength: 3 }) }) });
  const windows = fc.oneof({ weight: 4, arbitrary: fc.array(window, { maxLength: 2 }) }, odd);
  const wake = fc.record({ within: windows, not: windows, expect: fc.record({ within: odd }) }, { requiredKeys: [] });

  fc.assert(
    fc.property(fc.oneof(ref, any), fc.oneof(wake, odd), (trigger, wake) => {
      const reading = readSpec(
        "f",
        JSON.stringify({ ...SPEC, trigger, wake }, (_, value) => (typeof value === "bigint" ? 1 : value)),
        builtIn,
      );

      if (reading.kind === "refused") expect(reading.problems).not.toEqual([]);
    }),
    tries(150),
  );
});

describe("with a clock, refuses what is over, and without one it does not", () => {
  const NOW = new Date("2026-06-01T12:00:00Z");
  const over = (more: object): readonly string[] => {
    const reading = readSpec("f", JSON.stringify({ ...SPEC, ...more }), builtIn, NOW);
    return reading.kind === "refused" ? reading.problems.map(({ path, problem }) => `${path}: ${problem}`) : [];
  };

  it.each([
    ["dates that have passed", { within: [{ dates: ["2026-05-30"] }] }, ["wake.within: never opens again: all of its dates are over"]],
    [
      "dates of which its times miss what is left",
      { within: [{ dates: ["2026-05-30"] }, { dates: ["2026-06-02"], from: "10:00", to: "11:00" }] },
      ["wake.within: no time of trigger `daily` is inside any more: its dates are over"],
    ],
    ["today, before its time is over", { within: [{ dates: ["2026-06-01"], from: "08:00", to: "23:00" }] }, []],
    ["dates that are far away", { within: [{ dates: ["2049-06-01"] }] }, []],
    ["a shut day that has passed", { not: [{ dates: ["2026-05-30"] }] }, []],
  ])("%s", (_, wake, problems) => {
    const trigger = daily("22:00");

    expect(over({ trigger, wake })).toEqual(problems);
    expect(told({ trigger, wake }).filter((line) => !line.startsWith("doubt: "))).toEqual([]);
  });
});
