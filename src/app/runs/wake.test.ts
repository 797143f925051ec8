import { expect, it } from "vitest";
import { createMemoryHouse, FINISHED, type MemoryHouse, type MemoryHouseAbout, specText } from "../../../test/support/memory-house.ts";
import { LoopError } from "../../contract/errors.ts";
import type { Talk } from "../../contract/proposal.ts";
import { specHash } from "../../spec/read-spec.ts";
import { pauseLoop, stopAll } from "../decisions/standing.ts";
import { viewOf } from "../records/views.ts";
import type { RunWishes } from "./plan-waking.ts";
import { abandonRun, resumeRun, runSpec } from "./wake.ts";

const PLAIN: RunWishes = { onlyIfDue: false, again: false };
const quiet = () => {};

const wake = ({ house, spec }: MemoryHouse, more: object = {}, wishes: Partial<RunWishes> = {}) =>
  runSpec(house, spec(more), { ...PLAIN, ...wishes }, quiet);

const kindsOf = ({ entries }: MemoryHouse, run?: string): readonly string[] =>
  entries.filter((entry) => run === undefined || entry.run === run).map(({ record }) => record.kind);

/** A maker that fails in a way that passes as long as it is told to, so that its run stays open. */
function createMoody(): MemoryHouseAbout & { recover: () => void } {
  let isWell = false;
  return {
    recover: () => {
      isWell = true;
    },
    edit: async (): Promise<Talk> => {
      if (isWell) return FINISHED;
      throw new LoopError("maker-rate-limited", "try at noon", { retry: "later", hint: "Wait." });
    },
  };
}

it("runs a loop to a proposal on a branch of its own, and signs for it", async () => {
  const at = createMemoryHouse();

  const result = await wake(at);

  expect(result).toEqual({ kind: "ran", run: "fix-1-t0001", outcome: { kind: "rested", rest: { kind: "accept", action: "propose" } } });
  expect(at.repo.filesOf(at.repo.tip("loopwright/fix-1-t0001.1") ?? "")).toEqual({ "src/value.txt": "made in fix-1-t0001.1\n" });
  expect(at.repo.tip("main")).toBe(at.base);
  expect(kindsOf(at).slice(-3)).toEqual(["run-rested", "receipted", "checkpointed"]);
});

it("refuses a loop that somebody else works on, and leaves the lock to them", async () => {
  const at = createMemoryHouse();
  const lock = await at.house.locks.hold("loop fix", { ms: 0 });

  await expect(wake(at)).rejects.toMatchObject({ code: "loop-busy", retry: "later" });

  expect([at.entries, at.orders, await at.house.locks.isHeld("loop fix")]).toEqual([[], [], true]);
  await lock?.release();
  expect((await wake(at)).kind).toBe("ran");
});

it("gives the loop back, also after a waking that failed", async () => {
  const at = createMemoryHouse();

  await expect(wake(at, { target: { repo: "/repo", base: "gone" } })).rejects.toMatchObject({ code: "ref-missing" });

  expect(await at.house.locks.isHeld("loop fix")).toBe(false);
});

it("refuses a loop that is paused, before anything is opened or spent", async () => {
  const at = createMemoryHouse();
  await pauseLoop(at.house, "fix", "ada", "holidays");

  await expect(wake(at)).rejects.toMatchObject({ code: "loop-held", message: "the loop was paused by ada: holidays" });

  expect([kindsOf(at), at.orders]).toEqual([["loop-paused"], []]);
});

it("refuses every loop while everything is stopped", async () => {
  const at = createMemoryHouse();
  await stopAll(at.house, "ada");

  await expect(wake(at)).rejects.toMatchObject({ code: "loop-held" });

  expect([at.entries, at.orders]).toEqual([[], []]);
});

it.each([
  ["a box is required and there is none", { box: { maker: { when: "required" } } }, "box-unusable"],
  ["there is nothing at base", { target: { repo: "/repo", base: "gone" } }, "ref-missing"],
])("opens no run where %s", async (_, more, code) => {
  const at = createMemoryHouse();

  await expect(wake(at, more)).rejects.toMatchObject({ code });

  expect([at.entries, at.orders]).toEqual([[], []]);
});

it("does not make again what waits on the same base, unless somebody wants it", async () => {
  const at = createMemoryHouse();
  await wake(at);

  const second = await wake(at);
  const third = await wake(at, {}, { again: true });

  expect(second).toEqual({ kind: "waiting", run: "fix-1-t0001", branch: "loopwright/fix-1-t0001.1" });
  expect(third).toMatchObject({ kind: "ran", run: "fix-2-t0002" });
  expect(at.orders.map(({ round }) => round.run)).toEqual(["fix-1-t0001", "fix-2-t0002"]);
});

it("says of an older proposal that nobody touched that a newer one took its place", async () => {
  const at = createMemoryHouse();
  await wake(at);

  await wake(at, {}, { again: true });

  const settled = at.entries.filter(({ record }) => record.kind === "proposal-settled");
  expect(settled.map(({ run, record }) => [run, record])).toEqual([
    ["fix-1-t0001", { kind: "proposal-settled", how: "superseded", why: "fix-2-t0002 took its place" }],
  ]);
});

