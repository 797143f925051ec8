// Drives somebody else's agent in the maker's copy: listens to it, counts what it uses, ends it when it must end, and says how it went.
import { dirname } from "node:path";
import * as z from "zod";
import type { Dialogue, Finished } from "../contract/commands.ts";
import { LoopError } from "../contract/errors.ts";
import type { EditOrder } from "../contract/maker.ts";
import type { MakerEvent, UsageEvent } from "../contract/maker-events.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import type { Talk } from "../contract/proposal.ts";
import { Duration, VariableName } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { parseDuration } from "../std/duration.ts";
import { chosenEnvironment } from "../std/environment.ts";
import { shellWord } from "../std/shell-word.ts";
import { isLoggedOut, questionAtEnd, type ReadLine } from "./agent-events.ts";

/** What every agent takes. */
export const AGENT_OPTIONS = {
  model: z
    .string()
    .regex(/^[\w./:@-]{1,100}$/, { error: "must be the name of a model" })
    .optional()
    .meta({ description: "The model, as the agent calls it. Default: the agent's own.", examples: ["sonnet"] }),
  args: z
    .array(z.string().min(1).max(500))
    .max(20)
    .default([])
    .meta({ description: "Further arguments for the agent, each as one word.", examples: [["--verbose"]] }),
  timeout: Duration.default("20m").meta({ description: "How long it may take.", examples: ["20m"] }),
  inherit: z
    .array(VariableName)
    .max(50)
    .default([])
    .meta({
      description:
        "Variables of your environment that it gets besides PATH, HOME, USER, locale and time zone; a key is there only if it is named here.",
      examples: [["ANTHROPIC_API_KEY"]],
    }),
};

/** Of agents that speak with many providers: those whose keys they take. */
export const PROVIDER_HOSTS: readonly string[] = [
  "api.anthropic.com",
  "api.openai.com",
  "generativelanguage.googleapis.com",
  "openrouter.ai",
  "api.groq.com",
  "api.mistral.ai",
  "api.deepseek.com",
];

export interface AgentOptions {
  readonly model?: string | undefined;
  readonly args: readonly string[];
  readonly timeout: string;
  readonly inherit: readonly string[];
}

/** How one agent is started in the maker's copy, and how what it prints is read. */
export interface AgentCall {
  /** The words of its command line. */
  readonly words: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** What it reads; a call without it is spoken to. */
  readonly input?: string;
  readonly read: ReadLine;
}

/** How it is called for a new conversation, or for one that is taken up again. */
export type CallAgent = (brief: string, session: string | undefined) => AgentCall | Promise<AgentCall>;

/** What an agent is told that has said all this before, and whose work may be gone. */
const TAKEN_UP =
  "You were interrupted. Look at your folder before you go on: what you changed before need not be in it any more. Do the whole task, with what you have learned. The task was:\n\n";

export async function runAgent(order: EditOrder, options: AgentOptions, world: MakerWorld, call: CallAgent): Promise<Talk> {
  const { earlierSession } = world.agent;
  if (earlierSession === undefined) return runOnce(order, options, world, await call(order.brief, undefined));
  const again = await call(`${TAKEN_UP}${order.brief}`, earlierSession);
  const listener = createListener(options, world, again.read);
  const finished = await listenTo(order, options, world, again, listener);
  // An agent that cannot find its conversation says so and does nothing: then it begins anew.
  if (!listener.didWork() && !listener.limit() && finished.end.kind === "exited" && finished.end.code !== 0)
    return runOnce(order, options, world, await call(order.brief, undefined));
  return conclude(again, finished, listener);
}

async function runOnce(order: EditOrder, options: AgentOptions, world: MakerWorld, call: AgentCall): Promise<Talk> {
  const listener = createListener(options, world, call.read);
  return conclude(call, await listenTo(order, options, world, call, listener), listener);
}

