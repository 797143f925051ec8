import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBrowser, type TestBrowser } from "../support/browser.ts";
import { inTarget, runLoop, writes } from "../support/dashboard-place.ts";
import { mainOf, withProposal } from "../support/decisions.ts";
import type { Place } from "../support/lw.ts";
import { openWindow, serve } from "../support/served.ts";

let browser: TestBrowser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** What would lie there if somebody had written this. */
function treeWith(place: Place, text: string): string {
  const blob = place.repo.feed(text, "hash-object", "-w", "--stdin");
  const docs = place.repo.feed(`100644 blob ${blob}\tvalue.txt\n`, "mktree");
  return place.repo.feed(`040000 tree ${docs}\tdocs\n`, "mktree");
}

const NOTHING_WRONG = { errors: [], refused: [], foreign: [] };

describe("with the keyboard alone", () => {
  it("approves what was shown: it is verified again, main moves, and the receipt is genuine in the browser", () =>
    withProposal(async (place, { run, branch }) => {
      const served = await serve(place);
      const { page, wrongs } = await openWindow(browser, served);

      await page.keyboard.press("g");
      await page.keyboard.press("i");
      await page.getByText("move main to").waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("Enter");
      await page.getByText(/Approved, (verified again and done|and done by its proof)/).waitFor();
      await page.keyboard.press("v");
      await page.getByText("Signature holds").waitFor();
      await page.getByText("genuine", { exact: true }).waitFor();
      const shown = await place.json(["show", run]);

      expect(mainOf(place)).toBe(place.repo.git("rev-parse", branch));
      expect(shown.said.proposal.settled.how).toBe("acted");
      expect(wrongs).toEqual(NOTHING_WRONG);
      await served.close();
    }));

  it("rejects with a reason and not without, defers, amends, and takes away what is no proposal", () =>
    inTarget(async (place) => {
      const [rejected, deferred, amended] = [
        await runLoop(place, { name: "one", scenes: [writes("docs/one.txt", "1\n")] }),
        await runLoop(place, { name: "two", scenes: [writes("docs/two.txt", "2\n")] }),
        await runLoop(place, { name: "three", scenes: [writes("docs/three.txt", "3\n")] }),
      ];
      const gaveUp = await runLoop(place, {
        name: "four",
        scenes: [{ ...writes("docs/four.txt", "4\n"), fail: "gives-up" }],
        more: { budget: { rounds: 1 } },
      });
      const served = await serve(place);
      const { page, wrongs } = await openWindow(browser, served, `/inbox/${rejected.run}`);

      await page.getByText("A yes will").waitFor();
      await page.keyboard.press("r");
      await page.keyboard.press("Enter");
      const isStillArmed = await page.getByRole("button", { name: /Reject it/ }).isVisible();
      await page.keyboard.type("wrong place");
      await page.keyboard.press("Enter");
      await page.getByText("Rejected. Nothing moved.").waitFor();

      await page.goto(`${served.url}/inbox/${deferred.run}`);
      await page.getByText("A yes will").waitFor();
      await page.keyboard.press("f");
      await page.keyboard.press("Enter");
      await page.getByText(/^Deferred until/).waitFor();

      const tip = place.repo.git("commit-tree", `${amended.branch}^{tree}`, "-p", String(amended.branch), "-m", "mine");
      place.repo.git("update-ref", `refs/heads/${amended.branch}`, tip);
      await page.goto(`${served.url}/inbox/${amended.run}`);
      await page.getByText("Nothing would move now").waitFor();
      const canApprove = await page.getByRole("button", { name: /^Approve/ }).isEnabled();
      await page.keyboard.press("m");
      await page.keyboard.press("Enter");
      await page.getByText("What lies on the branch is the proposal now").waitFor();

      await page.goto(`${served.url}/inbox/${gaveUp.run}`);
      // Nothing is decided before the page hears of what happens.
      await page.locator("button:enabled", { hasText: "Take from the inbox" }).waitFor();
      await page.keyboard.press("r");
      await page.keyboard.press("Enter");
      await page.locator(".decide .came .state").waitFor();
      const inbox = await place.json(["inbox"]);

      expect([isStillArmed, canApprove]).toEqual([true, false]);
      expect(inbox.said.items.map(({ id }: { readonly id: string }) => id)).toEqual([amended.run]);
      expect(wrongs).toEqual(NOTHING_WRONG);
      await served.close();
    }));

  it("decides about several at once, each by itself", () =>
    inTarget(async (place) => {
      const runs = [
        await runLoop(place, { name: "one", scenes: [writes("docs/one.txt", "1\n")] }),
        await runLoop(place, { name: "two", scenes: [writes("docs/two.txt", "2\n")] }),
      ];
      const served = await serve(place);
      const { page } = await openWindow(browser, served, "/inbox");

      await page.locator(".card").nth(1).waitFor();
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByText("2 proposals to decide about").waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Go on" }).waitFor();
      const stages = await Promise.all(runs.map(async ({ run }) => (await place.json(["show", run])).said.proposal.settled.how));

      expect(stages).toEqual(["released", "released"]);
      await served.close();
    }));
});

