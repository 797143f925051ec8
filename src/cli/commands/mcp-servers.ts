// lw mcp list, inspect, accept and call: the servers that a loop's spec names.
import { userFolder } from "../../app/home.ts";
import { policyIn } from "../../app/open-guard.ts";
import type { House } from "../../app/open-house.ts";
import { partsOf } from "../../app/open-parts.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import type { LoadedSpec } from "../../app/runs/load-spec.ts";
import { acceptTools, callTool, type Inspected, inspectServer, listServers, type ServerPlace } from "../../app/servers/look-at-server.ts";
import { serverCalled, serversIn } from "../../app/servers/servers-in.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { displayLine, visibleText } from "../../std/display-text.ts";
import { isObject } from "../../std/json-record.ts";
import { tellBox } from "../../std/tell-box.ts";
import { type Call, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { deciderOf } from "../who.ts";
import { withHouse } from "../with-house.ts";

const VERBS = { list, inspect, accept, call: callOne } as const;
export const isAboutServers = (action: string): action is keyof typeof VERBS => Object.hasOwn(VERBS, action);

/** The spec as it lies there, and the house. */
interface Asked {
  readonly call: Call;
  readonly house: House;
  readonly loaded: LoadedSpec;
  readonly place: ServerPlace;
  readonly rest: readonly string[];
}

export async function aboutServers(call: Call, action: keyof typeof VERBS, [loop, ...rest]: readonly string[]): Promise<ExitName> {
  if (loop === undefined)
    throw new LoopError("bad-input", `lw mcp ${action} wants a loop`, {
      retry: "never",
      hint: `Write lw mcp ${action} ${action === "list" ? "LOOP" : action === "call" ? "LOOP SERVER TOOL" : "LOOP [SERVER]"}.`,
    });
  const loading = await loadSpec(await findSpec(loop, call.io.cwd), call.io.cwd, await partsOf(call.home));
  if (loading.kind === "refused") {
    for (const problem of loading.problems) call.io.err(`${formatProblem(problem)}\n`);
    return "usage";
  }
  const { loaded } = loading;
  const policy = await policyIn({ project: loaded.folder, user: userFolder(environmentOf(call.env)) });
  return withHouse(call, (house) => VERBS[action]({ call, house, loaded, place: { folder: loaded.folder, policy }, rest }));
}

async function list({ call, house, loaded }: Asked): Promise<ExitName> {
  const servers = await listServers(house, serversIn(loaded.spec));
  if (wantsJson(call)) printJson(call, { servers });
  else if (servers.length === 0) call.io.err(`lw: the loop ${loaded.spec.name} names no server\n`);
  for (const { server, run, network, accepted } of wantsJson(call) ? [] : servers) {
    const reach = typeof network === "string" ? network : `only ${network.allow.join(", ")}`;
    call.io.out(
      `${server}  ${displayLine(run, 200)}\n  network ${reach}; accepted: ${displayLine(accepted.join(", "), 400) || "nothing yet"}\n`,
    );
  }
  return "done";
}

async function inspect({ call, house, loaded, place, rest }: Asked): Promise<ExitName> {
  const inspected = await inspectServer(house, serverCalled(loaded.spec, rest[0]), place);
  if (wantsJson(call)) printJson(call, inspected);
  else call.io.out(tell(call, inspected));
  return inspected.tools.every(({ state }) => state === "accepted") ? "done" : "waiting";
}

async function accept({ call, house, loaded, place, rest }: Asked): Promise<ExitName> {
  const entry = serverCalled(loaded.spec, rest[0]);
  const { seen, tool } = call.options;
  const only = Array.isArray(tool) ? tool.map(String) : [];
  const wishes = { ...deciderOf(call), seen: seen === undefined ? undefined : String(seen), only };
  const tools = await acceptTools(house, entry, place, wishes);
  const names = tools.flatMap(({ name, state }) => (state === "accepted" ? [name] : []));
  if (wantsJson(call)) printJson(call, { server: entry.name, accepted: names });
  else call.io.out(`accepted  ${entry.name}: ${displayLine(names.join(", "), 2_000) || "no tool"}\n`);
  return "done";
}

async function callOne({ call, house, loaded, place, rest }: Asked): Promise<ExitName> {
  const [server, tool, written = "{}"] = rest;
  if (server === undefined || tool === undefined)
    throw new LoopError("bad-input", "lw mcp call wants a server and a tool", {
      retry: "never",
      hint: `Write lw mcp call LOOP SERVER TOOL '{"name": "value"}'.`,
    });
  const { value, refused } = await callTool(house, serverCalled(loaded.spec, server), place, { tool, with: readArguments(written) });
  if (wantsJson(call)) printJson(call, { ...value, refused });
  // What a stranger's server says must not act on a terminal.
  else call.io.out(`${call.io.outIsTerminal ? visibleText(value.text) : value.text}\n`);
  return value.isError ? "checkFailed" : "done";
}

function readArguments(written: string): { readonly [name: string]: unknown } {
  try {
    const read: unknown = JSON.parse(written);
    if (isObject(read)) return read;
  } catch {
    // said below
  }
  throw new LoopError("bad-input", "what the tool is asked with is no JSON object", {
    retry: "never",
    hint: `Write e.g. '{"state": "open"}'.`,
  });
}

/** Everything that a person should see before accepting; all of it is strangers' words. */
function tell({ io }: Call, { server, seen, tools, refused, box }: Inspected): string {
  const paint = createPaint(io.outColor);
  const lines = tools.flatMap(({ name, state, changes, tool }) => [
    `${paint("bold", displayLine(name, 100))}  ${paint(state === "accepted" ? "green" : "yellow", state)}`,
    ...(state === "new" && tool
      ? [
          ...visibleText(tool.description ?? "")
            .slice(0, 4_000)
            .split("\n")
            .map((line) => `    ${line}`),
          `    takes ${displayLine(JSON.stringify(tool.inputSchema), 2_000)}`,
          ...(tool.annotations === undefined ? [] : [`    says of itself ${displayLine(JSON.stringify(tool.annotations), 400)}`]),
        ]
      : []),
    ...changes.flatMap(({ field, before, now }) => [
      `    ${field}:`,
      ...visibleText(before)
        .slice(0, 4_000)
        .split("\n")
        .map((line) => paint("red", `    - ${line}`)),
      ...visibleText(now)
        .slice(0, 4_000)
        .split("\n")
        .map((line) => paint("green", `    + ${line}`)),
    ]),
  ]);
  const asked = refused.length > 0 ? [`it asked for what it is not given: ${displayLine(refused.join(", "), 200)}`] : [];
  return `${[...lines, ...asked, `box  ${tellBox(box)}`, `accept what you see here: lw mcp accept LOOP ${server} --seen ${seen}`].join("\n")}\n`;
}
