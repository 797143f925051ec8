import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readInput, readInputLines } from "./read-input.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-input-"));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (content: string | Uint8Array) => {
  const path = join(folder, "input");
  writeFileSync(path, content);
  return { kind: "file", path } as const;
};
const linesOf = async (content: string | Uint8Array, most: number): Promise<readonly (string | undefined)[]> => {
  const lines: (string | undefined)[] = [];
  for await (const line of readInputLines(fileOf(content), most)) lines.push(line);
  return lines;
};

it("reads all, and loses no byte of what is no UTF-8", async () => {
  expect(await readInput(fileOf("+ä\n"), 100)).toBe("+ä\n");
  expect(await readInput(fileOf(Uint8Array.of(0x2b, 0xe4, 0x0a)), 100)).toBe("+ä\n");
});

it("cuts what is too long at the end of a line", async () => expect(await readInput(fileOf("ab\ncd\nef\n"), 7)).toBe("ab\ncd\n"));

it("gives lines one by one, the last also without its end, and a gap for one without end", async () => {
  const long = "x".repeat(200_000);

  expect(await linesOf(`a\n\n${long}\nb\nc`, 1_000)).toEqual(["a", "", undefined, "b", "c"]);
  expect(await linesOf(`${long}\n`, 1_000_000)).toEqual([long]);
});

it("says what to do when there is no such file", async () => {
  await expect(readInput({ kind: "file", path: join(folder, "no") }, 10)).rejects.toMatchObject({ code: "bad-input" });
  await expect(readInput({ kind: "file", path: folder }, 10)).rejects.toMatchObject({ code: "bad-input" });
});
