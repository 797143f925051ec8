import { expect, it } from "vitest";
import { SOUND_LSS } from "../../../test/support/lss.ts";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import type { Texts } from "../../contract/files.ts";
import { builtIn } from "../crew.ts";
import { readLoopBy } from "./read-loop.ts";

it("refuses a composition that leads back to itself, of which nothing could be counted", async () => {
  const { house, files } = createMemoryHouse();
  const composed = (...refs: readonly string[]): string =>
    `${SOUND_LSS}composition: {type: nested, children: [${refs.map((ref, index) => `{id: c${index}, role: ${index === 0 ? "outer" : "inner"}, ref: ${ref}}`).join(", ")}]}\n`;
  files.written.set("/self.yaml", composed("self.yaml", "leaf.yaml"));
  files.written.set("/leaf.yaml", SOUND_LSS);
  files.written.set("/tree.yaml", composed("leaf.yaml", "leaf.yaml"));
  const texts: Texts = {
    ...house.texts,
    real: async (path) => (files.written.has(path) ? { path, kind: "file" } : path === "/" ? { path, kind: "folder" } : undefined),
  };

  const self = await readLoopBy(texts, "self.yaml", "/", builtIn);
  const tree = await readLoopBy(texts, "tree.yaml", "/", builtIn);

  expect(self).toMatchObject({
    kind: "refused",
    problems: expect.arrayContaining([expect.objectContaining({ code: "reference-refused" })]),
  });
  expect(tree.kind).toBe("read");
});
