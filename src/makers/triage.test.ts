import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChangeSigns } from "../contract/change-signs.ts";
import type { Gathered, GatheredCommits, GatheredThings } from "../contract/connector.ts";
import type { CommitFacts, RefWalk } from "../contract/git.ts";
import type { ReportOrder } from "../contract/maker.ts";
import type { ReportProposal } from "../contract/proposal.ts";
import { LoopSpec } from "../contract/spec.ts";
import { untrustedText } from "../contract/text.ts";
import { triage } from "./triage.ts";

const order: Omit<ReportOrder, "gathered"> = {
  spec: LoopSpec.parse({ name: "watch", intent: "Watch.", level: "L1", maker: { use: "triage" }, verifiers: [{ use: "grounded" }] }),
  round: {
    id: "watch-1-1",
    run: "watch-1",
    loop: "watch",
    number: 1,
    base: "0".repeat(40),
    openedAt: "2024-01-01T00:00:00.000Z",
    lessons: [],
  },
};
const idOf = (n: number): string => String(n).padStart(40, "0");
const commit = (
  n: number,
  subject: string,
  about: { readonly paths?: readonly string[]; readonly changedLines?: number; readonly at?: string } = {},
): CommitFacts => ({
  commit: idOf(n),
  at: about.at ?? `2024-01-01T00:0${n}:00.000Z`,
  subject: untrustedText(subject),
  body: untrustedText(""),
  parents: 1,
  paths: (about.paths ?? ["a.txt"]).map(untrustedText),
  changedLines: about.changedLines ?? 1,
});
const walkOf = (ref: string, commits: readonly CommitFacts[], notes: readonly string[] = []): RefWalk => ({
  ref,
  tip: idOf(9),
  commits,
  notes,
});
const NO_SIGNS: ChangeSigns = {
  ...{ added: 0, removed: 0, testLines: 0, isTold: false, gone: [], altered: [], brought: [], decisions: 0, delicate: [] },
  ...{ dependencies: [], needs: [], migration: false, powers: false, isBump: false, deletedSources: 0 },
};
const gatheredOf = (...walks: readonly RefWalk[]): GatheredCommits => ({ kind: "commits", walks, divergence: [] });

function report(gathered: readonly Gathered[], options: unknown = {}): ReportProposal {
  const make = triage.configure(options);
  if (make.proposes !== "report") throw new Error("triage must propose a report");
  return make.report({ ...order, gathered });
}

