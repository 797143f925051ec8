// The first hour as a script: from a repository with a red test to a change that is proven, approved, merged and receipted, with no file written by hand.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { inPlace } from "../support/lw.ts";

interface Project {
  readonly name: string;
  readonly tool: string;
  readonly files: { readonly [path: string]: string };
  /** The file that is wrong, and what it should say. */
  readonly wrong: string;
  readonly right: string;
}

const PROJECTS: readonly Project[] = [
  {
    name: "JavaScript",
    tool: "node",
    files: {
      "package.json": '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
      "sum.js": "export const sum = (a, b) => a - b;\n",
      "sum.test.js":
        'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "./sum.js";\ntest("adds", () => assert.equal(sum(1, 2), 3));\ntest("adds nothing", () => assert.equal(sum(4, 0), 4));\n',
    },
    wrong: "sum.js",
    right: "export const sum = (a, b) => a + b;\n",
  },
  {
    name: "Python",
    tool: "python3",
    files: {
      "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n',
      "shop.py": "def total(a, b):\n    return a - b\n",
      "tests/__init__.py": "",
      "tests/test_shop.py":
        "import unittest\n\nfrom shop import total\n\n\nclass Totals(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(total(1, 2), 3)\n\n    def test_nothing(self):\n        self.assertEqual(total(4, 0), 4)\n",
    },
    wrong: "shop.py",
    right: "def total(a, b):\n    return a + b\n",
  },
  {
    name: "Go",
    tool: "go",
    files: {
      "go.mod": "module shop\n\ngo 1.19\n",
      "shop.go": "package shop\n\nfunc Total(a, b int) int {\n\treturn a - b\n}\n",
      "shop_test.go":
        'package shop\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif Total(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n\nfunc TestNothing(t *testing.T) {\n\tif Total(4, 0) != 4 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    },
    wrong: "shop.go",
    right: "package shop\n\nfunc Total(a, b int) int {\n\treturn a + b\n}\n",
  },
];

const isHere = (tool: string): boolean => {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${tool}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** An agent that needs no key: it says what agents say, and writes the right file. */
const agent = ({ wrong, right }: Project): string => `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.197 (Claude Code)"; exit 0; }
cat > /dev/null
echo '{"type":"system","subtype":"init","session_id":"s1"}'
cat > ${wrong} <<'END'
${right}END
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":5}}'
`;

it.each(PROJECTS.filter(({ tool }) => isHere(tool)))("comes in $name from nothing to a merged change with a receipt", (project) =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: project.files });
    place.writeProgram("bin/claude", agent(project));
    const around = { cwd: place.repo.dir, env: { PATH: `${place.dir}/bin:${process.env.PATH}`, USER: "ada" } };
    const loop = `fix-${basename(place.repo.dir)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")}`;

    const init = await place.lw(["init", "--yes", "--merge"], around);
    const run = await place.json(["run", loop], around);
    const approved = await place.lw(["approve", loop], around);
    const receipt = await place.lw(["receipt", "verify", loop], around);

    expect([init.exit, run.exit, approved.exit, receipt.exit], init.stderr + run.stderr + approved.stderr + receipt.stderr).toEqual([
      0, 0, 0, 0,
    ]);
    expect(place.repo.git("show", `main:${project.wrong}`)).toBe(project.right.trim());
    expect(readFileSync(join(place.repo.dir, project.wrong), "utf8")).toBe(project.right);
    expect(run.said.cost).toMatchObject({ usd: 0.01, basis: "reported" });
  }),
);
