// One run of the tests that notes the calls they make of the product.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { VerifierWorld } from "../../contract/part-worlds.ts";
import type { Checkout, RoomOrder } from "../../contract/workshop.ts";
import { drawWord } from "../../std/twins/twin.ts";
import { type RunOptions, runTests, type TestRun } from "../run-tests.ts";
import { askTurns, type ChangedSource, conditionsOf, goTook, goTookFolder } from "./ask-conditions.ts";
import { calmFiles } from "./calm-files.ts";
import type { Condition } from "./find-conditions.ts";
import { goRecorder } from "./go-programs.ts";
import { nodeRecorder, nodeRecorderAt } from "./node-programs.ts";
import { grammarOf, isPlayed, noteCalls, type Played } from "./note-calls.ts";
import { pythonRecorder, pythonRecorderAt } from "./python-programs.ts";
import type { Sources } from "./unasked.ts";
import { type Recording, readRecording } from "./weigh-replay.ts";

export type Recorded =
  | {
      readonly kind: "recorded";
      readonly run: TestRun;
      readonly recording: Recording;
      readonly output: ArtifactRef | undefined;
      /** Product files of base that touch nothing outside, nor ask a file that does: these may be asked what no test asks. */
      readonly calmOnBase: ReadonlySet<string>;
      /** Questions that only changed code asks, and the files that ask them. */
      readonly questions: Questions;
      readonly sources: Sources;
    }
  | { readonly kind: "nothing"; readonly why: string };

export interface Questions {
  readonly all: readonly Condition[];
  readonly changed: readonly ChangedSource[];
  /** Of Go, its module. */
  readonly module: string | undefined;
}

const MOST_FILES = 1500;
const MOST_EACH = 60;
const NAMES_OF_RUNNERS = /(^|\/)(conftest\.py|setup\.py|noxfile\.py|[^/]*\.config\.[cm]?[jt]s|gulpfile\.js|Gruntfile\.js)$/;

type Of = Exclude<RoomOrder["of"], "base">;

/** The room is thrown away again. */
export async function recordCalls(
  of: Of,
  language: Played,
  options: RunOptions,
  world: VerifierWorld,
  { asks }: { readonly asks: boolean } = { asks: true },
): Promise<Recorded> {
  const { rooms } = world;
  const [files, onBase] = await Promise.all([rooms.files(of === "proposal" ? "proposal" : "base"), rooms.files("base")]);
  const tests = new Set((await rooms.testFiles()).map(({ path }) => path));
  const isProduct = ({ path }: { readonly path: string }): boolean =>
    isPlayed(language, path) && !tests.has(path) && !NAMES_OF_RUNNERS.test(path);
  const product = files.filter(isProduct);
  const before = onBase.filter(isProduct);
  if (product.length === 0) return { kind: "nothing", why: "there is no product source of which calls could be noted" };
  if (product.length > MOST_FILES) return { kind: "nothing", why: `there are more than ${MOST_FILES} files of product source` };
  const contents = await rooms.contents([...new Set([...product, ...before].map(({ blob }) => blob))]);
  const textOf = ({ blob }: { readonly blob: string }): string | undefined => {
    const bytes = contents.get(blob);
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  };
  const was = new Map(before.map((file) => [file.path, textOf(file)]));
  const sources = new Map(product.map((file) => [file.path, { text: textOf(file) ?? "", before: was.get(file.path) ?? "" }]));
  const calmOnBase = calmFiles(before.flatMap((file) => [{ path: file.path, text: textOf(file) ?? "" }]));
  const old = new Map(before.map((file) => [file.path, file]));
  const changed = of === "proposal" && asks ? changedIn(product, old, textOf) : [];
  const syntax = await world.loadSyntax(
    language === "python" && changed.length === 0 ? [] : new Set(product.map(({ path }) => grammarOf(language, path))),
  );
  const room = await rooms.open({ of });
  const module = language === "go" ? /^module\s+"?([^\s"]+)/m.exec((await world.roomFiles(room).read("go.mod")) ?? "")?.[1] : undefined;
  const questions: Questions = { all: conditionsOf(language, changed, syntax), changed, module };
  const word = drawWord(String(world.seed), "notes", room.work);
  const recorder = recorderAt(language, `${room.home}/${word}`, word);
  const noted = product.flatMap((file) => {
    const text = textOf(file);
    const source = changed.find(({ path }) => path === file.path);
    const also = source ? askTurns({ language, word, recorder, module }, source, questions.all) : [];
    const made = text === undefined ? undefined : noteCalls(language, { path: file.path, text, word, recorder, also }, syntax);
    return made ? [{ path: file.path, ...made }] : [];
  });
  if (noted.length === 0) return { kind: "nothing", why: "no function in its source could be noted" };
  try {
    const env = await lay(room, { language, word, noted, hasQuestions: questions.all.length > 0 }, options, world);
    const run = await runTests(() => room, { ...options, env: { ...options.env, ...env } }, world);
    const text = (await homeOf(room, world).read(`${word}/report`)) ?? "";
    const output = run.kind === "not-run" ? undefined : run.output;
    return { kind: "recorded", run, recording: inRoom(readRecording(text), room), output, calmOnBase, questions, sources };
  } finally {
    await rooms.discard(room);
  }
}

