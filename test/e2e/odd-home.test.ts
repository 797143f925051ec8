// Whatever lies in the home where a file or a folder of ours should be, it is somebody's disk and no bug.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { specOf } from "../support/decisions.ts";
import { inPlace } from "../support/lw.ts";
import { someOf } from "../support/tries.ts";

const NAMES = [
  "journal.db",
  "journal.head",
  "artifacts",
  "rounds",
  "rounds/fix",
  "prepared",
  "locks",
  "locks/fix.lock",
  "mend.lock",
  "keys",
  "keys/ring.jsonl",
  "receipts",
  "checkpoints.jsonl",
  "referee",
  "redaction.key",
  "limits.yaml",
  "prices.yaml",
  "receipts.yaml",
];

const ODDITIES: readonly (readonly [string, (path: string) => void])[] = [
  ["an empty file", (path) => writeFileSync(path, "")],
  ["a file of something else", (path) => writeFileSync(path, "\0what is this\n")],
  ["a folder", (path) => mkdirSync(path)],
  ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path)],
];

/** Each name meets two of the four, and each of the four meets names of all kinds. */
const namesFor = (oddity: number): readonly string[] => someOf(NAMES, (_, index) => (index + oddity) % 4 < 2);

it.each(ODDITIES.map((oddity, index) => [...oddity, namesFor(index)] as const))(
  "%s in the place of anything of the home is never a bug",
  (_, put, names) =>
    inPlace(async (place) => {
      place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
      const spec = specOf(place);
      const bugs: unknown[] = [];
      for (const name of names) {
        rmSync(place.home, { recursive: true, force: true });
        mkdirSync(dirname(join(place.home, name)), { recursive: true, mode: 0o700 });
        put(join(place.home, name));
        for (const args of [["status"], ["run", spec], ["resume"]]) {
          const { exit, stderr } = await place.lw(args);
          if (exit === 70 || stderr.includes("bug in loopwright")) bugs.push([name, args[0], stderr.slice(0, 400)]);
        }
      }

      expect(bugs).toEqual([]);
    }),
);
