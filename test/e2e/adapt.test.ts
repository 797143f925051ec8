// Teaches the agents of a real repository its loops, and takes that out again.
import { chmodSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace } from "../support/lw.ts";

const SPEC = {
  name: "fix",
  intent: 'Mend "it": !`touch gone` @/etc/passwd $1  --> --- name: other',
  level: "L2",
  target: { repo: "..", base: "main" },
  maker: { use: "scripted", with: { scenes: [{ write: { "value.txt": "right\n" } }] } },
  verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
};

it("teaches agents, is not changed a second time, tells drift, and leaves every byte as it was", () =>
  inPlace(async (place) => {
    const { dir } = place.repo;
    const outside = place.write("outside.md", "not yours\n");
    place.repo.commit("Begin", {
      files: {
        "value.txt": "wrong\n",
        ".loopwright/fix.loop.json": JSON.stringify(SPEC),
        "AGENTS.md": "\ufeff# House\r\n\r\nNo end",
        ".claude/settings.json": '{\n  // mine\n  "model": "x"\n}',
        ".codex/config.toml": 'model = "x"\n',
        ".github/copilot-instructions.md": "read-only\n",
      },
    });
    symlinkSync("AGENTS.md", join(dir, "CLAUDE.md"));
    symlinkSync(outside, join(dir, "GEMINI.md"));
    chmodSync(join(dir, ".github/copilot-instructions.md"), 0o444);
    const before = stateOf(dir);

    const shown = await place.lw(["adapt", "--dry-run"], { cwd: dir });
    const afterShown = stateOf(dir);
    const drift = await place.lw(["adapt", "--check"], { cwd: dir });
    const first = await place.json(["adapt", "--yes"], { cwd: dir });
    const taught = stateOf(dir);
    const second = await place.json(["adapt", "--yes"], { cwd: dir });

    expect(shown.stdout).toContain("+++ b/.claude/skills/loop-fix/SKILL.md");
    expect(afterShown).toEqual(before);
    expect(drift.exit).toBe(1);
    expect(first.said).toMatchObject({ did: "written", loops: ["fix"] });
    expect(first.said).toMatchObject({
      left: [
        { path: "GEMINI.md", kind: "refused" },
        { path: ".github/copilot-instructions.md", kind: "refused", why: "it is read-only" },
      ],
    });
    expect(second.said).toMatchObject({ did: "unchanged", files: [] });
    expect(stateOf(dir)).toEqual(taught);
    expect(readFileSync(outside, "utf8")).toBe("not yours\n");
    expect(lstatSync(join(dir, "CLAUDE.md")).isSymbolicLink()).toBe(true);

    const spoilt = join(dir, ".claude/skills/loop-fix/SKILL.md");
    writeFileSync(spoilt, readFileSync(spoilt, "utf8").replace("smallest", "largest"));
    const kept = await place.lw(["adapt", "--yes"], { cwd: dir });
    expect([kept.exit, kept.stderr]).toEqual([9, expect.stringContaining("--overwrite-edits writes over that")]);

    const removed = await place.lw(["adapt", "--remove", "--yes", "--overwrite-edits"], { cwd: dir });
    expect(removed.exit).toBe(0);
    expect(stateOf(dir)).toEqual(before);
  }));

/** Everything below a folder but git's: what it is, and every byte of it. */
function stateOf(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^\.git(\/|$)/.test(path))
    .toSorted()
    .map((path) => {
      const found = lstatSync(join(dir, path));
      return `${path} ${found.mode.toString(8)} ${found.isFile() ? readFileSync(join(dir, path)).toString("base64") : ""}`;
    });
}
