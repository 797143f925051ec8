import { describe, expect, it } from "vitest";
import { LoopError } from "../../src/contract/errors.ts";
import type { ImproveMatter, ImproverWorld } from "../../src/contract/improver.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { shown } from "../../src/guard/text/admit.ts";
import { improvers } from "../../src/improvers/index.ts";
import { promisesOf } from "../support/part-suite.ts";

const matter: ImproveMatter = {
  intent: "Write it well.",
  targets: [{ id: "writer", role: "Write.", with: { temperature: 0 } }],
  now: { of: {} },
  lessons: [untrustedText("it was too long")],
  keep: [],
  space: { temperature: [0, 0.5] },
  tried: [],
  standing: "quality stands at 0.5",
};
const away = new LoopError("model-failed", "nobody answered", { retry: "never", hint: "Look." });
const world = (ask: ImproverWorld["models"]["ask"] = () => Promise.reject(away)): ImproverWorld => ({
  seed: 7,
  models: { ask },
  show: shown,
});
const MODEL = { provider: "ollama", model: "small" };

describe.each(improvers.map((part) => [part.name, part] as const))("the improver %s", (_, part) => {
  promisesOf(part);

  it("wishes the same for the same matter, names only whom it may change, and does not touch what it was handed", async () => {
    const before = JSON.stringify(matter);
    const improve = part.configure({});

    const wish = await improve(matter, world());

    expect(await improve(matter, world())).toEqual(wish);
    expect(wish.kind === "change" ? Object.keys(wish.of) : ["writer"]).toEqual(["writer"]);
    expect(JSON.stringify(matter)).toBe(before);
  });

  it("wishes for nothing where there is nothing to learn and nothing to try", async () => {
    const wish = await part.configure({})({ ...matter, lessons: [], space: {} }, world());

    expect(wish.kind).toBe("nothing");
  });
});

describe("refine by a model", () => {
  const refine = improvers.find(({ name }) => name === "refine")!.configure({ model: MODEL });
  const saying = (value: unknown) =>
    world(async () => ({
      said: { kind: "answer", text: "", value },
      finish: "done",
      usage: { input: 1, output: 1, cached: undefined, reasoning: undefined },
      bytes: { sent: 1, received: 1 },
    }));

  it("takes its words for those of before, if it answers this question", async () => {
    const now = { of: { writer: { heed: [untrustedText("old")] } } };

    expect(await refine({ ...matter, now }, saying({ question: "7", heed: ["Be brief."] }))).toMatchObject({
      kind: "change",
      of: { writer: { heed: ["Be brief."] } },
    });
  });

  it.each([
    ["an answer to another question", saying({ question: "8", heed: ["x"] })],
    ["no list", saying({ question: "7", heed: "x" })],
    ["nobody who answers", world()],
  ])("changes nothing by %s", async (_, desk) => {
    expect((await refine(matter, desk)).kind).toBe("nothing");
  });
});
