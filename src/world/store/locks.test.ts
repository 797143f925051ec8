import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createFolders, DRIVERS } from "../../../test/support/journals.ts";
import { LoopError } from "../../contract/errors.ts";
import { createFileLocks, createLocks } from "./locks.ts";
import { type DriverName, openDatabase } from "./sqlite.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

describe.each(DRIVERS)("a lock on %s", (driver) => {
  it("can be taken and given back many times without leaving anything but its file", async () => {
    const folder = folders.make();
    const locks = createFileLocks<string>((name) => join(folder, name), driver);

    for (let turn = 0; turn < 50; turn++) await (await locks.hold("a.lock", { ms: 0 }))?.release();

    expect(readdirSync(folder)).toEqual(["a.lock"]);
  });

  it("leaves nothing at all where it was only asked for", async () => {
    const folder = folders.make();

    const isHeld = await createFileLocks<string>((name) => join(folder, "locks", name), driver).isHeld("a.lock");

    expect([isHeld, readdirSync(folder)]).toEqual([false, []]);
  });

  it("is refused while a process of an older version holds it, and keeps that one out", async () => {
    const path = join(folders.make(), "a.lock");
    const locks = createFileLocks(() => path, driver);
    const older = openDatabase(path, "read-write", driver);

    older.exec("begin immediate");
    const refused = await locks.hold("it", { ms: 0 });
    older.exec("rollback");
    const held = await locks.hold("it", { ms: 0 });

    expect([refused, held !== undefined]).toEqual([undefined, true]);
    expect(() => older.exec("begin immediate")).toThrow();
    await held?.release();
    older.close();
  });

  it("is had although somebody is just reading it, to see whether it is held", async () => {
    const path = join(folders.make(), "a.lock");
    const locks = createFileLocks(() => path, driver);
    await (await locks.hold("it", { ms: 0 }))?.release();
    const stopped = { isSo: false };
    const asking = (async () => {
      const answers: boolean[] = [];
      for (; !stopped.isSo; await new Promise(setImmediate)) answers.push(await locks.isHeld("it"));
      return answers;
    })();

    const held: boolean[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const lock = await locks.hold("it", { ms: 0 });
      held.push(lock !== undefined);
      await new Promise(setImmediate);
      await lock?.release();
      await new Promise(setImmediate);
    }
    stopped.isSo = true;

    expect(new Set(held)).toEqual(new Set([true]));
    expect(new Set(await asking)).toEqual(new Set([true, false]));
  });

  it("says what to do when its file holds something else", async () => {
    const path = join(folders.make(), "a.lock");
    writeFileSync(path, "somebody's own notes\n".repeat(100));

    expect(await failureOf(path, driver)).toEqual({
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
  ])("says what to do when its file %s", async (_, prepare) => {
    const path = prepare(folders.make());

    expect(await failureOf(path, driver)).toEqual({
      code: "store-unusable",
      retry: "never",
      message: `the lock file ${path} cannot be used`,
      hint: "Make its folder writable, or choose another home with --home or LOOPWRIGHT_HOME.",
    });
  });
});

/** What is told is the same for who wants it and who asks, and nobody is in the way afterwards. */
async function failureOf(path: string, driver: DriverName): Promise<unknown> {
  const locks = createFileLocks(() => path, driver);
  const [taken, again] = [await toldBy(() => locks.hold("it", { ms: 0 })), await toldBy(() => locks.hold("it", { ms: 0 }))];
  expect(again).toEqual(taken);
  if (existsSync(path)) expect(await toldBy(() => locks.isHeld("it"))).toEqual(taken);
  return taken;
}

async function toldBy(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    const { code, retry, message, hint } = error;
    return { code, retry, message, hint };
  }
}

it("begins no home where its own was moved away", async () => {
  const home = join(folders.make(), "moved");

  const told = await toldBy(() => createLocks(home).hold("loop a", { ms: 0 }));

  expect([told, existsSync(home)]).toMatchObject([{ code: "store-unusable" }, false]);
});

it("has its file where it always was, under its home", async () => {
  const home = folders.make();
  const locks = createLocks(home);

  for (const name of ["loop a", "prepared 0a", "sign", "keys", "mend"] as const) await (await locks.hold(name, { ms: 0 }))?.release();

  expect(
    readdirSync(home, { recursive: true, withFileTypes: true })
      .flatMap((at) => (at.isFile() ? [join(at.parentPath, at.name)] : []))
      .sort(),
  ).toEqual(["keys/rotate.lock", "locks/.seal.lock", "locks/a.lock", "mend.lock", "prepared/0a/lock"].map((path) => join(home, path)));
});
