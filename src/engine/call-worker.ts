// Calls a loop for a worker of a team: whether it is its turn, what it is given, and what is taken of what it made.

import type { ArtifactRef } from "../contract/artifacts.ts";
import type { Finding } from "../contract/finding.ts";
import { type FilesKind, factsOf, KINDS, type Proposal } from "../contract/proposal.ts";
import type { Worker } from "../contract/spec.ts";
import { calledSpec, fileOf, sourceOf } from "../contract/team-graph.ts";
import type { Taint } from "../contract/text.ts";
import type { Because } from "../contract/verdict.ts";
import { capsOf, shareCapsOf } from "../guard/budget.ts";
import { underCaller } from "../guard/narrow-spec.ts";
import { compileAllowing } from "../std/glob.ts";
import { answerWhen, parseWhen, type WhenValue } from "../std/when.ts";
import { childFact, endedWell, type Handed, type LoopCall, type LoopEnd, whyNot } from "./call-loop.ts";
import { taintPlus } from "./read-outside.ts";
import type { Above } from "./spending/spending.ts";
import { AT_ONCE, type Bench, mostBytes, resultsOf, type Tried, type Work, type WorkerEnd } from "./team-bench.ts";

type NotNow =
  | { readonly kind: "uncalled"; readonly why: string }
  | { readonly kind: "skipped"; readonly why: string; readonly question: string };
type Passed = { readonly [verifier: string]: boolean | null };

/** Whether a worker's `when` is so; where nobody can tell, a person is asked. */
export async function isItsTurn<K extends FilesKind>(
  bench: Bench<K>,
  { when }: Worker,
  checksOf: (id: string) => Promise<Passed>,
): Promise<true | NotNow> {
  if (when === undefined) return true;
  const reading = parseWhen(when);
  if (reading.kind === "refused") throw new TypeError(`a condition that cannot be read: ${when}`);
  const known = await factsFor(bench, when, checksOf);
  const answer = answerWhen(reading.when, (name) => known.get(name) ?? null);
  if (answer === true) return true;
  if (answer === false) return { kind: "uncalled", why: `\`${when}\` is not so` };
  const question = `Whether \`${when}\` is so cannot be told: what it asks about is not known.`;
  return { kind: "skipped", why: question, question };
}

async function factsFor<K extends FilesKind>(
  { run, ends, team }: Bench<K>,
  when: string,
  checksOf: (id: string) => Promise<Passed>,
): Promise<ReadonlyMap<string, WhenValue>> {
  const known = new Map<string, WhenValue>();
  for (const [name, { value }] of Object.entries(run.opened.inputs ?? {}))
    if (typeof value !== "object") known.set(`inputs.${name}`, value);
  for (const id of Object.keys(team.workers)) {
    const found = ends.get(id);
    if (found?.of !== "worker" || !when.includes(`${id}.`)) continue;
    const { end } = found;
    const checks = "child" in end && end.child ? end.child.passed : end.kind === "made" ? await checksOf(id) : {};
    for (const [verifier, passed] of Object.entries(checks)) known.set(`${id}.${verifier}.passed`, passed);
    known.set(`${id}.holds`, holdsBy(end.kind, "child" in end && end.child ? [] : Object.values(checks)));
  }
  return known;
}

/** A loop says for itself whether it holds; of any other worker its checks do. Who was not called is not known. */
function holdsBy(kind: WorkerEnd["kind"], checks: readonly (boolean | null)[]): boolean | null {
  if (kind === "failed" || kind === "skipped") return kind === "failed" ? false : null;
  if (kind === "uncalled" || checks.includes(false)) return kind === "uncalled" ? null : false;
  return checks.includes(null) ? null : true;
}

/** What a loop that was called has read, everybody has read who begins after it. */
export const taintNow = <K extends FilesKind>({ order, ends }: Pick<Bench<K>, "order" | "ends">): Taint =>
  taintPlus(
    order.taint,
    [...ends].flatMap(([id, { of, end }]) => (of === "worker" && "child" in end && end.child?.isTainted ? [`the loop ${id}`] : [])),
  );

