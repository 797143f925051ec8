import { describe, expect, it } from "vitest";
import type { ForgeFact } from "../../contract/scan.ts";
import { productionLoops } from "../../patterns/production.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { builtIn } from "../crew.ts";
import { boundLoop, planPattern } from "./init-pattern.ts";
import { lintLoop } from "./lint-files.ts";

const forgeAt = (forge: ForgeFact["forge"], host: string): ForgeFact => ({
  forge,
  host,
  repository: "octo/app",
  sure: "certain",
  because: "",
  seen: [],
});
const GITHUB = forgeAt("github", "github.com");
const MANAGERS = [
  { manager: "npm", folder: "", sure: "certain" },
  { manager: "cargo", folder: "core", sure: "certain" },
  { manager: "npm", folder: "guessed", sure: "guessed" },
  { manager: "pip", folder: "py", sure: "certain" },
  { manager: "yarn", folder: "old", sure: "certain" },
] as const;
const seen = (forge: ForgeFact | undefined, base = "main") =>
  ({ root: "/repo", scan: { branch: { branch: base }, forge, managers: MANAGERS } }) as unknown as Parameters<typeof planPattern>[0]; // what a plan goes by
const empty = { readText: async () => undefined };

describe.each(productionLoops.map((loop) => [loop.name, loop] as const))("%s", (name, loop) => {
  it("is a sound loop of the level and name it says, against which the lint has nothing that weighs, whatever base is called", () => {
    for (const base of ["main", "feature/it's#1"]) {
      const text = boundLoop(loop, { base, forge: GITHUB, managers: MANAGERS });
      const reading = readSpec(`${name}.loop.yaml`, text, builtIn);

      expect(reading).toMatchObject({ kind: "read", spec: { name, level: loop.level, target: { base } } });
      expect(lintLoop(`${name}.loop.yaml`, text, builtIn).findings.filter(({ weight }) => weight === "error")).toEqual([]);
    }
  });

  it("says what it reads as its spec does", () => {
    const places = { repository: [], forge: ["{{place}}"], dependencies: ["{{dependencies}}"] };
    expect(loop.text.match(/\{\{(?!base)\w+\}\}/g) ?? []).toEqual(places[loop.reads]);
  });
});

it("names the forge's repository, and for a server of one's own where it is and the token", async () => {
  const specOf = async (forge: ForgeFact) => {
    const { text } = await planPattern(seen(forge), "issue-triage", empty);
    const reading = readSpec("issue-triage.loop.yaml", text, builtIn);
    return reading.kind === "read" ? reading.spec.gather[0]?.with : reading.problems;
  };

  expect(await specOf(GITHUB)).toMatchObject({ forge: "github", repo: "octo/app" });
  expect(await specOf(forgeAt("github", "github.example.com"))).toMatchObject({
    api: "https://github.example.com/api/v3",
    token: "GITHUB_TOKEN",
  });
  expect(await specOf(forgeAt("gitlab", "gitlab.example.com"))).toMatchObject({
    forge: "gitlab",
    api: "https://gitlab.example.com",
    token: "GITLAB_TOKEN",
  });
});

it("asks every package manager that was surely seen and can be asked, and says where there is none", async () => {
  const { text } = await planPattern(seen(undefined), "dependency-sweeper", empty);
  const reading = readSpec("dependency-sweeper.loop.yaml", text, builtIn);

  expect(reading.kind === "read" && reading.spec.gather.map(({ with: asked }) => asked)).toMatchObject([
    { ecosystem: "npm" },
    { ecosystem: "cargo", in: "core" },
  ]);
  const none = { root: "/repo", scan: { managers: MANAGERS.slice(2) } } as unknown as Parameters<typeof planPattern>[0]; // what a plan goes by
  await expect(planPattern(none, "dependency-sweeper", empty)).rejects.toMatchObject({
    code: "bad-input",
    hint: expect.stringContaining("pip"),
  });
});

it("leaves a loop that is there as it is", async () => {
  expect(await planPattern(seen(undefined), "daily-triage", { readText: async () => "mine\n" })).toMatchObject({
    kind: "unchanged",
    text: "mine\n",
  });
});

it("refuses what it does not know, and a forge that is none, with what to do", async () => {
  await expect(planPattern(seen(undefined), "daily-triag", empty)).rejects.toMatchObject({
    code: "bad-input",
    hint: "Did you mean daily-triage?",
  });
  await expect(planPattern(seen(undefined), "ci-sweeper", empty)).rejects.toMatchObject({
    hint: expect.stringContaining("daily-triage, post-merge-cleanup"),
  });
  await expect(planPattern(seen(forgeAt("bitbucket", "bitbucket.org")), "ci-sweeper", empty)).rejects.toMatchObject({
    message: expect.stringContaining("bitbucket.org"),
  });
});
