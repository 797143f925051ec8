import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeEachBox, only, usedMeans, wishFor } from "../../../test/support/box.ts";
import { MOST_KEPT_BYTES } from "../../contract/artifacts.ts";
import type { Finished, MarkedCommand, Speaker } from "../../contract/commands.ts";
import { LoopError } from "../../contract/errors.ts";
import { createStop } from "../../contract/stop.ts";
import { untrustedText } from "../../contract/text.ts";
import { createBox } from "../box/box.ts";
import { systemClock } from "../machine/clock.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { type Machine, MOST_PRINTED_BYTES, mostMemory, thisMachine } from "./machine-use.ts";
import { createProc, type ProcAround } from "./proc.ts";
import { markedProcesses, stillMarked } from "./processes.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-proc-")));
const artifacts = createArtifacts(join(folder, "artifacts"));
const PATH = process.env.PATH ?? "/usr/bin:/bin";
let stopping = createStop();
let mark = "";
let count = 0;

beforeEach(() => {
  stopping = createStop();
  count += 1;
  mark = `proc-test-${process.pid}-${count}`;
});
afterEach(() => {
  expect(markedProcesses(mark)).toEqual([]);
  expect(drafts()).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("sees everybody with a mark who began since it looked last, also those whom another one began", async () => {
  const seen: (readonly number[])[] = [stillMarked(mark)];
  const child = spawn("/bin/sh", ["-c", "sleep 30 & wait"], { env: { PATH: process.env.PATH, LOOPWRIGHT_MARK: mark }, detached: true });
  seen.push(stillMarked(mark));
  while (markedProcesses(mark).length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  seen.push(stillMarked(mark));
  process.kill(-child.pid!, "SIGKILL");
  await new Promise((resolve) => child.once("close", resolve));
  while (markedProcesses(mark).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));

  expect([...seen, stillMarked(mark)].map((pids) => pids.length)).toEqual([0, expect.any(Number), 2, 0]);
  expect(seen[1]).toContain(child.pid);
});

/** Hides nothing of ours: what is told apart here is how commands start and end. */
const boxBy = (kind: string) => createBox(join(folder, "nowhere"), { get: (name) => process.env[name] }, only(kind));
const wish = wishFor([folder]);

const drafts = (): readonly string[] =>
  existsSync(join(folder, "artifacts")) ? readdirSync(join(folder, "artifacts")).filter((name) => name.startsWith("draft")) : [];

const kept = async ({ output }: Finished): Promise<string> => Buffer.from(await artifacts.read(output)).toString("utf8");

const foldersBelow = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => [join(folder, name), ...foldersBelow(join(folder, name))])
    : [];

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const isAlive = (pid: number): boolean => {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
};

const processesOf = (commandLine: string): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isAlive(Number(name)))
    .filter((pid) => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "latin1") === commandLine)
    .map(Number);

describe("without a box", () => {
  behavesAsACommandShould("none");
  canBeTalkedTo("none");
});
describeEachBox("in a box", (kind) => {
  behavesAsACommandShould(kind);
  canBeTalkedTo(kind);
});

