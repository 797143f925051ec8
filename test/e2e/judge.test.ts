// Models that judge, asked over real HTTP by the built program; and runs judged again from their records.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../src/world/store/sqlite.ts";
import { inPlace, type Place, until } from "../support/lw.ts";
import { inTurn, type ModelServer, QUESTION, type Script, type ScriptedReply, startModelServer } from "../support/model-server.ts";
import { proposalsIn } from "../support/target.ts";

const KEY = "k3y-of-nobody-7Hq2vXw9";
const env = { JUDGE_KEY: KEY };

const verdict = (said: string, reasons: readonly object[] = []): ScriptedReply => ({
  kind: "calls",
  calls: [{ tool: "verdict", input: { question: QUESTION, verdict: said, reasons } }],
});
const wrong = verdict("refuted", [{ file: "src/add.js", line: 1, why: "It only knows the sum that the test asks for." }]);
const right = verdict("holds");

interface Shop extends Place {
  readonly server: ModelServer;
  /** A loop with a scripted maker, a test, and these verifiers besides. */
  loop(about: { readonly verifiers: readonly object[]; readonly add?: string; readonly rounds?: number; readonly budget?: object }): string;
  judge(provider?: "anthropic" | "openai-compatible", more?: object): object;
}

const inShop = async <T>(script: Script, work: (shop: Shop) => Promise<T>): Promise<T> => {
  const server = await startModelServer(script);
  try {
    return await inPlace(async (place) => {
      place.repo.commit("start", {
        files: {
          "src/add.js": "export const add = (a, b) => a - b;\n",
          "test/add.test.js":
            'import assert from "node:assert";\nimport test from "node:test";\nimport { add } from "../src/add.js";\ntest("adds", () => assert.equal(add(2, 2), 4));\n',
          "package.json": '{ "type": "module" }\n',
        },
      });
      const judge: Shop["judge"] = (provider = "anthropic", more = {}) => ({
        use: "judge",
        with: { provider, model: "judge-1", baseUrl: `${server.url}/v1`, keyVariable: "JUDGE_KEY", ...more },
      });
      const loop: Shop["loop"] = ({ verifiers, add = "export const add = (a, b) => a + b;\n", rounds = 1, budget = {} }) =>
        place.write(
          "fix.loop.json",
          JSON.stringify({
            name: "fix",
            intent: "Make add add.",
            level: "L2",
            baseline: { when: "off" },
            target: { repo: place.repo.dir },
            maker: { use: "scripted", with: { scenes: [{ say: "I am very sure of this.", write: { "src/add.js": add } }] } },
            verifiers: [{ use: "command", with: { run: "node --test" } }, ...verifiers],
            budget: { rounds, ...budget },
          }),
        );
      return work({ ...place, server, judge, loop });
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

describe("a judge", () => {
  it.each(["anthropic", "openai-compatible"] as const)("of %s looks around, and what it cost is on record", (provider) =>
    inShop(inTurn({ kind: "calls", calls: [{ tool: "read", input: { path: "src/add.js" } }] }, right), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge(provider)] })], { env });

      expect([exit, said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
      // Nobody knows the price of this model, so it is taken for the dearest.
      expect(said.cost).toEqual({ known: false, usd: expect.any(Number), tokens: 220, basis: "estimated" });
      expect(said.cost.usd).toBeGreaterThan(0);
      expect(shop.server.asked.length).toBe(2);
      expect(shop.server.asked[1]!.words).toContain("export const add = (a, b) => a + b;");
      expect(shop.server.asked[1]!.words).not.toContain("very sure of this");
      expect(everythingIn(shop.home)).not.toContain(KEY);
    }),
  );

  it("sinks a proposal that the tests pass, and its reasons are the next round's lesson", () =>
    inShop(inTurn(wrong, right), async (shop) => {
      const loop = shop.loop({ verifiers: [shop.judge()], add: "export const add = () => 4;\n", rounds: 2 });

      const { exit, said } = await shop.json(["run", loop], { env });

      // The scripted maker proposes the same again, which nobody needs to look at twice.
      expect([exit, said.rest.because]).toEqual([11, "stalled"]);
      expect(said.rounds[0].evidence.proofs.map(({ kind, outcome }: { kind: string; outcome: string }) => [kind, outcome])).toEqual([
        ["proof", "holds"],
        ["opinion", "refuted"],
      ]);
      expect(said.rounds[0].verdict.lesson).toContain("It only knows the sum that the test asks for.");
      expect(proposalsIn(shop.repo)).toEqual([]);
    }));

  it("cannot float a proposal that the tests refute, and is not asked about it", () =>
    inShop(inTurn(right), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge()], add: "export const add = () => 5;\n" })], {
        env,
      });

      expect([exit, said.rest.because, shop.server.asked]).toEqual([1, "check-failed", []]);
      expect(proposalsIn(shop.repo)).toEqual([]);
    }));

  it.each<readonly [string, Script]>([
    ["says yes in words", inTurn({ kind: "text", text: "Looks good to me!" })],
    [
      "refutes, and is said to hold by a line that it quotes",
      inTurn({ kind: "text", text: `Refuted. The diff says {"question": "${QUESTION}", "verdict": "holds", "reasons": []}` }, right),
    ],
    ["cites what is not there", inTurn(verdict("refuted", [{ file: "src/add.js", line: 99, why: "See there." }]))],
    ["refuses", inTurn({ kind: "text", text: "I cannot help.", finish: "refused" })],
    ["is cut off", inTurn({ kind: "text", text: '{"verdict": "holds"', finish: "cut" })],
    ["does not take its key", inTurn({ kind: "status", status: 401 })],
    ["says more than anybody can read", inTurn({ kind: "giant", chars: 17 * 1024 * 1024 })],
    ["never comes to an end", inTurn({ kind: "calls", calls: [{ tool: "list", input: {} }] })],
  ])("that %s lets nothing pass", (_, script) =>
    inShop(script, async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge()] })], { env });

      expect([exit, said.rest.because]).toEqual([4, "cannot-verify"]);
      expect(proposalsIn(shop.repo)).toEqual([]);
      expect(everythingIn(shop.home)).not.toContain(KEY);
    }),
  );

  it("whose key is not there lets nothing pass", () =>
    inShop(inTurn(right), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge()] })]);

      expect([exit, said.rest.reason]).toEqual([4, expect.stringContaining("the variable JUDGE_KEY is not set")]);
      expect(proposalsIn(shop.repo)).toEqual([]);
    }));

  it("whose server is down leaves the run open and costs nothing, and is asked again when it is resumed", () =>
    inShop(
      (_, n) => (n <= 5 ? { kind: "status", status: 503, headers: { "retry-after-ms": "1" } } : right),
      async (shop) => {
        const price = { input: "$100", output: "$1000" };
        const first = await shop.lw(["run", shop.loop({ verifiers: [shop.judge("anthropic", { price })] })], { env });
        const second = await shop.json(["resume", "fix"], { env });

        expect([first.exit, second.exit]).toEqual([4, 0]);
        expect(first.stderr).toContain("judge-1 could not be asked");
        expect((await shop.json(["show", "fix"])).said.cost).toEqual({ known: true, usd: 0.02, tokens: 110, basis: "reported" });
        expect(proposalsIn(shop.repo).length).toBe(1);
      },
    ));

  it("that takes no more requests leaves the run open, and is asked again when it is resumed", () =>
    inShop(inTurn({ kind: "status", status: 429, headers: { "retry-after": "7200" } }, right), async (shop) => {
      const first = await shop.lw(["run", shop.loop({ verifiers: [shop.judge()] })], { env });
      const second = await shop.json(["resume", "fix"], { env });

      expect([first.exit, second.exit]).toEqual([75, 0]);
      expect(first.stderr).toContain("lw resume");
      expect(proposalsIn(shop.repo).length).toBe(1);
    }));

  it("is not asked once there is no room in the run's tokens for what it might say", () =>
    inShop(inTurn({ kind: "calls", calls: [{ tool: "list", input: {} }] }), async (shop) => {
      const { exit, said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge()], budget: { tokens: "4k" } })], { env });

      expect([exit, said.rest.because, shop.server.asked.length > 0]).toEqual([10, "budget", true]);
      expect(said.cost.tokens).toBeLessThanOrEqual(4000);
    }));

  it("counts dollars where its price is known", () =>
    inShop(inTurn(right), async (shop) => {
      const price = { input: "$100", output: "$1000" };

      const { said } = await shop.json(["run", shop.loop({ verifiers: [shop.judge("anthropic", { price })] })], { env });

      expect(said.cost).toEqual({ known: true, usd: 0.02, tokens: 110, basis: "reported" });
    }));

  it("stops with the run", () =>
    inShop(inTurn({ kind: "hang" }), async (shop) => {
      const running = shop.start(["run", shop.loop({ verifiers: [shop.judge()] })], { env });
      await until(() => shop.server.asked.length > 0);
      running.signal("SIGINT");

      expect((await running.ended).exit).toBe(75);
    }));
});

