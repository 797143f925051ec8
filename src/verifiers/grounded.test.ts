import { afterEach, describe, expect, it } from "vitest";
import { barrenWorld } from "../../test/support/fake-world.ts";
import { createYard } from "../../test/support/git-repo.ts";
import type { GatheredThings, Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import type { GitReader } from "../contract/git.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import type { Citation, RefReading, ReportItem, SourceReading } from "../contract/proposal.ts";
import { untrustedText } from "../contract/text.ts";
import type { ReportClaim } from "../contract/verifier.ts";
import { createGitReader } from "../world/git/git-reader.ts";
import { createRunGit } from "../world/git/run-git.ts";
import { grounded } from "./grounded.ts";

const reader = createGitReader(createRunGit({ path: process.env.PATH ?? "" }));
const { newRepo, clear } = createYard();

afterEach(clear);

/** main: one, two. side: one, three. A commit that no ref contains: lost. */
function givenRepo() {
  const repo = newRepo();
  const one = repo.commit("one");
  repo.git("checkout", "--quiet", "-b", "side");
  const three = repo.commit("three");
  repo.git("checkout", "--quiet", "main");
  const two = repo.commit("two");
  const lost = repo.feed("lost", "commit-tree", "HEAD^{tree}");
  return { repo, one, two, three, lost };
}
const item = (commit: string, ref = "main"): ReportItem => ({ rank: "ordinary", commit, ref, title: "t", why: "w" });
const reading = (tip: string | undefined, ref = "main"): RefReading => ({ ref, tip, commits: 0, notes: [] });

const verify = (repo: string, items: readonly ReportItem[], refs: readonly RefReading[], git: GitReader = reader) =>
  verifyClaim({ repo, proposal: { kind: "report", items, refs, divergence: [], summary: "" }, gathered: [] }, git);

function verifyClaim(claim: ReportClaim, git: GitReader = reader) {
  const ready = grounded.configure({});
  if (ready.proves !== "report") throw new Error("grounded must prove reports");
  const world: VerifierWorld = {
    ...barrenWorld,
    git,
    proc: { run: () => Promise.reject(new Error("no command was expected")) },
    env: { get: () => undefined },
  };
  return ready.verify(claim, world);
}
const sight = (outcome: string, detail: string) => ({ outcome, detail, output: undefined });

it("holds when every cited commit is on the ref it names", async () => {
  const { repo, one, two, three } = givenRepo();

  const seen = await verify(repo.dir, [item(one), item(two), item(three, "side")], [reading(two), reading(three, "side")]);

  expect(seen).toEqual(sight("holds", "every cited commit is part of the ref it names: 3 looked up"));
});

it("holds when nothing is cited and every tip is there", async () => {
  const { repo, two } = givenRepo();

  expect(await verify(repo.dir, [], [reading(two)])).toEqual(sight("holds", "nothing is cited, and the tip of every ref is there"));
});

it("calls a citation fabricated that is no commit: made up, shortened, a tag, a branch named like an id", async () => {
  const { repo, two } = givenRepo();
  repo.git("tag", "--annotate", "--message=tag", "v1");
  repo.git("branch", "deadbeef");
  const madeUp = "1".repeat(40);

  for (const id of [madeUp, two.slice(0, 7), repo.git("rev-parse", "v1"), "deadbeef", "HEAD", two.toUpperCase()])
    expect(await verify(repo.dir, [item(two), item(id)], [reading(two)])).toEqual(
      sight("fabricated", `not a commit of the repository: "${id}" on "main"`),
    );
});

it("calls a citation fabricated that is not part of the ref it names: another branch's, nobody's, an unread ref's", async () => {
  const { repo, one, two, three, lost } = givenRepo();

  expect(await verify(repo.dir, [item(one), item(three)], [reading(two), reading(three, "side")])).toEqual(
    sight("fabricated", `not part of the ref it names: "${three}" on "main"`),
  );
  expect(await verify(repo.dir, [item(lost)], [reading(two)])).toEqual(
    sight("fabricated", `not part of the ref it names: "${lost}" on "main"`),
  );
  expect(await verify(repo.dir, [item(three, "side")], [reading(two)])).toEqual(
    sight("fabricated", `on a ref that was not read: "${three}" on "side"`),
  );
  expect(await verify(repo.dir, [item(three, "side")], [reading(two), reading(undefined, "side")])).toEqual(
    sight("fabricated", `on a ref that was not read: "${three}" on "side"`),
  );
  expect(await verify(repo.dir, [item(two)], [])).toEqual(sight("fabricated", `on a ref that was not read: "${two}" on "main"`));
});

it("calls a tip fabricated that is no commit", async () => {
  const { repo } = givenRepo();
  const madeUp = "1".repeat(40);

  expect(await verify(repo.dir, [], [reading(madeUp)])).toEqual(
    sight("fabricated", `given as a tip, and not a commit of the repository: "${madeUp}" on "main"`),
  );
});

it("names the first few of many, quoted and cut", async () => {
  const { repo, two } = givenRepo();
  const madeUp = [1, 2, 3, 4, 5].map((n) => String(n).repeat(40));

  const { detail } = await verify(repo.dir, [item("\u001b[31m".repeat(1000)), ...madeUp.map((id) => item(id))], [reading(two)]);

  expect(detail).toMatch(/^not a commit of the repository: "[\x20-\x7e]+" on "main", "1{40}" on "main", "2{40}" on "main" and 3 more$/);
  expect(detail.length).toBeLessThan(600);
});

it("does not know when there is nothing to prove: no ref, or a ref that could not be read", async () => {
  const { repo, two } = givenRepo();

  expect(await verify(repo.dir, [], [])).toEqual(sight("unknown", "the report read no ref, so there is nothing to prove"));
  for (const items of [[], [item(two)]])
    expect(await verify(repo.dir, items, [reading(two), reading(undefined, "gone")])).toEqual(
      sight("unknown", 'there is nothing to prove about "gone", which could not be read'),
    );
});

it("holds when the ref moved on since, and does not know when it no longer contains the tip that was read", async () => {
  const { repo, one, two, lost } = givenRepo();
  const moved = sight("unknown", '"main" no longer contains the tip that was read; run the loop again');

  expect((await verify(repo.dir, [item(one)], [reading(one)])).outcome).toBe("holds");
  expect(await verify(repo.dir, [], [reading(lost)])).toEqual(moved);
  repo.git("reset", "--quiet", "--hard", one);
  expect(await verify(repo.dir, [item(two)], [reading(two)])).toEqual(moved);
  expect((await verify(repo.dir, [], [reading(one, "nameless")])).outcome).toBe("unknown");
});

it("does not know when the repository cannot be read, and lets an interruption and a bug through", async () => {
  const refusing = (cause: Error): GitReader => ({ ...reader, commitsThatExist: () => Promise.reject(cause) });
  const interrupted = new LoopError("interrupted", "stopped", { retry: "later", hint: "Go on." });
  const id = "1".repeat(40);

  expect(await verify("/nonexistent", [item(id)], [reading(id)])).toEqual(
    sight("unknown", 'the repository could not be read: the repository at "/nonexistent" cannot be used: there is no such folder'),
  );
  await expect(verify("/r", [item(id)], [reading(id)], refusing(interrupted))).rejects.toBe(interrupted);
  await expect(verify("/r", [item(id)], [reading(id)], refusing(new TypeError("bug")))).rejects.toThrow("bug");
});

describe("what a report tells of besides commits", () => {
  const thing = (cites: readonly Citation[] = [], address?: string): Thing => ({
    id: "7",
    title: untrustedText("t"),
    trust: "outsider",
    why: untrustedText("w"),
    ...(address === undefined ? {} : { address }),
    cites,
  });
  const source = (...things: readonly Thing[]): GatheredThings => ({ kind: "things", source: "issues", things, notes: [], cursors: {} });
  const told = ({ id, address, cites }: Pick<Thing, "id" | "address" | "cites">, of = "issues") => [
    { source: of, items: [{ id, title: "t", why: "w", ...(address === undefined ? {} : { address }), cites }], notes: [] },
  ];
  const look = (repo: string, gathered: readonly GatheredThings[], found: readonly SourceReading[]) =>
    verifyClaim({ repo, gathered, proposal: { kind: "report", items: [], refs: [], divergence: [], found, summary: "" } });

  it("holds when it was gathered, and when a source had nothing new", async () => {
    const { repo } = givenRepo();

    expect(await look(repo.dir, [source(thing())], told(thing()))).toEqual(
      sight("holds", "all it tells of was gathered in this round: 1 looked up"),
    );
    expect((await look(repo.dir, [source()], [{ source: "issues", items: [], notes: [] }])).outcome).toBe("holds");
  });

  it.each([
    ["a package version", '["npm","left-pad","1.0.0","1.3.0"]', "https://www.npmjs.com/package/left-pad/v/", "1.3.0", "1.4.0"],
    ["a release", "github.com/octo/app release v1", "https://github.com/octo/app/releases/tag/", "v1", "v2"],
    ["an alert", "github.com/octo/app dependency alert 5", "https://github.com/octo/app/security/dependabot/", "5", "6"],
  ])("is fabricated when it names %s that nobody gathered", async (_, id, place, real, made) => {
    const { repo } = givenRepo();
    const gathered = { ...thing([], `${place}${real}`), id };

    expect((await look(repo.dir, [source(gathered)], told(gathered))).outcome).toBe("holds");
    expect((await look(repo.dir, [source(gathered)], told({ ...gathered, address: `${place}${made}` }))).outcome).toBe("fabricated");
    expect((await look(repo.dir, [source(gathered)], told({ ...gathered, id: id.replace(real, made) }))).outcome).toBe("fabricated");
  });

  it("is fabricated when it was not: another id, another address, other places, another source", async () => {
    const { repo, two } = givenRepo();
    const real = thing([], "https://forge.example/7");

    for (const made of [
      { ...real, id: "8" },
      { ...real, address: "https://evil.example/7" },
      thing(),
      { ...real, cites: [{ kind: "commit" as const, commit: two }] },
    ])
      expect((await look(repo.dir, [source(real)], told(made))).outcome).toBe("fabricated");
    expect(await look(repo.dir, [source(real)], told(real, "elsewhere"))).toEqual(sight("fabricated", 'never gathered: "elsewhere"'));
  });

  it("holds whatever the order of fields on record", async () => {
    const { repo, two } = givenRepo();
    const made = thing([{ kind: "commit", commit: two }]);
    const kept = thing([{ commit: two, kind: "commit" }]);

    expect((await look(repo.dir, [source(kept)], told(made))).outcome).toBe("holds");
  });

  it("has its places looked up: a line that is there, a branch that is there or moved on, one that is gone or never was", async () => {
    const { repo, one, two, lost } = givenRepo();
    const at = (branch: string, commit: string) => {
      const cited = thing([{ kind: "branch", branch, commit }]);
      return look(repo.dir, [source(cited)], told(cited)).then(({ outcome }) => outcome);
    };
    const line = thing([{ kind: "line", path: "none", line: 1, commit: two }]);

    expect(await at("refs/heads/main", two)).toBe("holds");
    expect(await at("refs/heads/main", one)).toBe("holds");
    expect(await at("refs/heads/gone", one)).toBe("unknown");
    expect(await at("refs/heads/main", lost)).toBe("unknown");
    expect(await at("refs/heads/main", "1".repeat(40))).toBe("fabricated");
    expect(await at("main", two)).toBe("fabricated");
    expect((await look(repo.dir, [source(line)], told(line))).outcome).toBe("fabricated");
  });
});

describe("what a report cites besides", () => {
  const LIST = 'it("adds up", () => {});\nlast line\n';
  function givenFile() {
    const repo = newRepo();
    const one = repo.commit("one", { files: { "src/a.test.ts": LIST, "empty.txt": "", "ü b.txt": "x" } });
    const two = repo.commit("two", { files: { "src/later.ts": "x\n" } });
    const see = (...cites: readonly Citation[]) => verify(repo.dir, [{ ...item(one), cites }], [reading(two)]);
    return { repo, one, two, see };
  }

  it("is looked up in the repository: commits, files, lines, tests", async () => {
    const { one, two, see } = givenFile();

    expect(
      await see(
        { kind: "commit", commit: two },
        { kind: "file", path: "src/a.test.ts", commit: one },
        { kind: "file", path: "ü b.txt", commit: one },
        { kind: "file", path: "src/later.ts", commit: two },
        { kind: "line", path: "src/a.test.ts", line: 2, commit: one },
        { kind: "test", path: "src/a.test.ts", name: "adds up", commit: one },
      ),
    ).toEqual(sight("holds", "every cited commit is part of the ref it names: 1 looked up, as are 6 more citations"));
  });

  it.each<readonly [string, (at: { readonly one: string; readonly two: string }) => Citation]>([
    ["not a commit of the repository", () => ({ kind: "commit", commit: "1".repeat(40) })],
    ["not a commit of the repository", () => ({ kind: "file", path: "src/a.test.ts", commit: "1".repeat(40) })],
    ["not a commit of the repository", () => ({ kind: "file", path: "src/a.test.ts", commit: "HEAD" })],
    ["no such file", ({ one }) => ({ kind: "file", path: "src/later.ts", commit: one })],
    ["no such file", ({ one }) => ({ kind: "file", path: "src", commit: one })],
    ["no such file", ({ one }) => ({ kind: "file", path: "./src/a.test.ts", commit: one })],
    ["no such file", ({ one }) => ({ kind: "file", path: "src/a.test.ts\nsrc/a.test.ts", commit: one })],
    ["no such file", ({ one }) => ({ kind: "file", path: "", commit: one })],
    ["no line 3 in", ({ one }) => ({ kind: "line", path: "src/a.test.ts", line: 3, commit: one })],
    ["no line 0 in", ({ one }) => ({ kind: "line", path: "src/a.test.ts", line: 0, commit: one })],
    ["no line 1 in", ({ one }) => ({ kind: "line", path: "empty.txt", line: 1, commit: one })],
    ['no test "divides" in', ({ one }) => ({ kind: "test", path: "src/a.test.ts", name: "divides", commit: one })],
    ["no test", ({ one }) => ({ kind: "test", path: "src/a.test.ts", name: "", commit: one })],
    ["not a URL", () => ({ kind: "url", url: "javascript:alert(1)" })],
    ["not an issue", () => ({ kind: "issue", issue: "some day" })],
  ])("is fabricated where it is not there: %s", async (why, cite) => {
    const { see, ...at } = givenFile();

    const seen = await see(cite(at), { kind: "commit", commit: at.one });

    expect(seen.outcome).toBe("fabricated");
    expect(seen.detail).toContain(why);
  });

  it("is said to be not looked up where it lies outside", async () => {
    const { see } = givenFile();

    expect(await see({ kind: "url", url: "https://example.com/x" }, { kind: "issue", issue: "o/r#12" })).toEqual(
      sight("holds", "every cited commit is part of the ref it names: 1 looked up; 2 URLs and issues were not looked up"),
    );
  });

  it("is unknown where it cannot be read", async () => {
    const { repo, one, two } = givenFile();
    const blind: GitReader = { ...reader, filesAt: async () => [{ kind: "unread", why: "too large" }] };
    const cites: readonly Citation[] = [{ kind: "line", path: "a", line: 1, commit: one }];

    expect((await verify(repo.dir, [{ ...item(one), cites }], [reading(two)], blind)).outcome).toBe("unknown");
  });
});
