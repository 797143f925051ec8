// lw run --waking and lw run --resuming: what the daemon starts, which answers to it why no run was opened.
import type { House } from "../../app/open-house.ts";
import { openRunTelling } from "../../app/open-telling.ts";
import type { WokenResult } from "../../app/runs/woken.ts";
import { resumeWoken, runWoken } from "../../app/runs/woken.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Started } from "../../schedule/ports.ts";
import { type Call, printJson, wantsJson } from "../call.ts";
import { describeEnding, watched } from "../print/tell-run.ts";
import { withHouse } from "../with-house.ts";

export const runForKey = (call: Call, loop: string, key: string): Promise<ExitName> =>
  withHouse(call, async (house) => {
    const result = await heard(call, house, (watch) => runWoken(house, { loop, key }, watch));
    return answer(call, house, result);
  });

export const takeUp = (call: Call, loop: string, run: string): Promise<ExitName> =>
  withHouse(call, async (house) => {
    const result = await heard(call, house, (watch) => resumeWoken(house, { loop, run }, watch));
    return answer(call, house, result);
  });

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
