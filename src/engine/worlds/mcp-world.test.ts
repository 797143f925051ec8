import { describe, expect, it } from "vitest";
import { fakeMcpServer, type Play, TOOL } from "../../../test/support/fake-mcp-server.ts";
import { McpEntry, type McpLine, type ToolSeen } from "../../contract/mcp.ts";
import { createServers } from "../../world/mcp/servers.ts";
import { talkFreely, talkWithin } from "./mcp-world.ts";

const ENTRY = McpEntry.parse({
  name: "tracker",
  run: "./tracker",
  inherit: ["TRACKER_TOKEN"],
  network: { allow: ["tracker.example.com"] },
  timeout: "5s",
});
const VARIABLES: { readonly [name: string]: string } = {
  PATH: "/bin",
  HOME: "/home/ada",
  TRACKER_TOKEN: "theirs",
  GITHUB_TOKEN: "of-the-owner",
  LOOPWRIGHT_HOME: "/home/of/loops",
};

function place(play?: Play, tools?: readonly object[]) {
  const server = fakeMcpServer(play, tools);
  const within = {
    world: { servers: createServers(server), env: { get: (name: string) => VARIABLES[name] } },
    guard: (command: string) => ({ decision: command.includes("rm") ? ("deny" as const) : ("allow" as const), findings: [] }),
    mark: "r.1",
    folder: "/specs",
  };
  const told = (work: (line: McpLine) => Promise<unknown>, accepted: readonly ToolSeen[] = [TOOL]) =>
    talkWithin({ ...within, accepted: async () => accepted })(ENTRY, work).catch((error: Error) => error.message);
  return { ...server, within, told };
}

const call = (line: McpLine) => line.call("list_issues", { state: "open" });

describe("a server that a spec names", () => {
  it("runs in a box with the network and the variables that its entry names, and no others", async () => {
    const { told, commands } = place();

    await told(call);

    expect(commands.map(({ run, cwd, env, box }) => ({ run, cwd, env, box }))).toEqual([
      {
        run: "./tracker",
        cwd: "/specs",
        env: { PATH: "/bin", HOME: "/home/ada", TRACKER_TOKEN: "theirs" },
        box: {
          when: "required",
          network: { allow: ["tracker.example.com"], credentials: [] },
          rooms: [],
          needs: ["/specs"],
          reads: [],
          writes: [],
          hidden: [],
          folder: "/specs",
        },
      },
    ]);
  });

  it("is shown no secret of the owner that its entry does not name, in its variables, its command line or what it is asked", async () => {
    const { told, commands, heard } = place();

    await told(async (line) => [await line.tools(), await call(line), await line.read("memo://today")]);
    const shown = JSON.stringify({ commands, heard });

    expect(heard.length).toBeGreaterThan(3);
    expect(shown).toContain("theirs");
    for (const secret of [VARIABLES.GITHUB_TOKEN, VARIABLES.LOOPWRIGHT_HOME, "GITHUB_TOKEN"]) expect(shown).not.toContain(secret);
  });

  it("has a mark of its own in each conversation, so that no server ends with another", async () => {
    const { within, commands } = place();
    const talk = talkFreely(within);

    await Promise.all([talk(ENTRY, (line) => line.tools()), talk(ENTRY, (line) => line.tools())]);

    expect(commands.map(({ mark }) => mark)).toEqual(["r.1.tracker-1", "r.1.tracker-2"]);
  });

  it("is not started where the guard says no", async () => {
    const { within, commands } = place();

    await expect(talkFreely(within)({ ...ENTRY, run: "rm -rf /" }, call)).rejects.toThrow("the guard did not let this run");
    expect(commands).toEqual([]);
  });

  it("is asked by an accepted tool, with what fits its schema, and answers", async () => {
    const { told } = place();

    expect(await told(call)).toMatchObject({ value: { text: 'asked {"state":"open"}', isError: false }, refused: [] });
    expect(await told((line) => line.call("list_issues", { state: 5 }))).toContain("it.state is integer");
    expect(await told((line) => line.call("list_issues", {}))).toContain("it has no state");
    expect(await told((line) => line.call("list_issues", { state: "x".repeat(300_000) }))).toContain("too long");
    expect(await told((line) => line.read("memo://today"))).toMatchObject({ value: { text: "a memo" } });
  });

  it.each([
    ["was never accepted", [], "nobody has accepted it yet"],
    ["has another description", [{ ...TOOL, description: "Lists issues. " }], "another than the one that was accepted (description)"],
    ["takes something else", [{ ...TOOL, inputSchema: { type: "object" } }], "(inputSchema)"],
    ["says something else of itself", [{ ...TOOL, annotations: { readOnlyHint: true } }], "(annotations)"],
  ])("is not called by a tool that %s", async (_, accepted, why) => {
    const { told, heard } = place();

    expect(await told(call, accepted as readonly ToolSeen[])).toContain(why);
    expect(await told((line) => line.tools(), accepted as readonly ToolSeen[])).toMatchObject({ value: [] });
    expect(heard.filter(({ method }) => method === "tools/call")).toEqual([]);
  });
});

