// The process that we are part of, for whoever calls the library without saying what is around.
import type { Around } from "../../contract/around.ts";

export const thisProcess: Around = {
  env: process.env,
  platform: process.platform,
  program: [process.execPath, ...process.argv.slice(1, 2)],
};

export const thisProcessId: number = process.pid;
