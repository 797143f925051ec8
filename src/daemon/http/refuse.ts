// Why something was not answered, as a response: our own errors with their status, and nothing of what is inside for the others.
import { HTTPException } from "hono/http-exception";
import { NothingThere } from "../../app/page/nothing-there.ts";
import type { InboxCard, Refusal } from "../../contract/api.ts";
import { isLoopError, type LoopError } from "../../contract/errors.ts";

export type Problems = NonNullable<Refusal["error"]["problems"]>;

export const refuse = (status: number, { code, message, hint }: Refusal["error"], problems?: Problems): Response =>
  Response.json({ error: { code, message, hint, ...(problems ? { problems } : {}) } } satisfies Refusal, { status });

/** Of everything that is thrown on the way to an answer. */
export function refuseError(error: unknown): Response {
  if (error instanceof HTTPException && error.status < 500)
    return refuse(error.status, {
      code: "bad-input",
      message: "what was sent is not JSON",
      hint: "Send what /api/openapi.json describes.",
    });
  if (isLoopError(error)) return refuse(statusOf(error), error);
  return refuse(500, {
    code: "bug",
    message: "this is a mistake of ours; nothing was changed by it",
    hint: "`lw doctor` and the terminal of `lw serve` tell more.",
  });
}

function statusOf(error: LoopError): number {
  if (error instanceof NothingThere) return 404;
  if (error.retry === "later") return 503;
  return error.code === "loop-held" ? 409 : error.code === "bad-input" ? 400 : 503;
}

/** It changed meanwhile, or cannot be decided about: nothing moved, and this is what is there now. */
export const refuseDecision = ({ code, message, hint }: LoopError, now: InboxCard | undefined): Response =>
  Response.json({ error: { code, message, hint }, now: now ?? null } satisfies Refusal, { status: 409 });