function changedIn<F extends { readonly path: string; readonly blob: string }>(
  product: readonly F[],
  old: ReadonlyMap<string, F>,
  textOf: (file: F) => string | undefined,
): readonly ChangedSource[] {
  return product.flatMap((file) => {
    const [before, text] = [old.get(file.path), textOf(file)];
    return text === undefined || before?.blob === file.blob ? [] : [{ path: file.path, text, before: (before && textOf(before)) ?? "" }];
  });
}

/** Where modules were looked for, as it is called in any room; what lies beside this room was our own. */
function inRoom(recording: Recording, { work, home }: Checkout): Recording {
  const isUnder = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
  const looked = recording.looked
    .filter((path) => path !== work && !isUnder(path, home))
    .map((path) => (isUnder(path, work) ? path.slice(work.length + 1) : path));
  return { ...recording, looked };
}

/** An expression that is the recorder; in Go it stands in each package. */
export const recorderAt = (language: Played, folder: string, word: string): string =>
  language === "python" ? pythonRecorderAt(folder, word) : nodeRecorderAt(`${folder}/${word}.cjs`);

const homeOf = (room: Checkout, world: VerifierWorld) => world.roomFiles({ ...room, work: room.home });

interface ToLay {
  readonly language: Played;
  readonly word: string;
  readonly noted: readonly { readonly path: string; readonly text: string; readonly packageName: string | undefined }[];
  readonly hasQuestions: boolean;
}

/** Lays the recorder beside the room and the source that asks for it into it; gives back the variables by which runners find it. */
async function lay(
  room: Checkout,
  { language, word, noted, hasQuestions }: ToLay,
  options: RunOptions,
  world: VerifierWorld,
): Promise<{ readonly [name: string]: string }> {
  const [files, home] = [world.roomFiles(room), homeOf(room, world)];
  const folder = `${room.home}/${word}`;
  const report = `${folder}/report`;
  const had = (name: string): string => options.env[name] ?? (options.inherit.includes(name) ? world.env.get(name) : undefined) ?? "";
  await home.write(`${word}/report`, "");
  for (const { path, text } of noted) await files.write(path, text);
  switch (language) {
    case "python":
      await home.write(`${word}/${word}.py`, pythonRecorder(folder, MOST_EACH));
      return {};
    case "javascript":
      await home.write(`${word}/${word}.cjs`, nodeRecorder(report, MOST_EACH));
      return {};
    case "go": {
      const packages = new Map(noted.map(({ path, packageName }) => [path.slice(0, path.lastIndexOf("/") + 1), packageName ?? ""]));
      for (const [at, name] of packages) await files.write(`${at}${word}.go`, goRecorder(name, word, report, MOST_EACH));
      if (hasQuestions) await files.write(`${goTookFolder(word)}/took.go`, goTook(word, report, new Map()));
      return { GOFLAGS: `${had("GOFLAGS")} -vet=off`.trim() };
    }
  }
}
