// The maker's copy as a loop has it: what comes from the user's checkout, what is set up, and that none of it goes further.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { proposalsIn } from "../support/target.ts";

const specOf = (place: Place, about: { readonly maker: string; readonly check?: string; readonly rest?: object }): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run: about.maker } },
      verifiers: [{ use: "command", with: { run: about.check ?? "grep -q right value.txt" } }],
      baseline: { when: "off" },
      budget: { rounds: 1 },
      ...about.rest,
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n", ".gitignore": ".env*\nlib\n", ".worktreeinclude": ".env.test\n" } });
    writeFileSync(join(place.repo.dir, ".env.test"), "MODE=right\n");
    writeFileSync(join(place.repo.dir, ".env"), "MODE=secret\n");
    return work(place);
  });

it("gives the maker ignored files, what was prepared, what was set up and ports, and proposes none of it", () =>
  inShop(async (place) => {
    mkdirSync(join(place.repo.dir, "lib"));
    const spec = specOf(place, {
      maker: `. ./.env.test; test ! -e .env; test -e lib/made; grep -q made made-by-setup; test "$LOOPWRIGHT_PORT_END" -eq $((LOOPWRIGHT_PORT + 9)); echo "$MODE $LOOPWRIGHT_PORT" > value.txt; rm made-by-setup; echo > .gitignore`,
      check: "grep -q right value.txt && test ! -e .env.test",
      rest: {
        prepare: { run: "mkdir lib && echo made > lib/made", keep: ["lib"] },
        workspace: { setup: { run: 'test -n "$LOOPWRIGHT_PORT" && cat lib/made > made-by-setup' }, ports: 10 },
      },
    });

    const { exit, said } = await place.json(["run", spec]);
    const shown = await place.lw(["show", "fix"]);

    expect(exit).toBe(0);
    const { proposal } = said.rounds[0].evidence;
    expect(proposal.outfit).toMatchObject({
      included: { by: "checkout", files: [".env.test"], leftOut: [] },
      setup: { output: { bytes: 0 } },
    });
    expect(proposal.outfit.ports.last - proposal.outfit.ports.first).toBe(9);
    expect(proposal.changes.map(({ path }: { readonly path: string }) => path)).toEqual([".gitignore", "value.txt"]);
    expect(shown.stdout).toMatch(/outfit {4}1 file\(s\) of your checkout, 0 left out; ports \d+ to \d+; set up in/);
  }));

it("calls no maker when its set-up fails, and says why", () =>
  inShop(async (place) => {
    const called = join(place.dir, "called");
    const rest = { workspace: { setup: { run: "echo no such database; exit 3" } }, box: { maker: { when: "off" } } };

    const { exit, said } = await place.json(["run", specOf(place, { maker: `touch '${called}'`, rest })]);

    expect([exit, existsSync(called), proposalsIn(place.repo)]).toEqual([4, false, []]);
    expect(said.rest).toMatchObject({
      kind: "halt",
      reason: expect.stringMatching(/the set-up `echo no such database; exit 3` exited 3, so that no maker was called\nno such database/),
    });
  }));

it("shows a maker what one of an earlier run wrote down, until somebody throws it away, and never what a link leads to", () =>
  inShop(async (place) => {
    writeFileSync(join(place.dir, "secret"), "not for you\n");
    const noting = specOf(place, { maker: 'printf "clear the cache\\n---\\nPASSWORD=hunter2hunter2\\n" > "$LOOPWRIGHT_NOTES"; exit 1' });
    await place.json(["run", noting]);
    const linking = `grep -q "clear the cache" "$LOOPWRIGHT_BRIEF" && echo right > value.txt; ln -s '${join(place.dir, "secret")}' "$LOOPWRIGHT_NOTES"`;

    const { exit } = await place.json(["run", specOf(place, { maker: linking, rest: { box: { maker: { when: "off" } } } })]);
    const told = await place.json(["notes", "fix"]);
    const brief = await place.lw(["show", "fix", "--brief"]);
    const cleared = await place.json(["notes", "fix", "--clear"]);
    const after = await place.json(["notes", "fix"]);

    expect(exit).toBe(0);
    expect(told.said.notes.map(({ text }: { readonly text: string }) => text)).toEqual([
      expect.stringMatching(/^PASSWORD=(?!hunter2)/),
      "clear the cache",
    ]);
    expect(brief.stdout).toMatch(/## What earlier makers wrote down[\s\S]*clear the cache/);
    expect([cleared.said.cleared, after.said.notes]).toEqual([2, []]);
  }));
