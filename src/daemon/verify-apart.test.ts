import { expect, it } from "vitest";
import type { ChildEnd, ChildOrder } from "../contract/children.ts";
import { createApart } from "./ask-apart.ts";
import { outlineBy, scanBy, verifyBy } from "./verify-apart.ts";

const WHOLE = { kind: "whole", entries: 3, signedUpTo: 2, checkpoints: 1, receipts: 1, problems: [], notChecked: [], artifacts: 4 };
const END: ChildEnd = { code: 0, signal: null, printed: JSON.stringify(WHOLE), said: "" };

/** A program that answers as the test says, as soon as it says so. */
function open(end: Partial<ChildEnd>, sleepUnless: () => Promise<void> = () => new Promise(() => {})) {
  const orders: ChildOrder[] = [];
  const did: string[] = [];
  let over: (end: ChildEnd) => void = () => {};
  const apart = createApart({
    home: "/home",
    sleepUnless,
    children: {
      start: async (order) => {
        orders.push(order);
        const ended = new Promise<ChildEnd>((resolve) => {
          over = resolve;
        });
        return { pid: 7, ended, ask: () => {}, end: () => void did.push("end") };
      },
    },
  });
  const after = async <T>(asked: Promise<T>): Promise<T> => {
    await new Promise((resolve) => setImmediate(resolve));
    over({ ...END, ...end });
    return asked;
  };
  return { ...apart, orders, did, after };
}

it("looks through the journal as `lw ledger verify` does, in a process of its own", async () => {
  const { ask, orders, after } = open({ code: 5 });

  expect(await after(verifyBy(ask, "/home")())).toEqual(WHOLE);
  expect(orders[0]).toMatchObject({ args: ["ledger", "verify", "--home", "/home", "--json"], cwd: "/home" });
});

it("sees a repository as `lw scan` does, and outlines a loop as `lw init` would, without writing", async () => {
  const [scan, outline] = [open({ printed: `{"scan":{"languages":[]}}` }), open({ printed: `{"text":"name: x"}` })];

  expect(await scan.after(scanBy(scan.ask)("/repo"))).toEqual({ languages: [] });
  expect(await outline.after(outlineBy(outline.ask)("/repo"))).toBe("name: x");
  expect([scan.orders[0]?.args, outline.orders[0]?.args]).toEqual([
    ["scan", "/repo", "--json"],
    ["init", "/repo", "--yes", "--no-try", "--dry-run", "--json"],
  ]);
});

it.each([
  [{ printed: "", said: "a\nout of memory\n", code: null, signal: "SIGABRT" }, "has no answer: out of memory"],
  [{ printed: JSON.stringify({ error: { code: "x" } }), said: "" }, "has no answer: it ended with 0"],
  [{ printed: "{", code: 70 }, "has no answer: it ended with 70"],
  [{ printed: "{}" }, "answered with something else"],
])("says why nothing was found, and never that it is whole", async (end, why) => {
  const { ask, after } = open(end);

  await expect(after(verifyBy(ask, "/home")())).rejects.toThrow(why);
});

it("ends what takes too long, and everything with whoever asked", async () => {
  const slow = open({ printed: "", code: null, signal: "SIGKILL" }, () => Promise.resolve());
  await expect(slow.after(scanBy(slow.ask)("/repo"))).rejects.toThrow("SIGKILL");
  const left = open({});
  const asked = verifyBy(left.ask, "/home")();
  await new Promise((resolve) => setImmediate(resolve));
  left.end();
  await left.after(asked);
  left.end();

  expect([slow.did, left.did]).toEqual([["end"], ["end"]]);
});
