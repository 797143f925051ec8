import { expect, it } from "vitest";
import { askDashboard } from "../../../test/support/dashboard.ts";
import { createMemoryHouse, specText, withProposal } from "../../../test/support/memory-house.ts";
import { builtIn } from "../../app/crew.ts";
import { draftOf } from "../../app/page/new-loop.ts";
import { trialOf } from "../../app/runs/trial.ts";
import type { AddAnswer, DraftView, NewView, Refusal, TrialAnswer } from "../../contract/api.ts";
import type { ReadySpec } from "../../contract/web.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { readReadySpecs } from "../../world/files/ready-specs.ts";

const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;
const refusalOf = async (response: Promise<Response>) => {
  const answer = await response;
  return [answer.status, ((await answer.json()) as Refusal).error.message];
};

/** A home that knows one repository, and a ready-made loop that its parts can make. */
async function open(more: Partial<Parameters<typeof askDashboard>[1]> = {}) {
  const at = await withProposal();
  const ready: ReadySpec = { name: "tidy", text: `# Tidies up.\n${text()}` };
  const tried: unknown[] = [];
  const { files, texts } = { files: at.files, texts: at.house.texts };
  const asking = askDashboard(at.house, {
    bench: {
      ready: () => [ready],
      files: {
        async write({ root, folder, name }, its) {
          const path = `${root}/${folder}/${name}`;
          if ((await texts.readOptional(path)) !== undefined) return "there";
          await files.writeText(path, its);
          return "written";
        },
      },
      tryOut: async (trial) => {
        tried.push(trial);
        return { kind: "started", run: "tidy-1-x" };
      },
      barred: undefined,
    },
    ...more,
  });
  const { targets } = await json<NewView>(asking.get("/api/new"));
  return { ...at, ...asking, tried, target: targets[0]?.id ?? "", targets };
}

const text = (more: object = {}): string => specText({ name: "tidy", target: { repo: "..", base: "main" }, ...more });

it("offers repositories that loops work on already, and ready-made loops in words", async () => {
  const { get, target, targets } = await open();

  expect(targets).toEqual([{ id: target, path: "/repo", loops: ["fix"], count: 1 }]);
  expect((await json<NewView>(get("/api/new"))).ready).toEqual([
    { name: "tidy", about: "Tidies up.", intent: "Make it right.", level: "L2", trigger: "by hand only" },
  ]);
  expect(await json(askDashboard(createMemoryHouse().house).get("/api/new"))).toMatchObject({ targets: [], asOf: 0 });
});

it("shows what a spec would do and cost, and every problem at its line, without writing anything", async () => {
  const { get, post, target, files, entries } = await open();
  const before = [entries.length, files.written.size];

  const draft = await json<DraftView>(get(`/api/new/tidy?target=${target}`));
  const wrong = await json<DraftView>(post("/api/new/check", { target, text: "name: tidy\nlevel: L9\nmakr: x\n" }));
  const nothing = await json<DraftView>(post("/api/new/check", { target, text: "" }));

  expect(draft).toMatchObject({ name: "tidy", path: "/repo/.loopwright/tidy.loop.yaml", taken: null, problems: [], says: { level: "L2" } });
  expect(draft.graph?.nodes.map(({ kind, counts }) => [kind, counts.done])).toEqual([
    ["trigger", 0],
    ["maker", 0],
    ["verifier", 0],
    ["gate", 0],
    ["action", 0],
  ]);
  expect(draft.caps.map(({ scope }) => scope)).toContain("run");
  expect(wrong).toMatchObject({ name: null, path: null, graph: null });
  expect(wrong.problems.map(({ line, path }) => [line, path])).toEqual(
    expect.arrayContaining([
      [2, "level"],
      [3, "makr"],
    ]),
  );
  expect(nothing.problems.length).toBeGreaterThan(0);
  expect([entries.length, files.written.size]).toEqual(before);
});

it("adds a spec as a new file and as `lw add` does, once", async () => {
  const { post, target, files, records } = await open();

  const added = await json<AddAnswer>(post("/api/new/loop", { target, text: text() }));
  const again = await refusalOf(post("/api/new/loop", { target, text: text({ intent: "Another." }) }));

  expect(added).toEqual({
    loop: "tidy",
    path: "/repo/.loopwright/tidy.loop.yaml",
    isKnown: true,
    says: "Added. It wakes by its trigger from now on.",
  });
  expect(files.written.get("/repo/.loopwright/tidy.loop.yaml")).toBe(text());
  expect(records("loop-known")).toMatchObject([{ path: "/repo/.loopwright/tidy.loop.yaml", by: "ada" }]);
  expect(again).toEqual([409, "this home looks after a loop called tidy already, from /repo/.loopwright/tidy.loop.yaml"]);
});

