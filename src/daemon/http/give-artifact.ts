// An artifact, or a range of it, as plain text whatever it is: what strangers made is never taken for a page.
import type { ArtifactPieces } from "../../contract/web.ts";
import { readRange } from "./byte-range.ts";
import { refuse } from "./refuse.ts";

export async function giveArtifact(pieces: ArtifactPieces, sha256: string, range: string | undefined): Promise<Response> {
  const size = await pieces.size(sha256);
  if (size === undefined)
    return refuse(404, {
      code: "not-found",
      message: "no artifact of this hash is kept, or it is not what it was",
      hint: "The record still holds its hash.",
    });
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "accept-ranges": "bytes",
    "content-disposition": "inline",
    // The name is the hash: it never becomes something else.
    "cache-control": "private, max-age=31536000, immutable",
  };
  const asked = readRange(range, size);
  if (asked.kind === "none") return new Response(null, { status: 416, headers: { ...headers, "content-range": `bytes */${size}` } });
  const { from, to } = asked.kind === "all" ? { from: 0, to: size } : asked;
  const body = ReadableStream.from(pieces.read(sha256, from, to)) as ReadableStream<Uint8Array>; // as the port gives them
  const lengths = { ...headers, "content-length": String(to - from) };
  if (asked.kind === "all") return new Response(body, { headers: lengths });
  return new Response(body, { status: 206, headers: { ...lengths, "content-range": `bytes ${from}-${to - 1}/${size}` } });
}
