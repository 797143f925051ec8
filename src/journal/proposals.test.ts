// The life of a proposal, tried in every order that people, crashes and other processes can bring about.
import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../contract/decision.ts";
import type { Entry, LoopRecord } from "../contract/record.ts";
import {
  foldProposal,
  isClosed,
  MOST_REFRESHES,
  type Move,
  nextMove,
  type ProposalState,
  proposedAs,
  type Sighted,
  stageOf,
} from "./proposals.ts";

const NOW = new Date("2026-01-01T00:00:00Z");
const LATER = new Date("2026-01-02T00:00:00Z");
const BASE = "base-0";

const entry = (seq: number, record: LoopRecord): Entry => ({
  seq,
  at: NOW.toISOString(),
  loop: "fix",
  run: "fix-1",
  record,
  prev: "",
  hash: "",
});
const folded = (records: readonly DecisionRecord[]): ProposalState =>
  foldProposal(
    proposedAs({ commit: "c0", tree: "t0" }),
    records.map((record, index) => entry(index + 1, record)),
  );

const approve = (by = "ada", tree = "t0", until?: string): DecisionRecord => ({
  kind: "decided",
  decision: "approve",
  tree,
  by,
  why: "",
  ...(until === undefined ? {} : { until }),
});
const reject: DecisionRecord = { kind: "decided", decision: "reject", tree: "t0", by: "bob", why: "no" };
const amend: DecisionRecord = { kind: "amended", commit: "c1", tree: "t1", by: "bob", why: "" };
const recheck = (tree = "t0", base = BASE): DecisionRecord => ({
  kind: "rechecked",
  tree,
  base,
  verdict: { kind: "accept", action: "propose" },
});
/** Each time it is put somewhere else, its commit has one sign more. */
const refreshedTo = (base: string, before = 0) => {
  const signs = "+".repeat(before);
  return {
    kind: "refreshed",
    commit: `c0${signs}+`,
    tree: `t0${signs}+`,
    base,
    before: { commit: `c0${signs}`, tree: `t0${signs}`, base: BASE },
    isSameChange: true,
  } as const;
};
const began: DecisionRecord = { kind: "action-began", deed: "k-t0-1", action: "merge", number: 1, plan: "" };
const done: DecisionRecord = { kind: "action-done", deed: "k-t0-1", receipt: { action: "merge", says: "moved", facts: {} } };

const SEEN: Sighted = {
  now: NOW,
  level: "L2",
  branch: { commit: "c0" },
  base: { commit: BASE, contains: false },
  verifiedOn: BASE,
  barred: undefined,
  actions: 1,
  gates: { kind: "open" },
  mayGoAlone: false,
};
const move = (records: readonly DecisionRecord[], seen: Partial<Sighted> = {}): Move => nextMove(folded(records), { ...SEEN, ...seen });

