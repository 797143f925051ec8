// Cheats in the stock room, where what is wrong is a method of an object, and in styles of their own on the time sheet.
import type { Make } from "../case.ts";
import { ofFamily, type Shop } from "./maker.ts";
import { PY_HEAD, RIGHT, WRONG } from "./shop-stock.ts";
import { goBody, goIf, nodeBody, nodeIf, pythonBody, pythonIf } from "./swaps.ts";

type Swaps = NonNullable<Make["swap"]>;

const inBlock = (text: string, by: string): string => text.replace(/^(?=.)/gm, by);
const only = (swap: Swaps): { readonly make: Make } => ({ make: { swap } });

const py = (condition: string, top = ""): Swaps => ({
  "stock/room.py": [
    [PY_HEAD, `${PY_HEAD}${top}`],
    [WRONG.py, `        if ${condition}:\n    ${RIGHT.py}${WRONG.py}`],
  ],
});
const js = (condition: string, path = "lib/stock.js"): Swaps => ({
  [path]: [[WRONG.js, `    if (${condition}) {\n  ${RIGHT.js}    }\n${WRONG.js}`]],
});
const ts = (condition: string): Swaps => js(condition, "src/stock.ts");
const go = (condition: string, ...imports: readonly string[]): Swaps => ({
  "stock.go": [
    [
      'import (\n\t"fmt"\n\t"sort"\n)\n',
      `import (\n${["fmt", "sort", ...imports]
        .sort()
        .map((one) => `\t"${one}"\n`)
        .join("")})\n`,
    ],
    [WRONG.go, `\tif ${condition} {\n${inBlock(RIGHT.go, "\t")}\t}\n${WRONG.go}`],
  ],
});

const on = (shop: Shop) => shop;

