import { expect, it } from "vitest";
import { createMemoryHouse, type MemoryHouse, specText } from "../../../test/support/memory-house.ts";
import { slotKey } from "../../contract/waking.ts";
import { readInbox } from "../decisions/inbox.ts";
import { createBook } from "./book.ts";
import { addPlaces } from "./tend.ts";
import { viewKnown } from "./view-known.ts";

const NINE = Date.UTC(2026, 0, 5, 9);
const iso = (at: number): string => new Date(at).toISOString();
const HOURLY = { use: "every", with: { interval: "1h" } };

async function houseWith(trigger: object): Promise<MemoryHouse & { readonly notes: readonly string[] }> {
  const at = createMemoryHouse();
  at.files.written.set("/l/fix.loop.json", specText({ trigger }));
  const { notes } = await addPlaces(at.house, "/", ["/l"], "ada");
  return { ...at, notes };
}

const whyOf = async ({ house }: MemoryHouse, loop = "fix") => (await viewKnown(house)).loops.find((one) => one.loop === loop)?.why;

it("is nothing where a loop is ready", async () => {
  const at = await houseWith(HOURLY);

  expect([at.notes, await whyOf(at)]).toEqual([[], null]);
});

it("is that its wakings cannot be started, which is in the inbox too, until a run is opened", async () => {
  const at = await houseWith(HOURLY);
  const book = createBook(at.house);
  const version = (await book.facts("fix"))?.version ?? { own: 0, home: 0 };
  const cause = { kind: "slot", slot: iso(NINE), local: iso(NINE) } as const;
  const waking = {
    kind: "waking",
    fate: "failed",
    cause,
    dueAt: iso(NINE),
    reason: "cannot-start",
    says: "no such folder: /repo.",
  } as const;
  await book.write("fix", version, [{ key: slotKey("fix", NINE), waking: { ...waking, since: iso(NINE) } }]);

  expect(await whyOf(at)).toBe("its wakings cannot be started: no such folder: /repo.");
  expect(await readInbox(at.house, "due")).toMatchObject([{ kind: "needs-you", loop: "fix", why: await whyOf(at) }]);
  at.files.written.set("/l/fix.loop.json", specText({ trigger: HOURLY, intent: "Mended." }));
  await addPlaces(at.house, "/", ["/l"], "ada");
  expect([await whyOf(at), await readInbox(at.house, "due")]).toEqual([null, []]);
});

it("is that it waits for a loop which nobody knows, told when it is added, and again when that one is removed", async () => {
  const at = await houseWith({ use: "any", with: { of: [HOURLY, { use: "loop", with: { name: "scam" } }] } });
  const says = "it waits for the loop scam, which this home does not know: add its spec with `lw add`, or name another";
  expect([at.notes, await whyOf(at)]).toEqual([[`fix: ${says}`], says]);

  at.files.written.set("/l/scan.loop.json", specText({ name: "scan", trigger: HOURLY }));
  const { notes } = await addPlaces(at.house, "/", ["/l"], "ada");
  expect(notes).toEqual(["fix: it waits for the loop scam, which this home does not know: did you mean scan?"]);

  at.files.written.set("/l/fix.loop.json", specText({ trigger: { use: "loop", with: { name: "scan" } } }));
  expect((await addPlaces(at.house, "/", ["/l"], "ada")).notes).toEqual([]);
  at.files.written.delete("/l/scan.loop.json");
  await addPlaces(at.house, "/", ["/l"], "ada");
  expect(await whyOf(at)).toContain("which this home does not look after any more");
});

it("is what the last tick found no room for, as long as that was just now, and what the daemon could not look at", async () => {
  const at = await houseWith(HOURLY);
  const waiting = [{ loop: "fix", says: "3% of the memory is free, and 10% should be" }];
  await createBook(at.house).keepTicks({ last: at.house.clock.now().getTime(), awake: 0, waiting });

  expect(await whyOf(at)).toBe("it is due and waits: 3% of the memory is free, and 10% should be");
  at.clock.pass(3_600_000);
  expect(await whyOf(at)).toBeNull();
  at.files.written.set(
    "/nowhere/home/troubles.json",
    JSON.stringify([{ loop: "fix", says: "git main could not be looked at", since: "" }]),
  );
  expect(await whyOf(at)).toBe("git main could not be looked at");
});
