// What every connector promises: options that are checked, things that say where they are, and each of them only once.
import { describe, expect, it } from "vitest";
import { connectors } from "../../src/connectors/index.ts";
import type { ConnectorWorld, GatherOrder } from "../../src/contract/connector.ts";
import type { ForgeItem } from "../../src/contract/forge.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { createFakeWorld, finishedAs } from "../support/fake-world.ts";
import { promisesOf } from "../support/part-suite.ts";

const tip = "b".repeat(40);
const AT = "2026-01-01T00:00:00.000Z";
const SARIF = JSON.stringify({ runs: [{ results: [{ ruleId: "r", level: "error", message: { text: "bad" } }] }] });
const JUNIT = '<testsuite name="s"><testcase name="t"><failure/></testcase></testsuite>';

const FORGED: ForgeItem = {
  id: "forge.example/octo/app run 1.1 job 2",
  title: untrustedText("t"),
  trust: "outsider",
  at: AT,
  address: "https://forge.example/1",
  says: untrustedText("by ada"),
};
const ONE = { items: [FORGED], notes: [] };

/** A world in which there is one of everything. */
const { world: bare } = createFakeWorld({ files: [{ path: "a.md", mode: "100644", blob: "c" }], texts: { "a.md": "text" } });
const world: ConnectorWorld = {
  git: {
    ...bare.git,
    resolve: async () => tip,
    headName: async () => "main",
    commitsThatExist: async (_repo, ids) => new Set(ids),
    walk: async (_repo, { ref, cursor }) => ({ ref, tip, commits: [], notes: cursor === tip ? [] : ["read"] }),
  },
  scout: {
    branches: async () => ({ branches: [{ ref: "refs/heads/done", tip, at: AT, author: untrustedText("Ada"), isIn: true }], all: 1 }),
    linesWith: async () => ({ lines: [{ path: "a.ts", line: 1, text: untrustedText("// TODO x") }], isWhole: true }),
    blame: async () => [{ commit: tip, author: untrustedText("Ada"), at: AT }],
  },
  proc: {
    async run(_command, dialogue) {
      await dialogue?.heard(untrustedText("one"));
      return finishedAs({ kind: "exited", code: 0 });
    },
  },
  forges: {
    open: async () => ({
      place: "forge.example/octo/app",
      issues: async () => ONE,
      pulls: async () => ONE,
      failures: async ({ isKnown }) => (isKnown(FORGED.id.split(" job ")[0]!) ? { items: [], notes: [] } : ONE),
    }),
  },
  files: { readText: async (path) => (path.endsWith(".sarif") ? SARIF : JUNIT) },
  env: { get: () => undefined },
  async talk(_entry, work) {
    const answer = async () => ({ text: untrustedText("one"), isError: false });
    return { value: await work({ tools: async () => [], call: answer, read: answer }), refused: [], box: { kind: "unused" } };
  },
};
const order: GatherOrder = { repo: "/r", baseRef: "main", cursors: {}, nowMs: Date.parse(AT), folder: "/", loop: "watch" };

/** Options with which each connector gathers; a new one adds its own here. */
const HAPPY: { readonly [connector: string]: unknown } = {
  commits: {},
  branches: {},
  todos: {},
  files: { paths: ["**/*.md"] },
  sarif: { file: "scan.sarif" },
  junit: { file: "junit.xml" },
  command: { run: "./tickets" },
  issues: { repo: "octo/app" },
  "pull-requests": { repo: "octo/app" },
  ci: { repo: "octo/app" },
  mcp: { server: { name: "tracker", run: "./server" }, calls: [{ tool: "list" }] },
};

it("gives every connector a name of its own", () => {
  expect(new Set(connectors.map(({ name }) => name)).size).toBe(connectors.length);
});

describe.each(connectors.map((connector) => [connector.name, connector] as const))("%s", (name, connector) => {
  promisesOf(connector);
  if (name === "commits") return;

  it("brings what is new, once, in a form that can be kept as JSON", async () => {
    const gather = connector.configure(HAPPY[name]);

    const first = await gather(order, world);
    if (first.kind !== "things") throw new Error("it brings things");
    const second = await gather({ ...order, cursors: first.cursors }, world);

    expect(first.things).toHaveLength(1);
    expect(JSON.parse(JSON.stringify(first))).toEqual(first);
    expect(second).toEqual({ ...first, things: [], cursors: first.cursors });
    // No ref has a colon in its name: what is remembered of a source is never taken for how far a ref was read.
    expect(Object.keys(first.cursors).every((key) => /^[a-z-]+:/.test(key))).toBe(true);
  });
});

it("throws with a hint where a file or a command is not as the spec says", async () => {
  const failing: ConnectorWorld = {
    ...world,
    forges: {
      open: async () => ({
        place: "forge.example/octo/app",
        issues: async () => ONE,
        pulls: async () => ONE,
        failures: async ({ isKnown }) => (isKnown(FORGED.id.split(" job ")[0]!) ? { items: [], notes: [] } : ONE),
      }),
    },
    files: { readText: async () => undefined },
    proc: { run: async () => finishedAs({ kind: "exited", code: 2 }, "no such host") },
  };

  for (const name of ["sarif", "junit", "command"]) {
    const gather = connectors.find((connector) => connector.name === name)!.configure(HAPPY[name]);
    await expect(gather(order, failing)).rejects.toMatchObject({ code: "gather-failed", hint: expect.stringMatching(/\.$/) });
  }
});

it("reads JSON lines of a command, and takes no address that is no web address", async () => {
  const lines = ['{"title":"T","id":"1","body":"B","url":"https://x.example/1"}', '{"title":"U","url":"javascript:alert(1)"}', "[1]", ""];
  const speaking: ConnectorWorld = {
    ...world,
    proc: {
      async run(_command, dialogue) {
        for (const line of lines) await dialogue?.heard(untrustedText(line));
        return finishedAs({ kind: "exited", code: 0 });
      },
    },
  };
  const gather = connectors.find(({ name }) => name === "command")!.configure({ run: "x", name: "tickets", form: "json" });

  expect(await gather(order, speaking)).toMatchObject({
    source: "tickets",
    things: [{ id: "1", title: "T", body: "B", address: "https://x.example/1", trust: "outsider" }, { title: "U" }],
    notes: ["1 line(s) are no JSON object with a title"],
  });
});
