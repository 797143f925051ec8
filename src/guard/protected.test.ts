import { describe, expect, it } from "vitest";
import type { Change } from "../contract/proposal.ts";
import type { HiddenFile, Protection, Snapshot } from "../contract/referee.ts";
import { RefereeWish } from "../contract/spec.ts";
import {
  CHANGED_MEANWHILE,
  hiddenFindings,
  hiddenPaths,
  meanwhileFindings,
  NOT_BEGUN,
  ownFindings,
  PROTECTED_PATH,
  passingFindings,
  protectedFindings,
  protectedPaths,
} from "./protected.ts";

const BY_DEFAULT: Protection = RefereeWish.parse({});
const file = (mode = "100644") => ({ mode, blob: "b".repeat(40) });
const change = (path: string, before: Change["before"], after: Change["after"]): Change => ({ path, before, after });

describe("what of a maker's change belongs to loops", () => {
  it.each([
    "ops/nightly.yaml",
    "ops/NIGHTLY.yaml",
    "fix.loop.yaml",
    "ops/other.loop.json",
    ".loopwright/policy.yaml",
    "packages/api/.loopwright/policy.yaml",
    "loopwright.yaml",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/hooks.json",
    ".gemini/settings.json",
  ])("is %s, added, changed or removed", (path) => {
    const changes = [change(path, undefined, file()), change(path, file(), file()), change(path, file(), undefined)];

    expect(ownFindings(changes, ["ops/nightly.yaml"]).map(({ rule, where }) => [rule, where])).toEqual([
      [PROTECTED_PATH, `${path} was added`],
      [PROTECTED_PATH, `${path} was changed`],
      [PROTECTED_PATH, `${path} was removed or moved away`],
    ]);
  });

  it("is the loop's own spec alone where its owner loosened that entry", () => {
    const changes = ["ops/nightly.yaml", "other.loop.yaml"].map((path) => change(path, file(), file()));

    expect(ownFindings(changes, ["ops/nightly.yaml"], ["loop"]).map(({ file: path }) => path)).toEqual(["ops/nightly.yaml"]);
  });

  it.each(["src/loop.ts", "loops/for.c", "docs/loopwright.md", "src/policy.yaml", ".claude/commands/fix.md"])("is not %s", (path) => {
    expect(ownFindings([change(path, file(), file())], ["ops/nightly.yaml"])).toEqual([]);
  });
});

describe("paths that no change may touch", () => {
  it.each([
    ".env",
    ".ENV",
    "packages/api/.env",
    "packages/api/.env.production",
    "credentials.json",
    "aws-credentials",
    "prod-secret.txt",
    "config/secrets/k",
    "secrets/clé.txt",
    "certs/server.pem",
    "deploy/id_rsa",
    ".npmrc",
    ".aws/config",
    ".loopwright/policy.yaml",
    "fix.loop.yaml",
    "ops/other.loop.json",
    "config/ｓｅｃｒｅｔｓ/k",
    "se\u200bcrets/k",
    ".env.",
  ])("protects %j", (path) => {
    expect(protectedPaths(BY_DEFAULT)(path)).toEqual(expect.any(String));
  });

  it.each(["src/app.ts", "docs/environment.md", "package.json", ".github/workflows/ci.yml", "src/auth/login.ts", "Dockerfile"])(
    "leaves %j to the checks",
    (path) => {
      expect(protectedPaths(BY_DEFAULT)(path)).toBeUndefined();
    },
  );

  it("takes more entries, globs and exceptions from the spec; a denied glob and the loop's own files have none", () => {
    const why = protectedPaths(
      { protect: ["secrets", "ci"], deny: ["production/**"], allow: ["src/token.ts", "production/x", "own.yaml"] },
      ["own.yaml"],
    );

    expect(
      ["src/token.ts", "src/tokens.ts", ".github/workflows/ci.yml", "Production/x", "production/x", "own.yaml", "fix.loop.yaml"].map(
        (path) => why(path) !== undefined,
      ),
    ).toEqual([false, true, true, true, true, true, false]);
  });

  it("looks at ignored files for secrets and loops, in folders of tools only for environments", () => {
    const isHidden = hiddenPaths({ ...BY_DEFAULT, protect: ["secrets", "loop", "agents", "submodules"], deny: ["sealed/**"] });

    expect(
      [
        ".env",
        "a/.Env.local",
        "key.pem",
        ".loopwright/policy.yaml",
        "sealed/x",
        "node_modules/p/.env",
        "node_modules/p/key.pem",
        "dist/tokens.json",
        ".claude/settings.local.json",
        "debug.log",
      ].map(isHidden),
    ).toEqual([true, true, true, true, true, true, false, false, false, false]);
  });
});

