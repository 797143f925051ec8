// The only way out of a box whose network is a list: an HTTP proxy of ours, outside of it. It tunnels (CONNECT) and forwards plain
// HTTP to hosts that are listed, puts credentials in where the spec says so, and writes down every connection.
//
// Names are resolved here, the addresses are looked at, and one of these very addresses is connected to: a name that means something
// else a moment later changes nothing. What is not understood is refused. Requests are taken apart and made anew, never passed on as bytes.
import { timingSafeEqual } from "node:crypto";
import { lookup as systemLookup } from "node:dns/promises";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as plainRequest,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as secureConnect } from "node:tls";
import type { Environment } from "../../contract/clock.ts";
import type { CredentialWish, EgressConnection, EgressWish } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import { displayLine } from "../../std/display-text.ts";
import {
  type EgressRule,
  mayConnect,
  type Origin,
  parseOrigin,
  parseRule,
  ruleFor,
  type Target,
  writeRule,
} from "../../std/egress-rules.ts";
import { canonicalAddress, isAddress, parseAuthority, writtenHost } from "../../std/internet-names.ts";

const MOST_CONNECTIONS = 256;
const MOST_LOGGED = 10_000;
const MOST_HEADER_BYTES = 64 * 1024;
const CONNECT_WITHIN_MS = 20_000;
/** A model may think for long before it says a word. */
const SILENT_FOR_MS = 15 * 60_000;

/** Where it listens: on a socket that only the box is shown, or on a port of this machine, where whoever asks must know a word. */
export type ListenAt = { readonly kind: "socket"; readonly path: string } | { readonly kind: "port"; readonly token: string };

export interface EgressAround {
  readonly env: Environment;
  /** All addresses of a name. */
  readonly lookup?: (host: string) => Promise<readonly string[]>;
  /** Certificates to believe besides the usual ones; for tests. */
  readonly ca?: string;
}

export interface EgressProxy {
  /** There when it listens on a port. */
  readonly port: number | undefined;
  readonly rules: readonly EgressRule[];
  readonly log: () => readonly EgressConnection[];
  readonly close: () => Promise<void>;
}

interface Credential {
  readonly origin: Origin;
  readonly header: string;
  readonly value: string;
}