export async function callWorker<K extends FilesKind>(bench: Bench<K>, id: string, worker: Worker, base: string): Promise<Tried> {
  const { run, round } = bench;
  if (!run.calls) return { kind: "failed", why: "no loop can be called here", isFinal: true };
  const given = await givenTo(bench, worker);
  const lessons = [...round.lessons, ...(round.told ?? []).flatMap(({ to, text }) => (to === id ? [text] : []))];
  const call = callOf(bench, id, worker, {
    base,
    given,
    lessons,
    isTainted: taintNow(bench).kind === "tainted",
  });
  const came = await run.calls.call(call);
  if ("unfit" in came) return { kind: "failed", why: came.unfit, isFinal: true };
  // What must pass first is waited for, and the loop goes on from there.
  if (came.outcome.kind === "paused") throw came.outcome.failure;
  return takeFrom(bench, worker, came);
}

function callOf<K extends FilesKind>(
  { round, run: { opened, journal, purse }, team, spent }: Bench<K>,
  id: string,
  worker: Worker,
  rest: Pick<LoopCall, "base" | "given" | "lessons" | "isTainted">,
): LoopCall {
  const spec = calledSpec(worker);
  if (!spec || worker.loop === undefined) throw new TypeError(`the worker ${id} is no loop`);
  const here: Above = {
    loop: journal.loop,
    run: journal.run,
    roundId: round.id,
    worker: id,
    caps: capsOf(opened.spec, purse.limits),
    share: shareCapsOf(worker.budget ?? {}, `team.workers.${id}.budget`),
    beside: team.atOnce ?? AT_ONCE,
    tide: spent,
  };
  const narrowed = underCaller(opened.spec, spec, { id, time: worker.time });
  return { round, worker: id, file: worker.loop, spec: narrowed, above: [here, ...(purse.above ?? [])], ...rest };
}

async function takeFrom<K extends FilesKind>(bench: Bench<K>, worker: Worker, came: LoopEnd): Promise<Tried> {
  const child = childFact(came);
  if (came.outcome.kind === "rested" && came.outcome.rest.kind === "nothing-to-do")
    return { kind: "uncalled", why: `it has nothing to do: ${came.outcome.rest.reason}`, child };
  const unsafe = unsafeIn(came);
  if (unsafe) return { kind: "failed", why: whyNot(came).slice(0, 2000), isFinal: true, child, guarded: [unsafe] };
  const taken = came.proposal ? await workIn(bench, worker, came, came.proposal) : {};
  if ("why" in taken) return { kind: "failed", why: taken.why, isFinal: true, child };
  if (!endedWell(came)) {
    const { commit: _, ...shown } = taken;
    return { kind: "failed", why: whyNot(came).slice(0, 2000) || "it did not hold", isFinal: true, child, ...shown };
  }
  return {
    kind: "made",
    child,
    ...taken,
    ...(came.proposal && "box" in came.proposal && came.proposal.box ? { box: came.proposal.box } : {}),
  };
}

/** What is unsafe in a loop that was called is unsafe in the one that called it, whoever makes good what is missing. */
const UNSAFE: ReadonlySet<Because> = new Set(["tampering", "injection", "fabricated", "outside-level", "blocked"]);

function unsafeIn(came: LoopEnd): Finding | undefined {
  const rest = came.outcome.kind === "rested" ? came.outcome.rest : undefined;
  if (!rest || rest.kind === "accept" || rest.kind === "nothing-to-do" || !UNSAFE.has(rest.because)) return undefined;
  const { run } = childFact(came);
  return {
    rule: "called-loop",
    severity: "high",
    where: `the loop that was called as ${run} ended with ${rest.because}`,
    why: rest.reason.slice(0, 2000),
  };
}

/** What it proposed, in the form in which others can be given it. */
async function workIn<K extends FilesKind>(
  { run }: Bench<K>,
  worker: Worker,
  { handed }: LoopEnd,
  proposal: Proposal,
): Promise<Work | { readonly why: string }> {
  const { hasFiles, isOwn } = KINDS[proposal.kind];
  if (isOwn) return documentIn(run, worker, handed);
  // A report is what it says.
  if (!hasFiles) return { result: await run.world.artifacts.keep(JSON.stringify(proposal)) };
  const { commit, changes, artifacts } = factsOf(proposal);
  const mayChange = worker.paths ? compileAllowing(worker.paths) : () => true;
  const others = changes.filter(({ path }) => !mayChange(path)).map(({ path }) => path);
  if (others.length > 0) return { why: `it changed ${others.slice(0, 5).join(", ")}, and may change only ${worker.paths?.join(", ")}` };
  return { ...(commit === undefined ? {} : { commit }), ...(artifacts.diff ? { parts: { diff: artifacts.diff } } : {}) };
}

