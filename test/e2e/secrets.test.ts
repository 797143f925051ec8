// Secrets never leave: not into the journal, artifacts, reports, briefs or the screen, and not to parts that were not given them.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { seededChance } from "../support/seeded-chance.ts";

const chance = seededChance(2026);
const github = `gh${"p_"}${chance.text("A-Za-z0-9", 36)}`;
const password = `${chance.text("A-Za-z0-9", 18)}7x`;
const placeholderLength = "[redacted:github-token:00000000]".length;
const env = { GITHUB_TOKEN: github, DB_PASSWORD: password };

/** Every byte that lw keeps, with the texts of its artifacts. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");
}

const loop = (
  place: Place,
  { run, inherit = [], check = "true" }: { readonly run: string; readonly inherit?: readonly string[]; readonly check?: string },
): string =>
  place.write(
    "leaky.loop.json",
    JSON.stringify({
      name: "leaky",
      intent: "Try to tell secrets.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run, inherit } },
      verifiers: [{ use: "command", with: { run: check } }],
      budget: { rounds: 1 },
      notify: [{ use: "file", with: { path: "report.md" } }],
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    return work(place);
  });

describe("a run", () => {
  it("keeps and prints no secret that its maker and its check had and told", () =>
    inShop(async (place) => {
      const tell = `echo "maker: $GITHUB_TOKEN $(printf %s "$GITHUB_TOKEN" | base64 -w 20)"; echo right > value.txt; echo "token = '$GITHUB_TOKEN'" > leaked.txt`;
      const spec = loop(place, { run: tell, inherit: ["GITHUB_TOKEN"], check: "cat leaked.txt; git log -p; false" });

      const run = await place.lw(["run", spec], { env });
      const shown = [
        await place.lw(["show", "leaky"], { env }),
        await place.lw(["show", "leaky", "--diff"]),
        await place.lw(["show", "leaky", "--output", "1"]),
        await place.lw(["show", "leaky", "--records"]),
        await place.lw(["show", "leaky", "--report"]),
      ].map(({ stdout, stderr }) => stdout + stderr);

      expect(run.exit).toBe(1);
      for (const text of [run.stdout, run.stderr, ...shown, everythingIn(place.home), place.read("report.md")])
        expect(text).not.toContain(github.slice(4, 24));
      expect(shown[1]).toMatch(/\[redacted:github-token:[0-9a-f]{8}\]/);
      const placeholders = new Set(shown.join("\n").match(/\[redacted:github-token:[0-9a-f]{8}\]/g));
      expect(placeholders.size).toBe(1);
      expect(statSync(join(place.home, "redaction.key")).mode & 0o777).toBe(0o600);
    }));

  it("gives neither maker nor check what the spec does not name", () =>
    inShop(async (place) => {
      const look = `env | grep -c -e "$(printf '%s' GITHUB_)" -e DB_PASS > seen.txt; echo right > value.txt`;
      const spec = loop(place, {
        run: look,
        check: "env | cut -d= -f1 | sort; ! env | grep -q -e GITHUB_TOKEN -e DB_PASSWORD; grep -x 0 seen.txt",
      });

      expect((await place.lw(["run", spec], { env })).exit).toBe(0);
    }));

  it("refuses a spec that gives a check a secret, and warns of one that spells a secret out", () =>
    inShop(async (place) => {
      const spec = JSON.parse(readFileSync(loop(place, { run: `curl -H 'X: ${github}'` }), "utf8"));
      const spelled = place.write("spelled.loop.json", JSON.stringify(spec));
      const given = place.write(
        "given.loop.json",
        JSON.stringify({ ...spec, verifiers: [{ use: "command", with: { run: "true", inherit: ["GITHUB_TOKEN"] } }] }),
      );

      const warned = await place.lw(["validate", spelled]);
      const refused = await place.lw(["validate", given]);

      expect(warned).toMatchObject({ exit: 0 });
      expect(warned.stdout + warned.stderr).toContain("maker.with.run: this looks like a secret (github-token)");
      expect(warned.stdout + warned.stderr).not.toContain(github);
      expect(refused).toMatchObject({ exit: 64 });
      expect(refused.stdout + refused.stderr).toContain("sounds like a secret");
    }));
});

describe("lw redact", () => {
  const known = { env: { DB_PASSWORD: password } };

  it("writes the text without secrets, also those of the environment", () =>
    inPlace(async (place) => {
      const { exit, stdout } = await place.lw(["redact"], { ...known, input: `a ${github} b ${encodeURIComponent(password)} c\n` });

      expect(exit).toBe(0);
      expect(stdout).toMatch(/^a \[redacted:github-token:[0-9a-f]{8}\] b \[redacted:environment-secret:[0-9a-f]{8}\] c\n$/);
    }));

  it("says as JSON what it found, how often, and the text", () =>
    inPlace(async (place) => {
      const { said } = await place.json(["redact", place.write("a.log", `${github}\n${github}\n`)]);
      const [one] = said.redactions;

      expect(said).toEqual({
        redactions: [{ kind: "github-token", count: 2, placeholder: expect.stringMatching(/^\[redacted:github-token:/) }],
        text: `${one.placeholder}\n${one.placeholder}\n`,
      });
    }));

  it("checks, and says where without saying what", () =>
    inPlace(async (place) => {
      place.write("a.log", `first\nsecond ${github}\n`);
      const found = await place.lw(["redact", "--check", "a.log"]);
      const clean = await place.lw(["redact", "--check"], { input: "nothing here\n" });

      expect(found).toMatchObject({
        exit: 1,
        stdout: expect.stringMatching(/^a\.log:2 {2}github-token {2}\[redacted:github-token:[0-9a-f]{8}\]\n$/),
      });
      expect(clean).toMatchObject({ exit: 0, stdout: "" });
    }));

  it("takes 12 MB in pieces, and leaves bytes that are no text", () =>
    inPlace(async (place) => {
      const noise = Array.from({ length: 3_000 }, (_, index) => String.fromCharCode((index * 31) % 256)).join("");
      const big = Buffer.from(`${noise.repeat(2_000)}${github}${noise.repeat(2_000)}`, "latin1");
      writeFileSync(join(place.dir, "big.bin"), big);

      const { stdout } = spawnSync(process.execPath, [inject("build").program, "redact", "big.bin"], { cwd: place.dir, maxBuffer: 64e6 });

      const at = stdout.indexOf("[redacted:github-token:");
      expect(at).toBe(noise.length * 2_000);
      expect(Buffer.concat([stdout.subarray(0, at), Buffer.from(github), stdout.subarray(at + placeholderLength)]).equals(big)).toBe(true);
    }));

  it("says what to do when a file cannot be read", () =>
    inPlace(async (place) => {
      const { exit, stderr } = await place.lw(["redact", "no-such-file"]);

      expect(exit).toBe(64);
      expect(stderr).toContain("Name a file that you may read");
    }));
});
