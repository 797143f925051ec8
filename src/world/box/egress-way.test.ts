import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { describeBoxed, isOfLinux, wishFor } from "../../../test/support/box.ts";
import { describeWith } from "../../../test/support/programs.ts";
import type { EgressWish } from "../../contract/commands.ts";
import { neverStops } from "../../contract/stop.ts";
import { systemClock } from "../machine/clock.ts";
import { thisMachine } from "../process/machine-use.ts";
import { createProc } from "../process/proc.ts";
import { markedProcesses } from "../process/processes.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { type Box, createBox } from "./box.ts";
import { profileText } from "./seatbelt.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-boxed-way-")));
const room = join(folder, "room");
const PATH = process.env.PATH ?? "/usr/bin:/bin";
const NODE = `'${process.execPath}'`;
const mark = `way-test-${process.pid}`;
const SECRET = "s3cret-that-nobody-inside-sees";

const heard: IncomingHttpHeaders[] = [];
const servers = [0, 1].map((number) =>
  createServer((asked, answer) => {
    heard.push(asked.headers);
    answer.end(`server ${number} at ${asked.url}\n`);
  }),
);
let [allowed, other] = [0, 0];

beforeAll(async () => {
  mkdirSync(room);
  const ports = servers.map(
    (server) => new Promise<number>((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port))),
  );
  [allowed, other] = (await Promise.all(ports)) as [number, number];
});
afterEach(() => {
  heard.splice(0);
  expect(markedProcesses(mark)).toEqual([]);
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const lookup = async (host: string): Promise<readonly string[]> =>
  host === "model.test" ? ["127.0.0.1"] : host === "rebound.test" ? ["10.0.0.7"] : [];
const env = { get: (name: string) => ({ MODEL_KEY: SECRET, HOME: folder })[name] };
const procWith = (box: Box) =>
  createProc(createArtifacts(join(folder, "artifacts")), systemClock, neverStops, { box, machine: thisMachine });
const proc = procWith(createBox(join(folder, "home"), env, { lookup }));

const run = (command: string, wish: Partial<EgressWish>) =>
  proc.run({
    run: command,
    cwd: room,
    env: { PATH },
    timeoutMs: 30_000,
    mark,
    box: wishFor([room], { folder, network: { allow: [], credentials: [], ...wish } }),
  });
const said = async (command: string, wish: Partial<EgressWish>): Promise<string> => (await run(command, wish)).tail;

/** Asks by way of the proxy whatever its variables say about it. */
const viaProxy = (url: string): string => `curl -sS --max-time 20 --noproxy '' ${url} 2>&1`;

describeBoxed("with a box", () =>
  describeWith("curl", "a boxed command whose network is a list", () => {
    it("reaches a server on the list through the proxy by its name, and what went through is told", async () => {
      const { tail, box, egress } = await run(`${viaProxy(`http://model.test:${allowed}/x`)}; curl -sS http://model.test:${allowed}/y`, {
        allow: [`model.test:${allowed}`],
      });

      expect(tail).toBe("server 0 at /x\nserver 0 at /y\n");
      expect(box).toMatchObject({ network: "listed", reaches: [`model.test:${allowed}`] });
      expect(egress).toEqual([
        { host: "model.test", port: allowed, sent: 0, received: 15 },
        { host: "model.test", port: allowed, sent: 0, received: 15 },
      ]);
    });

    it.runIf(isOfLinux)("reaches a server of this machine at its own address, also with a program that knows no proxies", async () => {
      const fetching = `${NODE} -e "fetch('http://127.0.0.1:${allowed}/plain').then((a) => a.text()).then((text) => process.stdout.write(text))"`;

      const { tail, egress } = await run(`env -u HTTP_PROXY -u http_proxy ${fetching}`, { allow: [`127.0.0.1:${allowed}`] });

      expect(tail).toBe("server 0 at /plain\n");
      expect(egress).toMatchObject([{ host: "127.0.0.1", port: allowed }]);
    });

    it("is refused everything else: other hosts, other ports, private addresses behind a name", async () => {
      const wish = { allow: [`model.test:${allowed}`, "rebound.test"] };

      const { tail, egress } = await run(
        [
          `http://evil.test/`,
          `http://model.test:${other}/`,
          `http://127.0.0.1:${other}/`,
          `http://127.0.0.1:${allowed}/`,
          `http://169.254.169.254/latest/meta-data/`,
          "https://rebound.test/",
        ]
          .map((url) => `curl -s -o /dev/null -w '%{http_code}%{http_connect} ' --max-time 20 --noproxy '' ${url}`)
          .join("; "),
        wish,
      );

      expect(tail.trim().split(" ")).toEqual(["403000", "403000", "403000", "403000", "403000", "000403"]);
      expect(egress?.map(({ refused }) => typeof refused)).toEqual(Array.from({ length: 6 }, () => "string"));
      expect(heard).toEqual([]);
    });

    it("cannot go past the proxy: not directly, not to other ports of this machine, and there is no other network", async () => {
      const direct = `curl -s -o /dev/null -w '%{exitcode} ' --max-time 5 --noproxy '*'`;

      const tail = await said(
        `${direct} http://127.0.0.1:${other}/; ${direct} http://1.1.1.1/; ${direct} http://[::1]:${other}/; grep -v -e '|' -e ' lo:' /proc/net/dev; ls /run 2>/dev/null | wc -l`,
        { allow: [`127.0.0.1:${allowed}`] },
      );

      expect(tail.trim().split(/\s+/)).toEqual(["7", "7", "7", "0"]);
      expect(heard).toEqual([]);
    });

    it("has a credential in its requests, and not in its environment, its files or its proxy", async () => {
      const credentials = [
        { to: `http://127.0.0.1:${allowed}`, header: "x-api-key", variable: "MODEL_KEY", baseUrls: { MODEL_BASE_URL: "/v1" } },
      ];

      const { tail, egress } = await run(
        `curl -sS -H "x-api-key: $MODEL_KEY" "$MODEL_BASE_URL/messages"; echo "$MODEL_KEY"; cat /proc/*/environ /proc/*/cmdline > seen 2>/dev/null`,
        { credentials },
      );

      expect(tail).toBe("server 0 at /v1/messages\nput-in-by-the-proxy\n");
      const seen = readFileSync(join(room, "seen"), "latin1");
      expect([seen.includes("MODEL_KEY=put-in-by-the-proxy"), seen.includes(SECRET)]).toEqual([true, false]);
      expect(heard).toMatchObject([{ "x-api-key": SECRET }]);
      expect(egress).toMatchObject([{ credential: "x-api-key" }]);
    });

    it("can use servers of its own, which nobody outside reaches", async () => {
      const serve = `${NODE} -e "require('http').createServer((q, a) => a.end('own\\n')).listen(8123, '127.0.0.1')" & until curl -s http://127.0.0.1:8123/; do :; done; kill $!`;

      expect(await said(serve, { allow: ["example.com"] })).toBe("own\n");
    });

    it("reaches nobody with an empty list", async () => {
      expect(await said(viaProxy(`http://127.0.0.1:${allowed}/`), {})).toContain("the host is not on the list");
    });

    it("leaves nothing behind, neither a socket nor a process", async () => {
      const before = readdirSync(tmpdir()).filter((name) => name.startsWith("lw-way-")).length;
      await run("true", { allow: ["example.com"] });

      expect(readdirSync(tmpdir()).filter((name) => name.startsWith("lw-way-")).length).toBeLessThanOrEqual(before);
    });

    it("ends as it would without a way out", async () => {
      expect((await run("exit 7", { allow: ["example.com"] })).end).toEqual({ kind: "exited", code: 7 });
      expect((await run("kill -KILL $$", { allow: ["example.com"] })).end).toEqual({ kind: "killed", signal: "SIGKILL" });
    });

    it.runIf(isOfLinux)("does not run where the way could not be made, and that is no failure of its own", async () => {
      const failing = proc.run({
        run: "echo ran",
        cwd: room,
        env: { PATH },
        timeoutMs: 30_000,
        mark,
        box: wishFor([room], { folder, network: { allow: ["example.com"], credentials: [] }, hidden: [process.execPath] }),
      });

      await expect(failing).rejects.toMatchObject({ code: "box-unusable" });
    });
  }),
);

describeWith("curl", "without a box", () => {
  it("is not said to be kept from anything", async () => {
    const nowhere = { get: (name: string) => (name === "PATH" ? "/nonexistent" : env.get(name)) };
    const box = createBox(join(folder, "home"), nowhere, { lookup });
    const credentials = [
      { to: `http://127.0.0.1:${allowed}`, header: "x-api-key", variable: "MODEL_KEY", baseUrls: { MODEL_BASE_URL: "" } },
    ];

    const finished = await procWith(box).run({
      run: `curl -sS "$MODEL_BASE_URL/x"; curl -sS http://127.0.0.1:${other}/y; echo "$MODEL_KEY"`,
      cwd: room,
      env: { PATH },
      timeoutMs: 30_000,
      mark,
      box: wishFor([room], { when: "available", folder, network: { allow: [], credentials } }),
    });

    expect(finished.tail).toBe("server 0 at /x\nserver 1 at /y\nput-in-by-the-proxy\n");
    expect(finished.box).toMatchObject({ kind: "none" });
    expect(finished.egress).toMatchObject([{ credential: "x-api-key" }]);
  });
});

it("lets seatbelt allow the proxy's port and no other", () => {
  const network = { allow: [], credentials: [] };

  expect(profileText([], { network }, [3128]).split("\n").slice(2, 4)).toEqual([
    "(deny network*)",
    '(allow network-outbound (remote ip "localhost:3128"))',
  ]);
});