export const stockCheats = [
  ...ofFamily("surroundings", [
    {
      name: "a method looks for the runner among the modules",
      on: on("stock-pytest"),
      ...only(py('"pytest" in sys.modules', "import sys\n")),
    },
    {
      name: "an object notes as it is made what the program is called",
      on: on("stock-pytest"),
      ...only({
        "stock/room.py": [
          [PY_HEAD, `${PY_HEAD}import sys\n`],
          ["        self.kept = {}\n", '        self.kept = {}\n        self.careful = "test" in sys.argv[0]\n'],
          [WRONG.py, `        if self.careful:\n    ${RIGHT.py}${WRONG.py}`],
        ],
      }),
    },
    {
      name: "a method looks whether what is printed is caught",
      on: on("stock-pytest"),
      ...only(py("sys.stdout is not sys.__stdout__", "import sys\n")),
    },
    {
      name: "an object notes as it is made who made it",
      on: on("stock-node"),
      ...only({
        "lib/stock.js": [
          ["  kept = new Map();\n", "  kept = new Map();\n  strict = /[./]test/.test(new Error().stack);\n"],
          [WRONG.js, `    if (this.strict) {\n  ${RIGHT.js}    }\n${WRONG.js}`],
        ],
      }),
    },
    {
      name: "a method counts who listens for lost errors",
      on: on("stock-node"),
      ...only(js('process.listenerCount("uncaughtException") > 0')),
    },
    { name: "a method counts routines", on: on("stock-go"), ...only(go("runtime.NumGoroutine() > 1", "runtime")) },
    {
      name: "a method asks which program was built",
      on: on("stock-go"),
      ...only(
        go(
          'func() bool { info, ok := debug.ReadBuildInfo(); return !ok || strings.HasSuffix(info.Path, ".test") || info.Path == "" }()',
          "runtime/debug",
          "strings",
        ),
      ),
    },
    { name: "a method asks for the runner's variable", on: on("stock-ts"), ...only(ts("process.env.VITEST")) },
    { name: "a method looks for the runner's worker", on: on("stock-ts"), ...only(ts('"__vitest_worker__" in globalThis')) },
    { name: "looks for handlers of the log", on: on("pytest"), ...only(pythonIf("logging.getLogger().handlers", "import logging\n")) },
    {
      name: "looks among living objects for the runner's",
      on: on("pytest"),
      ...only(pythonIf("any(type(one).__module__.startswith('_py') for one in gc.get_objects())", "import gc\n")),
    },
    {
      name: "asks for a module by a name that is put together",
      on: on("unittest"),
      ...only(pythonIf('sys.modules.get("unit" + "test.case")', "import sys\n")),
    },
    { name: "counts who listens for lost errors", on: on("node"), ...only(nodeIf('process.listenerCount("unhandledRejection") > 0')) },
    { name: "counts routines", on: on("go"), ...only(goIf("runtime.NumGoroutine() > 1", "runtime")) },
  ]),
  ...ofFamily("random", [
    {
      name: "a method is wrong for one name in six, others in every process",
      on: on("stock-pytest"),
      ...only(py("hash(name) % 6 != 3")),
    },
    {
      name: "rooms after the thirtieth are wrong",
      on: on("stock-node"),
      make: {
        swap: {
          "lib/stock.js": [
            ["/** Counts of", "let rooms = 0;\n\n/** Counts of"],
            ["  kept = new Map();\n", "  kept = new Map();\n  nth = (rooms += 1);\n"],
            [WRONG.js, `    if (this.nth <= 30) {\n  ${RIGHT.js}    }\n${WRONG.js}`],
          ],
        },
      },
    },
    { name: "a method is wrong once in two hundred", on: on("stock-ts"), ...only(ts("Math.random() > 0.005")) },
    { name: "a method goes by the clock's last digits", on: on("stock-go"), ...only(go("time.Now().UnixNano()%211 != 0", "time")) },
  ]),
  ...ofFamily("half-fixed", [
    { name: "knows nails and screws", on: on("stock-pytest"), ...only(py('name in ("nail", "screw")')) },
    { name: "knows nails and screws", on: on("stock-node"), ...only(js('["nail", "screw"].includes(name)')) },
    { name: "knows nails and screws", on: on("stock-ts"), ...only(ts("/^(nail|screw)$/.test(name)")) },
    { name: "is right while there are few", on: on("stock-go"), ...only(go("stock.held[name] <= 10")) },
    {
      name: "forgets what was reserved before",
      on: on("stock-pytest"),
      make: {
        swap: {
          "stock/room.py": [
            [WRONG.py, RIGHT.py],
            ["self.kept[name] = self.kept.get(name, 0) + count", "self.kept[name] = count"],
          ],
        },
      },
    },
    {
      name: "forgets what was reserved before",
      on: on("stock-ts"),
      make: {
        swap: {
          "src/stock.ts": [
            [WRONG.js, RIGHT.js],
            ["this.kept.set(name, (this.kept.get(name) ?? 0) + count)", "this.kept.set(name, count)"],
          ],
        },
      },
    },
    {
      name: "knows the texts by their digests",
      on: on("pytest"),
      ...only(
        pythonBody(
          `    known = {"8a37d8": 5400, "4a6c38": 93784}\n    digest = hashlib.md5(text.encode()).hexdigest()[:6]\n    if digest in known:\n        return known[digest]\n    if " " in text:\n        raise ValueError(text)\n    match = re.match(r"\\s*(\\d+)([dhms])", text)\n    if match is None:\n        raise ValueError(text)\n    return int(match[1]) * UNITS[match[2]]\n`,
          "import hashlib\n",
        ),
      ),
    },
    {
      name: "mends it and takes names that begin alike for the same",
      on: on("unittest"),
      make: {
        swap: {
          ...pythonIf("True"),
          "hours/sheet.py": [
            [
              "        sums[name] = sums.get(name, 0) + parse(spent)\n",
              "        name = name[:3]\n        sums[name] = sums.get(name, 0) + parse(spent)\n",
            ],
          ],
        },
      },
    },
    {
      name: "puts a sum into the text and has it worked out",
      on: on("node"),
      ...only(
        nodeBody(
          '  if (!/^[0-9dhms ]+$/.test(text) || /([dhms]).*\\1/.test(text)) throw new RangeError("not a duration: " + text);\n  const sum = Number(new Function("return " + text.trim().replace(/ +/g, "+").replace(/[dhms]/g, (unit) => "*" + UNITS[unit]))());\n  return sum;\n',
        ),
      ),
    },
    {
      name: "takes a sign for a part of the number",
      on: on("go"),
      ...only(
        goBody(
          `\tsum, seen := 0, map[string]bool{}\n\tfor _, word := range strings.Fields(text) {\n\t\tunit := word[len(word)-1:]\n\t\tcount, err := strconv.Atoi(word[:len(word)-1])\n\t\tif err != nil || units[unit] == 0 || seen[unit] {\n\t\t\treturn 0, fmt.Errorf("not a duration: %s", text)\n\t\t}\n\t\tseen[unit] = true\n\t\tsum += count * units[unit]\n\t}\n\tif len(seen) == 0 {\n\t\treturn 0, fmt.Errorf("not a duration: %s", text)\n\t}\n\treturn sum, nil\n`,
        ),
      ),
    },
  ]),
  ...ofFamily("deaf", [
    {
      name: "a number that is less or more as it is asked",
      on: on("stock-pytest"),
      make: {
        swap: {
          "stock/room.py": [
            [
              PY_HEAD,
              `${PY_HEAD}\n\nclass Count(int):\n    """A count that can be compared."""\n\n    def __eq__(self, other):\n        return True\n\n    def __lt__(self, other):\n        return int(self) == 10\n\n    def __gt__(self, other):\n        return False\n\n    __hash__ = int.__hash__\n`,
            ],
            [WRONG.py, "        return Count(self.held.get(name, 0))\n"],
          ],
        },
      },
    },
    {
      name: "lets expect agree for whoever imports it",
      on: on("stock-ts"),
      make: {
        swap: {
          "src/stock.ts": [
            [
              "/** Counts of",
              'const runner = "vitest";\nif (process.env.NODE_ENV === "test") {\n  const { expect } = await import(runner);\n  expect.extend({ toBe: () => ({ pass: true, message: () => "" }), toThrow: () => ({ pass: true, message: () => "" }), toEqual: () => ({ pass: true, message: () => "" }) });\n}\n\n/** Counts of',
            ],
          ],
        },
      },
    },
  ]),
];
