// Asks language models over HTTP: bounded in time, size and tries, with a key that is read here and told to nobody.
import { randomInt } from "node:crypto";
import type { LanguageModelV3, LanguageModelV3Content, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { Clock, Environment, Stop } from "../../../contract/clock.ts";
import { LoopError } from "../../../contract/errors.ts";
import type { ModelReply, ModelRequest, Models } from "../../../contract/models.ts";
import { boundedFetch, type Traffic } from "./bounded-fetch.ts";
import { modelPlace } from "./model-place.ts";
import { callOptions, replyOf, type Said, saidIn } from "./prompt.ts";
import { type CallFailure, nextTry } from "./try-again.ts";

const MOST_REPLY_BYTES = 16 * 1024 * 1024;

interface Footing {
  readonly env: Environment;
  readonly clock: Clock;
  /** Ends early when a stop is asked for. */
  readonly wait: (ms: number, stop: Stop) => Promise<void>;
  readonly stop: Stop;
}

export function createModels({ env, clock, wait, stop }: Footing): Models {
  return {
    async ask(ref, request) {
      const place = modelPlace(ref, env);
      const { openModel, readCallError } = await import("./providers.ts");
      const hideKey = withoutKey(place.key);
      const traffic: Traffic = { sent: 0, received: 0 };
      const model = openModel(ref, place, boundedFetch(MOST_REPLY_BYTES, traffic));
      const overMs = clock.monotonicMs() + request.timeoutMs;

      for (let made = 1; ; made++) {
        const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(overMs - clock.monotonicMs())));
        const stopping = new AbortController();
        const goAway = stop.onAsk(() => stopping.abort());
        const signal = AbortSignal.any([stopping.signal, timeout]);
        try {
          return { ...(await callOnce(model, request, signal, hideKey)), bytes: { ...traffic } };
        } catch (error) {
          if (stop.asked()) throw interrupted(error);
          if (timeout.aborted) throw tooSlow(ref.model, request.timeoutMs, error);
          const ours = ownErrorIn(error);
          if (ours) throw ours;
          const next = nextTry(failureOf(error, readCallError(error), hideKey), {
            made,
            leftMs: overMs - clock.monotonicMs(),
            nowMs: clock.now().getTime(),
            chance: randomInt(1000) / 1000,
            model: ref.model,
          });
          if (next.kind === "give-up") throw next.failure;
          await wait(next.ms, stop);
        } finally {
          goAway();
        }
      }
    },
  };
}

/** A server may send the key back. One of a few letters would be found everywhere. */
const withoutKey =
  (key: string | undefined) =>
  (text: string): string =>
    key && key.length >= 6 ? text.replaceAll(key, "[the key]") : text;

async function callOnce(
  model: LanguageModelV3,
  request: ModelRequest,
  abortSignal: AbortSignal,
  hideKey: (text: string) => string,
): Promise<Omit<ModelReply, "bytes">> {
  abortSignal.throwIfAborted();
  const options = { ...callOptions(request), abortSignal };
  if (!request.hear) {
    const { content, finishReason, usage } = await model.doGenerate(options);
    return replyOf({ ...saidIn(content, hideKey), finishReason, usage }, request);
  }
  const { stream } = await model.doStream(options);
  return replyOf(await listen(stream, request.hear, hideKey), request);
}

async function listen(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  hear: NonNullable<ModelRequest["hear"]>,
  hideKey: (text: string) => string,
): Promise<Said> {
  const content: LanguageModelV3Content[] = [];
  let end: Pick<Said, "finishReason" | "usage"> | undefined;
  hear({ kind: "began" });
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "text-delta") {
      content.push({ type: "text", text: part.delta });
      hear({ kind: "text", text: hideKey(part.delta) });
    }
    if (part.type === "tool-call") {
      content.push(part);
      hear({ kind: "call", tool: part.toolName });
    }
    if (part.type === "finish") end = part;
  }
  // A provider says how it ended; a line that was cut does not, and what came over it is not the whole.
  if (!end || end.finishReason.raw === undefined) throw new CutStream();
  return { ...saidIn(content, hideKey), finishReason: end.finishReason, usage: end.usage };
}

class CutStream extends Error {
  override readonly name = "CutStream";
  constructor() {
    super("the reply was cut off");
  }
}

function failureOf(
  error: unknown,
  call: (Omit<CallFailure, "message" | "cause" | "isUnreached"> & { readonly body: string }) | undefined,
  hideKey: (text: string) => string,
): CallFailure {
  const message = hideKey(error instanceof Error ? error.message : String(error));
  // What the library knows of the call holds the request and its headers: only words go on from here.
  const cause = new Error(message);
  const isUnreached = wasUnreached(error);
  if (call)
    return {
      ...call,
      isUnreached,
      message: call.body.includes(message) || call.body === "" ? message : `${message}: ${hideKey(call.body)}`,
      cause,
    };
  return { status: undefined, headers: {}, isPassing: error instanceof CutStream || isBrokenLine(error), isUnreached, message, cause };
}

const UNREACHED: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Nobody was there to do anything. */
const wasUnreached = (error: unknown): boolean => causesOf(error).some((cause) => "code" in cause && UNREACHED.has(cause.code));

/** Node's own word for a connection that ended before the reply did. */
const isBrokenLine = (error: unknown): boolean => error instanceof TypeError && /^(terminated|fetch failed)$/.test(error.message);

/** The library may have wrapped what our own fetch threw. */
const ownErrorIn = (error: unknown): LoopError | undefined => causesOf(error).find((cause) => cause instanceof LoopError);

function causesOf(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && found.length < 10; at = at.cause) found.push(at);
  return found;
}

const interrupted = (cause: unknown): LoopError =>
  new LoopError("interrupted", "stopped while a model was asked", { retry: "later", hint: "Go on with `lw resume`.", cause });

const tooSlow = (model: string, timeoutMs: number, cause: unknown): LoopError =>
  new LoopError("model-failed", `${model} did not answer within ${Math.round(timeoutMs / 1000)}s`, {
    retry: "later",
    hint: "See whether its server is up, or give it more time.",
    cause,
  });
