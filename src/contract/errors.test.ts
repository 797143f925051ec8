import { expect, it } from "vitest";
import { failureOfDisk } from "./errors.ts";

const systemError = (more: object): Error => Object.assign(new Error("it failed"), more);

it.each<readonly [string, object]>([
  ["a path that cannot be used", { syscall: "open", code: "EACCES", path: "/home/x" }],
  ["a full disk, also where nobody says which file it was", { syscall: "write", code: "ENOSPC" }],
  ["a quota that is used up", { syscall: "write", code: "EDQUOT" }],
  ["a disk that fails", { syscall: "fsync", code: "EIO" }],
  ["a disk that became read-only", { syscall: "write", code: "EROFS" }],
])("takes %s for a failure outside, with something to do about it", (_, more) => {
  expect(failureOfDisk(systemError(more))).toMatchObject({ code: "store-unusable", retry: "later", hint: expect.stringMatching(/\.$/) });
});

it.each<readonly [string, unknown]>([
  ["a mistake of ours", new TypeError("undefined is not a function")],
  ["a file handle that was closed", systemError({ syscall: "write", code: "EBADF" })],
  ["what is no error", "ENOSPC"],
])("takes %s for no such thing", (_, error) => {
  expect(failureOfDisk(error)).toBeUndefined();
});
