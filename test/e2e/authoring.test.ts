// From a repository to a loop, through the command line.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place } from "../support/lw.ts";
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
});
