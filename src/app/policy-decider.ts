// The command guard as a run asks it.
import type { RunOpened } from "../contract/record.ts";
import type { RunRoom } from "../engine/run-round.ts";
import type { House } from "./compose.ts";
import { userFolder } from "./home.ts";
import { judgeCommand } from "./judge-command.ts";
import { loadPolicy } from "./load-policy.ts";

/** The guard with the policies beside the spec and of the user. Neither lies where a maker works. */
export async function deciderFor(house: House, { folder }: Pick<RunOpened, "folder">): Promise<RunRoom["decide"]> {
  const policy = await loadPolicy({ project: folder, user: userFolder(house.world.env) });
  return (command, at) => judgeCommand(command, at, policy);
}
