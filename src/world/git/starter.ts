// Starts git from a small shell that stays. To start a program, the kernel first copies the tables of all memory that we have, which for a
// process with a hundred megabytes takes longer than git itself; a shell has next to none.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { holdUp } from "../process/hold-up.ts";
import { signalGroup } from "../process/processes.ts";

/** What is to be run. */
interface Order {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly env?: { readonly [name: string]: string };
  readonly input?: string | Uint8Array;
}

interface Answer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** How it ended, for whoever knows what that means. */
export type Started =
  | { readonly kind: "answered"; readonly answer: Answer }
  /** Nothing was run: the folder cannot be entered, git is not there, or the shell had no room to start it. */
  | { readonly kind: "not-run" }
  | { readonly kind: "killed"; readonly by: string }
  | { readonly kind: "too-much"; readonly stdout: Buffer; readonly stderr: string };

export interface Asked {
  readonly pid: number | undefined;
  readonly came: Promise<Started>;
}

export interface Starter {
  /** Undefined where it cannot be said in a line, or all are at work: then git must be started otherwise. */
  ask(order: Order, most: { readonly stdout: number; readonly stderr: number }): Asked | undefined;
  /** Ends those who wait, and the others when they are done. It can be asked again. */
  close(): void;
}

/** Git is called for two things at a time here and there, and hardly ever for more. */
const MOST_SHELLS = 2;
const IDLE_MS = 30_000;
/** A shell reads byte by byte; more is quicker on the usual way. */
const MOST_LINE = 4096;
/** Shells have bytes of their own that stand for something, each shell others. */
const PLAIN = /^[ -~]*$/;
/** What no git exits with. */
const NO_FOLDER = 125;
const NOT_RUN = new Set([NO_FOLDER, 126, 127]);
/** Git says 128 when it gives up and 129 when it does not understand; a shell says more than that of who was killed. */
const KILLED_ABOVE = 129;
const MARK_BYTES = 16;

/** What a shell sets by itself is nothing that git should go by. */
const bootOf = (words: readonly string[]): string => `n='\n'
g() { unset PWD OLDPWD SHLVL; exec ${words.map(quoted).join(" ")} "$@"; }
while IFS= read -r line; do eval "$line"; done`;

export function createStarter(words: readonly string[], env: { readonly [name: string]: string }): Starter {
  const idle = new Set<Shell>();
  let busy = 0;
  let closings = 0;
  const letGo = (shell: Shell, since: number): void => {
    busy -= 1;
    if (shell.isOver()) return;
    if (closings === since) idle.add(shell);
    else shell.end();
  };
  return {
    ask(order, most) {
      const mark = randomBytes(MARK_BYTES).toString("hex");
      const line = lineFor(order, mark);
      if (line === undefined || process.platform === "win32") return undefined;
      const [waiting] = [...idle].filter((shell) => !shell.isOver());
      if (!waiting && busy >= MOST_SHELLS) return undefined;
      const shell = waiting ?? openShell(words, env, (over) => void idle.delete(over));
      idle.delete(shell);
      busy += 1;
      const since = closings;
      return { pid: shell.pid, came: shell.say(line, mark, most).finally(() => letGo(shell, since)) };
    },
    close() {
      closings += 1;
      for (const shell of idle) shell.end();
      idle.clear();
    },
  };
}

/** One line of shell; undefined where the call cannot be put in one. Git is the only program in it. */
function lineFor({ cwd, args, env = {}, input = "" }: Order, mark: string): string | undefined {
  if (typeof input !== "string") return undefined;
  const settings = Object.entries(env).map(([name, value]) => `${name}=${quoted(value)}`);
  const git = [
    `cd -- ${quoted(cwd)} 2>/dev/null || exit ${NO_FOLDER}`,
    ...(settings.length === 0 ? [] : [`export ${settings.join(" ")}`]),
    ["g", ...args.map(quoted)].join(" "),
  ].join("; ");
  const fed = input === "" ? `(${git}) </dev/null` : `printf %s ${quoted(input)} | (${git})`;
  const line = `${fed}; s=$?; printf '%s %s\\n' ${mark} $s; printf '%s\\n' ${mark} >&2`;
  return line.length <= MOST_LINE && PLAIN.test(line) ? `${line}\n` : undefined;
}

