import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFolders, DRIVERS } from "../../../test/support/journals.ts";
import { LoopError } from "../../contract/errors.ts";
import { holdLock, isHeld } from "./lock.ts";
import type { DriverName } from "./sqlite.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

describe.each(DRIVERS)("a lock on %s", (driver) => {
  it("is held by one, refused to the second, and free again after its release", () => {
    const path = join(folders.make(), "locks", "a.lock");

    const first = holdLock(path, driver);
    const second = holdLock(path, driver);
    first?.release();
    const third = holdLock(path, driver);

    expect([first !== undefined, second, third !== undefined]).toEqual([true, undefined, true]);
    third?.release();
  });

  it("is seen to be held or free by who only looks, and nobody loses it by being looked at", () => {
    const path = join(folders.make(), "locks", "a.lock");

    const before = [isHeld(path, driver), existsSync(path)];
    const lock = holdLock(path, driver);
    const looked = [isHeld(path, driver), isHeld(path, driver), holdLock(path, driver)];
    lock?.release();
    const after = [isHeld(path, driver), existsSync(path)];

    expect([before, looked, after]).toEqual([
      [false, false],
      [true, true, undefined],
      [false, true],
    ]);
  });

  it("does not stand in the way of another lock beside it", () => {
    const folder = folders.make();

    const locks = ["a.lock", "b.lock"].map((name) => holdLock(join(folder, name), driver));

    expect(locks.every((lock) => lock !== undefined)).toBe(true);
    for (const lock of locks) lock?.release();
  });

  it("can be taken and given back many times without leaving anything but its file", () => {
    const folder = folders.make();

    for (let turn = 0; turn < 50; turn++) holdLock(join(folder, "a.lock"), driver)?.release();

    expect(existsSync(join(folder, "a.lock-journal"))).toBe(false);
  });

  it("says what to do when its file holds something else", () => {
    const path = join(folders.make(), "a.lock");
    writeFileSync(path, "somebody's own notes\n".repeat(100));

    expect(failureOf(path, driver)).toEqual({
      code: "store-unusable",
      retry: "never",
      message: `the lock file ${path} holds something that is not ours`,
      hint: "Delete it when no `lw` is running: a lock file holds nothing of value.",
    });
  });

  it.each([
    [
      "is a folder",
      (folder: string) => {
        mkdirSync(join(folder, "a.lock"));
        return join(folder, "a.lock");
      },
    ],
    [
      "would lie under a file",
      (folder: string) => {
        writeFileSync(join(folder, "file"), "");
        return join(folder, "file", "a.lock");
      },
    ],
    ["would lie where nothing can be made", () => "/proc/nothing/a.lock"],
  ])("says what to do when its file %s", (_, prepare) => {
    const path = prepare(folders.make());

    expect(failureOf(path, driver)).toEqual({
      code: "store-unusable",
      retry: "never",
      message: `the lock file ${path} cannot be used`,
      hint: "Make its folder writable, or choose another home with --home or LOOPWRIGHT_HOME.",
    });
  });
});

function failureOf(path: string, driver: DriverName): Pick<LoopError, "code" | "retry" | "message" | "hint"> | undefined {
  try {
    holdLock(path, driver);
    return undefined;
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    const { code, retry, message, hint } = error;
    return { code, retry, message, hint };
  }
}
