// Who is told that something needs a human, and how often.
import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { specOf, withProposal } from "../support/decisions.ts";
import { inPlace } from "../support/lw.ts";

it("a waking that was held back is no run: the loop is still due (cc#93015)", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
    const spec = specOf(place, { trigger: { use: "every", with: { interval: "1h" } } });
    const stop = place.write("home/STOP", "");

    const held = await place.lw(["run", spec, "--if-due"]);
    rmSync(stop);
    const ran = await place.lw(["run", spec, "--if-due"]);
    const next = await place.lw(["run", spec, "--if-due"]);

    expect([held.exit, ran.exit, next.exit]).toEqual([9, 0, 75]);
  }));

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
