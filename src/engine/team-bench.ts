// What a team has at hand while it works, and what has come of its workers so far.
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { BoxFact } from "../contract/commands.ts";
import type { CrewMaker } from "../contract/crew.ts";
import type { Proof } from "../contract/evidence.ts";
import type { Finding } from "../contract/finding.ts";
import type { ChildFact, FilesKind, JoinFact } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import type { Team, Worker } from "../contract/spec.ts";
import { parseSize } from "../guard/size.ts";
import type { Hit } from "../guard/spec-guards.ts";
import type { Order } from "./launch-maker.ts";
import type { Run } from "./run.ts";
import type { Tide } from "./steps.ts";

export const MOST_RESULT = "64kB";
export const AT_ONCE = 4;

/** What one try came to, as it is on record, and how long it took by itself, whoever worked beside it. */
export type Tried = { readonly tookMs?: number } & Came;

type Came =
  | ({ readonly kind: "made"; readonly box?: BoxFact; readonly brief?: ArtifactRef } & Work)
  | ({
      readonly kind: "failed";
      readonly why: string;
      readonly box?: BoxFact;
      readonly brief?: ArtifactRef;
      readonly isFinal?: true;
    } & Work)
  /** A loop that was called and had nothing to do. */
  | ({ readonly kind: "uncalled"; readonly why: string } & Work);

/** What there is of a worker, also where it does not hold. */
export interface Work {
  readonly result?: ArtifactRef;
  readonly commit?: string;
  /** Of a loop that was called: its run, and the files of its document by whoever made them. */
  readonly child?: ChildFact;
  readonly parts?: { readonly [name: string]: ArtifactRef };
  /** What guards of the spec saw in what it was told and made. */
  readonly guarded?: readonly Finding[];
}

export type WorkerEnd = (
  | Tried
  /** `question`: whether it is its turn nobody could tell. */
  | { readonly kind: "skipped"; readonly why: string; readonly question?: string }
) & { readonly tries: number };
/** A join has results of its own: those that it stands for, by the names of their workers. */
export type JoinEnd = JoinFact & { readonly kind: "made" | "failed" };
export type End = { readonly of: "worker"; readonly end: WorkerEnd } | { readonly of: "join"; readonly end: JoinEnd };

export interface Bench<K extends FilesKind> {
  readonly round: Round;
  readonly run: Run<K>;
  readonly order: Order;
  readonly crew: ReadonlyMap<string, CrewMaker<K>>;
  readonly team: Team;
  readonly ends: Map<string, End>;
  readonly worked: Tide;
  readonly spent: Tide;
  /** What checks said that somebody waits for, by their place in the spec: each looks once, however many wait. */
  readonly checked: Map<number, Promise<Proof>>;
  /** What guards saw in what a worker is told. */
  readonly toldBy: Map<string, readonly Hit[]>;
  /** How often a budget ended this round before: what followed from that is found out again. */
  readonly again: number;
  /** Places of tries that are over, while they are removed. */
  readonly closing: Promise<void>[];
}

export const mostBytes = ({ gives }: Worker): number => parseSize(gives.most ?? MOST_RESULT)!;

/** What a name stands for: the result of a worker, or of those that a join chose. */
export function resultsOf<K extends FilesKind>(
  { ends, team }: Bench<K>,
  name: string,
): readonly { readonly name: string; readonly ref: ArtifactRef }[] {
  const found = ends.get(name);
  if (found?.of === "worker") return found.end.kind === "made" && found.end.result ? [{ name, ref: found.end.result }] : [];
  if (found?.of !== "join" || found.end.kind !== "made") return [];
  const chosen = team.joins?.[name]?.how === "synthesis" ? [team.joins[name].by ?? ""] : found.end.chosen;
  return chosen.flatMap((id) => resultsOf({ ends, team } as Bench<K>, id)); // only these two are asked for
}
