import { expect, it } from "vitest";
import { OLD_LSS, SOUND_LSS } from "../../../test/support/lss.ts";
import { createMemoryHouse } from "../../../test/support/memory-house.ts";
import type { LoopError } from "../../contract/errors.ts";
import { builtIn } from "../crew.ts";
import { type Imported, importFileBy, readBindings } from "./import-file.ts";

async function importing(text: string, ...set: readonly string[]): Promise<Imported> {
  const { house, files } = createMemoryHouse();
  files.written.set("/l.yaml", text);
  const bindings = readBindings({
    provider: ["acme=https://acme.example/v1"],
    use: "anthropic:m",
    test: "npm test",
    set,
    commits: false,
    library: [],
  });
  return importFileBy(house.texts, "l.yaml", "/", bindings, builtIn);
}

const SCHEMA = "sorter.schema=any";

it("refuses an answer to what nobody asked, and names what there is", async () => {
  const slip = await importing(SOUND_LSS, SCHEMA, "nosuch.key=1", "lenght.most=5").catch((error: LoopError) => error);
  expect(slip).toMatchObject({ code: "bad-input", hint: expect.stringMatching(/\blength\.most\b.*\bwriter\.gives\b/) });
  expect(String(slip)).toContain("--set nosuch.key, --set lenght.most");
  expect((await importing(SOUND_LSS, SCHEMA, "length.most=5", "memory.schema=any")).kind).toBe("imported");
  await expect(importing(OLD_LSS, "nosuch.key=1")).rejects.toThrow("--set nosuch.key says nothing");
});

it.each(["-5", "many", "1.5", ""])("says of a figure that it cannot be %s", async (figure) => {
  const imported = await importing(SOUND_LSS, SCHEMA, `length.most=${figure}`);
  expect(imported.kind).toBe("stuck");
  expect("fates" in imported && imported.fates.filter(({ kind }) => kind === "asked").map(({ why }) => why)).toEqual([
    `${figure} is no whole number from 0 on. Say it with --set length.most=NUMBER`,
  ]);
});
