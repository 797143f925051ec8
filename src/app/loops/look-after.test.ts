import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, runTrusted, specText } from "../../../test/support/memory-house.ts";
import { readHomePlaces, readKnownLoops } from "../../journal/known-loops.ts";
import { readInbox } from "../decisions/inbox.ts";
import { lookAfter } from "./look-after.ts";
import { addPlaces, removePlaces, wakeByHand } from "./tend.ts";

const EVERY = { trigger: { use: "every", with: { interval: "1h" } } };
const spec = (name: string, more: object = {}): string => specText({ name, ...EVERY, ...more });

function houseWith(files: { readonly [path: string]: string }): MemoryHouse {
  const at = createMemoryHouse();
  for (const [path, text] of Object.entries(files)) at.files.written.set(path, text);
  return at;
}

const look = async ({ house }: MemoryHouse) => {
  const { changes, complaints } = await lookAfter(house, { by: "loopwright" });
  return [...changes.map(({ kind, loop, path }) => [kind, loop, path]), ...complaints.map(({ path, problems }) => [path, ...problems])];
};

const states = async ({ house }: MemoryHouse) =>
  Object.fromEntries((await readKnownLoops(house.journal)).map(({ loop, state, path }) => [loop, `${state} ${path}`]));

const add = ({ house }: MemoryHouse, ...paths: readonly string[]) => addPlaces(house, "/", paths, "ada");
const remove = ({ house }: MemoryHouse, ...asked: readonly string[]) => removePlaces(house, "/", asked, "ada");

it("makes every spec of a folder known, and nothing else that lies there", async () => {
  const at = houseWith({
    "/l/a.loop.json": spec("a"),
    "/l/b.loop.json": spec("b"),
    "/l/notes.txt": "hello",
    "/l/deep/c.loop.json": spec("c"),
  });

  const { loops, wrong } = await add(at, "/l");

  expect(loops.map(({ loop, state, path }) => [loop, state, path])).toEqual([
    ["a", "known", "/l/a.loop.json"],
    ["b", "known", "/l/b.loop.json"],
  ]);
  expect(wrong).toEqual([]);
});

it("tells which loops a removal took away also where a daemon noticed it first", async () => {
  const { house, files } = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": spec("b") });
  await addPlaces(house, "/", ["/l"], "ada");
  let isFirst = true;
  const look: typeof house.specFiles.look = async (...asked) => {
    if (isFirst) {
      isFirst = false;
      await lookAfter(house, { by: "lw serve" });
    }
    return house.specFiles.look(...asked);
  };
  const beside = { ...house, specFiles: { ...house.specFiles, look } };

  const { removed, looked } = await removePlaces(beside, "/", ["/l/a.loop.json"], "ada");

  expect([removed, looked.changes, files.written.has("/l/a.loop.json")]).toEqual([["a"], [], true]);
});

it("writes nothing where nothing changed, however often it looks", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": "name: [" });
  await add(at, "/l");
  const before = at.entries.length;

  expect([await look(at), await look(at), at.entries.length]).toEqual([[], [], before]);
  await add(at, "/l");
  expect(at.entries.length).toBe(before);
});

it("learns of a new spec and of a changed one, and takes another layout for the same", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a") });
  await add(at, "/l");

  at.files.written.set("/l/a.loop.json", JSON.stringify(JSON.parse(spec("a")), null, 4));
  expect(await look(at)).toEqual([]);

  at.files.written.set("/l/a.loop.json", spec("a", { intent: "Another one." }));
  at.files.written.set("/l/b.loop.json", spec("b"));
  expect(await look(at)).toEqual([
    ["changed", "a", "/l/a.loop.json"],
    ["added", "b", "/l/b.loop.json"],
  ]);
});

it("tells of a changed trigger by its hash, and of other changes not", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a") });
  await add(at, "/l");
  at.files.written.set("/l/a.loop.json", spec("a", { intent: "Another one." }));
  await look(at);
  at.files.written.set("/l/a.loop.json", spec("a", { intent: "Another one.", trigger: { use: "every", with: { interval: "2h" } } }));
  await look(at);

  const [first, second, third] = at.records("loop-known").map((record) => (record.kind === "loop-known" ? record : undefined));

  expect([first?.triggerHash === second?.triggerHash, second?.triggerHash === third?.triggerHash]).toEqual([true, false]);
  expect(new Set([first?.specHash, second?.specHash, third?.specHash]).size).toBe(3);
});

it("reports a spec that is wrong now once, puts it into the inbox, and takes it back when it is right again", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a") });
  await add(at, "/l");

  at.files.written.set("/l/a.loop.json", spec("a", { level: "L9" }));
  expect(await look(at)).toEqual([["wrong", "a", "/l/a.loop.json"]]);
  expect(await look(at)).toEqual([]);
  const inbox = await readInbox(at.house, "due");
  expect(inbox.map(({ id, kind, why }) => [id, kind, why.split(":").slice(0, 2).join(":")])).toEqual([
    ["a", "needs-you", "its spec is not obeyed: /l/a.loop.json"],
  ]);

  at.files.written.set("/l/a.loop.json", spec("a"));
  expect(await look(at)).toEqual([["mended", "a", "/l/a.loop.json"]]);
  expect(await readInbox(at.house, "due")).toEqual([]);
});

