import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, createServer as createRawServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { describeWith, makeCertificate } from "../../../test/support/programs.ts";
import { seededChance } from "../../../test/support/seeded-chance.ts";
import type { EgressWish } from "../../contract/commands.ts";
import { type EgressAround, type EgressProxy, type ListenAt, openEgress } from "./egress-proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-egress-"));
const heard: {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}[] = [];
const answering = (server: Server): Server =>
  server.on("request", (asked, answer) => {
    let body = "";
    asked.on("data", (piece: Buffer) => {
      body += piece.toString();
    });
    asked.on("end", () => {
      heard.push({ method: asked.method, url: asked.url, headers: asked.headers, body });
      answer.writeHead(200, { "content-type": "text/plain", connection: "close", "x-hop": "1" });
      answer.end(`hello ${body}`);
    });
  });
const listening = (server: {
  listen: (port: number, host: string, done: () => void) => unknown;
  address: () => unknown;
}): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });

let plain: Server;
let port = 0;
let ca: string | undefined;

beforeAll(async () => {
  plain = answering(createServer());
  port = await listening(plain);
});
afterAll(() => {
  plain.close();
  rmSync(folder, { recursive: true, force: true });
});

const proxies: EgressProxy[] = [];
let count = 0;
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  heard.splice(0);
});

interface About extends Partial<EgressWish>, Partial<EgressAround> {
  readonly at?: ListenAt;
}

async function open({ allow = [], credentials = [], at, ...around }: About = {}) {
  const path = join(folder, `s${++count}`);
  const env = { get: (name: string) => ({ KEY: "s3cret" })[name] };
  const proxy = await openEgress({ allow, credentials }, at ?? { kind: "socket", path }, { env, ...(ca ? { ca } : {}), ...around });
  proxies.push(proxy);
  /** What comes back for these bytes, until nobody says more. */
  const say = (text: string, thenSay?: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = at?.kind === "port" ? connect(proxy.port!, "127.0.0.1") : connect(path);
      let back = "";
      socket.on("data", (piece: Buffer) => {
        if (thenSay !== undefined && back === "") socket.write(thenSay);
        back += piece.toString();
      });
      socket.on("error", () => {}).on("close", () => resolve(back));
      socket.write(text);
    });
  return { proxy, say, path };
}

/** Says something and is gone before there can be an answer. */
const hangUp = (path: string, text: string): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(path, () => socket.write(text, () => setImmediate(() => socket.destroy())));
    socket.on("error", () => {}).on("close", () => resolve());
  });

const get = (url: string, host: string, more = ""): string => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
const codeOf = (answer: string): string | undefined => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];

