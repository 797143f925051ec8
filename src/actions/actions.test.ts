// The actions against servers and hands that write down what was asked of them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import type { ActionWorld, Deed } from "../contract/action.ts";
import type { Command, Finished } from "../contract/commands.ts";
import { untrustedText } from "../contract/text.ts";
import { hmacSha256 } from "../std/hash.ts";
import { command } from "./command.ts";
import { file } from "./file.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { merge } from "./merge.ts";
import { webhook } from "./webhook.ts";

const DEED: Deed = {
  loop: "fix",
  run: "fix-1-abc",
  intent: "Fix it.",
  repo: "/repo",
  folder: "/loops",
  branch: "loopwright/fix-1-abc.1",
  commit: "c".repeat(40),
  tree: "t".repeat(40),
  base: { ref: "main", commit: "b".repeat(40) },
  key: "k1",
  title: "fix: Fix it.",
  report: "**Fix it.**",
};

const no = () => Promise.reject(new Error("not expected"));
const WORLD: ActionWorld = {
  git: {
    branchTip: no,
    treeOf: no,
    contains: no,
    canFastForward: no,
    fastForward: no,
    replace: no,
    remoteTip: no,
    push: no,
    filesOf: no,
    commitFiles: no,
  },
  // The house's own client lies in another folder of the source; this one does the same.
  http: {
    send: async ({ method, url, headers, body }) => {
      const response = await fetch(url, { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) });
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    },
  },
  proc: { run: no },
  files: { readText: no, writeText: no },
  env: { get: (name) => ({ GITHUB_TOKEN: "gh-token", GITLAB_TOKEN: "gl-token", HOOK: "hook-secret" })[name] },
};

interface Asked {
  readonly line: string;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: unknown;
}
type Answer = (asked: Asked) => { readonly status: number; readonly body?: unknown };

const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).map((close) => close()));

/** A server on this machine that keeps what it was asked. */
async function serve(answer: Answer): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const one = { line: `${request.method} ${request.url}`, headers: request.headers, body: text === "" ? undefined : JSON.parse(text) };
      asked.push(one);
      const { status, body = {} } = answer(one);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closing.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe("merge", () => {
  it("asks for exactly the move that was verified, and finds out after a crash whether it happened", async () => {
    const moves: unknown[] = [];
    const git = {
      ...WORLD.git,
      fastForward: async (_: string, move: unknown) => {
        moves.push(move);
        return { kind: "moved" } as const;
      },
      branchTip: async () => "tip",
      contains: async () => true,
    };
    const act = merge.configure({});

    const done = await act.execute(DEED, { ...WORLD, git });
    const found = await act.confirm(DEED, { ...WORLD, git });
    const not = await act.confirm(DEED, { ...WORLD, git: { ...git, contains: async () => false } });

    expect(moves).toEqual([{ branch: "main", from: DEED.base.commit, to: DEED.commit, because: "k1" }]);
    expect([done.kind, found.kind, not.kind]).toEqual(["done", "done", "not-done"]);
  });
});

