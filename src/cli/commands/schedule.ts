// lw schedule, lw tick: when loops wake, what became of their last wakings, and why one did not run.

import type { BookSource } from "../../app/loops/book.ts";
import { explain, simulate, simulateSpec, tellWaking, viewSchedule, viewTick } from "../../app/loops/view-schedule.ts";
import { openSchedule } from "../../app/open-schedule.ts";
import { type LoadedSpec, loadSpecBy } from "../../app/runs/load-spec.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { firstLine } from "../../std/display-text.ts";
import { parseDuration } from "../../std/duration.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withOpened } from "../open.ts";
import { createPaint } from "../print/paint.ts";
import { tellIn } from "../print/words.ts";
import { printTable } from "../print-table.ts";

/** Also of a home that cannot be written to. */
const reading = (call: Call, work: (source: BookSource) => Promise<ExitName>): Promise<ExitName> =>
  withOpened(call, () => openSchedule(call.home, call), work);

export const schedule: Command = (call) =>
  reading(call, async (house) => {
    const [which] = call.args;
    if (call.options.at !== undefined && call.options.why !== true)
      throw new LoopError("bad-input", "--at is a question of --why", {
        retry: "never",
        hint: "Write e.g. lw schedule fix --why --at 2026-11-01T02:00:00Z.",
      });
    if (call.options.why === true) await tellWhy(call, house, which);
    else if (call.options.simulate !== undefined) return tellSimulated(call, house, which, String(call.options.simulate));
    else await tellSchedule(call, house, which);
    return "done";
  });

export const tick: Command = (call) =>
  reading(call, async (house) => {
    const at = momentOf("--now", call.options.now) ?? house.clock.now();
    const { wakings, problems } = await viewTick(house, at);
    if (wantsJson(call)) printJson(call, { now: at.toISOString(), wakings, problems });
    else {
      if (wakings.length === 0) call.io.err(`lw: nothing is due at ${at.toISOString()}\n`);
      else
        printTable(
          call,
          wakings.map(({ does, loop, dueAt, says }) => [does, loop, dueAt, firstLine(says, 100)]),
        );
      for (const problem of problems) call.io.err(`lw: ${problem}\n`);
    }
    return "done";
  });

async function tellSchedule(call: Call, house: BookSource, which: string | undefined): Promise<void> {
  const loops = await viewSchedule(house, which, countOf(call.options.last));
  if (wantsJson(call)) return printJson(call, { loops });
  if (loops.length === 0) return call.io.err("lw: this home looks after no loops yet. Add some with `lw add FILE`.\n");
  const paint = createPaint(call.io.outColor);
  const now = house.clock.now();
  for (const { loop, next, why, last } of loops) {
    const when = next ? `${tellIn(next.dueAt, now)}, ${next.local}` : why === null ? "when something happens" : "none";
    call.io.out(`${paint("bold", loop)}  next: ${when}${why === null ? "" : `  ${paint("yellow", firstLine(why, 100))}`}\n`);
    for (const waking of last) call.io.out(`  ${firstLine(tellWaking(waking), 160)}\n`);
  }
}

async function tellSimulated(call: Call, house: BookSource, which: string | undefined, asked: string): Promise<ExitName> {
  const forMs = parseDuration(asked);
  if (forMs === undefined)
    throw new LoopError("bad-input", `--simulate ${asked} is not a length of time`, { retry: "never", hint: "Write e.g. --simulate 30d." });
  const file = which !== undefined && isPath(which) ? await specAt(call, house, which) : undefined;
  if (file === "refused") return "usage";
  const { slots, cut } = file ? await simulateSpec(house, file, forMs) : await simulate(house, which, forMs);
  if (wantsJson(call)) {
    printJson(call, { slots, cut });
    return "done";
  }
  for (const { loop, upTo } of cut) call.io.err(`lw: ${loop} has more times than are listed here; its last is ${upTo}. Ask for less.\n`);
  if (slots.length === 0) call.io.err(`lw: no time comes within ${asked}\n`);
  if (slots.length === 0) return "done";
  const rows = slots.map(({ dueAt, local, loop, isOpen }) => [dueAt, loop, local, isOpen ? "" : "skipped: its window is shut"]);
  printTable(call, rows);
  return "done";
}

/** No name of a loop has one of these. */
const isPath = (which: string): boolean => /[./\\]/.test(which);

async function specAt(call: Call, house: BookSource, path: string): Promise<LoadedSpec | "refused"> {
  const loading = await loadSpecBy(house.texts, path, call.io.cwd, house.registries);
  if (loading.kind === "loaded") return loading.loaded;
  if (wantsJson(call)) printJson(call, { problems: loading.problems });
  for (const problem of loading.problems) call.io.err(`${formatProblem(problem)}\n`);
  return "refused";
}

async function tellWhy(call: Call, house: BookSource, which: string | undefined): Promise<void> {
  if (which === undefined)
    throw new LoopError("bad-input", "--why needs a loop", {
      retry: "never",
      hint: "Write e.g. lw schedule fix --why --at 2026-11-01T02:00Z.",
    });
  const view = await explain(house, which, momentOf("--at", call.options.at));
  if (wantsJson(call)) return printJson(call, view);
  call.io.out(`${view.lines.join("\n")}\n`);
}

const MOST_LAST = 10_000;

function countOf(asked: unknown): number | undefined {
  if (asked === undefined) return undefined;
  const count = Number(asked);
  if (Number.isInteger(count) && count >= 1 && count <= MOST_LAST) return count;
  throw new LoopError("bad-input", `--last ${String(asked)} is no count from 1 to ${MOST_LAST}`, {
    retry: "never",
    hint: "Write e.g. --last 50.",
  });
}

/** Some make the 2nd of March of the 30th of February. */
function isDayThere(written: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(written) ?? [];
  return year === undefined || new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
}

function momentOf(flag: string, asked: unknown): Date | undefined {
  if (asked === undefined) return undefined;
  const at = new Date(String(asked));
  if (Number.isNaN(at.getTime()) || !isDayThere(String(asked)))
    throw new LoopError("bad-input", `${flag} ${String(asked)} is no moment`, {
      retry: "never",
      hint: `Write e.g. ${flag} 2026-11-01T02:00:00Z.`,
    });
  return at;
}
