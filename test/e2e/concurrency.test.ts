// Several processes, one loop: who may run it, and how it is stopped.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atEach, CALLER, type Ended, inPlace, type Place, processesOfRun, type Running, UNBOXED, until } from "../support/lw.ts";
import { lookAt, proposalsIn } from "../support/target.ts";

describe("several starters of one loop", () => {
  it.each([2, 4])("lets exactly one of %i run, and tells the others to come back", (starters) =>
    inFixPlace(async (place) => {
      const spec = patientFix(place, "fix");

      const running = Array.from({ length: starters }, () => place.start(["run", spec]));
      const refused: Ended[] = [];
      for (const { ended } of running) void ended.then((end) => refused.push(end));
      await until(() => refused.length === starters - 1 && existsSync(join(place.dir, "working fix")));
      place.write("go", "");
      const ends = await Promise.all(running.map(({ ended }) => ended));

      expect(ends.map(({ exit }) => exit).sort()).toEqual([0, ...Array(starters - 1).fill(75)]);
      expect(refused.slice(0, -1).map(({ stderr }) => /already running in another process/.test(stderr))).toEqual(
        Array(starters - 1).fill(true),
      );
      expect(proposalsIn(place.repo)).toHaveLength(1);
    }),
  );

  it("refuses to resume a loop that is running", () =>
    inFixPlace(async (place) => {
      const running = await startWorking(place, "fix");

      const resumed = await place.json(["resume", "fix"]);
      const all = await place.json(["resume"]);
      place.write("go", "");

      expect([resumed.exit, resumed.said.error.code]).toEqual([75, "loop-busy"]);
      expect([all.exit, all.said]).toEqual([0, { resumed: 0, runs: [] }]);
      expect((await running.ended).exit).toBe(0);
    }));
});

it("lets one write to a repository at a time: another waits and says for whom, or ends where it is told not to wait", () =>
  inFixPlace(async (place) => {
    const first = await startWorking(place, "one");
    const refused = await place.json(["run", patientFix(place, "two"), "--no-wait"]);
    const waiting = place.start(["run", patientFix(place, "three")]);
    await until(() => existsSync(join(place.home, "locks", "three.lock")));
    // Whoever has its loop asks for the repository next, and for no longer than a blink before it says that it waits.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const alone = proposalsIn(place.repo);
    place.write("go", "");

    expect((await Promise.all([first.ended, waiting.ended])).map(({ exit }) => exit)).toEqual([0, 0]);
    expect(alone).toEqual([]);
    expect([refused.exit, refused.said.error.code]).toEqual([75, "loop-busy"]);
    expect(refused.said.error.message).toMatch(/^another run writes to .*: one \(one-1-\w+\)$/);
    expect((await waiting.ended).stderr).toMatch(
      /another run writes to .*: one \(one-1-\w+\); this waits until it is over \(--no-wait does not\)/,
    );
    expect(proposalsIn(place.repo).map((branch) => branch.split("-")[0])).toEqual(["loopwright/one", "loopwright/three"]);
  }));

