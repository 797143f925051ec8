// Parts of one's own, as docs/extending.md has them: trusted by a person, pinned by their bytes, and never taken from a proposal.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";

const PAGE = readFileSync("docs/extending.md", "utf8");
const LINKS = /```js\n\/\/ checks\/links\.mjs\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "";

const specOf = (place: Place, page: string): string =>
  JSON.stringify({
    name: "docs",
    intent: "Keep the pages right.",
    level: "L2",
    target: { repo: place.repo.dir },
    parts: ["./checks/links.mjs"],
    baseline: { when: "off" },
    maker: { use: "shell", with: { run: `printf '%s' '${page}' > docs/index.md` } },
    verifiers: [{ use: "links", with: { folder: "docs" } }],
    box: UNBOXED,
  });

const inDocs = (work: (place: Place, loop: (page: string) => string) => Promise<void>): Promise<void> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "docs/index.md": "Nothing.\n", "docs/more.md": "More.\n" } });
    place.write("checks/links.mjs", LINKS);
    await work(place, (page) => place.write("docs.loop.json", specOf(place, page)));
  });

it("proves with a verifier of one's own, approved and refused like any other", () =>
  inDocs(async (place, loop) => {
    const good = loop("[more](more.md)");
    const before = await place.lw(["validate", good]);
    const trusted = await place.json(["parts", "trust", "./checks/links.mjs", "--as", "ada"]);
    const valid = await place.lw(["validate", good]);
    const listed = await place.lw(["parts", "links"]);
    place.repo.write("docs.loop.json", specOf(place, "x"));
    place.repo.write("checks/links.mjs", LINKS);
    const taught = await place.lw(["adapt", place.repo.dir, "--agents", "agents-md", "--dry-run"]);
    const servers = await place.lw(["mcp", "list", good]);
    const run = await place.json(["run", good]);
    const approved = await place.lw(["approve", run.said.run, "--as", "ada"]);
    const bad = await place.json(["run", loop("[gone](gone.md)")]);
    const wrongly = await place.lw(["validate", place.write("w.loop.json", specOf(place, "x").replace('"folder":"docs"', '"folder":7'))]);

    expect([before.exit, before.stdout + before.stderr]).toEqual([64, expect.stringContaining("lw parts trust ./checks/links.mjs")]);
    expect([trusted.exit, trusted.said.trusted.parts, trusted.said.trusted.by]).toEqual([0, ["verifier links"], "ada"]);
    expect([valid.exit, listed.stdout]).toEqual([0, expect.stringContaining("of your own, from")]);
    // Whoever reads a spec knows them, not only who runs it.
    expect([taught.exit, taught.stdout]).toEqual([0, expect.stringContaining("**docs** (L2")]);
    expect([servers.exit, servers.stderr]).toEqual([0, expect.stringContaining("names no server")]);
    expect([run.exit, run.said.rest]).toEqual([0, expect.objectContaining({ kind: "accept" })]);
    expect(approved.exit).toBe(0);
    expect([bad.exit === 0, JSON.stringify(bad.said)]).toEqual([false, expect.stringContaining("docs/index.md links to docs/gone.md")]);
    expect([wrongly.exit, wrongly.stdout + wrongly.stderr]).toEqual([
      64,
      expect.stringContaining("verifiers[0].with.folder: must be a text, is 7"),
    ]);
  }));

it("runs what was trusted and nothing else: a changed file stops its loops until a person has read it", () =>
  inDocs(async (place, loop) => {
    const file = loop("[more](more.md)");
    await place.lw(["parts", "trust", "./checks/links.mjs", "--as", "ada"]);
    place.write("checks/links.mjs", `${LINKS}\nthrow new Error("ran");\n`);

    const changed = await place.lw(["run", file]);
    const status = await place.lw(["status"]);
    place.write("checks/links.mjs", LINKS);
    const kept = join(place.home, "parts", `${(await place.json(["parts"])).said.trusted[0].sha256}.mjs`);
    place.write(kept.slice(place.dir.length + 1), "export default () => ({});\n");
    const garbled = await place.apart.lw(["validate", file]);

    expect([changed.exit, changed.stderr]).toEqual([64, expect.stringContaining("./checks/links.mjs was changed since ada trusted it")]);
    expect(status.exit).toBe(0);
    expect([garbled.exit, garbled.stderr]).toEqual([64, expect.stringContaining("is not what was trusted")]);
  }));

it("is trusted by a person and by no loop, and takes no name that is taken", () =>
  inDocs(async (place) => {
    const byLoop = await place.lw(["parts", "trust", "./checks/links.mjs"], { env: { LOOPWRIGHT_MARK: "x", USER: "ada" } });
    const guarded = await place.json(["guard", "lw parts trust ./checks/links.mjs"]);
    place.write("taken.mjs", LINKS.replace('name: "links"', 'name: "command"'));
    place.write("wide.mjs", `import x from "left-pad";\n${LINKS}`);
    place.write("none.mjs", "export default 7;\n");
    const told = await Promise.all(
      ["taken.mjs", "wide.mjs", "none.mjs", "gone.mjs", "npm:@team/none"].map((file) => place.lw(["parts", "trust", file, "--as", "ada"])),
    );

    expect([byLoop.exit, guarded.said.decision]).toEqual([2, "deny"]);
    expect(told.map(({ exit }) => exit)).toEqual([64, 64, 64, 64, 64]);
    expect(told.map(({ stderr }) => stderr).join("")).toMatch(
      /called command already.*imports left-pad.*no function.*no such file.*npm install @team\/none/s,
    );
    expect((await place.json(["parts"])).said.trusted).toBe(undefined);
  }));
