// Programs that run other programs: what a call in turn runs.
import type { Call } from "./call.ts";
import { known, type Value } from "./value.ts";
import { programOf, showWords } from "./words.ts";

export type Inner =
  | { readonly kind: "none" }
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "script"; readonly text: string; readonly isStdin: boolean };

const NONE: Inner = { kind: "none" };

/** A program that takes options of its own, then the command it runs. */
interface Wrapper {
  /** Short options that take a value, as letters; long ones by name. */
  readonly short: string;
  readonly long: readonly string[];
  /** How many words come between the options and the command. */
  readonly words: number;
  /** Whether NAME=value words come first. */
  readonly assigns: boolean;
}

const wrapper = (short = "", long: readonly string[] = [], words = 0, assigns = false): Wrapper => ({ short, long, words, assigns });

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  [
    "sudo",
    wrapper(
      "ugpCrtUTDRh",
      ["user", "group", "prompt", "close-from", "role", "type", "other-user", "command-timeout", "chdir", "chroot", "host"],
      0,
      true,
    ),
  ],
  ["doas", wrapper("uC")],
  ["pkexec", wrapper("", ["user"])],
  ["env", wrapper("uCS", ["unset", "chdir", "split-string", "block-signal", "default-signal", "ignore-signal"], 0, true)],
  ["nice", wrapper("n", ["adjustment"])],
  ["ionice", wrapper("cnpPu", ["class", "classdata", "pid"])],
  ["chrt", wrapper("", [], 1)],
  ["taskset", wrapper("", [], 1)],
  ["nohup", wrapper()],
  ["setsid", wrapper()],
  ["stdbuf", wrapper("ioe", ["input", "output", "error"])],
  ["timeout", wrapper("sk", ["signal", "kill-after"], 1)],
  ["gtimeout", wrapper("sk", ["signal", "kill-after"], 1)],
  ["time", wrapper("fo", ["format", "output"])],
  ["command", wrapper()],
  ["builtin", wrapper()],
  ["exec", wrapper("a")],
  ["chroot", wrapper("", ["groups", "userspec"], 1)],
  ["unshare", wrapper("SGRw", ["setuid", "setgid", "root", "wd", "map-user", "map-group", "propagation"])],
  ["nsenter", wrapper("tSGw", ["target", "setuid", "setgid", "wd"])],
  ["strace", wrapper("oeEpsauPSbI", ["output", "trace", "string-limit", "attach"])],
  ["ltrace", wrapper("oeplsuan", ["output"])],
  ["xargs", wrapper("IiaEdeLlnPsR", ["arg-file", "delimiter", "max-args", "max-procs", "max-lines", "max-chars", "process-slot-var"])],
  ["busybox", wrapper()],
  ["toybox", wrapper()],
  ["catchsegv", wrapper()],
  ["caffeinate", wrapper("tw")],
  [
    "systemd-run",
    wrapper("pEMHt", [
      "unit",
      "property",
      "description",
      "slice",
      "uid",
      "gid",
      "setenv",
      "working-directory",
      "on-active",
      "on-calendar",
      "host",
      "machine",
    ]),
  ],
  ["firejail", wrapper()],
  ["bwrap", wrapper("", ["bind", "ro-bind", "dev", "proc", "tmpfs", "chdir", "setenv", "unsetenv", "dir", "symlink"])],
  ["proxychains", wrapper("f")],
  ["proxychains4", wrapper("f")],
  ["torsocks", wrapper()],
  ["watchexec", wrapper("wefisd", ["watch", "exts", "filter", "ignore", "signal", "delay-run"])],
  ["entr", wrapper()],
  ["dotenv", wrapper("ef")],
  ["cross-env", wrapper("", [], 0, true)],
  ["fakeroot", wrapper("lsib")],
  ["rlwrap", wrapper("fHcDA")],
  ["unbuffer", wrapper()],
  ["runuser", wrapper("ugGc", ["user", "group", "command"])],
]);

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "rbash", "fish", "csh", "tcsh", "pwsh", "powershell", "cmd"]);
export const isShell = (program: string): boolean => SHELLS.has(program);

