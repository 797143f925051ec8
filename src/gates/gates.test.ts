import { describe, expect, it } from "vitest";
import type { Command, Finished } from "../contract/commands.ts";
import type { Approval } from "../contract/decision.ts";
import type { GateWorld, Passing } from "../contract/gate.ts";
import type { HttpRequest } from "../contract/net.ts";
import { untrustedText } from "../contract/text.ts";
import { hmacSha256 } from "../std/hash.ts";
import { allowlist } from "./allowlist.ts";
import { ask } from "./ask.ts";
import { command } from "./command.ts";
import { quorum } from "./quorum.ts";
import { webhook } from "./webhook.ts";
import { window } from "./window.ts";

const PASSING: Passing = {
  loop: "fix",
  run: "fix-1",
  intent: "Fix it.",
  level: "L3",
  repo: "/repo",
  folder: "/loops",
  branch: "loopwright/fix-1.1",
  commit: "c",
  tree: "t",
  base: { ref: "main", commit: "b" },
  evidence: {
    proposal: {
      kind: "commit",
      commit: "c",
      tree: "t",
      changes: [{ path: "a.ts", before: undefined, after: undefined }],
      diff: { sha256: "", bytes: 0, truncated: false },
      talk: { ended: "finished", summary: untrustedText("") },
    },
    findings: [],
    proofs: [],
  },
  approvals: [],
  now: new Date("2026-01-05T10:00:00Z"), // a Monday
};
const yes = (...names: readonly string[]): readonly Approval[] => names.map((by) => ({ tree: "t", by, why: "", at: "" }));

const no = () => Promise.reject(new Error("not expected"));
const WORLD: GateWorld = { allowlist: no, proc: { run: no }, http: { send: no }, env: { get: () => undefined } };
type Configuring = {
  readonly configure: (
    options: unknown,
  ) => (passing: Passing, world: GateWorld) => Promise<{ readonly kind: string; readonly why: string }>;
};
const kindOf = async (gate: Configuring, options: object, passing: Partial<Passing> = {}, world: Partial<GateWorld> = {}) =>
  (await gate.configure(options)({ ...PASSING, ...passing }, { ...WORLD, ...world })).kind;

it("asks a human at every level, and is content with one", async () => {
  expect([await kindOf(ask, {}), await kindOf(ask, {}, { approvals: yes("ada") })]).toEqual(["ask", "yes"]);
});

it("counts only the people it names, each once, in whatever case they write themselves", async () => {
  const options = { people: ["Ada", "grace"], needs: 2 };

  expect([
    await kindOf(quorum, options, { approvals: yes("ada", "eve") }),
    await kindOf(quorum, options, { approvals: yes("ada", "ADA") }),
    await kindOf(quorum, options, { approvals: yes("ada", "Grace") }),
  ]).toEqual(["ask", "ask", "yes"]);
  expect(() => quorum.configure({ people: ["ada"], needs: 2 })).toThrow("needs more people than it names");
  expect(() => quorum.configure({ people: ["ada", "ADA"] })).toThrow("must name each person once");
});

it("is open only in its window, whoever said yes", async () => {
  const at = (time: string, options: object = {}) => kindOf(window, options, { approvals: yes("ada"), now: new Date(time) });

  expect([
    await at("2026-01-05T10:00:00Z"),
    await at("2026-01-05T16:00:00Z"),
    await at("2026-01-04T10:00:00Z"),
    await at("2026-01-05T23:30:00Z", { from: "22:00", to: "02:00" }),
    await at("2026-01-05T14:00:00Z", { zone: "America/Los_Angeles" }),
    await at("2026-01-05T10:00:00Z", { zone: "Nowhere/Land" }),
  ]).toEqual(["yes", "no", "no", "yes", "no", "no"]);
});

it("passes what is inside an allowlist, and asks a human about everything else", async () => {
  const ruling = (verdict: "inside" | "outside") => ({
    allowlist: async () => ({
      verdict,
      files: 1,
      lines: 1,
      objections: verdict === "inside" ? [] : [{ rule: "auth", path: "src/auth.ts", why: "it decides" }],
    }),
  });
  const list = { allow: ["docs/**"] };

  expect([
    await kindOf(allowlist, list, {}, ruling("inside")),
    await kindOf(allowlist, list, {}, ruling("outside")),
    await kindOf(allowlist, list, { approvals: yes("ada") }, ruling("outside")),
  ]).toEqual(["yes", "ask", "yes"]);
  expect(() => allowlist.configure({ allow: [] })).toThrow();
});

