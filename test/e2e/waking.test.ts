// Everything that wakes a loop, heard by a real daemon at once, beside loops that go wrong wherever they can.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findHome } from "../../src/app/home.ts";
import { openRecords } from "../../src/app/open-records.ts";
import type { Waking } from "../../src/contract/waking.ts";
import type { EntryOf, Kind } from "../../src/journal/journal.ts";
import { inPlace, type Place, UNBOXED, until } from "../support/lw.ts";

const ROOMY = "runs: 8\nheadroom: { cpu: 0%, memory: 0% }\nlisten: { port: 0 }\n";

interface About {
  readonly trigger: object;
  /** Default: one that has nothing to do. */
  readonly run?: string;
  readonly repo?: string;
  readonly wake?: object;
}

/** What a loop's maker was told to do leaves its name in the file `woken`. */
function specOf(place: Place, loop: string, { trigger, run = "true", repo = place.repo.dir, wake }: About): string {
  return JSON.stringify({
    name: loop,
    intent: "Make it right.",
    level: "L2",
    budget: { rounds: 1 },
    baseline: { when: "off" },
    target: { repo, base: "main" },
    trigger,
    maker: { use: "shell", with: { run: `echo ${loop} >>"${join(place.dir, "woken")}"; ${run}`, spends: "nothing" } },
    verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
    box: UNBOXED,
    ...(wake ? { wake } : {}),
  });
}

/** A target of its own, so that nobody waits for another. */
function repoOf(place: Place, name: string): string {
  const dir = join(place.dir, "repos", name);
  mkdirSync(join(place.dir, "repos"), { recursive: true });
  place.repo.git("clone", "--quiet", place.repo.dir, dir);
  return dir;
}

const wokenIn = (place: Place): readonly string[] =>
  existsSync(join(place.dir, "woken")) ? readFileSync(join(place.dir, "woken"), "utf8").trim().split("\n") : [];

async function recordsOf<K extends Kind>(place: Place, loop: string, kind: K): Promise<readonly EntryOf<K>["record"][]> {
  const records = await openRecords(findHome(place.home, { get: () => undefined }, process.platform, "/"));
  try {
    return (await records.journal.newestOf(loop, kind, { most: 1000 })).map(({ record }) => record);
  } finally {
    records.close();
  }
}

const wakingsOf = (place: Place, loop: string): Promise<readonly Waking[]> => recordsOf(place, loop, "waking");

