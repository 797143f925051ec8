// The dashboard on a house in memory, asked as a browser that has its cookie would, or as anybody else.

import type { House } from "../../src/app/open-house.ts";
import type { ArtifactPieces, NewFiles, WebFiles } from "../../src/contract/web.ts";
import { cookieName, PAGE_KEY, pageKeyOf, sessionOf } from "../../src/daemon/http/admit-request.ts";
import { createDashboard, type Dashboard, type DashboardAbout } from "../../src/daemon/http/dashboard.ts";
import { createHearsay } from "../../src/daemon/http/hearsay.ts";
import { readReadySpecs } from "../../src/world/files/ready-specs.ts";

export const TOKEN = "t".repeat(43);
export const ORIGIN = "http://127.0.0.1:7423";
export const WHO = { name: "ada", how: "the token of this home" };

export interface Asking {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  readonly dashboard: Dashboard;
  readonly hearsay: DashboardAbout["hearsay"];
}

export function askDashboard(house: House, about: Partial<DashboardAbout> & { readonly isReadOnly?: boolean } = {}): Asking {
  const { isReadOnly = false, ...more } = about;
  const hearsay = createHearsay(() => house.clock.now());
  const dashboard = createDashboard({
    house,
    who: WHO,
    gate: { token: TOKEN, origins: [ORIGIN], isReadOnly },
    files: PAGE,
    pieces: memoryPieces(house),
    hearsay,
    bench: { ready: readReadySpecs, files: memoryNewFiles(house), tryOut: undefined, barred: undefined },
    patience: () => new Promise(() => {}),
    ...more,
  });
  const cookie = `${cookieName(TOKEN)}=${sessionOf(TOKEN)}`;
  const usual = { host: "127.0.0.1:7423", cookie, [PAGE_KEY]: pageKeyOf(TOKEN), "sec-fetch-site": "same-origin" };
  return {
    dashboard,
    hearsay,
    get: (path, headers = {}) => dashboard.answer(new Request(`${ORIGIN}${path}`, { headers: without({ ...usual, ...headers }) })),
    post: (path, body, headers = {}) =>
      dashboard.answer(
        new Request(`${ORIGIN}${path}`, {
          method: "POST",
          headers: without({ ...usual, origin: ORIGIN, "content-type": "application/json", ...headers }),
          body: typeof body === "string" ? body : JSON.stringify(body),
        }),
      ),
  };
}

/** What is empty is left out. */
const without = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ""));

const PAGE: WebFiles = {
  get: (path) =>
    path === "/" || path === "/index.html"
      ? {
          bytes: new TextEncoder().encode("<!doctype html><title>Loopwright</title>"),
          type: "text/html; charset=utf-8",
          isImmutable: false,
        }
      : path === "/assets/app-12345678.js"
        ? { bytes: new TextEncoder().encode("export {};"), type: "text/javascript; charset=utf-8", isImmutable: true }
        : undefined,
};

/** In the files that the house reads specs from. */
const memoryNewFiles = ({ texts, plainFiles }: Pick<House, "texts" | "plainFiles">): NewFiles => ({
  async write({ root, folder, name }, text) {
    const path = `${root}/${folder}/${name}`;
    if ((await texts.readOptional(path)) !== undefined) return "there";
    await plainFiles.writeText(path, text);
    return "written";
  },
});

const memoryPieces = ({ artifacts }: Pick<House, "artifacts">): ArtifactPieces => {
  const all = async (sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    const bytes = await artifacts.read({ sha256, bytes: 0, truncated: false }).catch(() => undefined);
    return bytes && new Uint8Array(bytes);
  };
  return {
    size: async (sha256) => (await all(sha256))?.length,
    async *read(sha256, from, to) {
      const bytes = await all(sha256);
      if (bytes) yield bytes.slice(from, to);
    },
  };
};