/** The environment of an agent: short, and without what tells git of anything above its copy. */
export const agentEnvironment = ({ workspace, spec, round }: EditOrder, { inherit }: AgentOptions, { env }: MakerWorld) => ({
  ...chosenEnvironment(["HOME", "USER", "LOGNAME", "SHELL", ...inherit], env),
  LOOPWRIGHT_BRIEF: workspace.brief,
  LOOPWRIGHT_LOOP: spec.name,
  LOOPWRIGHT_ROUND: round.id,
  GIT_CEILING_DIRECTORIES: dirname(workspace.work),
});

async function listenTo(
  order: EditOrder,
  options: AgentOptions,
  world: MakerWorld,
  { words, env, input }: AgentCall,
  listener: Listener,
): Promise<Finished> {
  try {
    return await world.proc.run(
      {
        run: words.map(shellWord).join(" "),
        cwd: order.workspace.work,
        input: input ?? "",
        timeoutMs: parseDuration(options.timeout)!,
        env: { ...agentEnvironment(order, options, world), ...env },
      },
      listener.dialogue,
    );
  } finally {
    await listener.settle();
  }
}

export interface Listener {
  readonly dialogue: Dialogue;
  /** Takes an event as if it had been printed. */
  take(event: MakerEvent): Promise<void>;
  /** Puts on the meter what is not there yet. */
  settle(): Promise<void>;
  didWork(): boolean;
  limit(): Extract<MakerEvent, { kind: "limit" }> | undefined;
  question(): string | undefined;
  lastText(): string;
  lastError(): string | undefined;
}

export function createListener({ model }: Pick<AgentOptions, "model">, { agent, meter }: MakerWorld, read: ReadLine): Listener {
  let end: (() => void) | undefined;
  let didWork = false;
  let limit: Extract<MakerEvent, { kind: "limit" }> | undefined;
  let question: string | undefined;
  let before: MakerEvent["kind"] | undefined;
  let lastText = "";
  let lastError: string | undefined;
  let tools = 0;
  let did: string[] = [];
  let all: UsageEvent | undefined;
  const parts = new Map<string, UsageEvent>();

  const reported = (): { readonly tokens: number; readonly usd: number } => {
    const sum = [...parts.values()].reduce((so, { tokens = 0, usd = 0 }) => ({ tokens: so.tokens + tokens, usd: so.usd + usd }), {
      tokens: 0,
      usd: 0,
    });
    // An agent that sums up less than it told in parts is not believed.
    return { tokens: Math.max(all?.tokens ?? 0, sum.tokens), usd: Math.max(all?.usd ?? 0, sum.usd) };
  };
  // What is spent ends the agent by itself: its world asks the meter while it runs.
  const report = async (): Promise<void> => {
    const { tokens, usd } = reported();
    await meter.total({
      tools,
      did,
      ...(tokens > 0 ? { tokens } : {}),
      ...(usd > 0 ? { usd } : {}),
      ...(model === undefined ? {} : { model }),
    });
    did = [];
  };

  const take = async (event: MakerEvent): Promise<void> => {
    await agent.tell(event);
    const wasText = before === "text";
    before = event.kind;
    switch (event.kind) {
      case "text":
        // Agents tell one text in pieces.
        lastText = (wasText ? lastText + event.text : event.text).slice(-2 * MOST_SUMMARY);
        didWork = true;
        limit = undefined;
        return;
      case "tool-call":
        tools++;
        did.push(`${event.tool} ${event.about}`);
        didWork = true;
        limit = undefined;
        return;
      case "usage":
        if (event.of === "all") all = event;
        else parts.set(event.part ?? `${parts.size}`, event);
        // Parts often leave out the dollars that the sum at the end has.
        if (event.of === "part") await report();
        return;
      case "limit":
        // The first that names a time is worth more than a later one that does not.
        limit = event.resetsAt === undefined && limit?.resetsAt !== undefined ? limit : event;
        return;
      case "question":
        question = event.text;
        // Nobody answers; it would wait, or guess.
        end?.();
        return;
      case "error":
        lastError = event.text;
        return;
      case "session":
      case "file-change":
      case "compacted":
      case "refused":
        return;
    }
  };

  return {
    dialogue: {
      begun: (speaker) => {
        end = () => speaker.end();
      },
      async heard(line) {
        const events = read(line, agent.clock.now().getTime());
        if (!events) return agent.missed();
        for (const event of events) await take(event);
      },
    },
    take,
    async settle() {
      await report();
      const { tokens, usd } = reported();
      if (tokens > 0 || usd > 0) return;
      // Turned away before it began: nothing was spent. Whatever else reports nothing is not known, and never zero.
      if (!didWork && limit) meter.free();
      else if (didWork) await agent.tell({ kind: "error", text: untrustedText("it reported no usage: what it used is estimated") });
    },
    didWork: () => didWork,
    limit: () => limit,
    question: () => question,
    lastText: () => lastText,
    lastError: () => lastError,
  };
}