describe("the proxy", () => {
  it("tunnels to a host on the list, and writes down what went through", async () => {
    const { proxy, say } = await open({ allow: [`127.0.0.1:${port}`] });

    const answer = await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`, get("/x", "inner"));

    expect(answer).toMatch(/^HTTP\/1\.1 200 Connection Established\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*hello/);
    expect(proxy.log()).toEqual([{ host: "127.0.0.1", port, sent: expect.any(Number), received: expect.any(Number) }]);
    expect(proxy.log()[0]!.sent).toBe(get("/x", "inner").length);
  });

  it("forwards plain requests with their body, and without what is meant for a proxy", async () => {
    const { proxy, say } = await open({ allow: [`127.0.0.1:${port}`] });
    const body =
      "POST http://127.0.0.1:PORT/a?b=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 5\r\nProxy-Authorization: Basic x\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nX-Stays: 2\r\n\r\nthere";

    const answer = await say(body.replaceAll("PORT", `${port}`));

    expect([codeOf(answer), answer.includes("hello there")]).toEqual(["200", true]);
    expect(heard).toMatchObject([{ method: "POST", url: "/a?b=c", body: "there", headers: { host: `127.0.0.1:${port}`, "x-stays": "2" } }]);
    expect(Object.keys(heard[0]!.headers)).not.toEqual(expect.arrayContaining(["proxy-authorization"]));
    expect(heard[0]!.headers["x-hop"]).toBe(undefined);
    expect(proxy.log()).toMatchObject([{ host: "127.0.0.1", port, sent: 5, received: 11 }]);
  });

  it.each([
    ["another host", "CONNECT evil.example:443", "evil.example:443", "403"],
    ["another port", "CONNECT api.test:444", "api.test:444", "403"],
    ["a name below", "CONNECT x.api.test:443", "x.api.test:443", "403"],
    ["a name that only ends like it", "CONNECT evilapi.test:443", "evilapi.test:443", "403"],
    ["no port", "CONNECT api.test", "api.test", "400"],
    ["a user before it", "CONNECT api.test@evil.example:443", "evil.example:443", "400"],
    ["a Host header of another", "CONNECT api.test:443", "evil.example:443", "400"],
    ["a Host header of another port", "CONNECT api.test:443", "api.test:80", "400"],
    ["the machine in short", "CONNECT 127.1:443", "127.1:443", "400"],
    ["the machine as a number", "CONNECT 2130706433:443", "2130706433:443", "400"],
    ["the machine in hexadecimal", "CONNECT 0x7f.1:443", "0x7f.1:443", "400"],
    ["the machine as IPv6", "CONNECT [::1]:443", "[::1]:443", "403"],
    ["the machine, mapped", "CONNECT [::ffff:127.0.0.1]:443", "[::ffff:127.0.0.1]:443", "403"],
    ["metadata", "CONNECT 169.254.169.254:80", "169.254.169.254:80", "403"],
    ["plain HTTP to a host that is not listed", "GET http://evil.example/", "evil.example", "403"],
    ["plain HTTP to a listed host on a port that is not", "GET http://api.test/", "api.test", "403"],
    ["plain HTTP with another Host", "GET http://api.test:443/", "evil.example", "400"],
    ["plain HTTP with a user", "GET http://api.test:443@evil.example/", "evil.example", "400"],
    ["a scheme that is none", "GET ftp://api.test/", "api.test", "400"],
    ["TLS without a tunnel", "GET https://api.test/", "api.test", "400"],
    ["no host at all", "GET /", "127.0.0.1", "400"],
    ["a path that looks like a host", "GET /api.test/x", "127.0.0.1", "400"],
  ])("refuses %s, and says so in the log", async (_, line, host, code) => {
    const { proxy, say } = await open({ allow: ["api.test"], lookup: async () => ["127.0.0.1"] });

    expect(codeOf(await say(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))).toBe(code);
    expect(proxy.log()).toMatchObject([{ refused: expect.any(String), sent: 0, received: 0 }]);
    expect(heard).toEqual([]);
  });

  it.each([
    ["two lengths", "Content-Length: 5\r\nContent-Length: 6\r\n", "xxxxx"],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"],
    ["chunks of another name", "Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"],
    ["chunks twice", "Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"],
    ["two hosts", "Host: evil.example\r\n", ""],
    ["a header with a space in its name", "X Y: 1\r\n", ""],
    ["a folded header", "X: 1\r\n Host: evil.example\r\n", ""],
  ])("refuses a request that two could read in two ways: %s", async (_, headers, body) => {
    const { say } = await open({ allow: [`127.0.0.1:${port}`] });

    const answer = await say(
      `POST http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n${headers}\r\n${body}`,
    );

    expect(codeOf(answer)).toBe("400");
    expect(heard).toEqual([]);
  });

  it("makes no second request of the body of one", async () => {
    const raw: string[] = [];
    const server = createRawServer((socket) => {
      socket.on("data", (piece) => raw.push(piece.toString())).on("error", () => {});
      setImmediate(() => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
    });
    const at = await listening(server);
    const { say } = await open({ allow: [`127.0.0.1:${at}`] });
    const smuggled = "GET /admin HTTP/1.1\r\nHost: evil\r\n\r\n";

    await say(
      `GET http://127.0.0.1:${at}/ HTTP/1.1\r\nHost: 127.0.0.1:${at}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    );
    server.close();

    // As a chunk with its length, which nobody takes for the beginning of anything.
    if (raw.join("").includes("/admin")) expect(raw.join("")).toContain(`\r\n\r\n${smuggled.length.toString(16)}\r\nGET /admin`);
    expect(raw.join("").toLowerCase()).toContain("transfer-encoding: chunked");
  });

  it("resolves names itself, refuses private addresses behind them, and connects to what it looked at", async () => {
    const asked: string[] = [];
    const answers = [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:127.0.0.1"], []];
    const lookup = async (host: string) => {
      asked.push(host);
      return answers[asked.length - 1]!;
    };
    const { proxy, say } = await open({
      allow: ["*.test"].map((rule) => `${rule}:${port}`).map((rule) => rule.replace("*.test", "*.a.test")),
      lookup,
    });
    const to = (name: string) => `CONNECT ${name}:${port} HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`;

    const codes = [];
    for (const name of ["x.a.test", "Y.A.TEST.", "z.a.test", "gone.a.test"]) codes.push(codeOf(await say(to(name))));

    expect(codes).toEqual(["403", "403", "403", "502"]);
    expect(asked).toEqual(["x.a.test", "y.a.test", "z.a.test", "gone.a.test"]);
    expect(proxy.log().map(({ host }) => host)).toEqual(asked);
  });

  it("reaches a private address where the list names host and port, and asks for the name only once", async () => {
    let asked = 0;
    // A name that means something else the second time.
    const lookup = async () => (asked++ === 0 ? ["127.0.0.1"] : ["10.9.9.9"]);
    const { say } = await open({ allow: [`model.test:${port}`], lookup });

    expect(codeOf(await say(get(`http://model.test:${port}/`, `model.test:${port}`)))).toBe("200");
    expect(asked).toBe(1);
  });

  it("goes on whatever is thrown at it, and whoever hangs up", async () => {
    const { say, proxy, path } = await open({ allow: [`127.0.0.1:${port}`] });
    const chance = seededChance(42);
    const anyOf = (list: readonly string[]): string => list[Number.parseInt(chance.text("0-9", 4), 10) % list.length]!;
    const pieces = [
      ...["GET", "CONNECT", "POST", " ", "http://", `127.0.0.1:${port}`, "/", "HTTP/1.1", "\r\n", "Host:", "Content-Length: 9", "\r\n\r\n"],
      ...["Transfer-Encoding: chunked", "Connection: upgrade", "Upgrade: websocket", "\0", "ffff\r\n", "@", "é"],
    ];
    for (let turn = 0; turn < 150; turn++) {
      const text = Array.from({ length: 1 + (turn % 12) }, () => anyOf(pieces)).join("");
      await hangUp(path, turn % 3 === 0 ? text : `GET http://127.0.0.1:${port}/${turn} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n${text}`);
    }

    expect(codeOf(await say(get(`http://127.0.0.1:${port}/`, `127.0.0.1:${port}`)))).toBe("200");
    expect(proxy.log().every(({ host, refused }) => host === "127.0.0.1" || refused !== undefined)).toBe(true);
  });

  it("goes on whatever a host answers, and hands on nothing that makes no sense", async () => {
    let answer = "";
    const raw = createRawServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer, "latin1")));
    const at = await listening(raw);
    const { say } = await open({ allow: [`127.0.0.1:${at}`] });
    const chance = seededChance(7);
    const heads = [
      "HTTP/1.1 000 x",
      "HTTP/1.1 99 x",
      "HTTP/1.1 101 Switching Protocols",
      "HTTP/1.1 1000 x",
      "HTTP/1.1 204",
      "HTTP/9.9 200",
      "x",
      "",
    ];
    const lines = [
      "Content-Length: -1",
      "Content-Length: 5\r\nContent-Length: 6",
      "Transfer-Encoding: x, chunked",
      "X: \u00ff\u0001",
      ": y",
      "Upgrade: x",
    ];

    const codes: (string | undefined)[] = [];
    for (let turn = 0; turn < heads.length * lines.length; turn++) {
      answer = `${heads[turn % heads.length]}\r\n${lines[Math.floor(turn / heads.length)]}\r\n\r\n${chance.text("0-9", 9)}`;
      codes.push(codeOf(await say(get(`http://127.0.0.1:${at}/`, `127.0.0.1:${at}`))));
    }
    raw.close();

    expect(codes[0]).toBe("502");
    expect([...new Set(codes)].filter((code) => code !== "502" && code !== "204" && code !== "200" && code !== undefined)).toEqual([]);
  });

  it("says what is wrong with a list before anything runs", async () => {
    await expect(open({ allow: ["*.com"] })).rejects.toMatchObject({ code: "bad-input" });
    await expect(open({ allow: ["http://a.example"] })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("is asked on a port only by those who know the word", async () => {
    const { say } = await open({ allow: [`127.0.0.1:${port}`], at: { kind: "port", token: "t0ken" } });
    const word = `Proxy-Authorization: Basic ${Buffer.from("loopwright:t0ken").toString("base64")}\r\n`;
    const url = `http://127.0.0.1:${port}/`;

    expect(codeOf(await say(get(url, `127.0.0.1:${port}`)))).toBe("407");
    expect(codeOf(await say(get(url, `127.0.0.1:${port}`, word.replace("bG9v", "bG8v"))))).toBe("407");
    expect(codeOf(await say(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`))).toBe("407");
    expect(codeOf(await say(get(url, `127.0.0.1:${port}`, word)))).toBe("200");
  });
});

describeWith("openssl", "a credential", () => {
  let secure: Server;
  let securePort = 0;
  beforeAll(async () => {
    const { key, cert } = makeCertificate("api.test");
    ca = cert;
    // Both kinds of servers take the same requests.
    secure = answering(createSecureServer({ key, cert }) as unknown as Server);
    securePort = await listening(secure);
  });
  afterAll(() => secure.close());

  const key = (about: object = {}) => ({
    to: `https://api.test:${securePort}`,
    header: "X-Api-Key",
    variable: "KEY",
    baseUrls: {},
    ...about,
  });
  const lookup = async () => ["127.0.0.1"];

  it("is put into a plain request, in place of what the maker sent, and TLS is added", async () => {
    const { proxy, say } = await open({ credentials: [key()], lookup });

    const answer = await say(get("http://api.test/v1/messages", "api.test", "X-Api-Key: placeholder\r\n"));

    expect(codeOf(answer)).toBe("200");
    expect(heard).toMatchObject([{ url: "/v1/messages", headers: { "x-api-key": "s3cret", host: `api.test:${securePort}` } }]);
    expect(proxy.log()).toMatchObject([{ host: "api.test", port: securePort, credential: "x-api-key" }]);
    expect(JSON.stringify(proxy.log())).not.toContain("s3cret");
  });

  it("is put in also below the address that stands for its host", async () => {
    const { say } = await open({ credentials: [key({ header: "Authorization", scheme: "Bearer" })], lookup });

    expect(codeOf(await say(get(`/api.test:${securePort}/v1/chat?x=1`, "127.0.0.1:3128")))).toBe("200");
    expect(heard).toMatchObject([{ url: "/v1/chat?x=1", headers: { authorization: "Bearer s3cret" } }]);
    expect(codeOf(await say(get(`/api.test:${securePort}/v1/chat`, "evil.example")))).toBe("400");
  });

  it("needs the word there where the proxy has a port", async () => {
    const { say } = await open({ credentials: [key()], lookup, at: { kind: "port", token: "t0ken" } });

    expect(codeOf(await say(get(`/api.test:${securePort}/`, "127.0.0.1:1")))).toBe("400");
    expect(codeOf(await say(get(`/t0ken/api.test:${securePort}/`, "127.0.0.1:1")))).toBe("200");
  });

  it("goes to nobody else: not to another host, and not to one whose certificate is another's", async () => {
    const { say } = await open({ allow: [`127.0.0.1:${port}`], credentials: [key({ to: `https://other.test:${securePort}` })], lookup });

    expect(codeOf(await say(get(`http://127.0.0.1:${port}/`, `127.0.0.1:${port}`)))).toBe("200");
    expect(heard[0]!.headers["x-api-key"]).toBe(undefined);
    expect(codeOf(await say(get("http://other.test/", "other.test")))).toBe("502");
    expect(heard).toHaveLength(1);
  });

  it("goes without TLS only to a server of this machine", async () => {
    const { say } = await open({ credentials: [key({ to: `http://127.0.0.1:${port}` })] });

    expect(codeOf(await say(get(`/127.0.0.1:${port}/`, "127.0.0.1:1")))).toBe("200");
    expect(heard[0]!.headers["x-api-key"]).toBe("s3cret");
    await expect(open({ credentials: [key({ to: "http://api.test" })] })).rejects.toMatchObject({ code: "bad-input" });
  });

  it("that is not set, or is no header, is said before anything runs", async () => {
    await expect(open({ credentials: [key({ variable: "NOT_SET" })] })).rejects.toThrow("NOT_SET");
    await expect(open({ credentials: [key()], env: { get: () => "a\r\nb" } })).rejects.toThrow("cannot be put into a header");
  });
});
