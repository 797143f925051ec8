// The objects of a repository, asked of one git that stays open instead of a new one for each question.
//
// A question is a full id or the full name of a ref, with `^{commit}`, `^{tree}` or `:path` behind it where that is meant. Git looks
// refs up anew each time, so that it sees what others moved; only ids in short it may remember, and these are not to be asked here.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { holdUp } from "../process/hold-up.ts";
import { gitFailed, gitMissing, READ_ONLY, type StartGit } from "./git-call.ts";

export interface ObjectFacts {
  readonly id: string;
  readonly type: string;
  readonly bytes: number;
}

export interface Objects {
  /** What stands behind each name, in the order of the names; undefined where there is nothing. */
  look(names: readonly string[]): Promise<readonly (ObjectFacts | undefined)[]>;
  /** What objects hold, by their ids. One that is damaged, or larger than is read at once, is left out. */
  read(objects: readonly ObjectFacts[]): Promise<ReadonlyMap<string, Buffer>>;
}

export interface KeptObjects {
  of(gitDir: string): Objects;
  /** Ends what is kept open for a repository that is to be removed, or is not what it was. It can be asked again. */
  letGo(gitDir: string): void;
  close(): void;
}

/** No object larger than this is read, nor more at once. */
export const MOST_BYTES_AT_ONCE = 16 * 1024 * 1024;
const MOST_NAME = 8 * 1024;
const MOST_OPEN = 8;
const IDLE_MS = 30_000;
/** Without a word for so long, it is not coming. */
const PATIENCE_MS = 120_000;
const MOST_WORDS = 2_000;
/** What git exits with when it does not know an option. */
const UNKNOWN_OPTION = 129;

export function createKeptObjects(start: StartGit): KeptObjects {
  const open = new Map<string, Asking>();
  // Found out once: a git before 2.36 needs one process for facts and one for contents.
  let way: Way = "in-one";
  const askingOf = (gitDir: string): Asking => {
    const asking = open.get(gitDir) ?? createAsking((kind) => startCatFile(start, gitDir, way, kind), IDLE_MS);
    // Last in the map is who was asked last.
    open.delete(gitDir);
    open.set(gitDir, asking);
    const [oldest] = open.size > MOST_OPEN ? open.keys() : [];
    if (oldest !== undefined) letGo(oldest);
    return asking;
  };
  const letGo = (gitDir: string): void => {
    open.get(gitDir)?.end();
    open.delete(gitDir);
  };
  const ask = async (gitDir: string, kind: Kind, names: readonly string[]): Promise<readonly (Answer | undefined)[]> => {
    const answers: (Answer | undefined)[] = [];
    let failedAt: number | undefined;
    while (answers.length < names.length) {
      const { got, died } = await askingOf(gitDir).ask(kind, names.slice(answers.length));
      answers.push(...got);
      if (died === undefined) continue;
      if (died.code === UNKNOWN_OPTION && way === "in-one") {
        way = "in-two";
        letGo(gitDir);
        continue;
      }
      // Somebody may have ended it; that it ends twice on the same question is because of what was asked.
      const isAgain = failedAt === answers.length;
      failedAt = answers.length;
      if (isAgain && kind === "facts") throw died.cause ? gitMissing(gitDir, died.cause) : gitFailed(["cat-file"], died.why);
      if (isAgain) answers.push(undefined);
    }
    return answers;
  };
  return {
    letGo,
    of: (gitDir) => ({
      async look(names) {
        const asked = [...new Set(names.filter(isSpeakable))];
        const answers = await ask(gitDir, "facts", asked);
        const byName = new Map(asked.map((name, index) => [name, answers[index]?.facts]));
        return names.map((name) => byName.get(name));
      },
      async read(objects) {
        const contents = new Map<string, Buffer>();
        for (const ids of portionsOf(objects.filter(({ bytes }) => bytes <= MOST_BYTES_AT_ONCE)))
          for (const answer of await ask(gitDir, "contents", ids)) if (answer?.content) contents.set(answer.facts.id, answer.content);
        return contents;
      },
    }),
    close() {
      for (const gitDir of [...open.keys()]) letGo(gitDir);
    },
  };
}

/** What would be two questions, or none. */
const isSpeakable = (name: string): boolean => name !== "" && name.length <= MOST_NAME && !/[\0\r\n]/.test(name);

function portionsOf(objects: readonly ObjectFacts[]): readonly (readonly string[])[] {
  const portions: string[][] = [];
  let room = 0;
  for (const { id, bytes } of new Map(objects.map((object) => [object.id, object])).values()) {
    if (bytes > room || portions.length === 0) {
      portions.push([]);
      room = MOST_BYTES_AT_ONCE;
    }
    portions.at(-1)!.push(id);
    room -= bytes;
  }
  return portions;
}

// ── the process ─────────────────────────────────────────────────────────────────────────────────────────────────

type Kind = "facts" | "contents";
type Way = "in-one" | "in-two";

interface Died {
  readonly code: number | null;
  readonly why: string;
  readonly cause?: Error;
}

interface Answer {
  readonly facts: ObjectFacts;
  readonly content: Buffer | undefined;
}

interface Answers {
  readonly got: readonly (Answer | undefined)[];
  /** Set where it ended before it had answered all. */
  readonly died: Died | undefined;
}

interface CatFile {
  readonly child: ChildProcessWithoutNullStreams;
  /** Whether it can be asked for facts and for contents. */
  readonly knowsBoth: boolean;
  readonly write: (kind: Kind, names: readonly string[]) => string;
}

