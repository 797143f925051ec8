// How long `lw --help` and the hook of another agent take beside an empty Node program.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { compare, must } from "./measure.ts";

const lw = resolve("dist/lw.cjs");
const nothing = { name: "node -e 0", work: () => void must(process.execPath, ["-e", "0"], ".") };
const call = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test && git status | head" },
  cwd: resolve("."),
});

console.log("start-up");
await compare(25, { name: "lw --help", work: () => void must(process.execPath, [lw, "--help"], ".") }, nothing);
await compare(25, { name: "lw hook run claude-code", work: () => askHook() }, nothing);

function askHook(): void {
  const { status } = spawnSync(process.execPath, [lw, "hook", "run", "claude-code"], { input: call });
  if (status !== 0) throw new Error(`the hook answered ${status}`);
}
