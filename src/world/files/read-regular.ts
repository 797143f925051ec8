// Reads files of the home that others could have put something else in place of: a pipe there would keep whoever reads it for ever.
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

export async function readRegular(path: string): Promise<Buffer> {
  const file: FileHandle = await open(path, WITHOUT_WAITING);
  try {
    if (!(await file.stat()).isFile()) throw noFile(path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

export function readRegularNow(path: string): Buffer {
  const file = openSync(path, WITHOUT_WAITING);
  try {
    if (!fstatSync(file).isFile()) throw noFile(path);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

const noFile = (path: string): Error => Object.assign(new Error(`${path} is not a file`), { code: "EINVAL" });
