import { describe, expect, it } from "vitest";
import { askDashboard, ORIGIN, TOKEN, WHO } from "../../../test/support/dashboard.ts";
import { createMemoryHouse, withProposal } from "../../../test/support/memory-house.ts";
import { approve } from "../../app/decisions/decide.ts";
import type {
  DecisionAnswer,
  InboxDocument,
  InboxView,
  LoopDocument,
  NewView,
  NowView,
  Refusal,
  Rehearsal,
  RunDocument,
  RunsPage,
} from "../../contract/api.ts";
import { ROUTES } from "./routes.ts";

const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;

async function waiting() {
  const at = await withProposal();
  const asking = askDashboard(at.house);
  const { items } = await json<InboxView>(asking.get("/api/inbox"));
  const [card] = items;
  if (!card?.tree) throw new Error("nothing waits");
  return { ...at, ...asking, card, run: card.id, tree: card.tree };
}

describe("what the page is shown", () => {
  it("answers every route in the form that its description says", async () => {
    const { get, run, house, clock } = await waiting();
    clock.pass(1000);
    const { targets } = await json<NewView>(get("/api/new"));
    const ready = `watch-main?target=${targets[0]?.id}`;
    const of: { readonly [path: string]: string } = { "{run}": run, "{loop}": "fix", "{id}": run, "{ready}": ready };
    const paths = ROUTES.filter(({ method }) => method === "get");

    for (const { path, answer } of paths) {
      const asked = path === "/api/new-scan" ? `${path}?target=${targets[0]?.id}` : path;
      const response = await get(asked.replace(/\{\w+\}/, (name) => of[name] ?? name));
      const value = await response.json();
      expect([path, response.status, answer.safeParse(value).error?.issues ?? []]).toEqual([path, 200, []]);
    }
    expect(house.journal.mended).toBe(undefined);
  });

  it("answers about a home where nothing ever ran", async () => {
    const { get } = askDashboard(createMemoryHouse().house);

    expect(await json(get("/api/now"))).toMatchObject({ says: "No loop has run yet.", running: [], rested: [], loops: 0, asOf: 0 });
    expect(await json(get("/api/loops"))).toEqual({ items: [], next: null, total: 0, asOf: 0 });
    expect(await json(get("/api/runs"))).toEqual({ items: [], next: null, asOf: 0 });
    expect(await json(get("/api/inbox"))).toMatchObject({ items: [], deferred: 0 });
    expect((await get("/api/runs/none")).status).toBe(404);
    expect((await get("/api/loops/none")).status).toBe(404);
    expect((await get("/api/inbox/none")).status).toBe(404);
  });

  it("shows what waits, why it can be trusted, and what nobody looked at", async () => {
    const { get, run } = await waiting();

    const document = await json<RunDocument>(get(`/api/runs/${run}`));
    const loop = await json<LoopDocument>(get("/api/loops/fix"));
    const now = await json<NowView>(get("/api/now"));

    expect(document.row.outcome).toMatchObject({ kind: "waiting", says: "Proven. It waits for a decision." });
    expect(document.claims.map(({ mark, says }) => [mark, says])).toContainEqual(["holds", "by-eye holds."]);
    expect(document.unseen.at(-1)).toBe("Whether anybody wants this change is for a person to say.");
    expect(document.hasReceipt).toBe(true);
    expect(loop.graph.nodes.map(({ id, counts }) => [id, counts.done])).toEqual([
      ["trigger-1", 1],
      ["maker-1", 1],
      ["verifier-1", 1],
      ["gate-1", 0],
      ["action-1", 0],
    ]);
    expect(loop).toMatchObject({ state: "rested", level: "L2", trigger: "by hand only", waiting: 1 });
    expect(loop.outcomes.map(({ kind }) => kind)).toEqual(["waiting"]);
    expect(now).toMatchObject({ says: "One thing waits for you; nothing is running.", waiting: { count: 1 } });
  });

  it("gives strangers' text as it is, whatever is in it", async () => {
    const hostile = "</script><img src=x onerror=alert(1)>\u001b[31m\u202e\u0000 & \ud83d\ude00";
    const at = await withProposal({}, { intent: hostile.replace("\u0000", "") });
    const { get } = askDashboard(at.house);

    const response = await get("/api/loops/fix");

    expect(response.headers.get("content-type")).toBe("application/json");
    expect(((await response.json()) as LoopDocument).intent).toBe(hostile.replace("\u0000", ""));
  });

  it("pages through runs and records by their numbers", async () => {
    const { get, run, entries } = await waiting();
    const seen: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page: { items: { seq: number }[]; next: number | null } = await json(get(`/api/runs/${run}/records?after=${after}&most=2`));
      seen.push(...page.items.map(({ seq }) => seq));
      after = page.next;
    }

    expect(seen).toEqual(entries.filter((entry) => entry.run === run).map(({ seq }) => seq));
    expect((await json<RunsPage>(get("/api/runs?most=1"))).items.map((row) => row.run)).toEqual([run]);
  });

  it("searches the ledger, and says how far it looked", async () => {
    const { get, entries } = await waiting();

    expect(await json(get("/api/ledger?kind=run-rested"))).toMatchObject({
      items: [{ record: { kind: "run-rested" } }],
      next: null,
      looked: entries.length,
    });
    expect(await json(get("/api/ledger?q=no-such-words-anywhere"))).toMatchObject({ items: [], next: null });
    expect(await json(get("/api/ledger?kind=nonsense"))).toMatchObject({ items: [] });
    expect(await json(get("/api/ledger/verification"))).toMatchObject({ state: "done", found: { kind: "whole", firstBad: null } });
  });

  it("answers everybody while the journal is looked through, says that it goes on, and looks no more often than that takes", async () => {
    const at = await withProposal();
    let looks = 0;
    let finish = (): void => {};
    const found = { kind: "whole", entries: 9, chain: "c", signedUpTo: 1, checkpoints: 1, receipts: 1, firstBad: undefined } as const;
    const { get } = askDashboard(at.house, {
      patience: () => Promise.resolve(),
      lookThrough: () => {
        looks++;
        return new Promise((resolve) => {
          finish = () => resolve({ ...found, problems: [{ what: "artifact", why: "it was changed" }], notChecked: [] });
        });
      },
    });

    expect(await json(get("/api/ledger/verification"))).toMatchObject({ state: "looking", found: null });
    expect((await get("/api/now")).status).toBe(200);
    expect(await json(get("/api/ledger/verification"))).toMatchObject({ state: "looking", found: null });
    finish();
    await expect.poll(() => json(get("/api/ledger/verification"))).toMatchObject({ state: "done", found: { problems: [{ seq: null }] } });
    await at.house.journal.append([{ loop: "fix", run: "fix-standing", record: { kind: "stop-requested", by: "ada" } }]);
    expect(await json(get("/api/ledger/verification"))).toMatchObject({ state: "done" });
    at.clock.pass(60 * 60_000);
    expect(await json(get("/api/ledger/verification"))).toMatchObject({ state: "looking", found: { entries: 9 } });
    expect(looks).toBe(2);
  });

  it("gives the diff and artifacts as plain text, in ranges", async () => {
    const { get, run, house } = await waiting();
    const text = "<script>alert(1)</script>\n";
    const { sha256 } = await house.world.artifacts.keep(text);

    const whole = await get(`/api/artifacts/${sha256}`);
    const part = await get(`/api/artifacts/${sha256}`, { range: "bytes=2-5" });
    const beyond = await get(`/api/artifacts/${sha256}`, { range: "bytes=9999999-" });

    expect([whole.status, whole.headers.get("content-type"), whole.headers.get("x-content-type-options")]).toEqual([
      200,
      "text/plain; charset=utf-8",
      "nosniff",
    ]);
    expect(await whole.text()).toBe(text);
    expect([part.status, await part.text(), part.headers.get("content-range")]).toEqual([206, "crip", `bytes 2-5/${text.length}`]);
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, `bytes */${text.length}`]);
    expect((await get(`/api/artifacts/${"0".repeat(64)}`)).status).toBe(404);
    expect((await get("/api/artifacts/../../etc/passwd")).status).toBe(404);
    expect((await get(`/api/runs/${run}/diff?round=7`)).status).toBe(404);
  });

  it("gives the page for its own addresses, and its files for ever", async () => {
    const { get } = askDashboard(createMemoryHouse().house);

    for (const path of ["/", "/inbox", "/loops/fix", "/runs/fix-1", "/ledger"]) {
      const page = await get(path);
      expect([path, page.status, page.headers.get("cache-control")]).toEqual([path, 200, "no-cache"]);
    }
    expect((await get("/assets/app-12345678.js")).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await get("/assets/none.js")).status).toBe(404);
    expect((await get("/")).headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect((await get("/")).headers.get("content-security-policy")).not.toMatch(/unsafe/);
  });
});