it("makes a new proposal where base has moved", async () => {
  const at = createMemoryHouse();
  await wake(at);
  const moved = at.repo.commit({ "README.md": "more\n" });

  const result = await wake(at);

  expect(result).toMatchObject({ kind: "ran", run: "fix-2-t0002" });
  expect(at.orders.map(({ round }) => round.base)).toEqual([at.base, moved]);
});

it("writes down that a proposal was merged or thrown away by hand, and then makes another", async () => {
  const at = createMemoryHouse();
  await wake(at);
  at.repo.removeBranch("loopwright/fix-1-t0001.1");

  const result = await wake(at);

  expect(result).toMatchObject({ kind: "ran", run: "fix-2-t0002" });
  expect(at.records("proposal-settled")).toEqual([{ kind: "proposal-settled", how: "withdrawn", why: "its branch is gone" }]);
});

it("finishes an interrupted run of the same spec instead of opening another", async () => {
  const moody = createMoody();
  const at = createMemoryHouse(moody);
  expect(await wake(at)).toMatchObject({ kind: "ran", outcome: { kind: "paused" } });
  moody.recover();

  const result = await wake(at);

  expect(result).toEqual({ kind: "ran", run: "fix-1-t0001", outcome: { kind: "rested", rest: { kind: "accept", action: "propose" } } });
  expect(kindsOf(at).filter((kind) => kind === "run-opened" || kind === "run-resumed")).toEqual(["run-opened", "run-resumed"]);
});

it("goes on with another budget, which does not make it another work order", async () => {
  const moody = createMoody();
  const at = createMemoryHouse(moody);
  await wake(at);
  moody.recover();

  const result = await wake(at, { budget: { rounds: 7 } });

  expect(result).toMatchObject({ kind: "ran", run: "fix-1-t0001" });
  expect(at.records("run-resumed")).toMatchObject([{ budget: { rounds: 7 } }]);
  expect(at.orders.at(-1)?.spec.budget.rounds).toBe(7);
});

it("gives up an interrupted run of another spec, and says why", async () => {
  const moody = createMoody();
  const at = createMemoryHouse(moody);
  await wake(at);
  moody.recover();

  const result = await wake(at, { intent: "Make it better." });

  expect(result).toMatchObject({ kind: "ran", run: "fix-2-t0002" });
  expect(at.records("run-rested")[0]).toMatchObject({
    rest: { kind: "halt", because: "stopped", reason: "the spec was changed while this run was interrupted" },
  });
  expect(kindsOf(at, "fix-1-t0001").filter((kind) => kind === "run-resumed")).toEqual([]);
});

it("tells when a loop is due, and does nothing before that", async () => {
  const trigger = { use: "every", with: { interval: "1h" } };
  const at = createMemoryHouse();
  await wake(at, { trigger }, { onlyIfDue: true });
  const { length } = at.entries;
  const opened = at.entries.find(({ record }) => record.kind === "run-opened");
  const due = new Date((Math.floor(Date.parse(opened?.at ?? "") / 3_600_000) + 1) * 3_600_000).toISOString();

  const early = await wake(at, { trigger }, { onlyIfDue: true });
  expect([early, at.entries.length]).toEqual([{ kind: "not-due", nextDue: due }, length]);

  at.clock.pass(3_600_000);
  expect((await wake(at, { trigger }, { onlyIfDue: true, again: true })).kind).toBe("ran");
});

it("waits for the first time after a loop became known, where it never ran", async () => {
  const trigger = { use: "every", with: { interval: "1h" } };
  const at = createMemoryHouse();
  const learn = (triggerHash: string, specHash: string) =>
    at.house.journal.append([
      {
        loop: "fix",
        run: "fix-standing",
        record: { kind: "loop-known", path: "/l", by: "ada", specHash, triggerHash, sha256: "", trigger },
      },
    ]);
  await learn("other", "a");
  await learn("hourly", "b");
  at.clock.pass(1);
  await learn("hourly", "c");
  const due = new Date((Math.floor(at.house.clock.now().getTime() / 3_600_000) + 1) * 3_600_000);
  const { length } = at.entries;

  expect([await wake(at, { trigger }, { onlyIfDue: true }), at.entries.length]).toEqual([
    { kind: "not-due", nextDue: due.toISOString() },
    length,
  ]);
  at.clock.pass(3_600_000);
  await learn("hourly", "d");
  expect((await wake(at, { trigger }, { onlyIfDue: true })).kind).toBe("ran");
});

it("never takes a loop for due whose trigger is manual", async () => {
  const at = createMemoryHouse();

  expect(await wake(at, {}, { onlyIfDue: true })).toEqual({ kind: "not-due", nextDue: "never: its trigger names no time" });
});

