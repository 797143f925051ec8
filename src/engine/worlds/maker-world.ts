// The only world a maker sees.

import { join } from "node:path";
import type { Command } from "../../contract/commands.ts";
import type { Refusal } from "../../contract/ledger.ts";
import type { Models } from "../../contract/models.ts";
import type { MakerWorld, Notebook } from "../../contract/part-worlds.ts";
import type { RunOpened } from "../../contract/record.ts";
import type { PartRef } from "../../contract/spec.ts";
import type { Taint } from "../../contract/text.ts";
import type { Workspace } from "../../contract/workshop.ts";
import type { World } from "../../contract/world.ts";
import { whySealed } from "../../guard/seal.ts";
import { shown } from "../../guard/text/admit.ts";
import { cappedLevel } from "../../guard/text/taint.ts";
import { shellWord } from "../../std/shell-word.ts";
import type { Hearing } from "../hear-maker.ts";
import type { Launch } from "../spending/launch.ts";
import { type AskGuard, guardProc, outOfTime, withoutSecrets } from "./guard-proc.ts";

/** Every text in the options of a part. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

interface MakerBounds {
  readonly roundId: string;
  readonly workspace: Workspace;
  /** Of the maker, as the spec writes them. */
  readonly options: PartRef["with"];
  readonly timeLeftMs: number;
  /** The cap that leaves no more, where it is not the run's own. */
  readonly timeBy?: Refusal | undefined;
  readonly taint: Taint;
  /** Where the spec lies, and with it the policy. */
  readonly folder: string;
  readonly hearing: Hearing;
  /** With a meter on every answer. */
  readonly models: Models;
  readonly earlierSession: string | undefined;
  readonly notebook: Notebook;
}

/** The only world a maker sees: its commands are bounded, and its spending is on record before it goes on. */
export function createMakerWorld(
  { roundId, workspace, options, timeLeftMs, timeBy, taint, folder, hearing, earlierSession, models, notebook }: MakerBounds,
  { budget, level, outsiders, seal, unseal }: RunOpened["spec"],
  launch: Launch,
  { world, guard }: { readonly world: World; readonly guard: AskGuard },
): MakerWorld {
  const leftMs = Math.min(timeLeftMs, launch.timeLeftMs);
  const bounds = { level: cappedLevel(level, outsiders.level, taint), ...(taint.kind === "tainted" ? { network: outsiders.network } : {}) };
  const guarded = guardProc(world, guard, roundId, bounds, leftMs);
  return {
    proc: {
      async run(command, dialogue) {
        const over = launch.over();
        if (over) throw over;
        const meanwhile: Command["meanwhile"] = async (used) => {
          if ((await command.meanwhile?.(used)) === "stop") return "stop";
          return launch.over(used) ? "stop" : "go-on";
        };
        const finished = await guarded.run({ ...command, meanwhile }, dialogue);
        launch.add(finished);
        if (finished.end.kind === "timed-out") {
          const why = launch.over() ?? (command.timeoutMs > leftMs ? outOfTime(budget, "the maker was done", timeBy) : undefined);
          if (why) throw why;
        }
        return finished;
      },
    },
    files: world.workspaceFiles(workspace.work),
    env: withoutSecrets(world.env, textsIn(options)),
    readUsage: () => world.files.readText(workspace.usage),
    meter: launch.meter,
    desk: {
      models,
      files: world.copyFiles(workspace.work, whySealed({ seal, unseal })),
      show: shown,
      keep: (text) => world.artifacts.keep(text),
      readKept: async (ref) => new TextDecoder().decode(await world.artifacts.read(ref)),
    },
    notebook,
    agent: {
      clock: world.clock,
      tell: hearing.tell,
      missed: hearing.missed,
      earlierSession,
      askGuard(command) {
        const { decision, findings } = guard(command, { workspace: workspace.work, ...bounds });
        return { decision, why: findings.map(({ rule, why }) => `${rule}: ${why}`).join("\n") };
      },
      hookSettings: (adapter) => world.hookSettings(adapter, hookFlags({ workspace: workspace.work, folder, ...bounds })),
      async lay(name, text) {
        const path = join(workspace.home, name);
        await world.files.writeText(path, text);
        return path;
      },
    },
  };
}

interface HookBounds {
  readonly workspace: string;
  readonly folder: string;
  readonly level: string;
  readonly network?: string;
}

/** The policy lies with the spec: one that the maker writes into its own copy counts for nothing. */
const hookFlags = ({ workspace, folder, level, network }: HookBounds): string =>
  `--workspace ${shellWord(workspace)} --policy ${shellWord(folder)} --level ${level}${network === undefined ? "" : ` --network ${network}`}`;