describe("a triage report", () => {
  it("lists each commit once, highest rank first and newest first among equals", () => {
    const shared = commit(3, "fix XSS");
    const walks = gatheredOf(
      walkOf("main", [commit(5, "tidy"), commit(4, "docs"), shared], ["a note"]),
      walkOf("release", [shared, commit(2, "feat!: drop it"), commit(1, "bump", { paths: ["package-lock.json"] })]),
    );

    expect(report([{ ...walks, divergence: [{ ref: "release", from: "main", ahead: 2, behind: 2 }] }])).toEqual({
      kind: "report",
      items: [
        { rank: "breaking", commit: idOf(2), ref: "release", title: "feat!: drop it", why: "is marked as a breaking change", weight: 60 },
        { rank: "security", commit: idOf(3), ref: "main", title: "fix XSS", why: "speaks of XSS", weight: 50 },
        { rank: "risky", commit: idOf(1), ref: "release", title: "bump", why: "touches package-lock.json", weight: 20 },
        { rank: "ordinary", commit: idOf(5), ref: "main", title: "tidy", why: "nothing stands out in 1 line of 1 file", weight: 0 },
        { rank: "ordinary", commit: idOf(4), ref: "main", title: "docs", why: "nothing stands out in 1 line of 1 file", weight: 0 },
      ].map((item) => ({ ...item, at: `2024-01-01T00:0${Number(item.commit)}:00.000Z`, size: "1 line, 1 file", area: "the root" })),
      refs: [
        { ref: "main", tip: idOf(9), commits: 3, notes: ["a note"] },
        { ref: "release", tip: idOf(9), commits: 3, notes: [] },
      ],
      divergence: [{ ref: "release", from: "main", ahead: 2, behind: 2 }],
      summary: "5 new commits on main, release: 1 breaking, 1 security, 1 risky, 2 ordinary.",
    });
  });

  it("says so when nothing is new, when a ref could not be read and when nothing was read at all", () => {
    const gone: RefWalk = { ref: "gone", tip: undefined, commits: [], notes: ["there is no such ref"] };

    expect(report([gatheredOf(walkOf("main", []))]).summary).toBe("Nothing new on main.");
    expect(report([gatheredOf(walkOf("main", [commit(1, "x")]), gone)]).summary).toBe(
      "A quiet day on main: nothing to look at in 1 new commit (1 ordinary). gone could not be read.",
    );
    expect(report([gatheredOf(gone)]).summary).toBe("gone could not be read.");
    expect(report([]).summary).toBe("Nothing was read: add the `commits` connector under `gather`.");
  });

  it("lists what else was gathered as it came, by source, with its citations and nothing that hides", () => {
    const cites = [{ kind: "line", path: "a.ts", line: 1, commit: idOf(1) }] as const;
    const todos: GatheredThings = {
      kind: "things",
      source: "TODOs of main",
      things: [{ id: "7", title: untrustedText("TODO \u202ex"), trust: "outsider", why: untrustedText("a.ts:1"), cites }],
      notes: ["a note"],
      cursors: { "todos:main": idOf(1) },
    };

    const { found, summary } = report([gatheredOf(walkOf("main", [])), todos, { ...todos, source: "branches", things: [] }]);

    expect(found).toEqual([
      { source: "TODOs of main", items: [{ id: "7", title: "TODO x", why: "a.ts:1", cites }], notes: ["a note"] },
      { source: "branches", items: [], notes: ["a note"] },
    ]);
    expect(summary).toBe("Nothing new on main. 1 new in TODOs of main. Nothing new in branches.");
  });

  it("shows subjects without control characters, direction marks or line ends, and not endlessly", () => {
    const subjects = [
      "a\u2028b\u0085c\x1ed\x1fe\x1b[31mf",
      "user\u202etxt.exe\u2066\u200b\u{e0041}",
      "x".repeat(500),
      "😀".repeat(200),
      "\u200b \t",
      "",
    ];

    const titles = report([
      gatheredOf(
        walkOf(
          "main",
          subjects.map((subject, n) => commit(9 - n, subject)),
        ),
      ),
    ]).items.map(({ title }) => title);

    expect(titles).toEqual(["a b c d ef", "usertxt.exe", `${"x".repeat(119)}…`, `${"😀".repeat(119)}…`, "(no subject)", "(no subject)"]);
  });

  it("ranks by what the lines do and not by words, and leaves out merges of what is listed", () => {
    const tidy = { ...commit(1, "chore: tidy"), signs: { ...NO_SIGNS, removed: 4, gone: ["openSession"] } };
    const loud = { ...commit(2, "docs: fix security policy link!"), signs: NO_SIGNS };
    const bump = {
      ...commit(3, "bump actions/checkout"),
      paths: [".github/workflows/ci.yml"].map(untrustedText),
      signs: { ...NO_SIGNS, isBump: true },
    };
    const merge = { ...commit(4, "Merge branch 'tidy'"), parents: 2, merges: [idOf(1)] };
    const major = {
      ...commit(5, "deps"),
      signs: { ...NO_SIGNS, dependencies: [{ name: "ms", from: "^1.0.0", to: "^2.0.0", runs: true as const }] },
    };

    const { items } = report([gatheredOf(walkOf("main", [merge, loud, bump, tidy, major]))]);

    expect(items.map(({ rank, title, why }) => [rank, title, why])).toEqual([
      ["breaking", "chore: tidy", "takes away openSession"],
      ["risky", "deps", "ms from ^1.0.0 to ^2.0.0"],
      ["ordinary", "docs: fix security policy link!", "speaks of security"],
      ["bump", "bump actions/checkout", "nothing stands out in 1 line of 1 file"],
    ]);
  });

  it("takes its own globs and size", () => {
    const walks = gatheredOf(
      walkOf("main", [
        commit(1, "one", { paths: ["docs/a.md"] }),
        commit(2, "two", { changedLines: 10 }),
        commit(3, "three", { paths: ["Dockerfile"] }),
      ]),
    );

    const ranks = report([walks], { risky: ["docs/**"], large: 10 }).items.map(({ title, rank }) => [title, rank]);

    expect(ranks).toEqual([
      ["two", "large"],
      ["one", "risky"],
      ["three", "ordinary"],
    ]);
  });

  it("refuses globs and sizes that mean nothing", () => {
    for (const options of [{ risky: ["/etc/**"] }, { risky: [""] }, { large: 0 }, { lagre: 1 }])
      expect(() => triage.configure(options)).toThrow();
  });
});

