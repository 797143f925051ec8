import { existsSync, readdirSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { barrenWorld, finishedAs } from "../../test/support/fake-world.ts";
import { createProvingGround, type ProvingGround, proveWith } from "../../test/support/proving-ground.ts";
import type { Command } from "../contract/commands.ts";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import type { CommitClaim } from "../contract/verifier.ts";
import type { RoomOrder } from "../contract/workshop.ts";
import { CONDITIONS, chooseConditions } from "./conditions.ts";
import { isomorphic } from "./isomorphic.ts";

let ground: ProvingGround | undefined;
afterEach(() => ground?.remove());

const CLAIM: CommitClaim = {
  proposal: {
    kind: "commit",
    commit: "c0ffee",
    tree: "7ree",
    changes: [],
    diff: { sha256: "", bytes: 0, truncated: false },
    talk: { ended: "finished", summary: untrustedText("") },
  },
  checkout: { work: "/check-1/work", home: "/check-1/home" },
  timeLeftMs: 60_000,
};

async function prove(script: string, options: object = {}) {
  ground = await createProvingGround({ "a.txt": "a\n" }, { "check.sh": script });
  const { outcome, detail } = await proveWith(isomorphic, { run: "sh check.sh", ...options }, ground);
  return { outcome, detail };
}

it("holds when the tests say the same under every condition that can be changed here, and names those that cannot", async () => {
  const { outcome, detail } = await prove("test -f check.sh\n");

  expect(outcome).toBe("holds");
  expect(detail).toMatch(/^the same under (1[5-9]|20) changed conditions: `sh check.sh` exited 0/);
  expect(readdirSync(ground!.copies).filter((name) => name.includes("room"))).toEqual([]);
});

it("finds a gap where a path with a space in it is too much for the tests", async () => {
  expect(await prove("cd $PWD # no quotes\n", { conditions: ["again", "path"] })).toEqual({
    outcome: "gap",
    detail: expect.stringMatching(/^holds under the usual conditions, and not with another checkout path: `sh check\.sh` exited \d/),
  });
});

/** What a command is, put to the test without a shell. */
async function proveFaked(passes: (command: Command & { readonly room: RoomOrder | undefined }) => boolean, conditions: readonly string[]) {
  const orders: RoomOrder[] = [];
  const world: VerifierWorld = {
    ...barrenWorld,
    rooms: {
      ...barrenWorld.rooms,
      open: async (order) => ({ work: `/room-${orders.push(order)}/work`, home: "/room/home" }),
      discard: async () => {},
    },
    proc: {
      async run(command) {
        const room = orders[Number(/^\/room-(\d+)\//.exec(command.cwd)?.[1] ?? 0) - 1];
        return finishedAs({ kind: "exited", code: passes({ ...command, room }) ? 0 : 1 });
      },
    },
  };
  const { outcome, detail } = await proveWith(isomorphic, { run: "npm test", conditions }, { claim: CLAIM, world });
  return { outcome, detail };
}

it.each<readonly [string, string, Parameters<typeof proveFaked>[0]]>([
  ["timezone", "TZ=Pacific/Kiritimati", ({ env }) => env.TZ !== "Pacific/Kiritimati"],
  ["timezone", "TZ=America/St_Johns", ({ env }) => env.TZ !== "America/St_Johns"],
  ["locale", "LC_ALL=C", ({ env }) => env.LC_ALL !== "C"],
  ["hash-seed", "PYTHONHASHSEED=4242", ({ env }) => env.PYTHONHASHSEED !== "4242"],
  ["order", "another order of tests, for the runners that take one from the environment", ({ env }) => env.GOFLAGS === undefined],
  ["parallel", "one test at a time, for the runners that take this from the environment", ({ env }) => env.RUST_TEST_THREADS !== "1"],
  ["timestamps", "files that are 400 days older", ({ room }) => room?.olderByMs === undefined],
  ["umask", "umask 077", ({ run }) => !run.startsWith("umask 077\n")],
  ["ci", "CI not set", ({ env }) => env.CI === "1"],
  ["columns", "COLUMNS=40", ({ env }) => env.COLUMNS !== "40"],
  ["home", "another home and temporary folder", ({ run }) => !run.includes("TMPDIR=")],
])("finds a gap with %s: %s", async (condition, what, passes) => {
  expect(await proveFaked(passes, [condition])).toEqual({
    outcome: "gap",
    detail: `holds under the usual conditions, and not with ${what}: \`npm test\` exited 1`,
  });
});

it("finds a gap with nothing changed at all: the tests are flaky", async () => {
  const flaky = 'd=../../seen; if [ -e "$d" ]; then exit 1; fi; touch "$d"\n';

  expect(await prove(flaky, { conditions: ["again"] })).toEqual({
    outcome: "gap",
    detail: "holds under the usual conditions, and not with nothing changed: `sh check.sh` exited 1",
  });
});

it("finds a gap where other tests pass, though all is green", async () => {
  const shy = 'if [ -n "$CI" ]; then printf "1..2\\nok 1 - a\\nok 2 - b\\n"; else printf "1..2\\nok 1 - a\\nok 2 - b # SKIP\\n"; fi\n';

  expect(await prove(shy, { conditions: ["ci"], results: { format: "tap" } })).toEqual({
    outcome: "gap",
    detail: "with CI not set other tests pass than under the usual conditions (1): b",
  });
});

it("finds a gap where a run fails, even if no test of it says so", async () => {
  const odd = 'printf "1..1\\nok 1 - a\\n"; test -n "$CI"\n';

  expect((await prove(odd, { conditions: ["ci"], results: { format: "tap" } })).outcome).toBe("gap");
});

it("is refuted, and tries nothing else, when the tests fail under the usual conditions", async () => {
  expect(await prove("exit 1\n")).toEqual({ outcome: "refuted", detail: "under the usual conditions `sh check.sh` exited 1" });
  expect(ground!.commands.length).toBe(1);
});

it("does not know when a run cannot be made under a condition", async () => {
  const { outcome, detail } = await prove('[ -n "$CI" ] || kill -KILL $PPID $$\n', { conditions: ["ci"], run: "sh check.sh; exit $?" });

  expect([outcome, detail.split(":")[0]]).toEqual(["unknown", "with CI not set it cannot be told"]);
});

it("leaves a condition alone that the spec settles, and does not hold when none is left", async () => {
  expect(await prove("true\n", { conditions: ["columns"], env: { COLUMNS: "80", LINES: "24" } })).toEqual({
    outcome: "unknown",
    detail: "no condition could be changed: COLUMNS=40 (the spec sets it in `env`)",
  });
});

it("says what this machine cannot do", () => {
  const rest = { run: "go test ./...", pinned: {}, goFlags: "-mod=mod" };
  const none = chooseConditions(CONDITIONS, { ...rest, means: { hasFaketime: false, hasGerman: false, hasTimeout: false } });
  const all = chooseConditions(CONDITIONS, { ...rest, means: { hasFaketime: true, hasGerman: true, hasTimeout: true } });

  expect(none.leftOut).toEqual([
    "LC_ALL=de_DE.UTF-8 (the locale is not installed)",
    "a clock that is 400 days ahead (faketime is not on PATH)",
    "another parent process (there is no timeout that leaves its command in the foreground)",
  ]);
  expect(all.leftOut).toEqual([]);
  expect(all.conditions.find(({ name }) => name === "clock")!.wrap("npm test && echo 'done'")).toBe(
    "faketime -f +400d /bin/sh -c 'npm test && echo '\\''done'\\'''",
  );
  expect(all.conditions.find(({ name }) => name === "order")!.env.GOFLAGS).toBe("-mod=mod -shuffle=on");
});

it("puts the home and the temporary folder where nobody expects them, and makes them", async () => {
  const { outcome } = await prove('[ -z "$TMPDIR" ] || { [ -d "$TMPDIR" ] && [ -d "$HOME" ] && touch "$TMPDIR/x"; }\n', {
    conditions: ["home"],
  });

  expect(outcome).toBe("holds");
  expect(existsSync(ground!.claim.checkout.work)).toBe(true);
});
