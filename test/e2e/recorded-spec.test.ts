// The spec that is on record and the hash beside it are of the same spec, for every kind of run.
import { expect, it } from "vitest";
import { specHash } from "../../src/spec/read-spec.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { seededChance } from "../support/seeded-chance.ts";

const spec = (place: Place, more: object = {}) => ({
  name: "fix",
  intent: "Make it right.",
  level: "L2",
  target: { repo: place.repo.dir, base: "main" },
  maker: { use: "shell", with: { run: "echo right > value.txt" } },
  verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
  baseline: { when: "off" },
  ...more,
});

const token = `gh${"p_"}${seededChance(17).text("A-Za-z0-9", 36)}`;

const KINDS: { readonly [kind: string]: (place: Place) => Promise<string> } = {
  "a change": async (place) => {
    place.write("fix.loop.json", JSON.stringify(spec(place)));
    await place.lw(["run", "fix"]);
    return "fix";
  },
  "a report": async (place) => {
    const watch = { level: "L1", gather: [{ use: "commits", with: { since: "36500d" } }], maker: { use: "triage" } };
    place.write("fix.loop.json", JSON.stringify(spec(place, { ...watch, verifiers: [{ use: "grounded" }] })));
    await place.lw(["run", "fix"]);
    return "fix";
  },
  "a spec that spells a secret out": async (place) => {
    const run = `TOKEN=${token} sh -c 'echo right > value.txt'`;
    place.write("fix.loop.json", JSON.stringify(spec(place, { maker: { use: "shell", with: { run } } })));
    await place.lw(["run", "fix"]);
    return "fix";
  },
  "a referee's": async (place) => {
    const own = spec(place, { target: { base: "main" }, budget: { rounds: 3 }, baseline: { when: "off", want: "red" } });
    place.repo.commit("a loop", { files: { "fix.loop.json": JSON.stringify(own) } });
    place.repo.git("switch", "--quiet", "--create", "work");
    place.repo.write("value.txt", "right\n");
    await place.lw(["referee"], { cwd: place.repo.dir });
    return "fix.referee";
  },
};

it.each(Object.keys(KINDS))("of %s", (kind) =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });

    const loop = await KINDS[kind]!(place);

    const { said } = await place.json(["show", loop, "--records"]);
    const opened = said.records.map(({ record }: { readonly record: { readonly kind: string } }) => record)[0];
    expect(opened).toMatchObject({ kind: "run-opened", specHash: specHash(opened.spec) });
    expect(JSON.stringify(said)).not.toContain(token);
  }),
);
