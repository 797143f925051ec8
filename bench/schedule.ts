// What always being on costs: a tick with one loop due among many, start-up, an idle daemon, and a run's process of its own.
// `npm run bench schedule --most 1000` leaves the largest out.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createBook } from "../src/app/loops/book.ts";
import type { LoopSpec } from "../src/contract/spec.ts";
import { findHome, type House, openHouse } from "../src/index.ts";
import type { Line } from "../src/journal/journal.ts";
import type { Hands } from "../src/schedule/ports.ts";
import { newScheduler } from "../src/schedule/scheduler.ts";
import { readSpec } from "../src/spec/read-spec.ts";
import { median, ms, must, timed } from "./measure.ts";

const MOST = process.argv.includes("--most") ? Number(process.argv[process.argv.indexOf("--most") + 1]) : 10_000;
const SIZES = [100, 1_000, 10_000].filter((size) => size <= MOST);
const TICKS = 40;
const MOST_RATIO = 1.5;
/** Over a minute, since the daemon looks at all of its specs once in each. */
const IDLE = { loops: Math.min(1_000, MOST), seconds: 60, cpu: 0.01, megabytes: 150 };

const lw = resolve("dist/lw.cjs");
const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));
const repo = join(folder, "repo");

/** Nothing is ever started: what is due waits, and the slots after it join it. */
const busy: Hands = {
  start: async () => ({ kind: "busy", with: "machine", says: "a bench" }),
  resume: async () => ({ kind: "busy", with: "machine", says: "a bench" }),
  stop: async () => {},
  running: () => [],
};