describe("what is found", () => {
  const why = protectedPaths(BY_DEFAULT);
  const rulesOf = (
    changes: readonly Change[],
    links: ReadonlyMap<string, string> = new Map(),
    protect: readonly string[] = BY_DEFAULT.protect,
  ) => protectedFindings(changes, links, why, protect).map(({ rule, file: path }) => `${rule} ${path}`);

  it("is both names of what was moved", () => {
    expect(rulesOf([change("secrets/key.pem", file(), undefined), change("x.txt", undefined, file())])).toEqual([
      `${PROTECTED_PATH} secrets/key.pem`,
    ]);
  });

  it("is a link that leads out, to what is protected, or that nobody could read; and a submodule", () => {
    const link = (path: string) => change(path, undefined, file("120000"));
    const links = new Map([
      ["out", "../x"],
      ["abs", "/etc/passwd"],
      ["deep/in", "../.env"],
      ["fine", "src/app.ts"],
    ]);

    expect(rulesOf([...links.keys(), "unread"].map(link), links)).toEqual(
      ["out", "abs", "deep/in", "unread"].map((path) => `${PROTECTED_PATH} ${path}`),
    );
    expect(rulesOf([change("vendor/x", file("160000"), file("160000")), change("run.sh", file(), file("100755"))])).toEqual([
      `${PROTECTED_PATH} vendor/x`,
    ]);
    expect(rulesOf([change("run.sh", file(), file("100755"))], new Map(), ["modes"])).toEqual([`${PROTECTED_PATH} run.sh`]);
  });

  it("is what a commit touched and another took back, and nothing twice", () => {
    const changes = [change("secrets/a", undefined, file())];

    expect(passingFindings(["secrets/a", "secrets/b", "src/x.ts"], changes, why).map(({ file: path }) => path)).toEqual(["secrets/b"]);
  });

  it("is any difference of ignored files since the beginning, and all of them without one", () => {
    const hidden = (path: string, sha256: string, kind: HiddenFile["kind"] = "file"): HiddenFile => ({ path, kind, sha256 });
    const begun = {
      protection: BY_DEFAULT,
      hidden: [hidden(".env", "1"), hidden("same.pem", "2"), hidden("gone.pem", "3"), hidden("l.pem", "4")],
    };
    const now = [
      hidden(".env", "9"),
      hidden("same.pem", "2"),
      hidden("l.pem", "4", "link"),
      hidden("new.key", "5"),
      hidden("sealed/x", "6"),
    ];

    expect(hiddenFindings(now, begun).map(({ rule, file: path }) => [rule, path])).toEqual([
      [PROTECTED_PATH, ".env"],
      [PROTECTED_PATH, "l.pem"],
      [PROTECTED_PATH, "new.key"],
      [NOT_BEGUN, "sealed/x"],
      [PROTECTED_PATH, "gone.pem"],
    ]);
    expect(hiddenFindings(now, undefined).map(({ rule }) => rule)).toEqual(now.map(() => NOT_BEGUN));
    expect(hiddenFindings(begun.hidden, begun)).toEqual([]);
  });

  it("is whatever moved while it was verified", () => {
    const before: Snapshot = {
      tree: "a",
      files: 1,
      head: { name: "refs/heads/main", commit: "1" },
      hidden: [{ path: ".env", kind: "file", sha256: "1" }],
      unread: [],
    };

    expect(meanwhileFindings(before, before, [])).toEqual([]);
    expect(
      meanwhileFindings(before, { ...before, tree: "b", hidden: [], head: { name: "HEAD", commit: "1" } }, ["x"]).map(({ rule, where }) => [
        rule,
        where.split(" ")[0],
      ]),
    ).toEqual([
      [CHANGED_MEANWHILE, "x"],
      [CHANGED_MEANWHILE, ".env"],
      [CHANGED_MEANWHILE, "HEAD"],
    ]);
    expect(meanwhileFindings(before, { ...before, tree: "b" }, [])).toHaveLength(1);
  });
});
