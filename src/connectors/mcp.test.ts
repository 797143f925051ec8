import { expect, it } from "vitest";
import { LoopError } from "../contract/errors.ts";
import type { McpLine, TalkWithServer } from "../contract/mcp.ts";
import { untrustedText } from "../contract/text.ts";
import { mcp } from "./mcp.ts";

const ORDER = { repo: "/repo", baseRef: "main", cursors: {}, nowMs: 0, folder: "/specs", loop: "triage" };
const answer = (text: string, isError = false) => ({ text: untrustedText(text), isError });

/** A server whose tool `broken` answers with an error of its own, and which is gone where `dead` is called. */
const LINE: McpLine = {
  tools: async () => [],
  async call(tool) {
    if (tool === "dead")
      throw new LoopError("mcp-failed", "the server tracker could not be talked with: it exited with 3", { retry: "later", hint: "" });
    return tool === "broken" ? answer("no such project", true) : answer(`${tool} says this`);
  },
  read: async (uri) => answer(`what stands at ${uri}`),
};
const talk: TalkWithServer = async (_entry, work) => ({
  value: await work(LINE),
  refused: ["sampling/createMessage"],
  box: { kind: "none", why: "none was asked for" },
});

function gather(tools: readonly string[], cursors = {}) {
  const gathering = mcp.configure({
    server: { name: "tracker", run: "./tracker" },
    calls: tools.map((tool) => ({ tool })),
    resources: ["memo://today"],
  });
  return gathering({ ...ORDER, cursors }, { talk });
}

it("brings each answer once, and tells of a tool that answers with an error beside what the others brought", async () => {
  const first = await gather(["list", "broken"]);
  const again = await gather(["list", "broken"], first.cursors);

  expect(first.things.map(({ title, body, trust }) => [title, body, trust])).toEqual([
    ["list", "list says this", "outsider"],
    ["memo://today", "what stands at memo://today", "outsider"],
  ]);
  expect(first.notes).toEqual([
    "broken answered with an error: no such project",
    "the server asked for what it is not given: sampling/createMessage",
  ]);
  expect(again.things).toEqual([]);
});

it("ends as every source does that cannot be read: with its name and the reason, and nothing is taken for read", async () => {
  await expect(gather(["list", "dead"])).rejects.toMatchObject({
    code: "mcp-failed",
    retry: "later",
    message: "the server tracker could not be talked with: it exited with 3",
  });
});
