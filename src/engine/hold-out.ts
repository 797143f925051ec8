// What the maker does not get to see: a part of the sealed files, drawn anew for every run, and what checks of it said.

import type { CrewOf } from "../contract/crew.ts";
import { LoopError } from "../contract/errors.ts";
import type { Finding, HeldOut } from "../contract/evidence.ts";
import type { TreeFile } from "../contract/git.ts";
import { factsOf, type KindName, type Proposal } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { untrustedText } from "../contract/text.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Sample } from "../contract/verifier.ts";
import { isSealedBy, type SealWishes } from "../guard/seal.ts";
import { compileGlobs } from "../std/glob.ts";
import { canonicalJson, hmacSha256, sha256 } from "../std/hash.ts";
import type { Run } from "./run.ts";
import { seedOf } from "./worlds/verifier-world.ts";

/** Files that are hidden from the maker of this run. Nothing of it is on record before the makers are done: it can be drawn again. */
export async function drawHidden({
  opened,
  crew,
  kind,
  journal,
  world,
}: Pick<Run, "opened" | "crew" | "kind" | "journal" | "world">): Promise<readonly string[]> {
  const samples = samplesOf(crew);
  if (samples.length === 0 || !kind.holdsOut) return [];
  const files = await world.git.filesOf(opened.repo, opened.base.commit);
  const secret = world.ids.secretFor(`held out of ${journal.run}`);
  return [...new Set(samples.flatMap((sample) => drawSample(files, sample, opened.spec, secret)))].sort();
}

const samplesOf = ({ verifiers }: Pick<CrewOf<KindName>, "verifiers">): readonly Sample[] =>
  verifiers.flatMap(({ holdsOut }) => holdsOut?.samples ?? []);

/** Pure: who does not know the secret cannot tell which files it will be. At least one, and never what is not sealed. */
export function drawSample(files: readonly TreeFile[], { from, size }: Sample, wishes: SealWishes, secret: string): readonly string[] {
  const isAsked = compileGlobs(from);
  const isSealed = isSealedBy(wishes);
  const paths = files.flatMap(({ path, mode }) => (mode.startsWith("100") && isAsked(path) && isSealed(path) ? [path] : []));
  if (paths.length === 0) throw nothingToDraw(from);
  const most = "count" in size ? size.count : Math.max(1, Math.round(size.share * paths.length));
  const lots = paths.map((path) => ({ path, lot: hmacSha256(secret, path) }));
  return lots
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, most)
    .map(({ path }) => path);
}

/** The places in the spec of checks that a brief must not tell about. */
export const untold = ({ verifiers }: Pick<CrewOf<KindName>, "verifiers">): ReadonlySet<number> =>
  new Set(verifiers.flatMap(({ holdsOut }, index) => (holdsOut ? [index] : [])));

/** A maker may rightly have written a test where it saw none, so this is shown, and decides nothing. */
export const displacedFindings = (proposal: Proposal): readonly Finding[] =>
  factsOf(proposal).displaced.map((path) => ({
    rule: "held-out-file",
    severity: "medium",
    where: path,
    file: path,
    why: "The maker left something at the path of a file that was held out. Base's version stands there; look at the maker's, if it matters.",
  }));

/** What a round's evidence says about it. What another maker could still use is told only by its hash. */
export function heldOutEvidence(
  round: Round,
  { crew, kind, world }: Run,
  hidden: readonly string[],
  verdict: Verdict,
): HeldOut | undefined {
  if (untold(crew).size === 0 || !kind.holdsOut) return undefined;
  const told = { seed: seedOf(round.id, world), files: hidden.length, sha256: sha256(canonicalJson(hidden)) };
  return verdict.kind === "retry" ? told : { ...told, paths: hidden };
}

/** What any check printed may quote the files that are hidden, so that the next maker is only told which of them failed. */
export function hushed(verdict: Verdict, hidden: readonly string[], refuted: readonly string[]): Verdict {
  if (hidden.length === 0 || verdict.kind !== "retry" || verdict.because !== "check-failed" || refuted.length === 0) return verdict;
  const names = [...new Set(refuted)].join(", ");
  return {
    ...verdict,
    lesson: untrustedText(`These checks failed: ${names}. What they printed is not told, because some of the tests are kept from you.`),
  };
}

const nothingToDraw = (from: readonly string[]): LoopError =>
  new LoopError(
    "bad-input",
    `nothing can be held out: no sealed file of base matches ${from.map((glob) => JSON.stringify(glob)).join(", ")}`,
    {
      retry: "never",
      hint: "Name test files of base in the sample's `from`; what is not sealed by default needs `seal`.",
    },
  );
