import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Allowlist, DENIED_NAMES } from "../contract/allowlist.ts";
import type { ChangedFile, Content, Side } from "../contract/change-set.ts";
import type { BoxFact } from "../contract/commands.ts";
import type { Evidence } from "../contract/evidence.ts";
import { untrustedText } from "../contract/text.ts";
import { checkAllowlist, doubtsAbout } from "./allowlist.ts";
import { DENIED_KINDS, DENIED_PATHS } from "./allowlist-paths.ts";
import { compareTexts } from "./diff/compare-text.ts";

const LIST: Allowlist = { allow: ["**"], deny: [], loosen: [], files: 100, lines: 10_000 };
const SOUND = { doubts: [], own: [] };

const text = (path: string, before: string | undefined, after: string | undefined, oldPath?: string): ChangedFile =>
  compareTexts({ path, ...(oldPath === undefined ? {} : { oldPath }), before, after });
const edit = (path: string): ChangedFile => text(path, "one\n", "two\n");
const side = (mode: string, content: Content): Side => ({ mode, content });
const other = (path: string, before: Side | undefined, after: Side | undefined): ChangedFile => ({
  path,
  oldPath: undefined,
  before,
  after,
  hunks: [],
  scope: "whole",
});
const link = (path: string, target: string): ChangedFile => other(path, undefined, side("120000", { kind: "link", target }));

const rule = (files: readonly ChangedFile[], list: Partial<Allowlist> = {}, own: readonly string[] = []) =>
  checkAllowlist({ files, blind: [] }, { ...LIST, ...list }, { doubts: [], own });
const rulesOf = (files: readonly ChangedFile[], list: Partial<Allowlist> = {}) => [
  ...new Set(rule(files, list).objections.map((objection) => objection.rule)),
];

describe("the list that is always in force", () => {
  it("has the names that a spec may loosen, and no others", () => {
    expect([...DENIED_PATHS, ...DENIED_KINDS].map(({ name }) => name)).toEqual([...DENIED_NAMES]);
  });

  const denied = DENIED_PATHS.flatMap(({ name, examples }) => examples.denied.map((path) => [name, path] as const));
  it.each(denied)("%s closes %s, and loosening every other entry does not open it", (name, path) => {
    const others = DENIED_NAMES.filter((entry) => entry !== name);

    expect(rulesOf([edit(path)], { loosen: others })).toEqual([name]);
  });

  const free = DENIED_PATHS.flatMap(({ name, examples }) => examples.free.map((path) => [name, path] as const));
  it.each(free)("%s leaves %s alone", (name, path) => {
    expect(rulesOf([edit(path)])).not.toContain(name);
  });

  it.each(DENIED_PATHS.map((entry) => [entry.name, entry] as const))(
    "%s is opened by its name alone",
    (name, { examples: { denied: paths } }) => {
      const opened = paths.map((path) => rulesOf([edit(path)], { loosen: [name] }));

      expect(opened.flat()).not.toContain(name);
    },
  );
});

