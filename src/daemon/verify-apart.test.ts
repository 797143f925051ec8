import { expect, it } from "vitest";
import type { ChildEnd, ChildOrder } from "../contract/children.ts";
import { verifyApart } from "./verify-apart.ts";

const WHOLE = { kind: "whole", entries: 3, signedUpTo: 2, checkpoints: 1, receipts: 1, problems: [], notChecked: [], artifacts: 4 };
const END: ChildEnd = { code: 0, signal: null, printed: JSON.stringify(WHOLE), said: "" };

function open(end: Partial<ChildEnd>) {
  const orders: ChildOrder[] = [];
  const did: string[] = [];
  let over: (end: ChildEnd) => void = () => {};
  const looks = verifyApart({
    home: "/home",
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
  return { looks, orders, did, finish: () => over({ ...END, ...end }) };
}

it("looks through the journal as `lw ledger verify` does, in a process of its own", async () => {
  const { looks, orders, finish } = open({ code: 5 });
  const looking = looks.lookThrough();
  await new Promise((resolve) => setImmediate(resolve));
  finish();

  expect(await looking).toEqual(WHOLE);
  expect(orders[0]).toMatchObject({ args: ["ledger", "verify", "--home", "/home", "--json"] });
});

it.each([
  [{ printed: "", said: "a\nout of memory\n", code: null, signal: "SIGABRT" }, "out of memory"],
  [{ printed: JSON.stringify({ error: { code: "x" } }), said: "" }, "it ended with 0"],
  [{ printed: "{", code: 70 }, "it ended with 70"],
])("says why nothing was found, and never that it is whole", async (end, why) => {
  const { looks, finish } = open(end);
  const looking = looks.lookThrough();
  await new Promise((resolve) => setImmediate(resolve));
  finish();

  await expect(looking).rejects.toThrow(`the journal could not be looked through: ${why}`);
});

it("ends with whoever asked for it", async () => {
  const { looks, did, finish } = open({});
  const looking = looks.lookThrough();
  await new Promise((resolve) => setImmediate(resolve));
  looks.end();
  finish();
  await looking;
  looks.end();

  expect(did).toEqual(["end"]);
});
