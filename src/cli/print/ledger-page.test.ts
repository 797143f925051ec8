import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { expect, it } from "vitest";
import type { LedgerView } from "../../app/records/ledger-view.ts";
import type { LedgerSource } from "../../contract/receipt.ts";
import { summarizeLedger } from "../../scoring/ledger-summary.ts";
import { ledgerPage, tellRate, tellWhole } from "./ledger-page.ts";

const sourceSaying = (text: string, chain: LedgerSource["chain"]): LedgerSource => ({
  label: text,
  system: "loopgen",
  runs: [
    { id: `loopgen:${text}:h`, system: "loopgen", loop: text, at: "2026-01-01T00:00:00.000Z", result: "passed", maker: text, actor: text },
  ],
  chain,
});
const viewSaying = (text: string): LedgerView => ({
  ...summarizeLedger([
    sourceSaying(text, { kind: "broken", entries: 1, at: 3, why: text }),
    sourceSaying(text, { kind: "whole", entries: 1, note: text }),
    sourceSaying(`other ${text}`, { kind: "unreadable", why: text }),
  ]),
  conflicts: [{ run: text, sources: [text] }],
  unseen: [text],
  notes: [text],
});

function elements(node: DefaultTreeAdapterTypes.Node): unknown {
  if (!("childNodes" in node)) return node.nodeName === "#comment" ? "comment" : undefined;
  const attributes = "attrs" in node ? node.attrs.map(({ name, value }) => `${name}=${value}`) : [];
  return [node.nodeName, attributes, node.childNodes.map(elements).filter((child) => child !== undefined)];
}

it("has the same elements whatever the sources say", () => {
  const tricks = fc.constantFrom(
    "<script>",
    "</td>",
    "</table>",
    "<!--",
    '" onclick="x',
    "'",
    "&lt;",
    "\u202e",
    "\u0000",
    "\n",
    "a",
    "</style>",
  );
  const plain = elements(parse(ledgerPage(viewSaying("plain words"))));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(tricks, { maxLength: 8 }).map((parts) => parts.join("")),
        fc.string({ unit: "binary" }),
      ),
      (text) => {
        expect(elements(parse(ledgerPage(viewSaying(text))))).toEqual(plain);
      },
    ),
  );
});

it("gives every table heads for its columns and rows, and names what cannot be believed", () => {
  const page = ledgerPage(viewSaying("plain words"));

  expect(page.match(/<table>/g)).toHaveLength(4);
  expect(page.match(/<th scope="row">/g)).toHaveLength(3 + 2 + 2 + 1);
  expect(page).toContain('<td class="refused">broken at 3, 1 entries</td><td>plain words</td>');
  expect(page).toContain("<dt>Copies</dt><dd>1 run(s) were met again, and counted once</dd>");
});

it("says in one sentence what can be believed", () => {
  const none: LedgerView = { ...summarizeLedger([]), unseen: [], notes: [] };
  const whole: LedgerView = { ...summarizeLedger([sourceSaying("a", { kind: "whole", entries: 1 })]), unseen: [], notes: [] };

  expect([none, whole, viewSaying("x")].map(tellWhole)).toEqual([
    "Nothing was found that could be read as a ledger, so nothing is shown.",
    "All 1 source(s) are whole.",
    "2 of 3 source(s) cannot be believed as they are, 1 place(s) were not looked at, 1 run(s) are at odds.",
  ]);
});

it("never rounds a rate up to all of them", () => {
  expect([null, 0, 0.9999, 1].map(tellRate)).toEqual(["none", "0%", "99.9%", "100%"]);
});
