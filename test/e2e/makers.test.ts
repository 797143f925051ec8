// Several makers for one loop, and several loops on one account: a limit that one agent reports is heard by all.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inPlace, type Place, UNBOXED } from "../support/lw.ts";

/** Claude Code as it prints in stream-json: it begins, changes a file, and is turned away by its five-hour limit. */
const LIMITED_CLAUDE = `#!/bin/sh
cat > /dev/null
echo called >> "$LOOPWRIGHT_MARKS"
resets=$(($(date +%s) + 3600))
echo '{"type":"system","subtype":"init","session_id":"5e55"}'
echo '{"type":"assistant","message":{"id":"m1","model":"claude-sonnet-4-5","content":[{"type":"tool_use","name":"Write","input":{"file_path":"half.txt"}}],"usage":{"input_tokens":10,"output_tokens":5}}}'
echo half > half.txt
echo '{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":'$resets',"rateLimitType":"five_hour"}}'
echo '{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
exit 1
`;

/** The same when it works: it does all that is asked, in one call. */
const GOOD_CLAUDE = `#!/bin/sh
cat > /dev/null
echo called >> "$LOOPWRIGHT_MARKS"
echo right > value.txt
echo '{"type":"system","subtype":"init","session_id":"5e56"}'
echo '{"type":"assistant","message":{"id":"m1","model":"claude-sonnet-4-5","content":[{"type":"tool_use","name":"Write","input":{"file_path":"value.txt"}}],"usage":{"input_tokens":10,"output_tokens":5}}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done.","usage":{"input_tokens":10,"output_tokens":5},"total_cost_usd":0.01}'
`;

const CLAUDE = { use: "claude-code", with: { inherit: ["LOOPWRIGHT_MARKS"] } };
const scripted = (...scenes: readonly object[]): object => ({ use: "scripted", with: { scenes } });
const RIGHT = scripted({ write: { "value.txt": "right\n" } });

const loopOf = (place: Place, name: string, maker: unknown): string =>
  place.write(
    `${name}.loop.json`,
    JSON.stringify({
      name,
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker,
      verifiers: [{ use: "command", with: { run: "grep -x right value.txt" } }],
      baseline: { when: "off" },
      box: UNBOXED,
    }),
  );

const inShop = <T>(work: (place: Place, around: { readonly env: { readonly [name: string]: string } }) => Promise<T>): Promise<T> =>
  inPlace((place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    place.writeProgram("bin/claude", LIMITED_CLAUDE);
    place.write("marks", "");
    const env = { PATH: `${join(place.dir, "bin")}:${process.env.PATH ?? ""}`, LOOPWRIGHT_MARKS: join(place.dir, "marks") };
    return work(place, { env });
  });

const callsOf = (place: Place): number => place.read("marks").split("\n").length - 1;

describe("a list of makers", () => {
  it("goes on with the next from what the first had done when it reached its limit, and everybody is told which it was", () =>
    inShop(async (place, around) => {
      const ran = await place.json(["run", loopOf(place, "fix", [CLAUDE, RIGHT])], around);
      const shown = await place.lw(["show", "fix"]);
      const receipt = await place.lw(["receipt", "show", "fix"]);

      const { proposal } = ran.said.rounds[0].evidence;
      expect([ran.exit, ran.said.rest]).toEqual([0, { kind: "accept", action: "propose" }]);
      expect(proposal.maker).toEqual({
        name: "scripted",
        place: 2,
        insteadOf: [{ name: "claude-code", why: "claude has reached a limit: usage limit (five_hour)" }],
      });
      expect(proposal.changes.map(({ path }: { readonly path: string }) => path)).toEqual(["half.txt", "value.txt"]);
      expect(shown.stdout).toContain("maker     scripted; instead of claude-code: claude has reached a limit");
      expect(receipt.stdout).toMatch(/maker\s+scripted, instead of claude-code, 1 round\(s\)/);
    }));

  it("is no way around a check that fails", () =>
    inShop(async (place, around) => {
      const wrong = scripted({ write: { "value.txt": "worse\n" } });
      const ran = await place.json(["run", loopOf(place, "fix", [wrong, RIGHT])], around);

      expect([ran.exit, ran.said.rest.because]).toEqual([11, "stalled"]);
      expect(
        ran.said.rounds.map(
          (round: { readonly evidence: { readonly proposal: { readonly maker: object } } }) => round.evidence.proposal.maker,
        ),
      ).toEqual(Array(ran.said.rounds.length).fill({ name: "scripted", place: 1, insteadOf: [] }));
    }));

  it("waits where all of them are limited, and is refused where they do not do the same", () =>
    inShop(async (place, around) => {
      const ran = await place.json(["run", loopOf(place, "fix", [CLAUDE, scripted({ fail: "is-limited" })])], around);
      const odd = await place.json(["validate", loopOf(place, "odd", [RIGHT, { use: "triage" }])]);

      expect([ran.exit, ran.said.rest, ran.said.rounds[0].failures[0].code]).toEqual([75, null, "maker-rate-limited"]);
      expect(ran.said.rounds[0].failures[0].message).toMatch(/^no maker of this loop can be used now: claude-code: .*; scripted: /);
      expect([odd.exit, odd.stdout]).toEqual([64, expect.stringContaining("All makers of a list must propose the same")]);
    }));
});

describe("a limit", () => {
  it("that one loop found out about keeps every other that uses the account from calling, and is told", () =>
    inShop(async (place, around) => {
      const first = await place.json(["run", loopOf(place, "one", CLAUDE)], around);
      const second = await place.json(["run", loopOf(place, "two", CLAUDE)], around);
      const other = { env: { ...around.env, HOME: join(place.dir, "somebody-else") } };
      const third = await place.json(["run", loopOf(place, "three", CLAUDE)], other);
      const calls = callsOf(place);
      const status = await place.json(["status"]);
      const plain = await place.lw(["status"]);
      const { checks } = (await place.json(["doctor"], around)).said;

      expect([first.exit, second.exit, third.exit, calls]).toEqual([75, 75, 75, 2]);
      expect(second.said.rounds[0].failures[0].message).toBe(
        "the account of claude-code has reached a limit, as an earlier call found out",
      );
      expect(status.said.loops.map(({ loop }: { readonly loop: string }) => loop)).toEqual(["one", "three", "two"]);
      expect(status.said.accounts).toHaveLength(2);
      expect(plain.stdout).toMatch(/the account claude-[0-9a-f]{16} has reached a limit until 20/);
      expect(checks.find(({ name }: { readonly name: string }) => name === "accounts")).toMatchObject({ result: "missing" });
    }));

  it("that was lifted is found out by who resumes a loop by name, and then everybody goes on", () =>
    inShop(async (place, around) => {
      await place.lw(["run", loopOf(place, "one", CLAUDE)], around);
      await place.lw(["run", loopOf(place, "two", CLAUDE)], around);
      place.writeProgram("bin/claude", GOOD_CLAUDE);
      const waiting = await place.json(["resume"], around);
      const one = await place.json(["resume", "one"], around);
      const { accounts } = (await place.json(["status"])).said;
      const rest = await place.json(["resume"], around);

      expect([waiting.exit, one.exit, accounts, rest.exit]).toEqual([75, 0, [], 0]);
    }));
});