function startCatFile(start: StartGit, gitDir: string, way: Way, kind: Kind): CatFile {
  const format = "%(objectname) %(objecttype) %(objectsize)";
  const options = { "in-one": `--batch-command=${format}`, "in-two": `${kind === "facts" ? "--batch-check" : "--batch"}=${format}` };
  const buffered = way === "in-one" ? ["--buffer"] : [];
  const child = start({ cwd: "/", args: [`--git-dir=${gitDir}`, "--bare", "cat-file", options[way], ...buffered], env: READ_ONLY });
  const words = { facts: "info", contents: "contents" };
  return {
    child,
    knowsBoth: way === "in-one",
    write: (asked, names) =>
      way === "in-one" ? `${names.map((name) => `${words[asked]} ${name}\n`).join("")}flush\n` : names.map((name) => `${name}\n`).join(""),
  };
}

interface Asking {
  ask(kind: Kind, names: readonly string[]): Promise<Answers>;
  end(): void;
}

/** One question after the other; each kind has a process of its own where one does not know both. */
function createAsking(startFor: (kind: Kind) => CatFile, idleMs: number): Asking {
  let turn: Promise<unknown> = Promise.resolve();
  let lines: { readonly [kind in Kind]?: Line } = {};
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(idle);
    for (const line of new Set(Object.values(lines))) line.end();
    lines = {};
  };
  const ask = async (kind: Kind, names: readonly string[]): Promise<Answers> => {
    clearTimeout(idle);
    const line = lines[kind] ?? openLine(startFor(kind));
    lines = line.knowsBoth ? { facts: line, contents: line } : { ...lines, [kind]: line };
    const answers = await line.ask(kind, names);
    if (answers.died) end();
    idle = setTimeout(end, idleMs).unref();
    return answers;
  };
  return {
    end,
    ask: (kind, names) => {
      const answers = turn.then(() => ask(kind, names));
      turn = answers.catch(() => {});
      return answers;
    },
  };
}

interface Line {
  readonly knowsBoth: boolean;
  ask(kind: Kind, names: readonly string[]): Promise<Answers>;
  end(): void;
}

/** `<id> <type> <bytes>`, with the contents and a line break behind it where these were asked for; any other line says that there is none. */
const ANSWER = /^([0-9a-f]{40}|[0-9a-f]{64}) (commit|tree|blob|tag) (\d+)$/;

function openLine({ child, knowsBoth, write }: CatFile): Line {
  let words = "";
  let died: Died | undefined;
  let waiting: { readonly hear: (piece: Buffer) => void; readonly over: () => void } | undefined;
  const isOver = (how: Died): void => {
    died ??= how;
    waiting?.over();
  };
  child.stdout.on("data", (piece: Buffer) => waiting?.hear(piece));
  child.stderr.on("data", (piece: Buffer) => {
    words = `${words}${piece.toString("utf8")}`.slice(-MOST_WORDS);
  });
  child.on("error", (cause) => isOver({ code: null, why: cause.message, cause }));
  child.on("close", (code, signal) =>
    isOver({ code, why: words.trim() || (code === null ? `was killed by ${signal}` : `exited ${code}`) }),
  );
  // One that ends early closes the pipe; that it ended is heard.
  child.stdin.on("error", () => {});
  holdUp(child, false);

  const ask = (kind: Kind, names: readonly string[]): Promise<Answers> =>
    new Promise((resolve) => {
      const reading = readAnswers(kind);
      const finish = (): void => {
        clearTimeout(patience);
        waiting = undefined;
        holdUp(child, false);
        resolve({ got: reading.got.slice(0, names.length), died: reading.got.length < names.length ? died : undefined });
      };
      const patience = setTimeout(() => {
        isOver({ code: null, why: `gave no answer for ${PATIENCE_MS / 1000} seconds` });
        child.kill("SIGKILL");
      }, PATIENCE_MS);
      waiting = {
        hear: (piece) => {
          patience.refresh();
          reading.add(piece);
          if (reading.got.length >= names.length) finish();
        },
        over: finish,
      };
      if (died) return finish();
      holdUp(child, true);
      child.stdin.write(write(kind, names));
    });
  return { ask, knowsBoth, end: () => void child.stdin.end() };
}

/** Reads on only when there is enough for the next answer, so that a large one is not put together over and over. */
function readAnswers(kind: Kind): { readonly got: readonly (Answer | undefined)[]; add(piece: Buffer): void } {
  const got: (Answer | undefined)[] = [];
  let pieces: Buffer[] = [];
  let held = 0;
  let needed = 1;
  return {
    got,
    add(piece) {
      pieces.push(piece);
      held += piece.length;
      if (held < needed) return;
      const all = Buffer.concat(pieces);
      let at = 0;
      for (;;) {
        const lineEnd = all.indexOf(0x0a, at);
        needed = held - at + 1;
        if (lineEnd < 0) break;
        const [, id, type, size] = ANSWER.exec(all.toString("latin1", at, lineEnd)) ?? [];
        const bytes = Number(size);
        const isThere = id !== undefined && type !== undefined;
        const next = lineEnd + 1 + (isThere && kind === "contents" ? bytes + 1 : 0);
        needed = next - at;
        if (next > all.length) break;
        const content = kind === "contents" ? all.subarray(lineEnd + 1, next - 1) : undefined;
        got.push(isThere ? { facts: { id, type, bytes }, content } : undefined);
        at = next;
      }
      pieces = [all.subarray(at)];
      held = all.length - at;
    },
  };
}