function behavesAsACommandShould(kind: string): void {
  const boxed = kind !== "none";
  const box = boxBy(kind);
  const around: ProcAround = { box, machine: thisMachine };
  const run = (command: string, about: Partial<MarkedCommand> = {}, surroundings = around): Promise<Finished> =>
    createProc(artifacts, systemClock, stopping, surroundings).run({
      run: command,
      cwd: folder,
      env: { PATH },
      timeoutMs: 20_000,
      mark,
      box: boxed ? wish : undefined,
      ...about,
    });

  // It costs time, and which means made the box makes no difference to who counts.
  const isCounted = !boxed || kind === usedMeans;
  describe.runIf(isCounted)("what a command has used", () => {
    it("is told while it runs, and it is ended with all it started when it is told to stop", async () => {
      const looks: number[] = [];

      const { end } = await run("(sleep 30 &) ; setsid sleep 30 & trap '' TERM; while :; do sleep 1; done", {
        meanwhile: async ({ processes = 0 }) => {
          looks.push(processes);
          return looks.length > 1 ? "stop" : "go-on";
        },
      });

      expect(end.kind).toBe("timed-out");
      expect(looks.length).toBeGreaterThan(1);
      if (process.platform === "linux") expect(looks.at(-1)).toBeGreaterThan(2);
    });

    /** Burns CPU time until its own shell says that it used 0.3 s, however fast the machine is. A subshell that asked would be told its own. */
    const burnAs = (who: string): string =>
      `while :; do i=0; while [ $i -lt 5000 ]; do i=$((i + 1)); done; times >${mark}.${who}; read -r user system <${mark}.${who}; case $user in 0m0.[012]*) ;; *) break ;; esac; done`;
    /** What the command says of itself, in milliseconds. */
    const ownTime = ({ tail }: Pick<Finished, "tail">): number =>
      [...tail.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
        (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
        0,
      );
    /** Two ticks for each of the processes, and what ending takes. */
    const toleratedMs = 60;

    it.runIf(process.platform === "linux")("counts the CPU time of what it left behind too", async () => {
      const { used } = await run(
        `(${burnAs("left")}; echo >${mark}.burnt; exec sleep 300) & until [ -e ${mark}.burnt ]; do sleep 0.1; done; sleep 1.5`,
      );

      expect(used?.cpuMs).toBeGreaterThanOrEqual(300 - toleratedMs);
    });

    it.runIf(process.platform === "linux")(
      "is its own alone: who sleeps beside one that burns pays next to nothing, and that one all",
      async () => {
        const [sleeper, burner, child] = await Promise.all([
          run("sleep 1.5", { mark: `${mark}-a` }),
          run(`${burnAs("b")}; times`, { mark: `${mark}-b` }),
          run(`sh -c '${burnAs("c")}'; echo; times`, { mark: `${mark}-c` }),
        ]);

        expect(sleeper.used?.cpuMs).toBeLessThanOrEqual(toleratedMs);
        for (const finished of [burner, child]) {
          expect(ownTime(finished)).toBeGreaterThanOrEqual(300);
          expect(Math.abs((finished.used?.cpuMs ?? 0) - ownTime(finished))).toBeLessThanOrEqual(toleratedMs);
        }
      },
    );

    it.runIf(process.platform === "linux")("is told although it leaves somebody behind who holds its output", async () => {
      const finished = await run(`sleep 300 & ${burnAs("a")}; times; sleep 0.1`);

      expect(Math.abs((finished.used?.cpuMs ?? 0) - ownTime(finished))).toBeLessThanOrEqual(toleratedMs);
    });

    it.runIf(process.platform === "linux")("is told although it prints more than is taken at once", async () => {
      const finished = await run(`sh -c '${burnAs("a")}'; head -c 3000000 /dev/zero; echo; times`);

      expect(Math.abs((finished.used?.cpuMs ?? 0) - ownTime(finished))).toBeLessThanOrEqual(toleratedMs);
    });

    it.runIf(process.platform === "linux")("is told of one that is killed in the middle of it, with all that it started", async () => {
      const burning = (who: string): string =>
        `while :; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; times >>${mark}.${who}; done`;
      const finished = await run(`trap '' TERM; (${burning("a")}) & (${burning("b")}) & ${burning("c")}`, { timeoutMs: 1_000 });

      // Each wrote down again and again how far it was; what it did after that only we could see.
      const wroteMs = ["a", "b", "c"].map((who) =>
        Math.max(
          ...readFileSync(join(folder, `${mark}.${who}`), "utf8")
            .split("\n")
            .map((tail) => ownTime({ tail: untrustedText(tail) })),
        ),
      );
      expect(finished.end.kind).toBe("timed-out");
      if (!boxed) expect(finished.used?.processes).toBe(3);
      expect(finished.used?.cpuMs).toBeGreaterThanOrEqual(wroteMs.reduce((sum, ms) => sum + ms) - toleratedMs);
    });

    it.runIf(process.platform === "linux" && !boxed)("counts its processes, and nobody who only stands beside them", async () => {
      const alone = await run("exec sleep 0.6");
      const three = await run("sleep 0.6 & sleep 0.6 & wait");

      expect([alone.used?.processes, three.used?.processes]).toEqual([1, 3]);
    });

    it("is not watched on when nobody can be asked any more", async () => {
      const { end } = await run("sleep 30", { meanwhile: () => Promise.reject(new Error("the journal is gone")) });

      expect(end.kind).toBe("timed-out");
    });
  });

  describe("what a command tells", () => {
    it.each([0, 1, 7, 127, 255])("gives back the exit code %i, and the whole of what was seen", async (code) => {
      const finished = await run(`echo out; exit ${code}`);

      expect(finished).toEqual({
        end: { kind: "exited", code },
        tookMs: expect.any(Number),
        used: expect.any(Object),
        output: { sha256: sha256("out\n"), bytes: 4, truncated: false },
        tail: "out\n",
        box: expect.objectContaining({ kind }),
      });
    });

    it.each([129, 130, 134, 137, 139].filter((code) => !boxed || code !== 130))(
      "does not take the exit code %i for a signal",
      async (code) => {
        expect((await run(`exit ${code}`)).end).toEqual({ kind: "exited", code });
      },
    );

    it.each(["SIGKILL", "SIGSEGV", "SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE"])("says that %s killed it", async (signal) => {
      expect((await run(`kill -${signal.slice(3)} $$`)).end).toEqual({ kind: "killed", signal });
    });

    it("says so too when it took all of its group along", async () => {
      expect((await run("kill -KILL 0")).end).toEqual({ kind: "killed", signal: "SIGKILL" });
    });

    it("keeps standard output and standard error, both, in the order they were printed", async () => {
      const finished = await run("for i in 1 2 3; do echo out $i; echo err $i >&2; done");

      const whole = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n";
      expect({ kept: await kept(finished), tail: finished.tail }).toEqual({ kept: whole, tail: whole });
    });

    it("keeps only the end of a long output as its tail, and all of it as an artifact", async () => {
      const finished = await run("seq 1 5000");

      const whole = Array.from({ length: 5000 }, (_, index) => `${index + 1}\n`).join("");
      expect(await kept(finished)).toBe(whole);
      expect(finished.tail).toBe(whole.slice(-8192));
    });

    it("keeps bytes that are no text, and shows them as text", async () => {
      const finished = await run("printf 'a\\377\\000\\302b'");

      expect(Buffer.from(await artifacts.read(finished.output))).toEqual(Buffer.from([0x61, 0xff, 0x00, 0xc2, 0x62]));
      expect(finished.tail).toBe("a\ufffd\0\ufffdb");
    });

    it("bounds a hundred megabytes of output, in memory and on disk, and says that there was more", async () => {
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 20);

      const finished = await run("head -c 100000000 /dev/zero; echo the end");
      clearInterval(sampling);

      expect({ ...finished, output: { ...finished.output, sha256: "" }, tail: finished.tail.slice(-8) }).toEqual({
        end: { kind: "exited", code: 0 },
        tookMs: expect.any(Number),
        used: expect.any(Object),
        output: { sha256: "", bytes: MOST_KEPT_BYTES, truncated: true },
        tail: "the end\n",
        box: expect.anything(),
      });
      expect(most).toBeLessThan(64 * 1024 * 1024);
    });
  });

  describe("what a command gets", () => {
    it("gets its input, and then the end of it", async () => {
      expect((await run("cat; echo .", { input: "a brief\n" })).tail).toBe("a brief\n.\n");
      expect((await run("cat; echo .")).tail).toBe(".\n");
    });

    it("may close its input early, however much there is", async () => {
      expect((await run("exec <&-; sleep 0.1; echo ok", { input: "x".repeat(5_000_000) })).tail).toBe("ok\n");
    });

    it("sees exactly the environment it was given, the mark, and what a shell sets itself", async () => {
      const { tail } = await run("env | sort", { env: { PATH, GIVEN: "with spaces and ' quotes" } });

      expect(tail.trim().split("\n")).toEqual(
        [`GIVEN=with spaces and ' quotes`, `LOOPWRIGHT_MARK=${mark}`, `PATH=${PATH}`, `PWD=${folder}`].sort(),
      );
    });

    it("sees no child that it did not start, and not the pipe that is watched", async () => {
      const { tail } = await run('read -r children </proc/$$/task/$$/children; echo "[$children]"; test -e /proc/$$/fd/3 || echo no pipe');

      expect(tail).toBe("[]\nno pipe\n");
    });

    it("may open its input and output by their names", async () => {
      const finished = await run("cat /dev/stdin; echo out >/dev/stdout; echo err >/dev/stderr; echo both | tee /dev/stderr", {
        input: "in\n",
      });

      expect({ end: finished.end, tail: finished.tail }).toEqual({ end: { kind: "exited", code: 0 }, tail: "in\nout\nerr\nboth\nboth\n" });
    });

    it("takes a command that begins with a dash for a command", async () => {
      expect((await run("-x 2>/dev/null; echo after")).tail).toBe("after\n");
    });

    it("takes a time-out longer than any timer for a long one", async () => {
      expect((await run("sleep 0.1; echo done", { timeoutMs: Number.MAX_SAFE_INTEGER })).end).toEqual({ kind: "exited", code: 0 });
    });
  });

  describe("a command that cannot be started", () => {
    it.each([
      ["a folder that is not there", { cwd: "/nonexistent/folder" }, "workspace-lost"],
      ["a folder that is a file", { cwd: "/etc/passwd" }, "workspace-lost"],
      ["a command that is too long", { run: "x".repeat(3_000_000) }, "maker-failed"],
      ["a command with a NUL in it", { run: "echo \0" }, "maker-failed"],
      ["a variable with a NUL in it", { env: { PATH, A: "\0" } }, "maker-failed"],
    ])("is an outside failure that will not pass: %s", async (_, about, code) => {
      const failure = await run("true", about).catch((error: unknown) => error);

      expect(failure).toBeInstanceOf(LoopError);
      expect(failure).toMatchObject({ code, retry: "never", hint: expect.stringMatching(/\.$/) });
    });

    it("is an outside failure that passes when its output cannot be kept, and the command does not go on", async () => {
      const noRoom = new LoopError("store-unusable", "no room", { retry: "later", hint: "Make room." });
      const full = {
        ...artifacts,
        receive: async () => ({ write: () => Promise.reject(noRoom), keep: () => Promise.reject(noRoom), drop: async () => {} }),
      };

      const proc = createProc(full, systemClock, stopping, around);

      await expect(
        proc.run({ run: "echo x; sleep 30", cwd: folder, env: { PATH }, timeoutMs: 20_000, mark, box: boxed ? wish : undefined }),
      ).rejects.toBe(noRoom);
    });
  });

  describe("the end of a command is the end of all it started", () => {
    const strays = [
      ["a background process", "sleep 300 &"],
      ["one that ignores hang-ups", "nohup sleep 300 >/dev/null 2>&1 &"],
      ["one in a session of its own", "setsid sleep 300 &"],
      ["one that was forked twice", "( ( sleep 300 & ) & );"],
      [
        "one forked twice, in a session of its own, that lets go of its output",
        "setsid sh -c 'sleep 300 & sleep 300' >/dev/null 2>&1 </dev/null &",
      ],
      ["one that ignores every polite signal", "( trap '' TERM INT HUP; sleep 300; sleep 300 ) &"],
    ] as const;

    it.each(strays)("when it exits: %s", async (_, stray) => {
      const finished = await run(`${stray} sleep 0.05; echo started`);

      expect({ end: finished.end, tail: finished.tail }).toEqual({ end: { kind: "exited", code: 0 }, tail: "started\n" });
    });

    /** With as much time as this machine needs now to come to the command itself: how long a box takes to make is nobody's number. */
    const runPastItsTime = async (command: string): Promise<Finished & { readonly timeoutMs: number }> => {
      for (let timeoutMs = 150; ; timeoutMs *= 4) {
        const finished = await run(command, { timeoutMs });
        if (/^(?:started|tidy)/m.test(finished.tail) || timeoutMs > 9_000) return { ...finished, timeoutMs };
      }
    };

    it.each(strays)("when its time is up: %s", async (_, stray) => {
      const { end, tail, timeoutMs } = await runPastItsTime(`${stray} echo started; sleep 300`);

      expect({ end, tail }).toEqual({ end: { kind: "timed-out", afterMs: timeoutMs }, tail: "started\n" });
    });

    it("kills one that will not end, a little later", async () => {
      const { end, tail, tookMs, timeoutMs } = await runPastItsTime("trap '' TERM; echo started; while :; do sleep 0.1; done");

      expect({ end, tail }).toEqual({ end: { kind: "timed-out", afterMs: timeoutMs }, tail: "started\n" });
      expect(tookMs).toBeGreaterThan(1500);
    });

    it("lets one that is asked to end tidy up first", async () => {
      const { end, tail, timeoutMs } = await runPastItsTime("trap 'echo tidy; exit 3' TERM; sleep 300 & wait");

      expect({ end, tail }).toEqual({ end: { kind: "timed-out", afterMs: timeoutMs }, tail: "tidy\n" });
    });

    it("does not wait for a process that hid itself and holds on to the output; in a box it is ended all the same", async () => {
      const finished = await run("setsid env -i /bin/sh -c 'echo started; exec sleep 27.31' & sleep 0.2");
      const hidden = processesOf("sleep\0" + "27.31\0");
      for (const pid of hidden) process.kill(pid, "SIGKILL");

      expect([finished.tail, hidden.length]).toEqual(["started\n", boxed ? 0 : 1]);
      expect(finished.tookMs).toBeLessThan(27_000);
    });
  });

  describe("a command that takes more than it may", () => {
    it("is ended when it prints without end", async () => {
      const { end, output } = await run("yes", { timeoutMs: 50_000 });

      expect(end).toEqual({ kind: "killed", signal: "SIGKILL", why: `it printed more than ${MOST_PRINTED_BYTES / 1024 / 1024} MiB` });
      expect(output).toMatchObject({ bytes: MOST_KEPT_BYTES, truncated: true });
    });

    it("is ended when it fills the disk, however full that was before", async () => {
      const left = [800_000_000, 800_000_000, 350_000_000];
      const machine = { ...thisMachine, freeBytes: () => (left.length > 1 ? left.shift() : left[0]) };

      const { end } = await run("sleep 300", {}, { box, machine });

      expect(end).toEqual({ kind: "killed", signal: "SIGKILL", why: "it left only 334 MiB free on the disk" });
    });

    it("is ended when it starts processes without end", async () => {
      const counts = [300, 10_300, 10_301];
      const machine = { ...thisMachine, tasks: () => (counts.length > 1 ? counts.shift() : counts[0]) };

      const { end } = await run("sleep 300", {}, { box, machine });

      expect(end).toEqual({ kind: "killed", signal: "SIGKILL", why: "more than 10000 processes were started meanwhile" });
    });

    it("leaves no memory of itself when it crashes, and writes no file without end", async () => {
      expect((await run("ulimit -c; ulimit -f")).tail).toBe("0\n33554432\n");
    });
  });

  describe.runIf(process.platform === "linux")("the memory of a command", () => {
    const MOST = 96 * 1024 * 1024;
    const small = { ...thisMachine, memoryBytes: () => MOST / 0.75 };
    /** Nothing for it in the kernel's groups, as for most users. */
    const openGroup: Machine["openGroup"] = () => ({ ranOut: () => false, letGo: () => {} });
    const greedy = "head -c 200000000 /dev/zero | tail -n 1 | { read -r _; sleep 20; }; exit 1";
    const why = "it used more memory than the 0.1 GiB that a command may have";

    it("ends it where the kernel bounds the sum of all its processes, or where we see it", async () => {
      const { end, box: fact } = await run(greedy, {}, { box, machine: small });

      expect([end, fact]).toMatchObject([{ kind: "killed", signal: "SIGKILL", why }, { bounds: { memory: { bytes: MOST } } }]);
    });

    it("ends it where only each process can be bounded, by the sum of all that hold it", async () => {
      const { end, box: fact } = await run(greedy, {}, { box, machine: { ...small, openGroup } });

      expect([end, fact]).toMatchObject([
        { kind: "killed", signal: "SIGKILL", why },
        { bounds: { memory: { bytes: MOST, by: "process" }, processes: { by: boxed ? expect.stringMatching(/user|look/) : "look" } } },
      ]);
    });

    it("that one process reserves is bounded by the kernel where there is no group, however little it uses", async () => {
      const { tail } = await run("ulimit -d", {}, { box, machine: { ...small, openGroup } });

      expect(tail).toBe(`${4 * 1024 * 1024}\n`);
    });

    it.runIf(process.getuid?.() === 0)("leaves no group behind", async () => {
      const { box: fact } = await run("true");

      expect(fact).toMatchObject({ bounds: { memory: { bytes: mostMemory(thisMachine) } } });
      const left = (): readonly string[] =>
        ["memory", "pids"]
          .flatMap((tree) => foldersBelow(`/sys/fs/cgroup/${tree}`))
          .filter((path) => path.includes(`loopwright-${process.pid}-`));
      await vi.waitFor(() => expect(left()).toEqual([]), 10_000);
    });
  });

  describe("a stop", () => {
    it("ends everything and says so", async () => {
      const running = run("setsid sleep 300 & sleep 300 & sleep 300");
      setTimeout(() => stopping.ask(), 150);

      await expect(running).rejects.toMatchObject({ name: "LoopError", code: "interrupted", retry: "later" });
    });

    it("that was asked for before starts nothing", async () => {
      stopping.ask();

      await expect(run(`touch ${folder}/started`)).rejects.toMatchObject({ code: "interrupted" });
      expect(existsSync(join(folder, "started"))).toBe(false);
    });

    it("that is asked for while the command starts is heard", async () => {
      const running = run("sleep 300");
      stopping.ask();

      await expect(running).rejects.toMatchObject({ code: "interrupted" });
    });
  });
}

