// A repository of this machine whose agents are taught its loops.

import { type Around, environmentOf } from "../contract/around.ts";
import type { Registries } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { KeptTree } from "../contract/texts-of-others.ts";
import { createKeptTree } from "../world/files/kept-tree.ts";
import { texts } from "../world/files/spec-files.ts";
import { withGit } from "../world/git/run-git.ts";
import { findProgram } from "../world/machine/survey.ts";
import type { AdaptSight } from "./adapting/plan-adapt.ts";
import { type TaughtLoops, taughtLoops } from "./adapting/taught-loops.ts";

export interface Adapting extends AdaptSight {
  readonly root: string;
  readonly tree: KeptTree;
  readonly loops: (wanted: readonly string[] | undefined) => Promise<TaughtLoops>;
}

export async function openAdapting(folder: string, registries: Registries, { env }: Pick<Around, "env">): Promise<Adapting> {
  const around = environmentOf(env);
  const root = await withGit(around, async (git) => {
    const { code, stdout } = await git({ cwd: folder, args: ["rev-parse", "--show-toplevel"] });
    return code === 0 ? stdout.toString("utf8").trim() : undefined;
  });
  if (root === undefined)
    throw new LoopError("bad-input", `${folder} is in no git repository`, {
      retry: "never",
      hint: "What is written can only be seen and undone in one: make it with `git init`, and try again.",
    });
  return {
    root,
    tree: createKeptTree(root),
    findProgram: (name) => findProgram(name, around),
    loops: (wanted) => taughtLoops(root, wanted, texts, registries),
  };
}