/** As one word whatever is in it; a line break is the variable that has one, since a line ends with it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''").replaceAll("\n", `'"$n"'`)}'`;

interface Shell {
  readonly pid: number | undefined;
  isOver(): boolean;
  say(line: string, mark: string, most: { readonly stdout: number; readonly stderr: number }): Promise<Started>;
  end(): void;
}

function openShell(words: readonly string[], env: { readonly [name: string]: string }, over: (shell: Shell) => void): Shell {
  // Ctrl-C reaches everything in our process group. A git that it ended would look like one that failed.
  const child: ChildProcessWithoutNullStreams = spawn("/bin/sh", ["-c", bootOf(words)], { cwd: "/", env, detached: true });
  let isOver = false;
  let hearing: Hearing | undefined;
  let patience: NodeJS.Timeout | undefined;
  const ended = (how: string): void => {
    isOver = true;
    clearTimeout(patience);
    over(shell);
    hearing?.died(how);
  };
  child.stdout.on("data", (piece: Buffer) => hearing?.heard("out", piece));
  child.stderr.on("data", (piece: Buffer) => hearing?.heard("err", piece));
  child.on("error", ({ message }) => ended(message));
  child.on("close", (code, signal) => ended(code === null ? `${signal}` : `the shell that starts it, which exited ${code}`));
  // One that ends early closes the pipe; that it ended is heard.
  child.stdin.on("error", () => {});

  const say: Shell["say"] = (line, mark, most) =>
    new Promise((resolve) => {
      clearTimeout(patience);
      const said = { out: hearUntil(mark, most.stdout), err: hearUntil(mark, most.stderr) };
      const finish = (came: Started): void => {
        hearing = undefined;
        if (came.kind === "too-much") {
          shell.end();
          if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
        }
        holdUp(child, false);
        if (!isOver) patience = setTimeout(shell.end, IDLE_MS).unref();
        resolve(came);
      };
      hearing = {
        heard(from, piece) {
          said[from].add(piece);
          const came = whatCame(said);
          if (came) finish(came);
        },
        died: (by) => finish(child.pid === undefined ? { kind: "not-run" } : { kind: "killed", by }),
      };
      if (isOver) {
        finish({ kind: "not-run" });
        return;
      }
      holdUp(child, true);
      child.stdin.write(line);
    });
  const shell: Shell = {
    pid: child.pid,
    isOver: () => isOver,
    say,
    end() {
      isOver = true;
      clearTimeout(patience);
      over(shell);
      child.stdin.end();
    },
  };
  holdUp(child, false);
  return shell;
}

interface Hearing {
  readonly heard: (from: "out" | "err", piece: Buffer) => void;
  readonly died: (by: string) => void;
}

/** Undefined as long as it goes on. */
function whatCame({ out, err }: { readonly out: Until; readonly err: Until }): Started | undefined {
  const code = out.code();
  if (!out.isTooMuch() && (code === undefined || err.code() === undefined)) return undefined;
  const [stdout, stderr] = [out.text(), err.text().toString("utf8")];
  if (out.isTooMuch() || code === undefined) return { kind: "too-much", stdout, stderr };
  if (NOT_RUN.has(code)) return { kind: "not-run" };
  return code > KILLED_ABOVE ? { kind: "killed", by: `signal ${code - 128}` } : { kind: "answered", answer: { code, stdout, stderr } };
}

type Until = ReturnType<typeof hearUntil>;

/** All that is said before the mark, up to a bound; of what goes past it nothing is kept. */
function hearUntil(mark: string, most: number) {
  const pattern = new RegExp(`${mark}(?: (\\d{1,3}))?\\n$`);
  const longest = mark.length + " 255\n".length;
  const pieces: Buffer[] = [];
  let heard = 0;
  let tail = "";
  const bytes = (): number => heard - (pattern.exec(tail)?.[0].length ?? longest);
  return {
    add(piece: Buffer): void {
      pieces.push(piece.subarray(0, Math.max(0, most - heard)));
      heard += piece.length;
      tail = `${tail}${piece.toString("latin1")}`.slice(-longest);
    },
    /** What git exited with, and 0 where nobody asked; undefined as long as it goes on. */
    code(): number | undefined {
      const found = pattern.exec(tail);
      return found ? Number(found[1] ?? 0) : undefined;
    },
    isTooMuch: () => bytes() > most,
    text: () => Buffer.concat(pieces).subarray(0, Math.max(0, bytes())),
  };
}