it("records the spec without its secrets, and the hash of exactly that", async () => {
  const at = createMemoryHouse();
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0"}${"k1L2m3N4o5P6q7R8"}`;

  await wake(at, { verifiers: [{ use: "by-eye", with: { secret } }] });

  const [opened] = at.records("run-opened");
  if (opened?.kind !== "run-opened") throw new TypeError("no run was opened");
  expect(JSON.stringify(at.entries)).not.toContain(secret);
  expect(opened.spec.verifiers[0]?.with?.secret).toMatch(/^\[redacted:/);
  expect(specHash(opened.spec)).toBe(opened.specHash);
});

it("stops a run that somebody asks to stop in the journal, and no other", async () => {
  const at: MemoryHouse = createMemoryHouse({
    edit: async ({ round: { run, loop } }) => {
      await at.house.journal.append([
        { loop, run: loop === "fix" ? run : "fix-9-other", record: { kind: "stop-requested", by: "lw stop" } },
      ]);
      at.tick();
      await new Promise((resolve) => setImmediate(resolve));
      return FINISHED;
    },
  });

  const stopped = await wake(at);
  const other = await wake(at, { name: "other" });

  expect(stopped).toMatchObject({ outcome: { kind: "paused", failure: { code: "interrupted" } } });
  expect(other).toMatchObject({ outcome: { kind: "rested", rest: { kind: "accept" } } });
  expect(at.house.stop.asked()).toBe(false);
});

it("waits for a limit that passes, as long as the spec has patience", async () => {
  let tries = 0;
  const at: MemoryHouse = createMemoryHouse({
    edit: async () => {
      if (++tries > 1) return FINISHED;
      const until = new Date(at.clock.now().getTime() + 60_000).toISOString();
      throw new LoopError("maker-rate-limited", "try in a minute", { retry: "later", hint: "Wait.", until });
    },
  });

  const result = await wake(at, { budget: { patience: "5m" } });

  expect([result, tries]).toMatchObject([{ outcome: { kind: "rested" } }, 2]);
});

it("goes on with a stopped run, by the spec that is on record", async () => {
  const moody = createMoody();
  const at = createMemoryHouse(moody);
  await wake(at);
  moody.recover();

  const result = await resumeRun(at.house, "fix", quiet);

  expect(result).toMatchObject({ kind: "ran", run: "fix-1-t0001", outcome: { kind: "rested" } });
  await expect(resumeRun(at.house, "fix", quiet)).rejects.toMatchObject({
    code: "bad-input",
    message: "the loop fix has no interrupted run",
  });
});

it("books nothing for a maker that could not be started", async () => {
  const at = createMemoryHouse({
    edit: async () => {
      throw new LoopError("maker-failed", "claude: not found (exit 127)", { retry: "never", isFree: true, hint: "Install it." });
    },
  });

  await wake(at);

  const view = await viewOf(at.house, "fix-1-t0001");
  expect([view.cost, view.rest]).toMatchObject([{ known: true, usd: 0, tokens: 0 }, { kind: "halt" }]);
});

it("says on resume that the spec's file is another now, or broken, and goes on with what is on record", async () => {
  const told = async (text: string | undefined): Promise<readonly string[]> => {
    const moody = createMoody();
    const at = createMemoryHouse(moody);
    await wake(at);
    moody.recover();
    const { specPath } = at.entries.flatMap(({ record }) => (record.kind === "run-opened" ? [record] : []))[0]!;
    at.files.written.set(specPath, text ?? specText({ name: "fix" }));
    const words: string[] = [];
    expect(await resumeRun(at.house, "fix", quiet, { tell: (word) => words.push(word) })).toMatchObject({ outcome: { kind: "rested" } });
    return words;
  };

  expect(await told(specText({ name: "fix", intent: "Something else." }))).toEqual([
    expect.stringContaining("was changed since this run began"),
  ]);
  expect(await told("name: [")).toEqual([expect.stringMatching(/cannot be read any more: .*lw validate/)]);
  expect(await told(specText({ name: "fix", budget: { rounds: 9 } }))).toEqual([]);
});

it("ends a run for good that somebody abandons, and calls no maker for it", async () => {
  const moody = createMoody();
  const at = createMemoryHouse(moody);
  await wake(at);
  const { length } = at.orders;

  const result = await abandonRun(at.house, "fix", "ada", quiet);

  expect(result).toMatchObject({ outcome: { kind: "rested", rest: { kind: "halt", because: "stopped", reason: "abandoned by ada" } } });
  expect(at.orders).toHaveLength(length);
  await expect(abandonRun(at.house, "fix", "ada", quiet)).rejects.toMatchObject({ code: "bad-input" });
});

it("halts a loop that comes to a bad end time after time", async () => {
  const at = createMemoryHouse({ sees: () => ({ outcome: "refuted", detail: "it does not", output: undefined }) });
  const budget = { rounds: 1 };
  for (let time = 0; time < 10 && !at.records("loop-halted").length; time++) await wake(at, { budget });

  await expect(wake(at, { budget })).rejects.toMatchObject({ code: "loop-held" });

  expect(at.records("loop-halted")).toHaveLength(1);
});
