import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Stop } from "../../contract/clock.ts";
import type { PreparedStore } from "../../contract/prepared.ts";
import { createStop, neverStops } from "../../contract/stop.ts";
import type { Checkout } from "../../contract/workshop.ts";
import { systemClock } from "../machine/clock.ts";
import { createLocks } from "./locks.ts";
import { createPreparedStore, measurePrepared } from "./prepared-store.ts";

const ID = "a".repeat(40);
const DAY_MS = 24 * 60 * 60 * 1000;

let folder = "";
let store: PreparedStore;
let rooms = 0;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-prepared-")));
  store = openStore();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const openStore = (aheadMs = 0, stop: Stop = neverStops): PreparedStore =>
  createPreparedStore(join(folder, "prepared"), "a machine", {
    clock: { ...systemClock, now: () => new Date(Date.now() + aheadMs) },
    locks: createLocks(folder),
    stop,
  });

function asked(): Stop {
  const stop = createStop();
  stop.ask();
  return stop;
}

function makeRoom(files: { readonly [path: string]: string } = {}): Checkout {
  const place = join(folder, `room-${++rooms}`);
  const room = { work: join(place, "work"), home: join(place, "home") };
  mkdirSync(room.home, { recursive: true });
  mkdirSync(room.work);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(room.work, path)), { recursive: true });
    writeFileSync(join(room.work, path), text);
  }
  return room;
}

const MODULES = { "node_modules/dep/index.js": "module.exports = 1;\n", "node_modules/dep/bin.js": "#!/usr/bin/env node\n" };
const putModules = () => store.put(ID, makeRoom(MODULES), ["node_modules"]);
const placeOf = ({ sha256 }: { readonly sha256: string }): string => join(folder, "prepared", ID, sha256);

describe("what was prepared", () => {
  it("is moved into the store, and comes into a room as a copy of its own, with its links and dates", async () => {
    const room = makeRoom(MODULES);
    mkdirSync(join(room.work, "node_modules/.bin"));
    symlinkSync("../dep/bin.js", join(room.work, "node_modules/.bin/dep"));
    utimesSync(join(room.work, "node_modules/dep/index.js"), 1_000, 2_000);

    const entry = await store.put(ID, room, ["node_modules"]);
    const other = makeRoom();
    const isLaid = await store.lay(entry, other, ["node_modules"]);

    const copy = join(other.work, "node_modules/dep/index.js");
    expect([isLaid, entry.how, entry.files, entry.notes]).toEqual([true, "made", 3, []]);
    expect(existsSync(join(room.work, "node_modules"))).toBe(false);
    expect(readlinkSync(join(other.work, "node_modules/.bin/dep"))).toBe("../dep/bin.js");
    expect([readFileSync(copy, "utf8"), statSync(copy).mtimeMs, statSync(copy).nlink]).toEqual(["module.exports = 1;\n", 2_000_000, 1]);
    expect(statSync(copy).ino).not.toBe(statSync(join(placeOf(entry), "layer/node_modules/dep/index.js")).ino);
  });

  it("is not changed by what happens in a room", async () => {
    const entry = await putModules();
    const [one, two] = [makeRoom(), makeRoom()];
    await store.lay(entry, one, ["node_modules"]);
    writeFileSync(join(one.work, "node_modules/dep/index.js"), "module.exports = 'evil';\n");

    expect(await store.lay(entry, two, ["node_modules"])).toBe(true);
    expect(readFileSync(join(two.work, "node_modules/dep/index.js"), "utf8")).toBe(MODULES["node_modules/dep/index.js"]);
  });

  it("takes the place of whatever the change put there, also of a link", async () => {
    const entry = await putModules();
    const elsewhere = makeRoom({ "treasure.txt": "mine\n" });
    const [filled, linked] = [makeRoom({ "node_modules/planted.js": "evil\n" }), makeRoom()];
    symlinkSync(elsewhere.work, join(linked.work, "node_modules"));

    for (const room of [filled, linked]) {
      expect(await store.lay(entry, room, ["node_modules"])).toBe(true);
      expect(lstatSync(join(room.work, "node_modules")).isDirectory()).toBe(true);
      expect(readdirSync(join(room.work, "node_modules"))).toEqual(["dep"]);
    }
    expect(readdirSync(elsewhere.work)).toEqual(["treasure.txt"]);
  });

  it("keeps several folders, also deep ones", async () => {
    const files = { "packages/a/node_modules/x.js": "x\n", "vendor/y.js": "y\n" };
    const keep = ["packages/a/node_modules", "vendor"];
    const entry = await store.put(ID, makeRoom(files), keep);
    const room = makeRoom({ "packages/a/index.js": "a\n" });

    await store.lay(entry, room, keep);

    expect(Object.keys(files).map((path) => readFileSync(join(room.work, path), "utf8"))).toEqual(["x\n", "y\n"]);
    expect(existsSync(join(room.work, "packages/a/index.js"))).toBe(true);
  });

  it("is found again by another process, and told to be reused", async () => {
    const { how: _, ...entry } = await putModules();

    expect(await openStore().find(ID)).toEqual({ ...entry, how: "reused" });
    expect(await openStore().find("b".repeat(40))).toBeUndefined();
  });
});

