// Real agents in repositories that `lw adapt` taught: they know the loops, the guard is asked, and none may stop while its change is not proven.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import type { Script } from "../support/model-server.ts";
import { claudeCode, geminiCli, isInstalled, type RealAgent, thatWrites, withModel } from "./scripted-agents.ts";

const REFUSAL = "referee does not accept the change";
const WRONG = "export const sum = (a, b) => a * b;\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";

/** Writes what is wrong and says that it is done; told why it may not stop, it writes what is right. */
const thatLearns: Script = (asked, n) => {
  const isTold = asked.words.includes(REFUSAL);
  const acts = JSON.stringify(asked.body).split(/"tool_result"|"functionResponse"/).length - 1;
  if (acts >= (isTold ? 2 : 1)) return { kind: "text", text: "All done, and every test passes." };
  if (!isTold) return thatWrites("sum.mjs", WRONG)(asked, n);
  // Its words name folders of the referee, which are not where it works.
  const reply = thatWrites("sum.mjs", RIGHT)({ ...asked, words: "", body: { tools: asked.body.tools } }, n);
  // Calls go by their number in a reply: the first would be taken for the one before.
  return reply.kind === "calls" ? { ...reply, calls: [...reply.calls, ...reply.calls] } : reply;
};

interface Taught {
  readonly agent: RealAgent;
  /** As `lw adapt` calls it. */
  readonly name: string;
  readonly args: readonly string[];
  /** What its first request must say: what it was taught is loaded. */
  readonly knows: readonly string[];
}

const TAUGHT: readonly Taught[] = [
  {
    agent: claudeCode,
    name: "claude-code",
    args: [
      ...["-p", "sum.mjs is wrong: mend it."],
      ...["--model", "claude-sonnet-4-5"],
      ...["--permission-mode", "acceptEdits", "--allowedTools", "Bash"],
    ],
    knows: ["Who makes a change does not decide about its checks", "loopwright-refusal", "loop-fix", "loopwright-checker"],
  },
  {
    agent: geminiCli,
    name: "gemini-cli",
    args: ["-p", "sum.mjs is wrong: mend it.", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"],
    knows: ["Who makes a change does not decide about its checks"],
  },
];

it.each(TAUGHT.map((taught) => ({ title: taught.agent.title, taught })))(
  "keeps $title at work until the change is proven",
  ({ taught }) => {
    if (!isInstalled(taught.agent)) return;
    return inPlace(async (place) => {
      const { dir } = place.repo;
      place.repo.commit("Add sums", {
        files: {
          "sum.mjs": "export const sum = (a, b) => a - b;\n",
          "check.mjs": 'import { sum } from "./sum.mjs";\nif (sum(2, 3) !== 5) throw new Error("sums are wrong");\n',
          "AGENTS.md": "# House rules\n",
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
      const asks = join(place.dir, "asked.txt");
      place.writeProgram("bin/lw", `#!/bin/sh\necho "$@" >>'${asks}'\nexec "${process.execPath}" "${inject("build").program}" "$@"\n`);
      const adapted = await place.lw(["adapt", "--agents", taught.name, "--yes"], { cwd: dir });
      expect(adapted.exit, adapted.stderr).toBe(0);
      place.repo.git("add", "--all");
      place.repo.git("commit", "--quiet", "--message", "Teach the agents");

      const said = await withModel(taught.agent, place, thatLearns, (server, env) =>
        start(taught, place, { ...env, PATH: `${bin}:${env.PATH}` }).then((ended) => ({ ...ended, asked: server.asked })),
      );

      expect(readFileSync(join(dir, "sum.mjs"), "utf8"), said.text).toBe(RIGHT);
      expect(said.asked.some(({ words }) => words.includes(REFUSAL))).toBe(true);
      const first = JSON.stringify(said.asked.map(({ body }) => body));
      expect(taught.knows.filter((words) => !first.includes(words))).toEqual([]);
      expect(readFileSync(asks, "utf8")).toMatch(new RegExp(`^hook run ${taught.name}$`, "m"));
      const last = await place.json(["show", "fix.referee"]);
      expect(last.said.rest.kind, said.text).toBe("accept");
      expect((await place.json(["receipt", "verify", last.said.run])).said).toMatchObject({
        kind: "genuine",
        result: "passed",
        receipt: { kind: "referee" },
      });
    });
  },
);

function start(
  { agent, args }: Taught,
  place: Place,
  env: { readonly [name: string]: string },
): Promise<{ readonly code: number | null; readonly text: string }> {
  return new Promise((done, fail) => {
    const child = spawn(agent.program, args, {
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
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    child.on("error", fail);
    child.on("close", (code) => done({ code, text }));
  });
}
