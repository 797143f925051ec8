// Repositories of this machine, to be looked at and given a loop.
import { type Around, environmentOf } from "../contract/around.ts";
import { LoopError } from "../contract/errors.ts";
import type { Files } from "../contract/files.ts";
import { createFiles, createKeptFiles } from "../world/files/files.ts";
import { findFiles, kindAt } from "../world/files/find-files.ts";
import { removeTree } from "../world/files/remove-tree.ts";
import { makeTemporaryFolder } from "../world/files/temporary.ts";
import { withGit } from "../world/git/run-git.ts";
import { findProgram } from "../world/machine/survey.ts";
import { lookAtRepository, type SeenRepository } from "./authoring/look-at-repository.ts";
import { builtIn } from "./crew.ts";
import { findHome, type Home } from "./home.ts";
import { type House, openHouse } from "./open-house.ts";

/** Everything that can be seen of the repository a folder is in. Nothing of it is run. */
export async function scanFolder(folder: string, around: Pick<Around, "env">): Promise<SeenRepository> {
  if ((await kindAt(folder)) !== "folder")
    throw new LoopError("bad-input", `there is no folder ${folder}`, {
      retry: "never",
      hint: "Give a folder that can be read, e.g. lw scan .",
    });
  const env = environmentOf(around.env);
  return withGit(env, (git) =>
    lookAtRepository(folder, {
      find: findFiles,
      readText: createFiles().readText,
      findProgram: (name) => findProgram(name, env),
      async askGit(cwd, args) {
        const { code, stdout } = await git({ cwd, args });
        return code === 0 ? stdout.toString("utf8").trim() : undefined;
      },
    }),
  );
}

/** A house in a folder of its own, which goes with everything that was recorded there; what was prepared stays in the real home. */
export async function inPassingHouse<T>(
  home: Home,
  version: string,
  around: Pick<Around, "env" | "program" | "platform">,
  work: (house: House) => Promise<T>,
): Promise<T> {
  const env = environmentOf(around.env);
  const folder = await makeTemporaryFolder("loopwright-init-", undefined, env);
  const house = await openHouse({ ...findHome(folder, env, around.platform, folder), prepared: home.prepared }, version, builtIn, around);
  try {
    return await work(house);
  } finally {
    house.close();
    await removeTree(folder);
  }
}

export const loopFiles: Pick<Files, "readText" | "writeText"> = createKeptFiles();
