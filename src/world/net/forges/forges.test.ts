import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type ForgeReply,
  type ForgeScript,
  type ForgeServer,
  githubIssue,
  pageOf,
  serveForge,
} from "../../../../test/support/forge-server.ts";
import type { Environment } from "../../../contract/clock.ts";
import type { ForgeWish } from "../../../contract/forge.ts";
import { neverStops } from "../../../contract/stop.ts";
import { createFiles } from "../../files/files.ts";
import { createForges } from "./forges.ts";

const TOKEN = "a-token-that-nobody-else-may-see";
const NOW = Date.UTC(2026, 1, 1);
const folders: string[] = [];
const servers: ForgeServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function serve(script: ForgeScript): Promise<ForgeServer> {
  const server = await serveForge(script);
  servers.push(server);
  return server;
}

/** A way to forges with a folder of its own, whose clock goes on by what it waits and a second at every look. */
function given(about: { readonly env?: { readonly [name: string]: string }; readonly patienceMs?: number } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "lw-pages-"));
  folders.push(folder);
  const waited: number[] = [];
  let nowMs = NOW;
  const env: Environment = { get: (name) => ({ PATH: process.env.PATH, READ: TOKEN, ...about.env })[name] };
  const forges = createForges({
    env,
    clock: {
      now() {
        nowMs += 1000;
        return new Date(nowMs);
      },
      monotonicMs: () => nowMs,
    },
    wait: async (ms) => {
      waited.push(ms);
      nowMs += ms;
    },
    stop: neverStops,
    files: createFiles(),
    folder,
    ...(about.patienceMs === undefined ? {} : { patienceMs: about.patienceMs }),
  });
  const open = (api: string | undefined, wish: Partial<ForgeWish> = {}) =>
    forges.open({
      forge: "github",
      repo: "octo/app",
      api,
      token: { kind: "variable", name: "READ" },
      loop: "watch",
      sinceMs: nowMs,
      wait: "2m",
      ...wish,
    });
  const kept = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join();
  return { open, waited, kept, now: () => nowMs };
}

const ALL = { labels: [], since: undefined, most: 5_000 };
const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

