// Removes one file; one that is not there is fine.
import { rm } from "node:fs/promises";

export const removeFile = (path: string): Promise<void> => rm(path, { force: true });
