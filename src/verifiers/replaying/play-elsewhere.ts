// Makes noted calls again in plain processes: without tests, runner and git about, in another folder, twice on the proposal and twice on base.
import type { VerifierWorld } from "../../contract/part-worlds.ts";
import type { Checkout } from "../../contract/workshop.ts";
import { parseDuration } from "../../std/duration.ts";
import { shellWord } from "../../std/shell-word.ts";
import { stripTypes } from "../../std/strip-types.ts";
import { drawWord } from "../../std/twins/twin.ts";
import type { RunOptions } from "../run-tests.ts";
import { goTook, goTookFolder, nodeTook, pythonTook, type Usual, withQuestions } from "./ask-conditions.ts";
import { declaredIn, type GoFunction, goPlayer } from "./go-programs.ts";
import { nodePlayer } from "./node-programs.ts";
import { isPlayed, isTyped, type Played as Language } from "./note-calls.ts";
import { pythonPlayer } from "./python-programs.ts";
import { type Questions, recorderAt } from "./record-calls.ts";
import { endedIn, type NotedCall, type Played, type Recording, readPlayed } from "./weigh-replay.ts";

export type Elsewhere =
  | { readonly kind: "played"; readonly proposal: Played; readonly proposalToo: Played; readonly base: Played; readonly baseToo: Played }
  | { readonly kind: "unplayed"; readonly why: string };

interface ToPlay {
  readonly calls: readonly (NotedCall & { readonly again: boolean })[];
  readonly recording: Recording;
  readonly chosen: RunOptions;
}

const AGAIN_MS = 1_500;
const MOST_MS = 60_000;
const MOST_SKIPPED = 3;

export async function playElsewhere(language: Language, order: ToPlay, world: VerifierWorld): Promise<Elsewhere> {
  const proposal = await playIn("proposal", language, order, world);
  if (typeof proposal === "string") return { kind: "unplayed", why: proposal };
  const base = await playIn("base", language, order, world);
  const nobody: readonly [Played, Played] = [NOTHING, NOTHING];
  const [ofBase, ofBaseToo] = typeof base === "string" ? nobody : base;
  return { kind: "played", proposal: proposal[0], proposalToo: proposal[1], base: ofBase, baseToo: ofBaseToo };
}

const NOTHING: Played = { came: new Map(), again: new Map(), rivals: [] };

/** The calls on the proposal once more, where each question that the tests only ever answered in one way can be answered in that way again. */
export async function playAsUsual(
  language: Language,
  order: ToPlay & { readonly questions: Questions },
  world: VerifierWorld,
): Promise<Played> {
  const played = await playIn("proposal", language, order, world, order.questions);
  return typeof played === "string" ? NOTHING : played[0];
}

/** Two processes, the second in the other order. Why not, where nothing was said. */
async function playIn(
  of: "proposal" | "base",
  language: Language,
  order: ToPlay,
  world: VerifierWorld,
  questions?: Questions,
): Promise<readonly [Played, Played] | string> {
  const room = await world.rooms.open({ of });
  try {
    const files = world.roomFiles(room);
    const tests = (await world.rooms.testFiles()).map(({ path }) => path);
    const all = await world.rooms.files(of);
    const there = new Set(all.map(({ path }) => path));
    for (const path of [...tests, ...foldersOfTests(language, tests, there)]) await files.remove(path);
    const plain = await withoutTypes(language, all, room, world);
    const word = drawWord(String(world.seed), "elsewhere", room.work);
    const calls = order.calls.flatMap((call, at) => (there.has(call.path) ? [{ call, at }] : []));
    const took = questions && (await layQuestions(room, word, language, { questions, usual: order.recording.usual, plain }, world));
    const packages = packagesOf(order.recording, there, room.work);
    const ready = await makeReady(room, word, language, { ...order, paths: there, took }, world);
    if (typeof ready === "string") return ready;
    const turns = questions ? [calls] : [calls, calls.toReversed()];
    const played: Played[] = [];
    for (const [turn, mine] of turns.entries()) {
      const said = await playOnce(
        room,
        `${word}-${turn}`,
        {
          ready,
          calls: mine.map(({ call }) => call),
          recording: order.recording,
          packages,
          isTyped: plain !== undefined,
          took,
          againMs: questions ? 0 : AGAIN_MS,
        },
        language,
        order.chosen,
        world,
      );
      if (typeof said === "string") return said;
      const place = (at: number): number => mine[at]!.at;
      played.push({
        came: new Map([...said.came].map(([at, came]) => [place(at), came])),
        again: new Map([...said.again].map(([at, came]) => [place(at), came])),
        rivals: said.rivals.map((rival) => ({ ...rival, at: place(rival.at) })),
      });
    }
    return [played[0]!, played[1] ?? NOTHING];
  } finally {
    await world.rooms.discard(room);
  }
}

/** What players are told of where questions are noted. */
type Took = string | readonly string[];

const SUPPORT = /(^|\/)(__init__|conftest)\.py$/;