describe("holes that others left open (strive 24E)", () => {
  const docs = { allow: ["docs/**"], deny: ["**/auth/**"] };

  it("a deletion beside an allowed edit is a touched path", () => {
    expect(rule([edit("docs/a.md"), text("src/auth/login.py", "x\n", undefined)], docs).objections).toEqual([
      { rule: "allow", path: "src/auth/login.py", why: "no allow glob names it" },
      { rule: "deny", path: "src/auth/login.py", why: "a deny glob names it" },
      { rule: "auth", path: "src/auth/login.py", why: "it decides who may do what" },
    ]);
  });

  it("a pure rename touches its old name", () => {
    expect(rulesOf([text("docs/gone.md", "x\n", "x\n", "test/failing.test.ts")], docs)).toEqual(["allow"]);
  });

  it("a binary that is replaced is not a change of no lines", () => {
    expect(rulesOf([other("docs/a.png", side("100644", { kind: "binary" }), side("100644", { kind: "binary" }))], docs)).toEqual([
      "binaries",
    ]);
  });

  it("a mode is a change", () => {
    const [plain, run] = ["100644", "100755"].map((mode) => side(mode, { kind: "text", pieces: [{ line: 1, text: "x\n" }] }));

    expect([rulesOf([other("docs/a", plain, run)], docs), rulesOf([other("docs/a", undefined, run)], docs)]).toEqual([
      ["modes"],
      ["modes"],
    ]);
  });

  it("an empty new file is a file", () => {
    expect(rulesOf([text("src/conftest.py", undefined, "")], docs)).toEqual(["allow"]);
  });

  it("a link out of the repository is closed even where links are allowed", () => {
    expect([
      rulesOf([link("docs/x.md", "/etc/passwd")], docs),
      rulesOf([link("docs/x.md", "../../etc/passwd")], { ...docs, loosen: ["links"] }),
      rulesOf([link("docs/x.md", "../src/main.ts")], { ...docs, loosen: ["links"] }),
      rulesOf([link("docs/x.md", "y.md")], { ...docs, loosen: ["links"] }),
    ]).toEqual([["links"], ["links"], ["allow"], []]);
  });

  it("a submodule is closed until it is named", () => {
    const module = other("docs/lib", undefined, side("160000", { kind: "submodule", commit: "0".repeat(40) }));

    expect([rulesOf([module], docs), rulesOf([module], { ...docs, loosen: ["submodules"] })]).toEqual([["submodules"], []]);
  });

  it("a folder called b/ or i/ is a folder and no prefix of a diff", () => {
    expect([rulesOf([edit("b/docs/x.py")], docs), rulesOf([edit("i/docs/a.md")], docs), rulesOf([edit("docs/a.md")], docs)]).toEqual([
      ["allow"],
      ["allow"],
      [],
    ]);
  });

  it("deny sees no difference in case, width or hidden signs, and allow does", () => {
    const deny = { allow: ["**"], deny: ["src/private/**"] };

    for (const path of ["src/Private/x", "SRC/PRIVATE/x", "src/\uff50rivate/x", "src/pri\u200dvate/x", "src/private./x"])
      expect(rulesOf([edit(path)], deny)).toContain("deny");
    expect(rulesOf([edit("Docs/a.md")], docs)).toEqual(["allow"]);
  });

  it("the list in force does not need to be asked for: allow ** does not open CI", () => {
    expect(rulesOf([edit(".github/workflows/ci.yml")], { allow: ["**"] })).toEqual(["ci"]);
  });

  it("**/auth/** does not hit oauth, nor **/x.md yx.md", () => {
    const list: Partial<Allowlist> = { allow: ["**"], deny: ["**/auth/**", "**/x.md"], loosen: ["auth"] };

    expect([rulesOf([edit("src/oauth/a.ts")], list), rulesOf([edit("docs/yx.md")], list)]).toEqual([[], []]);
  });
});

describe("what closes it besides paths", () => {
  it("nothing changed, too many files, too many lines, and anything that was not read", () => {
    const unread = other("docs/a", undefined, side("100644", { kind: "unread", why: "too large" }));

    expect([
      rulesOf([]),
      rulesOf([edit("a"), edit("b")], { files: 1 }),
      rulesOf([edit("a")], { lines: 1 }),
      rulesOf([unread]),
      checkAllowlist({ files: [edit("a")], blind: [{ file: undefined, line: undefined, why: "more" }] }, LIST, SOUND).objections,
    ]).toEqual([["files"], ["files"], ["lines"], ["unread"], [{ rule: "unread", path: undefined, why: "more" }]]);
  });

  it.each([
    "../x",
    "/etc/x",
    "a//b",
    "a/./b",
    ".git/config",
    "a/.GIT/hooks/x",
    "a/git~1/x",
    "a\\b",
    "c:x",
    "a\u202eb",
    "a\nb",
    "x ",
    "x.",
    "",
  ])("%j is no name that may be allowed", (path) => {
    expect(rulesOf([edit(path)])).toContain("name");
  });

  it("a spec of the loop that lies in the repository, whatever it is called", () => {
    expect(rule([edit("ops/nightly.yaml")], {}, ["ops/nightly.yaml"]).objections.map((objection) => objection.rule)).toEqual(["loop"]);
  });

  it("everything speaks at once", () => {
    const { verdict, objections } = checkAllowlist(
      { files: [edit("a/b")], blind: [] },
      { ...LIST, allow: ["x"], lines: 1 },
      { doubts: ["no"], own: [] },
    );

    expect([verdict, objections.map((objection) => objection.rule)]).toEqual(["outside", ["allow", "lines", "evidence"]]);
  });
});

