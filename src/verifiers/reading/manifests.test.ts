import { describe, expect, it } from "vitest";
import { yardsticksOf } from "../../../test/support/yardstick.ts";
import { dependenciesIn, isLicenceFile, licencesIn } from "./manifests.ts";

describe("dependencies", () => {
  it.each([
    ["package.json", '{"name":"a","dependencies":{"x":"1"}}', '{"name":"b","scripts":{"t":"x"},"dependencies":{"x":"1"}}'],
    [
      "a/pyproject.toml",
      '[project]\nname = "a"\ndependencies = [\n  "x",\n]\nversion = "1"\n',
      '[project]\nname = "b"\ndependencies = [\n  "x", # yes\n]\nversion = "2"\n[tool.ruff]\nline-length = 9\n',
    ],
    ["requirements-dev.txt", "x==1\n", "# why\nx==1  # that\n\n"],
    [
      "Cargo.toml",
      '[package]\nversion = "1"\n[dependencies]\nx = "1"\n',
      '[package]\nversion = "2"\n[dependencies]\nx = "1"\n[features]\na = []\n',
    ],
    ["go.mod", "module a\n\nrequire x v1\n", "module b\n\n// why\nrequire x v1\n"],
    [
      "pom.xml",
      "<project><version>1</version><dependencies><a/></dependencies></project>",
      "<project><version>2</version><dependencies>\n<a/></dependencies></project>".replace("\n", ""),
    ],
  ])("of %s stay the same when other things change", (path, before, after) => {
    expect(dependenciesIn(path, after)).toBe(dependenciesIn(path, before));
  });

  it.each([
    ["package.json", '{"dependencies":{"x":"1"}}', '{"dependencies":{"x":"2"}}'],
    ["package.json", "{}", '{"overrides":{"x":"2"}}'],
    ["package.json", "{}", "{nonsense"],
    ["package-lock.json", "{}", "{ }"],
    ["pyproject.toml", '[project]\ndependencies = [\n  "x",\n]\n', '[project]\ndependencies = [\n  "x",\n  "y",\n]\n'],
    ["pyproject.toml", "", '[tool.poetry.group.dev.dependencies]\nx = "1"\n'],
    ["pyproject.toml", "", '[build-system]\nrequires = ["evil"]\n'],
    ["requirements.txt", "x==1\n", "x==2\n"],
    ["Cargo.toml", "[dependencies]\n", '[dependencies]\nx = "1"\n'],
    ["Cargo.toml", "", '[target."cfg(unix)".dependencies]\nx = "1"\n'],
    ["go.mod", "module a\n", "module a\nreplace x => ../x\n"],
    ["pom.xml", "<dependencies></dependencies>", "<dependencies><dependency>x</dependency></dependencies>"],
    ["Gemfile", "gem 'a'\n", "gem 'a'\ngem 'b'\n"],
    ["composer.json", "{}", '{"require":{"x":"1"}}'],
  ])("of %s are seen to change from %j to %j", (path, before, after) => {
    expect(dependenciesIn(path, after)).not.toBe(dependenciesIn(path, before));
  });

  it("are none in other files", () => {
    expect([
      dependenciesIn("src/a.ts", "x"),
      dependenciesIn("constructor", "x"),
      dependenciesIn("package.json", '{"dependencies":{}}'),
    ]).toEqual([undefined, undefined, ""]);
  });
});

describe("licences", () => {
  it("are read from manifests and from SPDX marks", () => {
    expect(licencesIn("package.json", '{"license":"MIT","name":"a"}')).toBe('{"license":"MIT"}');
    expect(licencesIn("Cargo.toml", '[package]\nname = "a"\nlicense = "MIT"\n')).toBe('license = "MIT"');
    expect(licencesIn("pyproject.toml", '[project]\nlicense = {text = "MIT"}\nname = "a"\n')).toBe('license = {text = "MIT"}');
    expect(licencesIn("a.c", "/* SPDX-License-Identifier: MIT */\n")).toBe("MIT");
    expect(licencesIn("a.c", "int main;\n")).toBe("");
  });

  it.each([
    ["LICENSE", true],
    ["a/LICENCE.md", true],
    ["COPYING", true],
    ["NOTICE.txt", true],
    ["LICENSES/MIT.txt", true],
    ["LICENSE-APACHE", true],
    ["src/license.ts", false],
    ["src/licensing.ts", false],
    ["noticeboard.md", false],
  ])("has %s as a text of its own: %s", (path, is) => {
    expect(isLicenceFile(path)).toBe(is);
  });
});

it.each(["<dependencies>", "<!--", "[\n", "dependencies = [\n", "#", "SPDX-License-Identifier:", " "])(
  "takes no long time over a text full of %j",
  (piece) => {
    const text = piece.repeat(Math.floor((512 * 1024) / piece.length));
    const readAll = (): void => {
      for (const path of ["pom.xml", "pyproject.toml", "Cargo.toml", "go.mod", "Gemfile", "package.json"]) {
        dependenciesIn(path, text);
        licencesIn(path, text);
      }
    };

    expect(yardsticksOf(readAll, 500)).toBeLessThan(500);
  },
);
