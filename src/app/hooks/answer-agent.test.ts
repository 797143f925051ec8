import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { texts } from "../../world/files/spec-files.ts";
import { askWithin } from "./answer-agent.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-hook-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const work = join(folder, "work");
mkdirSync(join(work, ".loopwright"), { recursive: true });
// A policy that the maker wrote into its own copy, and that nobody can read.
writeFileSync(join(work, ".loopwright", "policy.yaml"), "allow: [[[");

const flags = ["--workspace", work, "--policy", folder, "--level", "L2"];
const decisionOn = async (command: string, at: { readonly workspace?: string } = { workspace: work }, given = flags): Promise<string> =>
  (await askWithin(texts, { cwd: work, env: process.env }, given)(command, at)).decision;

it("allows in the copy what is harmless, by the policy beside the spec and not by the maker's", async () => {
  expect(await decisionOn("echo hi > a.txt")).toBe("allow");
  expect(await decisionOn("echo hi > a.txt", { workspace: work }, [])).toBe("deny");
});

it("keeps to the copy although the agent went elsewhere", async () => {
  expect(await decisionOn("rm -rf .", { workspace: "/" })).toBe("deny");
});

it("denies what it would ask about, because nobody is there", async () => {
  expect(await decisionOn("git push --force origin main")).toBe("deny");
});

it.each([[["--workspace", work]], [["--level", "L9", "--workspace", work, "--policy", folder]], [["--nonsense", "x"]]])(
  "clears nothing with bounds that it cannot read: %j",
  async (given) => {
    await expect(decisionOn("echo hi", { workspace: work }, given)).rejects.toThrow(TypeError);
  },
);
