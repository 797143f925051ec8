// Serves the dashboard of a real home in this process, until `lw serve` does it in its own.
import { builtIn } from "../../src/app/crew.ts";
import { findHome } from "../../src/app/home.ts";
import { openHouse } from "../../src/app/open-house.ts";
import { openWeb } from "../../src/app/open-web.ts";
import { cookieName, PAGE_KEY, pageKeyOf, sessionOf } from "../../src/daemon/http/admit-request.ts";
import { type ServedDashboard, serveDashboard, type WebWishes } from "../../src/daemon/http/serve-dashboard.ts";

export interface ServedHome extends ServedDashboard {
  readonly token: string;
  /** As its own page would, with its cookie. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

export async function serveHome(
  folder: string,
  wishes: Partial<WebWishes> = {},
  env: Record<string, string | undefined> = process.env,
): Promise<ServedHome> {
  const home = findHome(folder, { get: () => undefined }, "linux", "/");
  const house = await openHouse(home, "0.0.0", builtIn, { env, program: [] });
  const web = openWeb(home, "built");
  const usual = { listen: "127.0.0.1:0", tlsCert: undefined, tlsKey: undefined, behindProxy: undefined, isReadOnly: false };
  const served = await serveDashboard(house, web, { ...usual, ...wishes }, { name: "ada", how: "the token of this home" });
  const usualHeaders = { cookie: `${cookieName(web.token)}=${sessionOf(web.token)}`, [PAGE_KEY]: pageKeyOf(web.token) };
  return {
    ...served,
    token: web.token,
    get: (path, headers = {}) => fetch(`${served.url}${path}`, { headers: { ...usualHeaders, ...headers } }),
    post: (path, body, headers = {}) =>
      fetch(`${served.url}${path}`, {
        method: "POST",
        headers: { ...usualHeaders, origin: served.url, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    async close() {
      await served.close();
      house.close();
    },
  };
}
