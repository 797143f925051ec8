import { createFiles } from "../../world/files/files.ts";
import type { Home } from "../home.ts";
import { redactingFiles } from "../redact.ts";
import { borrowRedactor } from "../scans/redact-input.ts";

/** Whole or not at all, and without secrets. */
export const writeReport = (home: Home, path: string, text: string): Promise<void> =>
  redactingFiles(createFiles(), borrowRedactor(home)).writeText(path, text);
