// The referee as a stop hook inside the real Claude Code: it may not stop while its change is not proven.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import type { Script } from "../support/model-server.ts";
import { claudeCode, isInstalled, thatWrites, withModel } from "./scripted-agents.ts";

const REFUSAL = "referee does not accept the change";
const WRONG = "export const sum = (a, b) => a * b;\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";

/** Writes what is wrong and says that it is done; told why it may not stop, it writes what is right. */
const thatLearns: Script = (asked, n) => {
  const isTold = asked.words.includes(REFUSAL);
  const acts = JSON.stringify(asked.body).split('"tool_result"').length - 1;
  if (acts >= (isTold ? 2 : 1)) return { kind: "text", text: "All done, and every test passes." };
  if (!isTold) return thatWrites("sum.mjs", WRONG)(asked, n);
  const reply = thatWrites("sum.mjs", RIGHT)({ ...asked, body: { tools: asked.body.tools } }, n);
  // Calls go by their number in a reply: the first would be taken for the one before.
  return reply.kind === "calls" ? { ...reply, calls: [...reply.calls, ...reply.calls] } : reply;
};

it.skipIf(!isInstalled(claudeCode))("keeps Claude Code at work until the change is proven", () =>
  inPlace(async (place) => {
    place.repo.commit("Add sums", {
      files: {
        "sum.mjs": "export const sum = (a, b) => a - b;\n",
        "check.mjs": 'import { sum } from "./sum.mjs";\nif (sum(2, 3) !== 5) throw new Error("sums are wrong");\n',
        ".gitignore": ".claude/\n",
        "fix.loop.json": JSON.stringify({
          name: "fix",
          intent: "Sums are right.",
          level: "L2",
          target: { repo: ".", base: "main" },
          maker: { use: "claude-code" },
          verifiers: [{ use: "command", with: { run: "node check.mjs" } }],
          baseline: { when: "off" },
        }),
      },
    });
    const bin = join(place.dir, "bin");
    place.writeProgram("bin/lw", `#!/bin/sh\nexec "${process.execPath}" "${inject("build").program}" "$@"\n`);
    const installed = await place.lw(["hook", "install", "claude-code", "--referee", "--loop", "fix"], { cwd: place.repo.dir });
    expect(installed.exit, installed.stderr).toBe(0);

    const said = await withModel(claudeCode, place, thatLearns, (server, env) =>
      claude(place, { ...env, PATH: `${bin}:${env.PATH}` }).then((ended) => ({ ...ended, asked: server.asked })),
    );

    expect(readFileSync(join(place.repo.dir, "sum.mjs"), "utf8"), said.text).toBe(RIGHT);
    expect(said.asked.some(({ words }) => words.includes(REFUSAL))).toBe(true);
    const summary = await place.json(["ledger", "summary"]);
    expect(JSON.stringify(summary.said)).toContain("fix");
    const last = await place.json(["show", "fix.referee"]);
    expect(last.said.rest.kind, said.text).toBe("accept");
    expect((await place.json(["receipt", "verify", last.said.run])).said).toMatchObject({
      kind: "genuine",
      result: "passed",
      receipt: { kind: "referee" },
    });
  }),
);

function claude(place: Place, env: { readonly [name: string]: string }): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(
      "claude",
      [
        ...["-p", "sum.mjs is wrong: mend it."],
        ...["--model", "claude-sonnet-4-5"],
        ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
      ],
      {
        cwd: place.repo.dir,
        env: {
          ...env,
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          HOME: join(place.dir, "user"),
          LOOPWRIGHT_HOME: place.home,
          LOOPWRIGHT_TEST_PLACE: place.dir,
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    child.on("error", fail);
    child.on("close", (code) => done({ code, text }));
  });
}
