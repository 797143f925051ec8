// Judges a change that somebody else made in a checkout, by a loop's spec as it is on base. An ordinary run in the journal, under a
// name that no loop has: no maker is called, nothing is proposed, and nothing is written into the checkout.
import { join, relative, resolve } from "node:path";
import type { Crew } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { RunOpened } from "../../contract/record.ts";
import { type Beginning, type Protection, type RefereeFact, refereeLoop, type Snapshot } from "../../contract/referee.ts";
import { type LoopSpec, RefereeWish } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { RefereeDesk } from "../../engine/referee-round.ts";
import type { Outcome } from "../../engine/run-loop.ts";
import type { RunRoom } from "../../engine/run-round.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import {
  hiddenFindings,
  hiddenPaths,
  meanwhileFindings,
  passingFindings,
  protectedFindings,
  protectedPaths,
} from "../../guard/protected.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { scriptsIn, whyDraft } from "../../spec/draft-loop.ts";
import { readPolicy } from "../../spec/read-policy.ts";
import { decodeText } from "../../std/decode-text.ts";
import { findBrought } from "../../world/files/bring-folder.ts";
import { type CheckoutOnDisk, commitTree, namesBetween, openCheckout, openSnapshotStore } from "../../world/git/checkout.ts";
import { gitFor, type RunGit } from "../../world/git/run-git.ts";
import { assembleCrew } from "../crew.ts";
import { heldBack, isAllStopped } from "../decisions/standing.ts";
import { userFolder } from "../home.ts";
import { judgeCommand } from "../hooks/judge-command.ts";
import { loadPolicy } from "../hooks/load-policy.ts";
import { hashOfPolicy } from "../hooks/policy-decider.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { begin, readBeginning } from "./beginnings.ts";
import { openPurse } from "./open-purse.ts";
import { drive, giveUp, lastRun, REFEREE_GONE } from "./run-spec.ts";
import { type SpecOnBase, specOnBase, textOnBase, type Where } from "./spec-on-base.ts";

export interface RefereeOrder {
  /** A folder in the checkout. */
  readonly folder: string;
  /** Where a loop's name is looked up from. */
  readonly cwd: string;
  readonly base: string | undefined;
  readonly loop: string | undefined;
  /** A commit to judge, instead of what lies in the checkout. */
  readonly head: string | undefined;
  readonly by: string;
  /** The session of an agent whose beginning counts; undefined for that of the checkout. */
  readonly session?: string;
  /** Told when the change is known to be one: for which time the session asks. */
  readonly hook?: () => Promise<RefereeFact["hook"]>;
}

export type Refereed =
  | { readonly kind: "judged"; readonly run: string; readonly outcome: Outcome }
  /** Nothing differs from base, and no ignored file that is protected does: there is nothing to judge, and nothing is proven. */
  | { readonly kind: "nothing"; readonly since: string };

const LOCK_EVERY_MS = 500;
const LOCK_TRIES = 600;

export async function referee(house: House, order: RefereeOrder, watch: Watch): Promise<Refereed> {
  if (await isAllStopped(house)) throw heldBack("referee", "everything is stopped: the file STOP is in the home folder");
  const git = gitFor(house.world.env);
  const checkout = await openCheckout(git, order.folder, house.world.env);
  const begun = order.head === undefined ? await readBeginning(house, checkout.root, order.session) : undefined;
  const matter = await findMatter(house, checkout, order, begun);
  mustProve(matter);
  const loop = refereeLoop(matter.loaded.spec.name);
  return holding(house, loop, watch, () => judge(house, git, { checkout, order, begun, matter, loop }, watch));
}

/** Writes down how the checkout is before the work. A session's beginning stays as it was written first. */
export async function beginReferee(
  house: House,
  { folder, cwd, loop, by, session }: Pick<RefereeOrder, "folder" | "cwd" | "loop" | "by" | "session">,
): Promise<Beginning> {
  const git = gitFor(house.world.env);
  const checkout = await openCheckout(git, folder, house.world.env);
  const before = session === undefined ? undefined : await readBeginning(house, checkout.root, session);
  if (before) return before;
  const head = await checkout.head();
  const found =
    head &&
    (await specOnBase({ checkout, cwd, asked: loop, git: house.world.git, registries: house.registries }, head.commit).catch(
      (error: unknown) => {
        // Which loop it will be is said when it is judged, unless somebody named one now.
        if (error instanceof LoopError && loop === undefined) return undefined;
        throw error;
      },
    ));
  const protection = found ? protectionsOf(found.spec).hidden : { ...RefereeWish.parse({}) };
  return begin(house, git, checkout, { by, session, protection });
}

