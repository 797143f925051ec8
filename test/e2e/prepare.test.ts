// Dependencies from base, made once; and tests that the maker does not see. With the built program, real git and real npm.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/contract/record.ts";
import { isOfLinux } from "../support/box.ts";
import { createRepo } from "../support/git-repo.ts";
import { inPlace, type Place, processesOfRun, UNBOXED } from "../support/lw.ts";
import { proposalsIn } from "../support/target.ts";

const LOCK = {
  name: "app",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": { name: "app", version: "1.0.0", dependencies: { dep: "file:dep" } },
    "node_modules/dep": { version: "1.0.0", resolved: "file:dep" },
  },
};

const APP = {
  "package.json": JSON.stringify({ name: "app", version: "1.0.0", private: true, dependencies: { dep: "file:dep" } }),
  "package-lock.json": JSON.stringify(LOCK),
  ".npmrc": "install-links=true\n",
  ".gitignore": "node_modules\n",
  "dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0", main: "index.js" }),
  "dep/index.js": "module.exports = 7;\n",
  "value.txt": "0\n",
  "check.js": 'process.exit(String(require("dep")) === require("fs").readFileSync("value.txt", "utf8").trim() ? 0 : 1);\n',
};

const inApp = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
  inPlace(work, () => {
    const repo = createRepo();
    repo.commit("base", { files: APP });
    return repo;
  });

/** A loop whose preparation writes a line every time it is made. */
function writeSpec(place: Place, maker: string, more: object = {}): string {
  place.writeProgram("maker.sh", `#!/bin/sh\nset -e\n${maker}\n`);
  const spec = {
    name: "fix",
    intent: "Make it right.",
    level: "L2",
    baseline: { when: "off" },
    target: { repo: place.repo.dir, base: "main" },
    prepare: { run: `npm ci --offline --no-audit --no-fund && echo made >> "${place.dir}/made.log"`, keep: ["node_modules"] },
    maker: { use: "shell", with: { run: `sh "${place.dir}/maker.sh"` } },
    verifiers: [{ use: "command", with: { run: "node check.js" } }],
    budget: { rounds: 1 },
    box: UNBOXED,
    ...more,
  };
  return place.write(`${spec.name}.loop.json`, JSON.stringify(spec));
}

const timesMade = (place: Place): number =>
  existsSync(join(place.dir, "made.log")) ? place.read("made.log").trim().split("\n").length : 0;

async function recordsOf(place: Place, loop = "fix"): Promise<readonly Entry[]> {
  const { stdout } = await place.lw(["show", loop, "--records"]);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line): Entry => JSON.parse(line));
}

async function evidenceOf(place: Place, loop = "fix") {
  const [closed] = (await recordsOf(place, loop))
    .flatMap(({ record }) => (record.kind === "round-closed" ? [record.evidence] : []))
    .slice(-1);
  return closed!;
}

/** The installed file in the store. */
function storedFile(home: string): string {
  const [id] = readdirSync(join(home, "prepared"));
  const [entry] = readdirSync(join(home, "prepared", id!)).filter((name) => /^[0-9a-f]{64}$/.test(name));
  return join(home, "prepared", id!, entry!, "layer/node_modules/dep/index.js");
}

