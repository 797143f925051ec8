import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TreeFile } from "../contract/git.ts";
import type { SealWishes } from "../guard/seal.ts";
import { drawSample } from "./hold-out.ts";

const OPEN: SealWishes = { seal: [], unseal: [] };
const fileAt = (path: string, mode = "100644"): TreeFile => ({ path, mode, blob: "b" });
const tests = (count: number): readonly TreeFile[] => Array.from({ length: count }, (_, index) => fileAt(`test/${index}.test.ts`));
const draw = (files: readonly TreeFile[], size: { share: number } | { count: number }, secret = "s", wishes = OPEN) =>
  drawSample(files, { from: ["test/**", "src/**"], size }, wishes, secret);

describe("a sample of the sealed files", () => {
  it("is a share of them or so many, and at least one", () => {
    const sizes = ([{ share: 0.25 }, { share: 0.01 }, { share: 1 }, { count: 3 }, { count: 99 }] as const).map(
      (size) => draw(tests(20), size).length,
    );

    expect(sizes).toEqual([5, 1, 20, 3, 20]);
  });

  it("has only files that are asked for, sealed and plain", () => {
    const files = [
      fileAt("test/a.test.ts"),
      fileAt("test/link.test.ts", "120000"),
      fileAt("test/module.test.ts", "160000"),
      fileAt("src/a.ts"),
      fileAt("other/b.test.ts"),
    ];

    expect(draw(files, { share: 1 })).toEqual(["test/a.test.ts"]);
    expect([...draw(files, { share: 1 }, "s", { seal: ["src/**"], unseal: [] })].sort()).toEqual(["src/a.ts", "test/a.test.ts"]);
    expect(() => draw(files, { share: 1 }, "s", { seal: [], unseal: ["test/**"] })).toThrow("nothing can be held out");
  });

  it("is the same for the same secret whatever the order, and has every file in turn for others", () => {
    fc.assert(
      fc.property(fc.string(), fc.shuffledSubarray([...tests(12)], { minLength: 12 }), (secret, shuffled) => {
        expect(draw(shuffled, { count: 3 }, secret)).toEqual(draw(tests(12), { count: 3 }, secret));
      }),
    );
    const drawn = new Set(Array.from({ length: 200 }, (_, secret) => draw(tests(12), { count: 3 }, String(secret))).flat());
    expect(drawn.size).toBe(12);
  });
});
