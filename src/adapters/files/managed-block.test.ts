import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/tries.ts";
import type { TextEdit } from "../../contract/texts-of-others.ts";
import { type Block, putBlock, takeBlock } from "./managed-block.ts";
import { HASHES, MARKDOWN } from "./marks.ts";
import { putFile, takeFile } from "./own-file.ts";
import { putYamlItem, takeYamlItem } from "./yaml-item.ts";

const block: Block = { name: "loops", body: "## Loops\n\n- fix\n", marks: MARKDOWN };
const renewed: Block = { ...block, body: "## Loops\n\n- fix\n- watch\n" };

const changed = (edit: TextEdit): string => {
  if (edit.kind !== "changed") throw new Error(JSON.stringify(edit));
  return edit.text;
};

/** What people's files are made of: odd line ends, byte order marks, fences, front matter, and no end of the last line. */
const theirs = fc
  .tuple(
    fc.constantFrom("", "\ufeff"),
    fc.array(
      fc.tuple(
        fc.constantFrom("", "# A", "text", "```", "---", "<!-- x -->", " ", "é", "loopwright"),
        fc.constantFrom("\n", "\r\n", "\n\n", "\r"),
      ),
      {
        maxLength: 6,
      },
    ),
    fc.constantFrom("", "end", "<!--"),
  )
  .map(([bom, lines, end]) => bom + lines.map((line) => line.join("")).join("") + end);

describe.each([
  ["Markdown", MARKDOWN],
  ["hashes", HASHES],
] as const)("a block in %s", (_, marks) => {
  const first = { ...block, marks };

  it("comes into any text, twice without a change, is renewed in its place, and leaves every byte as it was", () => {
    fc.assert(
      fc.property(theirs, (text) => {
        const once = changed(putBlock(text, first));
        const twice = changed(putBlock(once, { ...renewed, marks }));

        expect(once.startsWith(text)).toBe(true);
        expect(putBlock(once, first)).toEqual({ kind: "unchanged" });
        expect(takeBlock(once, first)).toEqual({ kind: "changed", text });
        expect(takeBlock(twice, first)).toEqual({ kind: "changed", text });
        expect(takeBlock(text, first)).toEqual({ kind: "unchanged" });
      }),
      tries(150),
    );
  });

  it("keeps what somebody writes around it later, also when it goes", () => {
    fc.assert(
      fc.property(theirs, fc.constantFrom("more\n", "more", "\r\nmore\r\n"), (text, more) => {
        const behind = `${changed(putBlock(`${text}\n`, first))}${more}`;

        expect(putBlock(behind, first)).toEqual({ kind: "unchanged" });
        expect(takeBlock(behind, first)).toEqual({ kind: "changed", text: `${text}\n${more}` });
      }),
      tries(50),
    );
  });
});

describe("a block", () => {
  it("makes the file where there is none, and takes it away again, but leaves an empty file that was there", () => {
    const made = changed(putBlock(undefined, block));

    expect(takeBlock(made, block)).toEqual({ kind: "removed" });
    expect(takeBlock(changed(putBlock("", block)), block)).toEqual({ kind: "changed", text: "" });
  });

  it("is not written over where somebody edited it, unless they say so", () => {
    const edited = changed(putBlock("# A\n", block)).replace("- fix", "- fix, at night");

    expect(putBlock(edited, renewed)).toMatchObject({ kind: "edited", why: expect.stringContaining("loops") });
    expect(takeBlock(edited, block)).toMatchObject({ kind: "edited" });
    expect(changed(putBlock(edited, renewed, "overwrite"))).toBe(changed(putBlock("# A\n", renewed)));
    expect(takeBlock(edited, block, "overwrite")).toEqual({ kind: "changed", text: "# A\n" });
  });

  it("is the same after git wrote other line ends", () => {
    const crlf = changed(putBlock("# A\n", block)).replaceAll("\n", "\r\n");

    expect(putBlock(crlf, block)).toEqual({ kind: "unchanged" });
    expect(takeBlock(crlf, block)).toEqual({ kind: "changed", text: "# A\r\n" });
    expect(changed(putBlock(crlf, renewed)).replaceAll("\r\n", "")).not.toContain("\n");
  });

  it.each([
    ["a mark alone", (text: string) => text.replace(/<!-- loopwright:end .*\n/, "")],
    ["two of them", (text: string) => text + text],
    ["marks in the wrong order", (text: string) => text.split("\n").toReversed().join("\n")],
  ])("leaves %s alone and says why", (_, spoil) => {
    const spoilt = spoil(changed(putBlock("# A\n", block)));

    expect(putBlock(spoilt, block)).toMatchObject({ kind: "refused", why: expect.stringMatching(/then try again$/) });
    expect(takeBlock(spoilt, block)).toMatchObject({ kind: "refused" });
  });
});