describe("issues", () => {
  it("are read with the fewest requests, five thousand of them, and what did not change is not sent again", async () => {
    const all = Array.from({ length: 5_000 }, (_, index) => githubIssue(5_000 - index));
    const server: ForgeServer = await serve((asked) => pageOf(all, asked, server.url));
    const { open } = given();

    const first = await (await open(server.url)).issues(ALL);
    const requests = server.asked.length;
    const again = await (await open(server.url)).issues(ALL);

    expect([first.items.length, first.notes, requests]).toEqual([5_000, [], 50]);
    expect(again).toEqual(first);
    expect(server.asked.slice(50).every(({ headers }) => headers["if-none-match"] !== undefined)).toBe(true);
    expect(first.items[0]).toMatchObject({
      id: expect.stringContaining("/octo/app#5000 2026-01-02T01:23:20.000Z"),
      title: "#5000 issue 5000",
      body: "It does not work.",
      author: "ada",
      address: "https://github.com/octo/app/issues/5000",
      says: "by ada, open for 31 day(s), 2 comment(s), labels bug",
    });
  });

  it("are trusted by what the forge says of their authors, and are no pull requests", async () => {
    const roles = ["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR", "FIRST_TIME_CONTRIBUTOR", "NONE", undefined];
    const all = [...roles.map((role, index) => githubIssue(index + 1, { author_association: role })), githubIssue(9, { pull_request: {} })];
    const server: ForgeServer = await serve((asked) => pageOf(all, asked, server.url));

    const { items } = await (await given().open(server.url)).issues(ALL);

    expect(items.map(({ trust }) => trust)).toEqual(["member", "member", "member", "outsider", "outsider", "outsider", "outsider"]);
  });

  it("of GitLab are trusted by who may push there, page by page as it counts them", async () => {
    const issue = (iid: number, id: number) => ({
      iid,
      title: "t",
      author: { id, username: "x" },
      web_url: "https://gitlab.com/i",
      updated_at: "2026-01-01T00:00:00.123Z",
      created_at: "2026-01-01T00:00:00Z",
      labels: ["a"],
      user_notes_count: 0,
    });
    const server = await serve(({ path, query }) => {
      if (path.endsWith("/members/all"))
        return {
          body: [
            { id: 1, access_level: 40 },
            { id: 2, access_level: 20 },
          ],
        };
      return query.get("page") === "2"
        ? { body: [issue(2, 2)], headers: { "x-next-page": "" } }
        : { body: [issue(1, 1)], headers: { "x-next-page": "2" } };
    });

    const { items } = await (await given().open(server.url, { forge: "gitlab", repo: "group/sub/app" })).issues(ALL);

    expect(items.map(({ title, trust }) => [title, trust])).toEqual([
      ["#1 t", "member"],
      ["#2 t", "outsider"],
    ]);
    expect(server.asked[0]).toMatchObject({
      path: "/api/v4/projects/group%2Fsub%2Fapp/issues",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  });
});

describe("limits and outages", () => {
  const limited = (untilMs: number) => ({
    status: 403,
    headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(untilMs / 1000) },
    body: { message: "API rate limit exceeded" },
  });

  it("are waited for within the leash, and what was read until then is not asked for again", async () => {
    const all = Array.from({ length: 300 }, (_, index) => githubIssue(300 - index));
    let limit: number | undefined = NOW + 60_000;
    const server: ForgeServer = await serve((asked) =>
      asked.query.get("page") === "3" && limit !== undefined ? limited(limit) : pageOf(all, asked, server.url),
    );
    const { open, waited, now } = given();
    const sinceMs = now();

    // Another page after the reset, then one whose reset is past the leash.
    limit = NOW + 3_600_000;
    const failure = await failureOf((await open(server.url, { sinceMs })).issues(ALL));
    const requests = server.asked.length;
    limit = undefined;
    const { items } = await (await open(server.url, { sinceMs })).issues(ALL);

    expect(failure).toMatchObject({
      code: "gather-failed",
      retry: "later",
      until: new Date(NOW + 3_601_000).toISOString(),
      message: expect.stringContaining("API rate limit exceeded"),
    });
    expect([waited, requests, server.asked.length, items.length]).toEqual([[], 3, 4, 300]);
  });

  it("ends a wait with the answer", async () => {
    const server: ForgeServer = await serve((asked, n) =>
      n === 1
        ? limited(NOW + 60_000)
        : n === 2
          ? { status: 429, headers: { "retry-after": "7" } }
          : n === 3
            ? { status: 502, body: "<html>" }
            : pageOf([githubIssue(1)], asked, server.url),
    );
    const { open, waited } = given();

    const { items } = await (await open(server.url)).issues(ALL);

    expect([items.length, waited.map((ms) => Math.round(ms / 10_000)), waited.slice(1)]).toEqual([1, [6, 1, 0], [7_000, 500]]);
  });

  it("are told once they last", async () => {
    const server = await serve(() => ({ status: 503, body: { message: "busy" } }));

    expect(await failureOf((await given().open(server.url)).issues(ALL))).toMatchObject({
      retry: "later",
      message: expect.stringMatching(/answered 503, 4 times: busy$/),
    });
    expect(server.asked).toHaveLength(4);
  });
});

describe("a hostile or broken server", () => {
  it("leads the token nowhere: not to another host, not to another port of this machine, not by a next page", async () => {
    const elsewhere = await serve(() => ({ body: [] }));
    for (const reply of [
      { status: 302, headers: { location: `${elsewhere.url}/x` } },
      { status: 301, headers: { location: "https://evil.example/x" } },
      { status: 307, headers: { location: "https://user:pw@127.0.0.1/x" } },
      { status: 302, headers: { location: "file:///etc/passwd" } },
      { status: 302 },
    ]) {
      const server = await serve(() => reply);
      expect(await failureOf((await given().open(server.url)).issues(ALL))).toMatchObject({ code: "gather-failed", retry: "never" });
    }
    const linking = await serve(() => ({ body: [githubIssue(1)], headers: { link: `<${elsewhere.url}/2>; rel="next"` } }));

    expect((await (await given().open(linking.url)).issues(ALL)).items).toHaveLength(1);
    expect(elsewhere.asked).toEqual([]);
  });

  it("is followed where it was renamed on its own host, and not for ever", async () => {
    const renamed: ForgeServer = await serve((asked) =>
      asked.path.startsWith("/repos/")
        ? { status: 301, headers: { location: `${renamed.url}/repositories/7/issues` } }
        : pageOf([githubIssue(1)], asked, renamed.url),
    );
    const circle: ForgeServer = await serve(() => ({ status: 301, headers: { location: `${circle.url}/again` } }));

    expect((await (await given().open(renamed.url)).issues(ALL)).items).toHaveLength(1);
    expect(renamed.asked.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
    expect(await failureOf((await given().open(circle.url)).issues(ALL))).toMatchObject({ retry: "never" });
  });

  it.each([
    ["fifty megabytes, announced", { headers: { "content-length": String(50 * 1024 * 1024) }, body: "x" }, /more than/],
    ["a page for people", { headers: { "content-type": "text/html" }, body: "<html>" }, /sent text\/html where json was asked for/],
    ["what is no JSON", { headers: { "content-type": "application/json" }, body: "{" }, /not what the API promises/],
    ["something else than a list", { body: { hello: 1 } }, /not what the API promises/],
    ["that there is nothing", { status: 404, body: { message: "Not Found" } }, /there is no .*octo\/app/],
    ["that the token is wrong, with the token", { status: 401, body: { message: `Bad ${TOKEN}` } }, /answered 401: Bad \[the token\]/],
  ])("is refused when it sends %s", async (_, reply: ForgeReply, message) => {
    const server = await serve((_asked, _n, line) => {
      if (!("content-length" in (reply.headers ?? {}))) return reply;
      line.writeHead(200, { "content-type": "application/json", ...reply.headers }).write("x");
      return undefined;
    });

    expect(await failureOf((await given().open(server.url)).issues(ALL))).toMatchObject({
      code: "gather-failed",
      retry: "never",
      message: expect.stringMatching(message),
    });
  });

  it("is cut off when it never ends, or drips", async () => {
    const pouring = await serve((_asked, _n, line) => {
      line.writeHead(200, { "content-type": "application/json" });
      const pour = (): void => {
        while (line.writable && line.write("x".repeat(65_536)));
        line.once("drain", pour);
      };
      pour();
      return undefined;
    });
    const dripping = await serve((_asked, _n, line) => {
      line.writeHead(200, { "content-type": "application/json" });
      const drip = setInterval(() => line.write(" "), 20);
      line.once("close", () => clearInterval(drip));
      return undefined;
    });

    expect(await failureOf((await given().open(pouring.url)).issues(ALL))).toMatchObject({
      retry: "never",
      message: expect.stringMatching(/sends more than/),
    });
    expect(await failureOf((await given({ patienceMs: 100 }).open(dripping.url)).issues(ALL))).toMatchObject({
      retry: "later",
      message: expect.stringMatching(/gave no whole answer/),
    });
  });

  it("does not get the token into what is kept by sending it back", async () => {
    const server: ForgeServer = await serve((asked) => pageOf([githubIssue(1, { body: `your token is ${TOKEN}` })], asked, server.url));
    const { open, kept } = given();

    const { items } = await (await open(server.url)).issues(ALL);

    expect(items[0]!.body).toBe("your token is [the token]");
    expect([kept().includes("your token is"), kept().includes(TOKEN)]).toEqual([true, false]);
  });
});

describe("a token", () => {
  const asked = async (wish: Partial<ForgeWish>, env: { readonly [name: string]: string } = {}) => {
    const server: ForgeServer = await serve((one) => pageOf([], one, server.url));
    const failure = await failureOf(
      given({ env })
        .open(server.url, wish)
        .then((forge) => forge.issues(ALL)),
    );
    return failure ?? server.asked[0]!.headers.authorization;
  };

  it("comes from the variable or the command that the spec names", async () => {
    expect(await asked({})).toBe(`Bearer ${TOKEN}`);
    expect(await asked({ token: { kind: "command", run: "echo printed-token" } })).toBe("Bearer printed-token");
    expect(await asked({ token: { kind: "variable", name: "UNSET" } })).toMatchObject({
      message: "the variable UNSET gives no token",
      retry: "never",
    });
    expect(await asked({ token: { kind: "command", run: "echo secret-half; exit 1" } })).toMatchObject({
      message: expect.not.stringContaining("secret-half"),
    });
  });

  it("that a user has for the forge's own place is sent to no other", async () => {
    const bin = mkdtempSync(join(tmpdir(), "lw-bin-"));
    folders.push(bin);
    writeFileSync(join(bin, "gh"), "#!/bin/sh\necho token-of-gh\n");
    chmodSync(join(bin, "gh"), 0o755);

    expect(await asked({ token: undefined }, { GITHUB_TOKEN: TOKEN, PATH: `${bin}:${process.env.PATH}` })).toBeUndefined();
  });
});

describe("pull requests", () => {
  const node = (about: { readonly [field: string]: unknown } = {}) => ({
    number: 7,
    title: "Mend it",
    url: "https://github.com/octo/app/pull/7",
    body: "Mended.",
    createdAt: "2026-01-31T00:00:00Z",
    updatedAt: "2026-01-31T00:00:00Z",
    isDraft: false,
    mergeable: "CONFLICTING",
    reviewDecision: "CHANGES_REQUESTED",
    authorAssociation: "MEMBER",
    headRefOid: "c0ffee",
    baseRefName: "main",
    author: { login: "ada" },
    reviews: { nodes: [{ state: "CHANGES_REQUESTED", body: "Why?", authorAssociation: "OWNER", author: { login: "bob" } }] },
    comments: { totalCount: 1, nodes: [] },
    commits: {
      nodes: [
        {
          commit: {
            statusCheckRollup: { state: "FAILURE", contexts: { nodes: [{ __typename: "CheckRun", name: "test", conclusion: "FAILURE" }] } },
          },
        },
      ],
    },
    ...about,
  });
  const graph = (nodes: readonly unknown[]) => ({
    body: { data: { repository: { pullRequests: { pageInfo: { hasNextPage: false, endCursor: null }, nodes } } } },
  });

  it("are asked for in one request, with what reviews, comments and checks say, as untrusted as the least of who speaks", async () => {
    const stranger = { totalCount: 1, nodes: [{ body: "hi", authorAssociation: "NONE", author: null }] };
    const server = await serve(() => graph([node(), node({ comments: stranger })]));

    const { items } = await (await given().open(`${server.url}/api/v3`)).pulls({ most: 50 });

    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /api/graphql"]);
    expect(items[0]).toMatchObject({
      title: "#7 Mend it",
      body: "Mended.\n\nbob: Why?",
      trust: "member",
      says: "by ada, open for 1 day(s), into main, checks failed, failed: test, conflicts with its base, changes are asked for, 1 comment(s)",
    });
    expect([items[1]!.trust, items[1]!.body]).toEqual(["outsider", "Mended.\n\nbob: Why?\n\nnobody: hi"]);
  });

  it("are others once their checks end otherwise, though nothing else of them changed", async () => {
    let state = "PENDING";
    const server = await serve(() =>
      graph([node({ commits: { nodes: [{ commit: { statusCheckRollup: { state, contexts: { nodes: [] } } } }] } })]),
    );
    const { open } = given();
    const ids = [];
    for (state of ["PENDING", "PENDING", "SUCCESS"]) ids.push((await (await open(server.url)).pulls({ most: 50 })).items[0]!.id);

    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
  });

  it("that are not told of are a failure with the forge's reason", async () => {
    const server = await serve(() => ({ body: { data: { repository: null }, errors: [{ type: "RATE_LIMITED", message: "too much" }] } }));

    expect(await failureOf((await given().open(server.url)).pulls({ most: 50 }))).toMatchObject({
      retry: "later",
      message: expect.stringContaining("too much"),
    });
  });
});

it("brings failed jobs with the end of their logs, asks for no log twice, and says where one is gone", async () => {
  const server: ForgeServer = await serve(({ path }) => {
    if (path.endsWith("/actions/runs"))
      return {
        body: {
          workflow_runs: [
            {
              id: 3,
              run_attempt: 1,
              name: "CI",
              head_branch: "main",
              head_sha: "c0ffee".repeat(6),
              updated_at: "2026-01-01T00:00:00Z",
              actor: { login: "ada" },
            },
          ],
        },
      };
    if (path.endsWith("/runs/3/jobs"))
      return {
        body: {
          jobs: [
            {
              id: 31,
              name: "test",
              conclusion: "failure",
              html_url: "https://github.com/octo/app/actions/runs/3/job/31",
              steps: [{ name: "npm test", conclusion: "failure" }],
            },
            { id: 32, name: "lint", conclusion: "success" },
            { id: 33, name: "old", conclusion: "timed_out" },
          ],
        },
      };
    if (path.endsWith("/jobs/31/logs")) return { status: 302, headers: { location: `${server.url}/signed/31` } };
    return path === "/signed/31" ? { body: `${"noise\n".repeat(5_000)}expected 2, got 3\n` } : { status: 404 };
  });
  const { open } = given();
  const asked = { branch: undefined, isKnown: () => false, most: 20, mostLogChars: 24 };

  const { items } = await (await open(server.url)).failures(asked);
  const requests = server.asked.length;
  const again = await (await open(server.url)).failures({ ...asked, isKnown: (run) => items[0]!.id.startsWith(run) });

  expect(items.map(({ title, body, says, trust }) => [title, body, says, trust])).toEqual([
    ["CI / test", "\nnoise\nexpected 2, got 3", "failed on main at c0ffeec0ffee, in npm test", "outsider"],
    ["CI / old", undefined, "failed on main at c0ffeec0ffee, its log is gone", "outsider"],
  ]);
  expect([again.items, server.asked.length - requests]).toEqual([[], 1]);
});

it("reads merge requests and failed jobs of GitLab", async () => {
  const request = {
    iid: 4,
    title: "Mend",
    description: "D",
    draft: true,
    sha: "c0ffee",
    target_branch: "main",
    has_conflicts: true,
    detailed_merge_status: "not_approved",
    user_notes_count: 1,
    author: { id: 1, username: "ada" },
    web_url: "https://gitlab.com/g/app/-/merge_requests/4",
    created_at: "2026-01-31T00:00:00Z",
    updated_at: "2026-01-31T00:00:00Z",
  };
  const answers: { readonly [path: string]: unknown } = {
    merge_requests: [request],
    "merge_requests/4": { ...request, head_pipeline: { status: "failed" } },
    "merge_requests/4/notes": [
      { body: "Why?", system: false, author: { id: 9, username: "eve" } },
      { body: "assigned", system: true, author: { id: 1, username: "ada" } },
    ],
    "members/all": [{ id: 1, access_level: 30 }],
    pipelines: [{ id: 5, ref: "main", sha: "c0ffee".repeat(6), updated_at: "2026-01-31T00:00:00Z" }],
    "pipelines/5/jobs": [
      {
        id: 51,
        name: "unit",
        stage: "test",
        failure_reason: "script_failure",
        user: { username: "ada" },
        web_url: "https://gitlab.com/g/app/-/jobs/51",
      },
    ],
    "jobs/51/trace": "\u001b[31mexpected 2\n",
  };
  const server = await serve(({ path }) => ({ body: answers[path.replace("/api/v4/projects/g%2Fapp/", "")] }));
  const forge = await given().open(server.url, { forge: "gitlab", repo: "g/app" });

  const pulls = await forge.pulls({ most: 50 });
  const failures = await forge.failures({ branch: "main", isKnown: () => false, most: 5, mostLogChars: 100 });

  expect(pulls.items).toMatchObject([
    {
      title: "!4 Mend",
      body: "D\n\neve: Why?",
      trust: "outsider",
      says: "by ada, open for 1 day(s), 1 comment(s), a draft, into main, pipeline failed, conflicts with its base, merging: not approved",
    },
  ]);
  expect(failures.items).toMatchObject([
    { title: "test / unit", body: "\u001b[31mexpected 2", says: "failed on main at c0ffeec0ffee, script failure", trust: "outsider" },
  ]);
  expect(server.asked.find(({ path }) => path.endsWith("/pipelines"))?.query.get("ref")).toBe("main");
});

describe("releases", () => {
  it("of GitHub are those that were published, and strangers' words", async () => {
    const release = (tag_name: string, about: object = {}) => ({
      tag_name,
      name: tag_name,
      body: "Mends it, by @eve",
      draft: false,
      prerelease: false,
      published_at: "2026-01-02T00:00:00Z",
      author: { login: "ada" },
      html_url: `https://github.com/octo/app/releases/tag/${tag_name}`,
      ...about,
    });
    const server = await serve(() => ({
      body: [release("v2", { draft: true, published_at: null }), release("v1", { name: "First", prerelease: true })],
    }));

    const { items } = await (await given().open(server.url)).releases({ most: 10 });

    expect(items).toMatchObject([
      {
        id: expect.stringMatching(/\/octo\/app release v1 2026-01-02T00:00:00\.000Z$/),
        title: "v1: First",
        body: "Mends it, by @eve",
        trust: "outsider",
        address: "https://github.com/octo/app/releases/tag/v1",
        says: "released by ada on 2026-01-02, a prerelease",
        isPrerelease: true,
      },
    ]);
    expect(items).toHaveLength(1);
  });

  it("of GitLab leave out what is planned", async () => {
    const release = (tag_name: string, upcoming_release: boolean) => ({
      tag_name,
      name: "N",
      description: "D",
      released_at: "2026-01-02T00:00:00.000Z",
      upcoming_release,
      author: { username: "ada" },
      _links: { self: `https://gitlab.com/g/app/-/releases/${tag_name}` },
    });
    const server = await serve(() => ({ body: [release("v2", true), release("v1", false)] }));

    const { items } = await (await given().open(server.url, { forge: "gitlab", repo: "g/app" })).releases({ most: 10 });

    expect(items.map(({ title, body, address }) => [title, body, address])).toEqual([
      ["v1: N", "D", "https://gitlab.com/g/app/-/releases/v1"],
    ]);
  });
});

describe("alerts", () => {
  const BOTH = { about: ["dependencies", "code"], most: 100 } as const;

  it("of GitHub tell of dependencies what mends them and of code where it is, with how grave they are", async () => {
    const dependency = {
      number: 5,
      updated_at: "2026-01-02T00:00:00Z",
      html_url: "https://github.com/octo/app/security/dependabot/5",
      dependency: { package: { ecosystem: "npm", name: "nanoid" }, manifest_path: "package-lock.json", scope: "runtime" },
      security_advisory: { ghsa_id: "GHSA-1", cve_id: null, summary: "Predictable", description: "D", severity: "medium" },
      security_vulnerability: {
        package: { ecosystem: "npm", name: "nanoid" },
        severity: "high",
        vulnerable_version_range: "< 3.3.8",
        first_patched_version: { identifier: "3.3.8" },
      },
    };
    const code = {
      number: 7,
      updated_at: "2026-01-02T00:00:00Z",
      html_url: "https://github.com/octo/app/security/code-scanning/7",
      rule: { id: "js/sql", description: "SQL", severity: "error", security_severity_level: null },
      tool: { name: "CodeQL" },
      most_recent_instance: { ref: "refs/heads/main", message: { text: "Here." }, location: { path: "a.js", start_line: 3 } },
    };
    const server = await serve(({ path }) => ({ body: path.endsWith("/dependabot/alerts") ? [dependency] : [code] }));

    const { items, notes } = await (await given().open(server.url)).alerts(BOTH);

    expect(items.map(({ title, body, severity, says, trust }) => [title, body, severity, says, trust])).toEqual([
      ["nanoid: Predictable", "D", "high", "high, GHSA-1, < 3.3.8, mended in 3.3.8, package-lock.json, runtime", "outsider"],
      ["js/sql: SQL", "Here.", "unknown", "error, CodeQL, a.js:3, refs/heads/main", "outsider"],
    ]);
    expect([notes, server.asked.map(({ query }) => query.get("state"))]).toEqual([[], ["open", "open"]]);
  });

  it("of GitHub that are not there are said to be not looked at, and where none are, it is a failure", async () => {
    const none = { status: 404, body: { message: "no analysis found" } };
    const half = await serve(({ path }) => (path.endsWith("/dependabot/alerts") ? { body: [] } : none));
    const nothing = await serve(() => none);

    expect((await (await given().open(half.url)).alerts(BOTH)).notes).toEqual([
      "there are no alerts of code scanning, or the token may not know of them: this was not looked at",
    ]);
    expect(await failureOf((await given().open(nothing.url)).alerts(BOTH))).toMatchObject({ code: "gather-failed", retry: "never" });
  });

  it("of GitLab are asked for by kind, page after page", async () => {
    const node = (id: number, about: object) => ({
      id: `gid://gitlab/Vulnerability/${id}`,
      title: "T",
      severity: "CRITICAL",
      reportType: "DEPENDENCY_SCANNING",
      detectedAt: "2026-01-02T00:00:00Z",
      webUrl: `https://gitlab.com/g/app/-/security/vulnerabilities/${id}`,
      solution: "Upgrade to 2.",
      identifiers: [{ name: "CVE-1" }],
      ...about,
    });
    const first = node(1, { location: { file: "go.sum", dependency: { version: "v1", package: { name: "x/text" } } } });
    const second = node(2, { reportType: "SAST", severity: "UNKNOWN", solution: null, location: { file: "a.js", startLine: 3 } });
    const server = await serve(({ body }) => {
      const isNext = JSON.parse(body).variables.after === "c";
      const vulnerabilities = { pageInfo: { hasNextPage: !isNext, endCursor: isNext ? null : "c" }, nodes: [isNext ? second : first] };
      return { body: { data: { project: { vulnerabilities } } } };
    });

    const { items } = await (await given().open(server.url, { forge: "gitlab", repo: "g/app" })).alerts(BOTH);

    expect(items.map(({ title, body, severity, says }) => [title, body, severity, says])).toEqual([
      ["x/text: T", "Upgrade to 2.", "critical", "critical, dependency scanning, CVE-1, in version v1, go.sum"],
      ["T", undefined, "unknown", "unknown, sast, CVE-1, a.js:3"],
    ]);
    expect(server.asked.map(({ path, method }) => [path, method])).toEqual([
      ["/api/graphql", "POST"],
      ["/api/graphql", "POST"],
    ]);
    expect(JSON.parse(server.asked[0]!.body).variables).toMatchObject({
      path: "g/app",
      reports: ["DEPENDENCY_SCANNING", "CONTAINER_SCANNING", "SAST", "DAST"],
    });
  });

  it("that GitLab does not tell of are a failure with its reason", async () => {
    const server = await serve(() => ({ body: { errors: [{ message: "Field 'vulnerabilities' doesn't exist" }] } }));
    const forge = await given().open(server.url, { forge: "gitlab", repo: "g/app" });

    expect(await failureOf(forge.alerts(BOTH))).toMatchObject({ message: expect.stringContaining("doesn't exist") });
  });
});
