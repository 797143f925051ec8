// How `lw status` grows with a history that it does not show: it must not.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findHome, type LoopRecord, LoopSpec, openHouse, viewLoops } from "../src/index.ts";
import { median, ms, must, timed } from "./measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const LOOPS = 10;
const RECORDS_A_RUN = 10;
const lw = resolve("dist/lw.cjs");
const folder = mkdtempSync(join(tmpdir(), "lw-bench-"));

const spec = LoopSpec.parse({
  name: "bench",
  intent: "Measure how status grows.",
  level: "L2",
  maker: { use: "shell", with: { run: "true" } },
  verifiers: [{ use: "command", with: { run: "true" } }],
});

console.log(`status over ${LOOPS} loops, runs of ${RECORDS_A_RUN} records each`);
const homes = SIZES.map((size) => ({
  size,
  home: findHome(join(folder, `home-${size}`), { get: () => undefined }, process.platform, folder),
  view: [] as number[],
  whole: [] as number[],
}));
for (const { size, home } of homes) {
  const house = await openHouse(home, "bench");
  await fill(house, size);
  house.close();
}
// The sizes take turns, so that what else the machine does falls on all of them alike.
for (let turn = 0; turn < 15; turn++) {
  for (const { home, view, whole } of homes) {
    const house = await openHouse(home, "bench");
    view.push(await timed(async () => void (await viewLoops(house))));
    house.close();
    whole.push(await timed(() => void must(process.execPath, [lw, "status", "--json", "--home", home.folder], folder)));
  }
}
const results = homes.map(({ size, view, whole }) => ({ size, view: median(view), process: median(whole) }));
rmSync(folder, { recursive: true, force: true });

const [smallest] = results;
console.log("   records        view   ratio     lw status   ratio");
for (const { size, view, process: whole } of results) {
  console.log(
    `  ${String(size).padStart(8)} ${ms(view)}   ${(view / smallest!.view).toFixed(2)}   ${ms(whole)}   ${(whole / smallest!.process).toFixed(2)}`,
  );
}

async function fill({ journal }: Awaited<ReturnType<typeof openHouse>>, size: number): Promise<void> {
  for (let run = 0; run * RECORDS_A_RUN < size; run++) {
    const loop = `loop-${run % LOOPS}`;
    await journal.append(story(run, loop).map((record) => ({ loop, run: `${loop}-${run}-bench`, record })));
  }
}

function story(run: number, loop: string): readonly LoopRecord[] {
  const roundId = `${loop}-${run}-bench.1`;
  const round = {
    id: roundId,
    run: `${loop}-${run}-bench`,
    loop,
    number: 1,
    base: "0".repeat(40),
    openedAt: "2026-01-01T00:00:00.000Z",
    lessons: [],
  };
  const steps: readonly LoopRecord[] = ["make", "commit", "scan", "verify-1", "verify-2", "act"].map((step) => ({
    kind: "step-done",
    roundId,
    step,
    result: { branch: "b" },
    tookMs: 10,
  }));
  const artifact = { sha256: "0".repeat(64), bytes: 0, truncated: false };
  return [
    {
      kind: "run-opened",
      number: run,
      spec: { ...spec, name: loop },
      specHash: "0".repeat(64),
      specPath: "/bench.loop.yaml",
      folder: "/",
      repo: "/repo",
      base: { ref: "main", commit: "0".repeat(40) },
      cursors: {},
      version: "bench",
    },
    { kind: "round-opened", round },
    ...steps,
    { kind: "round-failed", roundId, code: "maker-failed", message: "for the bench", hint: "", retry: "never", tookMs: 0 },
    { kind: "run-rested", rest: { kind: "halt", because: "outside-failure", reason: "for the bench" }, report: artifact },
  ];
}