it("tells by the alert channel of the last spec that was right, and tells it once", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a", { alert: { to: [{ use: "file", with: { path: "/told.md" } }] } }) });
  await add(at, "/l");
  at.files.written.set("/l/a.loop.json", "name: a");
  await look(at);
  const told = at.files.written.get("/told.md") ?? "";
  at.files.written.delete("/told.md");
  await look(at);

  expect([told.includes("its spec is not obeyed"), at.files.written.has("/told.md")]).toEqual([true, false]);
});

it("keeps a wrong spec that no loop comes from in the home's own place, and lets it hide nothing", async () => {
  const at = houseWith({ "/l/a.loop.json": "{", "/l/b.loop.json": spec("b") });

  const { loops, wrong } = await add(at, "/l");

  expect([loops.map(({ loop }) => loop), wrong.map(({ path }) => path)]).toEqual([["b"], ["/l/a.loop.json"]]);
  expect((await readInbox(at.house, "due")).map(({ id }) => id)).toEqual(["/l/a.loop.json"]);
  at.files.written.set("/l/a.loop.json", spec("a"));
  expect(await look(at)).toEqual([["added", "a", "/l/a.loop.json"], ["/l/a.loop.json"]]);
  expect([await readInbox(at.house, "due"), (await readHomePlaces(at.house.journal)).wrong]).toEqual([[], []]);
});

it("refuses two new specs with one name, and names both places", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("same"), "/l/b.loop.json": spec("same") });

  const { loops, wrong } = await add(at, "/l");

  const hint = "give one of them another name, or take one away";
  expect(loops).toEqual([]);
  expect(wrong).toEqual([
    { path: "/l/a.loop.json", problems: [`two specs are called same: /l/a.loop.json and /l/b.loop.json; ${hint}`] },
    { path: "/l/b.loop.json", problems: [`two specs are called same: /l/b.loop.json and /l/a.loop.json; ${hint}`] },
  ]);
  at.files.written.delete("/l/b.loop.json");
  expect(await look(at)).toEqual([["added", "same", "/l/a.loop.json"], ["/l/a.loop.json"], ["/l/b.loop.json"]]);
});

it("lets a second spec of a name that is known replace nothing, also while the first is wrong", async () => {
  const at = houseWith({ "/l/b.loop.json": spec("same") });
  await add(at, "/l");

  at.files.written.set("/l/a.loop.json", spec("same", { intent: "Take its place." }));
  await look(at);
  at.files.written.set("/l/b.loop.json", "{");
  await look(at);

  expect(await states(at)).toEqual({ same: "wrong /l/b.loop.json" });
});

it("follows a spec that was moved, and two that changed their names with each other", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": spec("b") });
  await add(at, "/l");

  at.files.written.set("/l/a.loop.json", spec("b"));
  at.files.written.set("/l/b.loop.json", spec("a"));
  await look(at);
  at.files.written.set("/l/c.loop.json", spec("a"));
  at.files.written.delete("/l/b.loop.json");
  await look(at);

  expect(await states(at)).toEqual({ a: "known /l/c.loop.json", b: "known /l/a.loop.json" });
});

it("removes the loop of a file that is gone, and none of a folder that cannot be read", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": spec("b") });
  await add(at, "/l");

  at.files.written.set("/unreadable", "/l");
  expect(await look(at)).toEqual([["/l", "/l cannot be looked at: it may not be read"]]);
  expect(await states(at)).toEqual({ a: "known /l/a.loop.json", b: "known /l/b.loop.json" });

  at.files.written.delete("/unreadable");
  at.files.written.delete("/l/a.loop.json");
  expect(await look(at)).toEqual([["removed", "a", "/l/a.loop.json"], ["/l"]]);
  at.files.written.set("/l/a.loop.json", spec("a"));
  expect(await look(at)).toEqual([["added", "a", "/l/a.loop.json"]]);
});

it("removes no loop of a folder that is gone as a whole, until a person takes the folder away", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a") });
  await add(at, "/l");

  at.files.written.delete("/l/a.loop.json");
  expect(await look(at)).toEqual([
    ["/l", "/l cannot be looked at: there is no such folder any more; bring it back, or take it away with: lw remove /l"],
  ]);
  expect(await states(at)).toEqual({ a: "known /l/a.loop.json" });

  await remove(at, "/l");
  expect([await states(at), (await readHomePlaces(at.house.journal)).wrong]).toEqual([{ a: "removed /l/a.loop.json" }, []]);
});

