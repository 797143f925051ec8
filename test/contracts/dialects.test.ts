// One suite for every format of another system: whose a file is, all that is wrong with it, and a fate for each thing that it says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../src/app/crew.ts";
import { dialectOf } from "../../src/app/dialects/dialect-of.ts";
import { nativeSurface } from "../../src/dialects/native-surface.ts";
import { inNotation } from "../../src/dialects/notation.ts";
import { frontMatterOf, OF_OTHERS, sheetOf } from "../../src/dialects/sheet.ts";
import { specDialects } from "../../src/dialects/spec-dialects.ts";
import { EMPTY_SHELF } from "../../src/dialects/translation.ts";
import { type Path, showPath } from "../../src/spec/path.ts";
import { readSpec } from "../../src/spec/read-spec.ts";
import { readSpecText } from "../../src/spec/text.ts";
import { FOREIGN, NOTHING } from "../support/foreign-files.ts";
import { lssSamples, OLD_LSS, SOUND_LSS } from "../support/lss.ts";
import { tries } from "../support/tries.ts";

const native = nativeSurface(builtIn);
const called = (name: string) => specDialects.find((dialect) => dialect.name === name)!;

it("has a file for every dialect", () => {
  expect(["lss", ...FOREIGN.map(({ dialect }) => dialect)].toSorted()).toEqual(specDialects.map(({ name }) => name).toSorted());
});

it("takes no spec of ours, and no file of the standard, for a file of anybody else", () => {
  const examples = readdirSync("examples").filter((file) => file.endsWith(".loop.yaml"));
  const ours = examples.map((file) => dialectOf(file, sheetOf(readFileSync(join("examples", file), "utf8")))?.name);
  const theirs = [SOUND_LSS, OLD_LSS, ...lssSamples.map(({ text }) => text)].map((text) => dialectOf("a.yaml", sheetOf(text))?.name);

  expect([ours.filter((name) => name !== undefined), theirs.filter((name) => name !== "lss")]).toEqual([[], []]);
});

it("asks whose a file is that two might have written, and takes the one that is named", () => {
  const text = "---\non: push\ntracker: {kind: linear}\nagent: {}\n---\nDo it.\n";

  expect(() => dialectOf("WORKFLOW.md", sheetOf(text))).toThrow(
    /may be meant as a WORKFLOW\.md of Symphony or Sortie or as an agentic workflow/,
  );
  expect(dialectOf("WORKFLOW.md", sheetOf(text), "gh-aw")?.name).toBe("gh-aw");
  expect(() => dialectOf("WORKFLOW.md", sheetOf(text), "banana")).toThrow(/--from banana is not known/);
});

describe.each(FOREIGN)("$dialect", ({ dialect: name, file, sound, bindings, broken }) => {
  const dialect = called(name);
  const translation = dialect.translate(file, sheetOf(sound), bindings, native, EMPTY_SHELF);
  const fates = translation.kind === "refused" ? [] : translation.fates;

  it("is recognised by its shape, by nobody else's", () => {
    expect(specDialects.filter(({ recognises }) => recognises(file, sheetOf(sound))).map((one) => one.name)).toEqual([name]);
  });

  it("has nothing against a sound file", () => {
    expect(dialect.check(file, sheetOf(sound), EMPTY_SHELF).problems).toEqual([]);
  });

  it("becomes a spec of ours that is sound", () => {
    expect(translation.kind).toBe("translated");
    const spec = translation.kind === "translated" ? translation.spec : {};
    const reading = readSpec("s.yaml", inNotation(spec, "yaml"), builtIn);

    expect(reading.kind === "refused" ? reading.problems : reading.kind).toBe("read");
  });

  it("says of each field whether it is in force or has no counterpart, and none in silence", () => {
    const silent = leavesOf(saidIn(sound)).filter((path) => !fates.some((fate) => covers(fate.path, path)));
    const unknown = fates.filter(({ why }) => why.includes("nothing of ours does this")).map(({ path }) => path);

    expect([silent, unknown]).toEqual([[], []]);
    for (const { kind, path, to } of fates) expect([path, kind, kind === "translated" && to === ""]).toEqual([path, kind, false]);
  });

  it("says where in the file each of these stands", () => {
    const lines = sound.split("\n");
    for (const { path, line } of fates) {
      const [key] = /[\w$-]+(?=(\[\d+\])*$)/.exec(path) ?? [];
      expect(line, path).toBeLessThanOrEqual(lines.length);
      if (key !== undefined && key !== "body" && key !== "spec" && !path.endsWith("]")) expect(near(lines, line), path).toContain(key);
    }
  });

  it("loses a field that nobody knows, and says so", () => {
    const more = sound.startsWith("{")
      ? sound.replace("{", '{"x_more": {"deep": [1]},')
      : sound.replace(/^(---\n)?/, "$1x_more: {deep: [1]}\n");
    const { problems } = dialect.check(file, sheetOf(more), EMPTY_SHELF);
    const translated = dialect.translate(file, sheetOf(more), bindings, native, EMPTY_SHELF);

    const lost = translated.kind === "refused" ? [] : translated.fates.filter(({ kind }) => kind === "lost").map(({ path }) => path);
    expect(problems.length > 0 ? problems.map(({ path }) => path) : lost).toContain("x_more");
  });

  it("tells all that is wrong with a broken file at once, each with its place", () => {
    const { problems } = dialect.check(file, sheetOf(broken.text), EMPTY_SHELF);

    expect(problems.map(({ line, col, path, code }) => `${line}:${col} ${path} [${code}]`)).toEqual(broken.problems);
    expect(problems.every(({ instead, problem }) => instead !== "" && problem !== "")).toBe(true);
    expect(dialect.translate(file, sheetOf(broken.text), bindings, native, EMPTY_SHELF).kind).toBe("refused");
  });

  it.each(HOSTILE.filter(({ isLong }) => !isLong || name === "strive" || name === "gh-aw"))(
    "refuses $called in bounded time and never throws",
    ({ make }) => {
      const text = make(sound);

      const { problems } = dialect.check(file, sheetOf(text), EMPTY_SHELF);
      dialect.recognises(file, sheetOf(text));
      dialect.translate(file, sheetOf(text), NOTHING, native, EMPTY_SHELF);

      expect(problems.length).toBeGreaterThan(0);
      expect(problems.length).toBeLessThanOrEqual(501);
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    },
  );

  it("has an answer to anything that is made of its files by chance", () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), (blows) => {
        const text = blows.reduce((whole, blow) => blow(whole), sound);
        const { problems } = dialect.check(file, sheetOf(text), EMPTY_SHELF);
        const translated = dialect.translate(file, sheetOf(text), bindings, native, EMPTY_SHELF);

        expect(problems.every(({ line, col }) => line >= 1 && col >= 1)).toBe(true);
        expect(translated.kind === "refused").toBe(problems.length > 0);
        if (translated.kind !== "translated") return;
        readSpec("s.yaml", inNotation(translated.spec, "yaml"), builtIn);
      }),
      tries(12),
    );
  });
});