describe("what is decided on the page", () => {
  it("approves exactly the tree that was shown, carries it out, and says who it was and how that is known", async () => {
    const { post, get, run, tree, records } = await waiting();

    const plan = await json(get(`/api/runs/${run}/rehearsal`));
    const answer = await json<DecisionAnswer>(post(`/api/runs/${run}/decision`, { decision: "approve", tree, why: "looks right" }));

    expect(plan).toMatchObject({
      tree,
      barred: null,
      base: { hasMoved: false },
      branch: { hasMoved: false },
      actions: [{ action: "merge", isRefused: false }],
    });
    expect(answer).toMatchObject({ run, stage: "acted", who: WHO, now: null });
    expect(records("decided")).toMatchObject([{ decision: "approve", tree, by: "ada", how: "the token of this home", why: "looks right" }]);
    expect((await json<InboxView>(get("/api/inbox"))).items).toEqual([]);
  });

  it("refuses a tree that is not proposed any more, says why and shows what is there now", async () => {
    const { post, run, tree, records } = await waiting();

    const response = await post(`/api/runs/${run}/decision`, { decision: "approve", tree: "0".repeat(40), why: "" });
    const refusal = (await response.json()) as Refusal;

    expect(response.status).toBe(409);
    expect(refusal.error.message).toBe(`what is proposed now is the tree ${tree.slice(0, 12)}, and not 000000000000`);
    expect(refusal.now).toMatchObject({ id: run, tree, stage: "open" });
    expect(records("decided")).toEqual([]);
    for (const decision of [
      { decision: "reject", tree: "0".repeat(40) },
      { decision: "defer", tree: "0".repeat(40), until: "2026-02-01T00:00:00Z" },
      { decision: "amend", tree: "0".repeat(40) },
    ])
      expect((await post(`/api/runs/${run}/decision`, decision)).status).toBe(409);
    expect(records("decided")).toEqual([]);
  });

  it("shows the diff of the tree that a decision counts for where somebody amended it, and none of the old claims", async () => {
    const { post, get, run, tree, repo, card, house } = await waiting();
    repo.point(String(card.branch), repo.commit({ "src/value.txt": "made\n", "sneaky.txt": "unseen\n" }, repo.tip(String(card.branch))));

    expect((await post(`/api/runs/${run}/decision`, { decision: "amend", tree, why: "" })).status).toBe(200);
    const document = await json<InboxDocument>(get(`/api/inbox/${run}`));
    const page = await json<RunDocument>(get(`/api/runs/${run}`));
    const shown = await (await get(`/api/artifacts/${document.diff?.sha256}`)).text();

    expect(document.card.tree).not.toBe(tree);
    expect(shown).toBe(`${document.run?.base.commit} ${repo.tip(String(card.branch))}`);
    expect(await (await get(`/api/runs/${run}/diff`)).text()).toBe(shown);
    expect(await (await get(`/api/runs/${run}/diff?round=1`)).text()).not.toBe(shown);
    expect(document).toMatchObject({ amendedBy: "ada", card: { risk: "high", risks: ["amended by ada", "not verified since"] } });
    expect(document.claims.map(({ mark, says }) => [mark, says])).toEqual([["unknown", "Nobody has checked this tree."]]);
    expect(page.claims[0]?.says).toBe("Nobody has checked this tree.");
    expect(page.decisions).toMatchObject([{ says: "amended", by: "ada" }]);
    expect(house.journal.mended).toBe(undefined);
  });

  it("takes no no that names no tree where one is proposed", async () => {
    const { post, run, records } = await waiting();

    const response = await post(`/api/runs/${run}/decision`, { decision: "reject", tree: null, why: "no" });

    expect([response.status, ((await response.json()) as Refusal).error.message]).toEqual([
      409,
      expect.stringContaining("and the no names none"),
    ]);
    expect(records("decided")).toEqual([]);
  });

  it("says before a yes what the gates will say to it, and asks none that reaches outside", async () => {
    const at = await withProposal(
      {},
      {
        gate: {
          all: [
            { use: "quorum", with: { people: ["ada", "grace"], needs: 2 } },
            { use: "command", with: { run: "false" } },
          ],
        },
      },
    );
    const { get } = askDashboard(at.house);
    const [card] = (await json<InboxView>(get("/api/inbox"))).items;

    const plan = await json<Rehearsal>(get(`/api/runs/${card?.id}/rehearsal`));

    expect(plan.gates).toEqual([
      { kind: "ask", says: "quorum: 1 more of grace must say yes" },
      { kind: "asked-then", says: "command: it is asked once somebody said yes" },
    ]);
    expect(at.records("decided")).toEqual([]);
  });

  it("says before the yes that base has moved, and moves nothing that does not apply there", async () => {
    const { post, get, run, tree, repo } = await waiting();
    repo.commit({ "src/value.txt": "somebody else's\n" });

    const plan = await json(get(`/api/runs/${run}/rehearsal`));
    const answer = await json<DecisionAnswer>(post(`/api/runs/${run}/decision`, { decision: "approve", tree }));

    expect(plan).toMatchObject({
      base: { hasMoved: true },
      barred: null,
      otherwise: expect.stringMatching(/^Base has moved since: the same change is put on it/),
    });
    expect(answer.says).toBe(
      "Approved. Nothing moved yet: base has moved since this was verified, and the same lines were changed there: src/value.txt; `lw run` has it made again from where base is now.",
    );
    expect(answer.stage).toBe("approved");
  });

  it("hears the first of two who decide at once, and tells the other", async () => {
    const { post, run, tree, house, records } = await waiting();

    const answers = await Promise.all([
      post(`/api/runs/${run}/decision`, { decision: "approve", tree }),
      post(`/api/runs/${run}/decision`, { decision: "reject", tree, why: "no" }),
      approve(house, run, { by: "bob", why: "", tree, until: undefined }, () => {}).then(
        () => undefined,
        () => undefined,
      ),
    ]);
    const statuses = answers.flatMap((answer) => answer?.status ?? []);

    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(records("action-done").length).toBeLessThanOrEqual(1);
    expect(records("decided").length).toBeGreaterThanOrEqual(1);
  });

  it("rejects, and defers until a day, after which it waits again", async () => {
    const { post, get, run, tree, clock } = await waiting();
    const until = new Date(clock.now().getTime() + 3_600_000).toISOString();

    const deferred = await json<DecisionAnswer>(post(`/api/runs/${run}/decision`, { decision: "defer", tree, until }));
    const hidden = await json<InboxView>(get("/api/inbox"));
    clock.pass(3_600_000);
    const again = await json<InboxView>(get("/api/inbox"));
    const rejected = await json<DecisionAnswer>(post(`/api/runs/${run}/decision`, { decision: "reject", tree, why: "not like this" }));

    expect(deferred.stage).toBe("deferred");
    expect([hidden.items.length, hidden.deferred]).toEqual([0, 1]);
    expect([again.items.length, again.deferred]).toEqual([1, 0]);
    expect(rejected).toMatchObject({ stage: "rejected", says: "Rejected. Nothing moved.", now: null });
    expect((await post(`/api/runs/${run}/decision`, { decision: "approve", tree })).status).toBe(409);
  });

  it("answers before it is carried out where that takes long", async () => {
    const at = await withProposal();
    const { post, get } = askDashboard(at.house, { patience: () => Promise.resolve() });
    const [card] = (await json<InboxView>(get("/api/inbox"))).items;

    const response = await post(`/api/runs/${card?.id}/decision`, { decision: "approve", tree: card?.tree });

    expect(response.status).toBe(202);
    await expect.poll(() => at.records("proposal-settled").length).toBe(1);
  });

  it("pauses, resumes and wakes loops that the home looks after, and stops everything", async () => {
    const { post, get, records, house } = await waiting();
    const wish = (body: object) => json(post("/api/loops/fix/standing", body));

    expect(await wish({ wish: "pause", why: "a release" })).toMatchObject({
      row: { state: "paused", barred: "the loop was paused by ada: a release" },
    });
    expect(await wish({ wish: "resume" })).toMatchObject({ says: "It may run again.", row: { state: "rested", barred: null } });
    expect(await wish({ wish: "run-now" })).toMatchObject({
      error: { message: "this home does not look after fix, so that nobody would wake it" },
    });
    const known = { kind: "loop-known", path: "/fix.loop.yaml", specHash: "", triggerHash: "", by: "ada" } as const;
    await house.journal.append([{ loop: "fix", run: "loops", record: known }]);
    expect(await wish({ wish: "run-now" })).toMatchObject({ says: "Heard. It wakes as soon as it may." });
    await house.journal.append([{ loop: "fix", run: "loops", record: { kind: "loop-wrong", path: known.path, problems: ["no intent"] } }]);
    expect(await wish({ wish: "run-now" })).toMatchObject({ error: { message: "the spec of fix cannot be obeyed: no intent" } });
    expect(records("heard")).toEqual([{ kind: "heard", cause: { kind: "hand", by: "ada" } }]);
    expect((await post("/api/loops/fix/standing", { wish: "stop" })).status).toBe(409);
    expect((await post("/api/loops/fix/standing", { wish: "promote" })).status).toBe(409);
    expect(await json(post("/api/standing", { wish: "stop-all" }))).toMatchObject({ isAllStopped: true });
    expect(await json(get("/api/loops/fix"))).toMatchObject({ state: "all-stopped" });
    expect(await json(post("/api/standing", { wish: "resume-all" }))).toMatchObject({ isAllStopped: false });
  });
});

