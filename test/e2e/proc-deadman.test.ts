import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { markedProcesses } from "../../src/world/process/processes.ts";
import { describeBoxed, wishFor } from "../support/box.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-deadman-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process of its own that runs one command through `createProc`, and prints what came of it. */
function startRunner(name: string, run: string, boxed: boolean): ChildProcess {
  const script = join(folder, `${name}.mjs`);
  buildSync({
    stdin: {
      contents: `
        import { createArtifacts } from "./src/world/store/artifacts.ts";
        import { createBox } from "./src/world/box/box.ts";
        import { systemClock } from "./src/world/machine/clock.ts";
        import { thisMachine } from "./src/world/process/machine-use.ts";
        import { createProc } from "./src/world/process/proc.ts";
        const box = createBox("/nonexistent", { get: (name) => process.env[name] });
        const around = { box, machine: thisMachine };
        const proc = createProc(createArtifacts(${JSON.stringify(join(folder, "artifacts"))}), systemClock, new AbortController().signal, around);
        const wish = ${JSON.stringify(boxed ? wishFor([folder]) : undefined)};
        const command = { run: process.argv[2], cwd: process.argv[3], env: { PATH: process.env.PATH }, timeoutMs: 60_000, mark: process.argv[4], box: wish };
        console.log(JSON.stringify(await proc.run(command)));
      `,
      resolveDir: process.cwd(),
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["libsql"],
    outfile: script,
    logLevel: "error",
  });
  return spawn(process.execPath, [script, run, folder, markOf(name)], { stdio: "ignore" });
}

const markOf = (name: string): string => `deadman-${process.pid}-${name}`;

async function until(isSo: () => boolean, withinMs: number): Promise<boolean> {
  for (const end = performance.now() + withinMs; performance.now() < end; ) {
    if (isSo()) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return isSo();
}

describe("without a box", () => endsWithUs(false));
describeBoxed("in a box", () => endsWithUs(true));

function endsWithUs(boxed: boolean): void {
  it.each([
    ["plain", "sleep 301", 2],
    ["family", "sleep 302 & ( sleep 303 & ) & nohup sleep 304 >/dev/null 2>&1 & sleep 305", 5],
    ["deaf", "trap '' TERM INT HUP; ( trap '' TERM INT HUP; sleep 306; sleep 306 ) & while :; do sleep 0.2; done", 3],
    ["busy", "while :; do echo more than anybody reads; done", 2],
  ])("ends the whole group of a command when we are killed without a word: %s", async (kind, run, atLeast) => {
    const name = `${kind}-${boxed}`;
    const runner = startRunner(name, run, boxed);
    expect(await until(() => markedProcesses(markOf(name)).length >= atLeast, 15_000)).toBe(true);

    runner.kill("SIGKILL");

    expect(await until(() => markedProcesses(markOf(name)).length === 0, 2_000)).toBe(true);
  });

  it("ends it also when we are killed in the very moment it starts", async () => {
    for (const waitMs of [0, 5, 10, 20, 40]) {
      const name = `young-${waitMs}-${boxed}`;
      const runner = startRunner(name, "sleep 307", boxed);
      await until(() => markedProcesses(markOf(name)).length > 0, 15_000);
      await new Promise((resolve) => setTimeout(resolve, waitMs));

      runner.kill("SIGKILL");

      expect(await until(() => markedProcesses(markOf(name)).length === 0, 2_000)).toBe(true);
    }
  });
}
