// Recorded edits, round by round: for demos and tests. It can also misbehave on purpose.
import { dirname } from "node:path";
import * as z from "zod";
import { LoopError } from "../contract/errors.ts";
import { defineMaker } from "../contract/maker.ts";
import { Duration } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";

const Scene = z.strictObject({
  say: z.string().default("done").meta({ description: "What the maker claims. It counts for nothing." }),
  write: z.record(z.string(), z.string()).default({}).meta({ description: "Files to write: path to content." }),
  remove: z.array(z.string()).default([]).meta({ description: "Files to remove." }),
  run: z.string().optional().meta({ description: "A command to run in the maker's copy after the edits." }),
  spend: z
    .strictObject({
      usd: z.number().default(0).meta({ description: "US dollars." }),
      tokens: z.number().default(0).meta({ description: "Tokens." }),
    })
    .optional()
    .meta({ description: "What the maker says it spent." }),
  hang: Duration.optional().meta({ description: "How long it does nothing before it edits.", examples: ["10m"] }),
  fail: z.enum(["gives-up", "crashes", "is-limited"]).optional().meta({ description: "How it fails after its edits." }),
});

export const scripted = defineMaker({
  name: "scripted",
  summary: "Plays recorded edits, one scene a round; the last scene is repeated. It can delete tests, hang, fail and overspend on purpose.",
  options: z.strictObject({
    scenes: z.array(Scene).min(1).meta({ description: "What it does in the first round, the second, and so on." }),
  }),
  async edit({ round, workspace }, { scenes }, world) {
    // No model is behind a script: what it does not say it spent, it did not spend.
    world.meter.free();
    const scene = scenes[Math.min(round.number, scenes.length) - 1]!;
    const command = (run: string, timeoutMs: number) =>
      world.proc.run({
        run,
        cwd: workspace.work,
        timeoutMs,
        env: { ...chosenEnvironment(["HOME"], world.env), GIT_CEILING_DIRECTORIES: dirname(workspace.work) },
      });

    const slept = scene.hang ? await command(`sleep ${parseDuration(scene.hang)! / 1000}`, parseDuration(scene.hang)! + 60_000) : undefined;
    if (slept?.end.kind === "timed-out") return { ended: "gave-up", summary: untrustedText("its time was up before it did anything") };
    for (const path of scene.remove) await world.files.remove(path);
    for (const [path, text] of Object.entries(scene.write)) await world.files.write(path, text);
    if (scene.run) await command(scene.run, 600_000);
    if (scene.spend) await world.meter.charge(scene.spend);

    switch (scene.fail) {
      case undefined:
        return { ended: "finished", summary: untrustedText(scene.say) };
      case "gives-up":
        return { ended: "gave-up", summary: untrustedText(scene.say) };
      case "crashes":
        throw new LoopError("maker-failed", "the scripted maker crashed on purpose", {
          retry: "never",
          hint: "Take `fail: crashes` out of the scene.",
        });
      case "is-limited":
        throw new LoopError("maker-rate-limited", "the scripted maker hit a usage limit on purpose", {
          retry: "later",
          hint: "Try again later with `lw resume`.",
        });
    }
  },
});
