// Findings of any scanner as SARIF 2.1.0, the form that code-scanning pages read.

export interface SarifTool {
  readonly name: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string; readonly description: string }[];
}

export interface SarifResult {
  readonly ruleId: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  /** A path as the user gave it, or where the text came from. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export const sarifOf = ({ name, version, rules }: SarifTool, results: readonly SarifResult[]): object => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: { name, version, rules: rules.map(({ id, description }) => ({ id, shortDescription: { text: description } })) },
      },
      results: results.map(({ ruleId, level, message, file, line }) => ({
        ruleId,
        ruleIndex: rules.findIndex(({ id }) => id === ruleId),
        level,
        message: { text: message },
        locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: Math.max(1, line) } } }],
      })),
    },
  ],
});

const uriOf = (file: string): string => encodeURI(file.replaceAll("\\", "/").toWellFormed()).replaceAll("#", "%23").replaceAll("?", "%3F");