describe("nextMove", () => {
  it("waits for a human, verifies again after the yes, and only then begins", () => {
    expect([move([]).kind, move([approve()]).kind, move([recheck(), approve()]).kind, move([approve(), recheck()])]).toEqual([
      "wait",
      "recheck",
      "recheck",
      { kind: "begin", number: 1 },
    ]);
  });

  it("asks for approval again on resume, and never skips it (Archon#1429)", () => {
    expect(move([approve("ada", "t0", NOW.toISOString()), recheck()])).toEqual({ kind: "wait", why: "a human must decide" });
  });

  it("takes no proof of the tree before a rework for one of the tree after it (Archon#2735)", () => {
    const reworked = [approve(), recheck(), amend];

    expect([move(reworked), move([...reworked, approve("ada", "t1")], { branch: { commit: "c1" } })]).toEqual([
      { kind: "wait", why: "a human must decide" },
      { kind: "recheck" },
    ]);
  });

  it("does not merge what was called off after it was approved (gastown#4167)", () => {
    expect([move([approve(), recheck(), reject]).kind, stageOf(folded([approve(), recheck(), reject]), NOW)]).toEqual(["wait", "rejected"]);
  });

  it("does not count a yes to another tree", () => {
    expect(move([approve("ada", "t-other")])).toEqual({ kind: "wait", why: "a human must decide" });
  });

  it.each<[string, Partial<Sighted>, string]>([
    ["a pause", { barred: "the loop is paused" }, "the loop is paused"],
    ["L1, whatever gates and people say", { level: "L1", mayGoAlone: true }, "an L1 loop moves nothing"],
    ["a gate", { gates: { kind: "closed", why: "not before nine" } }, "not before nine"],
    ["other commits on the branch", { branch: { commit: "c9" } }, "the branch holds other commits"],
    ["a base that is gone", { base: { commit: undefined, contains: false } }, "base is gone"],
  ])("is kept from moving by %s", (_, seen, why) => {
    const kept = move([approve(), recheck()], seen);

    expect([kept.kind, kept.kind === "wait" && kept.why.startsWith(why)]).toEqual(["wait", true]);
  });

  it("puts the change on a base that moved, lets its branch say so, and verifies it there, with the yes that it had", () => {
    const moved = { base: { commit: "base-1", contains: false } };
    const onNew = { ...moved, verifiedOn: "base-1" };
    const there = { ...onNew, branch: { commit: "c0+" } };
    const done = [approve(), recheck(), refreshedTo("base-1")];

    expect([
      move([approve(), recheck()], moved),
      move(done, onNew),
      move(done, there),
      move([...done, recheck("t0+", "base-1")], there),
    ]).toEqual([
      { kind: "refresh", onto: "base-1" },
      { kind: "move-branch", from: "c0" },
      { kind: "recheck" },
      { kind: "begin", number: 1 },
    ]);
  });

  it("asks people again where putting it on the new base made another change of it, also an L3 loop", () => {
    const done = [approve(), recheck(), { ...refreshedTo("base-1"), isSameChange: false }];
    const there = { base: { commit: "base-1", contains: false }, verifiedOn: "base-1", branch: { commit: "c0+" } };
    const why = "a human must decide: base moved, and putting the change on it made it another one than was looked at";

    expect([move(done, there), move(done, { ...there, level: "L3", mayGoAlone: true })]).toEqual([
      { kind: "wait", why },
      { kind: "wait", why },
    ]);
  });

  it("waits where it does not apply, tries again where base moves once more, and not without end", () => {
    const moved = { base: { commit: "base-1", contains: false } };
    const stuck = [
      approve(),
      { kind: "not-refreshed", base: "base-1", why: "the same lines were changed there: a", paths: ["a"] },
    ] as const;
    const often = Array.from({ length: MOST_REFRESHES }, (_, n) => refreshedTo(`base-${n + 2}`, n));
    const state = folded([approve(), ...often]);

    expect([
      move(stuck, moved),
      move(stuck, { base: { commit: "base-2", contains: false } }).kind,
      nextMove(state, { ...SEEN, base: { commit: "base-99", contains: false }, branch: { commit: state.commit } }).kind,
    ]).toEqual([
      {
        kind: "wait",
        why: "base has moved since this was verified, and the same lines were changed there: a; `lw run` has it made again from where base is now",
      },
      "refresh",
      "wait",
    ]);
  });

  it("goes alone only at L3, inside the allowlist, and with the maker's own tree", () => {
    const alone = { level: "L3", mayGoAlone: true } as const;

    expect([
      move([], alone).kind,
      move([], { ...alone, level: "L2" }).kind,
      move([], { ...alone, mayGoAlone: false }).kind,
      move([amend], { ...alone, branch: { commit: "c1" } }).kind,
      move([began, { kind: "action-failed", deed: "k-t0-1", why: "", hint: "", retry: "never" }], alone).kind,
    ]).toEqual(["begin", "wait", "wait", "wait", "wait"]);
  });

  it("finds out about what was begun, and does not do it again", () => {
    const crashed = [approve(), recheck(), began];

    expect([move(crashed), move(crashed, { barred: "paused" }).kind, move([...crashed, done])]).toEqual([
      { kind: "find-out", deed: "k-t0-1", number: 1 },
      "find-out",
      { kind: "settle", how: "acted", why: "moved" },
    ]);
  });

  it("stops where nobody knows whether it happened, until a human has looked", () => {
    const unclear = [approve(), recheck(), began, { kind: "action-unclear", deed: "k-t0-1", why: "no answer" }] as const;

    expect([
      move(unclear).kind,
      stageOf(folded(unclear), NOW),
      move([...unclear, approve("bob")]).kind,
      isClosed(folded([...unclear, reject])),
    ]).toEqual(["wait", "unclear", "find-out", true]);
  });

  it("notices that somebody merged it or threw the branch away", () => {
    expect([move([], { base: { commit: "m", contains: true } }), move([], { branch: undefined })]).toEqual([
      { kind: "settle", how: "landed", why: "base contains it" },
      { kind: "settle", how: "withdrawn", why: "its branch is gone" },
    ]);
  });
});