/** What this call in turn runs, if it runs anything that can be read. */
export function unwrap(call: Call): Inner {
  const plain = WRAPPERS.get(call.program);
  if (plain) return unwrapPlain(call, plain);
  if (SHELLS.has(call.program)) return unwrapShell(call);
  const special = Object.hasOwn(SPECIAL, call.program) ? SPECIAL[call.program] : undefined;
  return special ? special(call) : NONE;
}

function unwrapPlain(call: Call, { short, long, words, assigns }: Wrapper): Inner {
  const { program, args } = call;
  // `command -v rm` only asks where it is.
  if (program === "command" && args.some(({ text }) => /^-[a-zA-Z]*[vV]/.test(text))) return NONE;
  if (program === "env") {
    const split = args.findIndex(({ text }) => /^(-S|--split-string)/.test(text));
    if (split >= 0)
      return script([args[split]!.text.replace(/^(-S|--split-string=?)/, ""), ...args.slice(split + 1).map(({ text }) => text)].join(" "));
  }
  const at = skipOptions(args, short, long) + words;
  const start = assigns ? skipAssignments(args, at) : at;
  return callOf(call, args.slice(start));
}

/** The index of the first word that is no option and no option's value. */
export function skipOptions(args: readonly Value[], short: string, long: readonly string[]): number {
  let at = 0;
  while (at < args.length) {
    const { text } = args[at]!;
    if (text === "--") return at + 1;
    if (!/^-./.test(text)) return at;
    if (text.startsWith("--")) at += !text.includes("=") && long.includes(text.slice(2)) ? 2 : 1;
    else at += takesNext(text.slice(1), short) ? 2 : 1;
  }
  return at;
}

/** In `-xvf` the last letter may take the next word; a letter with a value in the middle has it attached. */
function takesNext(letters: string, short: string): boolean {
  const first = [...letters].findIndex((letter) => short.includes(letter));
  return first >= 0 && first === letters.length - 1;
}

function skipAssignments(args: readonly Value[], from: number): number {
  let at = from;
  while (at < args.length && /^[A-Za-z_]\w*=/.test(args[at]!.text)) at++;
  return at;
}

function callOf(outer: Call, words: readonly Value[]): Inner {
  const [head, ...args] = words;
  if (!head) return NONE;
  return {
    kind: "call",
    call: { ...outer, program: programOf(head), args, wrappers: [...outer.wrappers, outer.program], redirects: [], text: showWords(words) },
  };
}

const script = (text: string): Inner => ({ kind: "script", text, isStdin: false });

function unwrapShell(call: Call): Inner {
  const { args, stdin, program } = call;
  if (program === "cmd" || program === "pwsh" || program === "powershell") return NONE;
  const at = args.findIndex(({ text }) => /^[-+][a-zA-Z]*c[a-zA-Z]*$/.test(text) && !text.startsWith("--"));
  const inline = at < 0 ? undefined : args.slice(at + 1).find(({ text }) => !/^[-+]./.test(text));
  if (inline) return script(inline.text);
  const file = args.find(({ text }) => !/^[-+]/.test(text));
  return !file && stdin.kind === "text" ? { kind: "script", text: stdin.text, isStdin: true } : NONE;
}

const texts = (args: readonly Value[]): string => args.map(({ text }) => text).join(" ");

/** The value of an option, whether attached, after `=`, or the next word. */
function optionValue(args: readonly Value[], short: string, long: string): Value | undefined {
  for (const [index, { text }] of args.entries()) {
    if (text === `-${short}` || text === `--${long}`) return args[index + 1];
    if (text.startsWith(`--${long}=`)) return known(text.slice(long.length + 3));
    if (short !== "" && text.startsWith(`-${short}`) && text.length > 2 && !text.startsWith("--")) return known(text.slice(2));
  }
  return undefined;
}

