// A loop as L = (S, A, O, T, E, M, τ): its state, actions, observations, transitions, evaluators, memory and ends; and what it lacks of a loop.
import { type Anatomy, type CheckNode, nodesOf } from "../contract/anatomy.ts";

/** What its records say of it, where it ran. */
export interface LoopSeen {
  readonly runs: number;
  readonly rounds: number;
  /** How often each verdict and each ending was come to. */
  readonly verdicts: { readonly [kind: string]: number };
  readonly endings: { readonly [kind: string]: number };
}

export interface LoopModel {
  readonly state: readonly string[];
  readonly actions: readonly string[];
  readonly observations: readonly string[];
  readonly transitions: readonly string[];
  readonly evaluators: readonly string[];
  readonly memory: readonly string[];
  readonly ends: readonly string[];
  /** The four things that make it a loop. */
  readonly four: readonly { readonly what: string; readonly has: boolean; readonly why: string }[];
}

export function modelOf(anatomy: Anatomy, seen: LoopSeen | undefined): LoopModel {
  const makers = nodesOf(anatomy, "maker");
  const { rounds } = anatomy.bounds;
  const back = anatomy.edges.filter(({ kind }) => kind === "feedback").length;
  return {
    state: [
      ...(anatomy.dialect === "loopwright" ? ["the commit that work starts from, the maker's copy, and the number of the round"] : []),
      ...nodesOf(anatomy, "memory").map(({ name, lasts }) => `${name}, ${LASTS[lasts]}`),
      ...(seen ? [`on record: ${seen.runs} run(s) of ${seen.rounds} round(s)`] : []),
    ],
    actions: [...makers.map(({ name, says }) => told(name, says)), ...nodesOf(anatomy, "action").map(({ name, says }) => told(name, says))],
    observations: [
      ...nodesOf(anatomy, "input").map(({ name, says }) => told(name, says)),
      ...nodesOf(anatomy, "gather").map(({ name, says }) => told(name, says)),
      ...nodesOf(anatomy, "verifier").map(({ name }) => `what ${name} says`),
    ],
    transitions: [
      rounds === undefined ? "rounds without a bound" : `at most ${rounds} round(s)`,
      back > 0 ? `what is refused comes back on ${back} way(s)` : "nothing comes back: a round does not learn from the one before",
      ...(anatomy.composition === "none" ? [] : [`other loops, ${anatomy.composition}`]),
      ...(seen ? [`seen: ${counted(seen.verdicts)}`] : []),
    ],
    evaluators: nodesOf(anatomy, "verifier").map(tellCheck),
    memory: nodesOf(anatomy, "memory").map(({ name, says, lasts }) => `${told(name, says)}; ${LASTS[lasts]}`),
    ends: [
      ...nodesOf(anatomy, "end").map(({ says, family, holds }) => `${family}: ${says}${holds ? "" : " (does not hold it)"}`),
      ...(seen ? [`seen: ${counted(seen.endings)}`] : []),
    ],
    four: fourOf(anatomy),
  };
}

const LASTS = { round: "gone with the round", run: "gone with the run", runs: "stays from run to run" };

const told = (name: string, says: string): string => (says === "" || says === name ? name : `${name}: ${says}`);

const tellCheck = ({ name, is, refuses, doubt }: CheckNode): string =>
  `${name}: ${is === "human" ? "a person" : is === "proof" ? "a proof" : "an opinion"}${refuses === "yes" ? "" : refuses === "no" ? ", which cannot say no" : ", of which nobody knows whether it can say no"}${doubt === "" ? "" : ` (${doubt})`}`;

const counted = (counts: { readonly [kind: string]: number }): string =>
  Object.entries(counts)
    .map(([kind, count]) => `${count} × ${kind}`)
    .join(", ") || "nothing yet";

function fourOf(anatomy: Anatomy): LoopModel["four"] {
  const [trigger] = nodesOf(anatomy, "trigger");
  const external = nodesOf(anatomy, "verifier").filter(
    ({ refuses, isSelfGraded, about }) => refuses === "yes" && !isSelfGraded && about === "result",
  );
  const lasting = nodesOf(anatomy, "memory").filter(({ lasts }) => lasts === "runs");
  const bounds = nodesOf(anatomy, "end").filter(({ family, holds }) => holds && (family === "bound" || family === "stall"));
  return [
    {
      what: "trigger",
      has: trigger !== undefined && !trigger.isByHand,
      why: trigger === undefined ? "nothing says what wakes it" : trigger.isByHand ? "a person wakes it" : told(trigger.name, trigger.says),
    },
    {
      what: "external verifier",
      has: external.length > 0,
      why:
        external.length > 0
          ? external.map(({ name }) => name).join(", ")
          : "no check that can say no is of somebody else, and about the result",
    },
    {
      what: "durable state",
      has: lasting.length > 0,
      why: lasting.length > 0 ? lasting.map(({ name }) => name).join(", ") : "what it knows is gone with the run",
    },
    {
      what: "stop rule",
      has: bounds.length > 0,
      why: bounds.length > 0 ? bounds.map(({ says }) => says).join(", ") : "nothing ends it but its goal",
    },
  ];
}
