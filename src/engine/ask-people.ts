// Asks people about a proposal, by its tree: what they said, that they have yet to say it, or that their time is over.
import type { ArtifactRef } from "../contract/artifacts.ts";
import { LoopError } from "../contract/errors.ts";
import type { Entry } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import type { Sight, Verify } from "../contract/verifier.ts";
import { displayLine } from "../std/display-text.ts";
import type { Run } from "./run.ts";

/** What is on record of a question about this tree. */
export type Standing =
  | { readonly kind: "not-asked" }
  | { readonly kind: "waits"; readonly until: string }
  | { readonly kind: "said"; readonly says: "yes" | "no"; readonly by: string; readonly why: string };

/** The first answer in time counts: what was said later, of another tree, or to another question, is no answer to this. */
export function standingOf(entries: readonly Entry[], tree: string, ask: string): Standing {
  const asked = entries
    .flatMap(({ record, seq }) =>
      record.kind === "review-asked" && record.tree === tree && record.ask === ask ? [{ ...record, seq }] : [],
    )
    .at(-1);
  if (!asked) return { kind: "not-asked" };
  const said = entries.find(
    ({ record, at, seq }) => record.kind === "reviewed" && record.tree === tree && seq > asked.seq && at <= asked.until,
  );
  if (said?.record.kind !== "reviewed") return { kind: "waits", until: asked.until };
  const { says, by, why } = said.record;
  return { kind: "said", says, by, why };
}

/** What people are asked about: a tree, and where that is no proposal, whose work it is and what to look at. */
export interface Asked {
  readonly tree: string;
  readonly of?: readonly string[];
  readonly shows?: ArtifactRef;
}

/** Safe to be done twice: whoever was asked already is not asked again. */
export async function askPeople(
  { id, loop, run: runId }: Round,
  { tree, ...work }: Asked,
  { ask, withinMs }: NonNullable<Verify["asks"]>,
  { journal, world }: Pick<Run, "journal" | "world">,
): Promise<Sight> {
  await journal.refresh();
  const standing = standingOf(journal.entries, tree, ask);
  const now = world.clock.now();
  if (standing.kind === "said") return said(standing);
  if (standing.kind === "waits" && now.toISOString() > standing.until)
    return {
      outcome: "unknown",
      detail: `nobody answered until ${standing.until}, and silence is no yes: ${displayLine(ask, 200)}`,
      output: undefined,
    };
  const until = standing.kind === "waits" ? standing.until : new Date(now.getTime() + withinMs).toISOString();
  if (standing.kind === "not-asked") await journal.write({ kind: "review-asked", roundId: id, tree, ask, until, ...work });
  throw new LoopError("review-pending", `a person is asked: ${displayLine(ask, 300)}`, {
    retry: "later",
    until,
    hint: `Look with \`lw show ${runId}\`, say \`lw review ${runId} yes\` or \`no\`, then \`lw resume ${loop}\`.`,
  });
}

const said = ({ says, by, why }: Extract<Standing, { kind: "said" }>): Sight => ({
  outcome: says === "yes" ? "holds" : "refuted",
  detail: `${by} says ${says}${why === "" ? "" : `: ${displayLine(why, 500)}`}`,
  output: undefined,
  measured: { score: says === "yes" ? 1 : 0 },
});
