import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookAdapters } from "../../src/adapters/index.ts";

const COMMAND = "lw hook run it";

it("knows every adapter by a name of its own", () => {
  expect(new Set(hookAdapters.map(({ name }) => name)).size).toBe(hookAdapters.length);
});

describe.each(hookAdapters)("$name", (adapter) => {
  const { settings } = adapter;

  it("says what it is in words that a reference can print", () => {
    expect(adapter.name).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(adapter.summary).toMatch(/^[A-Za-z][^\n]{10,250}\.$/);
    expect(adapter.notes.filter((note) => !/^[A-Za-z][^\n]{10,250}\.$/.test(note))).toEqual([]);
  });

  it("names its settings inside the project and the home folder", () => {
    const paths = settings ? [settings.project, settings.user] : [];

    expect(paths.filter((path) => path.startsWith("/") || path.split("/").includes(".."))).toEqual([]);
  });

  it("reads whatever comes without failing, and never as an allowed tool when it is no call", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom("", "\0", "\ufffd", "null", "{", "[".repeat(50_000), " ".repeat(50_000)),
    );

    fc.assert(
      fc.property(texts, (text) => {
        expect(adapter.readCall(text).kind).not.toBe("other");
      }),
    );
  });

  it("answers so that a denial is not taken for leave, and always with the reason", () => {
    const allow = adapter.answer("allow", "");

    for (const decision of ["ask", "deny"] as const) {
      const answer = adapter.answer(decision, 'the "reason"\nof it');

      expect(answer).not.toEqual(allow);
      expect(answer.stdout === "" ? answer.stderr : JSON.stringify(JSON.parse(answer.stdout))).toContain("reason");
    }
    expect(allow).toEqual({ stdout: expect.any(String), stderr: "", exitCode: 0 });
  });

  if (!settings) return;

  const installed = (text: string | undefined): string => {
    const edit = adapter.install(text, COMMAND);
    if (edit.kind !== "changed") throw new Error(JSON.stringify(edit));
    return edit.text;
  };

  it("installs into nothing, twice without a change, and leaves nothing", () => {
    const text = installed(undefined);

    expect(text).toContain(COMMAND);
    expect(adapter.install(text, COMMAND)).toEqual({ kind: "unchanged" });
    expect(adapter.uninstall(text, COMMAND)).toEqual({ kind: "removed" });
  });

  it.each(["", "{", "not ours", '{"hooks": 7}', '{"a": 1,}', "[]"])("leaves %j alone and says why", (text) => {
    const refusal = { kind: "refused", why: expect.stringMatching(/then try again$/) };

    expect(adapter.install(text, COMMAND)).toEqual(refusal);
    expect(adapter.uninstall(text, COMMAND)).toEqual(refusal);
  });

  if (!settings.project.endsWith(".json")) return;

  const event = Object.keys(JSON.parse(installed(undefined)).hooks)[0]!;
  const json = fc.jsonValue({ maxDepth: 3 });
  const hooks = fc.dictionary(fc.constantFrom(event, "Stop", "__proto__"), fc.array(json, { maxLength: 3 }));
  const texts = fc
    .tuple(
      fc.dictionary(fc.string(), json),
      fc.option(hooks, { nil: undefined }),
      fc.constantFrom(0, 2, 3, "\t"),
      fc.constantFrom("", "\n"),
    )
    .map(([others, own, indent, end]) => JSON.stringify({ ...others, version: 1, hooks: own }, null, indent) + end);

  it("installs into any settings and comes out again, byte for byte", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const after = installed(text);

        expect(adapter.install(after, COMMAND)).toEqual({ kind: "unchanged" });
        expect(adapter.uninstall(after, COMMAND)).toEqual({ kind: "changed", text });
      }),
    );
  });

  it("leaves settings alone that it never touched", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(adapter.uninstall(text, COMMAND)).toEqual({ kind: "unchanged" });
      }),
    );
  });
});

describe.each(hookAdapters.filter(({ stopping }) => stopping !== undefined))(
  "$name, before it stops",
  ({ stopping, install, uninstall }) => {
    const hook = stopping!;
    const OURS = "lw hook run it --referee";

    it("reads whatever comes without failing, and takes none of it for a session that it knows", () => {
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json(), fc.constantFrom("", "{}", "null", "[".repeat(50_000))), (text) => {
          expect(["unreadable", "other"]).toContain(hook.readCall(text).kind);
        }),
      );
    });

    it("does not let an agent stop by the words that make it go on", () => {
      const block = hook.block('the "reason"\nof it');

      expect(block).toMatchObject({ stderr: "", exitCode: 0 });
      expect(JSON.parse(block.stdout)).toEqual({ decision: expect.stringMatching(/^(block|deny)$/), reason: 'the "reason"\nof it' });
      for (const pass of [hook.pass(""), hook.pass("said")]) {
        expect(pass).toMatchObject({ stderr: "", exitCode: 0 });
        expect(pass.stdout).not.toContain("decision");
      }
    });

    const json = fc.jsonValue({ maxDepth: 3 });
    const hooks = fc.dictionary(
      fc.constantFrom("Stop", "SessionStart", "AfterAgent", "agentStop", "PreToolUse"),
      fc.array(json, { maxLength: 3 }),
    );
    const texts = fc
      .tuple(fc.dictionary(fc.string(), json), fc.option(hooks, { nil: undefined }), fc.constantFrom(0, 2, "\t"), fc.constantFrom("", "\n"))
      .map(([others, own, indent, end]) => JSON.stringify({ ...others, version: 1, hooks: own }, null, indent) + end);
    const changed = (edit: { readonly kind: string; readonly text?: string }): string => {
      if (edit.kind !== "changed" || edit.text === undefined) throw new Error(JSON.stringify(edit));
      return edit.text;
    };

    it("installs beside what is there, with other flags in place of earlier ones, and comes out again byte for byte", () => {
      fc.assert(
        fc.property(texts, (text) => {
          const first = changed(hook.install(text, OURS, " --loop a"));
          const second = changed(hook.install(first, OURS, ""));

          expect(second).not.toContain("--loop a");
          expect(hook.install(second, OURS, "")).toEqual({ kind: "unchanged" });
          expect(hook.uninstall(second, OURS)).toEqual({ kind: "changed", text });
          expect(hook.uninstall(text, OURS)).toEqual({ kind: "unchanged" });
        }),
      );
    });

    it("goes away with the guard's own hook, and leaves nothing", () => {
      const both = changed(hook.install(changed(install(undefined, COMMAND)), OURS, " --loop a"));

      expect(uninstall(changed(hook.uninstall(both, OURS)), COMMAND)).toEqual({ kind: "removed" });
      expect(hook.uninstall(changed(hook.install(undefined, OURS, "")), OURS)).toEqual({ kind: "removed" });
    });
  },
);