describe("properties", () => {
  const segment = fc.constantFrom("src", "docs", "Auth", "a.ts", "b.md", ".env", "x y", "LICENSE", "caf\u00e9", ".github", "api");
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
  const list = fc.record({
    allow: fc.array(fc.constantFrom("**", "docs/**", "src/*", "*.md"), { minLength: 1, maxLength: 3 }),
    deny: fc.array(fc.constantFrom("**/api/**", "src/**", "*.ts"), { maxLength: 2 }),
    loosen: fc.subarray([...DENIED_NAMES]),
    files: fc.integer({ min: 1, max: 4 }),
    lines: fc.integer({ min: 1, max: 20 }),
  });

  it("a change that is inside stays inside when a part of it is left out, unless nothing is left", () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1, maxLength: 4 }), list, fc.nat(), (paths, wishes, at) => {
        const files = paths.map(edit);
        const fewer = files.filter((_, index) => index !== at % files.length);

        if (rule(files, wishes).verdict === "inside" && fewer.length > 0) expect(rule(fewer, wishes).verdict).toBe("inside");
      }),
    );
  });

  it("a further deny glob, a lower cap or one name less to loosen never opens anything", () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 4 }), list, (paths, wishes) => {
        const stricter = { ...wishes, deny: [...wishes.deny, "docs/**"], files: 1, loosen: wishes.loosen.slice(1) };

        if (rule(paths.map(edit), wishes).verdict === "outside") expect(rule(paths.map(edit), stricter).verdict).toBe("outside");
      }),
    );
  });

  it("the case of a denied path does not matter", () => {
    fc.assert(
      fc.property(path, (name) => {
        const denied = { ...LIST, deny: [name.replaceAll(" ", "?")] };

        expect(rulesOf([edit(name.toUpperCase())], denied)).toContain("deny");
      }),
    );
  });
});

describe("doubtsAbout", () => {
  const boxed: BoxFact = { kind: "bubblewrap", network: "closed", writes: [], hides: [] };
  const sound: Evidence = {
    proposal: {
      kind: "commit",
      commit: "c",
      tree: "t",
      changes: [],
      diff: { sha256: "", bytes: 0, truncated: false },
      talk: { ended: "finished", summary: untrustedText("") },
      box: boxed,
    },
    findings: [],
    proofs: [{ verifier: "command", kind: "proof", outcome: "holds", detail: "", output: undefined, box: boxed }],
    taint: { kind: "clean" },
  };

  it("has none where everything holds in a box", () => {
    expect(doubtsAbout(sound)).toEqual([]);
  });

  const [proof] = sound.proofs;
  it.each<[string, Partial<Evidence>]>([
    ["a finding of any gravity", { findings: [{ rule: "r", severity: "low", where: "a", why: "" }] }],
    ["a gap", { proofs: [...sound.proofs, { ...proof!, outcome: "gap" }] }],
    ["a check that could not be made", { proofs: [...sound.proofs, { ...proof!, outcome: "unknown" }] }],
    ["an opinion against it", { proofs: [...sound.proofs, { ...proof!, kind: "opinion", outcome: "refuted" }] }],
    ["opinions alone", { proofs: [{ ...proof!, kind: "opinion" }] }],
    ["no proof at all", { proofs: [] }],
    ["a maker without a box", { proposal: { ...sound.proposal, box: { kind: "none", why: "" } } as Evidence["proposal"] }],
    ["a verifier without a box", { proofs: [{ ...proof!, box: { kind: "none", why: "" } }] }],
    ["outsiders' text", { taint: { kind: "tainted", by: ["commits"] } }],
    ["changed sealed files", { seal: { restored: ["a.test.ts"], dropped: [] } }],
  ])("%s is one", (_, change) => {
    expect(doubtsAbout({ ...sound, ...change })).toHaveLength(1);
  });

  it("not knowing what was read is one too", () => {
    const { taint, ...old } = sound;

    expect([taint?.kind, doubtsAbout(old)]).toEqual(["clean", ["the run has read outsiders' text, or nobody knows whether it did"]]);
  });
});
