import { expect, it } from "vitest";
import type { Gentle } from "./gentle.ts";
import { type AskedGently, tellUnasked, unaskedIn } from "./unasked.ts";
import type { Played, Rival } from "./weigh-replay.ts";

const said = (answer: number | "error"): string => JSON.stringify(answer === "error" ? { threw: "RangeError" } : { value: answer });
type Answer = number | "error";

interface Told {
  readonly asked: string;
  readonly base: Answer;
  readonly now: Answer;
  /** The place of the shown call it is close to, and how. */
  readonly near?: readonly [of: number, how: Gentle];
}

/** What is found, by kind and by what is asked. */
function find(all: readonly Told[], rivals: readonly Rival[] = []) {
  const asked = all.map(
    ({ asked: text, now, near }): AskedGently => ({
      call: { path: "a.js", name: "parse", args: [text], came: near ? undefined : said(now) },
      of: near?.[0],
      how: near?.[1],
    }),
  );
  const played = (of: "base" | "now"): Played => ({
    came: new Map(all.map((one, at) => [at, said(one[of])])),
    again: new Map(),
    rivals: [],
  });
  const conditions = [{ path: "a.js", line: 3, text: "a > 3", start: 0, end: 5 }];
  const found = unaskedIn({
    asked,
    base: played("base"),
    proposal: played("now"),
    usual: { ...played("now"), rivals },
    conditions,
    sources: new Map(),
  });
  return found;
}
const kinds = (...about: Parameters<typeof find>) =>
  find(...about).map(({ kind, call }) => `${kind} ${(call.args as readonly string[])[0]}`);

const MENDED: Told = { asked: "1h 30m", base: 1, now: 2 };
const KEPT: Told = { asked: "2h", base: 7, now: 7 };

it("finds what is newly refused close to a call that is answered", () => {
  expect(kinds([MENDED, { asked: "30m 1h", base: 3, now: "error", near: [0, "order"] }])).toEqual(["refused 30m 1h"]);
  expect(kinds([KEPT, { asked: "0h", base: 0, now: "error", near: [0, "figures"] }])).toEqual(["refused 0h"]);
});

it("finds nothing where a shown call of the same shape is refused", () => {
  const shown: Told = { asked: "0m 0h", base: 1, now: "error" };

  expect(kinds([MENDED, shown, { asked: "30m 1h", base: 3, now: "error", near: [0, "order"] }])).toEqual([]);
});

it("finds nothing where base refused as well, or a foreign word was put in", () => {
  expect(kinds([MENDED, { asked: "30m 1h", base: "error", now: "error", near: [0, "order"] }])).toEqual([]);
  expect(kinds([MENDED, { asked: "1h x", base: 3, now: "error", near: [0, "mixed"] }])).toEqual([]);
});

it("finds what is altered close to a call that stays as it was", () => {
  expect(kinds([KEPT, { asked: "9999h", base: 9, now: 4, near: [0, "figures"] }])).toEqual(["altered 9999h"]);
});

it("finds nothing altered where a call of that shape is shown to change", () => {
  const shown: Told = { asked: "3h", base: 1, now: 2 };

  expect(kinds([KEPT, shown, { asked: "9999h", base: 9, now: 4, near: [0, "figures"] }])).toEqual([]);
});

it("finds a shown call that changed alone, where others changed with what is close to them", () => {
  const around = (of: number, now: Answer): readonly Told[] =>
    ["a1", "a2", "a3", "a4"].map((text) => ({ asked: `${text}${of}`, base: 1, now, near: [of, "figures"] as const }));
  const shown: Told = { asked: "1h 1h", base: 1, now: "error" };

  expect(kinds([MENDED, shown, ...around(0, 2), ...around(1, 1)])).toEqual(["alone 1h 1h"]);
  expect(kinds([MENDED, shown, ...around(0, 2), ...around(1, "error")])).toEqual([]);
});

it("finds nothing where one point is all of the change: it may be a rule of its own", () => {
  const shown: Told = { asked: "1900", base: 1, now: 0 };

  expect(kinds([shown, ...["1", "2", "3", "4", "5"].map((asked): Told => ({ asked, base: 1, now: 1, near: [0, "figures"] }))])).toEqual([]);
});

it("finds a question that every test answered alike, and that decides another call", () => {
  const close: Told = { asked: "1d 2h 3m", base: 1, now: 1, near: [0, "part"] };

  expect(kinds([MENDED, close], [{ at: 1, condition: 0, came: said(5) }])).toEqual(["untested 1d 2h 3m"]);
  expect(kinds([MENDED, close], [{ at: 1, condition: 0, came: said(1) }])).toEqual([]);
});

it("takes an error that no test saw for an accident of the other program", () => {
  const close: Told = { asked: "1d 2h 3m", base: 1, now: 1, near: [0, "part"] };
  const rival: Rival = { at: 1, condition: 0, came: said("error") };

  expect(kinds([MENDED, close], [rival])).toEqual([]);
  expect(kinds([MENDED, { asked: "x", base: "error", now: "error" }, { ...close }], [{ ...rival, at: 2 }])).toEqual(["untested 1d 2h 3m"]);
});

it("finds nothing in a function that is as it was, and calls one that is shown to be mended", () => {
  const [merge, size] = ["export function merge(all) {\n  return all;\n}\n", "export const size = (all) =>\n  merge(all).length;\n"];
  const call = (name: string, args: readonly unknown[]) => ({ path: "a.js", name, args, came: undefined });
  const asked: readonly AskedGently[] = [
    { call: call("merge", ["1h"]), of: undefined, how: undefined },
    { call: call("size", ["2h"]), of: undefined, how: undefined },
    { call: call("size", ["9h"]), of: 1, how: "figures" },
  ];
  const came = (...answers: readonly number[]): Played => ({
    came: new Map(answers.map((one, at) => [at, said(one)])),
    again: new Map(),
    rivals: [],
  });
  const weighed = { asked, base: came(1, 1, 1), proposal: came(2, 1, 4), usual: came(), conditions: [] };
  const kindsWith = (text: string) => {
    const sources = new Map([["a.js", { text: merge + text, before: merge.replace("all;", "0;") + size }]]);
    return unaskedIn({ ...weighed, sources }).map(({ kind }) => kind);
  };

  expect(kindsWith(size)).toEqual([]);
  expect(kindsWith(size.replace("length", "size"))).toEqual(["altered"]);
});

it("is told in five lines, however much there is", () => {
  const many = Array.from({ length: 9 }, () => find([KEPT, { asked: "9999h", base: 9, now: 4, near: [0, "figures"] }])).flat();

  expect(tellUnasked(many).split("\n")).toHaveLength(5);
  expect(tellUnasked(many.slice(0, 1))).toBe('also altered: parse of a.js, asked ["9999h"]: 9 on base, 4 now');
});
