// The command guard as a run asks it.
import type { RunOpened } from "../../contract/record.ts";
import type { RunRoom } from "../../engine/run.ts";
import type { PolicyReading } from "../../guard/command/policy.ts";
import { canonicalJson, sha256 } from "../../std/hash.ts";
import { userFolder } from "../home.ts";
import type { House } from "../open-house.ts";
import { loadLimits } from "../read-limits.ts";
import { judgeCommand } from "./judge-command.ts";
import { loadPolicy } from "./load-policy.ts";

/** Of everything besides the spec that a run goes by: the rules for commands, and the caps on spending. */
export const policyHashOf = async (house: House, folder: string): Promise<string> =>
  hashOfPolicy(house, await loadPolicy({ project: folder, user: userFolder(house.world.env) }));

export async function hashOfPolicy({ home }: Pick<House, "home">, policy: PolicyReading): Promise<string> {
  const limits = await loadLimits(home.folder);
  return sha256(canonicalJson(JSON.parse(JSON.stringify({ policy, limits }))));
}

/** The guard with the policies beside the spec and of the user. Neither lies where a maker works. */
export async function deciderFor(house: House, { folder }: Pick<RunOpened, "folder">): Promise<RunRoom["decide"]> {
  const policy = await loadPolicy({ project: folder, user: userFolder(house.world.env) });
  return (command, at) => judgeCommand(command, at, policy);
}
