import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Document, stringify } from "yaml";
import { tries } from "../../test/support/tries.ts";
import { builtIn } from "../app/crew.ts";
import { layOut, minify } from "./lay-out.ts";
import { readSpec } from "./read-spec.ts";

const examples = readdirSync("examples")
  .filter((file) => file.endsWith(".loop.yaml"))
  .map((file) => ({ file, text: readFileSync(`examples/${file}`, "utf8") }))
  // One that calls others is read with the files beside it.
  .filter(({ text }) => !/\bloop: *\S+\.loop\.yaml/.test(text));

const textOf = (edited: ReturnType<typeof layOut>): string => {
  if (edited.kind === "refused") throw new Error(edited.why);
  return edited.text;
};
const hashOf = (text: string): string => {
  const reading = readSpec("x", text, builtIn);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  return reading.hash;
};
const commentsIn = (text: string): readonly string[] => text.match(/# .*/g) ?? [];
const keysIn = (text: string): readonly string[] => text.match(/^[a-z$]\w*(?=:)/gm) ?? [];

describe.each(examples)("$file", ({ text }) => {
  it("is laid out as we write it", () => expect(layOut(text)).toEqual({ kind: "edited", text }));

  it("says the same in fewer words, and has the same hash", () => {
    const short = textOf(minify("x", text, builtIn));

    expect(short.length).toBeLessThan(text.length);
    expect(hashOf(short)).toBe(hashOf(text));
    expect(textOf(minify("x", short, builtIn))).toBe(short);
  });
});

it("puts room where there was none, and keeps every comment and the order", () => {
  const text = `# top\nname:   fix   # by hand\nintent: 'Keep main green.'\n\n\nlevel: L2\nverifiers:\n- {use: command,with: {run: npm test}} # the suite\nmaker: {use: claude-code}\n# last\n`;
  const laid = textOf(layOut(text));

  expect(laid).toBe(
    `# top\nname: fix # by hand\nintent: "Keep main green."\n\nlevel: L2\nverifiers:\n  - { use: command, with: { run: npm test } } # the suite\nmaker: { use: claude-code }\n\n# last\n`,
  );
  expect(hashOf(laid)).toBe(hashOf(text));
});

it("keeps JSON what it is, and leaves alone what it cannot read", () => {
  expect(layOut('{"name":"fix","level":"L2"}')).toEqual({ kind: "edited", text: '{\n  "name": "fix",\n  "level": "L2"\n}\n' });
  expect(layOut("name: [").kind).toBe("refused");
  expect(layOut("a: 1\na: 2\n").kind).toBe("refused");
});

/** Specs as people may write them: any style, indents, quotes, comments and blank lines. */
const written = fc
  .record({
    task: fc.stringMatching(/^[\w :#'"\-,.{}[\]&*!|>%@`]{1,60}$/).filter((text) => text.trim() !== ""),
    long: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 9 }),
    seal: fc.array(fc.constantFrom("test/**", "a b", "*.ts", "true"), { maxLength: 3 }),
    indent: fc.constantFrom(2, 3, 4),
    style: fc.constantFrom("block", "flow", "any"),
    quotes: fc.constantFrom("QUOTE_SINGLE", "QUOTE_DOUBLE", "PLAIN"),
    comments: fc.array(fc.stringMatching(/^[\w ]{1,20}$/), { maxLength: 4 }),
    blank: fc.nat({ max: 3 }),
  })
  .map(({ task, long, rounds, seal, indent, style, quotes, comments, blank }) => {
    const document = new Document({
      name: "fix",
      intent: "Keep main green.",
      level: "L2",
      task: long ? `${task}\nand more\n` : task,
      maker: { use: "shell", with: { run: "./make", inherit: ["A"] } },
      verifiers: [{ use: "command", with: { run: "npm test" } }],
      ...(seal.length > 0 ? { seal } : {}),
      budget: { rounds, time: "30m" },
    });
    const options = { indent, defaultStringType: quotes, collectionStyle: style, lineWidth: 0 } as const;
    const lines = document.toString(options).split("\n");
    // A comment behind some of the lines that begin with a key, and blank ones before them.
    return lines
      .map((line, index) => {
        const comment = comments[index];
        return comment !== undefined && /^[a-z]+: \S/.test(line) && !/[|>]$/.test(line)
          ? `${"\n".repeat(blank)}${line} # ${comment}`
          : line;
      })
      .join("\n");
  });

it("is idempotent and changes no meaning, however a spec is written; neither does leaving out", () => {
  fc.assert(
    fc.property(written, (text) => {
      const laid = textOf(layOut(text));

      expect(textOf(layOut(laid))).toBe(laid);
      expect(hashOf(laid)).toBe(hashOf(text));
      expect(commentsIn(laid).length).toBe(commentsIn(text).length);
      expect(keysIn(laid)).toEqual(keysIn(text.startsWith("{") ? laid : text));
    }),
    tries(60),
  );
  fc.assert(
    fc.property(written, (text) => {
      expect(hashOf(textOf(minify("x", text, builtIn)))).toBe(hashOf(text));
    }),
    tries(4),
  );
});

it("never fails and never changes what is said, whatever the text", () => {
  const seeds = [examples[0]!.text, stringify({ a: [1, { b: "x" }], c: null }), "- &a x\n- *a\n", "? x\n: y\n"];
  fc.assert(
    fc.property(fc.constantFrom(...seeds), fc.nat(), fc.string({ maxLength: 12 }), fc.nat({ max: 20 }), (seed, at, put, cut) => {
      const from = at % (seed.length + 1);
      const edited = layOut(`${seed.slice(0, from)}${put}${seed.slice(from + cut)}`);
      if (edited.kind === "edited") expect(layOut(edited.text)).toEqual(edited);
    }),
    tries(60),
  );
});