const NOT_FOUND = new Set([126, 127]);
const MOST_SUMMARY = 2000;

function conclude({ words: [program = ""] }: AgentCall, { end, tail, missed }: Finished, listener: Listener): Talk {
  if (end.kind === "exited" && NOT_FOUND.has(end.code) && !listener.didWork()) {
    throw new LoopError("maker-failed", `${program} could not be run (exit ${end.code}): ${tail.trim().slice(-500)}`, {
      retry: "never",
      isFree: true,
      hint: missed ?? `Install it, or put it on the PATH; \`lw doctor\` says which agents are there.`,
    });
  }
  const isGood = end.kind === "exited" && end.code === 0;
  const trouble = listener.lastError() ?? (listener.didWork() || isGood ? undefined : tail.trim().slice(-500));
  return concludeTalk(listener, trouble, isGood, program, () => {
    if (end.kind === "timed-out") return `it took longer than ${end.afterMs} ms`;
    if (end.kind === "killed") return `it was killed by ${end.signal}`;
    return end.code === 0 ? undefined : `it exited ${end.code}`;
  });
}

/** How an agent's work ended. A limit passes and costs no round; nobody logged in will not pass; the rest is for the verdict. */
export function concludeTalk(
  listener: Listener,
  trouble: string | undefined,
  isGood: boolean,
  program: string,
  whyNot: () => string | undefined,
): Talk {
  const limit = listener.limit();
  if (limit) throw limited(program, limit);
  if (!isGood && trouble !== undefined && !listener.didWork() && isLoggedOut(trouble)) {
    throw new LoopError("maker-failed", `${program} is not logged in: ${trouble.slice(0, 500)}`, {
      retry: "never",
      isFree: true,
      hint: `Log in with ${program} by hand, or name the variable with its key in \`maker.with.inherit\`; \`lw doctor\` says what it lacks.`,
    });
  }
  const asked = listener.question();
  const text = listener.lastText().slice(-MOST_SUMMARY);
  if (asked !== undefined) return { ended: "asked", summary: untrustedText(text), question: untrustedText(asked.slice(0, 1000)) };
  const why = whyNot();
  if (why !== undefined) {
    const told = [why, trouble ?? "", text].filter(Boolean).join("\n");
    return { ended: "gave-up", summary: untrustedText(told.slice(0, MOST_SUMMARY)) };
  }
  const question = questionAtEnd(text);
  return { ended: "finished", summary: untrustedText(text), ...(question === undefined ? {} : { question: untrustedText(question) }) };
}

/** As it said it: whoever waits for it sees whether the time can be right. */
function limited(program: string, { says, resetsAt: until }: Extract<MakerEvent, { kind: "limit" }>): LoopError {
  return new LoopError("maker-rate-limited", `${program} has reached a limit: ${says.slice(0, 300)}`, {
    retry: "later",
    hint:
      until === undefined
        ? "Go on with `lw resume` when it has passed; the agent did not say when that is. It costs no round."
        : `It passes at ${until}: go on with \`lw resume\` then, or give the run the patience to wait with \`budget.patience\`. It costs no round.`,
    ...(until === undefined ? {} : { until }),
  });
}