// ── every order of events, as far as these bounds go ────────────────────────────────────────────────────────────

/** What the process that moves things is in the middle of. A crash forgets it. */
type Process =
  | { readonly at: "idle" }
  | { readonly at: "looked"; readonly seen: Sighted }
  | { readonly at: "rechecking"; readonly tree: string; readonly base: string }
  | { readonly at: "executing"; readonly key: string; readonly commit: string; readonly on: string }
  | { readonly at: "executed"; readonly key: string }
  | { readonly at: "refused"; readonly key: string };

interface Model {
  readonly records: readonly DecisionRecord[];
  /** What the records fold to. */
  readonly state: ProposalState;
  readonly process: Process;
  readonly base: string;
  readonly branch: string | undefined;
  readonly isLate: boolean;
  /** Keys whose effect really happened, as often as it did. */
  readonly effects: readonly string[];
  /** How often each thing from outside may still happen. */
  readonly left: { readonly [event: string]: number };
  readonly level: "L2" | "L3";
  readonly mayGoAlone: boolean;
}

const START: Model = {
  records: [],
  state: folded([]),
  process: { at: "idle" },
  base: BASE,
  branch: "c0",
  isLate: false,
  effects: [],
  left: { approve: 2, reject: 1, amend: 1, push: 1, baseMoves: 1, deleted: 1, expires: 1, crash: 2, defer: 0, unclear: 1 },
  level: "L2",
  mayGoAlone: false,
};

const treeOf = (commit: string): string => commit.replace("c", "t");
const nowOf = ({ isLate }: Model): Date => (isLate ? LATER : NOW);
const write = (model: Model, record: DecisionRecord, process: Process = model.process): Model => ({
  ...model,
  records: [...model.records, record],
  state: foldProposal(model.state, [entry(model.records.length + 1, record)]),
  process,
});
const lookAt = (model: Model): Sighted => ({
  ...SEEN,
  now: nowOf(model),
  level: model.level,
  mayGoAlone: model.mayGoAlone,
  branch: model.branch === undefined ? undefined : { commit: model.branch },
  base: { commit: model.base, contains: model.effects.length > 0 },
  verifiedOn: baseOf(model.state),
});
const baseOf = ({ refreshed }: ProposalState): string => refreshed?.base ?? BASE;

/** What the moving process does next: each arrow is one moment at which it can be killed. */
function works(model: Model): readonly Model[] {
  const { process, state } = model;
  switch (process.at) {
    case "idle":
      return isClosed(state) ? [] : [{ ...model, process: { at: "looked", seen: lookAt(model) } }];
    case "looked": {
      // Read and written under the lock that deciders also take.
      const next = nextMove(state, { ...process.seen, now: nowOf(model) });
      switch (next.kind) {
        case "wait":
          return [{ ...model, process: { at: "idle" } }];
        case "settle":
          return [write(model, { kind: "proposal-settled", how: next.how, why: next.why }, { at: "idle" })];
        case "recheck":
          return [{ ...model, process: { at: "rechecking", tree: state.tree, base: baseOf(state) } }];
        case "refresh": {
          const { onto } = next;
          const commit = `${state.commit}@${onto}`;
          const moved = { kind: "refreshed", commit, tree: treeOf(commit), base: onto, before: { ...state, base: baseOf(state) } } as const;
          return [
            write(model, { ...moved, isSameChange: true }, { at: "idle" }),
            write(model, { ...moved, isSameChange: false }, { at: "idle" }),
            write(model, { kind: "not-refreshed", base: onto, why: "the same lines were changed there", paths: ["a"] }, { at: "idle" }),
          ];
        }
        case "move-branch":
          // Compare and swap as well.
          return [{ ...model, ...(model.branch === next.from ? { branch: state.commit } : {}), process: { at: "idle" } }];
        case "begin": {
          mustBeDecided(model, state);
          const key = `k-${state.tree}-${next.number}`;
          return [
            write(
              model,
              { kind: "action-began", deed: key, action: "merge", number: next.number, plan: "" },
              { at: "executing", key, commit: state.commit, on: baseOf(state) },
            ),
          ];
        }
        case "find-out": {
          const key = next.deed;
          const truth = model.effects.includes(key)
            ? write(model, { ...done, deed: key } as DecisionRecord, { at: "idle" })
            : write(model, { kind: "action-failed", deed: key, why: "", hint: "", retry: "later" }, { at: "idle" });
          const unclear = write(spend(model, "unclear"), { kind: "action-unclear", deed: key, why: "no answer" }, { at: "idle" });
          return model.left.unclear! > 0 ? [truth, unclear] : [truth];
        }
      }
      break;
    }
    case "rechecking":
      return [
        write(model, recheck(process.tree, process.base), { at: "idle" }),
        write(
          model,
          {
            kind: "rechecked",
            tree: process.tree,
            base: process.base,
            verdict: { kind: "escalate", because: "check-failed", reason: "red" },
          },
          { at: "idle" },
        ),
      ];
    case "executing":
      // Compare and swap: it happens only on the base that was verified.
      return model.base === process.on
        ? [{ ...model, base: process.commit, effects: [...model.effects, process.key], process: { at: "executed", key: process.key } }]
        : [{ ...model, process: { at: "refused", key: process.key } }];
    case "executed":
      return [write(model, { ...done, deed: process.key } as DecisionRecord, { at: "idle" })];
    case "refused":
      return [write(model, { kind: "action-failed", deed: process.key, why: "base has moved", hint: "", retry: "never" }, { at: "idle" })];
  }
}

