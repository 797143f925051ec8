import { expect, it } from "vitest";
import { sarifOf } from "./sarif.ts";

it("writes what code-scanning pages read", () => {
  const tool = { name: "lw scan", version: "1.0.0", rules: [{ id: "a", description: "It is a." }] };

  expect(sarifOf(tool, [{ ruleId: "a", level: "error", message: "Here.", file: "docs/my file#1.md", line: 0 }])).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "lw scan", version: "1.0.0", rules: [{ id: "a", shortDescription: { text: "It is a." } }] } },
        results: [
          {
            ruleId: "a",
            ruleIndex: 0,
            level: "error",
            message: { text: "Here." },
            locations: [{ physicalLocation: { artifactLocation: { uri: "docs/my%20file%231.md" }, region: { startLine: 1 } } }],
          },
        ],
      },
    ],
  });
});