describe("paths that are risky unless the spec says otherwise", () => {
  const rankOf = (path: string) => report([gatheredOf(walkOf("main", [commit(1, "x", { paths: [path] })]))]).items[0]?.rank;

  it.each([
    ...[
      "src/auth/token.ts",
      "lib/auth.ts",
      "src/user_auth.py",
      "app/Login.tsx",
      "src/oauth2/client.go",
      "pkg/crypto/aes.go",
      "src/password-reset.ts",
    ],
    ...[
      "services/payments/charge.ts",
      "db/migrations/001.sql",
      "schema.sql",
      ".github/workflows/ci.yml",
      ".gitlab-ci.yml",
      "Jenkinsfile",
      ".circleci/config.yml",
    ],
    ...["Dockerfile", "docker/Dockerfile.prod", "docker-compose.yml", "infra/main.tf", "deploy/k8s/app.yaml"],
    ...["package-lock.json", "web/yarn.lock", "Cargo.lock", "pnpm-lock.yaml", "go.sum", ".npmrc", ".gitmodules"],
    ...[
      ".env",
      "app/.env.production",
      "certs/server.pem",
      "deploy_key.key",
      "config/secrets.yml",
      "CODEOWNERS",
      "AGENTS.md",
      ".claude/settings.json",
    ],
  ])("%s is", (path) => {
    expect(rankOf(path)).toBe("risky");
  });

  it.each([
    "src/author.ts",
    "AUTHORS",
    "docs/environment.md",
    "src/keyboard.ts",
    "src/index.ts",
    "README.md",
    "package.json",
    "src/lock.ts",
    "test/fixture.ts",
  ])("%s is not", (path) => {
    expect(rankOf(path)).toBe("ordinary");
  });
});

const anyCommit = fc.record({
  n: fc.integer({ min: 1, max: 12 }),
  subject: fc.constantFrom("feat!: a", "fix XSS", 'Revert "x"', "tidy", "docs", "\u2028"),
  changedLines: fc.constantFrom(1, 900),
  at: fc.constantFrom("2024-01-01T00:00:00.000Z", "2024-01-02T00:00:00.000Z"),
});

it("gives the same report in whatever order the commits come", () => {
  const commits = fc
    .uniqueArray(anyCommit, { selector: ({ n }) => n })
    .map((drafts) => drafts.map(({ n, subject, ...about }) => commit(n, subject, about)));
  const shuffled = commits.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));

  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      const one = report([gatheredOf(walkOf("main", all))]);

      expect(report([gatheredOf(walkOf("main", other))])).toEqual(one);
      expect(one.items.map((item) => item.commit).toSorted()).toEqual(all.map((item) => item.commit).toSorted());
    }),
  );
});
