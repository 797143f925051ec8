// What a demo takes of this machine.
import type { Environment } from "../contract/clock.ts";
import { createFiles } from "../world/files/files.ts";
import { makeTemporaryFolder } from "../world/files/temporary.ts";
import { gitFor, gitOrThrow } from "../world/git/run-git.ts";
import { findProgram } from "../world/machine/survey.ts";
import type { DemoWorld } from "./demo.ts";

export function openDemo(env: Environment): DemoWorld {
  const git = gitFor(env);
  return {
    ...createFiles(),
    makeFolder: (asked) => makeTemporaryFolder("loopwright-demo-", asked, env),
    git: (order) => gitOrThrow(git, order),
    findProgram: (name) => findProgram(name, env),
  };
}
