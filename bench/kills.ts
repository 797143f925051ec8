// Kills at random moments over runs, approvals, acts and the referee, and again while they are taken up: `npm run bench kills -- --times 1000`.
// What `lw resume` has made of it must be what comes of the same work undisturbed, with nothing doubled, lost or left behind.
import { resolve } from "node:path";
import { layGround, WORKS } from "./kills/kill-once.ts";
import { quickFolder } from "./kills/quick-folder.ts";

const numberAfter = (flag: string, usual: number): number => {
  const at = process.argv.indexOf(flag);
  return at === -1 ? usual : Number(process.argv[at + 1]);
};
const times = numberAfter("--times", 1_000);
const seed = numberAfter("--seed", Math.floor(Math.random() * 1e9));

const ground = await layGround(resolve("dist/lw.cjs"), quickFolder());
const wrong = new Map<string, number>();
const done = new Map<string, number>();
let isAsked = false;
// Whoever has no time left hears of what there is.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => (isAsked = true));
console.log(`${times} kills at random moments (seed ${seed}), each followed by one of the lw resume that takes it up`);
try {
  let state = Math.imul(seed || 1, 2_654_435_761) >>> 0;
  const chance = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let turn = 0; turn < times && !isAsked; turn++) {
    const work = WORKS[turn % WORKS.length]!;
    const [after, again] = [chance(), chance()];
    const found = await ground.kill(work, after, again);
    done.set(work, (done.get(work) ?? 0) + 1);
    if (found.length === 0) continue;
    wrong.set(work, (wrong.get(work) ?? 0) + 1);
    console.log(`  ${work}, killed at ${after.toFixed(4)} and ${again.toFixed(4)} of its usual time:`);
    for (const line of found) console.log(`      ${line.replaceAll("\n", "\n      ")}`);
  }
} finally {
  ground.remove();
}
for (const work of WORKS) {
  const count = done.get(work) ?? 0;
  console.log(`  ${work.padEnd(10)} ${count - (wrong.get(work) ?? 0)} of ${count} as undisturbed`);
}
if (wrong.size > 0) process.exitCode = 1;