const SPECIAL: { readonly [program: string]: ((call: Call) => Inner) | undefined } = {
  eval: ({ args }) => script(texts(args)),
  source: ({ stdin }) => (stdin.kind === "text" ? { kind: "script", text: stdin.text, isStdin: true } : NONE),
  trap: ({ args }) => (args[0] && !args[0].text.startsWith("-") ? script(args[0].text) : NONE),
  watch: (call) => {
    const start = skipOptions(call.args, "nqsd", ["interval", "equexit"]);
    return call.args[start] ? script(texts(call.args.slice(start))) : NONE;
  },
  ssh: ({ args }) => {
    const start = skipOptions(args, "bcDEeFIiJLlmOopQRSWw", []);
    const command = args.slice(start + 1);
    return command.length > 0 ? script(texts(command.slice(skipOptions(command, "bcDEeFIiJLlmOopQRSWw", [])))) : NONE;
  },
  su: ({ args }) => {
    const command = optionValue(args, "c", "command");
    return command ? script(command.text) : NONE;
  },
  script: ({ args }) => {
    const command = optionValue(args, "c", "command");
    return command ? script(command.text) : NONE;
  },
  flock: (call) => {
    const inline = optionValue(call.args, "c", "command");
    if (inline) return script(inline.text);
    return callOf(call, call.args.slice(skipOptions(call.args, "wE", ["timeout", "wait", "conflict-exit-code"]) + 1));
  },
  parallel: (call) => {
    const start = skipOptions(call.args, "jNnLPSaICd", [
      "jobs",
      "arg-file",
      "colsep",
      "delay",
      "timeout",
      "retries",
      "joblog",
      "results",
      "sshlogin",
    ]);
    const words = call.args.slice(start);
    const end = words.findIndex(({ text }) => /^:{3,4}\+?$/.test(text));
    return words.length > 0 ? script(texts(end < 0 ? words : words.slice(0, end))) : NONE;
  },
  find: (call) => {
    const at = call.args.findIndex(({ text }) => /^-(exec|execdir|ok|okdir)$/.test(text));
    if (at < 0) return NONE;
    const end = call.args.findIndex(({ text }, index) => index > at && (text === ";" || text === "+"));
    return callOf(call, call.args.slice(at + 1, end < 0 ? undefined : end));
  },
  fd: (call) => {
    const at = call.args.findIndex(({ text }) => /^(-x|-X|--exec|--exec-batch)$/.test(text));
    return at < 0 ? NONE : callOf(call, call.args.slice(at + 1));
  },
  npx: runsPackage("pcw", ["package", "call", "workspace"]),
  bunx: runsPackage("p", ["package"]),
  uvx: runsPackage("p", ["from", "with", "python", "index-url"]),
  pipx: (call) => (call.args[0]?.text === "run" ? callOf(call, call.args.slice(1)) : NONE),
  npm: (call) =>
    /^(exec|x)$/.test(call.args[0]?.text ?? "")
      ? runsPackage("pcw", ["package", "call", "workspace"])({ ...call, args: call.args.slice(1) })
      : NONE,
  pnpm: (call) => (/^(exec|dlx)$/.test(call.args[0]?.text ?? "") ? callOf(call, call.args.slice(1)) : NONE),
  yarn: (call) => (/^(exec|dlx)$/.test(call.args[0]?.text ?? "") ? callOf(call, call.args.slice(1)) : NONE),
  bun: (call) => (call.args[0]?.text === "x" ? callOf(call, call.args.slice(1)) : NONE),
  uv: (call) =>
    call.args[0]?.text === "run"
      ? callOf(call, call.args.slice(1 + skipOptions(call.args.slice(1), "p", ["with", "python", "extra", "group"])))
      : NONE,
  poetry: (call) => (call.args[0]?.text === "run" ? callOf(call, call.args.slice(1)) : NONE),
  bundle: (call) => (call.args[0]?.text === "exec" ? callOf(call, call.args.slice(1)) : NONE),
  docker: inContainer,
  podman: inContainer,
  nerdctl: inContainer,
  kubectl: (call) => {
    const at = call.args.findIndex(({ text }) => text === "--");
    return call.args.some(({ text }) => text === "exec" || text === "run") && at >= 0 ? callOf(call, call.args.slice(at + 1)) : NONE;
  },
  git: gitRuns,
  at: onStdin,
  batch: onStdin,
  vagrant: ({ args }) => {
    const command = optionValue(args, "c", "command");
    return args[0]?.text === "ssh" && command ? script(command.text) : NONE;
  },
  ansible: ({ args }) => {
    const command = optionValue(args, "a", "args");
    return command ? script(command.text) : NONE;
  },
  vim: editorRuns,
  vi: editorRuns,
  nvim: editorRuns,
  ex: editorRuns,
  tar: ({ args }) => {
    const exec = args
      .map(({ text }) => /^(?:--checkpoint-action=exec=|--to-command=|--use-compress-program=|-I)(.+)$/s.exec(text)?.[1])
      .find((text) => text !== undefined);
    return exec && !/^(gzip|bzip2|xz|zstd|lz4|pigz|pbzip2|lzma)\b/.test(exec) ? script(exec) : NONE;
  },
  adb: ({ args }) => (args[0]?.text === "shell" && args.length > 1 ? script(texts(args.slice(1))) : NONE),
  wsl: (call) => callOf(call, call.args.slice(skipOptions(call.args, "deu", ["distribution", "exec", "user", "cd"]))),
};