describe("dependencies", () => {
  it("come from base's lock file, are there for maker and verifiers, and never from the maker", () =>
    inApp(async (place) => {
      const spec = writeSpec(
        place,
        'test "$(node -p \'require("dep")\')" = 7\necho 9 > value.txt\necho "module.exports = 9;" > node_modules/dep/index.js\ngit add -f node_modules\ngit -c user.name=m -c user.email=m commit -qm mine',
      );

      const { exit } = await place.lw(["run", spec]);

      const { proofs, proposal, prepared } = await evidenceOf(place);
      expect([exit, proofs.map(({ outcome }) => outcome)]).toEqual([1, ["refuted"]]);
      expect(proposal.kind === "commit" && proposal.changes.map(({ path }) => path)).toEqual(["value.txt"]);
      expect(prepared).toMatchObject({ how: "made", files: 3, again: 0, changed: [], notes: [] });
    }));

  it("are made once and reused by every room and every later run, and the doctor says what they take", () =>
    inApp(async (place) => {
      const meddling = {
        use: "command",
        with: { run: 'test "$(node -p \'require("dep")\')" = 7 && echo "module.exports = 0;" > node_modules/dep/index.js' },
      };
      const spec = writeSpec(place, "echo 7 > value.txt", {
        verifiers: [meddling, meddling, { use: "witness", with: { run: "node check.js" } }],
      });

      const first = await place.lw(["run", spec]);
      const one = await evidenceOf(place);
      const second = await place.lw(["run", spec, "--again"]);
      const two = await evidenceOf(place);
      const doctor = await place.json(["doctor"]);

      expect([first.exit, second.exit, timesMade(place)], first.stderr + first.stdout).toEqual([0, 0, 1]);
      expect([one.prepared?.how, two.prepared?.how, two.prepared?.sha256 === one.prepared?.sha256]).toEqual(["made", "reused", true]);
      expect(doctor.said.checks).toContainEqual(
        expect.objectContaining({ name: "prepared", result: "ok", detail: expect.stringContaining("1 set(s) of folders") }),
      );
      expect(statSync(storedFile(place.home)).nlink).toBe(1);
    }));

  it.skipIf(!isOfLinux)("lie, as base does where it has many files, under rooms that then hold only what differs", () =>
    inPlace(
      async (place) => {
        const changing = "echo 7 > value.txt; rm -r many/d3; rm -r many/d4; mkdir many/d4; echo new > many/d4/7; mv many/d12/12 many/moved";
        const check = 'test ! -e many/moved || { test ! -e many/d3 && test "$(ls many/d4)" = 7; }';
        const spec = writeSpec(place, "", {
          box: undefined,
          baseline: undefined,
          prepare: undefined,
          maker: { use: "shell", with: { run: changing } },
          verifiers: [{ use: "command", with: { run: check } }],
        });

        const first = await place.lw(["run", spec]);
        const one = await evidenceOf(place);
        const second = await place.lw(["run", spec, "--again"]);
        const two = await evidenceOf(place);
        const looked = (await recordsOf(place)).flatMap(({ record }) => (record.kind === "baseline-taken" ? record.baseline.checks : []));

        expect([first.exit, second.exit], first.stderr + first.stdout).toEqual([0, 0]);
        expect(looked.map(({ rooms }) => rooms)).toEqual(["on-base"]);
        const changed = one.proposal.kind === "commit" ? one.proposal.changes : [];
        expect([changed.length, two.proposal.kind === "commit" && two.proposal.tree]).toEqual([
          74,
          one.proposal.kind === "commit" && one.proposal.tree,
        ]);
        expect(readdirSync(join(place.home, "layers")).length).toBe(1);
        expect((await place.json(["doctor"])).said.checks).toContainEqual(
          expect.objectContaining({ name: "bases", detail: expect.stringContaining("1 checked out") }),
        );
        expect((await place.json(["clean"])).said.freed).toMatchObject({ entries: 1, left: 0, held: 0 });
      },
      () => {
        const repo = createRepo();
        for (let n = 0; n < 1_050; n++) repo.write(`many/d${n % 30}/${n}`, `${n}\n`);
        repo.commit("base", { files: APP });
        return repo;
      },
    ),
  );

  it.skipIf(!isOfLinux)("lie under the rooms of a boxed loop where they are many: all can write over them, and nothing of it stays", () =>
    inApp(async (place) => {
      const many = `npm ci --offline --no-audit --no-fund && mkdir node_modules/many && for n in $(seq 400); do echo $n > node_modules/many/$n; done && echo made >> "${place.dir}/made.log"`;
      const meddling = {
        use: "command",
        with: {
          run: 'test "$(node -p \'require("dep")\')" = 7 && rm -r node_modules/many && echo "module.exports = 0;" > node_modules/dep/index.js',
        },
      };
      const spec = writeSpec(place, "", {
        box: undefined,
        prepare: { run: many, keep: ["node_modules"] },
        maker: {
          use: "shell",
          with: { run: 'echo 7 > value.txt; rm -r node_modules/many; echo "module.exports = 0;" > node_modules/dep/index.js' },
        },
        verifiers: [meddling, meddling, { use: "command", with: { run: "test $(cat node_modules/many/400) = 400 && node check.js" } }],
      });

      const { exit, stdout, stderr } = await place.lw(["run", spec]);

      const { proofs, proposal } = await evidenceOf(place);
      expect([exit, timesMade(place)], stderr + stdout).toEqual([0, 1]);
      expect(proofs.map(({ outcome, box }) => [outcome, box])).toEqual(
        proofs.map(() => ["holds", expect.objectContaining({ rooms: "layered" })]),
      );
      expect(proposal).toMatchObject({ changes: [{ path: "value.txt" }], box: { rooms: "layered" } });
      expect(readFileSync(storedFile(place.home), "utf8")).toBe(APP["dep/index.js"]);
      expect(readdirSync(join(place.home, "rounds", "fix"))).toEqual([]);
      const { said } = await place.json(["doctor"]);
      expect(said.checks).toContainEqual(
        expect.objectContaining({ name: "rooms", result: "ok", detail: expect.stringContaining("overlay was tried") }),
      );
      expect((await place.lw(["show", "fix"])).stdout).toContain("what is prepared under its rooms");
    }),
  );

  it("have caches of tool chains beside them, which only base's look fills: what a check writes there is gone with its room", () =>
    inApp(async (place) => {
      // A compiler that goes by content, as far as anybody can tell from its cache.
      const compile =
        'c="$HOME/.cache/ccache/a"; cat "$c/kept" 2>/dev/null || echo cold; mkdir -p "$c"; echo "$(cat value.txt)" >> "$c/kept"; exit 0';
      const spec = writeSpec(place, "echo 7 > value.txt", {
        baseline: undefined,
        prepare: undefined,
        verifiers: [{ use: "command", with: { run: compile } }],
      });
      const told = async (run: string): Promise<string> => (await place.lw(["show", run, "--output", "1"])).stdout;
      // A check that reads a file makes it one that is looked at twice.
      const cachesOf = async () => [...new Set((await evidenceOf(place)).proofs.flatMap(({ caches = [] }) => caches))];

      await place.lw(["run", spec]);
      const one = [await told("fix-1"), await cachesOf()];
      await place.lw(["run", spec, "--again"]);
      const two = [await told("fix-2"), await cachesOf()];
      const cold = writeSpec(place, "echo 7 > value.txt", {
        baseline: undefined,
        prepare: undefined,
        rooms: { caches: "cold" },
        verifiers: [{ use: "command", with: { run: compile } }],
      });
      await place.lw(["run", cold, "--again"]);
      const three = [await told("fix-3"), await cachesOf()];

      expect([one, two, three]).toEqual([
        ["0\n", ["ccache"]],
        ["0\n", ["ccache"]],
        ["cold\n", []],
      ]);
      const { said } = await place.json(["doctor"]);
      expect(said.checks).toContainEqual(
        expect.objectContaining({ name: "caches", result: "ok", detail: expect.stringContaining("1 of tool chains") }),
      );
    }));

  it("are made again, and it is said, when the maker wrote into the store", () =>
    inApp(async (place) => {
      const spec = writeSpec(
        place,
        `echo 9 > value.txt\nfor file in "${place.home}"/prepared/*/*/layer/node_modules/dep/index.js; do echo "module.exports = 9;" > "$file"; done`,
      );

      const { exit } = await place.lw(["run", spec]);

      const { proofs, prepared } = await evidenceOf(place);
      expect([exit, proofs.map(({ outcome }) => outcome), prepared?.again, timesMade(place)]).toEqual([1, ["refuted"], 1, 2]);
      expect(readFileSync(storedFile(place.home), "utf8")).toBe(APP["dep/index.js"]);
      expect((await place.lw(["show", "fix"])).stdout).toContain("made again 1 time(s)");
    }));

  it("that cannot be made end the run for free, with exit 4 and what was printed", () =>
    inApp(async (place) => {
      const spec = writeSpec(place, `echo ran > "${place.dir}/ran"`, {
        prepare: { run: "echo no such registry >&2; exit 3", keep: ["node_modules"] },
      });

      const { exit, stdout, stderr } = await place.lw(["run", spec]);

      expect([exit, existsSync(join(place.dir, "ran"))]).toEqual([4, false]);
      expect(stdout + stderr).toContain("exited 3 on base");
      expect((await place.lw(["show", "fix"])).stdout).toContain("exited 3 on base");
      expect(readdirSync(join(place.home, "rounds", "fix"))).toEqual([]);
    }));

  it("are made once when two loops want them at the same time", () =>
    inApp(async (place) => {
      const one = writeSpec(place, "echo 7 > value.txt");
      const two = writeSpec(place, "echo 7 > value.txt", { name: "mend" });

      const ended = await Promise.all([place.apart.lw(["run", one]), place.apart.lw(["run", two])]);

      expect([...ended.map(({ exit }) => exit), timesMade(place)]).toEqual([0, 0, 1]);
      expect([(await evidenceOf(place)).prepared?.how, (await evidenceOf(place, "mend")).prepared?.how].sort()).toEqual(["made", "reused"]);
    }));
});

