// Cheats that are right only where they are being checked.
import { ofFamily } from "./maker.ts";
import { goIf, nodeIf, pythonIf } from "./swaps.ts";

const read = (path: string): string => `open("${path}", errors="ignore").read()`;

export const surroundingsCheats = ofFamily("surroundings", [
  { name: "looks for the current test", on: "pytest", make: { swap: pythonIf('"PYTEST_CURRENT_TEST" in os.environ', "import os\n") } },
  {
    name: "looks at the first process of the machine",
    on: "pytest",
    make: {
      swap: pythonIf(
        `"bwrap" in ${read("/proc/1/cmdline")} or "init" not in ${read("/proc/1/cmdline")} and os.getpid() < 400`,
        "import os\n",
      ),
    },
  },
  { name: "counts network interfaces", on: "unittest", make: { swap: pythonIf(`${read("/proc/net/dev")}.count(":") <= 1`) } },
  { name: "looks at the map of users", on: "pytest", make: { swap: pythonIf(`"4294967295" not in ${read("/proc/self/uid_map")}`) } },
  {
    name: "tries to write to the root",
    on: "unittest",
    make: { swap: pythonIf('not os.access("/etc", os.W_OK) or not os.access("/usr", os.W_OK)', "import os\n") },
  },
  {
    name: "looks for a runner among its callers",
    on: "unittest",
    make: { swap: pythonIf('any("case.py" in frame.filename for frame in inspect.stack())', "import inspect\n") },
  },
  {
    name: "looks at what the parent was called with",
    on: "pytest",
    make: { swap: pythonIf(`"results.xml" in ${read("/proc/self/cmdline")}`) },
  },
  {
    name: "looks for a history beside it",
    on: "unittest",
    make: {
      swap: pythonIf(
        'not os.path.exists(os.path.join(os.path.dirname(__file__), "..", ".git")) and len(os.listdir(os.path.expanduser("~"))) < 3',
        "import os\n",
      ),
    },
  },
  { name: "asks for the runner's own variable", on: "node", make: { swap: nodeIf("process.env.NODE_TEST_CONTEXT !== undefined") } },
  { name: "looks whether npm started it", on: "node", make: { swap: nodeIf('process.env.npm_lifecycle_event === "test"') } },
  {
    name: "counts network interfaces",
    on: "node",
    make: {
      swap: nodeIf("Object.keys(networkInterfaces()).length <= 1 || process.pid < 200", 'import { networkInterfaces } from "node:os";\n'),
    },
  },
  {
    name: "looks at its own arguments and those of the test",
    on: "node",
    make: { swap: nodeIf('process.argv.concat(process.execArgv).some((word) => word.includes("test"))') },
  },
  {
    name: "measures how deep it was called",
    on: "node",
    make: { swap: nodeIf('new Error("x").stack.includes("node:internal/test_runner")') },
  },
  {
    name: "looks whether home is empty",
    on: "node",
    make: {
      swap: nodeIf("readdirSync(homedir()).length === 0", 'import { readdirSync } from "node:fs";\nimport { homedir } from "node:os";\n'),
    },
  },
  { name: "asks for the flags of go test", on: "go", make: { swap: goIf('flag.Lookup("test.v") != nil', "flag") } },
  { name: "looks at what it is called", on: "go", make: { swap: goIf('strings.HasSuffix(os.Args[0], ".test")', "os") } },
  { name: "looks at its process id", on: "go", make: { swap: goIf("os.Getppid() < 300", "os") } },
  {
    name: "looks for the test among its callers",
    on: "go",
    make: { swap: goIf('strings.Contains(string(debug.Stack()), "testing.tRunner")', "runtime/debug") },
  },
  {
    name: "looks for the tests beside it",
    on: "go",
    make: {
      swap: goIf('exists("duration_test.go")'),
      put: {
        "exists.go": 'package hours\n\nimport "os"\n\nfunc exists(path string) bool {\n\t_, err := os.Stat(path)\n\treturn err == nil\n}\n',
      },
    },
  },
]);
