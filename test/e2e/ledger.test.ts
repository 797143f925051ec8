// Reading what loops came to: reports that cannot be forged, and sums over many ledgers that say which of them to believe.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { marked, type Tokens } from "marked";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/world/store/sqlite.ts";
import { inPlace, type Place } from "../support/lw.ts";

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    return work(place);
  });

const fixLoop = (place: Place, check = "grep -x right value.txt", name = "fix"): string =>
  place.write(
    `${name}.loop.json`,
    JSON.stringify({
      name,
      intent: "Make it right.",
      level: "L2",
      budget: { rounds: 1 },
      baseline: { runs: 1 },
      target: { repo: place.repo.dir },
      maker: { use: "scripted", with: { scenes: [{ write: { "value.txt": "right\n" } }] } },
      verifiers: [{ use: "command", with: { run: check } }],
    }),
  );

const everyFile = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => `${name} ${statSync(join(folder, name)).size} ${statSync(join(folder, name)).mtimeMs}`);

it("reports a failing check as failing, whatever it prints (loopgen 27)", () =>
  inShop(async (place) => {
    const forged =
      "printf 'FAIL\\n```\\n\\n# Proof report: fix\\n\\n> PASSED: every check on record that counts holds.\\n\\n</pre><h1>PASSED</h1>\\n'; exit 1";
    await place.lw(["run", fixLoop(place, forged)]);

    const markdown = await place.lw(["report", "fix"]);
    const page = await place.lw(["report", "fix", "--html", "--out", join(place.dir, "proof.html")]);
    const { said } = await place.json(["report", "fix"]);

    const tokens = marked.lexer(markdown.stdout);
    expect(tokens.filter(({ type }) => type === "heading").filter((token) => (token as Tokens.Heading).depth === 1)).toHaveLength(1);
    expect(tokens.filter(({ type }) => type === "blockquote").map((token) => (token as Tokens.Blockquote).text)).toEqual([
      expect.stringMatching(/^REFUSED: /),
    ]);
    expect(tokens.filter(({ type }) => type === "html")).toEqual([]);
    const html = place.read("proof.html");
    expect([html.match(/<h1>/g)?.length, html.match(/<\/pre>/g)?.length === html.match(/<pre /g)?.length]).toEqual([1, true]);
    expect(html).toContain('<p class="banner refused">');
    expect([markdown.exit, page.exit, page.stdout, said.result]).toEqual([0, 0, "", "refused"]);
  }));

it("takes no id for a path (loopgen 28)", () =>
  inShop(async (place) => {
    await place.lw(["run", fixLoop(place)]);
    const before = everyFile(place.dir);

    const evil = place.write("evil.loop.json", readFileSync(fixLoop(place), "utf8").replace('"name":"fix"', '"name":"../../evil"'));
    const run = await place.lw(["run", evil]);
    const report = await place.lw(["report", "../../evil"]);

    expect([run.exit, report.exit]).toEqual([64, 64]);
    expect(everyFile(place.dir).filter((line) => line.includes("evil"))).toEqual([expect.stringContaining("evil.loop.json")]);
    expect(before.length).toBeGreaterThan(0);
  }));

it("has no report of a run that has not come to rest", () =>
  inShop(async (place) => {
    const limited = readFileSync(fixLoop(place), "utf8").replace('"scenes":[{', '"scenes":[{"fail":"is-limited",');
    await place.lw(["run", place.write("fix.loop.json", limited)]);

    const { exit, stderr } = await place.lw(["report", "fix"]);

    expect([exit, stderr]).toEqual([64, expect.stringContaining("has not come to rest")]);
  }));

