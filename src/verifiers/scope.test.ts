import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { barrenWorld } from "../../test/support/fake-world.ts";
import type { Change, FileVersion } from "../contract/proposal.ts";
import { untrustedText } from "../contract/text.ts";
import { scope } from "./scope.ts";

type Side = string | Uint8Array | { readonly mode: string; readonly text: string } | undefined;

/** Files as they were and as they are proposed: path → [before, after]. */
async function verify(options: object, files: { readonly [path: string]: readonly [Side, Side] }, unread: readonly string[] = []) {
  const ready = scope.configure(options);
  if (ready.proves !== "commit") throw new Error("scope must prove commits");
  const contents = new Map<string, Uint8Array>();
  const version = (path: string, side: Side): FileVersion | undefined => {
    if (side === undefined) return undefined;
    const { mode, text } = typeof side === "string" || side instanceof Uint8Array ? { mode: "100644", text: side } : side;
    const bytes = typeof text === "string" ? Buffer.from(text) : text;
    const blob = createHash("sha1").update(bytes).digest("hex");
    if (!unread.includes(path)) contents.set(blob, bytes);
    return { mode, blob };
  };
  const changes = Object.entries(files).map(
    ([path, [before, after]]): Change => ({ path, before: version(path, before), after: version(path, after) }),
  );
  const seen = await ready.verify(
    {
      proposal: {
        kind: "commit",
        commit: "c0ffee",
        tree: "7ree",
        changes,
        diff: { sha256: "", bytes: 0, truncated: false },
        talk: { ended: "finished", summary: untrustedText("") },
      },
      checkout: { work: "/w", home: "/h" },
      timeLeftMs: 1000,
    },
    { ...barrenWorld, rooms: { ...barrenWorld.rooms, contents: async () => contents } },
  );
  return seen;
}
const refuted = (...violations: readonly string[]) => ({
  outcome: "refuted",
  detail: ["outside of what is allowed:", ...violations.map((one) => `- ${one}`)].join("\n"),
  output: undefined,
});

it("holds for an ordinary change, and says how large it is", async () => {
  expect(await verify({}, { "src/a.ts": ["a\nb\n", "a\nc\n"], "src/b.ts": [undefined, "x\n"] })).toEqual({
    outcome: "holds",
    detail: "2 files and 3 lines, within what is allowed",
    output: undefined,
  });
});

it("does not know when nothing was changed", async () => {
  expect((await verify({}, {})).outcome).toBe("unknown");
});

it("tells everything at once", async () => {
  const seen = await verify(
    { allow: ["src/**"], deny: ["src/generated"], maxFiles: 2, maxLines: 2 },
    { "docs/a.md": ["", "a\n"], "src/generated/b.ts": ["", "b\n"], "src/run.sh": [undefined, { mode: "100755", text: "c\n" }] },
  );

  expect(seen).toEqual(
    refuted(
      '"docs/a.md" is not among the allowed paths',
      '"src/generated/b.ts" is denied',
      "3 files are touched, at most 2 may be",
      "3 lines are added or removed, at most 2 may be",
      '"src/run.sh" becomes an executable',
    ),
  );
});

it("does not take a path for allowed only because no glob could be tried on it", async () => {
  const long = `src/${"x".repeat(300)}`;

  expect(await verify({ allow: ["src/**"] }, { [long]: ["", "a"] })).toEqual(refuted(`"${long}" is not among the allowed paths`));
});

it("counts a line of a binary file for each 100 bytes, and does not know about one that it cannot read", async () => {
  const binary = new Uint8Array(1000);

  expect(await verify({ maxLines: 9 }, { "a.png": [undefined, binary] })).toEqual(
    refuted("10 lines are added or removed, at most 9 may be"),
  );
  expect((await verify({ maxLines: 10 }, { "a.png": [undefined, binary] })).outcome).toBe("holds");
  expect(await verify({ maxLines: 10 }, { "a.bin": [undefined, binary] }, ["a.bin"])).toMatchObject({
    outcome: "unknown",
    detail: 'too large to be looked into: "a.bin"',
  });
});

describe("kinds of files", () => {
  const link = { mode: "120000", text: "/etc" };
  const module = { mode: "160000", text: "" };

  it("may not be added unless they are allowed", async () => {
    const files = { a: ["x", link], b: [undefined, module], c: ["x", { mode: "100755", text: "x" }] } as const;

    expect(await verify({ dependencies: "any" }, files)).toEqual(
      refuted('"a" becomes a symlink', '"b" becomes a submodule', '"c" becomes an executable'),
    );
    expect((await verify({ dependencies: "any", modes: ["symlink", "submodule", "executable"] }, files)).outcome).toBe("holds");
  });

  it("may stay what they were", async () => {
    expect((await verify({}, { a: [link, { ...link, text: "b" }] })).outcome).toBe("holds");
  });
});

describe("dependencies", () => {
  it("may not change unless they are allowed to", async () => {
    const files = {
      "package.json": ['{"dependencies":{}}', '{"dependencies":{"left-pad":"1"}}'],
      "package-lock.json": ["{}", "{ }"],
      "sub/requirements.txt": [undefined, "x==1\n"],
      lib: [
        { mode: "160000", text: "1" },
        { mode: "160000", text: "2" },
      ],
    } as const;

    expect(await verify({}, files)).toEqual(
      refuted(
        '"package.json" declares or pins other dependencies',
        '"package-lock.json" declares or pins other dependencies',
        '"sub/requirements.txt" declares or pins other dependencies',
        'the submodule "lib" changes',
      ),
    );
    expect((await verify({ dependencies: "any" }, files)).outcome).toBe("holds");
  });

  it("are not touched by other fields of a manifest", async () => {
    expect((await verify({}, { "package.json": ['{"version":"1"}', '{"version":"2"}'] })).outcome).toBe("holds");
  });
});

describe("licences", () => {
  it("may not change unless they are allowed to", async () => {
    const files = {
      LICENSE: ["MIT", "mine"],
      "package.json": ['{"license":"MIT"}', '{"license":"UNLICENSED"}'],
      "a.c": ["// SPDX-License-Identifier: MIT\n", "\n"],
      "new.c": [undefined, "// SPDX-License-Identifier: MIT\n"],
    } as const;

    expect(await verify({}, files)).toEqual(
      refuted('"LICENSE" is a licence or a notice', '"package.json" names another licence', '"a.c" names another licence'),
    );
    expect((await verify({ licences: "any" }, files)).outcome).toBe("holds");
  });
});

describe("public names", () => {
  it("may not be lost when they are to be kept, but may move to another changed file", async () => {
    const files = {
      "src/a.ts": ["export const a = 1;\nexport const b = 2;\nexport const c = 3;\n", "export const a = 1;\n"],
      "src/b.ts": [undefined, "export const b = 2;\n"],
      "lib.py": ["def run(): pass\n", undefined],
    } as const;

    expect(await verify({ api: "keep" }, files)).toEqual(
      refuted('"src/a.ts" no longer gives c (seen by a scan of its lines)', '"lib.py" no longer gives run (seen by a scan of its lines)'),
    );
    expect((await verify({}, files)).outcome).toBe("holds");
  });

  it("cannot be told of a file too large to scan", async () => {
    const large = `${"// x\n".repeat(120_000)}`;

    expect((await verify({ api: "keep" }, { "a.ts": ["", large] })).outcome).toBe("unknown");
  });
});

it("refuses a glob that means nothing", () => {
  expect(() => scope.configure({ allow: ["/etc"] })).toThrow("absolute");
});
