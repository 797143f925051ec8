// Repositories of this machine, to be looked at.
import { type Around, environmentOf } from "../contract/around.ts";
import { LoopError } from "../contract/errors.ts";
import { createFiles } from "../world/files/files.ts";
import { findFiles, kindAt } from "../world/files/find-files.ts";
import { withGit } from "../world/git/run-git.ts";
import { findProgram } from "../world/machine/survey.ts";
import { lookAtRepository, type SeenRepository } from "./authoring/look-at-repository.ts";

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
