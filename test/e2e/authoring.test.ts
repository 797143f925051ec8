// From a repository to a loop, through the command line.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
import { startModelServer } from "../support/model-server.ts";
import { smallProjects } from "../support/small-projects.ts";

const NODE = smallProjects.find(({ name }) => name === "npm with node --test")!;

const settle = ({ repo }: Place, files: { readonly [path: string]: string }): void => {
  repo.commit("Begin", { files });
};

describe("lw scan", () => {
  it("tells of the repository that a folder is in, and writes nothing", () =>
    inPlace(async (place) => {
      settle(place, NODE.files);

      const told = await place.lw(["scan"], { cwd: `${place.repo.dir}/.github/workflows` });
      const { said } = await place.json(["scan", place.repo.dir]);

      expect(told).toMatchObject({ exit: 0, stderr: "" });
      expect(told.stdout).toContain("npm test  certain CI runs it; a script of the manifest: .github/workflows/ci.yml:7, package.json:5");
      expect(said).toMatchObject({
        isRepository: true,
        scan: { checks: [{ runner: "node", results: { format: "node" } }, {}], branch: { branch: "main" } },
      });
      expect(place.repo.git("status", "--porcelain")).toBe("");
    }));

  it("says so where nothing can be seen", () =>
    inPlace(async (place) => {
      const { exit, stderr } = await place.lw(["scan", "nowhere"]);

      expect([exit, stderr]).toEqual([64, expect.stringContaining("Give a folder that can be read")]);
    }));
});

/** Real baselines of these whenever tests are run; of all whose tools are here, where somebody has the time. */
const USUAL = ["npm with node --test", "Python with unittest", "C with Make"];
const runnable = smallProjects.filter(
  ({ name, tool }) => tool !== undefined && (USUAL.includes(name) || process.env.LOOPWRIGHT_FUZZ === "long"),
);

