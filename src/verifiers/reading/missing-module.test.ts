import { describe, expect, it } from "vitest";
import { isAskedFor, missingPackages } from "./missing-module.ts";

describe("missingPackages", () => {
  it.each([
    ["Error: Cannot find module 'lodash'\nRequire stack:", ["lodash"]],
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from /x/y.js", ["@a/b"]],
    ["Error: Cannot find module '@a/b/deep/file.js'", ["@a/b"]],
    ["Error: Cannot find module './total.js'", []],
    ["Error: Cannot find module '/tmp/x/total.js'", []],
    ['Failed to resolve import "vue/dist/x" from "src/a.ts"', ["vue"]],
    ["ModuleNotFoundError: No module named 'yaml.cyaml'", ["yaml"]],
    ["ImportError: No module named requests", ["requests"]],
    ["1 test failed: expected 1 to be 2", []],
  ])("finds in %j: %j", (text, expected) => {
    expect(missingPackages(text)).toEqual(expected);
  });
});

describe("isAskedFor", () => {
  it.each([
    ["lodash", "package.json", '{"name": "shop", "dependencies": {"lodash": "4"}}', true],
    ["lodash", "package.json", '{"name": "lodash", "dependencies": {"lodash-es": "4"}}', false],
    ["@a/b", "package.json", '{"devDependencies": {"@a/b": "1"}}', true],
    ["b", "package.json", '{"devDependencies": {"@a/b": "1"}}', false],
    ["flask_login", "requirements.txt", "Flask-Login==1.0\n", true],
    ["shop", "pyproject.toml", '[project]\nname = "shop"\ndependencies = ["requests>=2"]\n', false],
    ["requests", "pyproject.toml", '[project]\nname = "shop"\ndependencies = ["requests>=2"]\n', true],
    ["anything", "package.json", "", false],
  ])("%s in %s: %s", (name, path, text, expected) => {
    expect(isAskedFor(name, path, text)).toBe(expected);
  });
});