it("writes over nothing, takes no name that is in use, and works on no repository but the one that was chosen", async () => {
  const { post, target, files, records } = await open();
  await files.writeText("/repo/.loopwright/other.loop.json", "{}");
  const add = (more: object) => refusalOf(post("/api/new/loop", { target, text: text(more) }));

  expect(await add({ name: "other" })).toEqual([409, "/repo/.loopwright/other.loop.json is there already; nothing is written over it"]);
  expect(await add({ name: "fix" })).toEqual([409, "a loop called fix ran before, from /specs/fix.loop.json"]);
  expect(await add({ target: { repo: "/etc" } })).toEqual([409, expect.stringContaining("target.repo leads to /etc")]);
  expect(await add({ target: { repo: "../.." } })).toEqual([409, expect.stringContaining("target.repo leads to /,")]);
  expect(await add({ name: "../../x" })).toEqual([409, expect.stringContaining("name must be lower-case letters")]);
  expect((await post("/api/new/loop", { target: "0".repeat(16), text: text() })).status).toBe(404);
  expect((await post("/api/new/loop", { target: "/etc", text: text() })).status).toBe(400);
  expect((await post("/api/new/loop", { target, text: "x".repeat(50_001) })).status).toBe(400);
  expect(files.written.get("/repo/.loopwright/other.loop.json")).toBe("{}");
  expect(records("loop-known")).toEqual([]);
});

it("tries one round of it in a process of its own, with what a run of it takes up", async () => {
  const { post, target, tried, files, house } = await open();

  const answer = await json<TrialAnswer>(post("/api/new/trial", { target, text: text() }));

  expect(answer).toMatchObject({ loop: "tidy", run: "tidy-1-x" });
  expect(tried).toEqual([
    {
      path: "/repo/.loopwright/tidy.loop.yaml",
      text: text(),
      needs: {
        loop: "tidy",
        target: await house.identityOf("/repo"),
        repo: "/repo",
        writes: true,
        maker: "by-hand",
        account: undefined,
        spare: false,
        priority: 0,
      },
    },
  ]);
  expect(files.written.has("/repo/.loopwright/tidy.loop.yaml")).toBe(false);
});

it("makes none where it only shows, and none where others can reach it", async () => {
  const shows = await open({ isReadOnly: true });
  for (const path of ["check", "trial", "loop"])
    expect([path, (await shows.post(`/api/new/${path}`, { target: shows.target, text: text() })).status]).toEqual([path, 403]);
  expect((await shows.get(`/api/new/tidy?target=${shows.target}`)).status).toBe(200);

  const barred = "it can be reached from elsewhere";
  const files = { write: () => Promise.reject(new Error("written")) };
  const elsewhere = await open({ bench: { ready: () => [], files, tryOut: () => Promise.reject(new Error("tried")), barred } });
  for (const path of ["trial", "loop"])
    expect(await refusalOf(elsewhere.post(`/api/new/${path}`, { target: elsewhere.target, text: text() }))).toEqual([409, barred]);
  expect(await json(elsewhere.get("/api/new"))).toMatchObject({ barred });
});

it("offers a loop that fits the repository, and what was seen of it, where somebody looks", async () => {
  const folders: string[] = [];
  const outlined = text({ name: "fitted" });
  const bench = {
    ready: () => [],
    files: { write: () => Promise.reject(new Error("written")) },
    tryOut: undefined,
    barred: undefined,
    outline: async (folder: string) => {
      folders.push(folder);
      return outlined;
    },
  };
  const { get, target } = await open({ bench });

  expect((await json<NewView>(get("/api/new"))).ready.map(({ name }) => name)).toEqual(["made-for-this-repository"]);
  expect(await json(get(`/api/new/made-for-this-repository?target=${target}`))).toMatchObject({ name: "fitted", text: outlined });
  expect((await get(`/api/new/made-for-this-repository?target=${"0".repeat(16)}`)).status).toBe(404);
  expect((await get(`/api/new-scan?target=${target}`)).status).toBe(404);
  expect(folders).toEqual(["/repo"]);
});

it("has ready-made loops that are right where they would be written", () => {
  const ready = readReadySpecs();
  const read = ready.map((one) => ({ name: one.name, reading: readSpec(one.name, draftOf(one), builtIn) }));

  expect(ready.length).toBeGreaterThanOrEqual(5);
  expect(read.map(({ name, reading }) => [name, reading.kind === "read" ? reading.spec.target.repo : reading.problems])).toEqual(
    ready.map(({ name }) => [name, ".."]),
  );
});

it("tries at most a proposal of one round, whatever the spec allows", () => {
  const at = createMemoryHouse();
  const loaded = at.spec({ level: "L3", budget: { rounds: 9 } });

  const { spec, hash } = trialOf(loaded);

  expect([spec.level, spec.budget.rounds, hash === loaded.hash]).toEqual(["L2", 1, false]);
  expect(trialOf({ ...loaded, spec: { ...loaded.spec, level: "L1" } }).spec.level).toBe("L1");
  expect(readSpec("spec", JSON.stringify(spec), at.house.registries)).toMatchObject({ kind: "read" });
});