// ── what is judged, and by what ─────────────────────────────────────────────────────────────────────────────────

interface Matter {
  readonly head: string;
  /** As it was named, and the commit that it has in common with the head. */
  readonly base: { readonly ref: string; readonly commit: string };
  readonly loaded: SpecOnBase;
  readonly draft: string | undefined;
  /** The policy beside the spec, as it is on base. */
  readonly policy: PolicyReading;
}

async function findMatter(house: House, checkout: CheckoutOnDisk, order: RefereeOrder, begun: Beginning | undefined): Promise<Matter> {
  const where: Where = { checkout, cwd: order.cwd, asked: order.loop, git: house.world.git, registries: house.registries };
  const head = await headOf(checkout, order.head);
  const named = order.base ?? begun?.commit;
  const base = named === undefined ? await baseOfSpec(where, checkout, head) : await commonBase(checkout, named, head);
  const loaded = await specOnBase(where, base.commit);
  // Else the change itself would say what it is compared with.
  if (named === undefined && loaded.spec.target.base !== base.ref)
    throw refusal(
      `the change says what it is compared with: target.base is ${base.ref} in it, and ${loaded.spec.target.base ?? "not there"} on base`,
      SAY_BASE,
    );
  if (loaded.inRepo !== undefined && relative(checkout.root, resolve(loaded.folder, loaded.spec.target.repo)).startsWith(".."))
    throw refusal(
      `the loop ${loaded.spec.name} works on another repository (${loaded.spec.target.repo})`,
      "Name another loop with --loop.",
    );
  const scripts = scriptsIn(await textOnBase(where, base.commit, "package.json"));
  return {
    head,
    base,
    loaded,
    draft: whyDraft(loaded.spec, house.registries, scripts),
    policy: await policyOf(house, where, loaded, base.commit),
  };
}

async function headOf(checkout: CheckoutOnDisk, asked: string | undefined): Promise<string> {
  if (asked === undefined) {
    const head = await checkout.head();
    if (head) return head.commit;
    throw cannotJudge("the repository has no commit yet", "Make a first commit, so that there is something to compare with.");
  }
  const commit = await checkout.resolve(asked);
  if (commit !== undefined) return commit;
  throw missing(asked);
}

const SAY_BASE = "Say it with --base, e.g. --base origin/main, or let `lw referee --begin` write it down before the work.";

async function baseOfSpec(where: Where, checkout: CheckoutOnDisk, head: string): Promise<Matter["base"]> {
  const { spec } = await specOnBase(where, head);
  const ref = spec.target.base;
  if (ref === undefined) throw refusal("nothing says what the change is compared with", SAY_BASE);
  const on = await checkout.head();
  if (on && (on.name === `refs/heads/${ref}` || ref === "HEAD"))
    throw refusal(`the checkout is on ${ref} itself, so that commits of the change would not be seen`, SAY_BASE);
  return commonBase(checkout, ref, head);
}

async function commonBase(checkout: CheckoutOnDisk, ref: string, head: string): Promise<Matter["base"]> {
  const tip = await checkout.resolve(ref);
  if (tip === undefined) throw missing(ref);
  const commit = await checkout.mergeBase(tip, head);
  if (commit !== undefined) return { ref, commit };
  throw cannotJudge(
    `${ref} and ${head.slice(0, 12)} have no commit in common${checkout.isShallow ? " in this shallow clone" : ""}`,
    checkout.isShallow ? "Fetch more of the history, e.g. `git fetch --unshallow`." : "Name a base that the change started from.",
  );
}

/** The user's own policy, and the one beside the spec as it is on base; a spec that lies elsewhere has its own. */
async function policyOf(house: House, where: Where, { inRepo, folder }: SpecOnBase, commit: string): Promise<PolicyReading> {
  const user = userFolder(house.world.env);
  if (inRepo === undefined) return loadPolicy({ project: folder, user });
  const path = join(inRepo, "..", ".loopwright", "policy.yaml");
  const text = await textOnBase(where, commit, path);
  const users = await loadPolicy({ project: undefined, user });
  if (text === undefined || users.kind === "broken") return users;
  const own = readPolicy(path, text, "project");
  return own.kind === "broken" ? own : { kind: "read", policy: [...users.policy, ...own.policy] };
}

