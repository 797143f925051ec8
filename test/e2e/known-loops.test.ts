// Which loops a home looks after, by the built program: adding, removing and showing them, odd files, and the child that a waking starts.
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place, UNBOXED, until } from "../support/lw.ts";

const MANUAL = { trigger: { use: "manual" } };

const specOf = (place: Place, name: string, more: object = {}): string =>
  JSON.stringify({
    name,
    intent: "Make it right.",
    level: "L2",
    target: { repo: place.repo.dir, base: "main" },
    trigger: { use: "every", with: { interval: "1s" } },
    maker: { use: "shell", with: { run: "echo right > value.txt" } },
    verifiers: [{ use: "command", with: { run: "grep -q right value.txt" } }],
    box: UNBOXED,
    ...more,
  });

function lay(place: Place, file: string, text: string): string {
  mkdirSync(join(place.dir, "loops"), { recursive: true });
  return place.write(join("loops", file), text);
}

const wake = (place: Place, loop: string, key: string) => place.apart.json(["run", loop, "--waking", key]);

/** Adds a spec, and asks for its loop to be woken once: times would come due while the test looks. */
async function askFor(place: Place, file: string, text: string): Promise<string> {
  const { said } = await place.json(["add", "--as", "ada", "--now", lay(place, file, text)]);
  return said.woken[0];
}

it("adds a folder, tells what is wrong in it, follows what changes, and forgets what is removed", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    lay(place, "good.loop.json", specOf(place, "good"));
    const bad = lay(place, "bad.loop.json", specOf(place, "bad", { level: "L9" }));

    const added = await place.lw(["add", "--as", "ada", "loops"]);
    expect([added.exit, added.stdout.split(/\s+/).slice(0, 2), added.stderr.includes("bad.loop.json:1:")]).toEqual([
      64,
      ["added", "good"],
      true,
    ]);

    writeFileSync(bad, specOf(place, "bad"));
    expect((await place.json(["add", "--as", "ada", "loops"])).said).toMatchObject({
      ok: true,
      changes: [{ kind: "added", loop: "bad" }],
      problems: [],
    });
    const { said } = await place.json(["loops"]);
    expect(said.loops).toMatchObject([
      { loop: "bad", path: bad, trigger: "every 1s", standing: "free", isRight: true, why: null },
      { loop: "good", isRight: true },
    ]);

    expect((await place.lw(["remove", "--as", "ada", "bad"])).exit).toBe(0);
    expect((await place.json(["loops"])).said.loops.map(({ loop }: { readonly loop: string }) => loop)).toEqual(["good"]);
    expect((await place.lw(["remove", "--as", "ada", "bad"])).exit).toBe(64);
    const status = await place.lw(["status"]);
    expect(status.stdout).toMatch(/good .*not run yet/);
  }));

