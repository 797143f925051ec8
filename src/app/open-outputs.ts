// Files that somebody wants written: pages, and the whole journal.
import type { Variables } from "../contract/around.ts";
import { createFiles, createKeptFiles } from "../world/files/files.ts";
import { isSameFile, isTaken, kindAt } from "../world/files/find-files.ts";
import { writePieces } from "../world/files/write-pieces.ts";
import { type Out, type OutsAsked, type WrittenOuts, writeOuts } from "./authoring/write-outs.ts";
import type { Home } from "./home.ts";
import type { House } from "./open-house.ts";
import { borrowRedactor } from "./open-redactor.ts";
import { exportChain } from "./records/export-chain.ts";
import { redactFiles } from "./redact.ts";

/** Whole or not at all, and without secrets. */
export const writeReport = (home: Home, env: Variables, path: string, text: string): Promise<void> =>
  redactFiles(createFiles(), borrowRedactor(home, env)).writeText(path, text);

/** Specs as they are: nothing in them is of a run. */
export const writeSpecs = (outs: readonly Out[], asked: OutsAsked): Promise<WrittenOuts> =>
  writeOuts({ ...createKeptFiles(), isTaken, isSameFile, kindAt }, outs, asked);

/** What may hold more than somebody wrote, without secrets. */
export const writePages = (home: Home, env: Variables, outs: readonly Out[], asked: OutsAsked): Promise<WrittenOuts> =>
  writeOuts({ ...redactFiles(createKeptFiles(), borrowRedactor(home, env)), isTaken, isSameFile, kindAt }, outs, asked);

/** The whole journal as lines that anyone can check; how many bytes it came to. */
export const exportChainTo = (house: House, path: string): Promise<number> => writePieces(path, exportChain(house));
