// Models that make changes with tools of ours, asked over real HTTP by the built program in the providers' own wire formats.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place, processesOfRun, until } from "../support/lw.ts";
import {
  type Asked,
  inTurn,
  type ModelServer,
  type Script,
  type ScriptedCall,
  type ScriptedReply,
  startModelServer,
} from "../support/model-server.ts";
import { hashFiles, lookAt, proposalsIn } from "../support/target.ts";

const KEY = "k3y-of-nobody-9Tq5vZw2";
const env = { MAKER_KEY: KEY };
const PROVIDERS = ["anthropic", "openai-compatible", "ollama", "nvidia"] as const;

const call = (tool: string, input: unknown): ScriptedCall => ({ tool, input });
const calls = (...all: readonly ScriptedCall[]): ScriptedReply => ({ kind: "calls", calls: all });
const MEND = call("patch", { path: "src/add.js", old: "a - b", new: "a + b" });
const FINISH = calls(call("finish", { summary: "It adds now, I am very sure." }));

interface Shop extends Place {
  readonly server: ModelServer;
  loop(about?: { readonly provider?: (typeof PROVIDERS)[number]; readonly options?: object; readonly more?: object }): string;
}

const inShop = async <T>(script: Script, work: (shop: Shop) => Promise<T>, prepare: (place: Place) => void = () => {}): Promise<T> => {
  const server = await startModelServer(script);
  try {
    return await inPlace(async (place) => {
      place.repo.write("src/add.js", "export const add = (a, b) => a - b;\n");
      place.repo.write(
        "test/add.test.js",
        'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "../src/add.js";\ntest("adds", () => assert.equal(add(2, 2), 4));\n',
      );
      place.repo.write("package.json", '{ "type": "module" }\n');
      prepare(place);
      place.repo.commit("start");
      const loop: Shop["loop"] = ({ provider = "anthropic", options = {}, more = {} } = {}) =>
        place.write(
          "fix.loop.json",
          JSON.stringify({
            name: "fix",
            intent: "Make add add.",
            level: "L2",
            baseline: { when: "off" },
            target: { repo: place.repo.dir },
            maker: {
              use: provider,
              with: {
                model: "maker-1",
                baseUrl: `${server.url}/v1`,
                ...(provider === "ollama" ? {} : { keyVariable: "MAKER_KEY", price: { input: "$1", output: "$2" } }),
                ...options,
              },
            },
            verifiers: [{ use: "command", with: { run: "node --test test/add.test.js" } }],
            budget: { rounds: 1, tokens: "20M" },
            ...more,
          }),
        );
      return work({ ...place, server, loop });
    });
  } finally {
    await server.close();
  }
};

/** Every byte that lw keeps. */
const everythingIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, "latin1"))
    .join("\n");

/** What its tools told the model before this request, one text a call. */
function resultsIn({ wire, body }: Asked): readonly string[] {
  if (wire === "anthropic") {
    const blocks: readonly { readonly type: string; readonly content: unknown }[] = body.messages.at(-1).content;
    return blocks.filter(({ type }) => type === "tool_result").map(({ content }) => JSON.stringify(content));
  }
  const messages: readonly { readonly role: string; readonly content: string }[] = body.messages;
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).map(({ content }) => content);
}

const changeIn = ({ repo }: Place): string => repo.git("diff", "--name-status", "main", proposalsIn(repo)[0] ?? "main");

