import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createFolders } from "../../../test/support/journals.ts";
import { createArtifactPieces } from "./artifact-pieces.ts";
import { createArtifacts } from "./artifacts.ts";

const folders = createFolders();
afterEach(() => folders.removeAll());

it("gives any part of what is kept, in pieces, and nothing of what was changed", async () => {
  const folder = folders.make();
  const text = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  const { sha256 } = await createArtifacts(folder).keep(text);
  const pieces = createArtifactPieces(folder);
  const read = async (from: number, to: number): Promise<Buffer> => {
    const found: Uint8Array[] = [];
    for await (const piece of pieces.read(sha256, from, to)) found.push(piece);
    return Buffer.concat(found);
  };

  expect(await pieces.size(sha256)).toBe(200_000);
  expect(await pieces.size(sha256)).toBe(200_000);
  expect((await read(0, 200_000)).equals(text)).toBe(true);
  expect((await read(65_530, 131_080)).equals(text.subarray(65_530, 131_080))).toBe(true);
  expect(await pieces.size("0".repeat(64))).toBe(undefined);
  writeFileSync(join(folder, sha256.slice(0, 2), sha256), "something else");
  expect(await pieces.size(sha256)).toBe(undefined);
});