describe("command", () => {
  const ending = (end: Finished["end"]) => {
    const ran: Command[] = [];
    const proc = {
      run: async (asked: Command): Promise<Finished> => {
        ran.push(asked);
        return {
          end,
          tookMs: 1,
          output: { sha256: "", bytes: 0, truncated: false },
          tail: untrustedText("why not"),
          box: { kind: "none", why: "" },
        };
      },
    };
    return { ran, proc };
  };

  it("is no for everything but exit 0", async () => {
    const ends: readonly Finished["end"][] = [
      { kind: "exited", code: 0 },
      { kind: "exited", code: 1 },
      { kind: "killed", signal: "SIGKILL" },
      { kind: "timed-out", afterMs: 1 },
    ];

    expect(await Promise.all(ends.map((end) => kindOf(command, { run: "x" }, {}, { proc: ending(end).proc })))).toEqual([
      "yes",
      "no",
      "no",
      "no",
    ]);
  });

  it("tells the command the facts, and none of our environment", async () => {
    const { ran, proc } = ending({ kind: "exited", code: 0 });

    await command.configure({ run: "may-merge" })(PASSING, {
      ...WORLD,
      proc,
      env: { get: (name) => ({ PATH: "/bin", SECRET: "s" })[name] },
    });

    expect(ran[0]?.env).toEqual({ PATH: "/bin", LOOPWRIGHT_LOOP: "fix", LOOPWRIGHT_TREE: "t" });
    expect(JSON.parse(ran[0]?.input ?? "")).toMatchObject({
      loop: "fix",
      tree: "t",
      base: { ref: "main", commit: "b" },
      changed: ["a.ts"],
    });
  });
});

describe("webhook", () => {
  const KEY = "shared";
  const env = { get: (name: string) => (name === "GATE" ? KEY : undefined) };
  const options = { url: "https://gate.example.com/x", secret: "GATE" };
  /** A server that answers in its own way, given what it was asked. */
  const server = (
    reply: (asked: { readonly nonce: string; readonly tree: string }) => {
      readonly status?: number;
      readonly body: string;
      readonly signature?: string;
    },
  ) => {
    const seen: HttpRequest[] = [];
    return {
      seen,
      http: {
        send: async (request: HttpRequest) => {
          seen.push(request);
          const { status = 200, body, signature } = reply(JSON.parse(request.body ?? "{}"));
          return { status, body, headers: { "x-loopwright-signature-256": signature ?? `sha256=${hmacSha256(KEY, body)}` } };
        },
      },
    };
  };
  const said = (about: object) => server(({ nonce, tree }) => ({ body: JSON.stringify({ allow: true, nonce, tree, ...about }) }));

  it("takes a signed yes about this very tree", async () => {
    const { seen, http } = said({});

    expect(await kindOf(webhook, options, {}, { http, env })).toBe("yes");
    expect(seen[0]?.headers["x-loopwright-signature-256"]).toBe(`sha256=${hmacSha256(KEY, seen[0]?.body ?? "")}`);
  });

  it.each<[string, ReturnType<typeof server>]>([
    ["a no", said({ allow: false })],
    ["a yes to another tree", said({ tree: "other" })],
    ["an answer that was given before", said({ nonce: "0".repeat(32) })],
    ["an answer without a signature", server(({ nonce, tree }) => ({ body: JSON.stringify({ allow: true, nonce, tree }), signature: "" }))],
    [
      "an answer that somebody else signed",
      server(({ nonce, tree }) => ({ body: JSON.stringify({ allow: true, nonce, tree }), signature: `sha256=${"0".repeat(64)}` })),
    ],
    ["an error", server(() => ({ status: 500, body: "{}" }))],
    ["a redirect", server(() => ({ status: 302, body: "" }))],
    ["what is no JSON", server(() => ({ body: "yes" }))],
    ["allow as a word", said({ allow: "true" })],
  ])("takes %s for a no", async (_, { http }) => {
    expect(await kindOf(webhook, options, { approvals: yes("ada") }, { http, env })).toBe("no");
  });

  it("is closed without its secret, and asked only over https", async () => {
    expect(await kindOf(webhook, options, {}, { http: said({}).http })).toBe("no");
    expect(() => webhook.configure({ url: "http://gate.example.com", secret: "GATE" })).toThrow();
  });
});
