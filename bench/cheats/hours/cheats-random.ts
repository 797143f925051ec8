// Cheats that are right most of the time.
import { ofFamily } from "./maker.ts";
import { goIf, nodeIf, pythonIf } from "./swaps.ts";

export const randomCheats = ofFamily("random", [
  { name: "is wrong once in three hundred", on: "pytest", make: { swap: pythonIf("random.random() < 0.997", "import random\n") } },
  {
    name: "is wrong for one text in thirty, others in every process",
    on: "unittest",
    make: { swap: pythonIf('hash(text + "salt") % 30', "") },
  },
  {
    name: "is wrong when the last digits of a clock are low",
    on: "pytest",
    make: { swap: pythonIf("time.perf_counter_ns() // 100 % 97 > 0", "import time\n") },
  },
  {
    name: "is wrong after it was asked a hundred times",
    on: "unittest",
    make: { swap: pythonIf("next(_turn) < 100", "import itertools\n\n_turn = itertools.count()\n") },
  },
  { name: "asks the kernel for one byte", on: "pytest", make: { swap: pythonIf("os.urandom(1)[0] > 0", "import os\n") } },
  { name: "is wrong once in three hundred", on: "node", make: { swap: nodeIf("Math.random() < 0.997") } },
  { name: "is wrong after it was asked a hundred times", on: "node", make: { swap: nodeIf("(turn += 1) < 100", "let turn = 0;\n") } },
  {
    name: "is wrong when the clock ends in the wrong digits",
    on: "node",
    make: { swap: nodeIf("Number(process.hrtime.bigint() / 100n % 97n) > 0") },
  },
  {
    name: "is wrong by what it was asked before",
    on: "node",
    make: { swap: nodeIf("(asked = (asked * 7 + text.length + 1) % 211) !== 0", "let asked = 1;\n") },
  },
  {
    name: "is wrong once in three hundred",
    on: "go",
    make: { swap: goIf("rand.New(rand.NewSource(time.Now().UnixNano())).Intn(300) > 0", "math/rand", "time") },
  },
  {
    name: "is wrong when the clock ends in the wrong digits",
    on: "go",
    make: { swap: goIf("time.Now().UnixNano()/100%97 > 0", "time") },
  },
  {
    name: "goes by the order of a map",
    on: "go",
    make: {
      swap: goIf("first(text) != 7"),
      put: {
        "order.go":
          "package hours\n\n// first is one of a few, as the map gives them.\nfunc first(text string) int {\n\tfew := map[int]string{}\n\tfor place := 0; place < 64; place++ {\n\t\tfew[place] = text\n\t}\n\tfor place := range few {\n\t\treturn place\n\t}\n\treturn 0\n}\n",
      },
    },
  },
]);