function mustProve({ draft, loaded }: Matter): void {
  if (draft === undefined) return;
  throw cannotJudge(
    `the loop ${loaded.spec.name} is a draft: ${draft}`,
    "Give it a check that can fail, such as the test suite, and commit that to base.",
  );
}

/** What no change may touch, and what is looked for among ignored files: there also what the spec seals by name. */
function protectionsOf({ referee, gate, seal }: LoopSpec): { readonly change: Protection; readonly hidden: Protection } {
  const denied = gate.all.flatMap(({ use, with: options }) =>
    use === "allowlist" && Array.isArray(options?.deny) ? options.deny.map(String) : [],
  );
  const change = { ...referee, deny: [...referee.deny, ...denied] };
  return { change, hidden: { ...change, deny: [...change.deny, ...seal] } };
}

// ── the run ─────────────────────────────────────────────────────────────────────────────────────────────────────

interface Hearing {
  readonly checkout: CheckoutOnDisk;
  readonly order: RefereeOrder;
  readonly begun: Beginning | undefined;
  readonly matter: Matter;
  readonly loop: string;
}

async function judge(house: House, git: RunGit, hearing: Hearing, watch: Watch): Promise<Refereed> {
  const { checkout, loop } = hearing;
  const last = await lastRun(house, loop);
  if (last && !last.state.rest) await giveUp(house, last, REFEREE_GONE, watch);
  const number = (last?.opened.number ?? 0) + 1;
  const run = `${loop}-${number}-${house.world.ids.token()}`;
  await house.world.workshop.sweep(loop, run);
  const at = { loop, id: `${run}.snapshot` };
  try {
    const store = await openSnapshotStore(git, checkout.root, join(house.home.rounds, loop, at.id));
    const taken = await take(git, store, hearing, house.world.clock.now().toISOString());
    if (await isNothing(hearing, taken))
      return { kind: "nothing", since: `${hearing.matter.base.ref} (${hearing.matter.base.commit.slice(0, 12)})` };
    return await openRun(house, git, { ...hearing, store, taken, run, number }, watch);
  } finally {
    await house.world.workshop.close(at);
  }
}

/** Commits that took back what they did are something: what they held is in the history. */
async function isNothing({ checkout, begun, matter: { base, head } }: Hearing, { tree, snapshot }: Taken): Promise<boolean> {
  if (tree !== (await checkout.treeOf(base.commit)) || hiddenFindings(snapshot?.hidden ?? [], begun).length > 0) return false;
  return (await checkout.touchedBetween(base.commit, head)).length === 0;
}

/** What is judged, as objects. */
interface Taken {
  readonly tree: string;
  readonly commit: string;
  /** Whether somebody made that commit, and not we. */
  readonly isTheirs: boolean;
  readonly snapshot: Snapshot | undefined;
}

async function take(git: RunGit, store: string, { checkout, order, matter }: Hearing, at: string): Promise<Taken> {
  const { head, base, loaded } = matter;
  const headTree = await checkout.treeOf(head);
  if (order.head !== undefined) return { tree: headTree, commit: head, isTheirs: true, snapshot: undefined };
  const snapshot = await checkout.snapshot(store, hiddenPaths(protectionsOf(loaded.spec).hidden));
  if (snapshot.head.commit !== head) throw cannotJudge("HEAD moved while the checkout was read", "Try again when nobody works in it.");
  if (snapshot.tree === headTree) return { tree: headTree, commit: head, isTheirs: true, snapshot };
  const commit = await commitTree(git, store, { tree: snapshot.tree, base: base.commit, at, message: "What lies in the checkout.\n" });
  return { tree: snapshot.tree, commit, isTheirs: false, snapshot };
}

interface Opening extends Hearing {
  readonly store: string;
  readonly taken: Taken;
  readonly run: string;
  readonly number: number;
}