describe("a model", () => {
  it.each(PROVIDERS)("of %s mends a file, and the loop proves and proposes it", (provider) =>
    inShop(
      inTurn(
        { kind: "calls", text: "I look first.", calls: [call("list", {}), call("read", { path: "src/add.js" })] },
        calls(MEND, call("run", { command: "node --test" })),
        FINISH,
      ),
      async (shop) => {
        const before = lookAt(shop.repo);

        const { exit, said, stderr } = await shop.json(["run", shop.loop({ provider })], { env });

        expect([exit, said.rest], stderr).toEqual([0, { kind: "accept", action: "propose" }]);
        expect(changeIn(shop)).toBe("M\tsrc/add.js");
        expect(lookAt(shop.repo)).toEqual(before);
        expect(said.cost.tokens).toBe(330);
        const [{ evidence }] = said.rounds;
        expect(evidence.proposal.talk).toMatchObject({
          ended: "finished",
          heard: { counts: { text: 1, "tool-call": 5, "file-change": 1, usage: 3 } },
        });
        expect(shop.server.asked.map(({ isStreamed }) => isStreamed)).toEqual([true, true, true]);
        expect(resultsIn(shop.server.asked[1]!).join()).toContain("export const add = (a, b) => a - b;");
        expect(resultsIn(shop.server.asked[2]!).join()).toMatch(/pass 1/);
        expect(everythingIn(shop.home)).not.toContain(KEY);
        expect(shop.server.asked.map(({ words }) => words).join()).not.toContain(KEY);
        const told = [["show"], ["show", "--report"], ["receipt", "show"]].map(([name = "", ...more]) => shop.lw([name, ...more, "fix"]));
        const model = shop.server.asked[0]!.body.model as string;
        expect((await Promise.all(told)).map(({ stdout }) => stdout)).toEqual([
          expect.stringContaining(`models   ${provider}: ${model}\n`),
          expect.stringContaining(`- Model of ${provider}: ${model}\n`),
          expect.stringMatching(new RegExp(`^ *model +${model}$`, "m")),
        ]);
        if (provider === "anthropic") {
          const { system, messages } = shop.server.asked[2]!.body;
          const marked = [system.at(-1), messages[0].content.at(-1), messages.at(-1).content.at(-1)];
          expect(marked.map(({ cache_control }) => cache_control)).toEqual(Array(3).fill({ type: "ephemeral" }));
        }
      },
    ),
  );

  it("that claims success without it is refused, and what it says counts for nothing", () =>
    inShop(inTurn(calls(call("write", { path: "src/add.js", text: "export const add = () => 5;\n" })), FINISH), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop()], { env });

      expect([exit, said.rest.because]).toEqual([1, "check-failed"]);
      expect(proposalsIn(shop.repo)).toEqual([]);
    }));

  it("that asks is handed over with its question", () =>
    inShop(inTurn(calls(call("ask", { question: "Which add do you mean?" }))), async (shop) => {
      const { exit, stdout, said } = await shop.json(["run", shop.loop()], { env });

      expect([exit, said.rest.because]).toEqual([9, expect.any(String)]);
      expect(stdout).toContain("Which add do you mean?");
    }));

  it.each(["anthropic", "openai-compatible"] as const)(
    "of %s that replies in every malformed way is asked again, and gets there",
    (provider) =>
      inShop(
        inTurn(
          { kind: "text", text: "Let me think about this." },
          { kind: "calls", calls: [{ tool: "read", input: '{"path": ' }] },
          calls(call("teleport", { to: "mars" }), call("patch", { path: "src/add.js" })),
          { kind: "text", text: '{"tool": "read", "input": {"path": "src/a', finish: "cut" },
          { kind: "text", text: "<think>I should patch it</think>" },
          { kind: "text", text: 'Sure!\n```json\n{"name": "read_file", "arguments": {"path": "src/add.js"}}\n```' },
          {
            kind: "text",
            text: `<think>{"tool": "finish"}</think>{"tool": "patch", "input": ${JSON.stringify(MEND.input)}}`,
            usage: "none",
          },
          FINISH,
        ),
        async (shop) => {
          const { exit, said } = await shop.json(["run", shop.loop({ provider })], { env });

          expect([exit, said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
          expect(shop.server.asked.length).toBe(8);
          // One reply was not counted by its server: then it is estimated, and more than nothing.
          expect(said.cost.tokens).toBeGreaterThan(7 * 110);
        },
      ),
  );

  it("whose server fails in every passing way is asked again", () =>
    inShop(
      inTurn(
        { kind: "status", status: 429, headers: { "retry-after": "1" } },
        { kind: "status", status: 500 },
        { kind: "cut", text: "I am about to" },
        calls(MEND),
        { kind: "status", status: 503 },
        FINISH,
      ),
      async (shop) => {
        const { exit } = await shop.json(["run", shop.loop()], { env });

        expect([exit, shop.server.asked.length]).toEqual([0, 6]);
      },
    ));

  it("that takes no more leaves the round open with the time when it will, and goes on with the same round", () => {
    let isOpen = false;
    const mend = inTurn(calls(MEND), FINISH);
    let n = 0;
    const script: Script = (asked) => (isOpen ? mend(asked, ++n) : { kind: "status", status: 429, headers: { "retry-after": "7200" } });
    return inShop(script, async (shop) => {
      const first = await shop.lw(["run", shop.loop()], { env });
      isOpen = true;
      const second = await shop.lw(["resume", "fix"], { env });
      const { said } = await shop.json(["show", "fix"]);

      expect([first.exit, second.exit]).toEqual([75, 0]);
      expect(first.stderr).toMatch(/limit: maker-1 takes no more requests[\s\S]*It passes at 20\d\d-.*budget\.patience/);
      expect([said.rounds.length, said.rest]).toEqual([1, { kind: "accept", action: "propose" }]);
    });
  });

  it("whose limit passes within the patience of the spec goes on by itself", () => {
    const limit: ScriptedReply = { kind: "status", status: 429, headers: { "retry-after": "6" } };
    return inShop(inTurn(limit, calls(MEND), FINISH), async (shop) => {
      const loop = shop.loop({ options: { timeout: "5s" }, more: { budget: { rounds: 1, tokens: "20M", patience: "1m" } } });

      const { exit, said } = await shop.json(["run", loop], { env });

      expect([exit, said.rounds.length, shop.server.asked.length]).toEqual([0, 1, 3]);
    });
  });

  it("is not asked once the run's tokens are spent", () =>
    inShop(inTurn(calls(call("list", {}))), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ more: { budget: { rounds: 1, tokens: "6k" } } })], { env });

      expect([exit, said.rest.because]).toEqual([10, "budget"]);
      expect(shop.server.asked.length).toBeLessThan(60);
    }));

  it("without its key, or at an address where nobody is, ends the run and says what is missing", () =>
    inShop(inTurn(FINISH), async (shop) => {
      const keyless = await shop.json(["run", shop.loop()]);

      expect([keyless.exit, JSON.stringify(keyless.said.rest)]).toEqual([4, expect.stringContaining("the variable MAKER_KEY is not set")]);
      expect(shop.server.asked).toEqual([]);
    }));
});

