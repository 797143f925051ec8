import { expect, it } from "vitest";
import { readerOf } from "./setting-entries.ts";

const read = (path: string, text: string): readonly string[] =>
  readerOf(path)!(text.split("\n").map((line, index) => ({ text: line, line: index + 1, isChanged: true }))).map(
    ({ path: trail, value, isItem }) => `${trail}${isItem ? "[]" : ""} = ${value}`,
  );

it.each([
  [
    "nested JSON",
    "package.json",
    '{\n  "scripts": { "test": "a && b", "x": 1 },\n  "files": ["a", "b"]\n}',
    ["scripts.test = a && b", "scripts.x = 1", "files[] = a", "files[] = b"],
  ],
  ["a fragment of JSON that closes what it did not open", "package.json", '    "test": "a"\n  },\n  "main": "b"', ["test = a", "main = b"]],
  ["JSON with escaped quotes", "package.json", '{ "test": "node -e \\"0\\"" }', ['test = node -e \\"0\\"']],
  [
    "a script's settings",
    "vitest.config.ts",
    "export default defineConfig({\n  test: { exclude: ['a', ...b] }, // c\n});",
    ["export default defineConfig.test.exclude[] = a", "export default defineConfig.test.exclude[] = ...b"],
  ],
  [
    "Groovy",
    "build.gradle",
    "test {\n  ignoreFailures = true\n  exclude '**/A*'\n  onlyIf { false }\n}",
    ["test.ignoreFailures = true", "test.exclude[] = **/A*", "test.onlyIf = false"],
  ],
  [
    "TOML with a list over lines",
    "pyproject.toml",
    "[tool.a]\nb = [\n  'c', # d\n  'e',\n]\nf = 1",
    ["tool.a.b[] = c", "tool.a.b[] = e", "tool.a.f = 1"],
  ],
  [
    "INI with a value over lines",
    "setup.cfg",
    "[tool:pytest]\naddopts =\n    -ra\n    --ignore=a\ntestpaths = tests",
    ["tool.pytest.addopts[] = -ra", "tool.pytest.addopts[] = --ignore=a", "tool.pytest.testpaths = tests"],
  ],
  ["YAML", "codecov.yml", "a:\n  b: 1\n  c:\n  - d\n  - e\nf: [g, h]", ["a.b = 1", "a.c[] = d", "a.c[] = e", "f[] = g", "f[] = h"]],
  [
    "XML, with Maven's plugins by their names",
    "pom.xml",
    "<plugin>\n<artifactId>surefire</artifactId>\n<skip>true</skip>\n</plugin>",
    ["surefire.artifactId = surefire", "surefire.skip = true"],
  ],
] as const)("reads %s", (_name, path, text, expected) => {
  expect(read(path, text)).toEqual(expected);
});

it("has no reader for files that are no lists of names and values", () => {
  expect(readerOf("src/main.go")).toBeUndefined();
});