describe("github", () => {
  const pull = (ref: string, reviewers: readonly string[] = []) => ({
    number: 7,
    html_url: "https://github.test/pull/7",
    head: { ref, sha: DEED.commit },
    requested_reviewers: reviewers.map((login) => ({ login })),
  });

  it("opens a pull request, labels it and asks for reviews, in the wire format of the API", async () => {
    const { url, asked } = await serve(({ line }) =>
      line.startsWith("GET")
        ? { status: 200, body: [] }
        : line.endsWith("/labels")
          ? { status: 200, body: [] }
          : { status: 201, body: pull(DEED.branch) },
    );
    const act = github.configure({ repo: "octo/app", api: url, labels: ["loop"], reviewers: ["ada"] });

    const ready = await act.prepare(DEED, WORLD);
    const done = await act.execute(DEED, WORLD);

    expect(ready).toEqual({ kind: "ready", says: `open a pull request for ${DEED.branch} in octo/app` });
    expect(done).toEqual({
      kind: "done",
      receipt: { says: "pull request #7: https://github.test/pull/7", facts: { number: "7", url: "https://github.test/pull/7" } },
    });
    expect(asked.map(({ line, body }) => [line, body])).toEqual([
      ["GET /repos/octo/app/pulls?state=open&per_page=100&page=1", undefined],
      ["GET /repos/octo/app/pulls?state=open&head=octo%3Aloopwright%2Ffix-1-abc.1", undefined],
      [
        "POST /repos/octo/app/pulls",
        { title: DEED.title, head: DEED.branch, base: "main", body: "**Fix it.**\n\n<!-- loopwright: k1 -->", draft: false },
      ],
      ["POST /repos/octo/app/issues/7/labels", { labels: ["loop"] }],
      ["POST /repos/octo/app/pulls/7/requested_reviewers", { reviewers: ["ada"] }],
    ]);
    expect(asked[2]?.headers).toMatchObject({
      authorization: "Bearer gh-token",
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "content-type": "application/json",
    });
  });

  it("updates the one that is there, and opens no second one after a crash", async () => {
    const { url, asked } = await serve(() => ({ status: 200, body: [] }));
    const there = await serve(({ line }) => ({ status: 200, body: line.startsWith("GET") ? [pull(DEED.branch)] : pull(DEED.branch) }));
    const act = (api: string) => github.configure({ repo: "octo/app", api });

    expect([
      (await act(url).confirm(DEED, WORLD)).kind,
      (await act(there.url).confirm(DEED, WORLD)).kind,
      (await act(there.url).execute(DEED, WORLD)).kind,
    ]).toEqual(["not-done", "done", "done"]);
    expect(there.asked.map(({ line }) => line.split(" ")[0])).toEqual(["GET", "GET", "PATCH"]);
    expect(asked).toHaveLength(1);
  });

  it("puts its comment on a pull request once", async () => {
    const comments: unknown[] = [];
    const { url } = await serve(({ line, body }) => {
      if (!line.includes("/comments")) return { status: 200, body: line.startsWith("GET") ? [pull(DEED.branch)] : pull(DEED.branch) };
      if (line.startsWith("POST")) comments.push(body);
      return line.startsWith("POST") ? { status: 201 } : { status: 200, body: comments };
    });
    const act = github.configure({ repo: "octo/app", api: url, comment: "look" });

    const kinds = [(await act.execute(DEED, WORLD)).kind, (await act.confirm(DEED, WORLD)).kind, (await act.execute(DEED, WORLD)).kind];

    expect([kinds, comments]).toEqual([["done", "not-done", "done"], [{ body: "look\n\n<!-- loopwright: k1 -->" }]]);
  });

  it("opens none while too many of the loop, or of a reviewer, are open", async () => {
    const { url } = await serve(() => ({
      status: 200,
      body: [pull("loopwright/fix-0-x.1"), pull("loopwright/other-1-y.1", ["ada"]), pull("somebody/else", ["ada"])],
    }));
    const prepare = (about: object) => github.configure({ repo: "octo/app", api: url, ...about }).prepare(DEED, WORLD);

    expect([await prepare({ most: 1 }), await prepare({ reviewers: ["ada"], mostPerReviewer: 1 }), await prepare({})]).toMatchObject([
      { kind: "refused", why: "1 pull requests of fix are open, and at most 1 may be" },
      { kind: "refused", why: "ada has 1 pull requests of loops to look at already" },
      { kind: "ready" },
    ]);
  });

  it("does not take an error for success, nor a missing token for one that is empty", async () => {
    const { url } = await serve(() => ({ status: 422, body: { message: "no commits" } }));
    const act = github.configure({ repo: "octo/app", api: url });

    await expect(act.execute(DEED, WORLD)).rejects.toMatchObject({ code: "action-failed", retry: "never" });
    expect(await act.prepare(DEED, { ...WORLD, env: { get: () => undefined } })).toMatchObject({
      kind: "refused",
      why: "the variable GITHUB_TOKEN is not set",
    });
  });
});

