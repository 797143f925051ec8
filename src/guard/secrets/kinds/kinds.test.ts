import { describe, expect, it } from "vitest";
import { seededChance } from "../../../../test/support/seeded-chance.ts";
import { createRedactor, redactText } from "../redact.ts";
import { secretKinds } from "./index.ts";

const redactor = createRedactor("a key of this test");
const named = secretKinds.map((kind) => ({ title: `${kind.id}: ${kind.name}`, kind }));

describe("every kind of secret", () => {
  it("is one of more than forty, with names that placeholders can hold", () => {
    const ids = new Set(secretKinds.map(({ id }) => id));

    expect(ids.size).toBeGreaterThan(40);
    expect([...ids].filter((id) => !/^[a-z0-9-]{1,40}$/.test(id))).toEqual([]);
  });

  it.each(named)("$title: what is made up goes, with what stands around it left", ({ kind }) => {
    for (let seed = 1; seed <= 20; seed++) {
      const { text, secret } = kind.sample(seededChance(seed));
      const done = redactText(redactor, `before ${text} after`);

      expect(text).toContain(secret);
      expect(done.text).not.toContain(secret);
      expect(done.text).toMatch(/^before .*\[redacted:[a-z0-9-]+:[0-9a-f]{8}\].* after$/s);
    }
  });

  it.each(named)("$title: goes from a log, a diff, and JSON inside JSON", ({ kind }) => {
    const { text, secret } = kind.sample(seededChance(7));
    const places = [
      `\u001b[31m${text}\u001b[0m`,
      text.replace(/^/gm, "+"),
      text.replace(/^/gm, "-"),
      JSON.stringify({ a: `line\n${text}` }),
      JSON.stringify(JSON.stringify({ a: `line\n${text}` })),
    ];

    for (const place of places) {
      const body = secret.split("\n").toSorted((a, b) => b.length - a.length)[0]!;
      expect(redactText(redactor, place).text).not.toContain(body);
    }
  });

  it.each(named.filter(({ kind }) => kind.passes.length > 0))("$title: leaves what only looks alike", ({ kind }) => {
    for (const text of kind.passes) expect(redactText(redactor, text).text).toBe(text);
  });

  it.each(named)("$title: no repetition without a bound, and no group of one inside another of the same", ({ kind }) => {
    // A lookbehind for what stands before is bounded as well.
    for (const pattern of [kind.pattern, kind.before ?? /^$/])
      expect(pattern.source.replace(/\\.|\[[^\]]*\]/g, "x")).not.toMatch(/[*+](?!\?)|\{\d+,\}/);
  });
});
