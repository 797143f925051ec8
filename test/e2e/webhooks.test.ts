// The daemon's ear, by the program as it is published: what strangers send wakes nothing wrongly, and nothing is lost that was thanked for.
import { createHmac } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findHome } from "../../src/app/home.ts";
import { openRecords } from "../../src/app/open-records.ts";
import type { EntryOf } from "../../src/journal/journal.ts";
import { inPlace, type Place, type Running, UNBOXED, until } from "../support/lw.ts";

const SECRET = "hush";
const MEGABYTE = 1024 * 1024;

/** A daemon whose loop listens to GitHub at one address, and to nobody at another, whose secret is not set. */
async function serving<T>(work: (place: Place, port: number, daemon: Running) => Promise<T>): Promise<T> {
  return inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    // Nothing of what is heard is started: that is another matter, and would only take time.
    place.write("home/machine.yaml", "listen: { port: 0 }\nheadroom: { cpu: 100%, memory: 100% }\ndrain: 1s\n");
    for (const [loop, secret] of [
      ["fix", "HOOK"],
      ["deaf", "NOT_SET"],
    ] as const)
      place.write(`${loop}.loop.json`, specOf(place, loop, secret));
    expect(await place.lw(["add", "fix.loop.json", "deaf.loop.json", "--as", "ada"])).toMatchObject({ exit: 0 });
    const daemon = place.start(["serve", "--no-web"], { env: { HOOK: SECRET } });
    await until(() => portOf(place) !== undefined);
    const answer = await work(place, portOf(place)!, daemon);
    daemon.signal("SIGTERM");
    expect((await daemon.ended).exit).toBe(0);
    return answer;
  });
}

const specOf = (place: Place, loop: string, secret: string): string =>
  JSON.stringify({
    name: loop,
    intent: "Make it right.",
    level: "L2",
    target: { repo: place.repo.dir, base: "main" },
    trigger: { use: "webhook", with: { address: loop, form: "github", secret, events: ["push"] } },
    maker: { use: "shell", with: { run: "true", spends: "nothing" } },
    verifiers: [{ use: "command", with: { run: "true" } }],
    box: UNBOXED,
  });

function portOf({ home }: Place): number | undefined {
  try {
    const { hears } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8"));
    return typeof hears === "string" ? Number(hears.split(":").at(-1)) : undefined;
  } catch {
    return undefined;
  }
}

const signed = (body: string | Buffer, secret = SECRET): string => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

interface Sent {
  readonly id?: string;
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly path?: string;
  readonly agent?: Agent;
}

/** The status of the answer; 0 where the line was cut. */
function deliver(port: number, { id = "1", body = "{}", headers = {}, path = "/hooks/fix", agent }: Sent = {}): Promise<number> {
  return new Promise((resolve) => {
    const all = { "x-github-event": "push", "x-github-delivery": id, "x-hub-signature-256": signed(body), ...headers };
    const asking = request({ host: "127.0.0.1", port, path, method: "POST", headers: all, agent: agent ?? false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    asking.on("error", () => resolve(0));
    asking.end(body);
  });
}

async function heardIn(place: Place, loop: string): Promise<readonly EntryOf<"heard">[]> {
  const records = await openRecords(findHome(place.home, { get: () => undefined }, process.platform, "/"));
  try {
    const all: EntryOf<"heard">[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const page = await records.journal.newestOf(loop, "heard", { before, most: 500 });
      all.push(...page);
      before = page.at(-1)?.seq ?? 0;
      if (page.length < 500) return all;
    }
  } finally {
    records.close();
  }
}

/** What it holds in memory now, as the system says. */
const memoryOf = ({ pid }: Running): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1024;

it("believes nothing that is not signed by its secret, and wakes nothing twice", () =>
  serving(async (place, port) => {
    const good = JSON.stringify({ ref: "refs/heads/main", n: 1 });
    const right = signed(good);
    const refused = [
      { "x-hub-signature-256": "" },
      { "x-hub-signature-256": "sha256=" },
      { "x-hub-signature-256": right.slice(0, -1) },
      { "x-hub-signature-256": `${right}0` },
      { "x-hub-signature-256": signed(good, "other") },
      { "x-hub-signature-256": signed(`${good} `) },
      { "x-hub-signature-256": right.replace("sha256", "sha1") },
    ];

    const answers = await Promise.all(refused.map((headers) => deliver(port, { body: good, headers })));
    const unset = await deliver(port, { path: "/hooks/deaf", body: good, headers: { "x-hub-signature-256": signed(good, "") } });
    const others = [
      await deliver(port, { path: "/hooks/nobody", body: good }),
      await deliver(port, { body: good, headers: { "x-github-event": "issues" } }),
      await deliver(port, { body: "not json" }),
    ];
    expect([answers, unset, others]).toEqual([Array(7).fill(401), 401, [404, 204, 400]]);
    expect(await heardIn(place, "fix")).toEqual([]);

    const first = await deliver(port, { id: "a", body: good });
    const again = await deliver(port, { id: "a", body: good });
    const replayed = await deliver(port, { id: "b", body: good });

    expect([first, again, replayed]).toEqual([202, 200, 200]);
    expect((await heardIn(place, "fix")).map(({ run }) => run)).toEqual(["fix/hook/fix/a"]);
    expect(await heardIn(place, "deaf")).toEqual([]);
  }));

it("thanks for nothing while its home is moved away and begins no other there, and goes on when it is back", () =>
  serving(async (place, port) => {
    renameSync(place.home, `${place.home}-gone`);
    const answers: number[] = [];
    // Longer than the daemon rests between two beats.
    for (const end = Date.now() + 1_200; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100)))
      answers.push(await deliver(port, { id: "a", body: '{"n":1}' }));
    const isBegun = existsSync(place.home);
    renameSync(`${place.home}-gone`, place.home);

    expect([[...new Set(answers)], isBegun, await deliver(port, { id: "b", body: '{"n":2}' })]).toEqual([[503], false, 202]);
    expect((await heardIn(place, "fix")).map(({ run }) => run)).toContain("fix/hook/fix/b");
  }));

