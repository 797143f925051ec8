// Loops of loops: runs that a run calls, from what they are given to what is proposed, receipted and charged.
import { expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";

const shell = (run: string, spends = "nothing") => ({ use: "shell", with: { run, spends } });

const loopOf = (name: string, about: object): string =>
  JSON.stringify({ name, intent: `Do ${name}.`, level: "L2", box: UNBOXED, baseline: { when: "off" }, budget: { rounds: 1 }, ...about });

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "other.txt": "a\n" } });
    return work(place);
  });

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
const workersIn = (said: any) => Object.fromEntries(said.rounds.at(-1).evidence.proposal.team.workers.map((one: any) => [one.id, one]));

it("calls one loop after the other, and the second only since the first does not hold", () =>
  inShop(async (place) => {
    const target = { repo: place.repo.dir, base: "main" };
    place.write(
      "build.loop.json",
      loopOf("build", {
        inputs: { task: { type: "text", about: "What to do", required: true } },
        maker: shell("echo broken >> value.txt"),
        verifiers: [{ id: "whole", use: "command", with: { run: "! grep -q broken value.txt" } }],
      }),
    );
    place.write(
      "mend.loop.json",
      loopOf("mend", {
        inputs: {
          task: { type: "text", about: "What to do", required: true },
          why: { type: "text", about: "What was wrong", required: true },
        },
        maker: shell('cp "$LOOPWRIGHT_BRIEF" told.txt; sed -i s/one/ONE/ value.txt'),
        verifiers: [{ use: "command", with: { run: "grep -q ONE value.txt" } }],
      }),
    );
    const spec = place.write(
      "outer.loop.json",
      loopOf("outer", {
        target,
        inputs: { task: { type: "text", about: "What to do", required: true } },
        team: {
          workers: {
            build: { loop: "build.loop.json", give: { task: "inputs.task" } },
            mend: { loop: "mend.loop.json", give: { task: "inputs.task", why: "build.why" }, when: "not build.whole.passed" },
            never: { loop: "mend.loop.json", give: { task: "inputs.task", why: "mend.why" }, when: "not mend.holds", onto: ["mend"] },
          },
          proposes: ["build", "mend", "never"],
        },
        verifiers: [{ use: "command", with: { run: "grep -q ONE value.txt && ! grep -q broken value.txt" } }],
      }),
    );

    const { exit, said } = await place.json(["run", spec, "--input", "task=make it loud"]);

    expect(exit).toBe(0);
    expect(said.rest).toEqual({ kind: "accept", action: "propose" });
    const { build, mend, never } = workersIn(said);
    expect([build.ended, mend.ended, never.ended]).toEqual(["failed", "made", "uncalled"]);
    expect(build.child.passed).toEqual({ whole: false });
    expect(place.repo.git("show", `${said.branch}:value.txt`)).toContain("ONE");
    const told = place.repo.git("show", `${said.branch}:told.txt`);
    expect(told).toContain("make it loud");
    expect(told).toContain("exited 1");
    const inbox = await place.json(["inbox"]);
    expect(inbox.said.items.map(({ loop }: { readonly loop: string }) => loop)).toEqual(["outer"]);
    expect((await place.json(["status"])).said.loops.map(({ loop }: { readonly loop: string }) => loop)).toEqual(["outer"]);
    expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
    expect(place.repo.git("branch", "--list", "loopwright/*").trim().split("\n")).toHaveLength(1);
  }));

it("a loop that fakes its success sinks whoever called it, also where nobody proposes what it made", () =>
  inShop(async (place) => {
    place.write(
      "sly.loop.json",
      loopOf("sly", {
        seal: ["other.txt"],
        maker: shell("echo b > other.txt; echo x > x.txt"),
        verifiers: [{ use: "command", with: { run: "test -e x.txt" } }],
      }),
    );
    place.write(
      "weak.loop.json",
      loopOf("weak", { maker: shell("echo x > x.txt"), verifiers: [{ use: "command", with: { run: "test -e y.txt" } }] }),
    );
    const calling = (file: string) =>
      place.write(
        `outer-${file}`,
        loopOf(`outer-${file.split(".")[0]}`, {
          target: { repo: place.repo.dir, base: "main" },
          team: {
            workers: {
              good: { role: "Do.", ...shell("sed -i s/one/ONE/ value.txt"), gives: { as: "commit" } },
              child: { loop: file },
            },
            proposes: ["good"],
          },
          verifiers: [{ use: "command", with: { run: "grep -q ONE value.txt" } }],
        }),
      );

    const sly = await place.json(["run", calling("sly.loop.json")]);
    const weak = await place.json(["run", calling("weak.loop.json")]);

    expect([sly.exit, sly.said.rest.because, sly.said.branch]).toEqual([5, "tampering", null]);
    expect(sly.said.rest.reason).toContain("ended with tampering");
    expect([weak.exit, weak.said.rest.because, weak.said.branch]).toEqual([4, "maker-unfinished", null]);
  }));

/** A loop whose maker fails its check the first time, and does well the second: as long as it may be launched that often. */
const stubborn = (place: Place, launches: number): string =>
  loopOf("stubborn", {
    maker: shell(
      `echo x >> ${place.dir}/tries; test $(wc -l < ${place.dir}/tries) -lt 2 || sed -i s/one/ONE/ value.txt; date +%N > other.txt`,
    ),
    verifiers: [{ id: "loud", use: "command", with: { run: "grep -q ONE value.txt" } }],
    budget: { rounds: 5, launches },
  });