it("reads a file of more than a million tokens by ranges, and never sends more than its context", () => {
  const reads = [1, 40_000, 79_990].map((from) => calls(call("read", { path: "data/huge.txt", from })));
  const script = inTurn(
    ...reads,
    calls(call("search", { text: "line 77777 " }), call("read", { path: "data/one-line.txt" })),
    calls(MEND),
    FINISH,
  );
  return inShop(
    script,
    async (shop) => {
      const { exit } = await shop.json(["run", shop.loop({ options: { context: "30k" } })], { env });

      expect(exit).toBe(0);
      expect(Math.max(...shop.server.asked.map(({ words }) => words.length))).toBeLessThan(110_000);
      expect(resultsIn(shop.server.asked[3]!).join()).toMatch(
        /79990\\tline 79990 [\s\S]*it has 80000 lines|it has 80000 lines[\s\S]*line 79990 /,
      );
      expect(resultsIn(shop.server.asked[4]!).join()).toMatch(/data\/huge\.txt:77777[\s\S]*the line goes on: read it with offset/);
    },
    ({ repo }) => {
      repo.write(
        "data/huge.txt",
        `${Array.from({ length: 80_000 }, (_, index) => `line ${index + 1} ${"of many ".repeat(6)}`).join("\n")}\n`,
      );
      repo.write("data/one-line.txt", "x".repeat(4_000_000));
    },
  );
});

