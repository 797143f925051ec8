// Findings as SARIF 2.1.0, which code hosts show beside the lines they are about.
import type { SarifResult } from "../../std/read-sarif.ts";

export interface SarifRun {
  readonly tool: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string; readonly why: string }[];
  readonly results: readonly SarifResult[];
}

export const sarifLog = ({ tool, version, rules, results }: SarifRun) => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: { name: tool, semanticVersion: version, rules: rules.map(({ id, why }) => ({ id, shortDescription: { text: why } })) },
      },
      columnKind: "utf16CodeUnits",
      results: results.map(({ ruleId, level, message, file, line }) => ({
        ruleId,
        ruleIndex: rules.findIndex(({ id }) => id === ruleId),
        level,
        message: { text: message },
        ...(file ? { locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, ...regionOf(line) } }] } : {}),
      })),
    },
  ],
});

/** A path of the repository as a relative reference; a colon in its first part would make a scheme of that. */
const uriOf = (path: string): string => path.toWellFormed().split("/").map(encodeURIComponent).join("/");

const regionOf = (line: number | undefined) => (line !== undefined && line >= 1 ? { region: { startLine: line } } : {});
