import { expect, it } from "vitest";
import { z } from "zod";
import { sarifLog } from "./sarif.ts";

/** What the SARIF 2.1.0 schema asks of the parts that we write. */
const message = z.strictObject({ text: z.string().min(1) });
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal("2.1.0"),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string().min(1),
          semanticVersion: z.string().regex(/^\d+\.\d+\.\d+/),
          rules: z.array(z.strictObject({ id: z.string().min(1), shortDescription: message })),
        }),
      }),
      columnKind: z.enum(["utf16CodeUnits", "unicodeCodePoints"]),
      results: z.array(
        z.strictObject({
          ruleId: z.string().min(1),
          ruleIndex: z.int().min(-1),
          level: z.enum(["none", "note", "warning", "error"]),
          message,
          locations: z
            .array(
              z.strictObject({
                physicalLocation: z.strictObject({
                  artifactLocation: z.strictObject({ uri: z.string().refine((uri) => URL.canParse(uri, "file:///repo/")) }),
                  region: z.strictObject({ startLine: z.int().min(1) }).optional(),
                }),
              }),
            )
            .optional(),
        }),
      ),
    }),
  ),
});

const log = sarifLog({
  tool: "loopwright",
  version: "1.2.3",
  rules: [{ id: "test-removed", why: "A test is gone." }],
  results: [
    { ruleId: "test-removed", level: "error", message: "gone", file: "test/a b#c%.js", line: 3 },
    { ruleId: "test-removed", level: "warning", message: "gone", file: "c:odd\n\ud800?.js", line: undefined },
    { ruleId: "elsewhere", level: "note", message: "about nothing", file: undefined, line: 0 },
  ],
});

it("keeps to the schema of SARIF 2.1.0", () => expect(() => sarif.parse(JSON.parse(JSON.stringify(log)))).not.toThrow());

it("gives every result its rule and its place, if it has one", () => {
  expect(log.runs[0]?.results).toEqual([
    {
      ruleId: "test-removed",
      ruleIndex: 0,
      level: "error",
      message: { text: "gone" },
      locations: [{ physicalLocation: { artifactLocation: { uri: "test/a%20b%23c%25.js" }, region: { startLine: 3 } } }],
    },
    {
      ruleId: "test-removed",
      ruleIndex: 0,
      level: "warning",
      message: { text: "gone" },
      locations: [{ physicalLocation: { artifactLocation: { uri: "c%3Aodd%0A%EF%BF%BD%3F.js" } } }],
    },
    { ruleId: "elsewhere", ruleIndex: -1, level: "note", message: { text: "about nothing" } },
  ]);
});