describe("gitlab", () => {
  const request = { iid: 3, web_url: "https://gitlab.test/3", source_branch: DEED.branch, sha: DEED.commit };

  it("opens a merge request with labels and a note, in the wire format of the API", async () => {
    const { url, asked } = await serve(({ line }) => (line.startsWith("GET") ? { status: 200, body: [] } : { status: 201, body: request }));
    const act = gitlab.configure({ project: "group/app", api: url, labels: ["loop", "docs"], comment: "look" });

    await act.prepare(DEED, WORLD);
    const done = await act.execute(DEED, WORLD);

    expect(done).toMatchObject({ kind: "done", receipt: { facts: { number: "3" } } });
    expect(asked.map(({ line, body }) => [line, body])).toEqual([
      ["GET /api/v4/projects/group%2Fapp/merge_requests?state=opened&per_page=100", undefined],
      ["GET /api/v4/projects/group%2Fapp/merge_requests?state=opened&source_branch=loopwright%2Ffix-1-abc.1", undefined],
      [
        "POST /api/v4/projects/group%2Fapp/merge_requests",
        {
          title: DEED.title,
          description: "**Fix it.**\n\n<!-- loopwright: k1 -->",
          labels: "loop,docs",
          source_branch: DEED.branch,
          target_branch: "main",
        },
      ],
      ["GET /api/v4/projects/group%2Fapp/merge_requests/3/notes?per_page=100", undefined],
      ["POST /api/v4/projects/group%2Fapp/merge_requests/3/notes", { body: "look\n\n<!-- loopwright: k1 -->" }],
    ]);
    expect(asked[2]?.headers["private-token"]).toBe("gl-token");
  });

  it("knows after a crash what is there, and puts no note on it twice", async () => {
    const { url, asked } = await serve(({ line }) => ({
      status: 200,
      body: line.startsWith("PUT") ? request : line.includes("/notes") ? [{ body: "look\n\n<!-- loopwright: k1 -->" }] : [request],
    }));
    const noting = gitlab.configure({ project: "g/a", api: url, comment: "look" });

    expect([
      (await gitlab.configure({ project: "g/a", api: url }).confirm(DEED, WORLD)).kind,
      (await noting.confirm(DEED, WORLD)).kind,
    ]).toEqual(["done", "not-done"]);
    expect((await noting.execute(DEED, WORLD)).kind).toBe("done");
    expect(asked.filter(({ line }) => line.startsWith("POST"))).toEqual([]);
  });
});

describe("webhook", () => {
  it("sends a CloudEvent with the key as its id, signed, and tells an error from success", async () => {
    const { url, asked } = await serve(() => ({ status: 202 }));
    const broken = await serve(() => ({ status: 500 }));
    const act = webhook.configure({ url: `${url}/in`, secret: "HOOK" });

    const done = await act.execute(DEED, WORLD);
    const failed = await webhook.configure({ url: broken.url }).execute(DEED, WORLD);

    expect([done.kind, failed.kind]).toEqual(["done", "refused"]);
    expect(asked[0]).toMatchObject({
      line: "POST /in",
      body: {
        specversion: "1.0",
        id: "k1",
        source: "loopwright/fix",
        type: "dev.loopwright.proposal.released",
        subject: DEED.commit,
        data: { tree: DEED.tree },
      },
      headers: {
        "content-type": "application/cloudevents+json; charset=utf-8",
        "idempotency-key": "k1",
        "x-loopwright-signature-256": `sha256=${hmacSha256("hook-secret", JSON.stringify(asked[0]?.body))}`,
      },
    });
  });
});

describe("command", () => {
  const running = (code: number) => {
    const ran: Command[] = [];
    const run = async (asked: Command): Promise<Finished> => {
      ran.push(asked);
      return {
        end: { kind: "exited", code },
        tookMs: 1,
        output: { sha256: "", bytes: 0, truncated: false },
        tail: untrustedText(""),
        box: { kind: "none", why: "" },
      };
    };
    return { ran, world: { ...WORLD, proc: { run } } };
  };

  it("hands over the facts and the key, and says that a crash leaves it unclear unless another command can tell", async () => {
    const { ran, world } = running(0);
    const bare = command.configure({ run: "./deploy" });
    const confirming = command.configure({ run: "./deploy", confirm: "./is-deployed" });

    const done = await bare.execute(DEED, world);

    expect([done.kind, ran[0]?.env.LOOPWRIGHT_KEY, ran[0]?.env.LOOPWRIGHT_TREE, ran[0]?.env.GITHUB_TOKEN]).toEqual([
      "done",
      "k1",
      DEED.tree,
      undefined,
    ]);
    expect([
      (await bare.confirm(DEED, world)).kind,
      (await confirming.confirm(DEED, world)).kind,
      (await confirming.confirm(DEED, running(1).world)).kind,
      (await confirming.confirm(DEED, running(127).world)).kind,
      (await bare.execute(DEED, running(3).world)).kind,
    ]).toEqual(["unclear", "done", "not-done", "unclear", "refused"]);
  });
});

describe("file", () => {
  it("writes outside the target only, and knows its own writing again", async () => {
    const written = new Map<string, string>();
    const files = {
      readText: async (path: string) => written.get(path),
      writeText: async (path: string, text: string) => void written.set(path, text),
    };
    const world = { ...WORLD, files };
    const act = file.configure({ path: "out.md" });

    const before = await act.confirm(DEED, world);
    await act.execute(DEED, world);

    expect([before.kind, (await act.confirm(DEED, world)).kind, [...written.keys()]]).toEqual(["not-done", "done", ["/loops/out.md"]]);
    expect((await file.configure({ path: "/Repo/x.md" }).prepare(DEED, world)).kind).toBe("refused");
  });
});
