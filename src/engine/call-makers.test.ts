import { describe, expect, it } from "vitest";
import { createFakeWorld } from "../../test/support/fake-world.ts";
import { createMemoryJournal, type MemoryJournal } from "../../test/support/memory-journal.ts";
import { type AnyCrew, runToRest } from "../../test/support/runs.ts";
import type { Stop } from "../contract/clock.ts";
import { type ErrorCode, LoopError } from "../contract/errors.ts";
import type { EditOrder, Login, Make } from "../contract/maker.ts";
import { modelLogin } from "../contract/model-login.ts";
import type { ModelRef, ModelReply, Models } from "../contract/models.ts";
import type { MakerWorld } from "../contract/part-worlds.ts";
import type { Talk } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import { LoopSpec } from "../contract/spec.ts";
import { createStop } from "../contract/stop.ts";
import { untrustedText } from "../contract/text.ts";
import { type Accounts, createAccounts, openLimits, usableFrom } from "../journal/accounts.ts";
import { createMemoryJournal as createHomeJournal } from "../journal/memory-journal.ts";
import { createMemoryLocks } from "../world/store/memory-locks.ts";

const NOW = Date.parse("2026-01-02T03:04:05.678Z");
const inMinutes = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const failing = (code: ErrorCode, retry: "later" | "never", until?: string) => (): Promise<Talk> =>
  Promise.reject(new LoopError(code, `it failed by ${code}`, { retry, hint: "Wait.", until }));
const finishes = async (): Promise<Talk> => ({ ended: "finished", summary: untrustedText("done") });
const login = (of: string): Login => ({ of, variables: [], says: [] });

type Edit = (order: EditOrder, world: MakerWorld) => Promise<Talk>;
interface Maker {
  readonly name: string;
  readonly edit: Edit;
  readonly login?: Login;
}

const OPENED: RunOpened = {
  kind: "run-opened",
  number: 1,
  spec: LoopSpec.parse({
    name: "keep-green",
    intent: "Keep main green.",
    level: "L2",
    maker: { use: "first" },
    verifiers: [{ use: "command", with: { run: "npm test" } }],
  }),
  specHash: "",
  specPath: "/s/keep-green.loop.yaml",
  folder: "/s",
  repo: "/r",
  base: { ref: "main", commit: "ba5eba5eba5eba5e" },
  cursors: {},
  version: "0",
};

interface About {
  readonly journal?: MemoryJournal;
  readonly accounts?: Accounts;
  readonly sights?: "holds" | "refuted";
  readonly limits?: "wait" | "try";
  /** What the model says that the check asks; undefined where it asks none. */
  readonly judge?: () => Promise<ModelReply>;
}

/** A run with these makers, in their order. */
async function run(
  makers: readonly Maker[],
  { journal = createMemoryJournal(), accounts, sights = "holds", limits = "wait", judge }: About = {},
) {
  const called: string[] = [];
  const makeOf = ({ name, edit, login: own }: Maker): Make => ({
    proposes: "commit",
    ...(own ? { login: own } : {}),
    edit: (order, world) => {
      called.push(name);
      return edit(order, world);
    },
  });
  const [first, ...others] = makers;
  const crew: AnyCrew = {
    gather: [],
    make: makeOf(first!),
    others: others.map((maker) => [maker.name, makeOf(maker)]),
    verifiers: [
      {
        name: "command",
        kind: "proof",
        proves: "commit",
        verify: async (_, { desk }) => {
          if (judge) await desk.models.ask(JUDGE, { system: "", messages: [], tools: [], mostOutputTokens: 10, timeoutMs: 1000 });
          return { outcome: sights, detail: "", output: undefined };
        },
      },
    ],
    waker: { hears: [] },
    notify: [],
    gates: [],
    act: [],
  };
  const fake = createFakeWorld();
  const asking: Models = {
    ask: async () => {
      called.push("judge");
      return judge ? judge() : Promise.reject(new Error("nobody is to be asked"));
    },
  };
  const world = { ...fake.world, models: asking };
  const outcome = await runToRest({ opened: OPENED, limits, crew, journal, world, ...(accounts ? { accounts } : {}) });
  const closed = journal.records.findLast((record) => record.kind === "round-closed");
  const proposal = closed?.kind === "round-closed" ? closed.evidence.proposal : undefined;
  return { outcome, called, journal, asked: fake.asked, maker: proposal?.kind === "commit" ? proposal.maker : undefined };
}

