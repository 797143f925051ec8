import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { shellWord } from "./shell-word.ts";

it("leaves plain words as they are", () => expect(shellWord("/tmp/a-b_c.d")).toBe("/tmp/a-b_c.d"));

it("is read back by a shell as the same text, whatever it is", () => {
  const text = fc.string({ unit: "grapheme" }).filter((word) => !word.includes("\0") && word.isWellFormed());
  fc.assert(
    fc.property(text, (word) => {
      expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(word)}`], { encoding: "utf8" })).toBe(word);
    }),
    { numRuns: 30 },
  );
});
