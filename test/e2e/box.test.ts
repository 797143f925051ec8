// The box as a loop has it: what makers and verifiers are kept from, what is on record, and that no check passes which could not be made.
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeBoxed, isOfLinux, usedMeans } from "../support/box.ts";
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
  /** A folder of programs that are needed, in which those that make boxes say that they cannot. */
  const pathWithout = (place: Place): string => {
    const bin = join(place.dir, "bin");
    mkdirSync(bin);
    for (const name of ["git", "sh", "grep", "mkfifo", "env"]) {
      const found = (process.env.PATH ?? "").split(":").find((folder) => existsSync(join(folder, name)));
      writeFileSync(join(bin, name), `#!/bin/sh\nexec '${join(found ?? "/bin", name)}' "$@"\n`, { mode: 0o755 });
    }
    writeFileSync(join(bin, "unshare"), "#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2; exit 1\n", {
      mode: 0o755,
    });
    return bin;
  };
  it.runIf(process.platform === "linux")("goes on and says so, or stops before anything is spent where the spec requires one", () =>
    inShop(async (place) => {
      const env = { PATH: pathWithout(place) };

      const available = await place.json(["run", specOf(place, {})], { env });
      for (const branch of proposalsIn(place.repo)) place.repo.git("branch", "-D", branch);
      const required = await place.lw(["run", specOf(place, { rest: { box: { verifiers: { when: "required" } } } })], { env });
      const valid = await place.lw(["validate", specOf(place, {})], { env });
      const doctor = await place.json(["doctor"], { env });

      const none = { kind: "none", why: expect.stringMatching(/^bubblewrap \(bwrap\) is not on the PATH; .*unshare is not the one/) };
      const [{ evidence }] = available.said.rounds;
      expect([available.exit, evidence.proposal.box, evidence.proofs[0].box]).toMatchObject([0, none, none]);
      expect([available, valid].map(({ stderr }) => /^no sandbox: bubblewrap \(bwrap\) is not on the PATH.*$/m.test(stderr))).toEqual([
        true,
        true,
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

/** By whom differs between machines, and is always told. */
const BOUNDED = {
  memory: { bytes: expect.any(Number), by: expect.stringMatching(/^(group|process)$/) },
  processes: { most: expect.any(Number), by: expect.stringMatching(/^(group|user|look)$/) },
};

describeBoxed("a loop whose commands are in a box", () => {
  it("says in the record, the report and to people what was enforced", () =>
    inShop(async (place) => {
      const { said } = await place.json(["run", specOf(place, {})]);
      const shown = await place.lw(["show", "fix"]);
      const report = await place.lw(["show", "fix", "--report"]);
      const records = await place.json(["show", "fix", "--records"]);
      const doctor = await place.json(["doctor"]);

      const kind = usedMeans;
      const [{ evidence }] = said.rounds;
      expect(evidence.proposal.box).toMatchObject({ kind, network: "open", writes: [] });
      expect(evidence.proofs[0].box).toMatchObject({ kind, network: "closed", writes: [] });
      expect(evidence.proofs[0].box.hides).toContain(place.home);
      if (isOfLinux) expect([evidence.proposal.box.bounds, evidence.proofs[0].box.bounds]).toMatchObject([BOUNDED, BOUNDED]);
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
        "lent\nrounds\nstart",
      ]);
      expect(readFileSync(join(target, "value.txt"), "utf8")).toBe("wrong\n");
      expect(place.repo.git("status", "--short")).toBe("");
    }));

  it("keeps what is verified from writing the target and the journal, and from the network", () =>
    inShop(async (place) => {
      const check = place.write(
        "check.sh",
        `echo bad > '${place.repo.dir}/value.txt'; echo bad > '${place.home}/journal.db'; ls '${place.home}/artifacts' && exit 3
${isOfLinux ? '[ "$(grep -c : /proc/net/dev)" = 1 ] && ' : ""}grep -x right value.txt\n`,
      );

      const { exit, said } = await place.json(["run", specOf(place, { check: `sh '${check}'` })]);
      const doctor = await place.json(["doctor"]);

      expect([exit, said.rounds[0].evidence.proofs[0].outcome]).toEqual([0, "holds"]);
      expect(readFileSync(join(place.repo.dir, "value.txt"), "utf8")).toBe("wrong\n");
      expect(doctor.said.checks.find((check: { readonly name: string }) => check.name === "store").result).toBe("ok");
    }));

  it("says which path a command missed only because it is hidden, and what to write; written, it is there", () =>
    inShop(async (place) => {
      const tool = place.writeProgram("user/tools/bin/grade", "#!/bin/sh\ngrep -x right value.txt\n");
      const hint = (part: string): string => `the box hides ${tool}: to show it, write box.${part}.reads: ["~/tools"] in the spec`;
      const reads = { reads: ["~/tools"] };

      const checked = await place.json(["run", specOf(place, { check: tool, rest: UNSEEN })]);
      const made = await place.lw(["run", specOf(place, { maker: tool, rest: UNSEEN })]);
      const opened = await place.json(["run", specOf(place, { check: tool, rest: { ...UNSEEN, box: { verifiers: reads } } })]);

      const [proof] = checked.said.rounds[0].evidence.proofs;
      expect([checked.exit, proof.outcome, proof.detail]).toEqual([4, "unknown", expect.stringContaining(hint("verifiers"))]);
      expect([made.exit, made.stderr]).toEqual([4, expect.stringContaining(hint("maker"))]);
      expect([opened.exit, opened.said.rounds[0].evidence.proofs[0].outcome]).toEqual([0, "holds"]);
    }));

  it("tells the next round which file a failed check missed", () =>
    inShop(async (place) => {
      const table = place.write("user/data/table.csv", "1\n");
      const maker = 'cat "$LOOPWRIGHT_BRIEF" >> briefs.txt; echo right > value.txt';

      const { said } = await place.json([
        "run",
        specOf(place, { maker, check: `cat '${table}'`, rest: { ...UNSEEN, budget: { rounds: 2 } } }),
      ]);

      const told = `the box hides ${table}: to show it, write box.verifiers.reads: ["~/data/table.csv"] in the spec`;
      expect(said.rounds[0].evidence.proofs[0]).toMatchObject({ outcome: "refuted", detail: expect.stringContaining(told) });
      const second = await place.lw(["show", "fix", "--records"]);
      expect(second.stdout.split(told.replaceAll('"', '\\"')).length).toBeGreaterThan(2);
    }));

  it("lets a command reach a socket that the spec names, and no other beside it", () =>
    inShop(async (place) => {
      const named = place.write("sockets/named", "");
      const other = place.write("sockets/other", "");
      const servers = [named, other].map((path) => {
        rmSync(path);
        return createServer((socket) => socket.end("hello\n")).listen(path);
      });
      await Promise.all(servers.map((server) => server.listening || once(server, "listening")));
      const asking = place.write(
        "ask.mjs",
        `import { connect } from "node:net";
const ask = (path) => new Promise((done) => connect(path).on("data", (text) => done(String(text).trim())).on("error", ({ code }) => done(code)));
const said = [await ask("${named}"), await ask("${other}")];
console.log(said.join(" "));
process.exit(said[0] === "hello" && said[1] !== "hello" ? 0 : 1);\n`,
      );
      const box = { verifiers: { reads: ["sockets/named"] } };

      const closed = await place.json(["run", specOf(place, { check: `node '${asking}'`, rest: UNSEEN })]);
      const opened = await place.json(["run", specOf(place, { check: `node '${asking}'`, rest: { ...UNSEEN, box } })]);
      for (const server of servers) server.close();

      const outcomes = [closed, opened].map(({ said }) => said.rounds[0].evidence.proofs[0].outcome);
      expect(outcomes, JSON.stringify(opened.said.rounds[0].evidence.proofs)).toEqual(["refuted", "holds"]);
    }));

  it("is shown before anything runs: what a maker and a verifier of a loop would see, and what not", () =>
    inShop(async (place) => {
      place.write("user/.ssh/id_ed25519", "private\n");
      place.write("user/tools/x", "");
      place.write("user/state/x", "");
      const box = { maker: { network: "closed", writes: ["~/state"] }, verifiers: { when: "required", reads: ["~/tools"] } };
      const spec = specOf(place, { rest: { box } });
      const user = join(place.dir, "user");

      const { exit, said } = await place.json(["doctor", "--box", spec]);
      const { stdout } = await place.lw(["doctor", "--box", spec]);
      const off = await place.lw(["doctor", "--box", specOf(place, { rest: { box: UNBOXED } })]);
      const none = await place.lw(["doctor", "--box", "nosuchloop"]);

      const [maker, verifiers] = said.boxes;
      expect([exit, maker.part, verifiers.part]).toEqual([0, "maker shell", "verifiers"]);
      expect([maker.when, maker.network, maker.writes]).toEqual(["available", "closed", [join(user, "state")]]);
      expect([verifiers.when, verifiers.network, verifiers.writes]).toEqual(["required", "closed", []]);
      expect([maker, verifiers].map(({ reads }) => reads.includes(join(user, "tools")))).toEqual([false, true]);
      for (const { reads, hides } of [maker, verifiers]) {
        expect(reads).toEqual(expect.arrayContaining(["/usr", place.dir]));
        expect([...reads].filter((path) => path.includes(".ssh") || path === place.home || path === place.repo.dir)).toEqual([]);
        expect(hides).toEqual(expect.arrayContaining([user]));
      }
      expect(stdout).toMatch(new RegExp(`^verifiers: required, network closed[\\s\\S]*^  read     ${user}/tools$`, "m"));
      expect(off.stdout).toBe("maker shell: no box, the spec says off\n\nverifiers: no box, the spec says off\n");
      expect([none.exit, none.stdout]).toEqual([64, ""]);
    }));

  it("says the same under all conditions of an isomorphic check", () =>
    inShop(async (place) => {
      const verifiers = [
        { use: "isomorphic", with: { run: 'grep -x right value.txt && date > now && test -w "$HOME" && echo x > "${TMPDIR:-/tmp}/t"' } },
      ];

      const { exit, said } = await place.json(["run", specOf(place, { verifiers, rest: { budget: { rounds: 1, time: "10m" } } })]);

      const [proof] = said.rounds[0].evidence.proofs;
      expect([exit, proof.outcome, proof.box.kind]).toEqual([0, "holds", usedMeans]);
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