it("keeps its memory and its ear through bodies of 100 MB and senders that are slow", () =>
  serving(async (place, port, daemon) => {
    // One that says how large it is, and some that do not; each is sent as long as the daemon takes it.
    await deliver(port);
    const before = memoryOf(daemon);
    const announced = await deliver(port, { headers: { "content-length": String(100 * MEGABYTE) } });
    const poured = await Promise.all([pour(port), pour(port), pour(port)]);
    const most = memoryOf(daemon);
    const slow = Array.from({ length: 40 }, () => dawdle(port));

    // Meanwhile others are heard.
    const heard = await Promise.all(Array.from({ length: 20 }, (_, n) => deliver(port, { id: `m${n}`, body: JSON.stringify({ n }) })));

    expect([413, 0]).toContain(announced);
    expect(poured.filter((status) => status !== 413 && status !== 0)).toEqual([]);
    expect(heard).toEqual(Array(20).fill(202));
    expect(most - before).toBeLessThan(60 * MEGABYTE);
    // They are hung up on, and nobody has to wait for them.
    expect(await Promise.all(slow)).toEqual(Array(40).fill("HTTP/1.1 408 Request Timeout"));
    expect((await heardIn(place, "fix")).length).toBe(21);
  }));

it("loses none of the deliveries of a burst that it thanked for, and does not grow with them", () =>
  serving(async (place, port, daemon) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const memory: number[] = [];
    const thanked = new Set<string>();
    for (let burst = 0; burst < 5; burst++) {
      const ids = Array.from({ length: 200 }, (_, n) => `${burst}-${n}`);
      const body = (id: string): string => JSON.stringify({ ref: "refs/heads/main", id, padding: "x".repeat(2_000) });
      // Every tenth is sent twice at the same moment, every seventh with another's signature.
      const sent = ids
        .flatMap((id, n) => (n % 10 === 0 ? [id, id] : [id]))
        .map(async (id, n) => {
          const status = await deliver(port, {
            id,
            body: body(id),
            agent,
            ...(n % 7 === 3 ? { headers: { "x-hub-signature-256": signed("{}") } } : {}),
          });
          return { id, status };
        });
      for (const { id, status } of await Promise.all(sent)) {
        if (status === 202 || status === 200) thanked.add(id);
        expect([200, 202, 401]).toContain(status);
      }
      memory.push(memoryOf(daemon));
    }
    agent.destroy();

    const heard = (await heardIn(place, "fix")).map(({ run }) => run.slice("fix/hook/fix/".length));
    expect(heard.toSorted()).toEqual([...thanked].toSorted());
    // Else nothing was tried.
    expect(thanked.size).toBeGreaterThan(500);
    expect(memory.at(-1)! - memory[0]!).toBeLessThan(50 * MEGABYTE);
  }));

/** Writes without end, and says nothing of how much it will be. */
function pour(port: number): Promise<number> {
  return new Promise((resolve) => {
    const piece = Buffer.alloc(64 * 1024, "x");
    const asking = request({ host: "127.0.0.1", port, path: "/hooks/fix", method: "POST", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asking.on("error", () => resolve(0));
    let left = 100 * MEGABYTE;
    const next = (): void => {
      while (left > 0) {
        left -= piece.length;
        if (!asking.write(piece)) return void asking.once("drain", next);
      }
      asking.end();
    };
    next();
  });
}

/** Sends the beginning of something, and then nothing more; gives back the first line of what it hears. */
function dawdle(port: number): Promise<string> {
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("POST /hooks/fix HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{"));
    socket.on("data", (piece) => {
      heard += String(piece);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard.split("\r\n", 1)[0] ?? ""));
  });
}
