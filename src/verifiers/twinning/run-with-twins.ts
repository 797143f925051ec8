// One run of the tests in other surroundings, with twins and a guard among them.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { VerifierWorld } from "../../contract/part-worlds.ts";
import type { Sight } from "../../contract/verifier.ts";
import type { Checkout, RoomOrder } from "../../contract/workshop.ts";
import { shellWord } from "../../std/shell-word.ts";
import { tellProblems } from "../../std/tell-tests.ts";
import type { TestResult } from "../../std/test-results.ts";
import { drawWord, TWIN_KINDS, type TwinKind } from "../../std/twins/twin.ts";
import { allAtOnce, type Condition, chooseConditions, readMeans } from "../conditions.ts";
import { alsoGiven, type Given } from "../reading/also-given.ts";
import { type RunOptions, runTests, sightOf, type TestRun } from "../run-tests.ts";
import { nodeGuard } from "./node-guard.ts";
import { type FileTwin, nameTwins } from "./plan-twins.ts";
import { pythonGuard } from "./python-guard.ts";
import { type GuardReport, readGuard } from "./read-guard.ts";
import { readBeside, readInPlace, type TwinRun } from "./weigh-twins.ts";

export type Instrumented =
  /** Without a guard, where none is written for the language. */
  | { readonly kind: "read"; readonly run: TwinRun; readonly guard: GuardReport | undefined; readonly output: ArtifactRef }
  | { readonly kind: "unread"; readonly sight: Sight };

const OTHER = ["home", "timezone", "locale", "hash-seed", "order", "timestamps", "umask", "ci", "columns"] as const;

/** All that differs at once; what the spec pins stays. */
const surroundings = (seed: number, { env }: RunOptions): Omit<Condition, "name"> =>
  allAtOnce(chooseConditions(OTHER, { means: readMeans(""), run: undefined, pinned: env, goFlags: undefined }).conditions, seed);

type Of = Extract<RoomOrder["of"], "proposal" | "base-with-new-tests">;

/** The room is thrown away again. Known files in it are as they are without twins. */
export async function runWithTwins(of: Of, twins: readonly FileTwin[], options: RunOptions, world: VerifierWorld): Promise<Instrumented> {
  const other = surroundings(world.seed, options);
  // GOFLAGS is parted at spaces, and knows no quotes.
  const { path, ...usual } = other.room;
  const isOverlaid = twins.some(({ way }) => way === "overlay");
  const room = await world.rooms.open({ of, ...(isOverlaid || path === undefined ? usual : { ...usual, path }) });
  const laid = await layInstruments(room, twins, world);
  const run = (kind: TwinKind | undefined): Promise<TestRun> => runOnce(kind, { room, twins, laid, other }, options, world);
  try {
    const inPlace = twins.filter(({ way }) => way !== "beside");
    const kinds = inPlace.length === 0 ? [undefined] : TWIN_KINDS.filter((kind) => inPlace.some((twin) => twin.kind === kind));
    const runs: (readonly [TwinKind | undefined, readonly TestResult[]])[] = [];
    let output: ArtifactRef | undefined;
    for (const kind of kinds) {
      const one = await run(kind);
      const tests = testsOf(one, options);
      if (!Array.isArray(tests)) return { kind: "unread", sight: tests as Sight };
      runs.push([kind, tests as readonly TestResult[]]);
      output ??= one.output;
    }
    const guard = laid.report === undefined ? undefined : readGuard((await homeFiles(room, world).read(laid.report)) ?? "");
    const resultsOf = (kind: TwinKind): readonly TestResult[] => runs.find(([of]) => of === kind)?.[1] ?? [];
    const read =
      inPlace.length === 0
        ? readBeside(runs[0]![1], twins)
        : readInPlace({ same: resultsOf("same"), tail: resultsOf("tail"), neg: resultsOf("neg") }, inPlace);
    return { kind: "read", run: read, guard, output: output! };
  } finally {
    await world.rooms.discard(room);
  }
}

/** The same surroundings, and nothing else. Undefined where the results cannot be read. */
export async function runElsewhere(of: Of, options: RunOptions, world: VerifierWorld): Promise<readonly TestResult[] | undefined> {
  const other = surroundings(world.seed, options);
  const room = await world.rooms.open({ of, ...other.room });
  const run = await runTests(() => room, options, world, { run: other.wrap(options.run), env: other.env });
  await world.rooms.discard(room);
  return run.kind === "exited" ? run.results?.tests : undefined;
}

/** Twins fail, so that the exit code says nothing; but what is not complete cannot be read. */
function testsOf(run: TestRun, options: RunOptions): readonly TestResult[] | Sight {
  if (run.kind !== "exited" || !run.results) return sightOf(run, options);
  const { results } = run;
  if (results.isComplete || results.tests.length > 0) return results.tests;
  return { outcome: "unknown", detail: `its results cannot be read: ${tellProblems(results)}`, output: run.output };
}

// ── what is laid into the room, and beside it ────────────────────────────────────────────────────────────────────