describe("an action outside the copy", () => {
  const paths = (outside: string): readonly string[] => [
    "../outside.txt",
    "../../outside.txt",
    "src/../../outside.txt",
    outside,
    `/${outside}`,
    "/etc/passwd",
    "~/outside.txt",
    "..\\outside.txt",
    "C:/outside.txt",
    "src/add.js\u0000.txt",
    "src/a\nb.js",
    ".git/config",
    ".git",
    ".GIT/config",
    ".git./config",
    ".git /config",
    ".g\u200cit/config",
    "．ｇｉｔ/config",
    "git~1/config",
    "sub/.git/config",
    "out/outside.txt",
    "abs/outside.txt",
    "leak.txt",
    "dangling/x.txt",
    "inner/add.js",
    "made-inner/add.js",
    "",
    ".",
    "src",
    "x".repeat(300),
    // Sealed, or of the loop itself.
    "test/add.test.js",
    "package.json",
    ".loopwright/policy.yaml",
  ];

  it("is refused in every variant with a reason, and nothing outside is changed", () => {
    let outside = "";
    const script: Script = (_, n) => {
      if (n === 1) return calls(call("run", { command: "ln -s src made-inner" }), call("run", { command: "rm -rf ~/" }));
      const writes = paths(outside).map((path) => call("write", { path, text: "evil" }));
      const others = paths(outside)
        .slice(0, 30)
        .map((path, index) => call(["read", "delete", "patch"][path === "leak.txt" ? 0 : index % 3]!, { path, old: "e", new: "x" }));
      const moves = paths(outside)
        .slice(0, 26)
        .map((path) => call("move", { from: "src/add.js", to: path }));
      const all = [...writes, ...others, ...moves];
      const next = all.slice((n - 2) * 15, (n - 1) * 15);
      if (next.length > 0) return calls(...next);
      return n - 1 === Math.ceil(all.length / 15) + 1 ? calls(MEND, call("delete", { path: "made-inner" })) : FINISH;
    };
    return inShop(
      script,
      async (shop) => {
        const before = [lookAt(shop.repo), hashFiles(join(shop.dir, "outside")), hashFiles(join(shop.dir, "user"))];

        const { exit, said, stderr } = await shop.json(["run", shop.loop()], { env });

        expect(exit, stderr + JSON.stringify(said.rest)).toBe(0);
        expect([lookAt(shop.repo), hashFiles(join(shop.dir, "outside")), hashFiles(join(shop.dir, "user"))]).toEqual(before);
        const results = shop.server.asked.slice(2, -1).flatMap(resultsIn);
        expect(results.length).toBe(33 + 30 + 26);
        expect(results.filter((result) => !result.includes("Not done: "))).toEqual([]);
        expect(results.filter((result) => result.includes("sealed")).length).toBe(2);
        expect(resultsIn(shop.server.asked[1]!)[1]).toContain("the guard did not let this run");
        expect(changeIn(shop)).toBe("M\tsrc/add.js");
        expect(said.rounds[0].evidence.proposal.talk.heard.counts.refused).toBe(1 + 33 + 30 + 26);
      },
      ({ repo, dir }) => {
        mkdirSync(join(dir, "outside"));
        outside = join(dir, "outside", "outside.txt");
        writeFileSync(outside, "secret\n");
        repo.write("sub/keep.txt", "kept\n");
        symlinkSync(join(dir, "outside"), join(repo.dir, "abs"));
        symlinkSync("../outside", join(repo.dir, "out"));
        symlinkSync(outside, join(repo.dir, "leak.txt"));
        symlinkSync("../nowhere", join(repo.dir, "dangling"));
        symlinkSync("src", join(repo.dir, "inner"));
      },
    );
  });
});

describe("lw, killed without a word", () => {
  it.each([
    ["while the model is asked", calls(call("list", {})), { kind: "hang" } as const],
    ["while a command of the model runs", calls(call("run", { command: "touch began && sleep 300" })), undefined],
  ])("%s, leaves nothing running, and goes on when it is resumed", (_, first, then) => {
    let isKilled = false;
    let n = 0;
    const good = inTurn(calls(MEND), FINISH);
    const bad = then ? inTurn(first, then) : inTurn(first);
    const script: Script = (asked, count) => (isKilled ? good(asked, ++n) : bad(asked, count));
    return inShop(script, async (shop) => {
      const running = shop.start(["run", shop.loop()], { env });
      const began = (): boolean =>
        then !== undefined ||
        (existsSync(shop.home) && readdirSync(shop.home, { recursive: true, encoding: "utf8" }).some((name) => name.endsWith("/began")));
      await until(() => shop.server.asked.length >= (then ? 2 : 1) && began());
      const { said: status } = await shop.json(["status"]);
      const run = JSON.stringify(status).match(/fix-1-[a-z0-9]+/)![0];
      const was = processesOfRun(run).length;

      running.signal("SIGKILL");
      await running.ended;
      await until(() => processesOfRun(run).length === 0);
      isKilled = true;
      const resumed = await shop.json(["resume", "fix"], { env });

      if (!then) expect(was).toBeGreaterThan(0);
      expect([resumed.exit, changeIn(shop)]).toEqual([0, "M\tsrc/add.js"]);
    });
  });
});

it("has its key and its server looked for by the doctor, and nobody far away is asked", () =>
  inPlace(async (place) => {
    const { said } = await place.json(["doctor"], { env: { ANTHROPIC_API_KEY: KEY } });

    const checks = said.checks.filter(({ name }: { readonly name: string }) => name.startsWith("model "));
    expect(checks.map(({ name, result }: { readonly name: string; readonly result: string }) => [name, result])).toEqual([
      ["model anthropic", "ok"],
      ["model openai-compatible", "unknown"],
      ["model ollama", expect.stringMatching(/^(ok|missing)$/)],
      ["model nvidia", "missing"],
    ]);
    expect(JSON.stringify(checks)).toContain("NVIDIA_API_KEY is not set");
    expect(JSON.stringify(checks)).not.toContain(KEY);
  }));
