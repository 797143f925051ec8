// Loops that make documents: files that are no change of the target, from their first round to where they go.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { inTurn, QUESTION, startModelServer } from "../support/model-server.ts";

const git = (repo: string, ...args: readonly string[]): string => execFileSync("git", ["-C", repo, ...args], { encoding: "utf8" });

const specOf = (place: Place, about: { readonly maker: string; readonly rest?: object }): string =>
  place.write(
    "loops/brief.loop.json",
    JSON.stringify({
      name: "brief",
      intent: "Say in a page what changed.",
      level: "L2",
      target: { repo: place.repo.dir, base: "main" },
      document: { files: ["*.md"] },
      inputs: { topic: { type: "text", about: "What it is about", default: "caches" } },
      maker: { use: "shell", with: { run: about.maker } },
      verifiers: [{ use: "command", with: { run: "grep -q '^# ' brief.md" } }],
      budget: { rounds: 2 },
      ...about.rest,
    }),
  );

it("is made, proven, decided about and carried out, and the next one is compared with what was accepted", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    git(place.repo.dir, "branch", "briefs");
    const act = [
      { use: "write-document", with: { folder: "../out" } },
      { use: "commit-document", with: { into: "docs", branch: "briefs" } },
    ];
    const spec = specOf(place, { maker: 'echo "# Round of $LOOPWRIGHT_LOOP" > brief.md; echo more >> brief.md', rest: { act } });

    const first = await place.json(["run", spec]);
    const own = join(place.home, "documents", "brief.git");
    const atFirst = git(own, "ls-tree", "-r", "--name-only", "main");
    const approved = await place.json(["approve", "brief", "--as", "ada"]);
    const accepted = git(own, "show", "main:brief.md");
    const second = await place.json(["run", specOf(place, { maker: "echo last >> brief.md", rest: { act } })]);
    const diff = await place.lw(["show", "brief", "--diff"]);

    expect(first.exit).toBe(0);
    expect(first.said.rounds[0].evidence.proposal).toMatchObject({ kind: "document", changes: [{ path: "brief.md" }] });
    expect(atFirst).toBe("");
    expect(approved.exit).toBe(0);
    expect(accepted).toBe("# Round of brief\nmore\n");
    expect(readFileSync(join(place.dir, "out/brief.md"), "utf8")).toBe(accepted);
    expect(git(place.repo.dir, "show", "briefs:docs/brief.md")).toBe(accepted);
    expect(git(place.repo.dir, "status", "--porcelain")).toBe("");
    expect(second.said.rounds[0].evidence.proposal.changes).toHaveLength(1);
    expect(diff.stdout).toContain("+last");
    expect(diff.stdout).not.toContain("+more");
  }));

it("tells its maker what is no part of it, and refuses links out of it", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    const wide = "grep -q 'Only these belong' $LOOPWRIGHT_BRIEF && rm -f notes.txt || touch notes.txt; echo '# Brief' > brief.md";

    const { exit, said } = await place.json(["run", specOf(place, { maker: wide })]);
    const linked = await place.json(["run", specOf(place, { maker: "echo '# Brief' > brief.md; ln -s /etc/passwd p.md" }), "--again"]);

    expect(exit).toBe(0);
    expect(said.rounds.map(({ verdict }: { readonly verdict: { readonly kind: string } }) => verdict.kind)).toEqual(["retry", "accept"]);
    expect(linked.exit).toBe(5);
    expect(linked.said.rest.reason).toContain("p.md");
  }));

it("is taken with a reviewer's own words, as a change is", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "a.txt": "a\n" } });
    await place.lw(["run", specOf(place, { maker: "echo '# Brief' > brief.md" })]);
    const own = join(place.home, "documents", "brief.git");
    const clone = join(place.dir, "clone");
    const { said } = await place.json(["show", "brief"]);
    git(place.dir, "clone", "-q", "-b", said.branch, own, clone);
    execFileSync("sh", [
      "-c",
      `cd ${clone} && echo better >> brief.md && git -c user.name=A -c user.email=a@b commit -qam better && git push -q`,
    ]);

    const amended = await place.lw(["amend", "brief", "--as", "ada"]);
    const approved = await place.lw(["approve", "brief", "--as", "ada"]);

    expect([amended.exit, approved.exit]).toEqual([0, 0]);
    expect(git(own, "show", "main:brief.md")).toBe("# Brief\nbetter\n");
    expect(existsSync(join(place.repo.dir, "brief.md"))).toBe(false);
  }));

it("is never done where only opinions speak for it: it waits, exit 9, and every report says so", async () => {
  const server = await startModelServer(
    inTurn({ kind: "calls", calls: [{ tool: "verdict", input: { question: QUESTION, verdict: "holds", reasons: [] } }] }),
  );
  try {
    await inPlace(async (place) => {
      place.repo.commit("start", { files: { "a.txt": "a\n" } });
      const judge = { provider: "anthropic", model: "judge-1", baseUrl: `${server.url}/v1`, keyVariable: "JUDGE_KEY" };
      const rest = { verifiers: [{ use: "judge", with: judge }] };
      const env = { JUDGE_KEY: "k3y-of-nobody" };

      const { exit, said } = await place.json(["run", specOf(place, { maker: "echo '# Brief' > brief.md", rest })], { env });
      const [inbox, report, shown, receipt] = [
        await place.lw(["inbox"]),
        await place.lw(["report", "brief"]),
        await place.lw(["show", "brief"]),
        await place.json(["receipt", "show", said.run]),
      ];
      const alone = await place.lw(["validate", specOf(place, { maker: "true", rest: { ...rest, level: "L3" } })]);

      expect([exit, said.rest]).toEqual([9, { kind: "accept", action: "propose", on: "opinion" }]);
      expect(inbox.stdout).toContain("on opinion alone");
      expect(report.stdout).toContain("nothing was proven");
      expect(shown.stdout).toContain("on opinion alone");
      expect(JSON.stringify(receipt.said)).toContain('"on":"opinion"');
      expect([alone.exit, `${alone.stdout}${alone.stderr}`]).toEqual([64, expect.stringContaining("what nobody proved never moves alone")]);
    });
  } finally {
    await server.close();
  }
});