async function documentIn<K extends FilesKind>(
  { world: { artifacts } }: Bench<K>["run"],
  worker: Worker,
  handed: Handed | undefined,
): Promise<Work | { readonly why: string }> {
  const most = mostBytes(worker);
  if (!handed || (handed.kind === "files" && handed.files.length === 0)) return { why: "it handed over nothing" };
  if (handed.kind === "too-much") return { why: `it handed over ${handed.bytes} bytes or more, and ${worker.gives.most} are the most` };
  const texts = await Promise.all(
    handed.files.map(async ({ path, text }) => ({ path, ref: text, text: new TextDecoder().decode(await artifacts.read(text)) })),
  );
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > most) return { why: `it handed over ${bytes} bytes, and ${worker.gives.most} are the most` };
  const [only] = texts;
  const all =
    texts.length === 1 && only ? only.ref : await artifacts.keep(texts.map(({ path, text }) => `# ${path}\n\n${text}`).join("\n\n"));
  return { result: all, parts: partsOf(worker, texts) };
}

/** Its files by the names of the workers who made them, which is what others ask for. */
function partsOf(worker: Worker, files: readonly { readonly path: string; readonly ref: ArtifactRef }[]): NonNullable<Work["parts"]> {
  const team = calledSpec(worker)?.team;
  return Object.fromEntries(
    (team?.proposes ?? []).flatMap((id) => {
      const own = team?.workers[id];
      const found = own && files.find(({ path }) => path === fileOf(id, own));
      return found ? [[id, found.ref] as const] : [];
    }),
  );
}

async function givenTo<K extends FilesKind>(bench: Bench<K>, { give = {} }: Worker): Promise<LoopCall["given"]> {
  const given = await Promise.all(
    Object.entries(give).map(async ([name, from]) => {
      const { of, field } = sourceOf(from);
      if (of !== "inputs") {
        const text = await textOf(bench, of, field);
        return text === undefined ? [] : [[name, { text }] as const];
      }
      const input = field === undefined ? undefined : bench.run.opened.inputs?.[field];
      return input ? [[name, { text: typeof input.value === "string" ? input.value : JSON.stringify(input.value), input }] as const] : [];
    }),
  );
  return Object.fromEntries(given.flat());
}

/** What a worker made, whether it holds or not, as the text that another loop is given. */
async function textOf<K extends FilesKind>(bench: Bench<K>, id: string, field: string | undefined): Promise<string | undefined> {
  const { run, ends } = bench;
  const read = async (ref: ArtifactRef | undefined): Promise<string | undefined> =>
    ref && new TextDecoder().decode(await run.world.artifacts.read(ref));
  const found = ends.get(id);
  if (found?.of !== "worker") {
    const texts = await Promise.all(resultsOf(bench, id).map(({ ref }) => read(ref)));
    return field === undefined && texts.length > 0 ? texts.join("\n\n") : undefined;
  }
  const { end } = found;
  if (field === "why") return end.kind === "made" ? "" : end.why;
  const work: Work = "result" in end || "parts" in end || "commit" in end ? end : {};
  if (field === undefined) return read(work.result ?? work.parts?.diff ?? (await diffOf(bench, work.commit)));
  if (work.child) return read(work.parts?.[field]);
  return fieldOf((await read(work.result)) ?? "", field);
}

const diffOf = async <K extends FilesKind>({ run, round }: Bench<K>, commit: string | undefined): Promise<ArtifactRef | undefined> =>
  commit === undefined ? undefined : run.world.workshop.keepDiff(run.opened.repo, round.base, commit);

function fieldOf(text: string, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const found: unknown =
      typeof value === "object" && value !== null && Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    return found === undefined || found === null ? undefined : typeof found === "string" ? found : JSON.stringify(found);
  } catch {
    return undefined;
  }
}