try {
  mkdirSync(repo);
  must("git", ["init", "--quiet", repo], folder);
  must("git", ["-C", repo, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "start"], folder);
  await tellTicks();
  tellChildren();
  await tellIdle();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tellTicks(): Promise<void> {
  const ticks: number[] = [];
  for (const size of SIZES) {
    const house = await openHouse(findHome(join(folder, `home-${size}`), { get: () => undefined }, process.platform, "/"), "bench");
    await know(house, size);
    const scheduler = newScheduler({
      book: createBook(house),
      hands: busy,
      machine: { limits: () => ({ runs: 1, writersPerTarget: 1, perMaker: {} }), headRoom: async () => ({ kind: "enough" }) },
    });
    const looked: number[] = [];
    const tick = async (now: number): Promise<void> => {
      const { looked: many, problems } = await scheduler.tick(now);
      // A look that goes wrong costs something else than one that goes well.
      for (const { error } of problems) throw error;
      looked.push(many);
    };
    const begun = await timed(() => scheduler.begin());
    let now = (Math.floor(Date.now() / 1000) + 2) * 1000;
    const first = await timed(() => tick(now));
    const took: number[] = [];
    for (let turn = 0; turn < TICKS; turn++) {
      now += 1000;
      took.push(await timed(() => tick(now)));
      await scheduler.settled();
    }
    if (looked.some((many) => many !== 1)) throw new Error(`one loop is due in each tick, and ${looked.join(", ")} were looked at`);
    ticks.push(median(took));
    console.log(`${String(size).padStart(6)} loops: start-up ${ms(begun + first)}   a tick with one due ${ms(median(took))}`);
    house.close();
  }
  const ratio = ticks.at(-1)! / ticks[0]!;
  console.log(
    `  the largest over the smallest: × ${ratio.toFixed(2)}   ${ratio <= MOST_RATIO ? "holds" : "TOO SLOW"} (at most × ${MOST_RATIO})\n`,
  );
}

/** As `lw add` would have it on record; one of them is due every second, the others once a year. */
async function know(house: House, size: number): Promise<void> {
  for (let at = 0; at < size; at += 500) {
    const lines = Array.from({ length: Math.min(500, size - at) }, (_, index): Line => {
      const loop = `loop-${at + index}`;
      const spec = recordedAs(house, specOf(loop, at + index === 0 ? "1s" : "366d"));
      const { use, with: options = {} } = spec.trigger;
      const record = {
        kind: "loop-known",
        path: join(folder, `${loop}.loop.json`),
        specHash: loop,
        triggerHash: "t",
        trigger: { use, with: options },
        by: "bench",
        spec,
      } as const;
      return { loop, run: `${loop}-standing`, record };
    });
    await house.journal.append(lines);
  }
}

/** With every default in its place. */
function recordedAs(house: House, spec: ReturnType<typeof specOf>): LoopSpec {
  const reading = readSpec("x.loop.json", JSON.stringify(spec), house.registries);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.spec;
}

function specOf(name: string, interval: string) {
  return {
    name,
    intent: "Do nothing.",
    level: "L2",
    target: { repo },
    trigger: { use: "every", with: { interval } },
    maker: { use: "shell", with: { run: "true", spends: "nothing" } },
    verifiers: [{ use: "command", with: { run: "true" } }],
  };
}

/** What a process for each run costs before its work begins: it is started, reads the records, and finds that its key is not due. */
function tellChildren(): void {
  const home = join(folder, "home-children");
  writeFileSync(join(folder, "one.loop.json"), JSON.stringify(specOf("one", "366d")));
  must(process.execPath, [lw, "add", join(folder, "one.loop.json"), "--home", home, "--as", "bench"], folder);
  const nothing = (): number => cpuMs(["-e", "0"]);
  const child = (): number => cpuMs([lw, "run", "one", "--waking", "one/hand/none", "--home", home, "--json"]);
  const took = Array.from({ length: 9 }, () => [nothing(), child()] as const);
  const [bare, whole] = [median(took.map(([one]) => one)), median(took.map(([, other]) => other))];
  console.log(`a run's process: CPU ${ms(whole)}   bare Node ${ms(bare)}   × ${(whole / bare).toFixed(2)}\n`);
}

function cpuMs(args: readonly string[]): number {
  const timing = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1';
  const { stderr } = spawnSync("bash", ["-c", timing, "bash", process.execPath, ...args], { cwd: folder, encoding: "utf8" });
  const [user = 0, system = 0] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

async function tellIdle(): Promise<void> {
  const home = join(folder, "home-idle");
  const specs = join(folder, "specs");
  mkdirSync(specs);
  for (let index = 0; index < IDLE.loops; index++)
    writeFileSync(join(specs, `loop-${index}.loop.json`), JSON.stringify(specOf(`loop-${index}`, "366d")));
  must(process.execPath, [lw, "add", specs, "--home", home, "--as", "bench"], folder);
  const daemon = spawn(process.execPath, [lw, "serve", "--no-web", "--home", home], { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const isServing = new Promise<void>((resolve) =>
    daemon.stdout.on("data", (text: Buffer) => String(text).includes("serving") && resolve()),
  );
  const started = await timed(() => isServing);
  // What start-up left behind is collected by then.
  await new Promise((done) => setTimeout(done, 20_000));
  const before = ticksOf(daemon.pid!);
  await new Promise((done) => setTimeout(done, IDLE.seconds * 1000));
  const cpu = (ticksOf(daemon.pid!) - before) / 100 / IDLE.seconds;
  const megabytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${daemon.pid}/status`, "latin1"))?.[1] ?? 0) / 1024;
  const ended = new Promise((resolve) => daemon.once("close", resolve));
  daemon.kill("SIGTERM");
  await ended;
  const held = cpu < IDLE.cpu && megabytes < IDLE.megabytes ? "holds" : "TOO MUCH";
  console.log(
    `an idle daemon with ${IDLE.loops} loops: ${(cpu * 100).toFixed(2)}% of a core, ${megabytes.toFixed(0)} MB   ${held}   (serving after ${ms(started).trim()})`,
  );
}

/** Hundredths of a second of CPU that a process has used. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