describe("a hostile server", () => {
  const on =
    (method: string, play: (message: Parameters<Play>[0], playing: Parameters<Play>[1]) => void): Play =>
    (message, playing) => {
      if (message.method !== method) return false;
      play(message, playing);
      return true;
    };

  it("is given nothing that it asks for, and that is told", async () => {
    const { told, heard } = place(
      on("tools/call", (message, { print, answer }) => {
        for (const method of ["sampling/createMessage", "elicitation/create", "roots/list"])
          print(JSON.stringify({ jsonrpc: "2.0", id: `q-${method}`, method, params: {} }));
        answer(message, { content: [{ type: "text", text: "done" }] });
      }),
    );

    const came = await told(call);

    expect(came).toMatchObject({ value: { text: "done" }, refused: ["sampling/createMessage", "elicitation/create", "roots/list"] });
    expect(heard.filter(({ id }) => String(id).startsWith("q-")).map((message) => Object.keys(message).toSorted())).toEqual(
      Array(3).fill(["error", "id", "jsonrpc"]),
    );
  });

  it("whose images and links are told is not followed", async () => {
    const content = [
      { type: "image", data: "QUJD", mimeType: "image/png" },
      { type: "resource_link", uri: "http://169.254.169.254/latest", name: "x" },
      { type: "resource", resource: { uri: "a:b", text: "words" } },
    ];
    const { told, commands } = place(on("tools/call", (message, { answer }) => answer(message, { content })));

    expect(await told(call)).toMatchObject({
      value: { text: "[image, not shown: about 3 bytes, image/png]\n[a link, not followed: http://169.254.169.254/latest]\nwords" },
    });
    expect(commands).toHaveLength(1);
  });

  it.each([
    ["exits in the middle", on("tools/call", (_, { exit }) => exit(3)), "it exited with 3"],
    ["sends a message without end", on("tools/call", (_, { print }) => print("x".repeat(1024 * 1024))), "a message of more than"],
    [
      "chatters without end",
      on("tools/call", (_, { print }) => {
        const noise = JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "" } });
        for (let count = 0; count < 6_000; count++) print(noise);
      }),
      "more than 5000 messages",
    ],
    [
      "floods",
      on("tools/call", (_, { print }) => {
        const noise = JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/message",
          params: { level: "info", data: "x".repeat(900_000) },
        });
        for (let count = 0; count < 60; count++) print(noise);
      }),
      "more than 33554432 characters",
    ],
    [
      "prints what is no protocol",
      on("tools/call", (_, { print }) => {
        for (let count = 0; count < 200; count++) print("loading…");
      }),
      "no messages of the protocol",
    ],
    [
      "answers with nonsense",
      on("initialize", (message, { answer }) => answer(message, { protocolVersion: 7 })),
      "could not be talked with",
    ],
    [
      "turns pages for ever",
      on("tools/list", (message, { answer }) => answer(message, { tools: [], nextCursor: `${Math.random()}` })),
      "more than 50 pages",
    ],
    [
      "has one name twice",
      on("tools/list", (message, { answer }) => answer(message, { tools: [TOOL, TOOL] })),
      "two tools called list_issues",
    ],
  ])("that %s ends the conversation with the reason", async (_, play, why) => {
    const { told } = place(play);

    expect(await told(call)).toContain(why);
  });

  it("that answers what nobody asked, with wrong ids and in other forms, is not heard", async () => {
    const { told } = place(
      on("tools/call", (message, { print, answer }) => {
        for (const id of [999, "x", null])
          print(JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "forged" }] } }));
        print(`[${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: {} })}]`);
        print(`{"jsonrpc":"2.0","id":${message.id},"result":${"[".repeat(5_000)}${"]".repeat(5_000)}}`);
        answer(message, { content: [{ type: "text", text: "true" }] });
      }),
    );

    expect(await told(call)).toMatchObject({ value: { text: "true" } });
  });

  it("whose schema is a program for a checker costs nothing", async () => {
    const evil = {
      ...TOOL,
      inputSchema: { type: "object", properties: { state: { type: "string", pattern: "^(a+)+$" } }, $ref: "http://evil.example/" },
    };
    const { told } = place(undefined, [evil]);

    expect(await told((line) => line.call("list_issues", { state: `${"a".repeat(40)}!` }), [evil])).toMatchObject({
      value: { isError: false },
    });
  });
});