describe("what must not be copied into a room", () => {
  it("is left out and told: links that lead out, by their words or by way of others, and what is no file", async () => {
    const room = makeRoom({ ...MODULES, "src/a.js": "a\n", "r/x": "" });
    const at = (name: string): string => join(room.work, "node_modules", name);
    symlinkSync("../src", at("workspace"));
    symlinkSync("gone", at("dangling"));
    symlinkSync("../../home", at("outside"));
    symlinkSync("/etc/passwd", at("absolute"));
    mkdirSync(at("p/q"), { recursive: true });
    symlinkSync("../../../r", at("p/q/d"));
    symlinkSync("d/../../home", at("p/q/devious"));

    const entry = await store.put(ID, room, ["node_modules"]);

    expect(readdirSync(join(placeOf(entry), "layer/node_modules")).sort()).toEqual(["dangling", "dep", "p", "workspace"]);
    expect(readdirSync(join(placeOf(entry), "layer/node_modules/p/q"))).toEqual(["d"]);
    expect(entry.notes).toEqual([
      'left out the link "node_modules/absolute", which leads out of the copy to "/etc/passwd"',
      'left out the link "node_modules/outside", which leads out of the copy to "../../home"',
      'left out the link "node_modules/p/q/devious", which leads out of the copy to "d/../../home"',
    ]);
  });

  it("is a second name of a file elsewhere: the store has a file of its own", async () => {
    const room = makeRoom(MODULES);
    const elsewhere = join(folder, "cache.js");
    linkSync(join(room.work, "node_modules/dep/index.js"), elsewhere);

    const entry = await store.put(ID, room, ["node_modules"]);
    writeFileSync(elsewhere, "evil\n");

    expect(await store.lay(entry, makeRoom(), ["node_modules"])).toBe(true);
    expect(readFileSync(join(placeOf(entry), "layer/node_modules/dep/index.js"), "utf8")).toBe(MODULES["node_modules/dep/index.js"]);
  });

  it.each([
    ["is missing", () => makeRoom(), "the command left no such folder"],
    ["is a file", () => makeRoom({ node_modules: "x" }), "it is no folder"],
    [
      "is a link",
      () => {
        const room = makeRoom({ "other/x": "x" });
        symlinkSync("other", join(room.work, "node_modules"));
        return room;
      },
      "it is no folder",
    ],
  ])("says so when a folder to keep %s", async (_, room, why) => {
    await expect(store.put(ID, room(), ["node_modules"])).rejects.toMatchObject({
      code: "prepare-failed",
      message: `"node_modules" cannot be kept: ${why}`,
    });
  });

  it("is a folder that a link leads to", async () => {
    const room = makeRoom({ "real/node_modules/x": "x" });
    symlinkSync("real", join(room.work, "packages"));

    await expect(store.put(ID, room, ["packages/node_modules"])).rejects.toThrow("a link leads to it");
  });
});

describe("something that wrote into the store", () => {
  const WAYS: readonly (readonly [string, (place: string) => void])[] = [
    ["another content", (place) => writeFileSync(join(place, "layer/node_modules/dep/index.js"), "evil\n")],
    [
      "another content of the same size and date",
      (place) => {
        const path = join(place, "layer/node_modules/dep/index.js");
        const { atime, mtime, ctimeMs } = statSync(path);
        // Two writes within one tick of the file system's clock would have the same time.
        while (Date.now() < ctimeMs + 30);
        writeFileSync(path, MODULES["node_modules/dep/index.js"].replace("1", "2"));
        utimesSync(path, atime, mtime);
      },
    ],
    ["a new file", (place) => writeFileSync(join(place, "layer/node_modules/dep/new.js"), "")],
    ["a new folder beside the kept ones", (place) => mkdirSync(join(place, "layer", "new"))],
    ["a new folder beside the layer", (place) => mkdirSync(join(place, "new"))],
    ["a file less", (place) => rmSync(join(place, "layer/node_modules/dep/index.js"))],
    [
      "a link in a file's place",
      (place) => {
        rmSync(join(place, "layer/node_modules/dep/index.js"));
        symlinkSync("bin.js", join(place, "layer/node_modules/dep/index.js"));
      },
    ],
    ["another mode", (place) => chmodSync(join(place, "layer/node_modules/dep/index.js"), 0)],
    ["a folder that cannot be entered", (place) => chmodSync(join(place, "layer/node_modules/dep"), 0)],
    ["nothing left", (place) => rmSync(place, { recursive: true })],
  ];

  it.each(WAYS)("is noticed before it is used: %s", async (_, write) => {
    const entry = await putModules();
    write(placeOf(entry));
    const room = makeRoom();

    expect(await store.lay(entry, room, ["node_modules"])).toBe(false);
    expect(existsSync(join(room.work, "node_modules"))).toBe(false);
  });

  it.each(WAYS)("leaves nothing that would be found again: %s", async (_, write) => {
    const entry = await putModules();
    write(placeOf(entry));

    expect(await store.find(ID)).toBeUndefined();
    expect(existsSync(placeOf(entry))).toBe(false);
  });

  it("cannot have its own taken for what this run prepared", async () => {
    const entry = await putModules();
    await store.drop(entry);
    await store.put(ID, makeRoom({ "node_modules/dep/index.js": "evil\n" }), ["node_modules"]);

    expect(await store.lay(entry, makeRoom(), ["node_modules"])).toBe(false);
  });
});

