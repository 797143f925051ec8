// Side-by-side timing: both sides take turns in one run, and only their ratio is told as a result.
import { spawnSync } from "node:child_process";

export interface Side {
  readonly name: string;
  readonly work: () => Promise<void> | void;
}

export interface Comparison {
  readonly ours: number;
  readonly plain: number;
  readonly ratio: number;
}

export async function compare(times: number, ours: Side, plain: Side): Promise<Comparison> {
  await ours.work();
  await plain.work();
  const took = { ours: [] as number[], plain: [] as number[] };
  for (let turn = 0; turn < times; turn++) {
    took.plain.push(await timed(plain.work));
    took.ours.push(await timed(ours.work));
  }
  const result = { ours: median(took.ours), plain: median(took.plain) };
  const ratio = result.ours / result.plain;
  console.log(`  ${ours.name.padEnd(44)} ${ms(result.ours)}`);
  console.log(`  ${plain.name.padEnd(44)} ${ms(result.plain)}`);
  console.log(`  ratio ${ratio.toFixed(2)}   difference ${ms(result.ours - result.plain)}   (medians of ${times})\n`);
  return { ...result, ratio };
}

export async function timed(work: Side["work"]): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

export const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(11);

/** Runs a program that must succeed. */
export function must(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(program, [...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} exited ${status}: ${stderr}`);
  return stdout;
}