export async function openEgress(wish: EgressWish, at: ListenAt, around: EgressAround): Promise<EgressProxy> {
  const credentials = wish.credentials.map((credential) => readCredential(credential, around.env));
  const rules = [...wish.allow.map(readRule), ...credentials.map(({ origin }) => origin.rule)];
  const sockets = new Set<Duplex>();
  const log: Open[] = [];
  const office: Office = {
    at,
    rules,
    credentials,
    lookup: around.lookup ?? lookUp,
    ca: around.ca,
    sockets,
    begin: (target) => begin(log, target),
  };

  const server = createServer({
    maxHeaderSize: MOST_HEADER_BYTES,
    requestTimeout: SILENT_FOR_MS,
    headersTimeout: 30_000,
    insecureHTTPParser: false,
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", (socket) => track(sockets, socket));
  server.on("connect", (asked, socket, head) => void tunnel(asked, socket, head, office).catch(() => socket.destroy()));
  server.on("request", (asked, answer) => void forward(asked, answer, office).catch(() => answer.destroy()));
  server.on("clientError", (_error, socket) => void refuseRaw(socket, 400, "not a request that can be understood"));
  const port = await listen(server, at);
  return {
    port,
    rules,
    log: () => log.map(({ connection }) => connection()),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What every connection is handled with. */
interface Office {
  readonly at: ListenAt;
  readonly rules: readonly EgressRule[];
  readonly credentials: readonly Credential[];
  readonly lookup: (host: string) => Promise<readonly string[]>;
  readonly ca: string | undefined;
  readonly sockets: Set<Duplex>;
  readonly begin: (target: Target) => Open;
}

/** One line of the log while it is written. */
interface Open {
  readonly sent: (bytes: number) => void;
  readonly received: (bytes: number) => void;
  readonly refuse: (why: string) => void;
  readonly use: (header: string) => void;
  readonly connection: () => EgressConnection;
}

function begin(log: Open[], { host, port }: Target): Open {
  const so: { sent: number; received: number; refused?: string; credential?: string } = { sent: 0, received: 0 };
  const open: Open = {
    sent(bytes) {
      so.sent += bytes;
    },
    received(bytes) {
      so.received += bytes;
    },
    refuse(why) {
      so.refused ??= why;
    },
    use(header) {
      so.credential = header;
    },
    connection: () => ({ host, port, ...so }),
  };
  if (log.length < MOST_LOGGED) log.push(open);
  return open;
}

/** CONNECT host:port */
async function tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer, office: Office): Promise<void> {
  track(office.sockets, socket);
  const target = targetOf(asked.url ?? "");
  const entry = office.begin(target ?? unread(asked.url ?? ""));
  const no = (code: number, why: string): void => {
    entry.refuse(why);
    refuseRaw(socket, code, why);
  };
  if (!target) return no(400, "not a host and a port");
  if (!knowsTheWord(asked.headers, office.at)) return no(407, "the proxy's word is missing");
  if (!agrees(asked, target)) return no(400, "the Host header names another host");
  const reached = await reach(target, ruleFor(office.rules, target), office);
  if ("why" in reached) return no(reached.code, reached.why);
  const { socket: outer } = reached;
  track(office.sockets, outer);
  outer.setTimeout(SILENT_FOR_MS, () => outer.destroy());
  socket.on("data", (piece: Buffer) => entry.sent(piece.length));
  outer.on("data", (piece: Buffer) => entry.received(piece.length));
  for (const [one, other] of [
    [socket, outer],
    [outer, socket],
  ] as const)
    one.once("close", () => other.destroy()).on("error", () => other.destroy());
  socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) {
    entry.sent(head.length);
    outer.write(head);
  }
  socket.pipe(outer);
  outer.pipe(socket);
}

/** Plain HTTP, in the form that proxies are asked in, or below the address that stands for the host of a credential. */
async function forward(asked: IncomingMessage, answer: ServerResponse, office: Office): Promise<void> {
  // Whoever asked may be gone by the time that there is an answer.
  for (const end of [asked, answer]) end.on("error", () => {});
  const order = orderOf(asked, office);
  const entry = office.begin("target" in order ? order.target : unread(asked.url ?? ""));
  const no = (code: number, why: string): void => {
    entry.refuse(why);
    asked.resume();
    if (answer.headersSent) return void answer.destroy();
    answer.writeHead(code, { "content-type": "text/plain; charset=utf-8", connection: "close", "x-loopwright-refused": "1" });
    answer.end(`loopwright: ${why}\n`);
  };
  if ("why" in order) return no(order.code, order.why);
  const { target, path, credential } = order;
  const reached = await reach(target, credential?.origin.rule ?? ruleFor(office.rules, target), office);
  if ("why" in reached) return no(reached.code, reached.why);
  const { socket } = reached;
  track(office.sockets, socket);
  socket.setTimeout(SILENT_FOR_MS, () => socket.destroy());

  const headers: { [name: string]: string | string[] } = { ...passedOn(asked.headers), host: hostHeader(target, credential) };
  if (credential) {
    headers[credential.header] = credential.value;
    entry.use(credential.header);
  }
  // Said out loud also where node would leave it to the end of the connection: bytes without a length would be a second request.
  if (asked.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  const further = plainRequest({
    method: asked.method ?? "GET",
    path,
    headers,
    setHost: false,
    createConnection: () => (credential?.origin.scheme === "https" ? secured(socket, target, office) : socket),
  });
  further.on("error", (error) => no(502, `the host could not be asked: ${error.message}`));
  further.on("response", (heard) => {
    heard.on("data", (piece: Buffer) => entry.received(piece.length));
    heard.on("error", () => answer.destroy());
    // Nobody asked for another protocol, and what is not final was read over by the parser.
    if ((heard.statusCode ?? 0) < 200) {
      heard.destroy();
      return no(502, `the host answered with the status ${heard.statusCode}`);
    }
    try {
      // Throws at what no server may say: nothing that a host answers may end us.
      answer.writeHead(heard.statusCode ?? 502, passedOn(heard.headers));
    } catch (error) {
      heard.destroy();
      return no(502, `the host's answer makes no sense: ${error instanceof Error ? error.message : String(error)}`);
    }
    heard.pipe(answer);
  });
  answer.once("close", () => further.destroy());
  asked.on("data", (piece: Buffer) => entry.sent(piece.length));
  asked.on("error", () => further.destroy());
  asked.pipe(further);
}

/** TLS with the host that was named, whose certificate must be its own. */
const secured = (socket: Socket, { host }: Target, { ca }: Office): Socket =>
  secureConnect({ socket, host, ...(isAddress(host) ? {} : { servername: host }), ...(ca === undefined ? {} : { ca }) });

type Order =
  | { readonly target: Target; readonly path: string; readonly credential: Credential | undefined }
  | { readonly code: number; readonly why: string };

function orderOf(asked: IncomingMessage, { at, credentials }: Office): Order {
  const url = asked.url ?? "";
  if (asked.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length !== 1)
    return { code: 400, why: "not exactly one Host header" };
  if (!["chunked", undefined].includes(asked.headers["transfer-encoding"])) return { code: 400, why: "a body in a form that is not known" };
  const [, authority, rest = "/"] = /^http:\/\/([^/?#]*)([/?].*)?$/i.exec(url) ?? [];
  if (authority !== undefined) {
    const written = parseAuthority(authority);
    if (!written) return { code: 400, why: "not a host" };
    const target = { host: written.host, port: written.port ?? 80 };
    if (!knowsTheWord(asked.headers, at)) return { code: 407, why: "the proxy's word is missing" };
    if (!agrees(asked, target)) return { code: 400, why: "the Host header names another host" };
    const path = rest.startsWith("/") ? rest : `/${rest}`;
    // A credential may be asked for without TLS, which is then added here.
    const credential = credentials.find(({ origin }) => origin.host === target.host && (origin.port === target.port || target.port === 80));
    return credential ? { target: credential.origin, path, credential } : { target, path, credential };
  }
  const prefix = at.kind === "port" ? `/${at.token}/` : "/";
  const [, host = "", path = "/"] = url.startsWith(prefix) ? (/^([^/?#]+)(\/.*)?$/.exec(url.slice(prefix.length)) ?? []) : [];
  const named = parseAuthority(host);
  const credential = credentials.find(({ origin }) => origin.host === named?.host && origin.port === (named.port ?? origin.port));
  if (!credential || !isOwnName(asked.headers.host)) return { code: 400, why: "not a request to a proxy, and no host of a credential" };
  return { target: credential.origin, path, credential };
}

const isOwnName = (host: string | undefined): boolean => /^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host ?? "");

/** Whoever sends two names of a host means one of them for us and the other for somebody else. */
function agrees({ headers }: IncomingMessage, { host, port }: Target): boolean {
  const named = parseAuthority(headers.host ?? "");
  return named !== undefined && named.host === host && (named.port === undefined || named.port === port);
}

function knowsTheWord(headers: IncomingHttpHeaders, at: ListenAt): boolean {
  if (at.kind === "socket") return true;
  const said = Buffer.from(headers["proxy-authorization"] ?? "");
  const word = Buffer.from(`Basic ${Buffer.from(`loopwright:${at.token}`).toString("base64")}`);
  return said.length === word.length && timingSafeEqual(said, word);
}

function targetOf(text: string): Target | undefined {
  const written = parseAuthority(text);
  return written?.port === undefined ? undefined : { host: written.host, port: written.port };
}

const unread = (text: string): Target => ({ host: displayLine(text, 100), port: 0 });

type Reached = { readonly socket: Socket } | { readonly code: number; readonly why: string };

/** A connection to an address that was looked at. One address that may not be reached spoils all of them: no name means both. */
async function reach(target: Target, rule: EgressRule | undefined, { lookup }: Office): Promise<Reached> {
  if (!rule) return { code: 403, why: "the host is not on the list" };
  const addresses = isAddress(target.host) ? [target.host] : await lookup(target.host).catch(() => []);
  if (addresses.length === 0) return { code: 502, why: "the host has no address" };
  if (!addresses.every((address) => mayConnect(rule, address)))
    return { code: 403, why: "the host is one of this machine or of a private network, and the list does not name it with its port" };
  for (const address of addresses) {
    const socket = await connectTo(address, target.port);
    if (!socket) continue;
    const remote = canonicalAddress(socket.remoteAddress ?? "");
    if (remote !== undefined && remote === canonicalAddress(address)) return { socket };
    socket.destroy();
  }
  return { code: 502, why: "the host could not be reached" };
}

const connectTo = (host: string, port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    // It may fail at any time, also when nobody has taken it yet.
    socket.on("error", () => {});
    const giveUp = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    socket.setTimeout(CONNECT_WITHIN_MS, giveUp);
    socket.once("error", giveUp);
    socket.once("connect", () => {
      socket.removeListener("error", giveUp);
      socket.setTimeout(0);
      socket.removeAllListeners("timeout");
      resolve(socket);
    });
  });

const lookUp = async (host: string): Promise<readonly string[]> => (await systemLookup(host, { all: true })).map(({ address }) => address);

/** What is meant for the next hop only; how long a body is, node says anew. */
const HOP = new Set(["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade", "host", "expect"]);

function passedOn(headers: IncomingHttpHeaders): { [name: string]: string | string[] } {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || HOP.has(name) || name.startsWith("proxy-") || named.has(name) ? [] : [[name, value]],
    ),
  );
}

function hostHeader({ host, port }: Target, credential: Credential | undefined): string {
  const usual = credential?.origin.scheme === "https" ? 443 : 80;
  return port === usual ? writtenHost(host) : `${writtenHost(host)}:${port}`;
}

function refuseRaw(socket: Duplex, code: number, why: string): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(`HTTP/1.1 ${code} Refused\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\nloopwright: ${why}\n`);
}

function track(sockets: Set<Duplex>, socket: Duplex): void {
  sockets.add(socket);
  // Whoever is on the other end may leave at any time: the ends are closed, and nobody else is disturbed.
  socket.on("error", () => {}).once("close", () => sockets.delete(socket));
}

const listen = (server: Server, at: ListenAt): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause) =>
      reject(
        new LoopError("box-unusable", `the proxy of the box could not listen: ${cause.message}`, {
          retry: "later",
          hint: "Make room or mend the permissions in the folder for temporary files, then go on with `lw resume`.",
          cause,
        }),
      ),
    );
    const done = (): void => {
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : undefined);
    };
    if (at.kind === "socket") server.listen(at.path, done);
    else server.listen(0, "127.0.0.1", done);
  });

