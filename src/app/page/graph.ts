// A loop drawn from its spec, with counts from its records: trigger, gather, maker, verifiers, gates, actions. Pure.
import type { GraphEdge, GraphNode, LoopGraph } from "../../contract/api.ts";
import { factsOf } from "../../contract/proposal.ts";
import { type LoopSpec, makersOf, type PartRef } from "../../contract/spec.ts";
import type { EntryOf } from "../../journal/journal.ts";
import { tellTrigger as tellWakers } from "../loops/tell-trigger.ts";
import { clipped } from "./clip.ts";

export interface GraphRecords {
  readonly opened: readonly EntryOf<"run-opened">[];
  readonly closed: readonly EntryOf<"round-closed">[];
  readonly decided: readonly EntryOf<"decided">[];
  readonly began: readonly EntryOf<"action-began">[];
  readonly done: readonly EntryOf<"action-done">[];
  readonly failed: readonly EntryOf<"action-failed">[];
}

const NONE = { done: 0, refused: 0 };

export function graphOf(spec: LoopSpec, records: GraphRecords): LoopGraph {
  const { opened, closed } = records;
  const accepted = closed.filter(({ record }) => record.verdict.kind === "accept").length;
  const taught = closed.filter(({ record }) => record.verdict.kind === "retry").length;
  const trigger = nodeOf("trigger", spec.trigger, 0, { done: opened.length, refused: 0 });
  const gather = spec.gather.map((part, index) => nodeOf("gather", part, index, { done: closed.length, refused: 0 }));
  const makers = makersOf(spec).map((part, index) => nodeOf("maker", part, index, { done: madeBy(part, index, closed), refused: 0 }));
  const verifiers = spec.verifiers.map((part, index) => nodeOf("verifier", part, index, verdictsOf(part, closed)));
  const gates = spec.level === "L1" ? [] : spec.gate.all.map((part, index) => nodeOf("gate", part, index, decisionsOf(part, records)));
  const actions = spec.act.map((part, index) => nodeOf("action", part, index, deedsOf(part, records)));
  const columns = [[trigger], gather, makers, verifiers, gates, actions].filter((column) => column.length > 0);
  const counts = new Map<GraphNode["kind"], number>([["gate", accepted]]);
  const flow = columns.slice(1).flatMap((column, index) =>
    column.flatMap((to) =>
      (columns[index] ?? []).map(
        (from): GraphEdge => ({
          from: from.id,
          to: to.id,
          kind: "flow",
          count: counts.get(to.kind) ?? to.counts.done + to.counts.refused,
        }),
      ),
    ),
  );
  const lessons = verifiers.flatMap(({ id }) =>
    makers.slice(0, 1).map((maker): GraphEdge => ({ from: id, to: maker.id, kind: "lesson", count: taught })),
  );
  return { nodes: columns.flat(), edges: [...flow, ...lessons], runs: opened.length };
}

const nodeOf = (kind: GraphNode["kind"], part: PartRef, index: number, counts: GraphNode["counts"]): GraphNode => ({
  id: `${kind}-${index + 1}`,
  kind,
  part: part.use,
  says: tellPart(part),
  counts,
});

/** Where it is not on record who made it, it was the first. */
const madeBy = ({ use }: PartRef, index: number, closed: GraphRecords["closed"]): number =>
  closed.filter(({ record }) => {
    const by = factsOf(record.evidence.proposal).maker?.name;
    return by === undefined ? index === 0 : by === use;
  }).length;

function verdictsOf({ use }: PartRef, closed: GraphRecords["closed"]): GraphNode["counts"] {
  const proofs = closed.flatMap(({ record }) => record.evidence.proofs.filter(({ verifier }) => verifier === use));
  const done = proofs.filter(({ outcome }) => outcome === "holds").length;
  return { done, refused: proofs.length - done };
}

/** Only what people said is on record; what other gates answered is in the actions that followed. */
function decisionsOf({ use }: PartRef, { decided }: GraphRecords): GraphNode["counts"] {
  if (use !== "ask") return NONE;
  return {
    done: decided.filter(({ record }) => record.decision === "approve").length,
    refused: decided.filter(({ record }) => record.decision === "reject" && record.tree !== "").length,
  };
}

/** A deed that failed is told by its name alone; what it was of stands where it began. */
function deedsOf({ use }: PartRef, { began, done, failed }: GraphRecords): GraphNode["counts"] {
  const deeds = new Set(began.filter(({ record }) => record.action === use).map(({ record }) => record.deed));
  return {
    done: done.filter(({ record }) => record.receipt.action === use).length,
    refused: failed.filter(({ record }) => deeds.has(record.deed)).length,
  };
}

const MOST_CHARS = 80;

/** What a part is told, in a few words: its first plain option; nothing where it has none. */
function tellPart({ with: options = {} }: PartRef): string {
  const plain = Object.values(options).find((value) => typeof value === "string" || typeof value === "number");
  return plain === undefined ? "" : clipped(String(plain), MOST_CHARS);
}

/** What wakes a loop, in words. */
export const tellTrigger = (trigger: PartRef): string =>
  trigger.use === "manual" ? "by hand only" : clipped(tellWakers(trigger), MOST_CHARS);
