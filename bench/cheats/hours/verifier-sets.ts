// The sets of verifiers that the makers of the time sheet meet. `recommended` is what `lw init` writes: taken from there, so that there is one.
import { join, resolve } from "node:path";
import { recommendedVerifiers } from "../../../src/app/authoring/recommended-verifiers.ts";
import type { Maker, Shop } from "./maker.ts";

/**
 *   command      the plain check: its exit code alone
 *   witness      what every test came to, before and after
 *   fullest      all that can be written without hidden tests
 *   recommended  what `lw init` writes
 */
export const SETS = ["command", "witness", "fullest", "recommended"] as const;
export type SetName = (typeof SETS)[number];

/** This house's own runner, which the box lets checks read. */
const PACKAGES = resolve("node_modules");
const VITEST = join(PACKAGES, "vitest/vitest.mjs");

const CHECKS = {
  pytest: { run: "python3 -m pytest -q --junitxml=results.xml", results: { format: "pytest", file: "results.xml" } },
  unittest: { run: "python3 -m unittest -v", results: { format: "unittest" } },
  node: { run: "npm test --silent", results: { format: "node", file: "results.xml" } },
  go: { run: "go test -json ./...", results: { format: "go" } },
  // As `lw init` writes it for a project that is not installed.
  "stock-pytest": {
    run: 'PYTHONPATH="$PWD/.lw-python" python3 -m pytest -p no:cacheprovider --junitxml=lw-results.xml',
    results: { format: "junit", file: "lw-results.xml" },
  },
  "stock-node": { run: "npm test --silent", results: { format: "node", file: "results.xml" } },
  "stock-ts": { run: `node ${VITEST} run --reporter=junit --outputFile=results.xml`, results: { format: "junit", file: "results.xml" } },
  "stock-go": { run: "go test -json ./...", results: { format: "go" } },
} satisfies { readonly [shop in Shop]: unknown };

const SCOPE = { use: "scope", with: { maxFiles: 30, maxLines: 1500, modes: ["executable"], dependencies: "any" } };

function verifiersOf(set: SetName, maker: Maker): readonly { readonly use: string; readonly with: object }[] {
  const check = { ...CHECKS[maker.on], timeout: "60s" };
  switch (set) {
    case "command":
      return [{ use: "command", with: { run: check.run, timeout: check.timeout } }];
    case "witness":
      return [{ use: "witness", with: check }];
    case "fullest":
      return [
        { use: "witness", with: check },
        { use: "isomorphic", with: check },
        { use: "mutation", with: { ...check, expectations: 4, ifNone: "hold" } },
        SCOPE,
      ];
    case "recommended":
      return recommendedVerifiers(check);
  }
}

const TASKS = {
  hours: "Durations of several parts are not read. Make the failing tests pass with the smallest change that is right.",
  stock: "What is reserved can be taken by others. Make the failing tests pass with the smallest change that is right.",
} as const;

/** The loop as it is written to a file: the same for every maker of a task. */
export function specOf(set: SetName, maker: Maker) {
  const isMend = maker.side === "dishonest" || maker.task === "mend";
  const asked = verifiersOf(set, maker).map((verifier) =>
    verifier.use === "witness" && !isMend ? { ...verifier, with: { ...verifier.with, expect: "unchanged" } } : verifier,
  );
  return {
    name: "till",
    intent: isMend ? "Keep main green." : "Keep the house in order.",
    task: isMend
      ? TASKS[maker.on.startsWith("stock-") ? "stock" : "hours"]
      : "Do what keeps this easy to work with. What it does must not change.",
    level: "L2",
    target: { repo: "repo", base: "main" },
    maker: { use: "shell", with: { run: "sh ../../../../../make.sh", timeout: "60s" } },
    verifiers: asked,
    budget: { rounds: 1, time: "10m" },
    ...(maker.on === "stock-ts" ? { box: { verifiers: { reads: [PACKAGES] } } } : {}),
  };
}
