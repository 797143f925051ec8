import { createFiles } from "../world/files.ts";
import type { Home } from "./home.ts";
import { borrowRedactor } from "./redact-input.ts";
import { redactingFiles } from "./redacting.ts";

/** Whole or not at all, and without secrets. */
export const writeReport = (home: Home, path: string, text: string): Promise<void> =>
  redactingFiles(createFiles(), borrowRedactor(home)).writeText(path, text);
