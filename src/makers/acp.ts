// Any agent that speaks the Agent Client Protocol: it asks before it acts, and the guard answers.
import type {
  NewSessionRequest,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
  Stream,
} from "@agentclientprotocol/sdk";
import * as z from "zod";
import type { Speaker } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import { type AgentProgram, defineMaker, type EditOrder } from "../contract/maker.ts";
import type { MakerEvent } from "../contract/maker-events.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import { parseDuration } from "../std/duration.ts";
import { fieldsOf, readRecord, textIn } from "../std/json-record.ts";
import { pathInside, permit } from "./acp-permission.ts";
import { amountIn, textEvent, toolEvents, troubleEvents, usageEvent } from "./agent-events.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { AGENT_OPTIONS, agentEnvironment, concludeTalk, createListener, type Listener } from "./run-agent.ts";

export const acp = defineMaker({
  name: "acp",
  summary: "Lets any agent that speaks the Agent Client Protocol work in the maker's copy; what it asks permission for, the guard decides.",
  options: z.strictObject({
    run: z
      .string()
      .min(1)
      .meta({ description: "The command that starts the agent, given to /bin/sh.", examples: ["gemini --acp"] }),
    timeout: AGENT_OPTIONS.timeout,
    inherit: AGENT_OPTIONS.inherit,
    keeps: z
      .array(z.string().min(1).max(1000))
      .max(20)
      .optional()
      .meta({
        description:
          "Where the agent keeps its login and its state, which the box leaves open for it. Default: what is known of Claude Code, Codex, Gemini CLI, opencode and pi.",
        examples: [["~/.my-agent"]],
      }),
  }),
  throughUs: true,
  programOf: ({ run, keeps }) => {
    const known = programIn(run);
    return keeps ? { ...known, keeps } : known;
  },
  // An agent that nobody knows is told from others by how it is started, and by its keys.
  loginOf: ({ run, inherit }) => (programIn(run) ? undefined : { of: "acp", variables: inherit, says: [], address: run }),
  async edit(order, { run, timeout, inherit }, world) {
    const listener = createListener({}, world, () => undefined);
    const line = createLine(world);
    let conversation: Promise<Ending> = Promise.resolve({ kind: "failed", why: "it never began" });
    try {
      const { end, tail } = await world.proc.run(
        {
          run,
          cwd: order.workspace.work,
          timeoutMs: parseDuration(timeout)!,
          env: agentEnvironment(order, { inherit, timeout, args: [] }, world),
        },
        {
          begun(speaker) {
            listener.dialogue.begun?.(speaker);
            conversation = converse(order, world, listener, line.open(speaker)).finally(() => speaker.end());
          },
          heard: line.heard,
        },
      );
      line.close();
      const ending = await conversation;
      if (ending.kind === "failed" && !listener.didWork() && end.kind === "exited" && [126, 127].includes(end.code)) {
        throw new LoopError("maker-failed", `the agent could not be run (exit ${end.code}): ${tail.trim().slice(-500)}`, {
          retry: "never",
          hint: `Try it by hand: ${run}`,
        });
      }
      const trouble = ending.kind === "failed" ? [ending.why, listener.lastError() ?? ""].filter(Boolean).join("\n") : listener.lastError();
      return concludeTalk(listener, trouble, ending.kind === "ended", run, () => {
        if (end.kind === "timed-out") return `it took longer than ${end.afterMs} ms`;
        if (ending.kind === "failed") return "the conversation with it broke off";
        return ending.reason === "end_turn" ? undefined : `it stopped: ${ending.reason}`;
      });
    } finally {
      line.close();
      await conversation.catch(() => {}); // what made it fail is already being thrown
      await listener.settle();
    }
  },
});

const KNOWN = [claudeCode, codex, geminiCli, opencode, pi].flatMap(({ program }) => program ?? []);

/** By the words of its command: `gemini --acp`, `npx claude-code-acp`, `/opt/bin/codex-acp`. */
function programIn(run: string): AgentProgram | undefined {
  const words = run.split(/\s+/).map((word) => word.slice(word.lastIndexOf("/") + 1));
  return KNOWN.find(({ name }) => words.some((word) => word === name || word.startsWith(`${name}-`)));
}

type Ending = { readonly kind: "ended"; readonly reason: string } | { readonly kind: "failed"; readonly why: string };

/** The messages to and from the agent, as the protocol's library wants them. */
function createLine({ agent }: MakerWorld) {
  type Message = Stream["readable"] extends ReadableStream<infer M> ? M : never;
  let controller: ReadableStreamDefaultController<Message> | undefined;
  const readable = new ReadableStream<Message>({
    start(given) {
      controller = given;
    },
    // The library hangs up once the conversation is over.
    cancel() {
      controller = undefined;
    },
  });
  return {
    open: (speaker: Speaker): Stream => ({
      readable,
      writable: new WritableStream<Message>({ write: (message) => speaker.say(`${JSON.stringify(message)}\n`) }),
    }),
    async heard(line: string): Promise<void> {
      const read = readRecord(line);
      if (read.kind !== "record" || read.fields.get("jsonrpc") !== "2.0") return agent.missed();
      controller?.enqueue(Object.fromEntries(read.fields) as Message); // the library checks every message itself
    },
    close(): void {
      const open = controller;
      controller = undefined;
      open?.close();
    },
  };
}

