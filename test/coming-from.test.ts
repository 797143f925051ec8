// The page for people who come from other tools: every command of theirs is on it, and every command of ours that it names is there.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMMANDS } from "../src/cli/table.ts";
import { EXIT } from "../src/contract/exit.ts";

const page = readFileSync("docs/coming-from.md", "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));

const THEIRS: { readonly [tool: string]: readonly string[] } = {
  loopguard: ["check-command", "verify-sha", "verify-iso", "budget", "scan-diff", "scan-injection", "check-allowlist"],
  loopengine: ["run", "schedule", "serve", "show", "init", "cost", "audit", "guard", "verify", "verify-iso", "scan-diff", "scan-injection"],
  loopctl: ["validate", "score", "trace", "observed", "diagram", "level", "spec", "pipeline", "quick", "agent", "mix", "combine", "bench"],
  loopforge: ["new", "fork", "compose", "export", "intent", "validate", "list-patterns", "demo", "mix", "combine"],
  loopgen: ["init", "scan", "create", "preview", "apply", "run", "audit verify", "audit summary", "audit aggregate", "audit check"],
};

it("names every command of theirs, with what to type here", () => {
  const missing = Object.entries(THEIRS).flatMap(([tool, commands]) =>
    commands
      .filter((command) => !rows.some((row) => new RegExp(`\`${tool} ${command}\\b`).test(row)))
      .map((command) => `${tool} ${command}`),
  );
  const unanswered = rows.filter((row) => /^\| `(loop|harness|gh aw)/.test(row) && !/\| (`lw |none )/.test(row));

  expect([missing, unanswered]).toEqual([[], []]);
});

it("names only commands and options of ours that are there", () => {
  const said = [...page.matchAll(/`lw ([a-z-]+)([^`]*)`/g)].map(([, name = "", rest = ""]) => ({ name, rest }));
  const wrong = said.filter(({ name, rest }) => {
    const row = COMMANDS.find((command) => command.name === name || command.aliases?.includes(name));
    const options = [...rest.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    return row === undefined || options.some((option) => !row.options.some(([written]) => written.split(" ")[0] === option));
  });

  expect(said.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
});

it("has the one table of exit codes, with the words that it has everywhere", () => {
  const told = rows.flatMap((row) => {
    const cells = row.split("|").map((cell) => cell.trim());
    return /^\d+$/.test(cells[1] ?? "") ? [{ code: Number(cells[1]), means: cells.at(-2) }] : [];
  });

  expect(told).toEqual(Object.values(EXIT).map(({ code, means }) => ({ code, means })));
});
