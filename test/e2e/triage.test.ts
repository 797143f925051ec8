// An L1 loop over real repositories of every kind: it reports, exits 0, and not one byte of the target changes.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createYard, type TestRepo } from "../support/git-repo.ts";
import { inPlace, type Place } from "../support/lw.ts";
import { hashFiles } from "../support/target.ts";

const yard = createYard();
afterEach(yard.clear);

const ESCAPE = "\u001b";
const HOSTILE_BRANCHES = ["refs/heads/--all", "refs/heads/-n1", "refs/heads/--output=pwned", "$(id)", ";id"];
const HOSTILE_REFS = ["--all", "-n1", "main..main", "main^!", "HEAD@{0}", "refs/heads/*"];

it("reports what is new, then that nothing is, then only what came since", () =>
  inTriage(yard.newRepo(), async (repo, run) => {
    repo.commit("feat!: drop the old API", { files: { "api.js": "1\n" } });
    repo.commit("docs: a word", { files: { "readme.md": "1\n" } });

    const first = await run();
    const second = await run();
    const third = repo.commit("fix: CVE-2024-0001 in login", { files: { "src/login.js": "1\n" } });
    const last = await run();

    expect([first, second, last].map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(first.items.map(({ rank, title }) => `${rank} ${title}`)).toEqual(["breaking feat!: drop the old API", "ordinary docs: a word"]);
    expect([second.items, second.summary]).toEqual([[], "Nothing new on main."]);
    expect(last.items.map(({ rank, commit }) => ({ rank, commit }))).toEqual([{ rank: "security", commit: third }]);
  }));

it("tells of TODOs and branches once, with where they are, and then that nothing is new", () =>
  inTriage(
    yard.newRepo(),
    async (repo, run, place) => {
      repo.commit("one", { files: { "src/a.ts": "let a;\n// TODO: \u001b[31mmend a\n" } });
      repo.git("branch", "done");

      const first = await run();
      const report = await place.lw(["show", "triage", "--report"]);
      const second = await run();
      repo.commit("two", { files: { "src/b.ts": "// FIXME b\n", "src/a.ts": "\n\nlet a;\n// TODO: \u001b[31mmend a\n" } });
      const third = await run();

      const read = await place.lw(["run", "triage.loop.json"]);

      // Whoever runs it reads what it found, and how that came about where they ask for it.
      expect(read.stdout).toMatch(/\n## Findings\n[\s\S]*Nothing new in branches[\s\S]*More: {3}lw show \S+ --report\n$/);
      expect(read.stdout).not.toContain("What happened");
      const told = ({ found = [] }: Report) => found.map(({ source, items }) => [source, items.map(({ title }) => title)]);
      expect([first, second, third].map(({ exit }) => exit)).toEqual([0, 0, 0]);
      expect(told(first)).toEqual([
        ["TODOs of main", ["TODO: mend a"]],
        ["branches", ["done"]],
      ]);
      expect(report.stdout).toMatch(/^### .*TODOs of main.* \(1\)\n\n- .*TODO: mend a.*src\/a\.ts:2/m);
      expect([told(second), second.summary]).toEqual([
        [
          ["TODOs of main", []],
          ["branches", []],
        ],
        "Nothing new in TODOs of main. Nothing new in branches.",
      ]);
      expect(told(third)[0]).toEqual(["TODOs of main", ["FIXME b"]]);
    },
    undefined,
    [{ use: "todos" }, { use: "branches" }],
  ));

it("goes on after a force-push that took away what it had read, and says so", () =>
  inTriage(yard.newRepo(), async (repo, run) => {
    repo.commit("one");
    repo.commit("two");
    await run();
    repo.git("reset", "--quiet", "--hard", "HEAD~1");
    repo.git("reflog", "expire", "--expire=now", "--all");
    repo.git("gc", "--quiet", "--prune=now");
    const three = repo.commit("three");

    const { exit, items, refs } = await run();
    const again = await run();

    expect([exit, items.map(({ commit }) => commit).includes(three), again.exit, again.items]).toEqual([0, true, 0, []]);
    expect(refs[0]!.notes.join()).toMatch(/is no longer in the repository/);
  }));

it("reads a shallow clone as far as it goes, and says so", async () => {
  const origin = yard.newRepo();
  for (const subject of ["one", "two", "three"]) origin.commit(subject);

  await inTriage(yard.cloneOf(origin, "--depth=2"), async (_, run) => {
    const { exit, items, refs } = await run();

    expect([exit, items.map(({ title }) => title)]).toEqual([0, ["three", "two"]]);
    expect(refs[0]!.notes.join()).toMatch(/the clone is shallow/);
  });
});

it("reads one worktree of several, a detached HEAD, and a SHA-256 repository", async () => {
  const main = yard.newRepo();
  const commit = main.commit("one");
  main.git("worktree", "add", "--quiet", "--detach", join(yard.newFolder(), "tree"), "HEAD");
  const detached = yard.cloneOf(main);
  detached.git("checkout", "--quiet", "--detach");
  const long = yard.newRepo({ objectFormat: "sha256" });
  const longCommit = long.commit("one");

  const seen: unknown[] = [];
  for (const repo of [main, detached, long])
    await inTriage(repo, async (_, run) => {
      const { exit, items } = await run();
      seen.push([exit, items.map((item) => item.commit)]);
    });

  expect(seen).toEqual([
    [0, [commit]],
    [0, [commit]],
    [0, [longCommit]],
  ]);
});

it("says of a repository without commits that it has none, and never that it was proven", () =>
  inTriage(yard.newRepo(), async (_, run) => {
    const { exit, because, refs } = await run();

    expect({ exit, because, notes: refs[0]!.notes }).toEqual({
      exit: 4,
      because: "cannot-verify",
      notes: ["the repository has no commits yet"],
    });
  }));

it("takes refs that look like options or ranges for what they are: names of nothing", () =>
  inTriage(
    yard.newRepo(),
    async (repo, run) => {
      repo.commit("one");
      repo.commit("two");

      const { exit, because, items, refs } = await run();

      expect([exit, because]).toEqual([4, "cannot-verify"]);
      expect(refs.map(({ ref, tip }) => [ref, tip])).toEqual([
        ["main", repo.git("rev-parse", "main")],
        ...HOSTILE_REFS.map((ref) => [ref, undefined]),
      ]);
      expect(items).toHaveLength(2);
    },
    ["main", ...HOSTILE_REFS],
  ));

it("reads a branch that is really called like an option", () =>
  inTriage(
    yard.newRepo(),
    async (repo, run) => {
      const commit = repo.commit("one");
      for (const name of HOSTILE_BRANCHES) repo.git("update-ref", name.startsWith("refs/") ? name : `refs/heads/${name}`, commit);

      const { exit, refs } = await run();

      expect([exit, refs.map(({ ref, tip }) => [ref, tip])]).toEqual([0, HOSTILE_BRANCHES.map((name) => [name, commit])]);
    },
    HOSTILE_BRANCHES,
  ));

it("shows hostile subjects as harmless text, on the terminal and in the report", () =>
  inTriage(yard.newRepo(), async (repo, run, place) => {
    repo.commit(`\u001b[2J\u001b]0;owned\u0007clear your screen`);
    repo.commit("a\u202Eb right to left, and <script>alert(1)</script> [click](javascript:alert(1)) `x`");
    repo.commit("$(touch pwned) `touch pwned` ; touch pwned");
    repo.commit("--output=pwned");
    repo.commit("x".repeat(5000));

    const { exit, items } = await run();
    const show = await place.lw(["show", "triage"], { env: { FORCE_COLOR: "0" } });
    const report = await place.lw(["show", "triage", "--report"]);

    expect([exit, items.length]).toEqual([0, 5]);
    const shown = show.stdout + show.stderr + report.stdout + JSON.stringify(items);
    expect([ESCAPE, "\u0007", "\u202e"].filter((bad) => shown.includes(bad))).toEqual([]);
    expect(report.stdout).toMatch(/^Small things: [^\n]*; `[0-9a-f]{12}` `` [^\n]*<script>alert\(1\)<\/script>[^\n]* ``; /m);
    expect(items.every(({ title }) => title.length <= 120)).toBe(true);
  }));

interface Report {
  readonly exit: number | NodeJS.Signals;
  readonly because: string | undefined;
  readonly items: readonly { readonly rank: string; readonly commit: string; readonly title: string }[];
  readonly refs: readonly { readonly ref: string; readonly tip?: string; readonly notes: readonly string[] }[];
  readonly found?: readonly { readonly source: string; readonly items: readonly { readonly title: string }[] }[];
  readonly summary: string;
}

/** Runs a triage loop over the repository; each run must leave every file of it, and of its .git, byte for byte as it was. */
const inTriage = (
  repo: TestRepo,
  work: (repo: TestRepo, run: () => Promise<Report>, place: Place) => Promise<void>,
  refs?: readonly string[],
  gather: readonly unknown[] = [{ use: "commits", with: { since: "36500d", ...(refs ? { refs } : {}) } }],
): Promise<void> =>
  inPlace(async (place) => {
    const spec = place.write(
      "triage.loop.json",
      JSON.stringify({
        name: "triage",
        intent: "Say what is new.",
        level: "L1",
        target: { repo: realpathSync(repo.dir) },
        gather,
        maker: { use: "triage" },
        verifiers: [{ use: "grounded" }],
      }),
    );
    const run = async (): Promise<Report> => {
      const before = hashFiles(repo.dir);
      const { exit, said } = await place.json(["run", spec]);
      expect(hashFiles(repo.dir)).toEqual(before);
      const { items, refs, found, summary } = said.rounds.at(-1).evidence.proposal;
      return { exit, because: said.rest.because, items, refs, found, summary };
    };
    await work(repo, run, place);
  });
