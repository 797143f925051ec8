// The quick front door for `lw hook run`: an agent waits for it before every command, so nothing else is loaded.
import { writeSync } from "node:fs";
import { answerAgent } from "../app/hooks/answer-agent.ts";

answerAgent(process.argv[4] ?? "", process.cwd(), process.argv.slice(5)).then(({ stdout, stderr, exitCode }) => {
  process.exitCode = exitCode;
  if (stdout) writeSync(1, stdout);
  if (stderr) writeSync(2, stderr);
});
