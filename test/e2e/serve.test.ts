// The daemon as people meet it: one for a home, what it says, how it stops, and whom it tells that it lives.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place, processesIn, UNBOXED, until } from "../support/lw.ts";

function write(place: Place, loop: string, about: { readonly run: string; readonly trigger?: object }): void {
  const { run, trigger = { use: "manual" } } = about;
  const spec = {
    name: loop,
    intent: "Make it right.",
    level: "L2",
    budget: { rounds: 1 },
    baseline: { when: "off" },
    target: { repo: place.repo.dir, base: "main" },
    trigger,
    maker: { use: "shell", with: { run, spends: "nothing" } },
    verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
    box: UNBOXED,
  };
  place.write(`${loop}.loop.json`, JSON.stringify(spec));
}

async function prepared(
  place: Place,
  about: { readonly machine?: string; readonly run: string; readonly trigger?: object },
): Promise<void> {
  place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
  place.write("home/machine.yaml", `headroom: { cpu: 0%, memory: 0% }\nlisten: { port: 0 }\n${about.machine ?? ""}`);
  write(place, "fix", about);
  expect(await place.lw(["add", "fix.loop.json", "--now", "--as", "ada"])).toMatchObject({ exit: 0 });
}

const kindsIn = (stdout: string): readonly string[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).kind);

it("does one tick, waits for what it started, and ends", () =>
  inPlace(async (place) => {
    await prepared(place, { run: "echo right >value.txt" });

    const { exit, stdout } = await place.start(["serve", "--once", "--json"]).ended;

    expect([exit, kindsIn(stdout)]).toEqual([0, ["serving", "woke", "over", "stopped"]]);
    expect((await place.json(["status"])).said.loops).toMatchObject([{ loop: "fix", last: { rest: { kind: "accept" } } }]);
  }));

it("lets those have their turn in one tick who had no room at first, and ends as the gravest of them did", () =>
  inPlace(async (place) => {
    await prepared(place, { run: "echo right >value.txt" });
    write(place, "odd", { run: "echo wrong again >value.txt" });
    expect(await place.lw(["add", "odd.loop.json", "--now", "--as", "ada"])).toMatchObject({ exit: 0 });

    const { exit, stdout } = await place.start(["serve", "--once", "--json"]).ended;

    expect([exit, kindsIn(stdout)]).toEqual([1, ["serving", "woke", "over", "woke", "over", "stopped"]]);
  }));

it("is alone in its home, and says who it is; the first stop lets a run finish", () =>
  inPlace(async (place) => {
    await prepared(place, {
      run: `: >"${join(place.dir, "working")}"; until [ -e "${join(place.dir, "go")}" ]; do sleep 0.05; done; echo right >value.txt`,
      machine: "drain: 10m\n",
    });
    expect((await place.json(["status"])).said.daemon).toEqual({ kind: "none" });
    const daemon = place.start(["serve", "--no-web", "--json"]);
    await until(() => existsSync(join(place.dir, "working")));

    const second = await place.apart.lw(["serve", "--no-web"]);
    const { daemon: seen } = (await place.json(["status"])).said;
    expect([second.exit, second.stderr.includes(`process ${daemon.pid}`)]).toEqual([75, true]);
    expect(seen).toMatchObject({ kind: "alive", note: { pid: daemon.pid }, isOlder: false });
    daemon.signal("SIGTERM");
    place.write("go", "");
    const { exit, stdout } = await daemon.ended;

    expect([exit, kindsIn(stdout).slice(-3)]).toEqual([0, ["stopping", "over", "stopped"]]);
    expect((await place.json(["status"])).said).toMatchObject({
      daemon: { kind: "none" },
      loops: [{ last: { rest: { kind: "accept" } } }],
    });
  }));

it.each([
  { name: "stops runs so that they can be resumed when the drain is over", machine: "drain: 1s\n", signals: 1, exit: 0 },
  { name: "stops at once when it is asked twice", machine: "drain: 10m\n", signals: 2, exit: 75 },
])("$name", ({ machine, signals, exit }) =>
  inPlace(async (place) => {
    const working = join(place.dir, "working");
    await prepared(place, { run: `if [ -e "${working}" ]; then echo right >value.txt; else : >"${working}"; sleep 300; fi`, machine });
    const daemon = place.start(["serve", "--no-web", "--json"]);
    await until(() => existsSync(working));

    daemon.signal("SIGTERM");
    if (signals === 2) {
      // Two of one kind that come together are one for the system.
      daemon.signal("SIGINT");
    }
    expect((await daemon.ended).exit).toBe(exit);
    await until(() => processesIn(place).length === 0);
    expect((await place.json(["status"])).said.loops).toMatchObject([{ loop: "fix", state: "interrupted" }]);
    const next = await place.start(["serve", "--once", "--json"]).ended;

    expect([next.exit, kindsIn(next.stdout)]).toEqual([0, ["serving", "woke", "over", "stopped"]]);
    expect((await place.json(["status"])).said.loops).toMatchObject([{ loop: "fix", last: { rest: { kind: "accept" } } }]);
  }),
);

it("tells a monitor that it lives, and by another address that it cannot tick", async () => {
  const pings: string[] = [];
  const monitor = createServer((asked, response) => {
    pings.push(asked.url ?? "");
    response.end("OK");
  });
  await new Promise<void>((resolve) => monitor.listen(0, "127.0.0.1", resolve));
  const { port } = monitor.address() as AddressInfo; // it listens on a port
  try {
    await inPlace(async (place) => {
      await prepared(place, { run: "echo right >value.txt", machine: `ping: "http://127.0.0.1:${port}/its-id"\n` });
      await place.start(["serve", "--once"]).ended;
      await until(() => pings.includes("/its-id"));
      // Where its last tick should be written there is a folder.
      rmSync(join(place.home, "ticks.json"));
      place.write("home/ticks.json/in-the-way", "");
      await place.start(["serve", "--once"]).ended;
      await until(() => pings.includes("/its-id/fail"));
    });
  } finally {
    monitor.close();
  }
});

it("wakes a loop when a ref of its target moves, told by a hook long before it would look", () =>
  inPlace(async (place) => {
    await prepared(place, { run: "echo right >value.txt", trigger: { use: "git", with: { ref: "main", every: "1h" } } });
    const hooks = await place.lw(["hook", "install", "git", "--wake"], { cwd: place.repo.dir });
    expect([hooks.exit, existsSync(join(place.repo.dir, ".git/hooks/post-commit"))]).toEqual([0, true]);
    const daemon = place.start(["serve", "--no-web", "--json"]);
    // First seen, and so only where it begins.
    await until(async () => (await place.lw(["status", "--json"])).stdout.includes('"accept"'));

    place.repo.commit("moved", { files: { "other.txt": "x\n" } });
    await until(async () => JSON.parse((await place.lw(["status", "--json"])).stdout).loops[0].last.run.startsWith("fix-2-"));
    daemon.signal("SIGTERM");

    expect((await daemon.ended).exit).toBe(0);
    expect(readFileSync(join(place.repo.dir, ".git/hooks/post-commit"), "utf8")).toContain("lw hook install git --wake");
  }));
