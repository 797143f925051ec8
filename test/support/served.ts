// The dashboard of a place, served as `lw serve` does, with a window of a real browser in front of it.
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { inject } from "vitest";
import { builtIn } from "../../src/app/crew.ts";
import { findHome } from "../../src/app/home.ts";
import { openHouse } from "../../src/app/open-house.ts";
import { openWeb } from "../../src/app/open-web.ts";
import { environmentOf } from "../../src/contract/around.ts";
import { serveDashboard } from "../../src/daemon/http/serve-dashboard.ts";
import { readWebFiles } from "../../src/world/files/web-files.ts";
import { type TestBrowser, type Wrongs, watchPage } from "./browser.ts";
import type { Place } from "./lw.ts";

export interface Served {
  readonly url: string;
  readonly link: string;
  /** Ends it and starts another in its place, at the same address. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export interface ServeWishes {
  readonly isReadOnly?: boolean;
  readonly who?: string;
}

/** With the page as it was built, and the home that real runs made. */
export async function serve(place: Pick<Place, "home" | "dir">, { isReadOnly = false, who = "ada" }: ServeWishes = {}): Promise<Served> {
  const env = { PATH: process.env.PATH, HOME: join(place.dir, "user"), LOOPWRIGHT_HOME: place.home };
  const home = findHome(place.home, environmentOf(env), process.platform, place.dir);
  const { folder, program, version } = inject("build");
  const begin = async (listen: string) => {
    const house = await openHouse(home, version, builtIn, { env, program: [process.execPath, program] });
    // From the source nobody knows where the built page lies; what is packed is what is shown.
    const web = { ...openWeb(home, "none"), files: readWebFiles(join(folder, "dist/web")) };
    const wishes = { listen, tlsCert: undefined, tlsKey: undefined, behindProxy: undefined, isReadOnly };
    const served = await serveDashboard(house, web, wishes, {
      name: who,
      how: "known by this home's link",
    });
    return {
      ...served,
      async end() {
        await served.close();
        house.close();
      },
    };
  };
  let now = await begin("127.0.0.1:0");
  const { url, link } = now;
  return {
    url,
    link,
    async restart(meanwhile = async () => {}) {
      await now.end();
      await meanwhile();
      now = await begin(new URL(url).host);
    },
    close: () => now.end(),
  };
}

export interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly wrongs: Wrongs;
}

/** A window of its own that came by the printed link, at this address. */
export async function openWindow(
  browser: TestBrowser,
  { link, url }: Pick<Served, "link" | "url">,
  path = "/",
  wishes?: Parameters<TestBrowser["open"]>[0],
): Promise<Window> {
  const context = await browser.open(wishes);
  // Far longer than anything here takes, and short enough that a broken page is told soon.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const wrongs = watchPage(page);
  await page.goto(link);
  await page.getByText("Live", { exact: false }).first().waitFor();
  if (path !== "/") await page.goto(`${url}${path}`);
  await page.locator(".live .dot.on").waitFor({ state: "attached" });
  return { page, context, wrongs };
}
