// Servers that a spec names, as parts of a run may talk with them: past the guard, in a box, and only by tools that somebody accepted as they are.
import { LoopError } from "../../contract/errors.ts";
import type { McpEntry, McpLine, TalkWithServer, ToolSeen } from "../../contract/mcp.ts";
import type { World } from "../../contract/world.ts";
import { comparePins, serverHash } from "../../guard/tool-pins.ts";
import { displayLine } from "../../std/display-text.ts";
import { chosenEnvironment } from "../../std/environment.ts";
import { isObject } from "../../std/json-record.ts";
import { misfit } from "../../std/json-shape.ts";
import { type AskGuard, mustAllow } from "./guard-proc.ts";

interface Within {
  readonly world: Pick<World, "servers" | "env">;
  readonly guard: AskGuard;
  readonly mark: string;
  /** Where the spec lies; servers are started there. */
  readonly folder: string;
}

/** For who looks at a server before anything of it was accepted. */
export function talkFreely({ world, guard, mark, folder }: Within): TalkWithServer {
  let talks = 0;
  return async (entry, work) => {
    talks += 1;
    // Whatever carries the mark ends with the command: several go on at once, and none may end another.
    const own = `${mark}.${entry.name}-${talks}`;
    mustAllow(entry.run, guard(entry.run, { workspace: folder }));
    // Nothing of ours but what its entry names: no key of the home's owner, and no folder but the spec's, to read.
    const env = chosenEnvironment(["HOME", ...entry.inherit], world.env);
    return world.servers.talk({ entry, cwd: folder, env, mark: own, box: boxOf(entry, folder) }, work);
  };
}

export function talkWithin({
  accepted,
  ...within
}: Within & { readonly accepted: (of: string) => Promise<readonly ToolSeen[]> }): TalkWithServer {
  const talk = talkFreely(within);
  return async (entry, work) => {
    const pins = await accepted(serverHash(entry));
    return talk(entry, (line) => work(onlyAccepted(entry, pins, line)));
  };
}

const boxOf = ({ network, reads, box }: McpEntry, folder: string) => ({
  when: box,
  network: typeof network === "string" ? network : { allow: network.allow, credentials: [] },
  rooms: [],
  needs: [folder],
  reads,
  writes: [],
  hidden: [],
  folder,
});

const MOST_ASKED = 256 * 1024;

/** Tools are looked at once in a conversation, before the first is called; what is another since somebody accepted it is not called. */
function onlyAccepted(entry: McpEntry, pins: readonly ToolSeen[], line: McpLine): McpLine {
  let listed: Promise<readonly ToolSeen[]> | undefined;
  const seen = (): Promise<readonly ToolSeen[]> => {
    listed ??= line.tools();
    return listed;
  };
  return {
    ...line,
    async tools() {
      const all = await seen();
      const fit = new Set(comparePins(pins, all).flatMap(({ name, state }) => (state === "accepted" ? [name] : [])));
      return all.filter(({ name }) => fit.has(name));
    },
    async call(tool, asked) {
      const all = await seen();
      const pin = comparePins(pins, all).find(({ name }) => name === tool);
      const now = all.find(({ name }) => name === tool);
      if (pin?.state !== "accepted" || !now) throw notAccepted(entry, tool, pin);
      const problem =
        JSON.stringify(asked).length > MOST_ASKED
          ? "it is too long"
          : isObject(now.inputSchema)
            ? misfit(asked, now.inputSchema)
            : undefined;
      if (problem !== undefined)
        throw new LoopError(
          "mcp-failed",
          `${entry.name}'s ${tool} is not asked: what it would be asked with does not fit: ${displayLine(problem, 300)}`,
          {
            retry: "never",
            hint: "Correct it in the spec; `lw mcp inspect` shows what the tool takes.",
          },
        );
      return line.call(tool, asked);
    },
  };
}

const WHY = {
  new: "nobody has accepted it yet",
  gone: "the server has it no more",
  changed: "it is another than the one that was accepted",
  accepted: "",
} as const;

function notAccepted({ name }: McpEntry, tool: string, pin: ReturnType<typeof comparePins>[number] | undefined): LoopError {
  const fields = pin?.changes.map(({ field }) => field).join(", ");
  return new LoopError(
    "mcp-failed",
    `${displayLine(tool, 80)} of the server ${name} is not called: ${pin ? WHY[pin.state] : "there is no such tool"}${fields ? ` (${fields})` : ""}`,
    { retry: "never", hint: "A person looks with `lw mcp inspect`, and accepts it with `lw mcp accept`." },
  );
}
