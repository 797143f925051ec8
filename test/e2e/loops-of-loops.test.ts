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