function readRule(text: string): EgressRule {
  const rule = parseRule(text);
  if (rule) return rule;
  throw new LoopError("bad-input", `${JSON.stringify(text)} in box.maker.network.allow is not a host`, {
    retry: "never",
    hint: "Write `host`, `host:port`, or `*.host` with a dot in it; addresses in their plain form, those of IPv6 in brackets.",
  });
}

function readCredential({ to, header, scheme, variable }: CredentialWish, env: Environment): Credential {
  const origin = parseOrigin(to);
  if (!origin)
    throw new LoopError("bad-input", `${JSON.stringify(to)} in box.maker.network.credentials is not where a credential may go`, {
      retry: "never",
      hint: "Write https:// and a host; http:// only for 127.0.0.1, [::1] or localhost.",
    });
  const secret = env.get(variable);
  if (secret === undefined || !/^[\x21-\x7e]+$/.test(secret))
    throw new LoopError(
      "bad-input",
      `the variable ${variable}, which holds the credential for ${writeRule(origin.rule)}, ${secret ? "cannot be put into a header" : "is not set"}`,
      {
        retry: "never",
        hint: "Set it where you start `lw`.",
      },
    );
  return { origin, header: header.toLowerCase(), value: scheme === undefined ? secret : `${scheme} ${secret}` };
}
