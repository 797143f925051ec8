// The machine as far as a service of the user's needs it: its service manager, and the files that this reads.
import { type Around, environmentOf } from "../contract/around.ts";
import { createFiles } from "../world/files/files.ts";
import { removeFile } from "../world/files/remove-file.ts";
import { texts } from "../world/files/spec-files.ts";
import { userId } from "../world/machine/login-name.ts";
import { ask, findProgram } from "../world/machine/survey.ts";

export function openService(cwd: string, around: Pick<Around, "env">) {
  const env = environmentOf(around.env);
  const files = createFiles();
  return {
    texts,
    userId: userId(),
    hasProgram: async (name: string): Promise<boolean> => (await findProgram(name, env)) !== undefined,
    ask: (program: string, args: readonly string[]) => ask(program, args, { cwd, env: around.env }, 60_000),
    read: (path: string): Promise<string | undefined> => texts.readOptional(path),
    write: (path: string, text: string): Promise<void> => files.writeText(path, text),
    remove: removeFile,
  };
}
