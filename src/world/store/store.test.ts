import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { appendOne, createFolders, DRIVERS, note, openJournal } from "../../../test/support/journals.ts";
import { LoopError } from "../../contract/errors.ts";
import { createStore } from "./store.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

const HINT = "Make that folder and the files in it readable and writable, or choose another home with --home or LOOPWRIGHT_HOME.";

describe.each(DRIVERS)("a store on %s", (driver) => {
  it("makes its folder, for its owner alone", () => {
    const folder = join(folders.make(), "deep", "home");

    createStore(folder, driver).open().close();

    expect((statSync(folder).mode & 0o777).toString(8)).toBe("700");
  });

  it.each([
    [
      "is a file",
      (home: string) => {
        writeFileSync(home, "");
      },
    ],
    [
      "lies under a file",
      (home: string) => {
        rmSync(join(home, ".."), { recursive: true });
        writeFileSync(join(home, ".."), "");
      },
    ],
    [
      "has a folder where the database should be",
      (home: string) => {
        mkdirSync(join(home, "journal.db"), { recursive: true });
      },
    ],
    [
      "has a folder where the marks should be",
      (home: string) => {
        mkdirSync(join(home, "journal.head"), { recursive: true });
      },
    ],
  ])("says what to do when its folder %s", async (_, prepare) => {
    const folder = join(folders.make(), "deep", "home");
    mkdirSync(join(folder, ".."));
    prepare(folder);

    const { code, retry, hint, message } = await failureOf(openJournal(folder, driver));

    expect({ code, retry, hint }).toEqual({ code: "store-unusable", retry: "never", hint: HINT });
    expect(message).toContain(folder);
  });

  it.each(["/proc/loopwright", "/dev/null/home", "/sys/loopwright"])("says what to do when %s cannot be made", async (folder) => {
    const { code, retry, hint } = await failureOf(openJournal(folder, driver));

    expect({ code, retry, hint }).toEqual({ code: "store-unusable", retry: "never", hint: HINT });
  });

  it("says so when there is no more room, keeps what it has, and goes on when there is room again", async () => {
    const folder = folders.make();
    const store = createStore(folder, driver);
    const db = store.open();
    db.exec("create table a (b text)");
    const [pages] = db.all("pragma page_count");
    db.all(`pragma max_page_count=${Number(pages?.page_count)}`);

    const failure = await failureOf((async () => db.run("insert into a values (?)", "x".repeat(100_000)))());
    db.all("pragma max_page_count=1000");
    db.run("insert into a values (?)", "x".repeat(100_000));

    expect({ code: failure.code, retry: failure.retry, hint: failure.hint }).toEqual({
      code: "store-unusable",
      retry: "later",
      hint: "Make room on that disk and try again, or choose another home with --home or LOOPWRIGHT_HOME.",
    });
    expect(db.all("select count(*) as n from a").map(({ n }) => n)).toEqual([1]);
    db.close();
  });

  it("begins no other journal where its folder was moved away, also where something else lies there, and goes on when it is back", async () => {
    const folder = join(folders.make(), "home");
    const journal = await openJournal(folder, driver);
    await appendOne(journal, { loop: "a", run: "a-1" }, note("ada"));
    renameSync(folder, `${folder}-gone`);

    const { code, retry } = await failureOf(appendOne(journal, { loop: "a", run: "a-1" }, note("bob")));
    expect([code, retry, existsSync(folder)]).toEqual(["store-unusable", "later", false]);
    mkdirSync(folder);
    expect((await failureOf(journal.story("a-1"))).code).toBe("store-unusable");
    expect(existsSync(join(folder, "journal.db"))).toBe(false);

    rmSync(folder, { recursive: true });
    renameSync(`${folder}-gone`, folder);
    await appendOne(journal, { loop: "a", run: "a-1" }, note("carl"));
    expect((await journal.inspect()).damage).toEqual([]);
    journal.close();
  });

  it("keeps a record although its mark cannot be written any more", async () => {
    const folder = folders.make();
    const journal = await openJournal(folder, driver);
    createStore(folder, driver).writeMark(1, "a mark");
    const store = createStore(join(folder, "journal.db"), driver);

    store.writeMark(1, "nowhere to go");

    expect((await appendOne(journal, { loop: "a", run: "a-1" }, note("ada"))).seq).toBe(1);
    journal.close();
  });

  it("keeps marks in their places, and a later one takes the place of the one 32 before it", () => {
    const folder = folders.make();
    const store = createStore(folder, driver);
    for (let number = 1; number <= 40; number++) store.writeMark(number, `mark ${number}`);
    store.writeMark(40, "mark forty, again");

    const marks = store.readMarks().filter(Boolean);

    expect(new Set(marks)).toEqual(new Set([...Array.from({ length: 31 }, (_, index) => `mark ${index + 9}`), "mark forty, again"]));
    expect(readFileSync(join(folder, "journal.head")).length).toBe(32 * 128);
  });

  it("reads the very first mark, before which nothing was ever written", () => {
    const store = createStore(folders.make(), driver);

    store.writeMark(1, "mark 1");

    expect(store.readMarks().filter(Boolean)).toEqual(["mark 1"]);
  });

  it("has no marks before there are any", () => {
    expect(createStore(folders.make(), driver).readMarks()).toEqual([]);
  });

  it("lets one at a time do what only one may do", async () => {
    const folder = folders.make();
    const stores = Array.from({ length: 3 }, () => createStore(folder, driver));
    let inside = 0;

    const most = await Promise.all(
      stores.map((store) =>
        store.exclusively(() => {
          inside++;
          const now = inside;
          inside--;
          return now;
        }),
      ),
    );

    expect(most).toEqual([1, 1, 1]);
  });

  it("frees what only one may do when that fails", async () => {
    const store = createStore(folders.make(), driver);

    await expect(
      store.exclusively(() => {
        throw new Error("failed");
      }),
    ).rejects.toThrow("failed");

    expect(await store.exclusively(() => "free")).toBe("free");
  });
});

async function failureOf(work: Promise<unknown>): Promise<LoopError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(error instanceof LoopError)) throw new Error("expected a LoopError", { cause: error });
  return error;
}
