// Judges a change that somebody else made in a checkout, by a loop's spec as it is on base. An ordinary run in the journal, under a
// name that no loop has: no maker is called, nothing is proposed, and nothing is written into the checkout.
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import type { CheckoutOnDisk } from "../../contract/git.ts";
import { underLock } from "../../contract/locks.ts";
import type { RunOpened } from "../../contract/record.ts";
import { type Beginning, type RefereeFact, refereeLoop, type Snapshot } from "../../contract/referee.ts";
import { RefereeWish } from "../../contract/spec.ts";
import type { Watch } from "../../contract/watch.ts";
import type { Outcome } from "../../engine/outcome.ts";
import { hiddenFindings, hiddenPaths } from "../../guard/protected.ts";
import { readLastRun } from "../../journal/loop-facts.ts";
import { openRunJournal } from "../../journal/run-journal.ts";
import { assembleCrew } from "../crew.ts";
import { heldBack } from "../decisions/standing.ts";
import type { House } from "../open-house.ts";
import { workSigned } from "../records/sign.ts";
import { begin, readBeginning } from "./beginnings.ts";
import { drive } from "./drive.ts";
import { type ChangeOrder, cannotJudge, findMatter, type Matter, mustProve, protectionsOf, whereOf } from "./find-change.ts";
import { giveUp } from "./give-up.ts";
import { asRecorded } from "./load-spec.ts";
import { openRefereeRun, policyHash, telling } from "./open-run.ts";
import { REFEREE_GONE } from "./plan-waking.ts";
import { specOnBase } from "./spec-on-base.ts";

export interface RefereeOrder extends ChangeOrder {
  /** A folder in the checkout. */
  readonly folder: string;
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

const LOCK_WAIT_MS = 8 * 60_000;

export async function referee(house: House, order: RefereeOrder, watch: Watch): Promise<Refereed> {
  if (await house.world.killSwitch.isOn()) throw heldBack("referee", "everything is stopped: the file STOP is in the home folder");
  const checkout = await house.world.checkouts.open(order.folder);
  const begun = order.head === undefined ? await readBeginning(house, checkout.root, order.session) : undefined;
  const matter = await findMatter(house, checkout, order, begun);
  mustProve(matter);
  const loop = refereeLoop(matter.loaded.spec.name);
  return holding(house, loop, watch, () => judge(house, { checkout, order, begun, matter, loop }, watch));
}

/** Writes down how the checkout is before the work. A session's beginning stays as it was written first. */
export async function beginReferee(
  house: House,
  { folder, cwd, loop, by, session }: Pick<RefereeOrder, "folder" | "cwd" | "loop" | "by" | "session">,
): Promise<Beginning> {
  const checkout = await house.world.checkouts.open(folder);
  const before = session === undefined ? undefined : await readBeginning(house, checkout.root, session);
  if (before) return before;
  const head = await checkout.head();
  const found =
    head &&
    (await specOnBase(whereOf(house, checkout, { cwd, loop }), head.commit).catch((error: unknown) => {
      // Which loop it will be is said when it is judged, unless somebody named one now.
      if (error instanceof LoopError && loop === undefined) return undefined;
      throw error;
    }));
  const protection = found ? protectionsOf(found.spec).hidden : { ...RefereeWish.parse({}) };
  return begin(house, checkout, { by, session, protection });
}

interface Hearing {
  readonly checkout: CheckoutOnDisk;
  readonly order: RefereeOrder;
  readonly begun: Beginning | undefined;
  readonly matter: Matter;
  readonly loop: string;
}

async function judge(house: House, hearing: Hearing, watch: Watch): Promise<Refereed> {
  const { checkout, loop, matter } = hearing;
  const last = await readLastRun(house.journal, loop);
  if (last && !last.state.rest) await giveUp(house, { last, rest: REFEREE_GONE }, watch);
  const number = (last?.opened.number ?? 0) + 1;
  const run = `${loop}-${number}-${house.world.ids.token()}`;
  await house.world.workshop.sweep(loop, run);
  const at = { loop, id: `${run}.snapshot` };
  try {
    const store = await house.world.checkouts.openStore(checkout.root, join(house.home.rounds, loop, at.id));
    const taken = await take(house, store, hearing);
    if (await isNothing(hearing, taken)) return { kind: "nothing", since: `${matter.base.ref} (${matter.base.commit.slice(0, 12)})` };
    return await openAndJudge(house, { ...hearing, store, taken, run, number }, watch);
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

async function take({ world }: House, store: string, { checkout, order, matter }: Hearing): Promise<Taken> {
  const { head, base, loaded } = matter;
  const headTree = await checkout.treeOf(head);
  if (order.head !== undefined) return { tree: headTree, commit: head, isTheirs: true, snapshot: undefined };
  const snapshot = await checkout.snapshot(store, hiddenPaths(protectionsOf(loaded.spec).hidden));
  if (snapshot.head.commit !== head) throw cannotJudge("HEAD moved while the checkout was read", "Try again when nobody works in it.");
  if (snapshot.tree === headTree) return { tree: headTree, commit: head, isTheirs: true, snapshot };
  const about = { tree: snapshot.tree, base: base.commit, at: world.clock.now().toISOString(), message: "What lies in the checkout.\n" };
  return { tree: snapshot.tree, commit: await world.checkouts.commitTree(store, about), isTheirs: false, snapshot };
}

interface Opening extends Hearing {
  readonly store: string;
  readonly taken: Taken;
  readonly run: string;
  readonly number: number;
}

async function openAndJudge(house: House, opening: Opening, watch: Watch): Promise<Refereed> {
  const { loop, run, checkout, begun, matter, store, taken } = opening;
  const { loaded, policy, head } = matter;
  const crew = assembleCrew(loaded.spec, house.registries);
  if (crew.proposes !== "commit") throw cannotJudge(`the loop ${loaded.spec.name} is not about changes`, "Name another loop with --loop.");
  const opened = await describe(house, opening);
  for (const { brings = [] } of crew.verifiers)
    for (const path of brings) await house.world.workshop.findBrought({ path, specFolder: opened.folder, repo: opened.repo });
  const journal = await openRunJournal(house.journal, { loop, run }, telling(watch));
  const { commit, snapshot } = taken;
  const change = { checkout, head, store, commit, snapshot, begun, protection: protectionsOf(loaded.spec), specInRepo: loaded.inRepo };
  const ready = await openRefereeRun(house, crew, change, { opened, journal, policy, watch });
  journal.hold(opened);
  return { kind: "judged", run, outcome: await drive(house, ready) };
}

async function describe(house: House, { checkout, order, begun, matter, taken, number }: Opening): Promise<RunOpened> {
  const { loaded, policy, base } = matter;
  const { spec, hash } = asRecorded(house, loaded.spec);
  const hook = await order.hook?.();
  return {
    kind: "run-opened",
    number,
    spec,
    specHash: hash,
    policyHash: await policyHash(house, policy),
    specPath: loaded.path,
    folder: loaded.folder,
    repo: checkout.root,
    base,
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

/** One referee after the other for a loop: each waits for the one before it. What came of it is signed. */
async function holding<T>(house: House, loop: string, watch: Watch, work: () => Promise<T>): Promise<T> {
  const busy = (): LoopError =>
    new LoopError("loop-busy", `another referee works by the same loop (${loop})`, { retry: "later", hint: "Try again when it is done." });
  return underLock({ locks: house.locks, name: `loop ${loop}`, ms: LOCK_WAIT_MS, stop: house.stop, busy }, () =>
    workSigned(house, loop, watch, work),
  );
}
