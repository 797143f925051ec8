// Loops for daily work, begun with one command in a real repository, against a forge on loopback: once with work, once with nothing new.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type ForgeScript, type ForgeServer, githubIssue, pageOf, serveForge } from "../support/forge-server.ts";
import { inPlace } from "../support/lw.ts";

const TOKEN = "read-token-of-the-daily-loops-4711";
const servers: ForgeServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const PULL = {
  number: 7,
  title: "Mend it",
  url: "https://github.com/octo/app/pull/7",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  mergeable: "CONFLICTING",
  authorAssociation: "MEMBER",
  headRefOid: "c0ffee",
  baseRefName: "main",
  author: { login: "ada" },
};
const RUN = { id: 3, run_attempt: 1, name: "CI", head_branch: "main", head_sha: "c0ffee".repeat(6), updated_at: "2026-01-01T00:00:00Z" };
const JOB = { id: 31, name: "test", conclusion: "failure", html_url: "https://github.com/octo/app/actions/runs/3/job/31" };

const NPM = `#!/bin/sh
case "$1" in
  outdated) echo '{"left-pad":{"current":"1.0.0","wanted":"1.3.0","latest":"1.3.0"}}' ;;
  audit) echo '{"vulnerabilities":{"left-pad":{"via":[{"title":"Bad","url":"https://github.com/advisories/GHSA-7","severity":"high"}]}}}' ;;
esac
exit 1
`;

/** A small repository on a forge, as its API tells of it. */
const script =
  (base: () => string): ForgeScript =>
  (asked) => {
    if (asked.path.endsWith("/issues")) return pageOf([githubIssue(1)], asked, base());
    if (asked.path.endsWith("/graphql"))
      return { body: { data: { repository: { pullRequests: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [PULL] } } } } };
    if (asked.path.endsWith("/actions/runs")) return { body: { workflow_runs: [RUN] } };
    if (asked.path.endsWith("/runs/3/jobs")) return { body: { jobs: [JOB] } };
    return asked.path.endsWith("/jobs/31/logs") ? { body: "expected 2, got 3\n" } : { status: 404 };
  };

it.each([
  ["issue-triage", ["#1 issue 1"]],
  ["pr-babysitter", ["#7 Mend it"]],
  ["ci-sweeper", ["CI / test"]],
  ["daily-triage", ["Add the price", "TODO: round it", "done"]],
  ["post-merge-cleanup", ["done"]],
  ["dependency-sweeper", ["left-pad: Bad", "left-pad 1.0.0 → 1.3.0"]],
])("%s tells what there is, then that nothing is new, for nothing", (name, expected) =>
  inPlace(async (place) => {
    const { repo } = place;
    repo.git("remote", "add", "origin", "https://github.com/octo/app.git");
    repo.commit("Begin", { files: { "a.js": "1\n", "package.json": "{}\n", "package-lock.json": "{}\n" }, at: "2026-01-01T00:00:00Z" });
    repo.git("branch", "done");
    repo.commit("Add the price", { files: { "price.js": "// TODO: round it\nexport const price = 1.5;\n" }, at: new Date().toISOString() });
    // A registry is the outside world: npm answers from here, in its own form.
    place.writeProgram("bin/npm", NPM);
    const server: ForgeServer = await serveForge(script(() => server.url));
    servers.push(server);
    const file = join(repo.dir, `.loopwright/${name}.loop.yaml`);

    const init = await place.lw(["init", "--pattern", name, "--yes"], { cwd: repo.dir });
    // As somebody does who has a server of their own.
    const here = JSON.stringify({ repo: "octo/app", api: server.url, token: "FORGE_TOKEN" });
    writeFileSync(file, readFileSync(file, "utf8").replace('{"repo":"octo/app"}', here));
    const run = async () => {
      const before = server.asked.length;
      const { exit, said } = await place.json(["run", file], {
        env: { FORGE_TOKEN: TOKEN, PATH: `${join(place.dir, "bin")}:${process.env.PATH}` },
      });
      const { items, found = [], summary } = said.rounds.at(-1).evidence.proposal;
      const titles = [...items, ...found.flatMap((source: { readonly items: readonly object[] }) => source.items)];
      const requests = server.asked.length - before;
      return {
        exit,
        summary,
        rounds: said.rounds.length,
        usd: said.cost.usd,
        requests,
        told: titles.map(({ title }: { readonly title: string }) => title),
      };
    };
    const [first, second] = [await run(), await run()];

    expect(init.exit).toBe(0);
    expect(first.exit).toBe(0);
    for (const title of expected) expect(first.told).toContainEqual(expect.stringContaining(title));
    expect(second).toMatchObject({ exit: 0, summary: expect.stringMatching(/^Nothing new /), rounds: 1, usd: 0, told: [] });
    expect(second.requests).toBeLessThanOrEqual(1);
    expect(server.asked.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
  }),
);