const callingStubborn = (place: Place, budget: object = {}): string =>
  loopOf("outer", {
    target: { repo: place.repo.dir, base: "main" },
    team: {
      workers: {
        quick: { role: "Add.", ...shell("echo q > quick.txt"), gives: { as: "commit" } },
        child: { loop: "stubborn.loop.json" },
      },
      proposes: ["quick", "child"],
    },
    verifiers: [{ use: "command", with: { run: "grep -q ONE value.txt && test -s quick.txt" } }],
    budget: { rounds: 3, ...budget },
  });

it.each([
  {
    whose: "its own",
    child: 1,
    outer: {},
    names: /^the loop child, called as outer-1-\w+\.1\.child, halted: 1 launch(es)? of 1 are taken for this run/,
    raise: (place: Place): string => place.write("stubborn.loop.json", stubborn(place, 5)),
  },
  {
    whose: "its caller's",
    child: 5,
    outer: { launches: 2 },
    names: /halted: 2 launches of 2 are taken for outer-1-\w+, which called it \(budget\.launches\)/,
    raise: (place: Place): string => place.write("outer.loop.json", callingStubborn(place, { launches: 9 })),
  },
])(
  "a cap that ends a loop that was called, be it $whose, halts the caller as one of its own: exit 10, numbers, and it goes on with more",
  ({ child, outer, names, raise }) =>
    inShop(async (place) => {
      place.write("stubborn.loop.json", stubborn(place, child));
      const spec = place.write("outer.loop.json", callingStubborn(place, outer));

      const halted = await place.json(["run", spec]);
      const again = await place.json(["resume", "outer"]);
      raise(place);
      const resumed = await place.json(["resume", "outer"]);

      expect([halted.exit, halted.said.rest.kind, halted.said.rest.because]).toEqual([10, "halt", "budget"]);
      expect(halted.said.rest.reason).toMatch(names);
      expect(again.exit).toBe(10);
      expect([resumed.exit, resumed.said.runs[0].rest]).toEqual([0, { kind: "accept", action: "propose" }]);
      const shown = await place.json(["show", "outer"]);
      const workers = workersIn(shown.said);
      expect([workers.quick.tries, workers.child.ended, workers.child.child.used.launches]).toEqual([1, "made", 2]);
      // Nobody worked twice, and what the loop used is counted once.
      expect(shown.said.used.launches).toBe(3);
      expect(place.repo.git("for-each-ref", "refs/loopwright/kept")).toBe("");
    }),
);

/** Git takes ten seconds and more to take in a gigabyte; what is too much is refused by the same line. */
const HUGE = process.env.LOOPWRIGHT_FUZZ === "long" ? 1e9 : 2e6;

it("brings loops together by all, first, vote, synthesis and a least number, keeps who dissents, and takes no gigabyte of one", () =>
  inShop(async (place) => {
    const saying = (name: string, run: string, check = "test -s said.txt") =>
      place.write(
        `${name}.loop.json`,
        loopOf(name, {
          document: { files: ["*.txt"], most: "100MB" },
          maker: shell(run),
          verifiers: [{ use: "command", with: { run: check } }],
        }),
      );
    saying("yes", "echo yes > said.txt");
    saying("also", "echo 'YES ' > said.txt");
    saying("no", "echo no > said.txt");
    saying("gone", "echo maybe > said.txt", "grep -q certain said.txt");
    saying("huge", `head -c ${HUGE} /dev/zero | tr "\\0" x > said.txt`);
    const spec = place.write(
      "outer.loop.json",
      loopOf("outer", {
        target: { repo: place.repo.dir },
        team: {
          atOnce: 2,
          workers: {
            yes: { loop: "yes.loop.json" },
            also: { loop: "also.loop.json" },
            no: { loop: "no.loop.json" },
            gone: { loop: "gone.loop.json" },
            huge: { loop: "huge.loop.json" },
            editor: { role: "Sum up.", ...shell('cp "$LOOPWRIGHT_BRIEF" editor.md'), gives: { as: "markdown" } },
            last: {
              role: "Say.",
              ...shell('cp "$LOOPWRIGHT_BRIEF" last.md'),
              reads: ["voted", "first", "view", "pair"],
              gives: { as: "markdown" },
            },
          },
          joins: {
            voted: { of: ["yes", "also", "no"], how: "vote" },
            first: { of: ["gone", "huge", "no", "yes"], how: "first" },
            view: { of: ["yes", "no", "gone"], how: "synthesis", by: "editor", least: 2 },
            pair: { of: ["yes", "no", "huge"], how: "all", least: 2 },
            every: { of: ["yes", "gone"], how: "all" },
          },
          proposes: ["last"],
        },
        verifiers: [{ use: "command", with: { run: "test -s last.md" } }],
      }),
    );

    const { exit, said } = await place.json(["run", spec]);

    const { team } = said.rounds.at(-1).evidence.proposal;
    expect(exit).toBe(0);
    // biome-ignore lint/suspicious/noExplicitAny: read by name
    expect(Object.fromEntries(team.joins.map(({ id, ...fact }: any) => [id, fact]))).toEqual({
      voted: { how: "vote", ended: "made", chosen: ["yes", "also"], dissent: ["no"] },
      first: { how: "first", ended: "made", chosen: ["no"], dissent: ["gone", "huge", "yes"] },
      view: { how: "synthesis", ended: "made", chosen: ["yes", "no"], dissent: ["gone"] },
      pair: { how: "all", ended: "made", chosen: ["yes", "no"], dissent: ["huge"] },
      every: { how: "all", ended: "failed", chosen: [], dissent: ["yes", "gone"], why: "1 of 2 made something, and 2 must" },
    });
    const { huge, gone } = workersIn(said);
    expect([huge.ended, huge.result, gone.ended]).toEqual(["failed", undefined, "failed"]);
    expect(huge.why).toMatch(/^it handed over \d+ bytes( or more)?, and .* are the most$/);
  }));
