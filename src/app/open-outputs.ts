// Files that somebody wants written: pages, and the whole journal.
import type { Variables } from "../contract/around.ts";
import { createFiles } from "../world/files/files.ts";
import { writePieces } from "../world/files/write-pieces.ts";
import type { Home } from "./home.ts";
import type { House } from "./open-house.ts";
import { borrowRedactor } from "./open-redactor.ts";
import { exportChain } from "./records/export-chain.ts";
import { redactFiles } from "./redact.ts";

/** Whole or not at all, and without secrets. */
export const writeReport = (home: Home, env: Variables, path: string, text: string): Promise<void> =>
  redactFiles(createFiles(), borrowRedactor(home, env)).writeText(path, text);

/** The whole journal as lines that anyone can check; how many bytes it came to. */
export const exportChainTo = (house: House, path: string): Promise<number> => writePieces(path, exportChain(house));
