import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LedgerSource } from "../contract/receipt.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { createLoopgenReader } from "./loopgen.ts";

type Fact = { readonly [name: string]: unknown };

const FACTS: Fact = {
  schemaVersion: "1",
  timestamp: "2026-03-01T10:00:00.000Z",
  project: "shop",
  loopId: "fix",
  mode: "referee",
  actor: { user: "ada", host: "desk" },
  git: { base: "main", shaBefore: "a".repeat(40), shaAfter: "b".repeat(40), clean: true },
  changedFiles: { tracked: ["a.ts"], untracked: [], diffstat: "1 file" },
  forbidden: { ok: true, violations: [] },
  verification: { passed: true, commands: [{ command: "npm test", exitCode: 0, timedOut: false, durationMs: 12 }] },
  iterations: 2,
  passed: true,
};

/** A ledger as loopgen writes it: each entry names the hash before, and its own hash covers the rest of it. */
function ledgerOf(entries: readonly Fact[]): readonly string[] {
  let prevHash: string | null = null;
  return entries.map((facts, index) => {
    const entry: Fact = { ...FACTS, entryId: `entry-${index + 1}`, ...facts, prevHash };
    const hash = sha256(canonicalJson(entry));
    prevHash = hash;
    return JSON.stringify({ ...entry, hash });
  });
}

function read(lines: readonly (string | undefined)[], mostEntries?: number): LedgerSource {
  const reader = createLoopgenReader("audit.jsonl", mostEntries);
  for (const line of lines) reader.line(line);
  return reader.end();
}

const five = ledgerOf([{}, {}, { passed: false }, {}, {}]);
const chainOf = (lines: readonly (string | undefined)[]): LedgerSource["chain"] => read(lines).chain;

it("reads each entry as a run, and says of a whole chain what it cannot show", () => {
  const source = read(ledgerOf([{}]));

  expect(source).toEqual({
    label: "audit.jsonl",
    system: "loopgen",
    runs: [
      {
        id: `loopgen:entry-1:${JSON.parse(ledgerOf([{}])[0]!).hash}`,
        system: "loopgen",
        loop: "fix",
        at: "2026-03-01T10:00:00.000Z",
        result: "passed",
        actor: "ada@desk",
        commit: "b".repeat(40),
        rounds: 2,
        findings: 0,
      },
    ],
    chain: {
      kind: "whole",
      entries: 1,
      note: "loopgen signs nothing: entries cut from the end, or a ledger that was written anew from the start, cannot be seen",
    },
  });
});

it("hashes as loopgen does: keys sorted at every depth, lists in order, what JSON escapes escaped", () => {
  const odd = { z: [3, { b: 1, a: null }], "": "\u2028\ud800é", "\u20ac": 1e21, "10": -0 };
  const before = `{"":"\u2028\\ud800é","10":0,"prevHash":null,"z":[3,{"a":null,"b":1}],"€":1e+21}`;
  const line = JSON.stringify({ ...odd, prevHash: null, hash: sha256(before) });

  expect(chainOf([line])).toMatchObject({ kind: "whole", entries: 1 });
});

it.each<[string, Fact, string]>([
  ["a pass", {}, "passed"],
  ["a failure", { passed: false }, "refused"],
  ["a pass whose verification failed", { verification: { passed: false, commands: [{}] } }, "refused"],
  ["a pass with a forbidden file", { forbidden: { ok: false, violations: [{ file: ".env", pattern: ".env" }] } }, "refused"],
  ["a pass without a command", { verification: { passed: true, commands: [] } }, "unknown"],
  ["a pass in words", { passed: "true" }, "unknown"],
])("reads %s", (_, facts, result) => {
  expect(read(ledgerOf([facts])).runs[0]?.result).toBe(result);
});

it("takes no commit for tested whose tree was not clean (loopgen 24)", () => {
  expect(read(ledgerOf([{ git: { shaAfter: "b".repeat(40), clean: false } }])).runs[0]).not.toHaveProperty("commit");
});

it("compares times and not their spelling (loopgen 23)", () => {
  const runs = read(ledgerOf([{ timestamp: "2026-03-01T12:00:00+02:00" }, { timestamp: "yesterday" }])).runs;

  expect(runs.map(({ at }) => at)).toEqual(["2026-03-01T10:00:00.000Z", ""]);
});

it("calls an attested entry a claim, and nothing more (loopgen 30)", () => {
  expect(chainOf(ledgerOf([{ provenance: { tier: "attested" } }, {}]))).toMatchObject({
    note: expect.stringContaining("1 of its entries say that they are attested, which is their own claim and was not checked"),
  });
});

