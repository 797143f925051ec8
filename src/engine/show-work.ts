// Lays what workers of a team made into a place of its own: to be proposed, or to be looked at by a verifier before that.
import type { ArtifactRef } from "../contract/artifacts.ts";
import type { FilesKind, KindName, ProposalOf } from "../contract/proposal.ts";
import type { Round } from "../contract/round.ts";
import { fileOf } from "../contract/team-graph.ts";
import { untrustedText } from "../contract/text.ts";
import type { Sight } from "../contract/verifier.ts";
import type { Apart, Workspace } from "../contract/workshop.ts";
import { isUntouched, undoneBy } from "../guard/seal.ts";
import { commitMessage, workerPlace } from "./names.ts";
import { NOTHING_PLANTED } from "./planted.ts";
import type { Run, Tested } from "./run.ts";
import { tipsOf } from "./team.ts";

/** What there is of a worker. */
export interface WorkMade {
  readonly id: string;
  readonly result?: ArtifactRef;
  readonly commit?: string;
}

/** Whose changes could not be brought together, and where. */
export interface Conflict {
  readonly between: readonly string[];
  readonly paths: readonly string[];
}

const MOST_PATHS = 20;

/** Brings commits together, and writes every other result into its file, over what the place was opened with. */
export async function layWork<K extends KindName>(
  { opened, world }: Pick<Run<K>, "opened" | "world">,
  { at, work, apart }: { readonly at: Round; readonly work: Workspace["work"]; readonly apart: Apart },
  made: readonly WorkMade[],
): Promise<Conflict | undefined> {
  const { team } = opened.spec;
  if (!team) throw new TypeError("a spec without a team");
  const tips = made.filter(({ id, commit }) => commit !== undefined && tipsOf(team, idsOf(made)).includes(id));
  if (tips.length > 0) {
    const commits = tips.flatMap(({ commit }) => commit ?? []);
    const merged = await world.workshop.merge(opened.repo, { ...at, id: workerPlace(at.id, "all", 1) }, commits);
    if (merged.kind === "conflict") return { between: idsOf(tips).slice(0, merged.at + 1), paths: merged.paths.slice(0, MOST_PATHS) };
    await world.workshop.restore(opened.repo, at, merged.commit, apart);
  }
  for (const { id, result } of made)
    if (result)
      await world.workspaceFiles(work).write(fileOf(id, team.workers[id]!), new TextDecoder().decode(await world.artifacts.read(result)));
  return undefined;
}

const idsOf = (made: readonly WorkMade[]): readonly string[] => made.map(({ id }) => id);

export interface Shown<K extends KindName> {
  readonly at: Round;
  readonly proposal: ProposalOf<K>;
  /** What is looked at, where sealed files are put back. */
  readonly tested: Tested | undefined;
}

/** Shows somebody what these workers made, on top of base and with its sealed files as they are there; what is missing shows nothing. */
export async function showWork<K extends KindName, T>(
  round: Round,
  run: Run<K>,
  { of, made, name }: { readonly of: readonly string[]; readonly made: readonly WorkMade[]; readonly name: string },
  look: (shown: Shown<K>) => Promise<T>,
): Promise<T | Sight> {
  const { opened, world } = run;
  const there = made.filter(({ id, result, commit }) => of.includes(id) && (result ?? commit) !== undefined);
  const missing = of.filter((id) => !idsOf(there).includes(id));
  if (missing.length > 0) return unknown(`there is nothing of ${missing.join(", ")} to look at`);
  const at: Round = { ...round, id: workerPlace(round.id, name, 1) };
  const apart = { hidden: [], leftOut: opened.spec.prepare?.keep ?? [] };
  try {
    const { work } = await world.workshop.openWorkspace(opened.repo, at, apart);
    const conflict = await layWork(run, { at, work, apart }, there);
    if (conflict) return unknown(`${conflict.between.join(" and ")} changed the same lines of ${conflict.paths.join(", ")}`);
    const laid = await world.workshop.commitWorkspace(opened.repo, at, commitMessage(opened, at), apart);
    const talk = { ended: "finished", summary: untrustedText(`what ${of.join(", ")} made`) } as const;
    const shown = { kind: run.kind.name, ...laid, talk, box: { kind: "unused" } } as const;
    const proposal = shown as ProposalOf<FilesKind> as ProposalOf<K>; // of the kind that the run proposes: only those have teams
    const sealing = run.kind.sealing(proposal, run, NOTHING_PLANTED);
    const tested = isUntouched(sealing)
      ? undefined
      : { commit: await world.workshop.undo(at, laid.commit, undoneBy(sealing)), without: sealing.dropped.map(({ path }) => path) };
    return await look({ at, proposal, tested });
  } finally {
    await world.workshop.close(at);
  }
}

const unknown = (detail: string): Sight => ({ outcome: "unknown", detail, output: undefined });