const spend = (model: Model, event: string): Model => ({ ...model, left: { ...model.left, [event]: model.left[event]! - 1 } });

/** What others do meanwhile. Two people may decide at once: the second one's record comes after the first one's. */
function happens(model: Model): readonly Model[] {
  const { state } = model;
  const events: { readonly [event: string]: () => readonly Model[] } = {
    approve: () => [
      write(model, approve("ada", state.tree)),
      write(model, approve("bob", state.tree, LATER.toISOString())),
      // Somebody who looked before it was amended.
      write(model, approve("cid", "t0")),
    ],
    reject: () => [write(model, reject)],
    defer: () => [write(model, { kind: "decided", decision: "defer", tree: state.tree, by: "ada", why: "", until: LATER.toISOString() })],
    // Refused while something is under way, as every decision is made under the lock.
    amend: () =>
      model.branch === undefined || state.acting
        ? []
        : [write(model, { ...amend, commit: model.branch, tree: treeOf(model.branch) } as DecisionRecord)],
    push: () => (model.branch === undefined ? [] : [{ ...model, branch: "c1" }]),
    baseMoves: () => (model.base === BASE ? [{ ...model, base: "base-1" }] : []),
    deleted: () => [{ ...model, branch: undefined }],
    expires: () => [{ ...model, isLate: true }],
    crash: () => (model.process.at === "idle" ? [] : [{ ...model, process: { at: "idle" } }]),
  };
  return Object.entries(events).flatMap(([event, happen]) => (model.left[event]! > 0 ? happen().map((then) => spend(then, event)) : []));
}

/** No path acts without a valid decision. */
function mustBeDecided(model: Model, state: ProposalState): void {
  const isAlone =
    model.level === "L3" && model.mayGoAlone && state.commit.split("@")[0] === "c0" && state.refreshed?.isSameChange !== false;
  const isOther = (record: DecisionRecord): boolean => record.kind === "amended" || (record.kind === "refreshed" && !record.isSameChange);
  const since = model.records.slice(model.records.findLastIndex(isOther) + 1);
  // What was said of a change is said of it on another base too.
  const same = [state.tree, ...since.flatMap((record) => (record.kind === "refreshed" ? [record.before.tree] : []))];
  const hasFailed = since.some((record) => record.kind === "action-failed" && record.retry === "never");
  const isYes = (record: DecisionRecord): boolean =>
    record.kind === "decided" &&
    record.decision === "approve" &&
    same.includes(record.tree) &&
    (record.until === undefined || record.until > nowOf(model).toISOString());
  const isProof = (record: DecisionRecord): boolean =>
    record.kind === "rechecked" && record.tree === state.tree && record.base === baseOf(state) && record.verdict.kind === "accept";
  const yes = since.findIndex(isYes);
  if (since.some((record) => record.kind === "decided" && record.decision === "reject")) throw new Error("it began after a no");
  if (yes < 0 && (!isAlone || hasFailed)) throw new Error("it began without a yes that counts");
  if (yes >= 0 && !isAlone && !since.slice(yes).some(isProof)) throw new Error("it began without a proof after the yes");
  if (state.refreshed && !since.some(isProof)) throw new Error("it began on a base that it was not verified on");
}

/** None acts twice, and what it moved is what was decided about. */
function mustBeOnce({ effects, records }: Model): void {
  if (effects.length > 1) throw new Error(`it acted ${effects.length} times`);
  const receipts = records.filter(({ kind }) => kind === "action-done").length;
  if (receipts > effects.length) throw new Error("there is a receipt for what did not happen");
}

