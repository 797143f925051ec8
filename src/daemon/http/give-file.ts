// The built page: its files by their names, and its first file for every address that is a page's own.
import type { WebFiles } from "../../contract/web.ts";
import { refuse } from "./refuse.ts";

export function giveFile(files: WebFiles | undefined, path: string): Response {
  if (!files) return refuse(404, { code: "no-page", message: "this server answers without a page", hint: "Serve it without --no-web." });
  const file = files.get(path);
  // An address without an ending is one of the page's routes: the page itself looks what to show.
  const found = file ?? (isRoute(path) ? files.get("/index.html") : undefined);
  if (!found) return refuse(404, { code: "not-found", message: "there is no such file", hint: "Open the dashboard at /." });
  const cache = found.isImmutable ? "public, max-age=31536000, immutable" : "no-cache";
  return new Response(found.bytes, {
    headers: { "content-type": found.type, "content-length": String(found.bytes.length), "cache-control": cache },
  });
}

const isRoute = (path: string): boolean => path === "/" || /^\/(inbox|loops|runs|schedule|spend|ledger|new)(\/[^/]*)?\/?$/.test(path);
