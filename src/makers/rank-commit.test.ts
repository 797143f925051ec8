import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yardsticksOf } from "../../test/support/yardstick.ts";
import type { CommitFacts } from "../contract/git.ts";
import { untrustedText } from "../contract/text.ts";
import { RANKS, rankCommit } from "./rank-commit.ts";

const rules = { isRisky: (path: string) => path.startsWith("auth/"), large: 500 };

const commitOf = (about: { subject?: string; body?: string; paths?: readonly string[]; changedLines?: number }): CommitFacts => ({
  commit: "1".repeat(40),
  at: "2024-01-01T00:00:00.000Z",
  subject: untrustedText(about.subject ?? "Tidy up"),
  body: untrustedText(about.body ?? ""),
  parents: 1,
  paths: (about.paths ?? ["a.txt"]).map(untrustedText),
  changedLines: about.changedLines ?? 3,
});
const rankOf = (about: Parameters<typeof commitOf>[0]) => rankCommit(commitOf(about), rules).rank;

describe("by what a commit says", () => {
  it.each([
    "feat!: drop Node 18",
    "feat(api)!: rename everything",
    "[core] refactor(db)!: new schema",
    "BREAKING: new format",
    "Remove v1 (breaking change)",
  ])("calls %j breaking", (subject) => {
    expect(rankOf({ subject })).toBe("breaking");
  });

  it.each([
    "patch RCE in upload",
    "fix stored XSS",
    "Merge branch 'hotfix/cve-2024-12345'",
    "Merge branch 'hotfix/cve-upload'",
    "Merge pull request #7 from ada/security-fix",
    "merge security_hotfix",
    "bump lodash, see GHSA-abcd-1234-efgh",
    "close a vulnerability in the parser",
    "Several vulnerabilities fixed",
    "prevent SQL injection in search",
    "stop path traversal",
    "remove hard-coded password",
    "do not log leaked api tokens",
    "ＲＣＥ in wide letters",
    "R\u200bCE with something invisible in it",
    "clippy: fix XSS",
    "chore(fmt): CVE-2023-1234",
  ])("calls %j security", (subject) => {
    expect(rankOf({ subject })).toBe("security");
  });

  it.each([
    'Revert "Add the thing"',
    "revert: add the thing",
    "Reverts #12",
    "Roll back the release",
    "rollback 1.2",
    "Back out change 5",
    "Merge pull request #9 from ada/revert-8-main",
  ])("calls %j a revert", (subject) => {
    expect(rankOf({ subject })).toBe("revert");
  });

  it.each([
    "use the right prefix",
    "add a fixture",
    "new debug panel",
    "strip the suffix",
    "fix a bug",
    "Merge branch 'main'",
    "resource handling",
    "sourced from force",
    "add a revert button",
    "irrevertible names",
    "backdrop and background",
    "excessive excitement!",
    "no breaking changes in this one",
    "non-breaking changes only",
    "scvental grce xssy",
    "Watch out!: this is no type",
    "doc: how session tokens work",
  ])("calls %j ordinary", (subject) => {
    expect(rankOf({ subject })).toBe("ordinary");
  });

  it("reads footers and advisories in the body, and not every alarming word there", () => {
    expect(rankOf({ body: "Long story.\n\nBREAKING CHANGE: the old way is gone" })).toBe("breaking");
    expect(rankOf({ body: "Long story.\n\nBREAKING-CHANGE: the old way is gone" })).toBe("breaking");
    expect(rankOf({ body: "This fixes CVE-2024-1234." })).toBe("security");
    expect(rankOf({ body: "This reverts commit 1234567890abcdef." })).toBe("revert");
    expect(rankOf({ body: "We talked about security, and about a breaking change: none was made." })).toBe("ordinary");
  });
});

describe("by what a commit touches", () => {
  it("calls many lines or many files large, and watched paths risky", () => {
    expect(rankOf({ changedLines: 499 })).toBe("ordinary");
    expect(rankOf({ changedLines: 500 })).toBe("large");
    expect(rankOf({ paths: Array.from({ length: 500 }, (_, n) => `f${n}`) })).toBe("large");
    expect(rankOf({ paths: ["b", "auth/login.ts"] })).toBe("risky");
  });

  it("takes the highest rank and gives every reason", () => {
    const commit = commitOf({
      subject: 'Revert "fix XSS"',
      body: "BREAKING CHANGE: yes",
      changedLines: 1200,
      paths: ["auth/a\u202e\n.ts", "auth/b", "c"],
    });

    expect(rankCommit(commit, rules)).toEqual({
      weight: 60,
      rank: "breaking",
      why: "is marked as a breaking change; speaks of XSS; undoes earlier work; changes 1200 lines of 3 files; touches auth/a .ts and 1 more",
    });
    expect(rankCommit(commitOf({ changedLines: 1 }), rules)).toEqual({
      rank: "ordinary",
      weight: 0,
      why: "nothing stands out in 1 line of 1 file",
    });
  });
});

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("feat!: x", "CVE-2024-1", "revert", "BREAKING CHANGE: x"),
);

it("has one rank and a reason on one line for every commit, the same each time", () => {
  fc.assert(
    fc.property(anyText, anyText, fc.array(anyText), fc.nat(), (subject, body, paths, changedLines) => {
      const commit = commitOf({ subject, body, paths, changedLines });

      const ranking = rankCommit(commit, rules);

      expect(RANKS).toContain(ranking.rank);
      expect(ranking.why).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+$/u);
      expect(rankCommit(commit, rules)).toEqual(ranking);
    }),
  );
});

it("takes no longer for a body made to be slow", () => {
  const bodies = [
    "\n".repeat(16_000),
    "[".repeat(16_000),
    "leaked a ".repeat(2000),
    "#".repeat(16_000),
    "ghsa-aaaa".repeat(2000),
    "cve-".repeat(4000),
  ];

  const rankAll = (): void => bodies.forEach((body) => void rankCommit(commitOf({ subject: body, body }), rules));

  expect(yardsticksOf(rankAll, 50)).toBeLessThan(50);
});