interface Laid {
  /** Inside the room's home: a folder whose name nobody foresees. */
  readonly folder: string;
  readonly report: string | undefined;
  readonly isNode: boolean;
  readonly isPython: boolean;
}

const homeFiles = (room: Checkout, world: VerifierWorld) => world.roomFiles({ ...room, work: room.home });

async function layInstruments(room: Checkout, twins: readonly FileTwin[], world: VerifierWorld): Promise<Laid> {
  const folder = drawWord(String(world.seed), "instruments", room.work);
  const [files, home] = [world.roomFiles(room), homeFiles(room, world)];
  for (const [index, { way, path, text, kind, was }] of twins.entries()) {
    if (way === "beside") await files.write(path, text);
    else await home.write(`${folder}/${kind}-${index}${way === "overlay" ? "_test.go" : ".rs"}`, text);
    if (way === "put-back") await home.write(`${folder}/was-${index}.rs`, was);
  }
  for (const kind of TWIN_KINDS) {
    const replaced = [...twins.entries()].filter(([, twin]) => twin.way === "overlay" && twin.kind === kind);
    const overlay = Object.fromEntries(
      replaced.map(([index, { path }]) => [`${room.work}/${path}`, `${room.home}/${folder}/${kind}-${index}_test.go`]),
    );
    if (replaced.length > 0) await home.write(`${folder}/${kind}.json`, JSON.stringify({ Replace: overlay }));
  }
  const isPython = twins.some(({ path }) => path.endsWith(".py"));
  const isNode = twins.some(({ path }) => /\.[cm]?[jt]sx?$/.test(path));
  const report = `${folder}/report`;
  if (isNode) await home.write(`${folder}/guard.cjs`, nodeGuard(`${room.home}/${report}`));
  if (isPython) await home.write(`${folder}/sitecustomize.py`, pythonGuard(`${room.home}/${report}`, room.work));
  return { folder, report: isNode || isPython ? report : undefined, isNode, isPython };
}

interface Order {
  readonly room: Checkout;
  readonly twins: readonly FileTwin[];
  readonly laid: Laid;
  readonly other: Omit<Condition, "name">;
}

/** Variables by which runners are told of guard and overlay, with what the spec or the user has in them already. */
function runOnce(
  kind: TwinKind | undefined,
  { room, twins, laid, other }: Order,
  options: RunOptions,
  world: VerifierWorld,
): Promise<TestRun> {
  const home = `${room.home}/${laid.folder}`;
  const had = (name: string): string =>
    options.env[name] ?? other.env[name] ?? (options.inherit.includes(name) ? world.env.get(name) : undefined) ?? "";
  const isOverlaid = twins.some((twin) => twin.way === "overlay" && twin.kind === kind);
  const given: readonly Given[] = [
    ...(laid.isNode ? [{ name: "NODE_OPTIONS", first: `--require ${JSON.stringify(`${home}/guard.cjs`)} ` }] : []),
    // Most twins fail, and pytest takes longer to render a failure than to run the test.
    ...(laid.isPython
      ? [
          { name: "PYTHONPATH", first: `${home}:` },
          { name: "PYTEST_ADDOPTS", first: "--tb=no " },
        ]
      : []),
    ...(isOverlaid ? [{ name: "GOFLAGS", first: `-overlay=${home}/${kind}.json ` }] : []),
  ];
  const all = given.map(({ name, first }) => [name, had(name) === "" ? first.slice(0, -1) : `${first}${had(name)}`] as const);
  const putBack = [...twins.entries()].filter(([, twin]) => twin.way === "put-back" && twin.kind === kind);
  const named = nameTwins(options.run, twins);
  const command = putBack.length === 0 ? named : `${compileFirst(options.run, home, putBack)}\n${named}`;
  const reaching = alsoGiven(command, laid.folder, given);
  const env = { ...options.env, ...Object.fromEntries(all), ...reaching.env };
  return runTests(() => room, { ...options, env }, world, { run: other.wrap(reaching.run), env: other.env });
}

const CARGO = /\bcargo(?:\s+\+\S+)?\s+(?:nextest\s+run|test|t)\b/g;

/** Compiles the twins at the known paths, and puts the known bytes back with an old date: what was compiled stays good. */
function compileFirst(run: string, home: string, twins: readonly (readonly [index: number, twin: FileTwin])[]): string {
  const build = run.replace(CARGO, "$& --no-run");
  if (build === run) return "echo 'no `cargo test` in the command, so that no twin can be compiled' >&2; exit 126";
  const lines = twins.map(([index, { kind, path }]) => ({
    path: shellWord(path),
    twin: shellWord(`${home}/${kind}-${index}.rs`),
    was: shellWord(`${home}/was-${index}.rs`),
  }));
  return [
    ...lines.map(({ path, twin }) => `cp ${twin} ${path}; touch ${path}`),
    `( ${build}\n) >/dev/null 2>&1 || { echo 'the twins do not compile' >&2; exit 126; }`,
    ...lines.map(({ path, was }) => `cp ${was} ${path}; touch -t 200001010000 ${path}`),
  ].join("\n");
}
