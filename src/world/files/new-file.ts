// Writes a file that is new: whole or not at all, never over another one, and never through a link.
import { randomBytes } from "node:crypto";
import { link, lstat, mkdir, open, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { NewFiles } from "../../contract/web.ts";

export const newFiles: NewFiles = {
  async write({ root, folder, name }, text) {
    const inside = join(await realpath(root).catch(absent(root)), folder);
    await mkdir(inside).catch(ifThere);
    // A link there would lead elsewhere than where somebody looked.
    if (!(await lstat(inside)).isDirectory()) throw refused(inside, "it is no folder, or a link to one");
    const draft = join(inside, `.${randomBytes(8).toString("hex")}.draft`);
    try {
      const file = await open(draft, "wx");
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      // Unlike a rename, this fails where something has that name already.
      await link(draft, join(inside, name));
      return "written";
    } catch (error) {
      if (codeOf(error) === "EEXIST") return "there";
      throw refused(inside, error instanceof Error ? error.message : String(error));
    } finally {
      await rm(draft, { force: true });
    }
  },
};

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

function ifThere(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw refused("its folder", error instanceof Error ? error.message : String(error));
}

const absent =
  (root: string) =>
  (cause: unknown): never => {
    throw refused(root, cause instanceof Error ? cause.message : String(cause));
  };

const refused = (where: string, why: string): LoopError =>
  new LoopError("bad-input", `nothing can be written into ${where}: ${why}`, {
    retry: "never",
    hint: "Look at that folder, or write the spec by hand and add it with `lw add`.",
  });
