// Fits out the maker's copy before the maker comes: what `.worktreeinclude` names, ports of its own, and the spec's set-up command.

import type { Finished, Proc } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { OutfitFact } from "../contract/proposal.ts";
import { WorkspaceWish } from "../contract/spec.ts";
import type { Apart, Workspace } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import type { Run } from "./run.ts";

const INCLUDE_FILE = ".worktreeinclude";

export interface Outfit {
  readonly fact: OutfitFact;
  /** Variables for every command of the maker. */
  readonly env: { readonly [name: string]: string };
  /** Gives the ports back. */
  readonly release: () => Promise<void>;
}

/** Runs from before there was a `workspace` have none in their spec: then nothing was asked for. A document has no checkout to lend it files. */
export const workspaceOf = ({ spec }: Run["opened"]): WorkspaceWish =>
  WorkspaceWish.parse(spec.document ? { ...spec.workspace, include: false } : (spec.workspace ?? { include: false }));

export async function fitOut({ opened, world }: Pick<Run, "opened" | "world">, workspace: Workspace, apart: Apart): Promise<Outfit> {
  const { include, ports } = workspaceOf(opened);
  const included = include ? await includeInto(workspace, { opened, world }, apart) : undefined;
  if (ports === 0) return { fact: included ? { included } : {}, env: {}, release: async () => {} };
  const { first, last, release } = await world.outfitter.takePorts(ports);
  return {
    fact: { ...(included ? { included } : {}), ports: { first, last } },
    env: { LOOPWRIGHT_PORT: `${first}`, LOOPWRIGHT_PORT_END: `${last}` },
    release,
  };
}

/** What the user's checkout lent goes no further, also where the maker changed what is ignored. */
export const withoutLent = (apart: Apart, outfit: OutfitFact | undefined): Apart => ({
  ...apart,
  leftOut: [...apart.leftOut, ...(outfit?.included?.files ?? [])],
});

async function includeInto({ work, below }: Workspace, { opened, world }: Pick<Run, "opened" | "world">, apart: Apart) {
  const { repo, base } = opened;
  const [found] = await world.git.filesAt(repo, [{ commit: base.commit, path: INCLUDE_FILE }]);
  return world.outfitter.include({
    repo,
    work,
    ...(below ? { below } : {}),
    byBase: found?.kind === "found" ? found.text : undefined,
    apart,
  });
}

/** The set-up command, by way of the maker's own guarded and boxed commands. A maker is called only if it succeeds. */
export async function setUp(
  { opened, world }: Pick<Run, "opened" | "world">,
  workspace: Workspace,
  proc: Proc,
): Promise<Pick<OutfitFact, "setup">> {
  const { setup } = workspaceOf(opened);
  if (!setup) return {};
  const finished = await proc.run({
    run: setup.run,
    cwd: workspace.work,
    timeoutMs: parseDuration(setup.timeout)!,
    env: { HOME: workspace.home, CI: "1", ...chosenEnvironment(setup.inherit, world.env) },
  });
  if (finished.end.kind !== "exited" || finished.end.code !== 0) throw notSetUp(setup, finished);
  return { setup: { tookMs: Math.round(finished.tookMs), output: finished.output } };
}

/** The same world, in which every command has these variables besides its own. */
export const addVariables = (world: World, env: Outfit["env"]): World => ({
  ...world,
  proc: { run: (command, dialogue) => world.proc.run({ ...command, env: { ...command.env, ...env } }, dialogue) },
});

function notSetUp({ run, timeout }: NonNullable<WorkspaceWish["setup"]>, { end, tail }: Finished): LoopError {
  const how =
    end.kind === "exited"
      ? `exited ${end.code}`
      : end.kind === "killed"
        ? `was killed by ${end.signal}${end.why ? `, because ${end.why}` : ""}`
        : `took longer than ${end.afterMs} ms (workspace.setup.timeout is ${timeout})`;
  return new LoopError(
    "setup-failed",
    `the set-up \`${run.slice(0, 200)}\` ${how}, so that no maker was called${tail.trim() === "" ? "" : `\n${tail.trim().slice(-2000)}`}`,
    {
      retry: "never",
      hint: "Try it in a fresh clone of base; HOME is an empty folder there, variables must be named in `workspace.setup.inherit`, and it runs in the maker's box.",
    },
  );
}