describe("who may ask", () => {
  it("gives a cookie for the token, and nothing without either", async () => {
    const { get, post } = askDashboard(createMemoryHouse().house);

    const session = await post("/api/session", { token: TOKEN }, { cookie: "" });
    const cookie = session.headers.get("set-cookie") ?? "";

    expect(await session.json()).toEqual({ who: WHO, isReadOnly: false });
    expect(cookie).toMatch(/^lw_[0-9a-f]{12}=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    expect(cookie).not.toContain(TOKEN);
    expect((await get("/api/health", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
    expect((await get("/api/health", { cookie: "" })).status).toBe(401);
    // Any server on another port of this machine is given the cookie; what the page keeps for its own origin it is not.
    expect((await get("/api/health", { "x-lw-page": "" })).status).toBe(401);
    expect((await post("/api/standing", { wish: "stop-all" }, { "x-lw-page": "" })).status).toBe(401);
    expect(session.headers.get("x-lw-page")).toMatch(/^[0-9a-f]{64}$/);
    expect(cookie).not.toContain(session.headers.get("x-lw-page"));
    expect((await get("/api/health", { cookie: "", authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect((await get("/api/health", { cookie: "", authorization: "Bearer wrong" })).status).toBe(401);
    expect((await post("/api/session", { token: "wrong" }, { cookie: "" })).status).toBe(401);
    for (const { method, path } of ROUTES)
      expect([path, (await (method === "get" ? get(path, { cookie: "" }) : post(path, {}, { cookie: "" }))).status]).toEqual([path, 401]);
  });

  it("answers to its own names only, and to its own page only", async () => {
    const { get, post, entries } = await waiting();
    const before = entries.length;
    const decide = (headers: Record<string, string>) => post("/api/standing", { wish: "stop-all" }, headers);

    expect((await get("/api/health", { host: "rebound.example.org:7423" })).status).toBe(421);
    expect((await get("/", { host: "rebound.example.org:7423" })).status).toBe(421);
    expect((await get("/api/health", { host: "127.0.0.1:80" })).status).toBe(421);
    expect((await get("/api/health", { origin: "https://evil.example.org" })).status).toBe(403);
    expect((await get("/api/health", { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await get("/api/health", { "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await decide({ origin: "https://evil.example.org" })).status).toBe(403);
    expect((await decide({ origin: "null" })).status).toBe(403);
    expect((await decide({ origin: "" })).status).toBe(403);
    expect((await decide({ "content-type": "text/plain" })).status).toBe(415);
    expect((await decide({ "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
    expect(entries.length).toBe(before);
    expect(await json(get("/api/health"))).toMatchObject({ isAllStopped: false });
  });

  it("only shows where it is told to", async () => {
    const at = await withProposal();
    const { get, post } = askDashboard(at.house, { isReadOnly: true });

    expect(await json(get("/api/health"))).toMatchObject({ isReadOnly: true });
    for (const { path } of ROUTES.filter(({ method }) => method === "post"))
      expect([path, (await post(path, {})).status]).toEqual([path, 403]);
    expect((await post("/api/session", { token: TOKEN })).status).toBe(200);
  });

  it("takes only so much, and only JSON", async () => {
    const { post, get } = askDashboard(createMemoryHouse().house);

    expect((await post("/api/standing", "x".repeat(70_000))).status).toBe(413);
    expect((await post("/api/standing", "{")).status).toBe(400);
    expect(await json(post("/api/standing", { wish: "nonsense" }))).toMatchObject({ error: { problems: [{ at: "wish" }] } });
    expect((await get(`/api/ledger?q=${"x".repeat(5_000)}`)).status).toBe(414);
    expect((await get("/api/ledger?most=0")).status).toBe(400);
    expect((await get("/api/ledger?more=1")).status).toBe(400);
  });

  it("counts what the browser reports, and takes nothing else of it", async () => {
    const { get, post } = askDashboard(createMemoryHouse().house);

    expect((await post("/api/csp-report", "{}", { cookie: "", "content-type": "application/csp-report" })).status).toBe(204);
    expect(await json(get("/api/health"))).toMatchObject({ cspReports: 1 });
  });
});

it("describes every route that it answers, and answers every route that it describes", async () => {
  const { get } = await waiting();

  const { openapi, paths } = await json<{ openapi: string; paths: Record<string, Record<string, { responses: object }>> }>(
    get("/api/openapi.json"),
  );
  const described = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));

  expect(openapi).toBe("3.1.0");
  expect(described.toSorted()).toEqual(
    [
      ...ROUTES.map(({ method, path }) => `${method} ${path}`),
      "post /api/session",
      "get /api/artifacts/{sha256}",
      "get /api/runs/{run}/diff",
    ].toSorted(),
  );
  for (const [path, methods] of Object.entries(paths)) {
    if (methods.get) expect([path, (await get(path.replace(/\{\w+\}/g, "x"))).status === 500]).toEqual([path, false]);
    expect(JSON.stringify(methods)).toContain("Refusal");
  }
  expect(ORIGIN).toBe("http://127.0.0.1:7423");
});