describe("a file of ours", () => {
  it("is written once, renewed, and goes; one of theirs and one that was edited stay", () => {
    const made = changed(putFile(undefined, "---\nname: x\n---\n", MARKDOWN));
    const edited = made.replace("name: x", "name: y");

    expect(putFile(made, "---\nname: x\n---\n", MARKDOWN)).toEqual({ kind: "unchanged" });
    expect(putFile(made.replaceAll("\n", "\r\n"), "---\nname: x\n---\n", MARKDOWN)).toEqual({ kind: "unchanged" });
    expect(changed(putFile(made, "new\n", MARKDOWN))).toBe(changed(putFile(undefined, "new\n", MARKDOWN)));
    expect(takeFile(made, MARKDOWN)).toEqual({ kind: "removed" });
    expect(putFile("theirs\n", "new\n", MARKDOWN)).toMatchObject({ kind: "refused" });
    expect(takeFile("theirs\n", MARKDOWN)).toEqual({ kind: "unchanged" });
    expect([edited, `${made}more\n`].map((text) => putFile(text, "new\n", MARKDOWN).kind)).toEqual(["edited", "edited"]);
    expect(takeFile(edited, MARKDOWN)).toMatchObject({ kind: "edited" });
  });
});

describe("an item of YAML", () => {
  const item = { key: "read", item: "AGENTS.md" };

  it.each([
    "",
    "\ufeff",
    "# only a comment\n",
    "model: sonnet # theirs\n",
    "model: sonnet",
    "read:\n  - A.md # theirs\n  - B.md\nmodel: x\n",
    "read:\n- A.md",
    "read:\r\n  - A.md\r\n\r\n# end\r\n",
  ])("comes into %j and goes again, byte for byte", (text) => {
    const once = changed(putYamlItem(text, item));

    expect(putYamlItem(once, item)).toEqual({ kind: "unchanged" });
    expect(takeYamlItem(once, item)).toEqual({ kind: "changed", text });
  });

  it("makes the file and takes it away, and keeps what somebody put under its key", () => {
    const made = changed(putYamlItem(undefined, item));

    expect(takeYamlItem(made, item)).toEqual({ kind: "removed" });
    expect(takeYamlItem(`${made}  - B.md\n`, item)).toEqual({ kind: "changed", text: "read: # loopwright\n  - B.md\n" });
  });

  it("leaves one of theirs alone when it goes, and what it cannot change by lines with what to do by hand", () => {
    expect(putYamlItem("read:\n  - AGENTS.md\n", item)).toEqual({ kind: "unchanged" });
    expect(takeYamlItem("read:\n  - AGENTS.md\n", item)).toEqual({ kind: "unchanged" });
    for (const text of ["read: A.md\n", "read: [A.md]\n", "- a\n", "{read: [a]}\n", "a: [\n", "a: 1\n---\nb: 2\n"])
      expect(putYamlItem(text, item), text).toMatchObject({ kind: "refused" });
  });
});