const hasTool = (tool: string): boolean => {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${tool}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const specOf = ({ repo }: Place): string =>
  join(
    repo.dir,
    ".loopwright",
    `fix-${basename(repo.dir)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")}.loop.yaml`,
  );

describe("lw init", () => {
  it.each(runnable.filter(({ tool }) => hasTool(tool!)))(
    "gives $name a loop whose checks run on base, and changes nothing the second time",
    ({ files, tool }) =>
      inPlace(async (place) => {
        settle(place, files);
        // A toolchain of rustup lies in the home of whoever runs the tests.
        const env = tool === "cargo" ? { HOME: process.env.HOME ?? "" } : {};

        const { said, exit } = await place.json(["init", "--yes"], { cwd: place.repo.dir, env });
        const again = await place.json(["init", "--yes"], { cwd: place.repo.dir });
        const checked = await place.lw(["validate", specOf(place)]);

        expect([exit, said.did, said.tried.kind, said.tried.state]).toEqual([0, "written", "ran", "green"]);
        expect(readFileSync(specOf(place), "utf8")).toBe(said.text);
        expect([again.exit, again.said.did, again.said.diff]).toEqual([0, "unchanged", []]);
        expect(checked.exit).toBe(0);
        expect(existsSync(join(place.home, "journal.db"))).toBe(false);
      }),
  );

  it("gives every one of two dozen kinds of projects a loop that is sound and lints clean, leaves it alone the second time, and what somebody edited", () =>
    inPlace(async (place) => {
      const folder = join(place.dir, "projects");
      const places = smallProjects.map(({ name, files }) => ({ dir: join(folder, name.replaceAll(/[^A-Za-z]+/g, "-")), files }));
      const init = (cwd: string) => place.json(["init", "--yes", "--no-try", "--agent", "claude-code"], { cwd });
      for (const { dir, files } of places) {
        for (const [path, text] of Object.entries(files)) {
          mkdirSync(dirname(join(dir, path)), { recursive: true });
          writeFileSync(join(dir, path), text);
        }
        place.repo.git("init", "-q", "-b", "main", dir);
        place.repo.git("-C", dir, "add", "-A");
        place.repo.git("-C", dir, "commit", "-q", "-m", "Begin");
      }

      const first = await Promise.all(places.map(({ dir }) => init(dir)));
      const { said, exit } = await place.json(["lint", folder]);
      for (const [index, { said: one }] of first.entries()) if (index % 2 === 0) writeFileSync(one.path, `# mine\n${one.text}`);
      const second = await Promise.all(places.map(({ dir }) => init(dir)));

      expect(places.length).toBeGreaterThan(20);
      expect(first.map(({ said: one, exit: code }) => [one.did, code])).toEqual(places.map(() => ["written", 0]));
      expect([exit, said.files.length]).toEqual([0, places.length]);
      expect(second.map(({ said: one }) => [one.did, one.diff])).toEqual(places.map(() => ["unchanged", []]));
      expect(first.map(({ said: one }) => readFileSync(one.path, "utf8"))).toEqual(
        first.map(({ said: one }, index) => (index % 2 === 0 ? `# mine\n${one.text}` : one.text)),
      );
    }));

  it("shows a diff that git can apply, asks, and writes only after a yes; new users find it as new and start", () =>
    inPlace(async (place) => {
      settle(place, NODE.files);
      const around = { cwd: place.repo.dir };

      const no = await place.lw(["new", "--no-try"], { ...around, input: "1\nno\n" });
      const written = existsSync(specOf(place));
      const nobody = await place.lw(["start", "--no-try"], around);
      const yes = await place.lw(["start", "--no-try"], { ...around, input: "2\nyes\nno\n" });
      const text = readFileSync(specOf(place), "utf8");

      expect([no.exit, written, no.stdout.includes("Nothing was written.")]).toEqual([0, false, true]);
      expect([nobody.exit, nobody.stderr.includes("--yes")]).toEqual([64, true]);
      expect([yes.exit, text.includes("use: manual")]).toEqual([0, true]);
      const shown = yes.stdout.slice(yes.stdout.indexOf("--- "), yes.stdout.indexOf("claude-code is not"));
      place.repo.git("clean", "-qfd", ".loopwright");
      writeFileSync(join(place.dir, "shown.diff"), shown);
      place.repo.git("apply", join(place.dir, "shown.diff"));
      expect(readFileSync(specOf(place), "utf8")).toBe(text);
    }));

  it("leads on to a proven change: the loop that it wrote mends a red test", () =>
    inPlace(async (place) => {
      settle(place, { ...NODE.files, "sum.js": "export const sum = (a, b) => a - b;\n" });
      await place.lw(["init", "--yes"], { cwd: place.repo.dir });
      const text = readFileSync(specOf(place), "utf8");
      // The only edit by hand: an agent that is on this machine.
      const mend = "printf 'export const sum = (a, b) => a + b;\\n' > sum.js";
      writeFileSync(specOf(place), text.replace(/^maker: .*$/m, `maker: { use: shell, with: { run: ${JSON.stringify(mend)} } }`));

      const { exit, said } = await place.json(["run", specOf(place)], { cwd: place.repo.dir });

      expect(text).toContain("Tried on base: red in ");
      expect([exit, said.rest.kind]).toEqual([0, "accept"]);
    }));

  it("says what to do where there is no repository", () =>
    inPlace(async (place) => {
      const { exit, stderr } = await place.lw(["init", "--yes"], { cwd: join(place.dir, "user") });

      expect([exit, stderr]).toEqual([64, expect.stringContaining("git init")]);
    }));
});

describe("lw intent", () => {
  it("makes a loop of a sentence that can be run as it is, and leaves a file that is there alone", () =>
    inPlace(async (place) => {
      settle(place, NODE.files);
      const around = { cwd: place.repo.dir };
      const out = [".loopwright/morning.loop.yaml"];

      const written = await place.lw(["intent", "Tell me every morning what landed on main", "--out", ...out], around);
      const again = await place.lw(["intent", "Tell me every evening what landed on main", "--out", ...out], around);
      const ran = await place.json(["run", "morning"], around);
      const unsure = await place.lw(["intent", "Make", "it", "better"], around);

      expect([written.exit, written.stderr.includes("Runner-up: mend")]).toEqual([0, true]);
      expect([again.exit, again.stderr.includes("is there already")]).toEqual([64, true]);
      expect(ran.exit).toBe(0);
      expect([unsure.exit, unsure.stdout, unsure.stderr.includes("--means")]).toEqual([64, "", true]);
    }));

  it("asks the model that is named, and only where the sentence does not say; what that cost is on record", () =>
    inPlace(async (place) => {
      settle(place, NODE.files);
      const says = ["change", "rm -rf", "unsure"];
      const server = await startModelServer((_, n) => ({
        kind: "text",
        text: JSON.stringify({ means: says[n - 1] }),
        usage: { input: 1000, output: 10 },
      }));
      const ask = (sentence: string) =>
        place.lw(["intent", sentence, "--ask-model", "openai-compatible:small", "--base-url", `${server.url}/v1`, "--agent", "codex"], {
          cwd: place.repo.dir,
        });
      try {
        const plain = await ask("Fix the failing tests");
        const askedAfterPlain = server.asked.length;
        const change = await ask("Rename the user service");
        const odd = await ask("Rename the user service");
        const unsure = await ask("Rename the user service");
        const badly = await place.lw(["intent", "Rename it", "--ask-model", "small"], { cwd: place.repo.dir });
        const spent = await place.json(["spend"]);

        expect([plain.exit, askedAfterPlain, plain.stdout.includes("Reads as")]).toEqual([0, 0, false]);
        expect([change.exit, change.stdout.includes("small was asked and read it so"), change.stderr]).toEqual([
          0,
          true,
          expect.stringMatching(/small was asked, for \$0\.\d+: it reads as change/),
        ]);
        expect([odd.exit, unsure.exit, unsure.stderr]).toEqual([64, 64, expect.stringContaining("it could not tell either")]);
        expect([badly.exit, badly.stderr.includes("PROVIDER:MODEL")]).toEqual([64, true]);
        expect(JSON.stringify(spent.said)).toContain("lw-intent");
      } finally {
        await server.close();
      }
    }));
});

describe("lw lint, audit, fmt, mix and fork", () => {
  it("lead from a weak loop to one that is right, and keep what somebody wrote", () =>
    inPlace(async (place) => {
      const file = join(place.dir, "fix.loop.yaml");
      const weak =
        "# ours\nname: fix\nintent: 'Keep main green.'\nlevel: L2\nmaker: {use: claude-code}\nverifiers:\n- use: command # the suite\n  with: {run: npm test || true}\n";
      writeFileSync(file, weak);

      const found = await place.json(["lint", file]);
      const sarif = await place.lw(["lint", file, "--sarif"]);
      const vain = await place.json(["audit", file]);
      const fixed = await place.lw(["lint", file, "--fix"]);
      const unlaid = await place.lw(["fmt", "--check", file]);
      const laid = await place.lw(["fmt", file]);
      const ready = await place.json(["audit", file]);
      const mixed = await place.lw(["mix", file, "careful", "nightly", "--write"]);
      const held = await place.lw(["fork", file, "more", "--set", "budget.usd=$50.00"]);
      const forked = await place.lw(["fork", file, "more", "--set", "budget.usd=$50.00", "--yes"]);
      const short = await place.lw(["minify", file]);
      const text = readFileSync(file, "utf8");

      expect(
        found.said.files[0].findings.map(({ rule, line, col }: { rule: string; line: number; col: number }) => [rule, line, col]),
      ).toEqual([
        ["nothing-can-refuse", 7, 1],
        ["cannot-fail", 8, 15],
      ]);
      expect(JSON.parse(sarif.stdout).runs[0].results[0]).toMatchObject({ ruleId: "nothing-can-refuse", level: "error" });
      expect([found.exit, sarif.exit, vain.exit, vain.said.readyFor]).toEqual([1, 1, 1, null]);
      expect([fixed.exit, unlaid.exit, laid.exit, mixed.exit, held.exit, forked.exit]).toEqual([0, 1, 0, 0, 9, 0]);
      expect([ready.said.bySpec, ready.said.readyFor, ready.exit]).toEqual(["L2", "L1", 1]);
      expect(text.match(/# .*/g)).toEqual(["# ours", "# the suite"]);
      expect(held.stderr).toContain("loosened: budget.usd goes from $5.00 to $50.00");
      expect((await place.lw(["lint", file])).exit).toBe(0);
      expect((await place.lw(["lint", place.dir])).stdout).toContain("is $50.00, and the loop for a day has $20.00");
      expect(short.stdout).not.toContain("#");
    }));
});

describe("lw compose", () => {
  it("makes one loop of two that runs: the second begins with what the first changed, and the checks of both hold for the whole", () =>
    inPlace(async (place) => {
      settle(place, { ...NODE.files, "sum.js": "export const sum = (a, b) => a - b;\n" });
      const loop = (name: string, run: string, check: string) =>
        writeFileSync(
          join(place.dir, `${name}.loop.json`),
          JSON.stringify({
            name,
            intent: `Do ${name}.`,
            level: "L2",
            target: { repo: place.repo.dir, base: "main" },
            maker: { use: "shell", with: { run, spends: "nothing" } },
            verifiers: [{ use: "command", with: { run: check } }],
          }),
        );
      loop("mend", "sed -i 's/a - b/a + b/' sum.js", "node --test");
      loop("mark", "grep -q 'a + b' sum.js && printf '// mended\\n' >> sum.js", "grep -q mended sum.js");
      const cwd = { cwd: place.dir };

      const made = await place.lw(["compose", "both", "mend.loop.json", "mark.loop.json", "--out", "both.loop.yaml"], cwd);
      const elsewhere = await place.lw(["compose", "both", "mend.loop.json", "mark.loop.json", "--out", "x/both.loop.yaml"], cwd);
      const linted = await place.lw(["lint", "both.loop.yaml"], cwd);
      const { exit, said } = await place.json(["run", "both.loop.yaml"], cwd);

      expect([made.exit, elsewhere.exit, linted.exit]).toEqual([0, 64, 0]);
      expect([exit, said.rest.kind]).toEqual([0, "accept"]);
    }));
});