async function converse(order: EditOrder, world: MakerWorld, listener: Listener, stream: Stream): Promise<Ending> {
  const { client, methods, PROTOCOL_VERSION } = await import("@agentclientprotocol/sdk");
  const { workspace, brief } = order;
  let isReplaying = false;
  // One after the other, in the order in which they came.
  let taken: Promise<void> = Promise.resolve();
  const take = (events: readonly MakerEvent[]): Promise<void> => {
    taken = taken.then(async () => {
      for (const event of events) await listener.take(event);
    });
    return taken;
  };
  const fileInside = (path: string): string => {
    const inner = pathInside(workspace.work, path);
    if (inner === undefined) throw new Error(`${path} is outside the workspace`);
    return inner;
  };
  const app = client({ name: "loopwright" })
    .onNotification(methods.client.session.update, ({ params }) => (isReplaying ? undefined : take(readUpdate(params.update))))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      const permission = permit(params.toolCall, workspace.work, world.agent.askGuard);
      if (!permission.allowed) await take([{ kind: "refused", what: untrustedText(permission.why) }]);
      return answerWith(params, permission.allowed);
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params: { path, line, limit } }) => {
      const text = await world.files.read(fileInside(path));
      if (text === undefined) throw new Error(`${path} is not a file of the workspace`);
      const from = Math.max(0, (line ?? 1) - 1);
      return {
        content:
          line || limit
            ? text
                .split("\n")
                .slice(from, limit ? from + limit : undefined)
                .join("\n")
            : text,
      };
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params: { path, content } }) => {
      await world.files.write(fileInside(path), content);
      await take([{ kind: "file-change", path: untrustedText(path) }]);
      return {};
    })
    .onRequest(methods.client.elicitation.create, async ({ params }) => {
      await take([{ kind: "question", text: untrustedText(textIn(fieldsOf(params), "message") ?? "it asks for something") }]);
      return { action: "cancel" as const };
    });

  try {
    return await app.connectWith(stream, async (agent): Promise<Ending> => {
      const { agentCapabilities } = await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: false },
        clientInfo: { name: "loopwright", version: "1" },
      });
      const place: NewSessionRequest = { cwd: workspace.work, mcpServers: [] };
      const openNew = async (): Promise<string> => (await agent.request(methods.agent.session.new, place)).sessionId;
      const takeUp = async (sessionId: string): Promise<string> => {
        isReplaying = true;
        await agent.request(methods.agent.session.load, { ...place, sessionId }).finally(() => {
          isReplaying = false;
        });
        return sessionId;
      };
      const { earlierSession } = world.agent;
      const sessionId =
        earlierSession !== undefined && agentCapabilities?.loadSession
          ? await takeUp(earlierSession).catch(openNew) // one that cannot be found any more is begun anew
          : await openNew();
      await take([{ kind: "session", session: sessionId }]);
      const said = await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: brief }] });
      await taken;
      await take(readUsage(fieldsOf(said)?.get("usage")));
      return { kind: "ended", reason: said.stopReason };
    });
  } catch (error) {
    const why = whyFailed(error);
    await take(troubleEvents(why, world.agent.clock.now().getTime()));
    return { kind: "failed", why };
  }
}

function answerWith({ options }: RequestPermissionRequest, isAllowed: boolean): RequestPermissionResponse {
  // Once: the next call is another one.
  const chosen = options.find(({ kind }) => kind === (isAllowed ? "allow_once" : "reject_once"));
  return { outcome: chosen ? { outcome: "selected", optionId: chosen.optionId } : { outcome: "cancelled" } };
}

/** The protocol's update as events. A kind that we do not know says nothing. */
export function readUpdate(update: SessionUpdate): readonly MakerEvent[] {
  const fields = fieldsOf(update);
  switch (textIn(fields, "sessionUpdate")) {
    case "agent_message_chunk":
      return textEvent(textIn(fieldsOf(fields?.get("content")), "text"));
    case "tool_call": {
      const input = fields?.get("rawInput");
      const title = textIn(fields, "title") ?? "";
      return toolEvents(textIn(fields, "name") ?? textIn(fields, "kind") ?? "tool", input ?? { command: title });
    }
    case "usage_update": {
      const cost = fieldsOf(fields?.get("cost"));
      return textIn(cost, "currency") === "USD" ? [usageEvent("all", { tokens: undefined, usd: amountIn(cost, "amount") })] : [];
    }
    default:
      return [];
  }
}

function readUsage(usage: unknown): readonly MakerEvent[] {
  const fields = fieldsOf(usage);
  const tokens = amountIn(fields, "inputTokens", "outputTokens", "cachedWriteTokens") ?? amountIn(fields, "totalTokens");
  return tokens === undefined ? [] : [usageEvent("part", { tokens, part: "turn" })];
}

function whyFailed(error: unknown): string {
  const about = fieldsOf(error);
  const data = about?.get("data");
  const message = error instanceof Error ? error.message : (textIn(about, "message") ?? String(error));
  return data === undefined ? message : `${message}: ${(JSON.stringify(data) ?? "").slice(0, 1000)}`;
}
