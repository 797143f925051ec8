// How a boxed command finds the proxy: inside a network of its own a small program listens where proxies are looked for, and hands
// everything on to a socket of ours, which is all that the box shows of the world.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EgressConnection, EgressWish } from "../../contract/commands.ts";
import { type EgressRule, isLoopback, parseOrigin, writeRule } from "../../std/egress-rules.ts";
import { writtenHost } from "../../std/internet-names.ts";
import { makeOwnFolder } from "../files/temporary.ts";
import { type EgressAround, type EgressProxy, openEgress } from "./egress-proxy.ts";

/** A way out of a box, as long as one command runs. */
export interface Way {
  /** What the command must know. */
  readonly env: { readonly [name: string]: string };
  /** Hosts, for the record. */
  readonly reaches: readonly string[];
  /** What the box must show for it. */
  readonly needs: readonly string[];
  /** The sockets among that. */
  readonly sockets: readonly string[];
  /** What must belong to whom the command is run as. */
  readonly given: readonly string[];
  /** The program inside, with its arguments; empty where the command reaches the proxy by itself. */
  readonly forwarder: readonly string[];
  /** Ports of this machine that lead there, where there is no network of its own. */
  readonly ports: readonly number[];
  readonly close: () => Promise<readonly EgressConnection[]>;
}

/** Where programs in a network of their own find the proxy, unless a server of this machine has that port. */
const USUAL_PORT = 3128;
const LEAST_PORT = 1024;
/** A path to a socket may be no longer than about a hundred bytes. */
const MOST_FOLDER = 60;
/** Stands where a key would: programs that want to see one go on, and the proxy puts the right one in its place. */
const PLACEHOLDER = "put-in-by-the-proxy";

/** For a box with a network of its own. */
export async function openInnerWay(wish: EgressWish, around: EgressAround): Promise<Way> {
  const folder = await makeOwnFolder("way", tmpdir().length > MOST_FOLDER ? "/tmp" : tmpdir());
  const path = join(folder, "s");
  const proxy = await openEgress(wish, { kind: "socket", path }, around).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const local = localTargets(proxy.rules);
  const port = freePort(local);
  return {
    env: variables(wish, port, ""),
    reaches: reachesOf(proxy),
    needs: [folder, process.execPath],
    sockets: [path],
    given: [folder],
    forwarder: [process.execPath, FORWARDER, path, `${port}`, ...local.map(({ host, port: at }) => `${at}=${writtenHost(host)}:${at}`)],
    ports: [],
    async close() {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
      return proxy.log();
    },
  };
}

/** For a box that shares this machine's network, or for none: whoever uses the port must know a word. */
export async function openOuterWay(wish: EgressWish, around: EgressAround): Promise<Way> {
  const token = randomBytes(16).toString("hex");
  const proxy = await openEgress(wish, { kind: "port", token }, around);
  const port = proxy.port ?? 0;
  return {
    env: variables(wish, port, token),
    reaches: reachesOf(proxy),
    needs: [],
    sockets: [],
    given: [],
    forwarder: [],
    ports: [port, ...localTargets(proxy.rules).map((target) => target.port)],
    async close() {
      await proxy.close();
      return proxy.log();
    },
  };
}

const reachesOf = ({ rules }: EgressProxy): readonly string[] => [...new Set(rules.map(writeRule))];

/** Servers of this machine, such as a model's: inside they are where they are outside, one for each port. */
const localTargets = (rules: readonly EgressRule[]): readonly EgressRule[] => [
  ...new Map(
    rules
      .filter(({ host, port, isLiteral }) => isLiteral && isLoopback(host) && port >= LEAST_PORT)
      .map((rule) => [rule.port, rule] as const),
  ).values(),
];

function freePort(local: readonly EgressRule[]): number {
  let port = USUAL_PORT;
  while (local.some((rule) => rule.port === port)) port++;
  return port;
}

function variables({ credentials }: EgressWish, port: number, token: string): Way["env"] {
  const proxy = `http://${token === "" ? "" : `loopwright:${token}@`}127.0.0.1:${port}`;
  const base = `http://127.0.0.1:${port}${token === "" ? "" : `/${token}`}`;
  const local = "localhost,127.0.0.1,::1";
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: local,
    no_proxy: local,
    NODE_USE_ENV_PROXY: "1",
    ...Object.fromEntries(
      credentials.flatMap(({ to, variable, baseUrls }) => [
        [variable, PLACEHOLDER],
        ...Object.entries(baseUrls).map(([name, path]) => [name, `${base}/${authorityOf(to)}${path}`]),
      ]),
    ),
  };
}

function authorityOf(to: string): string {
  const { host = "", port = 0 } = parseOrigin(to) ?? {};
  return `${writtenHost(host)}:${port}`;
}

/**
 * The program inside. The first port is the proxy's own; one with a target is a tunnel to it. When all of them listen it says so on
 * its eighth stream, and closes that. It guards nothing: what it does not do, a command could do itself.
 */
const FORWARDER = `
const net = require("node:net"), fs = require("node:fs");
const [socket, ...ports] = process.argv.slice(1);
let waiting = ports.length;
process.on("uncaughtException", () => {});
for (const each of ports) {
  const [port, target] = each.split(/=(.*)/s);
  net.createServer({ allowHalfOpen: true }, (inner) => {
    const outer = net.connect({ path: socket, allowHalfOpen: true });
    inner.on("error", () => outer.destroy()); outer.on("error", () => inner.destroy());
    inner.on("close", () => outer.destroy()); outer.on("close", () => inner.destroy());
    const join = () => { inner.pipe(outer); outer.pipe(inner); };
    if (!target) return join();
    outer.write("CONNECT " + target + " HTTP/1.1\\r\\nHost: " + target + "\\r\\n\\r\\n");
    let said = Buffer.alloc(0);
    outer.on("data", function hear(piece) {
      said = Buffer.concat([said, piece]);
      const end = said.indexOf("\\r\\n\\r\\n");
      if (end < 0) return said.length > 65536 ? inner.destroy() : undefined;
      outer.off("data", hear); outer.pause();
      if (!said.toString("latin1").startsWith("HTTP/1.1 200 ")) return inner.destroy();
      const rest = said.subarray(end + 4);
      if (rest.length) inner.write(rest);
      join();
    });
  }).once("error", () => process.exit(1)).listen(Number(port), "127.0.0.1", () => {
    if (--waiting === 0) { fs.writeSync(7, "ready"); fs.closeSync(7); }
  });
}`;
