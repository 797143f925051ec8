// What one run has at hand, and what its kind of proposal means to it.

import type { Comparison } from "../contract/change-set.ts";
import type { Gathered } from "../contract/connector.ts";
import type { CrewOf } from "../contract/crew.ts";
import type { Finding } from "../contract/evidence.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { DecidedKind, KindName, ProposalOf } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { AskableStop } from "../contract/stop.ts";
import type { Taint } from "../contract/text.ts";
import type { Accepted } from "../contract/verdict.ts";
import type { Sight, VerifyOf } from "../contract/verifier.ts";
import type { Watch } from "../contract/watch.ts";
import type { Rooms } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import type { SealPlan } from "../guard/seal.ts";
import type { Accounts } from "../journal/accounts.ts";
import type { JournalReader } from "../journal/journal.ts";
import type { Sighted } from "../journal/proposals.ts";
import type { RunJournal } from "../journal/run-journal.ts";
import type { Calls } from "./call-loop.ts";
import type { Planted } from "./planted.ts";
import type { Proposed } from "./proposed.ts";
import type { RunMeter } from "./spending/meter.ts";
import type { Purse } from "./spending/spending.ts";
import type { Steps } from "./steps.ts";
import type { AskGuard } from "./worlds/guard-proc.ts";

export type LimitWish = "wait" | "try";

export interface Run<K extends KindName = KindName> {
  readonly opened: RunOpened;
  readonly crew: CrewOf<K>;
  readonly kind: ProposalKind<K>;
  readonly journal: RunJournal;
  readonly steps: (id: string) => Steps;
  /** What all its spending goes by, and the meter that it goes through. */
  readonly purse: Purse;
  readonly meter: RunMeter;
  readonly world: World;
  /** Its own: asked for, it stops this run and no other. That of the process is one cause of it. */
  readonly stop: AskableStop;
  readonly guard: AskGuard;
  /** Stands for the rules that it asks, and for the caps on what it spends, as they are now. */
  readonly rules: () => Promise<string>;
  /** What is done about a limit in force on an account: it is waited for, unless somebody wants it to be tried all the same. */
  readonly limits: LimitWish;
  /** Which accounts of makers are used up, for all loops of the home. */
  readonly accounts: Accounts;
  /** What else is on record of its loop. */
  readonly records: Pick<JournalReader, "newestOf">;
  readonly watch: Watch;
  /** How it calls other loops for workers of its team. Not there where none may be called. */
  readonly calls?: Calls;
}

/** What of a round's surroundings its maker and its evidence go by. */
export interface Outside {
  readonly gathered: readonly Gathered[];
  readonly taint: Taint;
  /** Files of base that the maker does not get to see. */
  readonly hidden: readonly string[];
}

/** One way in which a proposal is looked at by every verifier. */
export interface Look {
  /** What is put behind the number of a verifier in names of steps and rooms. */
  readonly suffix: "" | "-own";
  /** As evidence says it; undefined where there is only one. */
  readonly room: "sealed" | "own" | undefined;
  /** What is looked at, where it is not the proposal's own commit. */
  readonly tested: Tested | undefined;
}

/** A proposal with its sealed files as they are on base. */
export interface Tested {
  readonly commit: string;
  /** Files of the proposal that are not in it. */
  readonly without: readonly string[];
}

/** What a verifier is handed besides the proposal. */
export interface Check<K extends KindName> {
  readonly round: Round;
  /** Stands for the round where places are concerned, if it is looked at somewhere else: what workers made, before it is proposed. */
  readonly at?: Round;
  readonly proposal: ProposalOf<K>;
  readonly verifier: VerifyOf<K>;
  /** Its place in the spec, from 1; and the same with which of its looks this is. */
  readonly number: number;
  readonly name: string;
  readonly tested: Tested | undefined;
  readonly timeLeftMs: number;
}

/** Everything that differs between one kind of proposal and another, from its making to its moving. */
export interface ProposalKind<K extends KindName> {
  readonly name: K;
  /** Whether files of base may be held out of its maker. */
  readonly holdsOut: boolean;
  make(round: Round, run: Run<K>, outside: Outside): Promise<ProposalOf<K>>;
  /** What can be seen of it without running anything. */
  scan(round: Round, proposal: ProposalOf<K>, run: Run<K>): Promise<readonly Finding[]>;
  /** What checks of base make of its new files; nothing where there are none. */
  plant(round: Round, proposal: ProposalOf<K>, run: Run<K>, step: Steps): Promise<Planted>;
  /** Which files of it are put back as they are on base. */
  sealing(proposal: ProposalOf<K>, run: Pick<Run<K>, "opened" | "journal">, planted: Planted): SealPlan;
  looks(round: Round, proposal: ProposalOf<K>, sealing: SealPlan, run: Run<K>): Promise<readonly Look[]>;
  verify(check: Check<K>, run: Run<K>, worldFor: (rooms: Rooms) => VerifierWorld): Promise<Sight>;
  /** What is no longer as it was, seen when the verifiers are done; not there where nobody else can have changed it. */
  lookAgain?(run: Run<K>): Promise<readonly Finding[]>;
  /** What becomes of it once it is accepted; not there where nothing moves. */
  act?(round: Round, proposal: ProposalOf<K>, run: Run<K>, on: Accepted["on"]): Promise<{ readonly branch: string | undefined }>;
  /** Keeps what a round made beyond its end, so that it can be proposed later; not there where nothing moves. */
  keepBest?(round: Round, proposal: ProposalOf<K>, run: Run<K>): Promise<void>;
  /** Proposes what was kept of a round that is over. */
  actOnBest?(round: Round, proposal: ProposalOf<K>, run: Run<K>, on: Accepted["on"]): Promise<{ readonly branch: string | undefined }>;
  /** Not there where nobody decides about it. */
  readonly deciding?: Deciding<Extract<K, DecidedKind>>;
}

/** What deciding about a proposal means, from the first look at where it stands to what is verified again before it moves. */
export interface Deciding<K extends DecidedKind> {
  /** What stands in its place outside; undefined when it is gone. */
  tip(proposed: Proposed<K>, world: Pick<World, "mover">): Promise<string | undefined>;
  /** What stands in its place, and whether base has it already. */
  sight(proposed: Proposed<K>, world: Pick<World, "mover" | "git">): Promise<Pick<Sighted, "branch" | "base" | "verifiedOn">>;
  /** What a reviewer made of it, which is to be taken for it from now on; refused where there is no such thing. */
  amend(proposed: Proposed<K>, world: Pick<World, "mover">): Promise<Pick<Proposed<K>["state"], "commit" | "tree">>;
  /** What it would change, for whoever has to allow it. */
  compare(proposed: Proposed<K>, world: Pick<World, "comparing">): Promise<Comparison>;
  /** As it stands after what reviewers made of it, to be looked at in a round of its own. */
  asAmended(round: Round, proposed: Proposed<K>, world: Pick<World, "workshop">): Promise<ProposalOf<K>>;
}
