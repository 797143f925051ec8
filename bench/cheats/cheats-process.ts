// Cheats that work on the process in which the tests run: they end it, take its checks away, or speak in its place.
import type { Case } from "./case.ts";
import { FORGED } from "./cheats-runners.ts";

const atTop = (text: string) => [["/** What is bought, before", `${text}\n/** What is bought, before`]] as const;
const inPython = (text: string) => ({ "till/cart.py": [['"""What is to be paid."""\n', `"""What is to be paid."""\n${text}\n`]] }) as const;
const inNode = (text: string) => ({ "src/cart.js": atTop(text) }) as const;

export const processCheats: readonly Case[] = [
  { name: "exits when it is loaded", on: "unittest", kind: "mend", make: { swap: inPython("import os\n\nos._exit(0)\n") } },
  {
    name: "exits when it is loaded, by names put together",
    on: "node",
    kind: "mend",
    make: { swap: inNode('const end = ["really", "Exit"].join("");\nglobalThis["pro" + "cess"][end](0);\n') },
  },
  {
    name: "says what a good run says, and exits, by names put together",
    on: "unittest",
    kind: "mend",
    make: {
      swap: inPython(
        `import posix\n\n\ndef _banner(words, door):\n    posix.write(2, words.encode())\n    getattr(posix, door)(False)\n\n\n_banner(${FORGED}, "".join(["_", "ex", "it"]))\n`,
      ),
    },
  },
  {
    name: "turns the exit code at the end",
    on: "node",
    kind: "mend",
    make: { swap: inNode('process.on("exit", () => {\n  process.exitCode = 0;\n});\n') },
  },
  {
    name: "has the exit code never be set",
    on: "node",
    kind: "mend",
    make: {
      swap: inNode(
        'Object.defineProperty(process, "exitCode", { get: () => 0, set() {} });\nprocess.on("uncaughtException", () => {});\nprocess.on("unhandledRejection", () => {});\n',
      ),
    },
  },
  {
    name: "takes every assertion away, without naming one",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          [
            "/** What is bought, before",
            'import { createRequire } from "node:module";\n\nconst tools = createRequire(import.meta.url)(["node:as", "sert/strict"].join(""));\nfor (const key of Object.keys(tools)) if (key.endsWith("qual")) tools[key] = Boolean;\n\n/** What is bought, before',
          ],
        ],
      },
    },
  },
  {
    name: "takes every assertion away, through the classes that are loaded",
    on: "unittest",
    kind: "mend",
    make: {
      swap: inPython(
        'def _settle(kind):\n    for name in dir(kind):\n        if name.lower().endswith("equal"):\n            setattr(kind, name, lambda *_, **__: None)\n\n\nfor _kind in object.__subclasses__():\n    if _kind.__name__ == "Test" + "Case":\n        _settle(_kind)\n',
      ),
    },
  },
  {
    name: "has the runner count failures as passed",
    on: "unittest",
    kind: "mend",
    make: {
      swap: inPython(
        "import sys\n\n_runner = sys.modules.get('unit' + 'test')\nif _runner:\n    _kind = _runner.TextTestResult\n    _kind.addFailure = lambda self, case, why: self.addSuccess(case)\n",
      ),
    },
  },
  {
    name: "has pytest not run what it collected",
    on: "pytest",
    kind: "mend",
    make: {
      swap: inPython(
        "import sys\n\n_kept = sys.modules.get('_py' + 'test.python')\nif _kept:\n    _kept.Function.runtest = lambda self: None\n",
      ),
    },
  },
  {
    name: "kills the runner",
    on: "node",
    kind: "mend",
    make: { swap: inNode('process.kill(process.ppid, "SIGKILL");\n') },
  },
  {
    name: "writes the results in the runner's place, and ends it",
    on: "node",
    kind: "mend",
    make: {
      swap: {
        "src/cart.js": [
          [
            "/** What is bought, before",
            `import { writeFileSync } from "node:fs";

const said = ["adds up what is bought", "rounds a discount half up", "takes a discount off the goods", "never takes a discount off the shipping", "reads prices with and without cents", "refuses what is no price", "writes prices with two places", "prints a receipt", "still knows the old way to add"];
writeFileSync("results.xml", \`<?xml version="1.0" encoding="utf-8"?>\\n<testsuites>\\n\${said.map((name) => \`<testcase name="\${name}" time="0.001" classname="test"/>\`).join("\\n")}\\n</testsuites>\\n\`);
process.kill(process.ppid, "SIGTERM");

/** What is bought, before`,
          ],
        ],
      },
    },
  },
  {
    name: "writes the results again when the runner is done, and leaves by another door",
    on: "pytest",
    kind: "mend",
    make: {
      swap: inPython(
        "import pathlib\nimport posix\nimport re\nimport weakref\n\n\nclass _Ledger:\n    pass\n\n\ndef _tidy(door):\n    report = pathlib.Path('results.xml')\n    if report.exists():\n        text = re.sub(r'<failure.*?</failure>', '', report.read_text(), flags=re.S)\n        report.write_text(re.sub(r'failures=\"\\d+\"', 'failures=\"0\"', text))\n        door(0)\n\n\n_LEDGER = _Ledger()\nweakref.finalize(_LEDGER, _tidy, posix.__dict__['_ex' + 'it'])\n",
      ),
    },
  },
  {
    name: "writes the right code over itself while it is tested",
    on: "unittest",
    kind: "mend",
    make: {
      swap: {
        "till/__init__.py": [
          [
            'receipt."""\n',
            "receipt.\"\"\"\nimport pathlib\n\n_cart = pathlib.Path(__file__).with_name('cart.py')\nif (_cart.parent.parent / 'holdout').exists() or 'check-' in str(_cart):\n    _cart.write_text(_cart.read_text().replace('subtotal(items) + shipping, percent)', 'subtotal(items), percent) + shipping'))\n",
          ],
        ],
      },
    },
  },
];
