// The same request with its body read, or why not: nobody sends more than is taken.
import { refuse } from "./refuse.ts";

const MOST_URL_CHARS = 4_000;

export async function boundedRequest(request: Request, mostBytes: number): Promise<Request | Response> {
  if (request.url.length > MOST_URL_CHARS)
    return refuse(414, { code: "too-large", message: "the address is too long", hint: "Ask for less at once." });
  if (request.body === null || request.method !== "POST") return request;
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length;
    if (bytes > mostBytes) {
      await reader.cancel();
      return refuse(413, { code: "too-large", message: "the body is too large", hint: `At most ${mostBytes} bytes are taken.` });
    }
    pieces.push(piece.value);
  }
  return new Request(request.url, { method: request.method, headers: request.headers, body: Buffer.concat(pieces) });
}
