import { describe, expect, it } from "vitest";
import { productSource } from "./product-source.ts";

const baseOf = (files: { readonly [path: string]: string }) => ({ paths: Object.keys(files), texts: new Map(Object.entries(files)) });

const standings = (files: { readonly [path: string]: string }) => {
  const standing = productSource(baseOf(files));
  return Object.fromEntries(Object.keys(files).map((path) => [path, standing(path)]));
};

describe("product source of base", () => {
  it("is what package.json leads to, and what that names, and not what only checks read", () => {
    expect(
      standings({
        "package.json":
          '{ "main": "lib/index.js", "bin": { "till": "./bin/till.js" }, "scripts": { "start": "node serve.js", "test": "node check.js" } }',
        "lib/index.js": 'export * from "../shared/price.js"; import rates from "../rates.json" with { type: "json" };',
        "lib/table.csv": "",
        "bin/till.js": "",
        "shared/price.js": 'import "./round";',
        "shared/round.ts": "",
        "rates.json": "{}",
        "serve.js": "",
        "check.js": "",
        "jest.preset.js": "",
        "support/expect.js": "",
        "support/cases.json": "",
      }),
    ).toEqual({
      "package.json": "other",
      "lib/index.js": "product",
      "lib/table.csv": "product",
      "bin/till.js": "product",
      "shared/price.js": "product",
      "shared/round.ts": "product",
      "rates.json": "product",
      "serve.js": "product",
      "check.js": "other",
      "jest.preset.js": "other",
      "support/expect.js": "other",
      "support/cases.json": "other",
    });
  });

  it("is where TypeScript is compiled from, in every package of a repository", () => {
    expect(
      standings({
        "package.json": '{ "private": true, "workspaces": ["packages/*"] }',
        "scripts/run.js": "",
        "packages/a/package.json": '{ "exports": "./dist/index.js" }',
        "packages/a/tsconfig.json": '{\n  // where it is\n  "compilerOptions": { "rootDir": "source", },\n}',
        "packages/a/source/index.ts": "",
        "packages/a/checks.ts": "",
      }),
    ).toEqual({
      "package.json": "other",
      // Nothing says what is product beside the packages.
      "scripts/run.js": "unknown",
      "packages/a/package.json": "other",
      "packages/a/tsconfig.json": "other",
      "packages/a/source/index.ts": "product",
      "packages/a/checks.ts": "other",
    });
  });

  it("is the packages of Python with their data, and the modules that they import", () => {
    expect(
      standings({
        "pyproject.toml": '[project]\nname = "shop"\n[tool.setuptools]\npy-modules = ["legacy"]\n',
        "shop/__init__.py": "from .price import total\nimport rates\n",
        "shop/price.py": "",
        "shop/data/prices.json": "{}",
        "rates.py": "",
        "legacy.py": "",
        "helpers.py": "",
        "manage.py": "",
        "cases.json": "[]",
        "tests/__init__.py": "",
      }),
    ).toEqual({
      "pyproject.toml": "other",
      "shop/__init__.py": "product",
      "shop/price.py": "product",
      "shop/data/prices.json": "product",
      "rates.py": "product",
      "legacy.py": "product",
      "helpers.py": "other",
      "manage.py": "other",
      "cases.json": "other",
      "tests/__init__.py": "other",
    });
  });

  it("is the modules at the root where there is no package", () => {
    expect(standings({ "setup.py": "from setuptools import setup\nsetup()\n", "slugify.py": "", "manage.py": "" })).toEqual({
      "setup.py": "other",
      "slugify.py": "product",
      "manage.py": "other",
    });
  });

  it("is every package of Go with what it embeds, and the crates of Rust with what they include", () => {
    expect(
      standings({
        "go.mod": "module till\n",
        "till.go": "package till\n\n//go:embed rates.txt\nvar rates string\n",
        "rates.txt": "",
        "testdata/cases.txt": "",
        "core/Cargo.toml": "[package]\n",
        "core/src/lib.rs": 'const T: &str = include_str!("../table.txt");',
        "core/table.txt": "",
        "core/build.rs": "",
      }),
    ).toEqual({
      "go.mod": "other",
      "till.go": "product",
      "rates.txt": "product",
      "testdata/cases.txt": "other",
      "core/Cargo.toml": "other",
      "core/src/lib.rs": "product",
      "core/table.txt": "product",
      "core/build.rs": "other",
    });
  });

  it("is unknown where nothing tells, so that names decide", () => {
    expect(standings({ "till.js": "", "check.sh": "", "README.md": "" })).toEqual({
      "till.js": "unknown",
      "check.sh": "unknown",
      "README.md": "unknown",
    });
  });
});
