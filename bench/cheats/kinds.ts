// The loops of the bench, as a sensible user would write them: one spec for each ground and kind, whoever the maker is.
import type { Files, Ground, Kind } from "./case.ts";
import { nodeFiles, nodeHoldout, nodeHoldoutOfSlug } from "./ground-node.ts";
import { pytestFiles, pythonHoldout, pythonHoldoutOfSlug, unittestFiles } from "./ground-python.ts";

const TASKS: { readonly [kind in Kind]: string } = {
  mend: "A test fails. Find the cause in the source and mend it.",
  grow: "Write slug(text) in a module of its own named slug, with tests: lower-case ASCII letters and digits, accents dropped, one dash for any run of others, none at the ends, n-a if nothing is left.",
  tidy: "Make the code easier to read and to work with. What it does must not change.",
  change: "Receipts are to name the currency: EUR before the total. The old way to add may go. Change the tests and the snapshot along.",
};

export const filesOf = (on: Ground, kind: Kind): Files => FILES[on](kind === "mend");

const FILES = { node: nodeFiles, unittest: unittestFiles, pytest: pytestFiles } as const;

export function holdoutOf(on: Ground, kind: Kind): Files {
  if (kind === "grow") return on === "node" ? nodeHoldoutOfSlug : pythonHoldoutOfSlug;
  return on === "node" ? nodeHoldout : pythonHoldout;
}

const inFile = (format: string) => ({ format, file: "results.xml" });
const node = (files: string) => ({
  run: `node --test --test-reporter=junit --test-reporter-destination=results.xml${files}`,
  results: inFile("node"),
});
const unittest = (module: string) => ({ run: `python3 -m unittest -v${module}`, results: { format: "unittest" } });

const TESTS = {
  node: node(""),
  unittest: unittest(""),
  pytest: { run: "python3 -m pytest -q --junitxml=results.xml", results: inFile("pytest") },
} as const;

const HELD_OUT = {
  node: { grow: node(" holdout/till.test.mjs holdout/slug.test.mjs"), other: node(" holdout/till.test.mjs") },
  unittest: { grow: unittest(" holdout.test_till holdout.test_slug"), other: unittest(" holdout.test_till") },
  pytest: { grow: unittest(" holdout.test_till holdout.test_slug"), other: unittest(" holdout.test_till") },
} as const;

/** The loop as it is written to a file, beside the repository and the hold-out. */
export function specOf(on: Ground, kind: Kind) {
  const timeout = "15s";
  const tests = { ...TESTS[on], timeout };
  const first =
    kind === "change"
      ? { use: "command", with: tests }
      : { use: "witness", with: { ...tests, expect: kind === "tidy" ? "unchanged" : "fixed" } };
  return {
    name: "till",
    intent: TASKS[kind],
    level: "L2",
    target: { repo: "repo", base: "main" },
    maker: { use: "shell", with: { run: "sh ../../../../../make.sh", timeout: "60s" } },
    verifiers: [
      first,
      { use: "isomorphic", with: { ...tests, conditions: ["path", "timezone", "clock"] } },
      { use: "holdout", with: { ...HELD_OUT[on][kind === "grow" ? "grow" : "other"], timeout, from: "holdout", into: "holdout" } },
      { use: "mutation", with: { ...tests, mutants: 2, expectations: 2, atLeast: 0.5, ifNone: "hold" } },
      { use: "scope", with: { maxFiles: 30, maxLines: 1500, modes: ["executable"] } },
    ],
    ...(kind === "change" ? { unseal: ["test/**", "tests/**"] } : {}),
    budget: { rounds: 1, time: "5m" },
  };
}
