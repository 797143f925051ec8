// The box as a loop has it: what makers and verifiers are kept from, what is on record, and that no check passes which could not be made.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeBoxed, isBubblewrap } from "../support/box.ts";
import { inPlace, type Place, UNBOXED, until } from "../support/lw.ts";
import { proposalsIn } from "../support/target.ts";

interface Loop {
  readonly maker?: string;
  readonly check?: string;
  readonly timeout?: string;
  readonly verifiers?: readonly object[];
  readonly rest?: object;
}

const specOf = (
  place: Place,
  { maker = "echo right > value.txt", check = "grep -x right value.txt", timeout = "1m", verifiers, rest = {} }: Loop,
): string =>
  place.write(
    "fix.loop.json",
    JSON.stringify({
      name: "fix",
      intent: "Make it right.",
      level: "L2",
      target: { repo: place.repo.dir },
      maker: { use: "shell", with: { run: maker } },
      verifiers: verifiers ?? [{ use: "command", with: { run: check, timeout } }],
      budget: { rounds: 1 },
      ...rest,
    }),
  );

const inShop = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "value.txt": "wrong\n" } });
    return work(place);
  });

/** Base is not looked at first, which would end the run before there is a proposal. */
const UNSEEN = { baseline: { when: "off" } };

describe.each([
  ["in whatever box there is", {}],
  ["without a box", { box: UNBOXED }],
])("a check that cannot be made is on record as unknown, and never passes, %s", (_, rest) => {
  it.each([
    ["crashes", "kill -SEGV $$", "1m", /was killed by SIGSEGV/],
    ["hangs", "while :; do sleep 1; done", "1s", /took longer than 1000 ms/],
    ["prints gigabytes", "yes", "5m", /was killed by SIGKILL, because it printed more than 256 MiB/],
    ["is missing", "no-such-program-anywhere", "1m", /could not be run \(exit 127\)/],
  ])("one that %s", (_what, check, timeout, detail) =>
    inShop(async (place) => {
      const { exit, said } = await place.json(["run", specOf(place, { check, timeout, rest: { ...rest, ...UNSEEN } })]);

      expect([exit, said.rest.kind, said.rest.because]).toEqual([4, "escalate", "cannot-verify"]);
      expect(said.rounds[0].evidence.proofs).toMatchObject([
        { verifier: "command", outcome: "unknown", detail: expect.stringMatching(detail) },
      ]);
      expect(proposalsIn(place.repo)).toEqual([]);
    }),
  );
});

describe("a machine without a box", () => {
  /** A folder of links to the programs that are needed, and no bwrap among them. */
  const pathWithout = (place: Place): string => {
    const bin = join(place.dir, "bin");
    mkdirSync(bin);
    for (const name of ["git", "sh", "grep", "mkfifo", "env"]) {
      const found = (process.env.PATH ?? "").split(":").find((folder) => existsSync(join(folder, name)));
      writeFileSync(join(bin, name), `#!/bin/sh\nexec '${join(found ?? "/bin", name)}' "$@"\n`, { mode: 0o755 });
    }
    return bin;
  };

  it.runIf(process.platform === "linux")("goes on and says so, or stops before anything is spent where the spec requires one", () =>
    inShop(async (place) => {
      const env = { PATH: pathWithout(place) };

      const available = await place.json(["run", specOf(place, {})], { env });
      for (const branch of proposalsIn(place.repo)) place.repo.git("branch", "-D", branch);
      const required = await place.lw(["run", specOf(place, { rest: { box: { verifiers: { when: "required" } } } })], { env });
      const doctor = await place.json(["doctor"], { env });

      const none = { kind: "none", why: "bubblewrap (bwrap) is not on the PATH" };
      expect([available.exit, available.said.rounds[0].evidence.proposal.box, available.said.rounds[0].evidence.proofs[0].box]).toEqual([
        0,
        none,
        none,
      ]);
      expect([required.exit, proposalsIn(place.repo)]).toEqual([4, []]);
      expect(required.stderr).toMatch(
        /requires a box, and this machine has none: bubblewrap \(bwrap\) is not on the PATH[\s\S]*apt install bubblewrap/,
      );
      expect(doctor.said.checks.find((check: { readonly name: string }) => check.name === "sandbox")).toMatchObject({
        result: "missing",
        detail: expect.stringContaining("run without an OS sandbox"),
      });
    }),
  );
});

