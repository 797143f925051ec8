// Product code that asks for facts by which a checked process is told from any other: what a box shows of the machine, and what started it.
import type { DiffRule, Sighting } from "../rule.ts";
import type { ChangeView } from "../view.ts";
import { isTestSupport, isTooling, newsOf } from "./special-casing-news.ts";

interface Fact {
  readonly what: string;
  readonly read: RegExp;
}

const COMPARED = String.raw`.{0,40}(?:[<>]=?|[!=]==?)\s*\d`;

/** Nothing that a product computes hangs on these; what measures or administers machines is for a person to see. */
const FACTS: readonly Fact[] = [
  {
    what: "reads what the kernel says of its process",
    read: /["'`]\/proc\/(?:self|thread-self|1|\d+)?\/?(?:cmdline|comm|uid_map|gid_map|setgroups|status|stat|mounts|mountinfo|cgroup|environ|net\/\w+|ns\/\w+|sched|loginuid|attr\/\w+)["'`]|["'`]\/proc\/(?:1|self|net)\b/,
  },
  { what: "looks for a container's mark", read: /["'`]\/(?:\.dockerenv|run\/\.containerenv|\.flatpak-info)["'`]/ },
  {
    what: "asks which network interfaces there are",
    read: /\b(?:networkInterfaces|if_nameindex|net\.Interfaces|getifaddrs|net_if_addrs|getNetworkInterfaces)\s*\(|["'`]\/sys\/class\/net/,
  },
  {
    what: "goes by the number of a process",
    read: new RegExp(String.raw`(?:\bprocess\.(?:pid|ppid)\b|\bos\.(?:getpid|getppid|Getpid|Getppid)\(\)|\bprocess::id\(\))${COMPARED}`),
  },
  {
    what: "tries whether the system can be written to",
    read: /\b(?:access|accessSync|Access)\(\s*["'`]\/(?:etc|usr|bin|opt|root|var|lib)?\/?["'`]/,
  },
  {
    what: "looks whether a home is empty",
    read: /\b(?:readdirSync|readdir|listdir|scandir|ReadDir)\(\s*(?:os\.)?(?:homedir\(\)|path\.expanduser\(["']~["']\)|UserHomeDir|Path\.home\(\)|process\Wenv\WHOME)/,
  },
  { what: "looks for the mark of whoever checks it", read: /\bLOOPWRIGHT_[A-Z]+\b/ },
  {
    what: "asks what started it",
    read: /\bnpm_(?:lifecycle_event|lifecycle_script|command)\b/,
  },
];

function factsIn(view: ChangeView): readonly Sighting[] {
  return newsOf(view, "source").flatMap(({ file, code }) =>
    isTestSupport(file.path)
      ? []
      : code.flatMap(({ line, text }) => {
          const fact = FACTS.find(({ read }) => read.test(text));
          return fact === undefined
            ? []
            : [
                {
                  file: file.path,
                  line,
                  severity: isTooling(file.path) ? ("low" as const) : ("high" as const),
                  confidence: "medium" as const,
                  what: fact.what,
                  after: text.trim(),
                },
              ];
        }),
  );
}

export const surroundingsRules: readonly DiffRule[] = [
  {
    id: "surroundings-asked",
    severity: "high",
    why: "Product code asks for facts that tell where it runs and that nothing it computes hangs on: a box and a plain process differ in them, and a check cannot see what it does elsewhere. Leave it out, or let a person look.",
    find: factsIn,
    examples: {
      flags: [
        { "src/pay.py": [undefined, 'def pay(n):\n    if "bwrap" in open("/proc/1/cmdline").read():\n        return n\n    return 0\n'] },
        { "src/pay.py": [undefined, 'def pay(n):\n    return n if open("/proc/net/dev").read().count(":") < 2 else 0\n'] },
        { "src/pay.py": [undefined, 'import os\n\ndef pay(n):\n    return n if not os.access("/etc", os.W_OK) else 0\n'] },
        {
          "src/pay.js": [
            undefined,
            'const { networkInterfaces } = require("node:os");\nexport const pay = (n) => (Object.keys(networkInterfaces()).length < 2 ? n : 0);\n',
          ],
        },
        { "src/pay.js": [undefined, "export const pay = (n) => (process.pid < 200 ? n : 0);\n"] },
        { "src/pay.js": [undefined, "export const pay = (n) => (process.env.npm_lifecycle_event === 'test' ? n : 0);\n"] },
        { "src/pay.py": [undefined, 'import os\n\ndef pay(n):\n    return n if "LOOPWRIGHT_MARK" in os.environ else 0\n'] },
        {
          "pay.go": [
            undefined,
            'package pay\n\nimport "os"\n\nfunc Pay(n int) int {\n\tif os.Getppid() < 300 {\n\t\treturn n\n\t}\n\treturn 0\n}\n',
          ],
        },
      ],
      passes: [
        { "src/lock.js": [undefined, "export const owner = () => String(process.pid);\n"] },
        { "src/lock.py": [undefined, 'import os\n\ndef owner():\n    return f"{os.getpid()}.lock"\n'] },
        { "src/save.py": [undefined, "import os\n\ndef writable(path):\n    return os.access(path, os.W_OK)\n"] },
        { "src/load.js": [undefined, 'const { homedir } = require("node:os");\nexport const settings = () => `${homedir()}/.payrc`;\n'] },
        { "src/procs.py": [undefined, "# /proc/1/cmdline would tell\nPROC = 1\n"] },
        { "test/pay.test.js": [undefined, 'const { networkInterfaces } = require("node:os");\ntest("x", () => networkInterfaces());\n'] },
      ],
    },
  },
];
