// Linting against parsing: a thousand specs are linted in at most twice the time that it takes to parse them.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtIn, lintFiles, lintLoop, readSpec } from "../src/index.ts";
import { compare } from "./measure.ts";

const SPECS = 1_000;
const MOST_RATIO = 2;

const examples = readdirSync("examples")
  .filter((file) => file.endsWith(".loop.yaml"))
  .map((file) => readFileSync(join("examples", file), "utf8"));

/** Loops of different makers, checks and budgets, and one in ten with something wrong. */
const specs = Array.from({ length: SPECS }, (_, index) => {
  const text = examples[index % examples.length]!.replace(/^name: (\S+)$/m, `name: $1-${index}`);
  return { file: `${index}.loop.yaml`, text: index % 10 === 0 ? text.replace("npm test", "npm test || true") : text };
});

console.log(`lint (${SPECS} specs, ${Math.round(specs.reduce((sum, { text }) => sum + text.length, 0) / 1024)} KiB)`);
const asTexts = await compare(
  7,
  {
    name: "lint every text",
    work: () => {
      for (const { file, text } of specs) lintLoop(file, text, builtIn);
    },
  },
  {
    name: "parse every text",
    work: () => {
      for (const { file, text } of specs) readSpec(file, text, builtIn);
    },
  },
);

const folder = mkdtempSync(join(tmpdir(), "lw-bench-lint-"));
for (const { file, text } of specs) writeFileSync(join(folder, file), text);
const asFiles = await compare(
  7,
  {
    name: "lint the folder",
    work: async () => {
      const { files } = await lintFiles([folder], folder, builtIn);
      if (files.length !== SPECS || files.every(({ findings }) => findings.length === 0)) throw new Error("not all of them were looked at");
    },
  },
  {
    name: "read and parse every file of it",
    work: () => {
      for (const { file } of specs) readSpec(file, readFileSync(join(folder, file), "utf8"), builtIn);
    },
  },
);
rmSync(folder, { recursive: true });

const worst = Math.max(asTexts.ratio, asFiles.ratio);
console.log(`  linting takes ${worst.toFixed(2)} times what parsing takes, ${MOST_RATIO} at most`);
if (worst > MOST_RATIO) process.exit(1);