it("runs different loops on one repository at once, where the machine's file lets so many write", () =>
  inFixPlace(async (place) => {
    place.write("home/machine.yaml", "perTarget: 3\n");
    const before = lookAt(place.repo);
    const running = await Promise.all(["one", "two", "three"].map((loop) => startWorking(place, loop)));

    place.write("go", "");
    const ends = await Promise.all(running.map(({ ended }) => ended));

    expect(ends.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(proposalsIn(place.repo).map((branch) => branch.split("-")[0])).toEqual(["loopwright/one", "loopwright/three", "loopwright/two"]);
    expect(lookAt(place.repo)).toEqual(before);
  }));

it("says of a run that is going on that it is running", () =>
  inFixPlace(async (place) => {
    const running = await startWorking(place, "fix");

    const [status, json, show] = await Promise.all([place.lw(["status"]), place.json(["status"]), place.lw(["show", "fix"])]);
    place.write("go", "");
    await running.ended;
    const after = await place.json(["status"]);

    expect(status.stdout).toMatch(/^fix +L2 +running /m);
    expect(json.said.loops.map(({ state }: { readonly state: string }) => state)).toEqual(["running"]);
    expect(show.stdout.split("\n")[0]).toMatch(/running$/);
    expect(show.stdout).toContain("stop it: lw stop fix");
    expect(after.said.loops.map(({ state }: { readonly state: string }) => state)).toEqual(["rested"]);
  }));

describe("stopping", () => {
  const ways: readonly (readonly [string, (place: Place, running: Running) => Promise<unknown>])[] = [
    ["Ctrl-C", async (_, running) => process.kill(-running.pid, "SIGINT")],
    ["SIGTERM", async (_, running) => running.signal("SIGTERM")],
    ["lw stop", (place) => place.apart.lw(["stop", "fix"])],
  ];

  it.each(ways)(
    "by %s ends the maker with all its children, and does not outlive this life of the run, which can be resumed (ralph PR 218)",
    (_, stop) =>
      inFixPlace(async (place) => {
        const before = lookAt(place.repo);
        const running = await startWorking(place, "fix");
        const run = await runOf(place, "fix");
        const working = processesOfRun(run).length;

        await stop(place, running);
        const stopped = await running.ended;
        const left = processesOfRun(run);
        const status = await place.json(["status"]);
        place.write("go", "");
        const resumed = await place.json(["resume"]);

        expect(working).toBeGreaterThanOrEqual(4);
        expect([stopped.exit, left]).toEqual([75, []]);
        expect(stopped.stdout).toContain("Go on with: lw resume fix");
        expect(status.said.loops[0].state).toBe("interrupted");
        expect([resumed.exit, resumed.said.runs[0].run, resumed.said.runs[0].rest]).toEqual([
          0,
          run,
          { kind: "accept", action: "propose" },
        ]);
        expect(lookAt(place.repo)).toEqual(before);
      }),
  );

  it("by the file STOP ends a run that is under way, and it goes on only once the file is gone", () =>
    inFixPlace(async (place) => {
      const running = await startWorking(place, "fix");
      const run = await runOf(place, "fix");

      place.write("home/STOP", "");
      const stopped = await running.ended;
      const left = processesOfRun(run);
      const barred = await place.lw(["resume", "fix"]);
      rmSync(join(place.home, "STOP"));
      place.write("go", "");
      const resumed = await place.json(["resume", "fix"]);

      expect([stopped.exit, left]).toEqual([75, []]);
      expect([barred.exit === 0, barred.stderr.includes("STOP")]).toEqual([false, true]);
      expect(resumed.exit).toBe(0);
    }));

  it("by Ctrl-C while git is at work leaves the run resumable, at every fourth call of git and at its last ones", async () => {
    const calls = await inFixPlace(async (place) => {
      await runInterruptedAt(place, 0);
      return Number(place.read("calls"));
    });
    // LOOPWRIGHT_CRASH=every tries all of them.
    const points = Array.from({ length: calls }, (_, index) => index + 1).filter(
      (n) => n % 4 === 1 || n > calls - 4 || process.env.LOOPWRIGHT_CRASH === "every",
    );

    const endings = await atEach(points, (n) =>
      inFixPlace(async (place) => {
        const stopped = await runInterruptedAt(place, n);
        const loops = (await place.json(["status"])).said.loops;
        const resumed = await place.json(["resume"]);
        const wasOpen = loops.length > 0 && loops[0].state !== "rested";
        return {
          n,
          stopped: stopped.exit,
          resumed: resumed.exit,
          finished: resumed.said.resumed,
          wasOpen,
          proposals: proposalsIn(place.repo).length,
        };
      }),
    );

    const stoppable = endings.filter(({ wasOpen }) => wasOpen);
    // In the last step, the proposal, there is nothing left to stop: the run comes to rest. It packs, unpacks, looks and moves one ref,
    // and what is signed takes two more: all of the last calls are tried.
    expect(stoppable.length).toBeGreaterThan(points.length - 7);
    expect(endings).toEqual(
      points.map((n) =>
        stoppable.some((ending) => ending.n === n)
          ? { n, stopped: 75, wasOpen: true, resumed: 0, finished: 1, proposals: 1 }
          : { n, stopped: 0, wasOpen: false, resumed: 0, finished: 0, proposals: 1 },
      ),
    );
  });

  it("by lw stop --abandon closes the run and leaves nothing of it", () =>
    inFixPlace(async (place) => {
      const before = lookAt(place.repo);
      const running = await startWorking(place, "fix");

      const stop = await place.json(["stop", "fix", "--abandon"]);
      const { exit } = await running.ended;
      const { run, rest } = (await place.json(["show", "fix"])).said;
      const resume = await place.json(["resume", "fix"]);
      const left = {
        processes: processesOfRun(run),
        folders: readdirSync(join(place.home, "rounds", "fix")),
        proposals: proposalsIn(place.repo),
      };
      place.write("go", "");
      const next = await place.lw(["run", patientFix(place, "fix")]);

      expect([stop.exit, stop.said.wasRunning, exit]).toEqual([0, true, 75]);
      expect(rest).toEqual({ kind: "halt", because: "stopped", reason: "abandoned by lw stop --abandon" });
      expect([resume.exit, resume.said.error.message]).toEqual([64, "the loop fix has no interrupted run"]);
      expect(left).toEqual({ processes: [], folders: [], proposals: [] });
      expect(lookAt(place.repo)).toEqual(before);
      expect(next.exit).toBe(0);
    }));

  it("by lw stop --abandon after a kill ends what had left the maker's group, too", () =>
    inFixPlace(async (place) => {
      // A box would have ended them already.
      const running = await startWorking(place, "fix", UNBOXED);
      const run = await runOf(place, "fix");
      running.signal("SIGKILL");
      await running.ended;
      const orphans = processesOfRun(run).length;

      const stop = await place.json(["stop", "fix", "--abandon"]);

      expect(orphans).toBeGreaterThan(0);
      expect([stop.exit, stop.said.wasRunning, stop.said.rest.because]).toEqual([0, false, "stopped"]);
      expect([processesOfRun(run), readdirSync(join(place.home, "rounds", "fix"))]).toEqual([[], []]);
    }));

  it("says so when there is nothing to stop", () =>
    inFixPlace(async (place) => {
      const { exit, said } = await place.json(["stop", "fix"]);

      expect([exit, said.error.message]).toEqual([64, "no run or loop is called fix"]);
    }));
});

const inFixPlace = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    return work(place);
  });

