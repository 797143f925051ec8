// What every connector promises: options that are checked, things that say where they are, and each of them only once.
import { describe, expect, it } from "vitest";
import { dependencyTools } from "../../src/connectors/dependency-tools/index.ts";
import { connectors } from "../../src/connectors/index.ts";
import type { ConnectorWorld, GatherOrder } from "../../src/contract/connector.ts";
import type { ForgeItem } from "../../src/contract/forge.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { askGuard } from "../../src/guard/command/ask-guard.ts";
import { createFakeWorld, finishedAs } from "../support/fake-world.ts";
import { promisesOf } from "../support/part-suite.ts";

const tip = "b".repeat(40);
const AT = "2026-01-01T00:00:00.000Z";
const SARIF = JSON.stringify({ runs: [{ results: [{ ruleId: "r", level: "error", message: { text: "bad" } }] }] });
const OUTDATED = '{"left-pad":{"current":"1.0.0","wanted":"1.3.0","latest":"1.3.0"}}';
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
    async run({ run }, dialogue) {
      await dialogue?.heard(untrustedText(run.startsWith("npm outdated") ? OUTDATED : "one"));
      return finishedAs({ kind: "exited", code: 0 });
    },
  },
  forges: {
    open: async () => ({
      place: "forge.example/octo/app",
      issues: async () => ONE,
      pulls: async () => ONE,
      failures: async ({ isKnown }) => (isKnown(FORGED.id.split(" job ")[0]!) ? { items: [], notes: [] } : ONE),
      releases: async () => ({ items: [{ ...FORGED, isPrerelease: false }], notes: [] }),
      alerts: async () => ({ items: [{ ...FORGED, severity: "high" }], notes: [] }),
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
  dependencies: { ecosystem: "npm", look: ["outdated"] },
  releases: { repo: "octo/app" },
  security: { repo: "octo/app" },
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
    files: { readText: async () => undefined },
    proc: { run: async () => finishedAs({ kind: "exited", code: 2 }, "no such host") },
  };

  for (const name of ["sarif", "junit", "command", "dependencies"]) {
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

/** What a forge tells that has these items, and nothing else. */
const gatherFrom = async (name: string, options: object, items: { readonly [list: string]: readonly object[] }, cursors = {}) => {
  const forge = Object.fromEntries(Object.entries(items).map(([list, some]) => [list, async () => ({ items: some, notes: [] })]));
  const forges = { open: async () => ({ place: "forge.example/octo/app", ...forge }) } as unknown as ConnectorWorld["forges"]; // what it asks
  const brought = await connectors.find((one) => one.name === name)!.configure({ repo: "octo/app", ...options })(
    { ...order, cursors },
    { ...world, forges },
  );
  if (brought.kind !== "things") throw new Error("it brings things");
  return brought;
};

it("tells no old release as new once the newest is deleted, and prereleases only to who wants them", async () => {
  const release = (id: string, isPrerelease = false) => ({ ...FORGED, id, title: untrustedText(id), isPrerelease });
  const [old, beta, newest] = [release("v1"), release("v2-beta", true), release("v2")];

  const first = await gatherFrom("releases", {}, { releases: [newest, beta] });
  const second = await gatherFrom("releases", {}, { releases: [newest, beta, old] }, first.cursors);
  const third = await gatherFrom("releases", {}, { releases: [beta, old] }, second.cursors);
  const other = await gatherFrom("releases", { prereleases: true }, { releases: [beta] });

  expect([first, second, third, other].map(({ things }) => things.map(({ id }) => id))).toEqual([["v2"], ["v1"], [], ["v2-beta"]]);
});

it("tells alerts gravest first, and leaves out none that nobody weighed", async () => {
  const alerts = ["low", "unknown", "critical", "medium", "high"].map((severity) => ({ ...FORGED, id: severity, severity }));

  const { things, source } = await gatherFrom("security", { least: "high" }, { alerts });

  expect([things.map(({ id }) => id), source]).toEqual([
    ["critical", "high", "unknown"],
    "security alerts of forge.example/octo/app from high on",
  ]);
});

describe("dependencies", () => {
  const AUDIT = {
    vulnerabilities: { "left-pad": { via: [{ source: 7, title: "Bad", url: "https://github.com/advisories/GHSA-7", severity: "high" }] } },
  };
  const asking = async (options: object, printed: { readonly [run: string]: string }, code = 1) => {
    const asked: { readonly run: string; readonly cwd: string; readonly env: object }[] = [];
    const proc: ConnectorWorld["proc"] = {
      async run({ run, cwd, env }, dialogue) {
        asked.push({ run, cwd, env });
        for (const line of (printed[run] ?? "").split("\n")) await dialogue?.heard(untrustedText(line));
        return finishedAs({ kind: "exited", code });
      },
    };
    const gather = connectors.find(({ name }) => name === "dependencies")!.configure({ ecosystem: "npm", ...options });
    const brought = await gather(order, { ...world, proc, env: { get: (name) => `our ${name}` } });
    return { brought, asked };
  };

  it("are told with what harms first, each with the address of its advisory or of the version", async () => {
    const { brought, asked } = await asking(
      { in: "web" },
      { "npm audit --json": JSON.stringify(AUDIT, null, 1), "npm outdated --json": OUTDATED },
    );

    expect(brought).toMatchObject({
      source: "dependencies of npm in web",
      things: [
        { title: "left-pad: Bad", address: "https://github.com/advisories/GHSA-7", why: "high, GHSA-7, not mended yet", trust: "outsider" },
        { title: "left-pad 1.0.0 → 1.3.0", address: "https://www.npmjs.com/package/left-pad/v/1.3.0", trust: "outsider" },
      ],
    });
    expect(asked.map(({ cwd, env }) => [cwd, Object.keys(env).includes("NPM_TOKEN")])).toEqual([
      ["/r/web", false],
      ["/r/web", false],
    ]);
  });

  it("are asked for with the command that the spec names", async () => {
    const { asked } = await asking(
      { look: ["vulnerable"], run: { vulnerable: "npm audit --json --omit=dev" } },
      { "npm audit --json --omit=dev": JSON.stringify(AUDIT) },
    );

    expect(asked.map(({ run }) => run)).toEqual(["npm audit --json --omit=dev"]);
  });

  it("are not told to be in order where the tool said something else", async () => {
    await expect(asking({ look: ["vulnerable"] }, { "npm audit --json": '{"error":{"code":"ENOLOCK"}}' })).rejects.toMatchObject({
      code: "gather-failed",
      message: expect.stringContaining("ENOLOCK"),
    });
  });

  it("are asked for by commands that the guard lets through", () => {
    for (const { outdated, vulnerable } of Object.values(dependencyTools))
      expect([outdated.run, vulnerable.run].filter((run) => askGuard(run, { workspace: "/r" }).decision !== "allow")).toEqual([]);
  });
});