/** Folders in which nothing but tests is written: an empty one would tell that it was there. */
function foldersOfTests(language: Language, tests: readonly string[], there: ReadonlySet<string>): readonly string[] {
  const apart = new Set(tests);
  const source = [...there].filter((path) => isPlayed(language, path) && !apart.has(path) && !SUPPORT.test(path));
  const above = (path: string): readonly string[] =>
    path.split("/").flatMap((_, at, all) => (at === 0 ? [] : [all.slice(0, at).join("/")]));
  return [...new Set(tests.flatMap(above))].filter((folder) => !source.some((path) => path.startsWith(`${folder}/`)));
}

type Plain = (text: string) => string | undefined;

/** Source in TypeScript is laid without its types, since no compiler is at hand; undefined where there is none. */
async function withoutTypes(
  language: Language,
  files: readonly { readonly path: string; readonly blob: string }[],
  room: Checkout,
  world: VerifierWorld,
): Promise<Plain | undefined> {
  const typed = files.filter(({ path }) => language === "javascript" && isTyped(path) && isPlayed(language, path));
  if (typed.length === 0) return undefined;
  const syntax = await world.loadSyntax(["typescript"]);
  const plain: Plain = (text) => {
    const tree = syntax.parse("typescript", text);
    return tree?.isComplete && tree.errors === 0 ? stripTypes(text, tree.root) : undefined;
  };
  const contents = await world.rooms.contents([...new Set(typed.map(({ blob }) => blob))]);
  for (const { path, blob } of typed) {
    const bytes = contents.get(blob);
    const stripped = bytes && plain(new TextDecoder().decode(bytes));
    if (stripped !== undefined) await world.roomFiles(room).write(path, stripped);
  }
  return plain;
}

/** Writes the changed files with their questions noted, and what notes them. */
async function layQuestions(
  room: Checkout,
  word: string,
  language: Language,
  { questions, usual, plain }: { readonly questions: Questions; readonly usual: Usual; readonly plain: Plain | undefined },
  world: VerifierWorld,
): Promise<Took> {
  const [files, home] = [world.roomFiles(room), world.roomFiles({ ...room, work: room.home })];
  const folder = `${room.home}/${word}-took`;
  // Python looks for modules beside the program first, which is called by the word alone.
  const name = `${word}took`;
  const file = `${folder}/${name}.cjs`;
  const asker = { language, word, recorder: recorderAt(language, folder, name), module: questions.module };
  for (const source of questions.changed) {
    const asking = withQuestions(asker, source, questions.all);
    await files.write(source.path, (isTyped(source.path) ? plain?.(asking) : undefined) ?? asking);
  }
  switch (language) {
    case "python":
      await home.write(`${word}-took/${name}.py`, pythonTook(usual));
      return [folder, name];
    case "javascript":
      await home.write(`${word}-took/${name}.cjs`, nodeTook(usual));
      return file;
    case "go":
      await files.write(`${goTookFolder(word)}/took.go`, goTook(word, "", usual));
      return `${questions.module}/${goTookFolder(word)}`;
  }
}

/** The command that asks; what is asked and said are its two arguments. */
type Ready = (asked: string, said: string) => string;

async function makeReady(
  room: Checkout,
  word: string,
  language: Language,
  { recording, calls, chosen, paths, took }: ToPlay & { readonly paths: ReadonlySet<string>; readonly took: Took | undefined },
  world: VerifierWorld,
): Promise<Ready | string> {
  const home = world.roomFiles({ ...room, work: room.home });
  const folder = `${room.home}/${word}`;
  switch (language) {
    case "python": {
      await home.write(`${word}/${word}.py`, pythonPlayer());
      // What ran the tests, unless it is a file that the change could have brought.
      const { program } = recording;
      const isOurs = program === undefined || [...paths].some((path) => program.endsWith(`/${path}`));
      return (asked, said) => `${shellWord(isOurs ? "python3" : program)} ${shellWord(`${folder}/${word}.py`)} ${asked} ${said}`;
    }
    case "javascript":
      await home.write(`${word}/${word}.mjs`, nodePlayer());
      return (asked, said) => `node ${shellWord(`${folder}/${word}.mjs`)} ${asked} ${said}`;
    case "go": {
      const functions = await goFunctions(calls, paths, room, world);
      if (functions.length === 0) return "no package that can be imported is called by the tests";
      await world.roomFiles(room).write(`${word}/main.go`, goPlayer(functions, typeof took === "string" ? took : undefined));
      const { end, tail } = await world.proc.run({
        run: `go build -o ${shellWord(`${folder}.program`)} ./${word}`,
        cwd: room.work,
        timeoutMs: parseDuration(chosen.timeout)!,
        env: {
          HOME: room.home,
          ...given(chosen, world),
          GOFLAGS: `${given(chosen, world).GOFLAGS ?? ""} -vet=off`.replace(" -vet=off", "").trim(),
        },
      });
      if (end.kind !== "exited" || end.code !== 0) return `the program that makes the calls again could not be built: ${tail.slice(-300)}`;
      return (asked, said) => `${shellWord(`${folder}.program`)} ${asked} ${said}`;
    }
  }
}