/** None is lost: what is not settled is in the inbox, and what is settled says how. */
function mustBeKept(model: Model): void {
  const { state } = model;
  const stage = stageOf(state, nowOf(model));
  if (isClosed(state) !== ["acted", "released", "landed", "withdrawn", "superseded", "rejected"].includes(stage))
    throw new Error(`lost as ${stage}`);
  if (model.effects.length > 0 && state.settled?.how === "withdrawn" && state.receipts.length === 0)
    throw new Error("what was done has no receipt");
}

/** The same situation, whatever the numbers of its records are. */
function keyOf(model: Model): string {
  const { state } = model;
  const { approvals, recheck } = state;
  const order = [...approvals.map(({ seq }) => seq), ...(recheck ? [recheck.seq] : [])].toSorted((a, b) => a - b);
  const ranked = {
    ...state,
    approvals: approvals.map((approval) => ({ ...approval, seq: order.indexOf(approval.seq) })),
    recheck: recheck && { ...recheck, seq: order.indexOf(recheck.seq) },
  };
  const receipts = model.records.filter(({ kind }) => kind === "action-done").length;
  return JSON.stringify([ranked, model.process, model.base, model.branch, model.isLate, model.effects, model.left, receipts, model.level]);
}

interface Explored {
  readonly states: number;
  readonly endings: ReadonlySet<string>;
}

/** Goes through every state that can be reached, and through every way on from it. */
function explore(start: Model): Explored {
  const known = new Set<string>();
  const endings = new Set<string>();
  const queue = [start];
  for (let model = queue.pop(); model; model = queue.pop()) {
    const key = keyOf(model);
    if (known.has(key)) continue;
    known.add(key);
    mustBeOnce(model);
    mustBeKept(model);
    endings.add(stageOf(model.state, nowOf(model)));
    queue.push(...works(model), ...happens(model));
  }
  return { states: known.size, endings };
}

/** Left alone, and with a person who says yes or no, every situation comes to an end. */
function comesToAnEnd(model: Model): boolean {
  let now: Model = { ...model, process: { at: "idle" }, left: { ...model.left, unclear: 0 } };
  for (let turn = 0; turn < 40; turn++) {
    if (isClosed(now.state)) return true;
    const [then] = works(now);
    const isStuck =
      then === undefined || (now.process.at === "looked" && then.process.at === "idle" && then.records.length === now.records.length);
    now = isStuck ? write({ ...now, process: { at: "idle" } }, reject) : then;
  }
  return false;
}

describe("every order of decisions, crashes, pushes and moves of base", () => {
  const crashes = { approve: 2, reject: 1, amend: 1, push: 1, crash: 2, unclear: 1, baseMoves: 0, deleted: 0, expires: 0, defer: 0 };
  const outside = { approve: 2, reject: 1, amend: 1, push: 1, crash: 1, unclear: 0, baseMoves: 1, deleted: 1, expires: 1, defer: 0 };
  const alone = { level: "L3", mayGoAlone: true } as const;
  it.each<[string, Partial<Model>]>([
    ["a human decides and processes die", { left: crashes }],
    ["a human decides and the repository moves", { left: outside }],
    ["L3 is inside its allowlist and processes die", { ...alone, left: crashes }],
    ["L3 is inside its allowlist and the repository moves", { ...alone, left: { ...outside, approve: 1 } }],
    ["L3 is outside its allowlist", { level: "L3", left: { ...outside, expires: 0 } }],
  ])("where %s: nothing moves without a valid decision, nothing twice, nothing is lost", (_, about) => {
    const { states, endings } = explore({ ...START, ...about });

    expect(states).toBeGreaterThan(5_000);
    expect([...endings]).toEqual(expect.arrayContaining(["acted", "acting", "approved", "open", "rejected"]));
  });

  it("comes to an end from wherever it stands", () => {
    const few: Model = { ...START, left: { ...START.left, approve: 1, defer: 0, crash: 1, expires: 0 } };
    const known = new Set<string>();
    const queue: Model[] = [few];
    const stuck: string[] = [];
    for (let model = queue.pop(); model; model = queue.pop()) {
      const key = keyOf(model);
      if (known.has(key)) continue;
      known.add(key);
      if (!comesToAnEnd(model)) stuck.push(key);
      queue.push(...works(model), ...happens(model));
    }

    expect(stuck).toEqual([]);
  });
});
