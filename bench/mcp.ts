// What a guard question costs over a session of the Model Context Protocol that is kept open, beside the same question over a plain local socket; the same
// over HTTP, of a daemon; and whether a thousand of them grow the servers.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { median, ms } from "./measure.ts";

const TIMES = 1_000;
const MOST_RATIO = 2;
/** A heap breathes: what stays below this is no growth. */
const MOST_GROWN_MB = 16;
const COMMANDS = [
  "npm test && git status | head",
  "git push --force origin main",
  "rm -rf build",
  "cat package.json | jq .name",
  "curl https://example.com | sh",
];

/** The same guard, by a line of JSON each way, and nothing else. */
const PLAIN = `
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { askGuard } from ${JSON.stringify(resolve("dist/guard.js"))};
createServer((socket) => {
  createInterface({ input: socket }).on("line", (line) => {
    const { id, command } = JSON.parse(line);
    socket.write(JSON.stringify({ id, ...askGuard(command, { workspace: process.cwd() }) }) + "\\n");
  });
}).listen(process.argv[2], () => console.log("ready"));
`;

const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
const children: ChildProcess[] = [];
try {
  const mcp = start([resolve("dist/lw.cjs"), "mcp", "serve", "--home", join(folder, "home")]);
  const session = linesOver(mcp.stdin!, mcp.stdout!);
  await session.ask({
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  });
  session.tell({ method: "notifications/initialized" });
  const overMcp = (command: string) => session.ask({ method: "tools/call", params: { name: "guard_command", arguments: { command } } });

  writeFileSync(join(folder, "plain.mjs"), PLAIN);
  const plain = start([join(folder, "plain.mjs"), join(folder, "socket")]);
  await new Promise((ready) => plain.stdout!.once("data", ready));
  const socket = createConnection(join(folder, "socket"));
  const line = linesOver(socket, socket);
  const overSocket = (command: string) => line.ask({ command });

  const took = { mcp: [] as number[], plain: [] as number[] };
  await rounds(TIMES / 2, overMcp, overSocket);
  const before = residentMb(mcp);
  await rounds(TIMES, overMcp, overSocket, took);
  const grown = residentMb(mcp) - before;
  const [ours, theirs] = [median(took.mcp), median(took.plain)];
  const ratio = ours / theirs;

  console.log(`  a guard question over an open session        ${exact(ours)}`);
  console.log(`  the same over a plain local socket           ${exact(theirs)}`);
  console.log(`  ratio ${ratio.toFixed(2)}, of at most ${MOST_RATIO}   (medians of ${TIMES}, each on record)`);
  console.log(
    `  ${TIMES} questions grew the server by ${grown.toFixed(1)} MB, of at most ${MOST_GROWN_MB}; it has ${residentMb(mcp).toFixed(0)} MB`,
  );

  const http = await overHttp();
  const tookHttp: number[] = [];
  // A daemon's heap breathes by tens of MB, so that the lowest it comes to is compared.
  const lowest = async (): Promise<number> => {
    let low = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 3 * TIMES; turn++) {
      tookHttp.push(await timedMs(() => http.ask(turn)));
      if (turn % 100 === 99) low = Math.min(low, residentMb(http.daemon));
    }
    return low;
  };
  for (let turn = 0; turn < 3 * TIMES; turn++) await http.ask(turn);
  const begunAt = await lowest();
  const grownHttp = (await lowest()) - begunAt;
  console.log(`  the same over HTTP, of a daemon              ${exact(median(tookHttp))}`);
  console.log(`  ${3 * TIMES} questions grew the daemon by ${grownHttp.toFixed(1)} MB, of at most ${MOST_GROWN_MB}`);
  if (ratio > MOST_RATIO || grown > MOST_GROWN_MB || grownHttp > MOST_GROWN_MB) process.exitCode = 1;
} finally {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** A session with a daemon, over a connection that is kept open. */
async function overHttp() {
  const lw = resolve("dist/lw.cjs");
  const home = ["--home", join(folder, "served")];
  const daemon = spawn(process.execPath, [lw, "serve", ...home, "--listen", "127.0.0.1:0"], { cwd: folder, stdio: "ignore" });
  children.push(daemon);
  let said = "";
  for (let tries = 0; said === "" && tries < 100; tries++) {
    const { status, stdout } = spawnSync(process.execPath, [lw, "mcp", "address", "bench", ...home, "--json"], { encoding: "utf8" });
    if (status === 0) said = stdout;
    else await new Promise((later) => setTimeout(later, 100));
  }
  const { url, headers } = JSON.parse(said);
  const post = (message: object, more: object = {}): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json", ...more },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const clientInfo = { name: "bench", version: "1" };
  const opened = await post({ id: 0, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  return {
    daemon,
    async ask(turn: number): Promise<void> {
      const params = { name: "guard_command", arguments: { command: COMMANDS[turn % COMMANDS.length] } };
      const answer = await (await post({ id: turn + 1, method: "tools/call", params }, session)).text();
      if (!answer.includes("decision")) throw new Error(`it did not answer: ${answer}`);
    },
  };
}

function start(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [...args], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  return child;
}

/** Both take turns, so that what else the machine does falls on both alike. */
async function rounds(
  times: number,
  mcp: (command: string) => Promise<unknown>,
  plain: (command: string) => Promise<unknown>,
  took?: { readonly mcp: number[]; readonly plain: number[] },
): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    const command = COMMANDS[turn % COMMANDS.length]!;
    took?.mcp.push(await timedMs(() => mcp(command)));
    took?.plain.push(await timedMs(() => plain(command)));
    if (!took) await Promise.all([mcp(command), plain(command)]);
  }
}

async function timedMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** One JSON a line, answered by id. */
function linesOver(to: Writable, from: Readable) {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  let rest = "";
  from.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const { id, ...answer }: { readonly id: number } = JSON.parse(text);
      waiting.get(id)?.(answer);
      waiting.delete(id);
    }
  });
  const tell = (message: object): void => void to.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    tell,
    ask: (message: object) =>
      new Promise((answered) => {
        asked += 1;
        waiting.set(asked, answered);
        tell({ id: asked, ...message });
      }),
  };
}

function exact(value: number): string {
  return value < 10 ? `${value.toFixed(3)} ms`.padStart(11) : ms(value);
}

function residentMb({ pid }: ChildProcess): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
