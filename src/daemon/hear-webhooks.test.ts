import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Entry } from "../contract/record.ts";
import type { WebhookHearing } from "../contract/trigger.ts";
import type { Journal } from "../journal/journal.ts";
import { createMemoryJournal } from "../journal/memory-journal.ts";
import { createWebhooks, type Listener } from "./hear-webhooks.ts";
import { createHeardBook } from "./heard.ts";

const SECRET = "hush";
const START = Date.parse("2026-03-01T12:00:00Z");

const hearing: WebhookHearing = { kind: "webhook", address: "a", form: "github", secret: "HOOK", events: [], branches: [], labels: [] };
const here = (...loops: readonly string[]): readonly Listener[] => loops.map((loop) => ({ loop, hearing }));

/** A daemon's ear, whose clock is set by hand and whose journal outlives it. */
function open(listeners: readonly Listener[], shelf: Entry[] = []) {
  const state = { nowMs: START, told: [] as string[], heard: [] as string[], broken: false };
  const clock = { now: () => new Date(state.nowMs), monotonicMs: () => state.nowMs };
  const kept = createMemoryJournal(clock, shelf);
  const journal: Journal = {
    ...kept,
    append: ((lines, only) =>
      state.broken ? Promise.reject(new Error("the disk is full")) : kept.append(lines, only)) as Journal["append"], // both of its forms
  };
  const webhooks = createWebhooks({
    clock,
    env: { get: (name) => (name === "HOOK" ? SECRET : undefined) },
    journal,
    book: createHeardBook(journal, ({ key }) => state.heard.push(key)),
    listenersAt: (address) => (address === "a" ? listeners : []),
    tell: (what) => state.told.push(what),
  });
  const deliver = (id: string, body: object, about: Record<string, string> = {}) => {
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = {
      "x-github-event": "push",
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${createHmac("sha256", SECRET).update(bytes).digest("hex")}`,
      ...about,
    };
    return webhooks.answer({ method: "POST", path: "/hooks/a", headers, body: bytes });
  };
  return { state, webhooks, deliver, shelf, journal };
}

describe("an address", () => {
  it("is there only where somebody listens, and takes only what is posted", () => {
    const { webhooks } = open(here("fix"));

    expect([
      webhooks.refuse({ method: "POST", path: "/hooks/a", headers: {} }),
      webhooks.refuse({ method: "GET", path: "/hooks/a", headers: {} })?.status,
      webhooks.refuse({ method: "POST", path: "/hooks/b", headers: {} })?.status,
      webhooks.refuse({ method: "POST", path: "/", headers: {} })?.status,
    ]).toEqual([undefined, 405, 404, 404]);
  });

  it("has on record what it thanked for, once for each loop that waits for it", async () => {
    const { deliver, shelf, state } = open(here("fix", "look"));

    expect(await deliver("1", { n: 1 })).toEqual({ status: 202, says: { key: "fix/hook/a/1" } });
    expect(shelf.map(({ loop, run, record }) => [loop, run, record.kind])).toEqual([
      ["fix", "fix/hook/a/1", "heard"],
      ["look", "look/hook/a/1", "heard"],
    ]);
    expect(state.heard).toEqual(["fix/hook/a/1", "look/hook/a/1"]);
  });

  it("wakes nothing twice: a redelivery is told what became of the first", async () => {
    const { deliver, shelf, journal } = open(here("fix"));
    await deliver("1", { n: 1 });

    const waiting = await deliver("1", { n: 1 });
    const cause = shelf[0]!.record.kind === "heard" ? shelf[0]!.record.cause : undefined;
    await journal.append([
      {
        loop: "fix",
        run: "fix/hook/a/1",
        record: { kind: "waking", fate: "skipped", cause: cause!, dueAt: "2026-03-01T12:00:00Z", reason: "paused", says: "paused by ada" },
      },
    ]);
    const settled = await deliver("1", { n: 1 });

    expect([waiting, settled]).toEqual([
      { status: 200, says: { key: "fix/hook/a/1", fate: "waits", says: "it is known, and waits its turn" } },
      { status: 200, says: { key: "fix/hook/a/1", fate: "skipped", says: "paused by ada" } },
    ]);
    expect(shelf.filter(({ record }) => record.kind === "heard")).toHaveLength(1);
  });

  it("knows a body under a new id for three days, also after the daemon died", async () => {
    const { deliver, shelf } = open(here("fix"));
    await deliver("1", { n: 1 });

    const again = await deliver("2", { n: 1 });
    const next = open(here("fix"), shelf);
    const afterDeath = await next.deliver("3", { n: 1 });
    next.state.nowMs = START + 4 * 24 * 3_600_000;
    const later = await next.deliver("4", { n: 1 });

    expect([again.says?.key, afterDeath.says?.key, later]).toEqual([
      "fix/hook/a/1",
      "fix/hook/a/1",
      { status: 202, says: { key: "fix/hook/a/4" } },
    ]);
  });

  it("takes three of the same at once for one", async () => {
    const { deliver, shelf } = open(here("fix"));

    const replies = await Promise.all([deliver("1", { n: 1 }), deliver("1", { n: 1 }), deliver("2", { n: 1 })]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 202]);
    expect(shelf).toHaveLength(1);
  });

  it("thanks for nothing that could not be written, and takes it when it is sent again", async () => {
    const { deliver, state, shelf } = open(here("fix"));
    state.broken = true;

    expect((await deliver("1", { n: 1 })).status).toBe(503);
    expect(state.told).toEqual(["a delivery at /hooks/a (fix) could not be put on record: the disk is full"]);
    state.broken = false;

    expect((await deliver("2", { n: 1 })).status).toBe(202);
    expect(shelf.map(({ run }) => run)).toEqual(["fix/hook/a/2"]);
  });

  it("answers what does not hold with 401, what nobody waits for with 204, and writes neither down", async () => {
    const { deliver, shelf, state } = open([{ loop: "fix", hearing: { ...hearing, events: ["issues"] } }]);

    expect([(await deliver("1", {}, { "x-hub-signature-256": "sha256=00" })).status, (await deliver("2", {})).status]).toEqual([401, 204]);
    expect(shelf).toEqual([]);
    expect(state.told).toEqual(["a delivery at /hooks/a (fix) was refused: its signature is not by this secret"]);
  });

  it("tells of refusals once a minute, and how many there were", async () => {
    const { deliver, state } = open(here("fix"));
    const refused = (id: string) => deliver(id, {}, { "x-hub-signature-256": "sha256=00" });

    for (let id = 0; id < 50; id++) await refused(String(id));
    state.nowMs += 61_000;
    await refused("later");

    const words = "a delivery at /hooks/a (fix) was refused: its signature is not by this secret";
    expect(state.told).toEqual([words, `${words} (and 49 others since the last that was told)`]);
  });

  it("keeps one loop's mistake from another", async () => {
    const wrong = { loop: "wrong", hearing: { ...hearing, branches: ["["] } };
    const { deliver, shelf } = open([wrong, ...here("fix")]);

    expect((await deliver("1", { ref: "refs/heads/main" })).status).toBe(202);
    expect(shelf.map(({ loop }) => loop)).toEqual(["fix"]);
  });
});
