// The anatomy of a loop: what it is made of and what goes from where to where, told the same of ours and of other systems'.

interface Named {
  /** Letters, digits and dashes; each is there once. */
  readonly id: string;
  /** As its spec calls it. A stranger's word. */
  readonly name: string;
  /** In a few words what it is told. A stranger's words. */
  readonly says: string;
}

/** Whether a check could ever say no. `unknown`: nobody here knows what stands behind its name. */
export type Refuses = "yes" | "no" | "unknown";

export interface MakerNode extends Named {
  readonly kind: "maker";
  /** Whose model works; undefined where a program does, or nobody said. */
  readonly model: string | undefined;
  /** Why it cannot bring a goal nearer; undefined where it might. */
  readonly idle: string | undefined;
  /** How often more it may be called in a round where it fails. */
  readonly retries: number;
  /** It works only where the one before it cannot. */
  readonly isSpare: boolean;
  /** Of a worker that is another loop: how often somebody is called in a run of that at most; null where nobody knows. */
  readonly inside?: number | null;
}

export interface CheckNode extends Named {
  readonly kind: "verifier";
  readonly is: "proof" | "opinion" | "human";
  readonly refuses: Refuses;
  /** Why it is worth less than it looks; empty where it is not. */
  readonly doubt: string;
  /** `form`: it looks at the shape of a result, such as its length, and not at whether it is right. */
  readonly about: "result" | "form";
  readonly model: string | undefined;
  /** The model that made it is the one that judges it. */
  readonly isSelfGraded: boolean;
}

export interface GuardNode extends Named {
  readonly kind: "guard";
  /** Whether it keeps something from happening, or only says that it did. */
  readonly does: "stops" | "asks" | "tells";
}

export interface EndNode extends Named {
  readonly kind: "end";
  /** `bound`: so many rounds or so long, whatever happens. */
  readonly family: "success" | "failure" | "stall" | "bound" | "cost";
  /** False where it only warns, or where it is met before anything was done. */
  readonly holds: boolean;
}

export type AnatomyNode =
  | (Named & { readonly kind: "trigger"; readonly isByHand: boolean })
  | (Named & { readonly kind: "input" | "gather" | "action" })
  /** `inside` as of a maker that is another loop. */
  | (Named & { readonly kind: "child"; readonly inside: number | null })
  /** `round`: gone with the round; `run`: with the run; `runs`: it stays. */
  | (Named & { readonly kind: "memory"; readonly lasts: "round" | "run" | "runs" })
  | (Named & { readonly kind: "gate"; readonly asks: "human" | "machine" })
  | MakerNode
  | CheckNode
  | GuardNode
  | EndNode;

export interface AnatomyEdge {
  readonly from: string;
  readonly to: string;
  /** `feedback` is the way back of what was refused, `hands` what a loop of a composition hands to the next. */
  readonly kind: "wakes" | "reads" | "writes" | "checks" | "guards" | "feedback" | "decides" | "moves" | "ends" | "holds" | "hands";
  readonly says: string;
}

export interface Anatomy {
  readonly name: string;
  readonly goal: string;
  readonly dialect: "loopwright" | "lss";
  readonly nodes: readonly AnatomyNode[];
  readonly edges: readonly AnatomyEdge[];
  readonly bounds: {
    readonly rounds: number | undefined;
    readonly usd: number | undefined;
    /** Whether it ends there, and does not only say so. */
    readonly usdStops: boolean;
  };
  /** What the loop may change about itself from round to round. */
  readonly changes: "nothing" | "prompts" | "parameters" | "memory" | "structure";
  readonly composition: "none" | "sequential" | "parallel" | "nested";
  /** What the file says about its own worth, such as scores and levels: told, and never believed. */
  readonly claims: readonly { readonly at: string; readonly says: string }[];
}

type OfKind<K extends AnatomyNode["kind"]> = Extract<AnatomyNode, { readonly kind: K }>;

export const nodesOf = <K extends AnatomyNode["kind"]>({ nodes }: Pick<Anatomy, "nodes">, kind: K): readonly OfKind<K>[] =>
  nodes.filter((node): node is OfKind<K> => node.kind === kind);

/** How often somebody is called in a round at most: makers with their retries, checks that ask a model, and all of that in loops inside. */
export function callsARound(anatomy: Pick<Anatomy, "nodes">): number | null {
  const makers = nodesOf(anatomy, "maker").filter(({ isSpare }) => !isSpare);
  return total([
    ...makers.map(({ retries, inside = 1 }) => (inside === null ? null : (1 + retries) * inside)),
    ...nodesOf(anatomy, "verifier").map(({ is }) => (is === "opinion" ? 1 : 0)),
    ...nodesOf(anatomy, "child").map(({ inside }) => inside),
  ]);
}

const total = (counts: readonly (number | null)[]): number | null =>
  counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);

/** In a run; null where nothing bounds its rounds, or nobody knows what a loop inside does. */
export function callsARun(anatomy: Pick<Anatomy, "nodes" | "bounds">): number | null {
  const round = callsARound(anatomy);
  return round === null || anatomy.bounds.rounds === undefined ? null : anatomy.bounds.rounds * round;
}
