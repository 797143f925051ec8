import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lssSamples, SOUND_LSS } from "../../../test/support/lss.ts";
import { anyLss } from "../../../test/support/lss-arbitrary.ts";
import { tries } from "../../../test/support/tries.ts";
import { inNotation } from "../notation.ts";
import type { LssDocument } from "./document.ts";
import { readLss } from "./read-lss.ts";
import { writeLss, writeLssMin } from "./write-lss.ts";

function documentOf(text: string): LssDocument {
  const reading = readLss("l.yaml", text);
  if (reading.kind !== "read" && reading.kind !== "broken") throw new Error(`not a document: ${JSON.stringify(reading)}`);
  return reading.document;
}

describe("writeLss", () => {
  it("writes documents of which the same is read again, in YAML and in JSON", () => {
    fc.assert(
      fc.property(anyLss, fc.constantFrom("yaml" as const, "json" as const), (document, notation) => {
        expect(documentOf(writeLss(document, "1.1", notation).text)).toEqual(document);
      }),
      { numRuns: process.env.LOOPWRIGHT_FUZZ === "long" ? 1000 : 15 },
    );
  });

  it("says that 1.0 has no room for a composition", () => {
    const document = documentOf(
      `${SOUND_LSS}composition: {type: sequential, children: [{id: a, ref: a.yaml}, {id: b, ref: b.yaml}], adapters: [{from: children.a.outputs.x, to: children.b.inputs.y}]}\n`,
    );

    const { text, lost } = writeLss(document, "1.0", "yaml");

    expect(lost.map(({ path }) => path)).toEqual([["composition"]]);
    expect(documentOf(text)).toEqual(documentOf(SOUND_LSS));
  });
});

describe("writeLssMin", () => {
  it("keeps what a prompt needs, is read again, and says what it left out", () => {
    const { text, lost } = writeLssMin(documentOf(SOUND_LSS));

    const reading = readLss("l.json", text);
    expect(reading.kind === "min" && `${JSON.stringify(reading.document, null, 2)}\n`).toBe(text);
    expect(lost.map(({ path }) => path.join("."))).toEqual([
      "version",
      "inputs",
      "memory",
      "feedback_channels",
      "metrics",
      "cost_limits",
      "workers.0.timeout_seconds",
      "workers.0.retries",
      "workers.0.cost_budget_usd",
      "workers.1.depends_on",
      "workers.1.tools",
      "workers.1.cost_budget_usd",
    ]);
  });

  it("is read again, whatever document it was cut from", () => {
    fc.assert(
      fc.property(anyLss, (document) => {
        expect(readLss("l.json", writeLssMin(document).text).kind).toBe("min");
      }),
      tries(5),
    );
  });
});

describe.runIf(lssSamples.length > 0)("the reference's own files, written and read again", () => {
  it.each(lssSamples)("say the same: $name", ({ name, text }) => {
    const reading = readLss(name, text);
    const again = readLss(
      name,
      "document" in reading && reading.kind !== "min" ? writeLss(reading.document, "1.1", "yaml").text : inNotation(reading.value, "yaml"),
    );

    expect([again.kind, again.form, again.value, again.counts]).toEqual([reading.kind, reading.form, reading.value, reading.counts]);
  });
});