const JUDGE: ModelRef = { provider: "anthropic", model: "a-judge" };
const ANSWER: ModelReply = {
  said: { kind: "text", text: "well" },
  finish: "done",
  usage: { input: 1, output: 1, cached: undefined, reasoning: undefined },
  bytes: { sent: 1, received: 1 },
};

function homeOf() {
  const journal = createHomeJournal({ now: () => new Date(NOW) });
  return { journal, accounts: createAccounts(journal, createMemoryLocks()) };
}

/** Waits for a sign that somebody gives once. */
const givenAt = (sign: Stop): Promise<void> => new Promise((resolve) => void sign.onAsk(resolve));

const kept = (asked: readonly string[]) => asked.filter((what) => /^(keep|restore) /.test(what));

describe("the next maker of a list takes over", () => {
  it.each([
    ["a limit", failing("maker-rate-limited", "later", inMinutes(60))],
    ["a limit without a time", failing("maker-rate-limited", "later")],
    ["a model that cannot be reached", failing("model-failed", "later")],
  ])("after %s, from the work kept so far, and that is in the evidence", async (_, edit) => {
    const { outcome, called, asked, maker } = await run([
      { name: "first", edit },
      { name: "second", edit: finishes },
    ]);

    expect(outcome).toEqual({ kind: "rested", rest: { kind: "accept", action: "propose" } });
    expect(called).toEqual(["first", "second"]);
    expect(kept(asked).map((what) => what.split(" ")[0])).toEqual(["keep", "restore"]);
    expect(maker).toEqual({ name: "second", place: 2, insteadOf: [{ name: "first", why: expect.stringContaining("it failed by") }] });
  });

  it.each<readonly [string, Edit]>([
    ["a command that the guard refused", failing("command-blocked", "never")],
    ["an agent that is not there", failing("maker-failed", "never")],
    ["a budget that is used up", failing("budget-spent", "never")],
    ["a stop", failing("interrupted", "later")],
    ["a disk that is full", failing("store-unusable", "later")],
    ["work that was given up", async () => ({ ended: "gave-up", summary: untrustedText("I would rather not") })],
  ])("never after %s", async (_, edit) => {
    const { called } = await run([
      { name: "first", edit },
      { name: "second", edit: finishes },
    ]);

    expect(new Set(called)).toEqual(new Set(["first"]));
  });

  it("nor after a failed check", async () => {
    const { called, outcome } = await run(
      [
        { name: "first", edit: finishes },
        { name: "second", edit: finishes },
      ],
      { sights: "refuted" },
    );

    expect(outcome.kind).toBe("rested");
    expect(new Set(called)).toEqual(new Set(["first"]));
  });

  it("and where none can be used, the run waits for the one that may be tried first", async () => {
    const { outcome, called } = await run([
      { name: "first", edit: failing("maker-rate-limited", "later", inMinutes(60)) },
      { name: "second", edit: failing("model-failed", "later") },
      { name: "third", edit: failing("maker-rate-limited", "later", inMinutes(30)) },
    ]);

    expect(called).toEqual(["first", "second", "third"]);
    expect(outcome).toMatchObject({ kind: "paused", failure: { code: "maker-rate-limited", until: inMinutes(30) } });
  });

  it("and none of them is given the conversation of another", async () => {
    const sessions: (string | undefined)[] = [];
    const talks =
      (name: string, end: Edit): Edit =>
      async (order, world) => {
        sessions.push(world.agent.earlierSession);
        await world.agent.tell({ kind: "session", session: name });
        return end(order, world);
      };
    const stops = failing("maker-rate-limited", "later");
    const journal = createMemoryJournal();
    await run(
      [
        { name: "first", edit: talks("one", stops) },
        { name: "second", edit: talks("two", stops) },
      ],
      { journal },
    );
    await run(
      [
        { name: "first", edit: talks("one", stops) },
        { name: "second", edit: talks("two", finishes) },
      ],
      { journal },
    );

    expect(sessions).toEqual([undefined, undefined, "one", "two"]);
  });
});