describe("what changes while one reads", () => {
  it("says that nothing moved where base moved after the dry run, and the same lines were changed there", () =>
    withProposal(async (place, { run, base }) => {
      const served = await serve(place);
      const { page } = await openWindow(browser, served, `/inbox/${run}`);
      await page.getByText("move main to").waitFor();

      const human = place.repo.git("commit-tree", treeWith(place, "else\n"), "-p", base, "-m", "a human's");
      place.repo.git("update-ref", "refs/heads/main", human);
      await page.keyboard.press("a");
      await page.keyboard.press("Enter");
      await page
        .getByText(/base has moved since this was verified/)
        .first()
        .waitFor();

      expect(mainOf(place)).toBe(human);
      await served.close();
    }));

  it("switches the buttons off when the tree changed, says so, and sends no yes for what was not shown", () =>
    withProposal(async (place, { run, branch }) => {
      const served = await serve(place);
      const { page } = await openWindow(browser, served, `/inbox/${run}`);
      await page.getByText("move main to").waitFor();
      const before = mainOf(place);

      const tree = treeWith(place, "right\nand more\n");
      place.repo.git("update-ref", `refs/heads/${branch}`, place.repo.git("commit-tree", tree, "-p", branch, "-m", "more"));
      const amended = await place.json(["amend", run, "--as", "grace"]);
      await page.getByText("The tree changed while you read.").waitFor();
      await page.keyboard.press("a");
      const isArmed = await page.getByRole("button", { name: /Approve this tree/ }).isVisible();
      await page.getByRole("button", { name: "Show what is proposed now" }).click();
      await page.getByText(`Counts for tree ${tree.slice(0, 12)}`).waitFor();
      await page.getByText("What changed, as amended by grace").waitFor();
      await page.locator(".diff").getByText("and more").waitFor();
      await page.getByText("Nobody has checked this tree.").waitFor();

      expect([amended.exit, isArmed, mainOf(place)]).toEqual([0, false, before]);
      await served.close();
    }));

  it("lets one of two browsers decide, and tells the other", () =>
    withProposal(async (place, { run }) => {
      const served = await serve(place);
      const [one, other] = [await openWindow(browser, served, `/inbox/${run}`), await openWindow(browser, served, `/inbox/${run}`)];
      for (const { page } of [one, other]) {
        await page.getByText("move main to").waitFor();
        await page.keyboard.press("a");
      }

      await Promise.all([one.page.keyboard.press("Enter"), other.page.keyboard.press("Enter")]);
      for (const { page } of [one, other]) await page.locator(".decide .came .state").first().waitFor();
      await one.page.locator(".card.gone").waitFor();
      const shown = await place.json(["show", run]);

      expect(shown.said.proposal.settled.how).toBe("acted");
      expect(place.repo.git("reflog", "show", "main").split("\n")).toHaveLength(2);
      await served.close();
    }));

  it("shows everything as of when the server went away, decides nothing, and comes back with every record", () =>
    withProposal(async (place, { run }) => {
      const served = await serve(place);
      const { page, wrongs } = await openWindow(browser, served, `/inbox/${run}`);
      await page.getByText("move main to").waitFor();

      await served.restart(async () => {
        await page.getByText(/^Shown as of/).waitFor();
        const button = page.getByRole("button", { name: /^Approve/ });
        expect(await button.isEnabled()).toBe(false);
        await place.lw(["pause", "fix", "--as", "grace", "--why", "meanwhile"]);
        await place.lw(["resume", "fix", "--as", "grace", "--why", "meanwhile"]);
      });
      await page.getByRole("button", { name: "Try now" }).click();
      await page.getByText(/came in meanwhile; none is missing/).waitFor();
      await page.keyboard.press("a");
      await page.keyboard.press("Enter");
      await page.getByText(/Approved, (verified again and done|and done by its proof)/).waitFor();

      expect(wrongs.errors).toEqual([]);
      await served.close();
    }));

  it("offers no decision where the server only shows", () =>
    withProposal(async (place, { run }) => {
      const served = await serve(place, { isReadOnly: true });
      const { page } = await openWindow(browser, served, `/inbox/${run}`);

      await page.getByText("This server shows and decides nothing.").waitFor();

      expect(await page.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
      await served.close();
    }));
});
