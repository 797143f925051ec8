// What loops of teams come to with models that are really asked, in each form of their interface: how they end, what they keep, take back and may spend.
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";
import { startModelServer } from "../support/model-server.ts";
import { playing, type Roles } from "../support/scripted-workers.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads the document as its reader would, by name
type Said = any;

/** A check that reads its score from what the writer says, and hints at what is missing. */
const SCORED = {
  id: "scored",
  use: "check",
  with: {
    run: `printf '{"score": %s, "hints": ["say it in one line"]}' "$(sed -n 's/^score //p' page.md)" > out.json`,
    answers: "score",
    file: "out.json",
  },
};

const KEY = { env: { MODEL_KEY: "k3y-of-nobody" } };

describe.each(["anthropic", "openai-compatible"] as const)("on the wire of %s", (provider) => {
  const withModel = async <T>(
    worker: Roles["worker"],
    work: (place: Place, model: object, asked: readonly { readonly words: string }[]) => Promise<T>,
  ) => {
    const server = await startModelServer(playing({ worker, judge: () => 0.9 }));
    try {
      return await inPlace(async (place) => {
        place.repo.commit("start", { files: { "readme.md": "x\n" } });
        const options = {
          model: "m-1",
          baseUrl: `${server.url}/v1`,
          keyVariable: "MODEL_KEY",
          price: { input: "$100.00", output: "$100.00" },
        };
        return work(place, { use: provider, with: options }, server.asked);
      });
    } finally {
      await server.close();
    }
  };

  const specOf = (place: Place, name: string, about: object): string =>
    place.write(
      `${name}.loop.json`,
      JSON.stringify({
        name,
        intent: "Write the page.",
        level: "L2",
        target: { repo: place.repo.dir },
        box: UNBOXED,
        baseline: { when: "off" },
        verifiers: [SCORED],
        budget: { rounds: 6 },
        ...about,
      }),
    );

  const writing = (model: object) => ({
    workers: { writer: { role: "Write it.", ...model, gives: { as: "markdown", file: "page.md" }, tools: [] } },
    proposes: ["writer"],
  });
  const measured = { metrics: { quality: { from: "scored", primary: true } } };
  const saying =
    (scores: readonly number[]): Roles["worker"] =>
    (_, { nth }) =>
      `# Page ${nth}\n\nscore ${scores[Math.min(nth, scores.length) - 1]}`;
  const pageOf = (place: Place, name: string, branch: string): string =>
    execFileSync("git", ["-C", `${place.home}/documents/${name}.git`, "show", `${branch}:page.md`], { encoding: "utf8" });

  it("a goal ends it well; a failure ends it there; where nothing is gained the best is proposed, and what made it worse was undone", () =>
    withModel(saying([0.7, 0.6, 0.65, 0.95]), async (place, model, asked) => {
      const about = { team: writing(model), ...measured };
      const until = { success: [{ when: "quality >= 0.9" }] };
      const stalling = specOf(place, "stalls", {
        ...about,
        until: { ...until, stall: [{ metric: "quality", rounds: 2, gain: 0.01 }] },
        feedback: [{ from: "scored", to: "improve", tell: ["hints"] }],
        improve: { use: "refine", of: ["writer"], undo: { drop: 0 } },
      });
      const stalled = await place.json(["run", stalling], KEY);
      const { said: lineage } = await place.json(["evolve", "stalls"]);
      const briefs = asked.filter(({ words }) => words.includes("Write it.")).map(({ words }) => words.includes("say it in one line"));
      const goal = await place.json(["run", specOf(place, "succeeds", { ...about, until })], KEY);
      // biome-ignore lint/suspicious/noThenProperty: the spec's own word
      const failing = { success: [{ when: "quality >= 0.99" }], fail: [{ when: "quality > 0.9", then: "halt" }] };
      const failed = await place.json(["run", specOf(place, "fails", { ...about, until: failing })], KEY);

      expect([stalled.exit, stalled.said.rest.best]).toMatchObject([12, { number: 1, value: 0.7, because: "stalled" }]);
      expect(pageOf(place, "stalls", stalled.said.branch)).toBe("# Page 1\n\nscore 0.7");
      expect(lineage.versions.map(({ before, after, state }: Said) => [before, after, state])).toEqual(
        expect.arrayContaining([[0.7, 0.6, "undone"]]),
      );
      expect(briefs.slice(0, 2)).toEqual([false, true]);
      expect([goal.exit, goal.said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
      expect([failed.exit, failed.said.rest.best.because]).toEqual([12, "check-failed"]);
    }));

  it("silence is no yes of the person who was asked, and of eight loops that are called at once none passes the cap of the one that calls", () =>
    withModel(saying([0.95]), async (place, model, asked) => {
      const human = { id: "seen", use: "human", with: { ask: "Is it sound?", within: "1ms" } };
      const asking = { team: writing(model), verifiers: [SCORED, human], budget: { rounds: 1 } };
      const waits = await place.json(["run", specOf(place, "waits", asking)], KEY);
      const late = await place.lw(["review", "waits", "yes", "--as", "ada"]);
      const ended = await place.json(["resume", "waits"], KEY);
      const before = asked.length;

      specOf(place, "branch", { team: writing(model), budget: { rounds: 1 } });
      const ids = Array.from({ length: 8 }, (_, n) => `b${n}`);
      const tree = specOf(place, "tree", {
        team: {
          atOnce: 8,
          workers: Object.fromEntries(ids.map((id) => [id, { loop: "branch.loop.json" }])),
          joins: { all: { of: ids, how: "all" } },
          proposes: ["all"],
        },
        verifiers: [{ use: "command", with: { run: "true" } }],
        // Each call comes to 100 tokens in and 10 out: three of them, and not eight.
        budget: { rounds: 1, calls: 3 },
      });
      const capped = await place.json(["run", tree], KEY);

      expect([waits.exit, late.exit, ended.exit, ended.said.runs[0].rest.because]).toEqual([9, 64, 4, "cannot-verify"]);
      expect([capped.exit, capped.said.rest.because]).toEqual([10, "budget"]);
      expect(asked.length - before).toBeLessThanOrEqual(3);
      expect(capped.said.rest.reason).toContain("budget.calls");
    }));
});