/** A fix loop whose maker waits for a file called `go`, with a child, a grandchild and one that left its group and session. */
function patientFix(place: Place, loop: string, box?: object): string {
  const [apart, working, go] = [`apart ${loop}`, `working ${loop}`, "go"].map((name) => `"${place.dir}/${name}"`);
  const waitFor = (file: string): string => `while [ ! -e ${file} ]; do sleep 0.05; done`;
  const children = `sleep 300 & (sleep 300 & wait) & setsid sh -c 'trap "" TERM HUP INT; : > ${apart}; sleep 300' & ${waitFor(apart!)}`;
  const wait = `: > ${working}; ${waitFor(go!)}`;
  return writeSpec(place, loop, `trap "" HUP; ${children}\n${wait}\necho right > value.txt`, box);
}

/** The maker tells by files outside how far it is. */
const writeSpec = (place: Place, loop: string, run: string, box: object = { maker: { writes: [place.dir] } }): string =>
  place.write(
    `${loop}.loop.json`,
    JSON.stringify({
      name: loop,
      intent: "Make it right.",
      level: "L2",
      baseline: { when: "off" },
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run } },
      verifiers: [{ use: "command", with: { run: "grep -qx right value.txt" } }],
      box,
    }),
  );

/** Starts a patient loop, and waits until its maker is at work. */
async function startWorking(place: Place, loop: string, box?: object): Promise<Running> {
  const running = place.start(["run", patientFix(place, loop, box)]);
  await until(() => existsSync(join(place.dir, `working ${loop}`)));
  return running;
}

const runOf = async (place: Place, loop: string): Promise<string> => (await place.json(["show", loop])).said.run;

/** Runs with a git that sends, the n-th time, what a terminal sends on Ctrl-C: SIGINT to lw and to all that is in its group. */
function runInterruptedAt(place: Place, n: number): Promise<Ended> {
  place.write("calls", "0");
  place.writeProgram(
    "shim/git",
    `#!/bin/sh
PATH=${process.env.PATH}
read -r n < "${place.dir}/calls"
n=$((n + 1))
echo $n > "${place.dir}/calls"
${CALLER}
[ $n -eq ${n} ] && kill -s INT -- -$lw
exec git "$@"
`,
  );
  const spec = writeSpec(place, "fix", "echo right > value.txt");
  return place.apart.lw(["run", spec], { env: { PATH: `${place.dir}/shim:${process.env.PATH}` } });
}