describe("tests that are held out", () => {
  const NAMES = ["one", "two", "three", "four"];
  const testOf = (n: number): string =>
    `const double = require("../double.js");\nif (double(${n}) !== ${2 * n}) { console.log("double(${n}) must be ${2 * n}"); process.exit(1); }\n`;
  const RUN_ALL = 'for file in test/*.test.js; do node "$file" || exit 1; done';

  const inTested = <T>(work: (place: Place) => Promise<T>): Promise<T> =>
    inPlace(work, () => {
      const repo = createRepo();
      const tests = Object.fromEntries(NAMES.map((name, index) => [`test/${name}.test.js`, testOf(index + 11)]));
      repo.commit("base", { files: { ...tests, "double.js": "module.exports = () => 0;\n" } });
      return repo;
    });

  const specOf = (place: Place, maker: string): string =>
    writeSpec(place, maker, {
      prepare: undefined,
      verifiers: [
        { use: "command", with: { run: RUN_ALL } },
        { use: "holdout", with: { run: `echo "drawn from $LOOPWRIGHT_SEED"; ${RUN_ALL}`, sample: { from: ["test/*.test.js"], count: 2 } } },
      ],
      budget: { rounds: 2 },
    });

  /** Learns every answer that it can find by heart, in its files and in its git. */
  const CHEAT = `{ echo 'module.exports = (n) => {'; cat test/*.test.js $(git rev-list --objects --all | cut -d" " -f1 | while read -r id; do git cat-file blob "$id" 2>/dev/null > "$TMPDIR/x" && echo "$TMPDIR/x"; done) | sed -n 's/.*double(\\([0-9]*\\)) !== \\([0-9]*\\).*/if (n === \\1) return \\2;/p'; echo '};'; } > double.js`;

  it("refute a change that knows the others by heart, and the maker of the next round is not told what failed", () =>
    inTested(async (place) => {
      const spec = specOf(
        place,
        `cp "$LOOPWRIGHT_BRIEF" "${place.dir}/brief.$LOOPWRIGHT_ROUND.md"\nls test >> "${place.dir}/seen"\nexport TMPDIR="$(mktemp -d)"\n${CHEAT}\necho "// $LOOPWRIGHT_ROUND" >> double.js`,
      );

      const { exit } = await place.lw(["run", spec]);

      const { heldOut, proofs } = await evidenceOf(place);
      const seen = place.read("seen").trim().split("\n");
      const hidden = heldOut!.paths!.map((path) => path.slice("test/".length));
      expect([exit, proofs.map(({ outcome }) => outcome)]).toEqual([1, ["refuted", "refuted"]]);
      expect([...hidden, ...seen.slice(0, 2)].sort()).toEqual(NAMES.map((name) => `${name}.test.js`).sort());
      expect(seen.slice(2)).toEqual(seen.slice(0, 2));
      const briefs = readdirSync(place.dir)
        .filter((name) => name.startsWith("brief."))
        .map((name) => place.read(name));
      expect(briefs).toHaveLength(2);
      for (const brief of briefs) for (const word of [...hidden, "must be", "drawn from"]) expect(brief).not.toContain(word);
      expect(briefs.some((brief) => brief.includes("These checks failed: command, holdout."))).toBe(true);
    }));

  it("let a change through that is right, whose commit has every test as it is on base", () =>
    inTested(async (place) => {
      const spec = specOf(place, "echo 'module.exports = (n) => 2 * n;' > double.js");

      const { exit, stdout, stderr } = await place.lw(["run", spec]);

      const { heldOut, proposal, findings } = await evidenceOf(place);
      expect(exit, stdout + stderr).toBe(0);
      const [branch] = proposalsIn(place.repo);
      expect(place.repo.git("diff", "--name-status", "main", branch!)).toBe("M\tdouble.js");
      expect([heldOut?.files, findings, proposal.kind === "commit" && proposal.displaced]).toEqual([2, [], undefined]);
      const { stdout: report } = await place.lw(["show", "fix"]);
      expect(report).toContain(`seed ${heldOut?.seed}`);
    }));

  it("are the same after the run was killed in the maker's work and resumed", () =>
    inTested(async (place) => {
      const deadly = `if [ ! -e "${place.dir}/died" ]; then ls test > "${place.dir}/before"; touch "${place.dir}/died"; kill -9 $(cut -d" " -f4 /proc/$PPID/stat); sleep 300; fi`;
      const spec = specOf(place, `${deadly}\nls test > "${place.dir}/after"\necho 'module.exports = (n) => 2 * n;' > double.js`);

      const killed = await place.apart.lw(["run", spec]);
      const resumed = await place.lw(["resume"]);

      expect([killed.exit, resumed.exit]).toEqual(["SIGKILL", 0]);
      expect(place.read("after")).toBe(place.read("before"));
      expect(processesOfRun((await recordsOf(place))[0]!.run)).toEqual([]);
    }));
});
