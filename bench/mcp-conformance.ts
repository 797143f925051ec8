// The protocol's own conformance suite against a daemon of ours, over HTTP: what applies to us must pass, and what does not is told with its
// reason. The suite is no part of our dependencies: it wants a newer Node than we do, and brings 122 packages.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const APPLIES = [
  "server-initialize",
  "ping",
  "completion-complete",
  "tools-list",
  "server-sse-multiple-streams",
  "resources-list",
  "prompts-list",
  "dns-rebinding-protection",
];
/** The rest, by the start of their names. */
const WHY_NOT: readonly (readonly [start: string, why: string])[] = [
  ["logging-set-level", "we send no log to clients"],
  ["tools-call-", "calls tools of the suite's own making"],
  ["json-schema-", "lists a tool of the suite's own making"],
  ["elicitation-", "calls a tool that asks its client something, and none of ours does"],
  ["server-sse-polling", "calls a tool of the suite's own making"],
  ["resources-read-", "reads resources of the suite's own making"],
  ["resources-templates-read", "reads a resource of the suite's own making"],
  ["resources-subscribe", "follows a resource of the suite's own making"],
  ["resources-unsubscribe", "follows a resource of the suite's own making"],
  ["prompts-get-", "asks for prompts of the suite's own making"],
];

const option = (name: string): string | undefined => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
const suite = resolve(option("suite") ?? "../shared/conformance", "node_modules/@modelcontextprotocol/conformance/dist/index.js");
if (!existsSync(suite)) {
  console.log(`no conformance suite at ${suite}: nothing was measured`);
  console.log("  Put it into a folder of its own with `npm install --ignore-scripts @modelcontextprotocol/conformance@0.1.16`,");
  console.log("  and name that with --suite=FOLDER; --node=PROGRAM names a Node of at least 22.");
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
const LW = [resolve("dist/lw.cjs")];
const HOME = ["--home", join(folder, "home")];
let daemon: ChildProcess | undefined;
const relay = createServer();
try {
  daemon = spawn(process.execPath, [...LW, "serve", ...HOME, "--listen", "127.0.0.1:0"], { cwd: folder, stdio: "ignore" });
  const { url, headers } = await addressOf();
  relay.on("request", (incoming: IncomingMessage, answer: ServerResponse) => hand(incoming, answer, new URL(url), headers));
  await new Promise<void>((ready) => relay.listen(0, "127.0.0.1", ready));
  const { port } = relay.address() as AddressInfo; // it listens on a port

  const said = await runSuite(`http://127.0.0.1:${port}/mcp`);
  const results = [...said.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed$/gm)].map(([, name = "", passed, failed]) => ({
    name,
    isPassed: passed !== "0" && failed === "0",
  }));
  const missing = APPLIES.filter((name) => !results.some((result) => result.name === name && result.isPassed));
  const unknown = results.filter(({ name }) => !APPLIES.includes(name) && whyNot(name) === undefined);

  console.log("the protocol's own scenarios for servers");
  for (const { name, isPassed } of results)
    console.log(
      `  ${name.padEnd(32)} ${isPassed ? "passes" : (whyNot(name) ?? (APPLIES.includes(name) ? "FAILS" : "FAILS, and nobody said why"))}`,
    );
  console.log(`  ${APPLIES.length - missing.length} of ${APPLIES.length} that apply pass; ${results.length - APPLIES.length} do not apply`);
  if (missing.length > 0 || unknown.length > 0) process.exitCode = 1;
} finally {
  relay.closeAllConnections();
  relay.close();
  daemon?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** As soon as it serves. */
async function addressOf(): Promise<{ readonly url: string; readonly headers: { readonly authorization: string } }> {
  for (let tries = 0; tries < 100; tries++) {
    const { status, stdout } = spawnSync(process.execPath, [...LW, "mcp", "address", "conformance", ...HOME, "--json"], {
      encoding: "utf8",
    });
    if (status === 0) return JSON.parse(stdout);
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error("the daemon does not serve");
}

/** The suite knows no keys: they are put in on the way. Any other name for us goes through as it is, since that is what it asks about. */
function hand(incoming: IncomingMessage, answer: ServerResponse, to: URL, key: { readonly authorization: string }): void {
  const { port } = relay.address() as AddressInfo; // it listens on a port
  const own = `127.0.0.1:${port}`;
  const headers = { ...incoming.headers, ...key };
  if (headers.host === own) headers.host = to.host;
  if (headers.origin === `http://${own}`) headers.origin = to.origin;
  const { method, url: path } = incoming;
  const handed = request({ host: to.hostname, port: to.port, path, method, headers }, (came) => {
    answer.writeHead(came.statusCode ?? 502, came.headers);
    came.pipe(answer);
  });
  handed.on("error", () => answer.destroy());
  answer.on("close", () => handed.destroy());
  incoming.pipe(handed);
}

function runSuite(url: string): Promise<string> {
  const child = spawn(option("node") ?? process.execPath, [suite, "server", "--url", url], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (piece: Buffer) => {
    said += piece.toString("utf8");
  });
  return new Promise((over) => child.once("close", () => over(said)));
}

function whyNot(name: string): string | undefined {
  return WHY_NOT.find(([start]) => name.startsWith(start))?.[1];
}