describe("whoever prepares", () => {
  it("leaves nothing half-made that would be used, when it is killed in the middle", async () => {
    mkdirSync(join(folder, "prepared", ID, "making-0123456789ab/layer/node_modules/dep"), { recursive: true });
    mkdirSync(join(folder, "prepared", ID, "f".repeat(64), "layer"), { recursive: true });

    expect(await store.exclusively(ID, 0, () => store.find(ID))).toBeUndefined();
    expect(readdirSync(join(folder, "prepared", ID)).filter((name) => !name.startsWith("lock"))).toEqual([]);
  });

  it("does it alone: who comes meanwhile waits, and finds it made", async () => {
    const order: string[] = [];
    const work = (who: string) => async () => {
      order.push(`${who} begins`);
      const found = (await store.find(ID)) ?? (await putModules());
      order.push(`${who} ${found.how}`);
    };

    await Promise.all(["one", "two"].map((who) => openStore().exclusively(ID, 60_000, work(who))));

    expect([order[1]?.split(" ")[1], order[3]?.split(" ")[1]]).toEqual(["made", "reused"]);
    expect([order[0]?.split(" ")[0], order[2]?.split(" ")[0]]).toEqual([order[1]?.split(" ")[0], order[3]?.split(" ")[0]]);
  });

  it("lets others give up who were told to stop, or who have waited too long", async () => {
    await store.exclusively(ID, 0, async () => {
      await expect(openStore(0, asked()).exclusively(ID, 60_000, async () => {})).rejects.toMatchObject({ code: "interrupted" });
      await expect(openStore().exclusively(ID, -1, async () => {})).rejects.toMatchObject({ code: "loop-busy", retry: "later" });
    });
  });
});

it("says so when a whole entry cannot be laid, and does not take it for a spoiled one", async () => {
  const entry = await putModules();
  const room = makeRoom();
  rmSync(room.work, { recursive: true });
  writeFileSync(room.work, "no folder");

  await expect(store.lay(entry, room, ["node_modules"])).rejects.toMatchObject({ code: "store-unusable", retry: "later" });
  expect((await store.find(ID))?.sha256).toBe(entry.sha256);
});

describe("old entries", () => {
  /** Entries, the first the most recently used. */
  async function entriesUsed(daysAgo: readonly number[]) {
    const entries = [];
    for (const days of daysAgo) {
      const entry = await store.put(ID, makeRoom({ "node_modules/x": `${days}` }), ["node_modules"]);
      const at = new Date(Date.now() - days * DAY_MS);
      utimesSync(placeOf(entry), at, at);
      entries.push(entry);
    }
    return entries;
  }
  const left = (entries: readonly { readonly sha256: string }[]) => entries.map((entry) => existsSync(placeOf(entry)));

  it("go when nobody used them for a month, and beyond eight when nobody used them for a day", async () => {
    const entries = await entriesUsed([0, 0.1, 0.2, 0.3, 0.4, 0.5, 2, 3, 4, 31]);

    await store.collect();

    expect(left(entries)).toEqual([true, true, true, true, true, true, true, true, false, false]);
  });

  it("stay when they were used, and many were used today", async () => {
    const entries = await entriesUsed([...Array(9).fill(0.5), 40]);
    await store.lay(entries[9]!, makeRoom(), ["node_modules"]);

    await store.collect();

    expect(left(entries)).toEqual(Array(10).fill(true));
  });

  it("are counted with the room they take", async () => {
    expect(await measurePrepared(join(folder, "prepared"))).toEqual({ entries: 0, bytes: 0 });
    const { bytes } = await putModules();

    expect(await measurePrepared(join(folder, "prepared"))).toEqual({ entries: 1, bytes });
  });
});
