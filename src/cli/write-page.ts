// Writes a page that somebody asked for to a file.
import { resolve } from "node:path";
import { writeReport } from "../app/open-outputs.ts";
import type { Call } from "./call.ts";

/** Writes a page where the caller wants it, without secrets, and says where it is. */
export async function writePage(call: Call, asked: string, text: string): Promise<void> {
  const path = resolve(call.io.cwd, asked);
  await writeReport(call.home, call.env, path, text);
  call.io.err(`lw: written to ${path}\n`);
}
