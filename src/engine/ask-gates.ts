// Asks the gates of a loop about one proposal; a gate that cannot be asked says no.

import type { Allowlist, Ruling } from "../contract/allowlist.ts";
import { LoopError } from "../contract/errors.ts";
import type { GateAnswer, Passing } from "../contract/gate.ts";
import type { World } from "../contract/world.ts";
import { checkAllowlist, doubtsAbout } from "../guard/allowlist.ts";
import { changeSetOf } from "../guard/diff/change-set-of.ts";
import { decidingOf } from "./kinds/index.ts";
import { ownPaths } from "./names.ts";
import type { Proposed } from "./proposed.ts";
import type { Run } from "./run.ts";
import { createNotifierWorld } from "./worlds/telling-world.ts";

export async function askGates(
  run: Run,
  proposed: Proposed,
  { level, approvals, now }: Pick<Passing, "level" | "approvals" | "now">,
): Promise<{ readonly answers: readonly GateAnswer[]; readonly rulings: readonly Ruling[] }> {
  const { crew, world } = run;
  const { opened, round, evidence, branch, state } = proposed;
  const { spec, repo, folder, base } = opened;
  const { proc, env } = createNotifierWorld(`${round.run}.gate`, run);
  const rulings: Ruling[] = [];
  const allowlist = async (list: Allowlist): Promise<Ruling> => {
    const ruling = await ruleOn(world, proposed, list);
    rulings.push(ruling);
    return ruling;
  };
  const passing: Passing = {
    loop: round.loop,
    run: round.run,
    intent: spec.intent,
    level,
    repo,
    folder,
    branch,
    commit: state.commit,
    tree: state.tree,
    base,
    evidence,
    approvals,
    now,
  };
  const answers: GateAnswer[] = [];
  for (const { name, ask } of crew.gates) {
    // A gate that cannot be asked says no.
    const answer = await ask(passing, { allowlist, proc, env, http: world.http }).catch((error: unknown): GateAnswer => {
      if (!(error instanceof LoopError)) throw error;
      return { kind: "no", why: `the gate ${name} could not be asked: ${error.message}` };
    });
    answers.push({ ...answer, why: `${name}: ${answer.why}` });
  }
  return { answers, rulings };
}

/** The allowlist's answer to a proposal as it stands, read from its objects. */
export async function ruleOn(world: Pick<World, "comparing">, proposed: Proposed, list: Allowlist): Promise<Ruling> {
  const { opened, evidence } = proposed;
  const compared = await decidingOf(proposed).compare(proposed, world);
  return checkAllowlist(changeSetOf(compared), list, { doubts: doubtsAbout(evidence), own: ownPaths(opened) });
}