/** `vim -c ':!cmd'` */
function editorRuns({ args }: Call): Inner {
  const command = args.map(({ text }) => /^(?:-c|\+)?:?\s*!(.+)$/s.exec(text)?.[1]).find((text) => text !== undefined);
  return command ? script(command) : NONE;
}

function onStdin({ stdin }: Call): Inner {
  return stdin.kind === "text" ? { kind: "script", text: stdin.text, isStdin: true } : NONE;
}

function runsPackage(short: string, long: readonly string[]): (call: Call) => Inner {
  return (call) => {
    const inline = call.args.findIndex(({ text }) => text === "-c" || text === "--call");
    if (inline >= 0 && call.args[inline + 1]) return script(call.args[inline + 1]!.text);
    return callOf(call, call.args.slice(skipOptions(call.args, short, long)));
  };
}

const CONTAINER_VALUES = "evpuwhmla";
const CONTAINER_LONG = [
  "env",
  "env-file",
  "volume",
  "publish",
  "user",
  "workdir",
  "hostname",
  "memory",
  "name",
  "network",
  "net",
  "mount",
  "entrypoint",
  "label",
  "cpus",
  "platform",
  "gpus",
  "add-host",
  "restart",
  "shm-size",
  "ulimit",
  "log-driver",
  "pull",
  "device",
  "cap-add",
  "cap-drop",
  "security-opt",
  "tmpfs",
  "index",
  "file",
  "project-name",
  "profile",
  "project-directory",
];

function inContainer(call: Call): Inner {
  const at = call.args.findIndex(({ text }) => text === "run" || text === "exec");
  if (at < 0) return NONE;
  const rest = call.args.slice(at + 1);
  const image = skipOptions(rest, CONTAINER_VALUES, CONTAINER_LONG);
  return callOf(call, rest.slice(image + 1));
}

/** `git -c alias.x='!cmd' x`, `git bisect run`, `git submodule foreach`, `git rebase --exec`, `git filter-branch`. */
function gitRuns(call: Call): Inner {
  const { args } = call;
  for (const [index, { text }] of args.entries()) {
    const setting = text === "-c" ? (args[index + 1]?.text ?? "") : text.startsWith("-c") ? text.slice(2) : "";
    const command =
      /^(?:alias\.[^=]+=!|core\.(?:pager|editor|sshcommand|fsmonitor)=|sequence\.editor=|diff\.external=|credential\.helper=!|pager\.\w+=)(.*)$/is.exec(
        setting,
      )?.[1];
    if (command && !/^(cat|less|true|false|:|vim?|nano|delta|ssh)?$/.test(command.trim())) return script(command);
  }
  const words = args.map(({ text }) => text);
  const bisect = words.indexOf("bisect");
  if (bisect >= 0 && words[bisect + 1] === "run") return callOf(call, args.slice(bisect + 2));
  const foreach = words.indexOf("foreach");
  if (words.includes("submodule") && foreach >= 0)
    return script(texts(args.slice(foreach + 1).filter(({ text }) => !text.startsWith("--"))));
  const exec = words.findIndex((word) => word === "--exec" || word === "-x");
  if (words.includes("rebase") && exec >= 0 && args[exec + 1]) return script(args[exec + 1]!.text);
  return NONE;
}
