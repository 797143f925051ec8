// What those may reach who gather, prepare, gate, act and tell.
import type { ConnectorWorld } from "../../contract/connector.ts";
import type { NotifierWorld } from "../../contract/part-worlds.ts";
import type { World } from "../../contract/world.ts";
import { readAcceptedTools } from "../../journal/accepted-tools.ts";
import type { Run } from "../run.ts";
import { type AskGuard, guardProc, mustAllow, withoutSecrets } from "./guard-proc.ts";
import { talkWithin } from "./mcp-world.ts";

/** What the command that prepares may reach: it works on base, and sees the secrets that its spec names. */
export const createPreparerWorld = (
  mark: string,
  timeLeftMs: number,
  inherit: readonly string[],
  { world, guard }: { readonly world: World; readonly guard: AskGuard },
): Pick<NotifierWorld, "proc" | "env"> => ({
  proc: guardProc(world, guard, mark, {}, timeLeftMs),
  env: withoutSecrets(world.env, inherit),
});

export const createNotifierWorld = (
  mark: string,
  { world, guard }: { readonly world: World; readonly guard: AskGuard },
): NotifierWorld => ({
  proc: guardProc(world, guard, mark, {}, Number.MAX_SAFE_INTEGER),
  files: world.files,
  env: world.env,
  http: world.http,
  mail: world.mail,
});

/** Their commands come from the spec or are those of its ecosystem, and take what the user's own would. */
export const createConnectorWorld = (
  mark: string,
  { world, guard, opened, records }: Pick<Run, "world" | "guard" | "opened" | "records">,
): ConnectorWorld => ({
  talk: talkWithin({ world, guard, mark, folder: opened.folder, accepted: (of) => readAcceptedTools(records, of) }),
  proc: procApart(world, guard, mark),
  git: world.git,
  scout: world.scout,
  forges: guardForges(world, guard),
  files: world.files,
  env: world.env,
});

/** Whatever carries the mark of a command ends with it. Connectors gather at once, so that each command has a mark of its own. */
function procApart(world: World, guard: AskGuard, mark: string): ConnectorWorld["proc"] {
  let commands = 0;
  return {
    run(command, dialogue) {
      commands += 1;
      return guardProc(world, guard, `${mark}.gather.${commands}`, {}, Number.MAX_SAFE_INTEGER).run(command, dialogue);
    },
  };
}

/** A command that prints a token is a command like any other. */
const guardForges = ({ forges }: Pick<World, "forges">, guard: AskGuard): World["forges"] => ({
  async open(wish) {
    if (wish.token?.kind === "command") mustAllow(wish.token.run, guard(wish.token.run, {}));
    return forges.open(wish);
  },
});
