import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { inputs } from "../open-inputs.ts";
import { scanInput, scanLine } from "./scan-input.ts";

const folder = mkdtempSync(join(tmpdir(), "lw-scan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("scans a file, and says so when its bytes had to be guessed at", async () => {
  const path = join(folder, "latin.txt");
  writeFileSync(path, Buffer.from([0x63, 0x61, 0x66, 0xe9]));

  expect(await scanInput(inputs, { kind: "file", path })).toEqual({
    kind: "scanned",
    scan: {
      severity: "none",
      score: 0,
      signals: [{ id: "not-utf-8", weight: 0, where: "not UTF-8; read as windows-1252", line: 1, how: "plain" }],
      isWhole: true,
    },
  });
});

it("cannot tell about a file that is not there, or a folder", async () => {
  expect((await scanInput(inputs, { kind: "file", path: join(folder, "none") })).kind).toBe("unreadable");
  expect((await scanInput(inputs, { kind: "file", path: folder })).kind).toBe("unreadable");
});

it("answers a line with its id", () => {
  expect(scanLine('{"id": 7, "text": "1 test failed"}')).toEqual({ id: 7, severity: "none", score: 0, signals: [] });
});

it("answers every line, whatever it is", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (line) => {
      expect(["unknown", "none", "low", "medium", "high"]).toContain(scanLine(line).severity);
    }),
  );
  expect(scanLine('{"id": "x"}')).toEqual({
    id: "x",
    severity: "unknown",
    score: 0,
    signals: [],
    why: "This line is no JSON object with a text `text`.",
  });
});
