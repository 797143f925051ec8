import { describe, expect, it } from "vitest";
import { readLss } from "../dialects/lss/read-lss.ts";
import { canFail } from "../guard/command/can-fail.ts";
import { patterns } from "../patterns/index.ts";
import { measured } from "../patterns/measured.ts";
import { templates } from "../patterns/templates/index.ts";
import { readSpec } from "../spec/read-spec.ts";
import { sha256 } from "../std/hash.ts";
import { lintLoop } from "./authoring/lint-files.ts";
import { builtIn } from "./crew.ts";
import { listPatterns, writePattern, writePatternAsLss } from "./patterns.ts";

describe.each(patterns.map(({ name }) => name))("%s", (name) => {
  it("is a sound spec against which the lint has nothing that weighs", () => {
    const { text } = writePattern(name);

    expect(readSpec(`${name}.loop.yaml`, text, builtIn)).toMatchObject({ kind: "read" });
    expect(lintLoop(`${name}.loop.yaml`, text, builtIn).findings.filter(({ weight }) => weight === "error")).toEqual([]);
  });

  it("is a sound document of the standard too, with every worker", () => {
    const { text } = writePatternAsLss(name);
    const ours = readSpec(`${name}.loop.yaml`, writePattern(name).text, builtIn);
    const theirs = readLss(`${name}.yaml`, text);

    expect("problems" in theirs ? theirs.problems : []).toEqual([]);
    const workers = ours.kind === "read" ? Object.keys(ours.spec.team?.workers ?? { maker: {} }) : [];
    expect(theirs.kind === "read" ? theirs.document.workers.map(({ id }) => id) : []).toEqual(workers);
  });

  it("was measured as it is now: LOOPWRIGHT_MEASURE=write measures it anew", () => {
    const pattern = patterns.find((one) => one.name === name);

    expect(measured[name]?.text).toBe(sha256(pattern?.text ?? ""));
  });
});

it("has six loops and fourteen patterns, each of the level that its anatomy has", () => {
  const levels = Object.fromEntries(
    listPatterns()
      .filter(({ kind }) => kind !== "template")
      .map(({ kind, name, level }) => [name, `${kind} ${level}`]),
  );

  expect(levels).toEqual({
    reflection: "pattern 2",
    critique: "pattern 3",
    planning: "pattern 2",
    verification: "pattern 2",
    research: "pattern 2",
    simulation: "pattern 2",
    debate: "pattern 3",
    exploration: "pattern 4",
    optimization: "pattern 4",
    memory: "pattern 2",
    human: "pattern 2",
    envelope: "pattern 2",
    "multi-agent": "pattern 3",
    recursive: "pattern 5",
    "research-agent": "loop 3",
    "coding-agent": "loop 2",
    "autonomous-debugger": "loop 3",
    "writing-assistant": "loop 3",
    "startup-validator": "loop 3",
    "business-strategy-agent": "loop 3",
  });
});

describe.each(Object.entries(templates))("%s", (family, loops) => {
  it.each(loops.map(({ name }) => name))(
    "has %s as a sound spec with a check that can fail, against which the lint has nothing that weighs",
    (name) => {
      const { text, pattern } = writePattern(name);
      const reading = readSpec(`${name}.loop.yaml`, text, builtIn);

      expect(reading).toMatchObject({ kind: "read", spec: { name, level: "L2" } });
      const verifiers = reading.kind === "read" ? reading.spec.verifiers : [];
      const runs = verifiers.flatMap(({ with: options }) => (typeof options?.run === "string" ? [options.run] : []));
      expect(runs.length).toBeGreaterThan(0);
      expect(runs.filter((run) => !canFail(run))).toEqual([]);
      expect(verifiers.length).toBeGreaterThan(1);
      expect(lintLoop(`${name}.loop.yaml`, text, builtIn).findings.filter(({ weight }) => weight === "error")).toEqual([]);
      expect(pattern).toMatchObject({ kind: "template", family });
    },
  );
});

it("has twenty chores, four in each family", () => {
  expect(Object.values(templates).map((loops) => loops.length)).toEqual([4, 4, 4, 4, 4]);
});

it("says of a loop for daily work how it is written", () => {
  expect(() => writePattern("daily-triage")).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("lw init --pattern daily-triage") }),
  );
});