it("removes a loop by its name for good although its file lies in a folder that stays, until it is added again", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": spec("b") });
  await add(at, "/l");

  await remove(at, "a");
  expect([await look(at), await states(at)]).toEqual([[], { a: "removed /l/a.loop.json", b: "known /l/b.loop.json" }]);

  await add(at, "/l/a.loop.json");
  expect(await states(at)).toEqual({ a: "known /l/a.loop.json", b: "known /l/b.loop.json" });
  await remove(at, "/l", "a");
  expect(await states(at)).toEqual({ a: "removed /l/a.loop.json", b: "removed /l/b.loop.json" });
});

it("refuses to remove what it does not look after, and to add what is not there", async () => {
  const at = houseWith({ "/l/nightly.loop.json": spec("nightly") });
  await add(at, "/l");

  await expect(remove(at, "nigthly")).rejects.toMatchObject({
    code: "bad-input",
    hint: "Did you mean nightly? `lw loops` shows them all.",
  });
  await expect(add(at, "/m")).rejects.toMatchObject({ code: "bad-input", message: "/m cannot be added: there is no such file or folder" });
});

it("gives the same records when two processes look at once", async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`/l/l${n}.loop.json`, spec(`l${n}`)]));
  const at = houseWith(files);
  await add(at, "/m/none.loop.json").catch(() => undefined);
  await at.house.journal.append([{ loop: "-", run: "-", record: { kind: "place-added", path: "/l", by: "ada" } }]);

  await Promise.all([lookAfter(at.house, { by: "one" }), lookAfter(at.house, { by: "other" }), add(at, "/l")]);

  expect(at.records("loop-known").length).toBe(60);
});

it("does not obey a spec that a loop merged by itself before a person accepted it", async () => {
  const evil = spec("evil");
  const at = createMemoryHouse({ made: () => ({ "loops/evil.loop.json": evil }) });
  at.files.written.set("/repo/loops/good.loop.json", spec("good"));
  await add(at, "/repo/loops");
  const alone = {
    level: "L3",
    gate: { all: [{ use: "allowlist", with: { allow: ["loops/**"], loosen: ["loop"] } }] },
    box: { maker: { when: "off" }, verifiers: { when: "off" } },
  };
  await runTrusted(at, alone);
  expect(at.repo.filesOf(at.repo.tip("main") ?? "")["loops/evil.loop.json"]).toBe(evil);

  // What was merged lies in the checkout, perhaps with the line ends of another system.
  at.files.written.set("/repo/loops/evil.loop.json", evil.replaceAll("\n", "\r\n"));
  await look(at);

  expect(await states(at)).toEqual({ good: "known /repo/loops/good.loop.json" });
  const [item] = await readInbox(at.house, "due");
  expect(item?.why).toBe(
    "its spec is not obeyed: its text came in through a proposal of the loop fix that no person approved (lw show fix-2-t0002); look at it, then accept it with: lw add /repo/loops/evil.loop.json",
  );
  await add(at, "/repo/loops/evil.loop.json");
  expect([await look(at), await states(at)]).toEqual([
    [],
    { evil: "known /repo/loops/evil.loop.json", good: "known /repo/loops/good.loop.json" },
  ]);
});

it("wakes a loop once by hand, by what is heard", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a") });
  await add(at, "/l");

  const key = await wakeByHand(at.house, "a", "ada");

  expect(at.entries.at(-1)).toMatchObject({ loop: "a", run: key, record: { kind: "heard", cause: { kind: "hand", by: "ada" } } });
  expect(key).toMatch(/^a\/hand\/t/);
});

it("sees with what it remembers what it sees without", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/l/b.loop.json": spec("b") });
  await add(at, "/l");
  const first = await lookAfter(at.house, { by: "loopwright" });

  at.files.written.set("/l/b.loop.json", spec("b", { intent: "Another one." }));
  at.files.written.set("/l/c.loop.json", spec("c"));
  const second = await lookAfter(at.house, { by: "loopwright", before: first.sighted });
  at.files.written.delete("/l/a.loop.json");
  const third = await lookAfter(at.house, { by: "loopwright", before: second.sighted });

  expect([...second.changes, ...third.changes].map(({ kind, loop }) => [kind, loop])).toEqual([
    ["changed", "b"],
    ["added", "c"],
    ["removed", "a"],
  ]);
  expect(third.known.map(({ loop, state, seq }) => [loop, state, seq]).toSorted()).toEqual(
    (await readKnownLoops(at.house.journal)).map(({ loop, state, seq }) => [loop, state, seq]),
  );
});

it("tells of a removed loop whose name another spec has taken, and where it comes from now", async () => {
  const at = houseWith({ "/l/a.loop.json": spec("a"), "/m/other.loop.json": spec("a", { intent: "Another one." }) });
  await add(at, "/l/a.loop.json");
  await add(at, "/m");

  const { takenOver } = await remove(at, "a");

  expect(takenOver).toEqual([{ loop: "a", was: "/l/a.loop.json", path: "/m/other.loop.json" }]);
  expect((await remove(at, "a")).takenOver).toEqual([]);
  expect(await states(at)).toEqual({ a: "removed /m/other.loop.json" });
});