/** The value of a file, with what stands below front matter as `body`. */
function saidIn(text: string): unknown {
  const front = frontMatterOf(text, OF_OTHERS);
  return front === undefined ? readSpecText(text, OF_OTHERS).value : { ...(front.read.value as object), body: front.body };
}

function leavesOf(value: unknown, path: Path = []): readonly string[] {
  const inner =
    typeof value === "object" && value !== null
      ? Object.entries(value).map(([key, one]) => [Array.isArray(value) ? Number(key) : key, one] as const)
      : [];
  return inner.length === 0 ? [showPath(path)] : inner.flatMap(([step, one]) => leavesOf(one, [...path, step]));
}

const covers = (told: string, path: string): boolean => told === path || path.startsWith(`${told}.`) || path.startsWith(`${told}[`);

/** A value may stand on the line below its key. */
const near = (lines: readonly string[], line: number): string => lines.slice(Math.max(0, line - 2), line).join("\n");

interface Hostile {
  readonly called: string;
  /** All of them have the same reader: what takes long is tried on one of each way to write. */
  readonly isLong?: boolean;
  readonly make: (sound: string) => string;
}

const above = (sound: string, yaml: string, json: string): string =>
  sound.startsWith("{") ? sound.replace("{", `{${json},`) : sound.replace(/^(---\n)?/, `$1${yaml}\n`);

const HOSTILE: readonly Hostile[] = [
  { called: "what would change every object", make: (sound) => above(sound, "__proto__: {polluted: 1}", '"__proto__": {"polluted": 1}') },
  {
    called: "nesting without end",
    isLong: true,
    make: (sound) => above(sound, `deep: ${"[".repeat(20_000)}`, `"deep": ${"[".repeat(20_000)}`),
  },
  {
    called: "aliases of aliases",
    isLong: true,
    make: (sound) =>
      above(
        sound,
        `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join("\n")}`,
        `"a0": &a0 [x, x], ${Array.from({ length: 30 }, (_, i) => `"a${i + 1}": &a${i + 1} [*a${i}, *a${i}]`).join(", ")}`,
      ),
  },
  { called: "half a megabyte of keys", isLong: true, make: (sound) => above(sound, manyKeys("\n", ""), manyKeys(",", '"')) },
  { called: "tags that make objects", make: (sound) => above(sound, "x: !!js/function 'a'", '"x": !!js/function "a"') },
  { called: "a control character", make: (sound) => above(sound, "x: a\u0000b", '"x": "a\u0000b"') },
];

function manyKeys(between: string, quote: string): string {
  return Array.from({ length: 30_000 }, (_, i) => `${quote}key${i}${quote}: ${quote}value${quote}`).join(between);
}

/** Small damages, as a broken disk, a bad merge or a bad mind does them. */
const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.tuple(fc.nat(4000), fc.integer({ min: 1, max: 40 })).map(
    ([at, length]) =>
      (text: string) =>
        text.slice(0, at % (text.length + 1)) + text.slice((at % (text.length + 1)) + length),
  ),
  fc
    .tuple(
      fc.nat(4000),
      fc.constantFrom("null", "-1", "{}", "[]", '"x"', ": ", "\n---\n", "\t", "99999999999999999999", "é", "*a", "\n  - "),
    )
    .map(
      ([at, text]) =>
        (whole: string) =>
          whole.slice(0, at % (whole.length + 1)) + text + whole.slice(at % (whole.length + 1)),
    ),
  fc.tuple(fc.nat(200), fc.nat(200)).map(([from, to]) => (text: string) => {
    const lines = text.split("\n");
    const [moved = ""] = lines.splice(from % lines.length, 1);
    lines.splice(to % (lines.length + 1), 0, moved);
    return lines.join("\n");
  }),
);
