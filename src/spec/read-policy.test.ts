import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadPolicy } from "../app/hooks/load-policy.ts";
import { texts } from "../world/files/spec-files.ts";
import { readPolicy } from "./read-policy.ts";

it("reads entries with the line they stand on", () => {
  const text =
    "# ours\ncommands:\n  - decision: deny\n    program: make\n    args: [deploy]\n    why: Only CI deploys.\n  - { decision: allow, rule: git-rebase }\n";

  expect(readPolicy("p.yaml", text, "project")).toEqual({
    kind: "read",
    policy: [
      { decision: "deny", program: "make", args: ["deploy"], why: "Only CI deploys.", owner: "project", from: "p.yaml:3" },
      { decision: "allow", rule: "git-rebase", owner: "project", from: "p.yaml:7" },
    ],
  });
});

it.each([
  ["commands:\n  - { decision: allow }\n", "p.yaml:2  commands[0]: names no rule, program or path, and so would mean everything"],
  ["commands:\n  - { decision: allow, rule: git-rebse }\n", "p.yaml:2  no rule is called git-rebse. Did you mean git-rebase?"],
  ["commands:\n  - { decision: deny, path: '../x' }\n", "p.yaml:2  the path ../x"],
  ["comands: []\n", "p.yaml:1"],
  ["commands: [", "p.yaml:1"],
])("says where a policy is broken: %s", (text, start) => {
  const reading = readPolicy("p.yaml", text, "user");

  expect(reading.kind).toBe("broken");
  expect(reading.kind === "broken" && reading.problems[0]).toContain(start);
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lw-policy-"));
  mkdirSync(join(folder, ".loopwright"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("puts the user's and the project's together", async () => {
  writeFileSync(join(folder, "policy.yaml"), "commands: [{ decision: ask, program: make }]\n");
  writeFileSync(join(folder, ".loopwright/policy.yaml"), "commands: [{ decision: deny, program: make }]\n");

  const reading = await loadPolicy(texts, { user: folder, project: folder });

  expect(reading.kind === "read" && reading.policy.map(({ decision, owner }) => [decision, owner])).toEqual([
    ["ask", "user"],
    ["deny", "project"],
  ]);
});

it("is broken as a whole when one file is", async () => {
  writeFileSync(join(folder, "policy.yaml"), "commands: [{ decision: ask, program: make }]\n");
  writeFileSync(join(folder, ".loopwright/policy.yaml"), "nonsense");

  expect((await loadPolicy(texts, { user: folder, project: folder })).kind).toBe("broken");
});

it("is empty where there is none", async () => {
  expect(await loadPolicy(texts, { user: join(folder, "none"), project: undefined })).toEqual({ kind: "read", policy: [] });
});
