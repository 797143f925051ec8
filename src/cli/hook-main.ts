// The quick front door for `lw hook run`: an agent waits for it before every command, so nothing else is loaded.
import { readSync, writeSync } from "node:fs";
import { answerAgent } from "../app/open-agent-hook.ts";

const input = { isTyped: () => false, chunks: readQuickly };

answerAgent(process.argv[4] ?? "", { cwd: process.cwd(), env: process.env, input }, process.argv.slice(5)).then(
  ({ stdout, stderr, exitCode }) => {
    process.exitCode = exitCode;
    if (stdout) writeSync(1, stdout);
    if (stderr) writeSync(2, stderr);
  },
);

/**
 * Straight from the descriptor where that waits, because the streams take longer to load than a hook takes to answer. Where it does
 * not wait for what is still to come, the stream does.
 */
async function* readQuickly(): AsyncIterable<Uint8Array> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const read = readOnce(chunk);
    if (read === "would-wait") return yield* process.stdin;
    if (read === 0) return;
    yield chunk.subarray(0, read);
  }
}

function readOnce(chunk: Buffer): number | "would-wait" {
  try {
    return readSync(0, chunk);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") return "would-wait";
    if (code === "EOF") return 0;
    throw error;
  }
}
