import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startBrowser, type TestBrowser } from "../support/browser.ts";
import { inTarget, runLoop, writeLoop, writes } from "../support/dashboard-place.ts";
import { mainOf } from "../support/decisions.ts";
import { until } from "../support/lw.ts";
import { openWindow } from "../support/served.ts";
import { addTalkingLoop, killDaemon, startDaemon, stopDaemon, untilState } from "../support/served-daemon.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const NOTHING_WRONG = { errors: [], refused: [], foreign: [] };

it("runs a loop that somebody wants now, shows its steps and its maker's talk, outlives its daemon, and merges by a yes in the browser", () =>
  inTarget(async (place) => {
    await addTalkingLoop(place);
    const first = await startDaemon(place);
    const { page, wrongs } = await openWindow(browser, first, "/loops/fix");
    const before = mainOf(place);

    await page.getByText("has not run").first().waitFor();
    await page.keyboard.press("x");
    await page.keyboard.press("Enter");
    await page.getByText("Heard. It wakes as soon as it may.").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("n");
    const card = page.locator(".runcard");
    await card.getByText("I look at the value first.").waitFor();
    await card.getByText("make", { exact: true }).waitFor();
    await page.getByRole("heading", { level: 1, name: "one loop is running" }).waitFor();

    await killDaemon(first);
    await page.getByText(/^Shown as of/).waitFor();
    place.write("marks/say", "I go on where I was.\n");
    const second = await startDaemon(place, new URL(first.url).host);
    await page.getByRole("button", { name: "Try now" }).click();
    await page.getByText(/came in meanwhile; none is missing/).waitFor();
    await card.getByText("I go on where I was.").waitFor();
    place.write("marks/go", "");
    await page.getByRole("heading", { level: 1, name: "One thing waits for you" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByText("move main to").waitFor();
    const unmoved = mainOf(place);
    await page.keyboard.press("a");
    await page.keyboard.press("Enter");
    await page.getByText(/Approved, (verified again and done|and done by its proof)/).waitFor();
    const { said } = await place.json(["show", "fix"]);

    expect([unmoved, said.proposal.settled.how, said.proposal.approvals[0].by]).toEqual([before, "acted", "ada"]);
    expect(place.repo.git("show", "main:docs/value.txt")).toBe("right");
    expect(wrongs).toEqual(NOTHING_WRONG);
    expect(await stopDaemon(second)).toBe(0);
  }));

it("stops a run so that nobody takes it up again, resumes it, and answers what its maker asks", () =>
  inTarget(async (place) => {
    await addTalkingLoop(place);
    place.write("marks/ask", "Which value is right?");
    const daemon = await startDaemon(place);
    const { page, wrongs } = await openWindow(browser, daemon, "/loops/fix");
    const wish = async (name: RegExp, sure: RegExp): Promise<void> => {
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name: sure }).click();
    };

    await wish(/^Pause/, /^Pause it/);
    await page.getByText("Paused. It neither runs nor moves anything").waitFor();
    await wish(/^Resume/, /^Resume it/);
    await page.getByText("It may run again.").waitFor();
    await wish(/^Run now/, /^Run it now/);
    await page.getByText("Heard. It wakes as soon as it may.").waitFor();
    await wish(/^Stop the run/, /^Ask it to stop/);
    await page.getByText("is paused so that nobody takes it up again").waitFor();
    await untilState(place, "fix", "interrupted");
    await wish(/^Resume/, /^Resume it/);
    await page.getByText("goes on with what was interrupted").waitFor();
    place.write("marks/go", "");

    await page.goto(`${daemon.url}/inbox`);
    await page.getByText("Which value is right?").first().waitFor();
    await page.getByRole("button", { name: /^Answer/ }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("button", { name: /^Send the answer/ }).waitFor();
    await page.keyboard.type("The one that says right.");
    await page.keyboard.press("Enter");
    await page.getByText("Answered. The run can go on.").waitFor();
    await until(async () => (await place.json(["inbox"])).said.items.length === 1);
    const { said } = await place.json(["inbox"]);

    expect(said.items).toMatchObject([{ kind: "proposal", loop: "fix" }]);
    expect(place.read("marks/brief")).toContain("The one that says right.");
    expect(wrongs).toEqual(NOTHING_WRONG);
    await stopDaemon(daemon);
  }));

it("lets a loop go on that halted, wakes none that nobody added, and shows what is due before it ever ran", () =>
  inTarget(async (place) => {
    const bad = { name: "drift", scenes: [writes("docs/value.txt", "worse\n")], check: "false", more: { budget: { rounds: 1 } } };
    for (let turn = 0; turn < 3; turn++) await runLoop(place, bad);
    const hourly = {
      name: "hourly",
      scenes: [writes("docs/other.txt", "x\n")],
      more: { trigger: { use: "every", with: { interval: "1h" } } },
    };
    expect((await place.lw(["add", writeLoop(place, hourly), "--as", "ada"])).exit).toBe(0);
    rmSync(join(place.home, "machine.yaml"), { force: true });
    const daemon = await startDaemon(place);
    const { page, wrongs } = await openWindow(browser, daemon, "/inbox/drift");

    await page.getByRole("button", { name: /^Let it go on|^Resume/ }).click();
    await page.keyboard.press("Enter");
    await page.getByText("It may run again.").waitFor();
    await page.goto(`${daemon.url}/loops/drift`);
    await page.getByRole("button", { name: /^Run now/ }).click();
    await page.keyboard.press("Enter");
    await page.getByText("this home does not look after drift, so that nobody would wake it").waitFor();
    await page.goto(`${daemon.url}/loops`);
    await page.getByText("every 1h").waitFor();
    const rows = await page.locator("tbody .rowlink").allInnerTexts();
    await page.goto(daemon.url);
    await page.locator(".next").getByText("hourly").waitFor();

    expect(rows).toEqual(["drift", "hourly"]);
    expect(wrongs).toEqual(NOTHING_WRONG);
    await stopDaemon(daemon);
  }));
