import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { eachLine, type Line, pieceOf } from "./file-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-lines-"));
const path = join(folder, "text");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textArbitrary = fc
  .array(fc.constantFrom("a", "ä", "€", "😀", "\n", "\r\n", "xyz ".repeat(50)), { maxLength: 60 })
  .map((parts) => parts.join(""));

async function withText<T>(text: string, use: (file: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  writeFileSync(path, text);
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

it("gives the lines of any text, each with its place, and says where a long one goes on", () =>
  fc.assert(
    fc.asyncProperty(textArbitrary, fc.integer({ min: 4, max: 300 }), async (text, most) => {
      const lines: Line[] = [];
      const seen = await withText(text, (file) => eachLine(file, most, (line) => lines.push(line) > 0));

      const expected = text.replace(/\n$/, "").split("\n");
      expect(seen).toEqual({ isText: true, isWhole: true, count: text === "" ? 0 : expected.length });
      const bytes = Buffer.from(text);
      for (const { text: shown, at, restAt } of lines) {
        expect(bytes.subarray(at).toString("utf8").startsWith(shown)).toBe(true);
        if (restAt !== undefined) expect(bytes.subarray(at, restAt).toString("utf8").replace(/\r$/, "")).toBe(shown);
      }
      if (lines.every(({ restAt }) => restAt === undefined))
        expect(lines.map((line) => line.text)).toEqual(text === "" ? [] : expected.map((line) => line.replace(/\r$/, "")));
    }),
    { numRuns: 60 },
  ));

it("gives any text piece by piece, with no character torn or lost", () =>
  fc.assert(
    fc.asyncProperty(textArbitrary, fc.integer({ min: 4, max: 300 }), async (text, most) => {
      const pieces: string[] = [];
      await withText(text, async (file) => {
        for (let from = 0; ; ) {
          const piece = await pieceOf(file, from, most);
          if (!piece || piece.text === "") return;
          expect(piece.from).toBe(from);
          pieces.push(piece.text);
          from = piece.to;
        }
      });
      expect(pieces.join("")).toBe(text);
    }),
    { numRuns: 60 },
  ));

it("ends where its visitor has enough, and at a NUL", async () => {
  expect(await withText("a\nb\nc\n", (file) => eachLine(file, 10, ({ number }) => number < 2))).toEqual({
    isText: true,
    isWhole: false,
    count: 2,
  });
  expect(await withText("a\0b", (file) => eachLine(file, 10, () => true))).toMatchObject({ isText: false });
});
