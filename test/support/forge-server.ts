// A forge on loopback that answers as a script says, in the wire formats as published, and writes down everything it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ForgeAsked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface ForgeReply {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** A text is sent as it is; everything else as JSON. */
  readonly body?: unknown;
}

/** What it answers to the n-th request, counted from 1; undefined where the script takes the line into its own hands. */
export type ForgeScript = (asked: ForgeAsked, n: number, line: ServerResponse) => ForgeReply | undefined;

export interface ForgeServer {
  readonly url: string;
  readonly asked: readonly ForgeAsked[];
  close(): void;
}

export async function serveForge(script: ForgeScript): Promise<ForgeServer> {
  const asked: ForgeAsked[] = [];
  const server = createServer(async (request, line) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "/", "http://forge.invalid");
    const one = { method: request.method ?? "", path: url.pathname, query: url.searchParams, headers: request.headers, body };
    asked.push(one);
    const reply = script(one, asked.length, line);
    if (!reply) return;
    const isText = typeof reply.body === "string";
    line.writeHead(reply.status ?? 200, {
      "content-type": isText ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
      ...reply.headers,
    });
    line.end(reply.body === undefined ? "" : isText ? String(reply.body) : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A list by pages, with links to the next one and an ETag, as GitHub sends it. */
export function pageOf(all: readonly unknown[], { path, query, headers }: ForgeAsked, base: string): ForgeReply {
  const [size, number] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)];
  const some = all.slice((number - 1) * size, number * size);
  const etag = `W/"${Buffer.from(JSON.stringify([some.length, some[0], number]))
    .toString("base64url")
    .slice(0, 40)}"`;
  if (headers["if-none-match"] === etag) return { status: 304, headers: { etag } };
  const next = new URLSearchParams(query);
  next.set("page", String(number + 1));
  const link = number * size < all.length ? { link: `<${base}${path}?${next}>; rel="next", <${base}${path}?page=99>; rel="last"` } : {};
  return { headers: { etag, ...link }, body: some };
}

/** An issue as GitHub's REST API tells it. */
export const githubIssue = (number: number, about: { readonly [field: string]: unknown } = {}) => ({
  number,
  title: `issue ${number}`,
  body: "It does not work.",
  state: "open",
  html_url: `https://github.com/octo/app/issues/${number}`,
  user: { login: "ada", id: 1 },
  author_association: "NONE",
  labels: [{ name: "bug" }],
  comments: 2,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: new Date(Date.UTC(2026, 0, 2) + number * 1000).toISOString().replace(".000Z", "Z"),
  ...about,
});
