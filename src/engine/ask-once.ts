// One question to a model outside of rounds: its cost is set aside and recorded like that of any other.
import type { ModelRef, ModelReply, ModelRequest } from "../contract/models.ts";
import { timeLeftMs } from "./next-round.ts";
import type { Run } from "./run.ts";
import { createDesk } from "./worlds/verifier-world.ts";

export async function askOnce(run: Run, who: string, ref: ModelRef, request: ModelRequest): Promise<ModelReply> {
  const { opened, journal, meter } = run;
  const calls = meter.calls({ id: `${journal.run}.1` }, { maker: who });
  const desk = createDesk({ verifier: who, timeLeftMs: timeLeftMs(opened, journal.state), findings: [], proofs: [], meter: calls }, run);
  try {
    return await desk.models.ask(ref, request);
  } finally {
    await calls.settleAll();
  }
}
