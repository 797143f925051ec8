import type { Variables } from "../../contract/around.ts";
import { createFiles } from "../../world/files/files.ts";
import type { Home } from "../home.ts";
import { redactingFiles } from "../redact.ts";
import { borrowRedactor } from "../scans/redact-input.ts";

/** Whole or not at all, and without secrets. */
export const writeReport = (home: Home, env: Variables, path: string, text: string): Promise<void> =>
  redactingFiles(createFiles(), borrowRedactor(home, env)).writeText(path, text);