function canBeTalkedTo(kind: string): void {
  const boxed = kind !== "none";
  const around: ProcAround = { box: boxBy(kind), machine: thisMachine };
  describe("a command that is listened to", () => {
    const listen = async (
      command: string,
      about: Partial<MarkedCommand> & { readonly speak?: (speaker: Speaker, line: string) => void } = {},
    ) => {
      const { speak, ...rest } = about;
      const lines: string[] = [];
      let speaker: Speaker | undefined;
      const finished = await createProc(artifacts, systemClock, stopping, around).run(
        { run: command, cwd: folder, env: { PATH }, timeoutMs: 20_000, mark, box: boxed ? wish : undefined, ...rest },
        {
          begun: (given) => {
            speaker = given;
          },
          async heard(line) {
            lines.push(line);
            if (speaker) speak?.(speaker, line);
          },
        },
      );
      return { finished, lines };
    };

    it("is heard line by line, without what it says on the side, of which all is kept", async () => {
      const { finished, lines } = await listen("echo one; echo aside >&2; printf 'two\\nhalf'");

      expect(lines).toEqual(["one", "two", "half"]);
      // Which of the two came first nobody can tell.
      expect((await kept(finished)).replace("aside\n", "")).toBe("one\ntwo\nhalf");
    });

    it("can be spoken to, and reads the end when we hang up", async () => {
      const { finished, lines } = await listen("echo ready; read -r name; echo hello $name; cat; echo over", {
        speak(speaker, line) {
          if (line === "ready") speaker.say("ada\n");
          if (line === "hello ada") speaker.hangUp();
        },
      });

      expect([lines, finished.end]).toEqual([["ready", "hello ada", "over"], { kind: "exited", code: 0 }]);
    });

    it("reads its input instead, where it has one", async () => {
      expect((await listen("cat", { input: "given\n" })).lines).toEqual(["given"]);
    });

    it("ends when it is asked to, with all that it started", async () => {
      const { finished } = await listen("sleep 300 & echo ready; wait", { speak: (speaker) => speaker.end() });

      expect(finished.end).toEqual({ kind: "killed", signal: "SIGTERM" });
    });

    it("is ended, and the failure told, when what it says cannot be taken", async () => {
      const proc = createProc(artifacts, systemClock, stopping, around);
      const running = proc.run(
        { run: "echo one; sleep 300", cwd: folder, env: { PATH }, timeoutMs: 20_000, mark, box: boxed ? wish : undefined },
        { heard: () => Promise.reject(new Error("no room")) },
      );

      await expect(running).rejects.toThrow("no room");
    });

    it("may print a line without end: only so much of it is held", async () => {
      const { lines } = await listen("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo next");

      expect(lines.map((line) => line.length)).toEqual([1024 * 1024, 4]);
    });
  });
}
