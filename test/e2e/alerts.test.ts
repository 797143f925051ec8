// Who is told that something needs a human, and how often.
import { describe, expect, it } from "vitest";
import { withProposal } from "../support/decisions.ts";

describe("being told", () => {
  const telling = { to: [{ use: "command", with: { run: "cat >> told.txt" } }] };

  it("happens once for each thing that waits", () =>
    withProposal(
      async (place, { run }) => {
        const first = place.read("told.txt");
        await place.lw(["inbox", "--tell"]);
        const second = place.read("told.txt");

        expect([first, second]).toEqual([
          `proposal ${run}\n  1 file(s) on main: Make it right.\n  lw show ${run} --diff, then lw approve ${run}\n`,
          first,
        ]);
      },
      { alert: telling },
    ));

  it("waits until the quiet hours are over", () =>
    withProposal(async (place) => expect(() => place.read("told.txt")).toThrow("ENOENT"), {
      alert: { ...telling, quiet: { from: "00:00", to: "23:59" } },
    }));
});