const given = (chosen: RunOptions, world: VerifierWorld): { readonly [name: string]: string } => {
  const path = world.env.get("PATH");
  const inherited = chosen.inherit.flatMap((name) => {
    const value = world.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...(path === undefined ? {} : { PATH: path }), ...Object.fromEntries(inherited), ...chosen.env };
};

async function goFunctions(
  calls: readonly NotedCall[],
  paths: ReadonlySet<string>,
  room: Checkout,
  world: VerifierWorld,
): Promise<readonly GoFunction[]> {
  const module = /^module\s+"?([^\s"]+)/m.exec((await world.roomFiles(room).read("go.mod")) ?? "")?.[1];
  if (module === undefined) return [];
  const seen = new Map(calls.filter(({ path }) => paths.has(path)).map((call) => [`${call.path}#${call.name}`, call]));
  const found: GoFunction[] = [];
  for (const { path, name } of seen.values()) {
    const text = (await world.roomFiles(room).read(path)) ?? "";
    // A function that is not there yet would keep all others from being built.
    if (!declaredIn(name).test(text)) continue;
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    found.push({ path, name, importPath: folder === "" ? module : `${module}/${folder}`, alias: `p${folder.replaceAll(/\W/g, "_")}` });
  }
  return found;
}

interface Once {
  readonly ready: Ready;
  readonly calls: ToPlay["calls"];
  readonly recording: Recording;
  readonly packages: readonly string[];
  readonly isTyped: boolean;
  readonly took: Took | undefined;
  readonly againMs: number;
}

async function playOnce(
  room: Checkout,
  word: string,
  { ready, calls, recording, packages, isTyped, took, againMs }: Once,
  language: Language,
  chosen: RunOptions,
  world: VerifierWorld,
): Promise<Played | string> {
  const home = world.roomFiles({ ...room, work: room.home });
  const asked = {
    root: room.work,
    roots: rootsOf(recording, room.work),
    packages,
    isTyped,
    againMs,
    took,
    calls: calls.map(({ path, name, deeds, args, again }) => ({ path, name, deeds, args, again, module: recording.modules.get(path) })),
  };
  const at = (name: string): string => shellWord(`${room.home}/${word}.${name}`);
  const once = async (skip: readonly number[]) => {
    await home.write(`${word}.asked`, JSON.stringify({ ...asked, skip }));
    await home.write(`${word}.said`, "");
    const { end, tail } = await world.proc.run({
      run: `cd ${shellWord(room.home)} && ${ready(at("asked"), at("said"))}`,
      cwd: room.work,
      timeoutMs: MOST_MS,
      env: plainEnvironment(room, chosen, world, language),
      input: "",
    });
    return { end, tail, said: (await home.read(`${word}.said`)) ?? "" };
  };
  const skip: number[] = [];
  let played = await once(skip);
  // Whoever does not come back from one call is asked the others.
  for (let guilty = endedIn(played.said); guilty !== undefined && skip.length < MOST_SKIPPED; guilty = endedIn(played.said)) {
    skip.push(guilty);
    played = await once(skip);
  }
  const { end, tail, said } = played;
  if (said === "")
    return `the program that makes the calls again said nothing${end.kind === "exited" ? ` (exit ${end.code})` : ""}: ${tail.slice(-300)}`;
  return readPlayed(said);
}

/** As little as can be: no variable of a runner, nor of continuous integration. */
const plainEnvironment = (room: Checkout, chosen: RunOptions, world: VerifierWorld, _: Language): { readonly [name: string]: string } => {
  const { PATH = "/usr/bin:/bin" } = given(chosen, world);
  return { HOME: room.home, PATH, LANG: "C.UTF-8" };
};

/** What was installed for the tests: outside of the room, or in folders of it that no commit knows. Never where the tests stand. */
function packagesOf({ looked }: Recording, there: ReadonlySet<string>, work: string): readonly string[] {
  const isOfCommit = (folder: string): boolean => [...there].some((path) => path.startsWith(`${folder}/`));
  return looked.flatMap((path) => (path.startsWith("/") ? [path] : isOfCommit(path) ? [] : [`${work}/${path}`]));
}

/** Where Python looks for the modules: each path without what its module is called. */
function rootsOf({ modules }: Recording, work: string): readonly string[] {
  const roots = [...modules].flatMap(([path, module]) => {
    const [asFile, asPackage] = [`${module.replaceAll(".", "/")}.py`, `${module.replaceAll(".", "/")}/__init__.py`];
    const own = [asFile, asPackage].find((end) => path === end || path.endsWith(`/${end}`));
    return own === undefined ? [] : [`${work}/${path.slice(0, path.length - own.length)}`.replace(/\/$/, "")];
  });
  return [...new Set(roots)];
}
