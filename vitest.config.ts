import { defineConfig } from "vitest/config";

/** Unit tests share one process for speed; end-to-end tests start real processes and run apart. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/*.test.ts", "test/contracts/*.test.ts"],
          pool: "threads",
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/support/build.ts"],
          pool: "forks",
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
