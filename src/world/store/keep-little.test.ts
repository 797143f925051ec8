import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type KeptIn, keepLittle } from "./keep-little.ts";

let home: KeptIn;
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-kept-")));
  const at = (name: string): string => join(folder, name);
  home = { prepared: at("prepared"), caches: at("caches"), layers: at("layers"), rounds: at("rounds") };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An entry of so many bytes that was last used so many hours ago. */
function keep(kind: "prepared" | "caches" | "layers", letter: string, bytes: number, hours: number): string {
  const place = join(home[kind], `id-${letter}`, letter.repeat(64));
  mkdirSync(join(place, "layer"), { recursive: true });
  writeFileSync(join(place, "about.json"), JSON.stringify({ bytes, files: 1 }));
  const used = new Date(Date.now() - hours * 3_600_000);
  utimesSync(place, used, used);
  return place;
}

it("throws away what was not used for longest, whatever it is, until as much is left as may be", async () => {
  const [old, middle, young] = [keep("layers", "a", 50, 30), keep("prepared", "b", 30, 20), keep("caches", "c", 20, 10)];

  const freed = await keepLittle(home, 60);

  expect(freed).toEqual({ entries: 1, bytes: 50, left: 50, held: 0 });
  expect([old, middle, young].map((place) => existsSync(place))).toEqual([false, true, true]);
});

it("leaves what an open round may lie on: what its rooms name, and all that was used since it was opened", async () => {
  const [named, used, free] = [keep("layers", "a", 50, 30), keep("prepared", "b", 30, -1), keep("caches", "c", 20, 10)];
  const links = join(home.rounds, "fix", "fix-1-abcde.1", "check-1", "layers");
  mkdirSync(links, { recursive: true });
  symlinkSync(join(named, "layer"), join(links, "work-0"));

  const freed = await keepLittle(home, 0);

  expect(freed).toEqual({ entries: 1, bytes: 20, left: 80, held: 80 });
  expect([named, used, free].map((place) => existsSync(place))).toEqual([true, true, false]);
});

it("counts copies for other users, and takes away what was half made by somebody who was killed", async () => {
  const place = keep("prepared", "a", 10, 30);
  mkdirSync(join(place, "layer-61000"));
  const making = join(home.prepared, "id-a", "making-123");
  mkdirSync(making);
  utimesSync(making, new Date(0), new Date(0));

  expect(await keepLittle(home, 0)).toEqual({ entries: 1, bytes: 20, left: 0, held: 0 });
  expect([place, making].map((each) => existsSync(each))).toEqual([false, false]);
  expect(await keepLittle(home, 0)).toEqual({ entries: 0, bytes: 0, left: 0, held: 0 });
});
