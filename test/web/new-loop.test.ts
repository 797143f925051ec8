import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBrowser, type TestBrowser } from "../support/browser.ts";
import { inTarget, writes } from "../support/dashboard-place.ts";
import { mainOf } from "../support/decisions.ts";
import { openWindow, serve } from "../support/served.ts";
import { addTalkingLoop, startDaemon, stopDaemon } from "../support/served-daemon.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const NOTHING_WRONG = { errors: [], refused: [], foreign: [] };

const SPEC = JSON.stringify(
  {
    name: "tidy",
    intent: "Tidy up.",
    level: "L3",
    target: { repo: "..", base: "main" },
    maker: { use: "scripted", with: { scenes: [writes("docs/tidy.txt", "tidy\n")] } },
    verifiers: [{ use: "command", with: { run: "grep -x tidy docs/tidy.txt" } }],
    baseline: { when: "off" },
    act: [{ use: "merge" }],
  },
  null,
  2,
);

it("makes a new loop: chosen, its problems at their lines, one round tried that moves nothing, and added as a new file", () =>
  inTarget(async (place) => {
    await addTalkingLoop(place);
    const daemon = await startDaemon(place);
    const { page, wrongs } = await openWindow(browser, daemon, "/new");
    const before = mainOf(place);
    const file = join(place.repo.dir, ".loopwright/tidy.loop.yaml");
    const spec = page.getByRole("textbox", { name: "Spec" });

    await page.getByText("What can be seen of it").waitFor();
    await page.getByText(/JavaScript \d/).waitFor();
    await page.getByRole("radio", { name: /^made-for-this-repository/ }).check();
    await page.getByText("No problems", { exact: false }).waitFor();
    const fitted = await spec.inputValue();
    await page.getByRole("radio", { name: /^nightly-format/ }).check();
    await page.getByText("No problems", { exact: false }).waitFor();
    await page.locator("svg.graph").getByText("npm run format", { exact: true }).waitFor();
    await page.getByText("This run, time").waitFor();
    await spec.fill(SPEC.replace('"scripted"', '"scrpted"'));
    await page.getByRole("button", { name: "line 10" }).click();
    const isOff = await page.getByRole("button", { name: "Try one round" }).isDisabled();
    const selected = await spec.evaluate((field) => (field as unknown as { selectionStart: number }).selectionStart);

    await spec.fill(SPEC);
    await page.getByText(file).first().waitFor();
    await page.getByRole("button", { name: "Try one round" }).click();
    await page.keyboard.press("Enter");
    await page.getByText("One round is under way. It moves nothing").waitFor();
    await page.getByText("waiting for you").first().waitFor();
    const wasThere = existsSync(file);
    const tried = await place.json(["show", "tidy"]);
    await page.getByRole("button", { name: "Add it" }).click();
    await page.keyboard.press("Enter");
    await page.getByText("Added. It wakes by its trigger from now on.").waitFor();
    const { said } = await place.json(["loops"]);

    expect([isOff, wasThere, mainOf(place)]).toEqual([true, false, before]);
    expect(fitted).toMatch(/^name: /m);
    expect(SPEC.slice(selected).split("\n")[0]).toContain("scripted");
    expect([tried.said.level, tried.said.rounds.length, tried.said.proposal.settled]).toEqual(["L2", 1, undefined]);
    expect(readFileSync(file, "utf8")).toBe(SPEC);
    expect(said.loops).toMatchObject([{ loop: "fix" }, { loop: "tidy", path: file, isRight: true }]);
    expect(wrongs).toEqual(NOTHING_WRONG);

    await page.goto(`${daemon.url}/new?ready=watch-main`);
    await spec.fill(SPEC.replace("Tidy up.", "Another one."));
    await page.getByText("this home looks after a loop called tidy already").waitFor();
    expect(await page.getByRole("button", { name: "Add it" }).isDisabled()).toBe(true);
    expect(await stopDaemon(daemon)).toBe(0);
  }));

it("shows ready-made loops where it only shows, and lets nobody write there", () =>
  inTarget(async (place) => {
    await addTalkingLoop(place);
    const served = await serve(place, { isReadOnly: true });
    const { page, wrongs } = await openWindow(browser, served, "/new?ready=watch-main");

    await page.getByText("this dashboard only shows").waitFor();
    const field = page.getByRole("textbox", { name: "Spec" });

    expect([await field.isEditable(), await page.getByRole("button", { name: "Add it" }).isDisabled()]).toEqual([false, true]);
    expect(wrongs).toEqual(NOTHING_WRONG);
    await served.close();
  }));
