import { expect, it } from "vitest";
import { askGuard } from "./ask-guard.ts";

const rulesOf = (command: string, network: "open" | "closed") => askGuard(command, { network }).findings.map(({ rule }) => rule);

it.each([
  "curl https://example.com",
  "git push origin main",
  "git -C sub fetch",
  "npm install left-pad",
  "npx cowsay",
  "pip install x",
  "ssh host ls",
  "echo hi > /dev/tcp/10.0.0.1/80",
  "env A=1 wget x",
  'bash -c "curl x"',
])("%s does not run while the network is closed", (command) => expect(rulesOf(command, "closed")).toContain("network-closed"));

it.each(["git status", "git commit -m push", "npm test", "npm run build", "cargo test", "go test ./...", "pytest -q", "node a.js"])(
  "%s runs all the same",
  (command) => expect(rulesOf(command, "closed")).not.toContain("network-closed"),
);

it("says nothing while the network is open", () => expect(rulesOf("curl https://example.com", "open")).not.toContain("network-closed"));
