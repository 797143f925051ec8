import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { quickPlace } from "./test/support/quick-place.ts";

/** Tests beside the source that work with real git, real processes or a real disk: slower than the others by their nature. */
const REAL = [
  "src/world/**/*.test.ts",
  "src/verifiers/{conditions,grounded,holdout,isomorphic,mutation,other-runners,replay,twins,witness}.test.ts",
  "src/journal/mend.test.ts",
  "src/std/host-zone.test.ts",
  "test/walks.test.ts",
];

/** What was built is loaded as it is, so that what is tested is what is published. */
const asBuilt = { deps: { external: [/\/lw-build-[^/]+\/package\/dist\//] } };

const env = { TMPDIR: quickPlace() };

/** Unit tests share one process for speed, those beside the world have one for each file, and end-to-end tests drive the built program in a few. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "web/**/*.test.ts", "test/*.test.ts", "test/contracts/*.test.ts"],
          exclude: REAL,
          setupFiles: ["test/support/fixed-chance.ts"],
          env,
          pool: "threads",
          isolate: false,
          // Fuzzing takes as long as the machine does; nothing here is timed.
          testTimeout: 600_000,
        },
      },
      {
        test: {
          name: "real",
          include: REAL,
          setupFiles: ["test/support/fixed-chance.ts"],
          env,
          // They start thousands of programs, and a large process takes long to be copied for each.
          pool: "forks",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          env,
          server: asBuilt,
          globalSetup: ["test/support/build.ts"],
          pool: "forks",
          // What was built is loaded once for many files. Each has places of its own, and no file may count on being the first.
          isolate: false,
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "web",
          include: ["test/web/**/*.test.ts"],
          env,
          server: asBuilt,
          globalSetup: ["test/support/build.ts", "test/support/browser-setup.ts"],
          pool: "forks",
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "agents",
          include: ["test/agents/**/*.test.ts"],
          server: asBuilt,
          globalSetup: ["test/support/build.ts"],
          pool: "forks",
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
