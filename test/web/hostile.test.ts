import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBrowser, type TestBrowser } from "../support/browser.ts";
import { HOSTILE, inTarget, runLoop, writeLoop, writes } from "../support/dashboard-place.ts";
import { openWindow, serve } from "../support/served.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** The part of it that would do something, as it must be read. */
const MARKUP = "<img src=x onerror=alert(1)>";
const A_MEGABYTE = "head -c 1000000 /dev/zero | tr '\\0' B";

/** Nothing of a stranger's became part of the page, and nothing is wider than the window. */
async function isHeld(page: Page): Promise<readonly unknown[]> {
  const made = await page.locator("img, iframe, object, embed, form[action], a[href^='javascript'], main style, main script").count();
  const wide: boolean[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    wide.push(Number(await page.evaluate("document.documentElement.scrollWidth")) > width);
  }
  return [made, ...wide];
}

it("shows commit messages, notes, reasons, names, file names and outputs of strangers as text", () =>
  inTarget(async (place) => {
    place.repo.commit(`Subject ${HOSTILE}\n\nBody ${HOSTILE}\n`, { files: { [`docs/${"n".repeat(100)}<b>.txt`]: `${HOSTILE}\n` } });
    place.repo.git("branch", "-f", "main", "HEAD");
    const note = place.write("note.md", `I learned ${HOSTILE}\n`);
    const noted = await runLoop(place, {
      name: "noted",
      scenes: [],
      more: {
        maker: { use: "shell", with: { run: `cat ${note} > "$LOOPWRIGHT_NOTES"; ${A_MEGABYTE}; echo x > docs/x.txt` } },
        box: { maker: { when: "off" }, verifiers: { when: "off" } },
      },
    });
    const refused = await runLoop(place, { name: "refused", scenes: [writes("docs/one.txt", "1\n")] });
    const no = await place.lw(["reject", refused.run, "--as", "mallory <b>", "--why", `No: ${HOSTILE} ${"w".repeat(1500)}`]);
    expect([no.exit, no.stderr]).toEqual([0, ""]);
    const report = await place.json([
      "run",
      writeLoop(place, {
        name: "watch",
        scenes: [],
        level: "L1",
        more: {
          maker: { use: "triage" },
          gather: [{ use: "commits", with: { refs: ["main"], since: "36500d" } }],
          verifiers: [{ use: "grounded" }],
          act: undefined,
          baseline: undefined,
        },
      }),
    ]);
    const served = await serve(place);
    const { page, wrongs } = await openWindow(browser, served, "/loops/noted");
    const held: unknown[] = [];

    await page.locator(".talk").getByText("I learned").waitFor();
    expect(await page.locator(".talk").first().innerText()).toContain(MARKUP);
    held.push(await isHeld(page));
    await page.goto(`${served.url}/runs/${noted.run}`);
    await page.getByRole("heading", { name: "Kept" }).waitFor();
    held.push(await isHeld(page));
    await page.goto(`${served.url}/runs/${refused.run}`);
    await page.locator(".ticks").getByText("rejected by").waitFor();
    expect(await page.locator(".ticks").filter({ hasText: "rejected by" }).first().innerText()).toContain(MARKUP);
    held.push(await isHeld(page));
    await page.goto(`${served.url}/runs/${report.said.run}`);
    await page.locator("details.output summary").first().click();
    await page.locator("details.output pre").first().waitFor();
    expect(await page.locator("details.output pre").first().innerText()).toContain("Subject");
    held.push(await isHeld(page));
    await page.goto(`${served.url}/ledger?q=onerror`);
    await page.getByText("round-closed").or(page.getByText("decided")).first().waitFor();
    held.push(await isHeld(page));
    const token = new URL(served.link).hash.slice("#token=".length);
    const health = (await (await fetch(`${served.url}/api/health`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      readonly cspReports: number;
    };

    expect(held).toEqual(Array.from({ length: 5 }, () => [0, false, false]));
    expect([health.cspReports, wrongs]).toEqual([0, { errors: [], refused: [], foreign: [] }]);
    await served.close();
  }));