it("hears files, loops, decisions and remotes, and no loop that goes wrong keeps another from waking", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    place.write("home/machine.yaml", ROOMY);
    const remote = repoOf(place, "far");
    const add = (loop: string, about: Omit<About, "repo">): void =>
      void place.write(`specs/${loop}.loop.json`, specOf(place, loop, { ...about, repo: repoOf(place, loop) }));
    const everySecond = { use: "every", with: { interval: "1s" } };
    add("by-files", { trigger: { use: "files", with: { paths: ["notes/*.md"], rest: "1s" } }, run: "echo right >value.txt" });
    add("by-loop", { trigger: { use: "loop", with: { name: "by-files", endings: ["proven"] } } });
    add("by-inbox", { trigger: { use: "inbox" }, run: "echo right >value.txt" });
    add("by-remote", { trigger: { use: "git", with: { ref: "main", remote: "far", every: "5s" } } });
    add("steady", { trigger: everySecond, run: "exit 3" });
    // These go wrong: their target, their maker, what they listen to, and, further down, their spec.
    add("no-target", { trigger: everySecond });
    add("bad-maker", { trigger: everySecond, run: "kill -KILL $PPID $$" });
    add("no-remote", { trigger: { use: "git", with: { ref: "main", remote: "nowhere", every: "5s" } } });
    add("bad-spec", { trigger: everySecond });
    place.repo.git("-C", join(place.dir, "repos/by-remote"), "remote", "add", "far", remote);
    expect(await place.lw(["add", "specs", "--as", "ada"])).toMatchObject({ exit: 0 });
    rmSync(join(place.dir, "repos/no-target"), { recursive: true });

    const daemon = place.start(["serve", "--no-web", "--json"]);
    const woken = (loop: string, times = 1): Promise<void> => until(() => wokenIn(place).filter((name) => name === loop).length >= times);
    await woken("steady");
    await until(async () => (await recordsOf(place, "by-remote", "first-seen")).length > 0);
    place.repo.git("-C", remote, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "moved");
    place.write("specs/bad-spec.loop.json", "{ this is no spec");
    place.write("repos/by-files/notes/one.md", "look\n");
    await woken("by-files");
    await woken("by-loop");
    expect((await place.lw(["run", "specs/by-inbox.loop.json"])).exit).toBe(0);
    const { items } = (await place.json(["inbox"])).said;
    const { id: run } = items.find((item: { readonly loop: string }) => item.loop === "by-inbox");
    expect((await place.lw(["reject", run, "--as", "ada", "--why", "not like this"])).exit).toBe(0);
    await woken("by-inbox", 2);
    await woken("by-remote");
    await until(async () => (await wakingsOf(place, "no-target")).some(({ fate }) => fate === "failed"));
    await woken("steady", 3);
    const { said: inbox } = await place.json(["inbox"]);
    daemon.signal("SIGTERM");
    expect((await daemon.ended).exit).toBe(0);

    const ways = await Promise.all(["by-files", "by-loop", "by-inbox", "by-remote"].map((loop) => wakingsOf(place, loop)));
    expect(ways.map((wakings) => wakings.map(({ fate, cause }) => `${fate} ${cause.kind}`))).toEqual([
      ["ran files"],
      ["ran loop"],
      ["ran inbox"],
      ["ran git"],
    ]);
    expect((await wakingsOf(place, "steady")).filter(({ fate }) => fate === "failed" || fate === "missed")).toEqual([]);
    expect(inbox.items.map(({ loop }: { readonly loop: string }) => loop)).toEqual(expect.arrayContaining(["no-target", "bad-spec"]));
  }));

it("wakes nothing without room and says so, and goes by what the machine's settings say now when it is told to reload", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    place.write("home/machine.yaml", `${ROOMY.replace("memory: 0%", "memory: 100%")}`);
    place.write("fix.loop.json", specOf(place, "fix", { trigger: { use: "manual" } }));
    expect(await place.lw(["add", "fix.loop.json", "--now", "--as", "ada"])).toMatchObject({ exit: 0 });

    const once = await place.start(["serve", "--once"]).ended;
    expect(once.stdout).toMatch(/fix {2}waits {2}\d+% of the memory is free, and 100% should be/);
    // What the first one left there tells nothing of the second.
    rmSync(join(place.home, "ticks.json"));
    const daemon = place.start(["serve", "--no-web", "--json"]);
    await until(async () => /waits: \d+% of the memory/.test((await place.lw(["schedule", "fix", "--why"])).stdout));
    expect(wokenIn(place)).toEqual([]);
    place.write("home/machine.yaml", ROOMY);
    daemon.signal("SIGHUP");
    await until(() => wokenIn(place).length > 0);
    daemon.signal("SIGTERM");

    const { exit, stderr } = await daemon.ended;
    expect([exit, stderr]).toEqual([0, ""]);
  }));

it("wakes all that is due in one go, also where there is room for one at a time", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    place.write("home/machine.yaml", ROOMY.replace("runs: 8", "runs: 1"));
    const loops = ["one", "two", "three"];
    for (const loop of loops) place.write(`specs/${loop}.loop.json`, specOf(place, loop, { trigger: { use: "manual" } }));
    expect(await place.lw(["add", "specs", "--now", "--as", "ada"])).toMatchObject({ exit: 0 });

    // None of them is proven: who calls it from cron hears of that.
    expect((await place.start(["serve", "--once"]).ended).exit).toBe(1);

    expect(wokenIn(place).toSorted()).toEqual(loops.toSorted());
  }));
