import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { source as axe } from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBrowser, type TestBrowser } from "../support/browser.ts";
import { fillHome, inTarget, runLoop, writes } from "../support/dashboard-place.ts";
import { openWindow, type Served, serve } from "../support/served.ts";

/** Pictures for people to look at. They are not kept with the source. */
const pictures = process.env.LOOPWRIGHT_PICTURES ?? join(tmpdir(), "lw-pictures");

let browser: TestBrowser;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Waits until nothing is read any more: what is shown is what is meant. */
async function settled(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached", timeout: 10_000 });
  // Nothing is asked of the page in words of script: its own policy would refuse them, and count it.
  for (const reading of ["[aria-busy='true']", "text=/^Reading/", "text=Asking what it would do"])
    await page.locator(reading).first().waitFor({ state: "detached" });
}

const seriousOf = async (page: Page): Promise<readonly string[]> => {
  // The policy of the page keeps scripts out; what the test's own protocol runs is not the page's.
  await page.evaluate(axe);
  const violations: readonly Violation[] = await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
};

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

const pagesOf = (run: string, hostile: string): { readonly [name: string]: string } => ({
  now: "/",
  inbox: `/inbox/${run}`,
  hostile: `/inbox/${hostile}`,
  loops: "/loops",
  loop: "/loops/fix-tests",
  run: `/runs/${run}`,
  "hostile-run": `/runs/${hostile}`,
  schedule: "/schedule",
  spend: "/spend",
  ledger: "/ledger",
  new: "/new?ready=mend-with-witness",
  lost: "/nowhere-at-all",
});

it("shows every page in both themes and at every width: nothing serious for axe, no script of a stranger, nothing sideways", () =>
  inTarget(async (place) => {
    const { run, hostile } = await fillHome(place);
    const served: Served = await serve(place);
    const found: string[] = [];
    for (const theme of ["light", "dark"] as const) {
      const { page, wrongs, context } = await openWindow(browser, served, "/", { theme });
      for (const [name, path] of Object.entries(pagesOf(run, hostile))) {
        if (name === "lost") continue;
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(`${served.url}${path}`);
        await settled(page).catch(async (cause) => {
          throw new Error(`${name} at ${page.url()}: ${await page.locator("body").innerText()}`, { cause });
        });
        found.push(...(await seriousOf(page)).map((violation) => `${name} ${theme} ${violation}`));
        for (const width of [1280, 768, 360]) {
          await page.setViewportSize({ width, height: 800 });
          const wide = Number(await page.evaluate("document.documentElement.scrollWidth"));
          if (wide > width) found.push(`${name} ${theme} is ${wide} wide at ${width}`);
          if (width !== 768)
            await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`), fullPage: width !== 1280 || name !== "inbox" });
        }
      }
      expect(wrongs).toEqual({ errors: [], refused: [], foreign: [] });
      await context.close();
    }
    const health = await fetchHealth(served);

    expect(found).toEqual([]);
    expect(health.cspReports).toBe(0);
    await served.close();
  }));

async function fetchHealth({ url, link }: Served): Promise<{ readonly cspReports: number }> {
  const token = new URL(link).hash.slice("#token=".length);
  const response = await fetch(`${url}/api/health`, { headers: { authorization: `Bearer ${token}` } });
  return response.json() as Promise<{ readonly cspReports: number }>;
}

it("draws of fifty thousand changed lines only those that are near", () =>
  inTarget(async (place) => {
    const { run } = await runLoop(place, { name: "huge", scenes: [{ say: "done", run: "seq 1 50000 > docs/huge.txt" }] });
    const served = await serve(place);
    const { page, wrongs } = await openWindow(browser, served, `/runs/${run}`);
    const rows = page.locator(".diff .l");

    await rows.first().waitFor();
    const near = await rows.count();
    await page.locator(".diff > div").last().scrollIntoViewIfNeeded();
    await page.getByText("50000", { exact: true }).first().waitFor();
    const after = await rows.count();
    const height = await page.locator(".diffs").evaluate((element) => element.getBoundingClientRect().height);

    expect([near < 1000, after < 1000, height > 900_000]).toEqual([true, true, true]);
    expect(wrongs).toEqual({ errors: [], refused: [], foreign: [] });
    await served.close();
  }));

it("asks for the link where a browser has no session, and shows nothing", () =>
  inTarget(async (place) => {
    await runLoop(place, { name: "one", scenes: [writes("docs/one.txt", "1\n")] });
    const served = await serve(place);
    const context = await browser.open();
    const page = await context.newPage();

    await page.goto(`${served.url}/inbox`);
    await page.getByText("This browser does not know this home yet").waitFor();

    expect(await page.getByText("one").count()).toBe(0);
    await served.close();
  }));
