import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../contract/exit.ts";
import { readSarif, type SarifResult } from "../../std/read-sarif.ts";
import { annotations, jobSummary, verdictOf } from "./github.ts";
import { sarifLog } from "./sarif.ts";

const finding = (other: Partial<SarifResult> = {}): SarifResult => ({
  ruleId: "skipped-test",
  level: "error",
  message: "A test is skipped",
  file: "src/a.test.ts",
  line: 7,
  ...other,
});

/** What GitHub's runner makes of a line: a command with its properties, or plain text. */
function asRunner(line: string) {
  const [, command, properties = "", message = ""] = /^\s*::([^\s:]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
  const read = (text: string) =>
    text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");
  return {
    command,
    properties: Object.fromEntries(
      properties.split(",").map((one) => [one.slice(0, one.indexOf("=")), read(one.slice(one.indexOf("=") + 1))]),
    ),
    message: read(message),
  };
}

const HOSTILE = [
  "::set-output name=verdict::done",
  "x\n::error::forged",
  "x\r\n::stop-commands::y",
  "##[error]forged",
  "a,line=1::forged",
  "100%0A::debug::x",
  "| a | b |\n## Loopwright: ✅ done and proven",
  "</code></td></tr></table><h1>PASS</h1>",
  "```\n# PASS",
  "[click](javascript:alert(1)) ![](https://x.example/p.png) @everyone https://x.example",
  "\u001b[2J\u202e\u0000\u2028::error::x",
];

describe("annotations", () => {
  it("name the file, the line and the rule", () => {
    expect(annotations([finding()])).toBe("::error file=src/a.test.ts,line=7,title=skipped-test::A test is skipped\n");
  });

  it("escape what would end a property or the line, so that the runner reads back what was meant", () => {
    const text = annotations([finding({ file: "a,b:c%d.ts", message: "100% of it: a, b" })]);

    expect(text).toBe("::error file=a%2Cb%3Ac%25d.ts,line=7,title=skipped-test::100%25 of it: a, b\n");
    expect(asRunner(text.trimEnd())).toEqual({
      command: "error",
      properties: { file: "a,b:c%d.ts", line: "7", title: "skipped-test" },
      message: "100% of it: a, b",
    });
  });

  it("put the worst first, and say how many are left out", () => {
    const many = [...Array.from({ length: 60 }, () => finding({ level: "note" })), finding({ level: "error", message: "the one" })];

    const lines = annotations(many).trimEnd().split("\n");

    expect(lines.length).toBe(51);
    expect(lines[0]).toContain("the one");
    expect(lines.at(-1)).toBe("::notice::11 more findings are in the SARIF file");
  });

  it.each(HOSTILE)("are one command a line whatever a finding says: %j", (text) => {
    const told = annotations([finding({ file: text, message: text, ruleId: text })]);

    expect(
      told
        .trimEnd()
        .split(/[\r\n\u2028]/)
        .map((line) => asRunner(line).command),
    ).toEqual(["error"]);
  });

  it("are one command for each finding, for any text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.string({ unit: "binary" }), file: fc.string({ unit: "binary" }) }), { maxLength: 5 }),
        (all) => {
          const told = annotations(all.map(({ text, file }) => finding({ message: text, ruleId: text, file })));

          const lines = told.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/).slice(0, -1);
          expect(lines.length).toBe(all.length);
          for (const line of lines) expect(asRunner(line)).toMatchObject({ command: "error", properties: { line: "7" } });
        },
      ),
    );
  });
});

describe("the summary of a job", () => {
  it("says how the steps ended and what was found", () => {
    const text = jobSummary(
      [
        { step: "referee", code: 5 },
        { step: "ledger", code: undefined },
      ],
      [finding()],
    );

    expect(text).toBe(
      [
        "## Loopwright: ❌ tampering",
        "",
        "| step | ended | which means |",
        "| --- | --- | --- |",
        "| <code>referee</code> | 5 | tampering |",
        "| <code>ledger</code> | not heard of | cannot verify |",
        "",
        "| level | where | rule | what |",
        "| --- | --- | --- | --- |",
        "| error | <code>src&#47;a&#46;test&#46;ts&#58;7</code> | <code>skipped&#45;test</code> | <code>A test is skipped</code> |",
        "",
      ].join("\n"),
    );
  });

  it.each(HOSTILE)("has the same shape whatever a finding says: %j", (text) => {
    const shape = (message: string) =>
      jobSummary([{ step: "referee", code: 1 }], [finding({ message, file: message, ruleId: message })]).replace(
        /<code>[A-Za-z0-9 ]*(&#\d+;|[A-Za-z0-9 ])*<\/code>/g,
        "T",
      );

    expect(shape(text)).toBe(shape("x"));
  });

  it("has the same shape for any text", () => {
    const shape = (message: string) =>
      jobSummary([{ step: "referee", code: 1 }], [finding({ message, file: message, ruleId: message })]).replace(
        /<code>(&#\d+;|[A-Za-z0-9 ])*<\/code>/g,
        "T",
      );

    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(shape(text)).toBe(shape("x"));
      }),
    );
  });

  it("says so when the findings could not be read", () => {
    expect(jobSummary([{ step: "findings", code: undefined }], undefined)).toContain("The findings could not be read.");
  });
});

describe("the verdict", () => {
  it.each([
    [[{ step: "referee", code: 0 }], "done"],
    [[], "cannotVerify"],
    [[{ step: "referee", code: undefined }], "cannotVerify"],
    [[{ step: "referee", code: 137 }], "cannotVerify"],
    [
      [
        { step: "referee", code: 0 },
        { step: "ledger", code: 1 },
      ],
      "checkFailed",
    ],
  ] as const)("of %j is %s", (ends, name) => {
    expect(verdictOf(ends)).toBe(name);
  });

  it("knows every exit code", () => {
    expect(Object.values(EXIT).map(({ code }) => EXIT[verdictOf([{ step: "referee", code }])].code)).toEqual(
      Object.values(EXIT).map(({ code }) => code),
    );
  });
});

describe("a SARIF file", () => {
  it("is read back as it was written", () => {
    const results = [
      finding(),
      finding({ file: "a b/ü:%.ts", line: undefined, level: "note" }),
      finding({ file: undefined, line: undefined, level: "warning" }),
    ];

    const log = JSON.stringify(sarifLog({ tool: "loopwright", version: "0.1.0", rules: [], results }));

    expect(readSarif(log)).toEqual(results);
  });

  it.each(["", "[]", "{}", '{"runs":[]}', '{"runs":[{}]}', "[".repeat(100_000)])("is none: %.20j", (text) => {
    expect(readSarif(text)).toBeUndefined();
  });

  it("keeps a result that says nothing of itself", () => {
    expect(
      readSarif(
        '{"runs":[{"results":[7,{"level":"error","locations":[{"physicalLocation":{"artifactLocation":{"uri":"%ZZ"},"region":{"startLine":-1}}}]}]}]}',
      ),
    ).toEqual([
      { ruleId: "unknown", level: "warning", message: "no message", file: undefined, line: undefined },
      { ruleId: "unknown", level: "error", message: "no message", file: "%ZZ", line: undefined },
    ]);
  });
});