describe("a limit on an account", () => {
  it("is on record once somebody sees it, and keeps everybody else from calling", async () => {
    const { accounts } = homeOf();
    const limited = { name: "first", login: login("claude"), edit: failing("maker-rate-limited", "later", inMinutes(60)) };
    const one = await run([limited], { accounts });
    const other = await run([limited], { accounts });

    const limit = await accounts.limitOn((await seenAccount(accounts))!);
    expect([one.called, other.called]).toEqual([["first"], []]);
    expect(other.outcome).toMatchObject({ kind: "paused", failure: { until: usableFrom(limit!, "keep-green").toISOString() } });
  });

  it("is tried all the same where somebody wants that, and is then over for everybody", async () => {
    const { accounts } = homeOf();
    await run([{ name: "first", login: login("claude"), edit: failing("maker-rate-limited", "later", inMinutes(60)) }], { accounts });
    const wished = await run([{ name: "first", login: login("claude"), edit: finishes }], { accounts, limits: "try" });
    const next = await run([{ name: "first", login: login("claude"), edit: finishes }], { accounts });

    expect([wished.called, next.called]).toEqual([["first"], ["first"]]);
  });

  it("that a judge meets keeps the work, binds makers and judges of that account, and is over when a judge is answered", async () => {
    const { journal, accounts } = homeOf();
    const maker = { name: "first", edit: finishes };
    const refused = async (): Promise<never> => {
      throw new LoopError("model-limited", "too many requests", { retry: "later", hint: "", until: inMinutes(60) });
    };
    const one = await run([maker], { accounts, judge: refused });
    const other = await run([maker], { accounts, judge: async () => ANSWER });
    const same = await run([{ ...maker, login: modelLogin(JUDGE) }], { accounts });
    const wished = await run([maker], { accounts, judge: async () => ANSWER, limits: "try" });

    expect([one, other, same, wished].map(({ called }) => called)).toEqual([["first", "judge"], ["first"], [], ["first", "judge"]]);
    const paused = { kind: "paused", failure: { code: "model-limited", retry: "later" } };
    expect([one.outcome, other.outcome]).toMatchObject([{ ...paused, failure: { until: inMinutes(60) } }, paused]);
    expect(wished.outcome).toMatchObject({ kind: "rested", rest: { kind: "accept" } });
    expect((await journal.newestOf("-", "limit-over", { most: 10 })).length).toBe(1);
  });

  it("does not bind who uses another account", async () => {
    const { accounts } = homeOf();
    await run([{ name: "first", login: login("claude"), edit: failing("maker-rate-limited", "later", inMinutes(60)) }], { accounts });
    const { called } = await run([{ name: "first", login: login("codex"), edit: finishes }], { accounts });

    expect(called).toEqual(["first"]);
  });

  it.each([
    ["longer than two weeks away", inMinutes(15 * 24 * 60)],
    ["long past", inMinutes(-60)],
  ])("that is %s is not on record, and nobody waits for that time", async (_, until) => {
    const { journal, accounts } = homeOf();
    const { outcome } = await run([{ name: "first", login: login("claude"), edit: failing("maker-rate-limited", "later", until) }], {
      accounts,
    });

    expect(await journal.newestOf("-", "limit-seen", { most: 10 })).toEqual([]);
    expect(outcome).toMatchObject({ kind: "paused", failure: { retry: "later", until: undefined } });
  });

  it("that has passed is tried by one run, and is over at its first answer, before it is done", async () => {
    const { journal, accounts } = homeOf();
    const name = await passedLimit(accounts, journal);
    const during: unknown[] = [];
    const works: Edit = async (_, world) => {
      during.push(await accounts.holdToTry(name));
      await world.agent.tell({ kind: "tool-call", tool: "Edit", about: untrustedText("a.ts") });
      during.push(await accounts.limitOn(name));
      return finishes();
    };

    await run([{ name: "first", login: login("claude"), edit: works }], { accounts });

    expect(during).toEqual([undefined, undefined]);
    expect(openLimits(await journal.newestOf("-", "limit-seen", { most: 10 })).length).toBe(1);
    expect((await journal.newestOf("-", "limit-over", { most: 10 })).map(({ record }) => record.account)).toEqual([name]);
  });

  it("that has passed keeps others waiting a little while somebody tries it", async () => {
    const { journal, accounts } = homeOf();
    const name = await passedLimit(accounts, journal);
    const trying = await accounts.holdToTry(name);
    const { called, outcome } = await run([{ name: "first", login: login("claude"), edit: finishes }], { accounts });
    await trying?.release();

    expect(called).toEqual([]);
    expect(outcome).toMatchObject({ kind: "paused", failure: { until: inMinutes(0.5) } });
  });

  it("that has passed lets one of thirty loops try, and the others follow its first answer (hermes-agent#109234)", async () => {
    const { journal, accounts } = homeOf();
    await passedLimit(accounts, journal);
    const [answer, done, began, answered] = [createStop(), createStop(), createStop(), createStop()];
    const tries: Edit = async (_, world) => {
      began.ask();
      await givenAt(answer);
      await world.agent.tell({ kind: "usage", of: "part", tokens: 10 });
      answered.ask();
      await givenAt(done);
      return finishes();
    };
    const others = () =>
      Promise.all(Array.from({ length: 29 }, () => run([{ name: "first", login: login("claude"), edit: finishes }], { accounts })));
    const trying = run([{ name: "first", login: login("claude"), edit: tries }], { accounts });
    await givenAt(began);
    const before = await others();
    answer.ask();
    await givenAt(answered);
    const after = await others();
    done.ask();

    expect((await trying).outcome.kind).toBe("rested");
    expect(before.flatMap(({ called }) => called)).toEqual([]);
    expect(after.flatMap(({ called }) => called)).toHaveLength(29);
    expect(await journal.newestOf("-", "limit-over", { most: 10 })).toHaveLength(1);
  });

  it("that has passed is not over by work that was given up", async () => {
    const { journal, accounts } = homeOf();
    await passedLimit(accounts, journal);
    await run([{ name: "first", login: login("claude"), edit: async () => ({ ended: "gave-up", summary: untrustedText("no") }) }], {
      accounts,
    });

    expect(await journal.newestOf("-", "limit-over", { most: 10 })).toEqual([]);
  });
});

/** The account that the fake world gives to a login, by letting somebody run into a limit. */
async function seenAccount(accounts: Accounts): Promise<string | undefined> {
  const names: string[] = [];
  const listening: Accounts = {
    ...accounts,
    limitOn: (account) => {
      names.push(account);
      return accounts.limitOn(account);
    },
  };
  await run([{ name: "first", login: login("claude"), edit: failing("interrupted", "later") }], { accounts: listening });
  return names[0];
}

async function passedLimit(accounts: Accounts, journal: ReturnType<typeof homeOf>["journal"]): Promise<string> {
  const name = (await seenAccount(accounts))!;
  const record = { kind: "limit-seen", account: name, until: inMinutes(-10), run: "fix-1-abcde" } as const;
  await journal.append([{ loop: "-", run: "-", at: inMinutes(-70), record }]);
  return name;
}
