// A fetch that goes where it was sent and nowhere else, and that stops reading when there is too much.
import { LoopError } from "../../../contract/errors.ts";

/** What went over the wire, counted while it goes. */
export interface Traffic {
  sent: number;
  received: number;
}

export function boundedFetch(mostBytes: number, traffic: Traffic): typeof globalThis.fetch {
  return async (input, init) => {
    traffic.sent += typeof init?.body === "string" ? Buffer.byteLength(init.body) : 0;
    const response = await fetch(input, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) throw redirected(response);
    if (!response.body) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          traffic.received += chunk.length;
          if (bytes > mostBytes) throw tooMuch(mostBytes);
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, { status: response.status, statusText: response.statusText, headers: response.headers });
  };
}

/** The key would go along to wherever it points. */
const redirected = ({ status }: Response): LoopError =>
  new LoopError("model-failed", `the model's server answered ${status} and sends us elsewhere, where the key does not go`, {
    retry: "never",
    hint: "Set `baseUrl` to where the model really is.",
  });

const tooMuch = (mostBytes: number): LoopError =>
  new LoopError("model-failed", `the model's reply is larger than ${mostBytes} bytes`, {
    retry: "never",
    hint: "Ask another model, or for less.",
  });