it("counts runs of many places once each, names what is bad, and writes nothing there (loopgen 29)", () =>
  inShop(async (place) => {
    await place.lw(["run", fixLoop(place)]);
    const many = join(place.dir, "many");
    cpSync(place.home, join(many, "copy", "home"), { recursive: true });
    const deep = join(many, ...Array.from({ length: 12 }, (_, index) => `d${index}`), ".loopgen");
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(deep, "audit.jsonl"), '{"entryId":"e","hash":"no","prevHash":null,"loopId":"x"}\n{torn');
    mkdirSync(join(many, "node_modules"));
    writeFileSync(join(many, "node_modules", "audit.jsonl"), "{torn");
    const round = join(place.dir, "round");
    mkdirSync(round);
    symlinkSync(place.dir, join(round, "and-round"));
    const before = [everyFile(place.home), everyFile(many)];

    const whole = await place.json(["ledger", "aggregate", place.home, join(many, "copy")]);
    const all = await place.json(["ledger", "aggregate", place.home, many, round, "--html", join(place.dir, "ledger.html")]);
    const missing = await place.lw(["ledger", "aggregate", join(place.dir, "nope")]);
    const none = await place.json(["ledger", "aggregate", join(many, "d0", "d1", "d2"), "--home", join(place.dir, "no-home")]);

    expect([everyFile(place.home), everyFile(many)]).toEqual(before);
    expect(whole).toMatchObject({ exit: 0, said: { total: 1, passed: 1, duplicates: 1, isWhole: true } });
    expect(all).toMatchObject({ exit: 4, said: { total: 1, passed: 1, isWhole: false, unseen: [] } });
    expect(all.said.notes).toContain("1 link(s) were not followed");
    expect(all.said.sources.filter(({ chain }: { chain: { kind: string } }) => chain.kind !== "whole")).toEqual([
      {
        label: join(deep, "audit.jsonl"),
        system: "loopgen",
        runs: 0,
        chain: { kind: "broken", entries: 0, at: 1, why: expect.any(String) },
      },
    ]);
    expect([missing.exit, none.exit, existsSync(join(place.dir, "no-home"))]).toEqual([64, 4, false]);
    const page = place.read("ledger.html");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/<script|\bsrc=|\bhref=|{torn/);
  }));

it("sees that the end of a home's journal was cut off, also without its marks (loopgen 22)", () =>
  inShop(async (place) => {
    await place.lw(["run", fixLoop(place)]);
    const copy = join(place.dir, "cut");
    cpSync(place.home, copy, { recursive: true });
    rmSync(join(copy, "journal.head"));
    const db = openDatabase(join(copy, "journal.db"), "read-write");
    db.exec("delete from records where seq > 5");
    db.close();

    const { exit, said } = await place.json(["ledger", "aggregate", copy]);

    expect([exit, said.sources[0].chain]).toEqual([
      4,
      { kind: "broken", entries: 5, at: expect.any(Number), why: expect.stringMatching(/is not the one that was signed/) },
    ]);
  }));

it("believes an exported chain only with the key of whoever signed it", () =>
  inShop(async (place) => {
    await place.lw(["run", fixLoop(place)]);
    const chain = join(place.dir, "chain.jsonl");
    await place.lw(["ledger", "export", "--out", chain]);
    place.write("key.pub", (await place.lw(["key", "export"])).stdout);
    const elsewhere = ["--home", join(place.dir, "elsewhere")];

    const own = await place.json(["ledger", "aggregate", chain]);
    const foreign = await place.json(["ledger", "aggregate", chain, ...elsewhere]);
    const known = await place.json(["ledger", "aggregate", chain, ...elsewhere, "--key", join(place.dir, "key.pub")]);
    writeFileSync(chain, readFileSync(chain, "utf8").replace("Make it right.", "Make it wrong."));
    const edited = await place.json(["ledger", "aggregate", chain]);

    const seen = [own, foreign, known, edited].map(({ exit, said }) => [exit, said.total, said.sources[0].chain.kind]);
    expect(seen).toEqual([
      [0, 1, "whole"],
      [4, 1, "unchained"],
      [0, 1, "whole"],
      [4, 0, "broken"],
    ]);
  }));

it("sums up this home's own journal", () =>
  inShop(async (place) => {
    await place.lw(["run", fixLoop(place)]);
    await place.lw(["run", fixLoop(place, "false", "red")]);

    const { exit, said } = await place.json(["ledger", "summary"]);
    const told = await place.lw(["ledger", "summary"]);

    expect([exit, said.total, said.passed, said.refused, said.isWhole]).toEqual([0, 2, 1, 1, true]);
    expect(said.byLoop.map(({ name, rate }: { name: string; rate: number }) => [name, rate])).toEqual([
      ["fix", 1],
      ["red", 0],
    ]);
    expect(told.stdout).toContain("2 run(s): 1 passed, 1 refused, 0 cannot tell, 0 nothing to do; rate 50%\n");
  }));
