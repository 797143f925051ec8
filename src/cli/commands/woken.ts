// lw run --waking, --resuming and --trial: what the daemon starts, which answers to it why no run was opened.
import { dirname, resolve } from "node:path";
import type { House } from "../../app/open-house.ts";
import { inputs } from "../../app/open-inputs.ts";
import { partsOf } from "../../app/open-parts.ts";
import { mustBeThere } from "../../app/open-records.ts";
import { openRunTelling } from "../../app/open-telling.ts";
import { MOST_SPEC_BYTES } from "../../app/runs/load-library.ts";
import { runTrial } from "../../app/runs/trial.ts";
import type { WokenResult } from "../../app/runs/woken.ts";
import { resumeWoken, runWoken } from "../../app/runs/woken.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Started } from "../../schedule/ports.ts";
import { formatProblem, readSpec } from "../../spec/read-spec.ts";
import { type Call, printJson, wantsJson } from "../call.ts";
import { describeEnding, watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

export const runForKey = (call: Call, loop: string, key: string): Promise<ExitName> =>
  withServedHouse(call, async (house) => {
    const result = await heard(call, house, (watch) => runWoken(house, { loop, key }, watch));
    return answer(call, house, result);
  });

export const takeUp = (call: Call, loop: string, run: string): Promise<ExitName> =>
  withServedHouse(call, async (house) => {
    const result = await heard(call, house, (watch) => resumeWoken(house, { loop, run }, watch));
    return answer(call, house, result);
  });

/** The spec is read from standard input, and lies nowhere. */
export async function tryOut(call: Call, asked: string): Promise<ExitName> {
  const path = resolve(call.io.cwd, asked);
  const text = await inputs.text({ kind: "stdin", stdin: call.io.input }, MOST_SPEC_BYTES);
  const reading = readSpec(path, text, await partsOf(call.home));
  if (reading.kind === "refused") {
    for (const problem of reading.problems) call.io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  const loaded = { ...reading, path, folder: dirname(path) };
  return withServedHouse(call, async (house) => answer(call, house, await heard(call, house, (watch) => runTrial(house, loaded, watch))));
}

/** Whoever starts us serves a home already: where it was moved away meanwhile, no other is begun in its place. */
async function withServedHouse(call: Call, work: (house: House) => Promise<ExitName>): Promise<ExitName> {
  await mustBeThere(call.home);
  return withHouse(call, work);
}

/** What is seen is shown here, and told to the daemon where it listens. */
async function heard<T>(call: Call, house: House, work: (watch: Watch) => Promise<T>): Promise<T> {
  if (call.options.telling !== true) return watched(call, house, work);
  const telling = openRunTelling(house);
  try {
    return await watched(call, house, (watch) =>
      work((sighting) => {
        watch(sighting);
        telling.watch(sighting);
      }),
    );
  } finally {
    telling.close();
  }
}

async function answer(call: Call, house: House, result: WokenResult): Promise<ExitName> {
  if (result.kind === "not-started") {
    const { started } = result;
    if (wantsJson(call)) printJson(call, { started });
    else call.io.err(`lw: no run was opened: ${tell(started)}\n`);
    return started.kind === "failed" && started.retry === "never" ? "usage" : "later";
  }
  const { exit, document, tell: tellEnding } = await describeEnding(house, result);
  if (wantsJson(call)) printJson(call, document);
  else tellEnding(call.io);
  return exit;
}

function tell(started: Exclude<Started, { kind: "started" }>): string {
  switch (started.kind) {
    case "busy":
    case "failed":
      return started.says;
    case "overtaken":
      return "what is on record is other by now";
  }
}
