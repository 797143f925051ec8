// From a repository to a loop, through the command line.
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
