// Whether a change is inside an allowlist, for `lw check-allowlist`: of a recorded proposal, or of two commits of any repository.
import { Allowlist, type Ruling } from "../../contract/allowlist.ts";
import { LoopError } from "../../contract/errors.ts";
import { ruleOn } from "../../engine/ask-gates.ts";
import { checkAllowlist } from "../../guard/allowlist.ts";
import { changeSetOf } from "../../guard/diff/change-set-of.ts";
import { globProblem } from "../../std/glob.ts";
import type { House } from "../open-house.ts";
import { type ScanWorld, scanRepositoryBy } from "../scans/scan-diff.ts";
import { findProposal } from "./find-proposal.ts";

/** Of two commits: what the scanner finds between them closes it too. */
export async function ruleOnCommitsBy(
  world: ScanWorld,
  repo: string,
  { base, head }: { readonly base: string; readonly head: string },
  list: Allowlist,
): Promise<Ruling> {
  const { findings } = await scanRepositoryBy(world, repo, base, { kind: "commit", head });
  const compared = await world.changes.betweenCommits(repo, base, head);
  const doubts = findings.map(({ rule, file, what }) => `the scanner found ${rule}: ${file} ${what}`);
  return checkAllowlist(changeSetOf(compared), list, { doubts, own: [] });
}

/** Of the proposal of a run, with everything that is on record about it; by its spec's own list, unless another is given. */
export async function ruleOnRun(house: House, asked: string, given: Allowlist | undefined): Promise<Ruling> {
  const { proposed } = await findProposal(house, asked);
  const list = given ?? listOf(proposed.opened.spec.gate?.all ?? []);
  return ruleOn(house.world, proposed, list);
}

/** A list as a person gives it on the command line. */
export function readAllowlist(value: unknown): Allowlist {
  const parsed = Allowlist.safeParse(value);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new LoopError("bad-input", `this allowlist cannot be read: ${first?.path.join(".")} ${first?.message}`, {
      retry: "never",
      hint: "Write e.g. --allow 'docs/**' --files 10 --lines 200; `lw check-allowlist entries` lists what --loosen takes.",
    });
  }
  for (const glob of [...parsed.data.allow, ...parsed.data.deny]) {
    const problem = globProblem(glob);
    if (problem)
      throw new LoopError("bad-input", `the glob ${JSON.stringify(glob)} ${problem}`, { retry: "never", hint: "Write e.g. 'docs/**'." });
  }
  return parsed.data;
}

/** The allowlist of a spec, if it has one. */
export function listOf(gates: readonly { readonly use: string; readonly with?: unknown }[]): Allowlist {
  const gate = gates.find(({ use }) => use === "allowlist");
  if (!gate)
    throw new LoopError("bad-input", "the spec has no gate that is an allowlist", {
      retry: "never",
      hint: "Give one with --allow, or add it to gate.all.",
    });
  return readAllowlist(gate.with);
}