it("takes no harm from links, pipes, huge files and folders among specs, and hides no other spec for them", () =>
  inPlace(async (place) => {
    lay(place, "good.loop.json", specOf(place, "good"));
    const at = (name: string): string => join(place.dir, "loops", name);
    symlinkSync(at("good.loop.json"), at("also.loop.json"));
    symlinkSync(at("nowhere"), at("dangling.loop.json"));
    mkdirSync(at("folder.loop.yaml"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', at("pipe.loop.yml")]);
    writeFileSync(at("huge.loop.yaml"), "");
    truncateSync(at("huge.loop.yaml"), 20_000_000_000);
    writeFileSync(at("binary.loop.yaml"), Buffer.from([0, 255, 254, 0]));

    const { said, exit } = await place.json(["add", "--as", "ada", "loops"]);

    expect(exit).toBe(64);
    expect(said.loops.map(({ loop, state }: { readonly loop: string; readonly state: string }) => [loop, state])).toEqual([
      ["good", "known"],
    ]);
    expect((await place.json(["loops"])).said.wrong.map(({ path }: { readonly path: string }) => path)).toEqual(
      ["binary.loop.yaml", "dangling.loop.json", "folder.loop.yaml", "huge.loop.yaml", "pipe.loop.yml"].map(at),
    );
    // What is known keeps its name, whoever else says it.
    lay(place, "other.loop.json", specOf(place, "good", { intent: "Take its place." }));
    expect(
      (await place.json(["add", "--as", "ada", "loops"])).said.problems.some((problem: string) =>
        problem.startsWith("two specs are called good: "),
      ),
    ).toBe(true);
  }));

it("removes nothing while a folder is away as a whole", () =>
  inPlace(async (place) => {
    lay(place, "good.loop.json", specOf(place, "good"));
    mkdirSync(join(place.dir, "more"));
    await place.lw(["add", "--as", "ada", "loops", "more"]);

    renameSync(join(place.dir, "loops"), join(place.dir, "away"));
    await place.lw(["add", "--as", "ada", "more"]);
    expect((await place.json(["loops"])).said).toMatchObject({
      loops: [{ loop: "good", isRight: true }],
      wrong: [{ path: join(place.dir, "loops") }],
    });
    renameSync(join(place.dir, "away"), join(place.dir, "loops"));
    rmSync(join(place.dir, "loops", "good.loop.json"));
    await place.lw(["add", "--as", "ada", "more"]);

    expect((await place.json(["loops"])).said).toMatchObject({ loops: [], wrong: [] });
  }));

describe("a child that is started for a waking", () => {
  it("opens one run for a key, and none for a key that ran, is not due, or was made up", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
      const key = await askFor(place, "fix.loop.json", specOf(place, "fix", MANUAL));
      expect((await place.json(["tick"])).said.wakings).toMatchObject([{ loop: "fix", key, does: "runs" }]);

      const both = await Promise.all([wake(place, "fix", key), wake(place, "fix", key)]);

      expect(both.map(({ exit }) => exit).toSorted()).toEqual([0, 75]);
      const { said } = await place.json(["show", "fix"]);
      expect(said.cause).toEqual({ key, causes: [{ kind: "hand", by: "ada" }] });
      expect((await place.lw(["show", "fix"])).stdout).toContain("woken by ada asked for it");
      expect((await wake(place, "fix", key)).said).toEqual({ started: { kind: "overtaken" } });
      expect(await wake(place, "fix", "fix/hand/made-up")).toMatchObject({
        exit: 64,
        said: { started: { kind: "failed", retry: "never" } },
      });
      expect((await place.lw(["schedule", "fix"])).stdout).toMatch(/fix {2}next: none {2}it has no trigger.*\n.*ran \(fix-1-/);
    }));

  it("finds a repository that has its writer busy, by whatever path it is named, until that writer is dead", () =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
      symlinkSync(place.repo.dir, join(place.dir, "link"));
      const slow = { maker: { use: "shell", with: { run: "sleep 60; echo right > value.txt" } } };
      const one = await askFor(place, "one.loop.json", specOf(place, "one", { ...MANUAL, ...slow }));
      const linked = { target: { repo: join(place.dir, "link"), base: "main" } };
      const two = await askFor(place, "two.loop.json", specOf(place, "two", { ...MANUAL, ...linked }));
      const running = place.start(["run", "one", "--waking", one, "--json"]);
      await until(async () => (await place.json(["status"])).said.loops[0]?.state === "running");

      const busy = await wake(place, "two", two);

      expect(busy).toMatchObject({ exit: 75, said: { started: { kind: "busy", with: "target" } } });
      running.signal("SIGKILL");
      await running.ended;
      expect((await wake(place, "two", two)).exit).toBe(0);
      // What was interrupted is taken up by its own id, and by no other.
      const { run } = (await place.json(["show", "one"])).said;
      expect((await place.apart.json(["run", "one", "--resuming", `${run}x`])).said).toEqual({ started: { kind: "overtaken" } });
    }));
});