describeBoxed("a loop whose commands are in a box", () => {
  it("says in the record, the report and to people what was enforced", () =>
    inShop(async (place) => {
      const { said } = await place.json(["run", specOf(place, {})]);
      const shown = await place.lw(["show", "fix"]);
      const report = await place.lw(["show", "fix", "--report"]);
      const records = await place.json(["show", "fix", "--records"]);
      const doctor = await place.json(["doctor"]);

      const kind = isBubblewrap ? "bubblewrap" : "seatbelt";
      const [{ evidence }] = said.rounds;
      expect(evidence.proposal.box).toMatchObject({ kind, network: "open", writes: [] });
      expect(evidence.proofs[0].box).toMatchObject({ kind, network: "closed", writes: [] });
      expect(evidence.proofs[0].box.hides).toContain(place.home);
      const made = records.said.records.find(({ record }: { readonly record: { readonly step?: string } }) => record.step === "make");
      expect(made.record.result.box.kind).toBe(kind);
      expect(shown.stdout).toMatch(
        new RegExp(`maker: ${kind}, network open[\\s\\S]*command: ${kind}, network closed, writes in its own room only`),
      );
      expect(report.stdout).toMatch(new RegExp(`box of the maker: ${kind}, network open[\\s\\S]*box of command: ${kind}, network closed`));
      expect(doctor.said.checks.find((check: { readonly name: string }) => check.name === "sandbox")).toMatchObject({
        result: "ok",
        detail: expect.stringContaining("was tried"),
      });
    }));

  it("keeps the maker from the target, the journal, the hold-outs and the user's secrets", () =>
    inShop(async (place) => {
      place.write("holdout/secret.sh", "grep -x right value.txt\n");
      place.write("user/.ssh/id_ed25519", "private\n");
      const target = place.repo.dir;
      // In a script, which the guard of commands does not read.
      const agent = place.write(
        "agent.sh",
        `{ cat '${place.dir}/holdout/secret.sh' '${place.dir}/user/.ssh/id_ed25519' '${place.home}/journal.db' 2>/dev/null; ls '${place.home}'; } > seen.txt
echo bad > '${target}/value.txt'; echo bad > '${target}/.git/HEAD'; echo bad > '${place.home}/journal.db'; echo bad > '${place.dir}/fix.loop.json'
echo '{"usd": 0.25, "tokens": 10}' > "$LOOPWRIGHT_USAGE.new" && mv "$LOOPWRIGHT_USAGE.new" "$LOOPWRIGHT_USAGE"
test -s "$LOOPWRIGHT_BRIEF" && git log -1 --format=%s >> seen.txt; echo right > value.txt\n`,
      );
      const maker = `sh '${agent}'`;
      const verifiers = [{ use: "holdout", with: { from: "holdout", run: "sh holdout/secret.sh" } }];

      const { exit, said } = await place.json(["run", specOf(place, { maker, verifiers })]);

      const [proposal] = proposalsIn(place.repo);
      expect([exit, said.cost, place.repo.git("show", `${proposal}:seen.txt`)]).toEqual([
        0,
        expect.objectContaining({ usd: 0.25 }),
        "rounds\nstart",
      ]);
      expect(readFileSync(join(target, "value.txt"), "utf8")).toBe("wrong\n");
      expect(place.repo.git("status", "--short")).toBe("");
    }));

  it("keeps what is verified from writing the target and the journal, and from the network", () =>
    inShop(async (place) => {
      const check = place.write(
        "check.sh",
        `echo bad > '${place.repo.dir}/value.txt'; echo bad > '${place.home}/journal.db'; ls '${place.home}/artifacts' && exit 3
${isBubblewrap ? '[ "$(grep -c : /proc/net/dev)" = 1 ] && ' : ""}grep -x right value.txt\n`,
      );

      const { exit, said } = await place.json(["run", specOf(place, { check: `sh '${check}'` })]);
      const doctor = await place.json(["doctor"]);

      expect([exit, said.rounds[0].evidence.proofs[0].outcome]).toEqual([0, "holds"]);
      expect(readFileSync(join(place.repo.dir, "value.txt"), "utf8")).toBe("wrong\n");
      expect(doctor.said.checks.find((check: { readonly name: string }) => check.name === "store").result).toBe("ok");
    }));

  it("says the same under all conditions of an isomorphic check", () =>
    inShop(async (place) => {
      const verifiers = [
        { use: "isomorphic", with: { run: 'grep -x right value.txt && date > now && test -w "$HOME" && echo x > "${TMPDIR:-/tmp}/t"' } },
      ];

      const { exit, said } = await place.json(["run", specOf(place, { verifiers, rest: { budget: { rounds: 1, time: "10m" } } })]);

      const [proof] = said.rounds[0].evidence.proofs;
      expect([exit, proof.outcome, proof.box.kind]).toEqual([0, "holds", isBubblewrap ? "bubblewrap" : "seatbelt"]);
    }));

  it("ends with lw when that is killed, and the run goes on as if undisturbed", () =>
    inShop(async (place) => {
      place.write("hang", "");
      const agent = place.write("agent.sh", `[ -e '${place.dir}/hang' ] && exec setsid env -i sleep 63.9\necho right > value.txt\n`);
      const running = place.start(["run", specOf(place, { maker: `sh '${agent}'` })]);
      await until(() => processesNamed("63.9") > 0);

      running.signal("SIGKILL");
      await running.ended;
      await until(() => processesNamed("63.9") === 0);
      rmSync(join(place.dir, "hang"));
      const resumed = await place.json(["resume"]);

      expect([resumed.exit, proposalsIn(place.repo)]).toEqual([0, [expect.stringMatching(/^loopwright\/fix-1-/)]]);
    }));

  it("ends a fork bomb with its time, and what it started", () =>
    inShop(async (place) => {
      // Bounded by its own count, so that a test never harms the machine: each starts two until there are some hundred.
      const check = place.write(
        "bomb.sh",
        "bomb() { [ $1 -gt 6 ] && exec setsid env -i sleep 61.7; bomb $(($1+1)) & bomb $(($1+1)) & wait; }; bomb 0; wait; sleep 60\n",
      );

      const { exit, said } = await place.json(["run", specOf(place, { check: `sh '${check}'`, timeout: "3s" })]);

      expect([exit, said.rest.because]).toEqual([4, "cannot-verify"]);
      expect(processesNamed("61.7")).toBe(0);
    }));
});

const processesNamed = (word: string): number =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLineOf(pid).split("\0").includes(word)).length;

const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    // It has ended in the meantime.
    return "";
  }
};