describe("a chain that does not hold", () => {
  const cases: readonly (readonly [string, readonly (string | undefined)[], number, number, string])[] = [
    [
      "an edit",
      five.map((line, index) => (index === 2 ? line.replace('"passed":false', '"passed":true') : line)),
      4,
      3,
      "not what was written",
    ],
    ["an entry taken out", five.toSpliced(2, 1), 4, 3, "does not follow the entry before it"],
    ["two entries swapped", [five[0], five[2], five[1], five[3], five[4]] as string[], 5, 2, "does not follow"],
    ["the beginning taken off", five.slice(2), 3, 1, "the beginning is missing"],
    ["a second ledger behind it", [...five, ...ledgerOf([{ loopId: "other" }])], 6, 6, "begins a second chain"],
    ["a bad line in the middle (loopgen 29)", five.toSpliced(2, 0, "{oops"), 5, 3, "is not a JSON object"],
    ["a torn last line (loopgen 26)", [...five.slice(0, 4), five[4]!.slice(0, 80)], 4, 5, "line 5 is the last one, and may have been torn"],
    ["a line too long to be read", five.toSpliced(1, 1, undefined as unknown as string), 4, 2, "is too long"],
    ["a replayed entry", [...five, five[1]!], 6, 6, "forks the chain: it follows line 1"],
  ];

  it.each(cases)("names %s, and still counts the others", (_, lines, entries, at, why) => {
    const source = read(lines);

    expect(source.chain).toMatchObject({ kind: "broken", entries, at, why: expect.stringContaining(why) });
    expect(source.runs).toHaveLength(entries);
  });

  it("names a fork, as two processes that append at once make it (loopgen 25)", () => {
    const [one, two] = ledgerOf([{}, {}]);
    const other = { ...JSON.parse(two!), entryId: "entry-2b" };
    const { hash: _, ...rest } = other;

    expect(chainOf([one!, two!, JSON.stringify({ ...rest, hash: sha256(canonicalJson(rest)) })])).toMatchObject({
      kind: "broken",
      at: 3,
      why: "line 3 forks the chain: it follows line 1, and so does another entry",
    });
  });

  it("tells the first few of many, and how many there are", () => {
    expect(chainOf([five[0]!, ...Array.from({ length: 10 }, () => "x"), five[1]!])).toMatchObject({
      at: 2,
      why: expect.stringMatching(/^line 2 is not a JSON object; line 3 .*; and 6 more$/),
    });
  });

  it("takes an empty file for no proof of anything (loopgen 22)", () => {
    expect([chainOf([]), chainOf(["", "  "])]).toEqual([
      { kind: "unreadable", why: "it holds no entry, which is also how an emptied ledger looks" },
      { kind: "unreadable", why: "it holds no entry, which is also how an emptied ledger looks" },
    ]);
  });

  it("says where it stopped looking, and never that the rest is well", () => {
    expect(read(five, 3).chain).toMatchObject({ kind: "broken", entries: 3, at: 4, why: expect.stringContaining("was not looked at") });
  });
});

it("finds every edit of one character that changes what an entry says", () => {
  fc.assert(
    fc.property(fc.nat(4), fc.nat(), fc.constantFrom("0", "x", '"', "}", " ", "\\", "9"), (entry, place, char) => {
      const line = five[entry]!;
      const at = place % line.length;
      const edited = `${line.slice(0, at)}${char}${line.slice(at + 1)}`;
      const isSame = ((): boolean => {
        try {
          return canonicalJson(JSON.parse(edited)) === canonicalJson(JSON.parse(line));
        } catch {
          return false;
        }
      })();

      expect(chainOf(five.with(entry, edited)).kind).toBe(isSame ? "whole" : "broken");
    }),
    { numRuns: 500 },
  );
});

describe("hostile lines", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.string({ unit: "binary" }), fc.double(), fc.boolean(), fc.constant(null), tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    object: fc.dictionary(
      fc.oneof(fc.constantFrom("__proto__", "constructor", "toString", "hash", "prevHash", ...Object.keys(FACTS)), fc.string()),
      tie("any"),
      { maxKeys: 8 },
    ),
  }));

  it("never throw, and never count where their hash does not fit", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            value.object.map((one) => JSON.stringify(one)),
          ),
          { maxLength: 8 },
        ),
        (lines) => {
          const source = read(lines);

          expect(source.runs).toEqual([]);
          expect(source.chain.kind).not.toBe("whole");
        },
      ),
    );
  });

  it("are read for what they are where their hash fits, whatever their fields hold", () => {
    fc.assert(
      fc.property(value.object, (odd) => {
        const { hash: _, ...rest } = odd as Fact;
        const entry = { ...JSON.parse(JSON.stringify(rest)), prevHash: null };

        const { runs, chain } = read([JSON.stringify({ ...entry, hash: sha256(canonicalJson(entry)) })]);

        expect(chain.kind).toBe("whole");
        expect(["passed", "refused", "unknown"]).toContain(runs[0]!.result);
        expect({}).not.toHaveProperty("polluted");
      }),
    );
  });

  it("keep a field called __proto__ as a field", () => {
    const text = `{"__proto__":{"passed":true},"prevHash":null}`;
    const line = `${text.slice(0, -1)},"hash":"${sha256(text)}"}`;

    expect(read([line])).toMatchObject({ chain: { kind: "whole" }, runs: [{ result: "unknown", loop: "unknown" }] });
  });

  it("are not parsed when they are a bomb of depth", () => {
    expect(chainOf([`{"a":${"[".repeat(1_000_000)}`])).toMatchObject({ why: expect.stringContaining("nested too deeply") });
  });

  it("keep ids and names to a bounded length", () => {
    const [run] = read(ledgerOf([{ loopId: "x".repeat(10_000), entryId: "y".repeat(10_000) }])).runs;

    expect([run!.loop.length, run!.id.length]).toEqual([200, "loopgen:".length + 200 + 65]);
  });
});