async function openRun(house: House, git: RunGit, opening: Opening, watch: Watch): Promise<Refereed> {
  const { loop, run } = opening;
  const crew = crewOf(house, opening.matter.loaded.spec);
  const opened = await describe(house, opening);
  for (const path of crew.verifiers.flatMap(({ brings = [] }) => brings))
    await findBrought({ path, specFolder: opened.folder, repo: opened.repo });
  const purse = await openPurse(house, { loop, run });
  const journal = await openRunJournal(house.journal, { loop, run });
  const entry = await journal.append(opened);
  watch({ kind: "recorded", entry });
  const room: RunRoom = {
    opened: entry.record.kind === "run-opened" ? entry.record : opened,
    crew,
    journal,
    world: house.world,
    watch,
    decide: (command, at) => judgeCommand(command, at, opening.matter.policy),
    purse,
    referee: deskOf(house, git, opening),
  };
  return { kind: "judged", run, outcome: await drive(house, room) };
}

/** Nobody makes, nothing is gathered, nobody is told and nothing moves. */
const crewOf = (house: House, spec: LoopSpec): Crew => ({
  ...assembleCrew(spec, house.registries),
  gather: [],
  notify: [],
  gates: [],
  act: [],
});

async function describe(house: House, { checkout, order, begun, matter, taken, number }: Opening): Promise<RunOpened> {
  const { spec, hash, path, folder } = matter.loaded;
  const hook = await order.hook?.();
  return {
    kind: "run-opened",
    number,
    // One look and no other: what does not hold goes to who asked. What a loop wants of base says when it has work, and there is some.
    spec: { ...spec, budget: { ...spec.budget, rounds: 1 }, baseline: { ...spec.baseline, want: "any" } },
    specHash: hash,
    policyHash: await hashOfPolicy(house, matter.policy),
    specPath: path,
    folder,
    repo: checkout.root,
    base: matter.base,
    cursors: {},
    version: house.version,
    referee: {
      of: order.head === undefined ? "work-tree" : "commit",
      tree: taken.tree,
      ...(taken.isTheirs ? { commit: taken.commit } : {}),
      by: order.by,
      ...(hook ? { hook } : {}),
      ...(begun ? { begun: { at: begun.at, commit: begun.commit, files: begun.hidden.length } } : {}),
    },
  };
}

function deskOf(house: House, git: RunGit, { checkout, begun, matter, store, taken }: Opening): RefereeDesk {
  const { workshop } = house.world;
  const { change, hidden } = protectionsOf(matter.loaded.spec);
  const why = protectedPaths(change, matter.loaded.inRepo === undefined ? [] : [matter.loaded.inRepo]);
  return {
    async take(round) {
      await workshop.openForBase(store, round);
      const work = await workshop.describe(round, taken.commit);
      const links = work.changes.filter(({ after }) => after?.mode === "120000");
      const targets = await workshop.readBlobs(
        round,
        links.map(({ after }) => after!.blob),
      );
      const leads = links.flatMap(({ path, after }) => {
        const target = targets.get(after!.blob);
        return target === undefined ? [] : [[path, decodeText(target)] as const];
      });
      return {
        work,
        findings: [
          ...protectedFindings(work.changes, new Map(leads), why, change.protect),
          ...passingFindings(await checkout.touchedBetween(matter.base.commit, matter.head), work.changes, why),
          ...(taken.snapshot ? hiddenFindings(taken.snapshot.hidden, begun) : []),
        ],
      };
    },
    async lookAgain() {
      if (!taken.snapshot) return [];
      const now = await checkout.snapshot(store, hiddenPaths(hidden));
      const paths = now.tree === taken.snapshot.tree ? [] : await namesBetween(git, store, taken.snapshot.tree, now.tree);
      return meanwhileFindings(taken.snapshot, now, paths);
    },
  };
}

/** One referee after the other for a loop: each waits for the one before it. What came of it is signed. */
async function holding<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  for (let turn = 0; turn < LOCK_TRIES && !house.world.stopAsked(); turn++) {
    const lock = await house.takeLoop(loop);
    if (!lock) {
      await house.sleep(LOCK_EVERY_MS);
      continue;
    }
    return workSigned(house, loop, lock, watch, work);
  }
  throw new LoopError("loop-busy", `another referee works by the same loop (${loop})`, {
    retry: "later",
    hint: "Try again when it is done.",
  });
}

const missing = (ref: string): LoopError =>
  new LoopError("ref-missing", `there is no commit called ${ref}`, {
    retry: "never",
    hint: "Check the name; a shallow clone may lack it (`git fetch --unshallow`), and a remote branch must be fetched first.",
  });

const cannotJudge = (message: string, hint: string): LoopError => new LoopError("cannot-judge", message, { retry: "never", hint });
const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