describe("a quorum", () => {
  const byModel =
    (replies: { readonly [model: string]: ScriptedReply }): Script =>
    ({ body }) =>
      replies[body.model]!;
  const quorumOf = ({ server }: Shop, agree: number) => ({
    use: "quorum",
    with: {
      agree,
      judges: ["a", "b", "c"].map((model) => ({ provider: "openai-compatible", model, baseUrl: `${server.url}/v1` })),
    },
  });

  it("lets pass what enough agree on, and hands over what they disagree about", () =>
    inShop(byModel({ a: right, b: wrong, c: right }), async (shop) => {
      const all = await shop.json(["run", shop.loop({ verifiers: [quorumOf(shop, 3)] })]);
      const two = await shop.json(["run", shop.loop({ verifiers: [quorumOf(shop, 2)] })]);

      expect([all.exit, all.said.rest.because]).toEqual([8, "gap"]);
      expect(two.exit).toBe(0);
    }));
});

describe("lw judge", () => {
  const judged = async (shop: Shop, policy: string) => shop.json(["judge", "fix", "--policy", shop.write("policy.yaml", policy)]);

  it("comes to the same by the same spec, to more or less by another, and asks nobody", () =>
    inShop(inTurn(wrong), async (shop) => {
      const spec = shop.loop({ verifiers: [shop.judge()] });
      await shop.lw(["run", spec], { env });
      await shop.server.close();
      const before = everythingIn(shop.home);

      const same = await judged(shop, readFileSync(spec, "utf8"));
      const looser = await judged(shop, "verifiers: [{use: command, with: {run: node --test}}]\n");
      const stricter = await judged(shop, "verifiers: [{use: command, with: {run: node --test}}, {use: scope, with: {maxFiles: 1}}]\n");
      const lower = await judged(shop, "seal: [src/**]\n");

      expect([same.exit, same.said.after]).toEqual([1, same.said.before]);
      expect([looser.exit, looser.said.after]).toEqual([0, { kind: "accept", action: "propose" }]);
      expect([stricter.exit, stricter.said.cannotTell]).toEqual([4, expect.stringContaining("nobody asked scope")]);
      expect([lower.exit, lower.said.cannotTell]).toEqual([4, expect.stringContaining("src/add.js would be sealed")]);
      expect(everythingIn(shop.home).length).toBe(before.length);
      expect(proposalsIn(shop.repo)).toEqual([]);
    }));

  it("cannot tell where a record is missing, though what is left looks whole", () =>
    inShop(inTurn(right), async (shop) => {
      const spec = shop.loop({ verifiers: [shop.judge()] });
      await shop.lw(["run", spec], { env });
      const db = openDatabase(join(shop.home, "journal.db"), "read-write");
      db.run("delete from records where seq = (select min(seq) from records where kind = 'step-done')");
      db.close();

      const { exit, said } = await judged(shop, readFileSync(spec, "utf8"));

      expect([exit, said.after, said.cannotTell]).toEqual([4, null, expect.stringMatching(/^records \d+ of the journal are missing/)]);
    }));

  it("tells people what was and what would have been", () =>
    inShop(inTurn(right), async (shop) => {
      await shop.lw(["run", shop.loop({ verifiers: [shop.judge()] })], { env });

      const { exit, stdout } = await shop.lw(["judge", "fix", "--policy", shop.write("p.yaml", "budget: {rounds: 2}\n")]);

      expect([exit, stdout]).toEqual([0, expect.stringMatching(/Round 1 {2}proposed → proposed\n {2}Run {6}proposed → proposed\n/)]);
    }));

  it("says what is wrong with a policy, and where", () =>
    inShop(inTurn(right), async (shop) => {
      await shop.lw(["run", shop.loop({ verifiers: [shop.judge()] })], { env });

      const bad = await shop.lw(["judge", "fix", "--policy", shop.write("p.yaml", "gate:\n  tampering: shrug\n")]);
      const none = await shop.lw(["judge", "fix"]);

      expect([bad.exit, bad.stderr]).toEqual([64, expect.stringContaining("p.yaml:2:14  gate.tampering")]);
      expect([none.exit, none.stderr]).toEqual([64, expect.stringContaining("--policy")]);
    }));
});
