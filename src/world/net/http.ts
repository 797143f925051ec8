// One request, one answer: no redirects, bounded in time and size, and nothing sent again.
import { LoopError } from "../../contract/errors.ts";
import type { Http } from "../../contract/net.ts";

const MOST_BYTES = 1024 * 1024;

export const http: Http = {
  async send({ method, url, headers, body, timeoutMs }) {
    try {
      const response = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await readBounded(response) };
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new LoopError("action-failed", `${new URL(url).host} could not be reached: ${why}`, {
        retry: "later",
        hint: "Look whether it is up; what was begun is looked up at the next try, and not repeated.",
        cause,
      });
    }
  },
};

async function readBounded({ body }: Response): Promise<string> {
  if (!body) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
