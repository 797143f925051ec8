// Receipts from a run to somebody else's machine, and what happens when journals, keys and anchors are not what they were.
// Numbers in brackets are holes of an earlier system that passed where they must fail.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADA, mainOf, specOf, withProposal } from "../support/decisions.ts";
import { inPlace, type Place } from "../support/lw.ts";

const tipOf = (place: Place, branch: string): string => place.repo.git("rev-parse", `refs/heads/${branch}`);
const check = (place: Place, commit: string, ...more: readonly string[]) =>
  place.json(["ledger", "check", "--require", "fix", "--commit", commit, "--repo", place.repo.dir, ...more]);
const exportKey = async (place: Place, name = "key.pub"): Promise<string> => place.write(name, (await place.lw(["key", "export"])).stdout);

it("a run ends in a receipt that anyone can check with the public key alone, on a machine that has nothing else", () =>
  withProposal(async (place, { run, branch }) => {
    const key = await exportKey(place);
    await place.lw(["receipt", "export", run, "--out", "receipt.json"]);
    const elsewhere = { env: { LOOPWRIGHT_HOME: "/nonexistent/home" } };

    const verified = await place.json(["receipt", "verify", "receipt.json", "--key", key], elsewhere);
    const inRepo = await place.json(["receipt", "verify", "receipt.json", "--key", key, "--repo", place.repo.dir], elsewhere);
    const byCommit = await place.json(["receipt", "verify", tipOf(place, branch), "--repo", "."], { cwd: place.repo.dir });

    expect([verified.exit, verified.said.kind, verified.said.result]).toEqual([0, "genuine", "passed"]);
    expect(verified.said.receipt).toMatchObject({
      loop: "fix",
      run,
      number: 0,
      tested: { commit: tipOf(place, branch), tree: place.repo.git("rev-parse", `${branch}^{tree}`), files: 1 },
      checks: [{ verifier: "command", kind: "proof", outcome: "holds", output: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } }],
      rest: { kind: "accept" },
    });
    expect(aspectsOf(verified.said)).toEqual({ signature: "holds", commit: "not-checked", journal: "not-checked" });
    expect(aspectsOf(inRepo.said)).toEqual({ signature: "holds", commit: "holds", journal: "not-checked" });
    expect([byCommit.exit, aspectsOf(byCommit.said)]).toEqual([0, { signature: "holds", commit: "holds", journal: "holds" }]);
    expect(place.repo.git("log", "-1", "--format=%B", branch)).toContain(`Loopwright-Receipt: ${run}`);
  }));

const aspectsOf = ({ aspects }: { readonly aspects: readonly { readonly name: string; readonly aspect: string }[] }) =>
  Object.fromEntries(aspects.map(({ name, aspect }) => [name, aspect]));

it("a decision and what it moved are in a new receipt, which is the one that is shown", () =>
  withProposal(async (place, { run }) => {
    await place.lw(["approve", run, "--as", "ada", "--why", "read it"]);

    const { said } = await place.json(["receipt", "show", run]);
    const text = await place.lw(["receipt", "show", run]);

    expect(said).toMatchObject({
      number: 1,
      decisions: [{ decision: "approve", by: "ada", why: "read it" }],
      rechecks: [{ verdict: "accept" }],
      moved: [{ action: "merge" }],
      settled: { how: "acted" },
    });
    expect(text.stdout).toContain("approve by ada");
    expect((await place.lw(["ledger", "verify"])).exit).toBe(0);
  }));

it("every kept output, diff and report is looked at: bytes that were changed or taken away are found, with their run", () =>
  withProposal(async (place, { run }) => {
    const folder = join(place.dir, "home/artifacts");
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name));
    const whole = await place.json(["ledger", "verify"]);
    expect([whole.exit, whole.said.artifacts]).toEqual([0, files.length]);

    for (const file of files) {
      const before = readFileSync(file);
      writeFileSync(file, Buffer.concat([before, Buffer.from(" ")]));
      const changed = await place.json(["ledger", "verify"]);
      rmSync(file);
      const gone = await place.json(["ledger", "verify"]);
      writeFileSync(file, before);

      for (const { exit, said } of [changed, gone]) {
        expect([exit, said.kind, said.firstBad]).toEqual([5, "broken", undefined]);
        expect(said.problems).toMatchObject([{ what: "artifact", run }]);
      }
    }
  }));

describe("a receipt never verifies", () => {
  it("when it is malformed, unsigned, signed wrongly, of another key, about another commit, or named by a commit that it is not about", () =>
    withProposal(async (place, { run, branch, base }) => {
      const key = await exportKey(place);
      await place.lw(["receipt", "export", run, "--out", "receipt.json"]);
      const envelope = JSON.parse(place.read("receipt.json"));
      const verify = async (name: string, text: string, ...more: readonly string[]) =>
        (await place.json(["receipt", "verify", place.write(name, text), "--key", key, ...more])).exit;
      place.write("other/.keep", "");
      const other = await place.lw(["key", "export", "--home", join(place.dir, "other")]);
      const foreign = await place.json(["receipt", "verify", "receipt.json", "--key", place.write("other.pub", other.stdout)]);

      expect(await verify("torn.json", place.read("receipt.json").slice(0, 200))).toBe(5);
      expect(await verify("empty.json", "")).toBe(5);
      expect(await verify("unsigned.json", `${JSON.stringify({ ...envelope, signatures: [] })}\n`)).toBe(5);
      expect(await verify("spaced.json", JSON.stringify(envelope, null, 2))).toBe(5);
      expect(await verify("good.json", place.read("receipt.json"), "--commit", base)).toBe(5);
      expect(await verify("good.json", place.read("receipt.json"), "--commit", tipOf(place, branch))).toBe(0);
      expect([foreign.exit, foreign.said.kind, foreign.said.receipt]).toEqual([4, "not-checked", undefined]);
      expect((await place.lw(["receipt", "verify", "receipt.json", "--key", "receipt.json"])).exit).toBe(64);

      const forged = place.repo.commit(`forged\n\nLoopwright-Receipt: ${run}`, { files: { "evil.txt": "x\n" } });
      const named = await place.json(["receipt", "verify", forged], { cwd: place.repo.dir });
      expect([named.exit, named.said.kind]).toEqual([5, "refused"]);
    }));
});

describe("the merge gate", () => {
  it("passes exactly the commit that was proven, and nothing that nobody recorded (22, 23)", () =>
    withProposal(async (place, { branch, base }) => {
      const other = await place.json([
        "ledger",
        "check",
        "--require",
        "fix,docs",
        "--commit",
        tipOf(place, branch),
        "--repo",
        place.repo.dir,
      ]);

      expect((await check(place, tipOf(place, branch))).exit).toBe(0);
      expect((await check(place, base)).exit).toBe(4);
      expect([other.exit, other.said.loops.map(({ result }: { result: string }) => result)]).toEqual([4, ["passed", "missing"]]);
      expect((await check(place, "no-such-branch")).exit).toBe(64);
      expect((await place.lw(["ledger", "check", "--commit", "HEAD"])).exit).toBe(64);
      rmSync(place.home, { recursive: true });
      expect((await check(place, tipOf(place, branch))).exit).toBe(4);
    }));

  it("takes the latest result: a commit that no longer holds is refused, although it once passed (23)", () =>
    withProposal(
      async (place, { run, branch }) => {
        const commit = tipOf(place, branch);
        // What the check leans on from outside has changed: the same tree is verified again before it moves, and fails.
        place.write("fails", "");
        const approved = await place.lw(["approve", run, ...ADA]);

        expect(approved.exit).toBe(1);
        expect((await check(place, commit)).exit).toBe(1);
      },
      { check: ({ dir }) => `test ! -e ${dir}/fails && grep -x right docs/value.txt` },
    ));

  it("counts receipts of other homes only with their keys, and lets no stranger speak; two homes work on one repository (25)", () =>
    withProposal(async (place, { branch }) => {
      const key = await exportKey(place);
      const fresh = ["--home", join(place.dir, "fresh")];

      const without = await check(place, tipOf(place, branch), ...fresh);
      const withKey = await check(place, tipOf(place, branch), ...fresh, "--key", key);

      expect([without.exit, without.said.ignored.length > 0, withKey.exit]).toEqual([4, true, 0]);

      // Each home has a chain of its own, and they never meet.
      await place.lw(["run", "fix.loop.json", ...fresh]);
      expect(place.repo.git("for-each-ref", "--format=%(refname)", "refs/loopwright/proofs/").split("\n")).toHaveLength(2);
      expect([(await place.lw(["ledger", "verify"])).exit, (await place.lw(["ledger", "verify", ...fresh])).exit]).toEqual([0, 0]);
    }));
});

describe("what was taken away is missed", () => {
  const broken = async (place: Place) => {
    const { exit, said } = await place.json(["ledger", "verify"]);
    return [exit, said.kind];
  };

  it("records at the end, and the whole file (22)", () =>
    withProposal(async (place, { run }) => {
      cpSync(place.home, join(place.dir, "before"), { recursive: true });
      await place.lw(["approve", run, ...ADA]);
      expect(await broken(place)).toEqual([0, "whole"]);
      cpSync(place.home, join(place.dir, "after"), { recursive: true });
      const restore = () => {
        rmSync(place.home, { recursive: true });
        cpSync(join(place.dir, "after"), place.home, { recursive: true });
      };

      rmSync(join(place.home, "journal.db"));
      expect(await broken(place)).toEqual([5, "broken"]);
      restore();
      // An older state of everything in the home: only what lies elsewhere can tell.
      rmSync(place.home, { recursive: true });
      cpSync(join(place.dir, "before"), place.home, { recursive: true });
      expect(await broken(place)).toEqual([5, "broken"]);
      restore();
      rmSync(join(place.home, "checkpoints.jsonl"));
      expect(await broken(place)).toEqual([5, "broken"]);
      restore();
      rmSync(join(place.home, "receipts"), { recursive: true });
      expect(await broken(place)).toEqual([5, "broken"]);
      rmSync(place.home, { recursive: true });
      expect(await broken(place)).toEqual([4, "empty"]);
    }));

  it("the file of checkpoints, also after more was signed behind it", () =>
    withProposal(async (place) => {
      truncateSync(join(place.home, "checkpoints.jsonl"));
      await place.lw(["ledger", "checkpoint"]);

      expect(await broken(place)).toEqual([5, "broken"]);
    }));

  it("an output that a receipt names, when it was edited (24)", () =>
    withProposal(async (place, { run }) => {
      const { said } = await place.json(["receipt", "show", run]);
      const { sha256 } = said.artifacts.find(({ name }: { name: string }) => name === "report");
      writeFileSync(join(place.home, "artifacts", sha256.slice(0, 2), sha256), "# All is well\n");

      const shown = await place.lw(["show", run, "--report"]);

      expect(shown.exit).not.toBe(0);
      expect(shown.stdout).not.toContain("All is well");
    }));
});

it("checkpoints go to a file and an address too; one that cannot be reached is told and does not undo the run", () =>
  inPlace(async (place) => {
    place.repo.commit("start", { files: { "docs/value.txt": "wrong\n" } });
    const heard: string[] = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        heard.push(body);
        response.writeHead(heard.length > 1 ? 503 : 200).end();
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    try {
      const { port } = server.address() as { readonly port: number };
      mkdirSync(place.home, { recursive: true });
      const file = join(place.dir, "elsewhere", "checkpoints.jsonl");
      writeFileSync(join(place.home, "receipts.yaml"), `anchors:\n  file: ${file}\n  url: http://127.0.0.1:${port}/anchor\n`);
      expect((await place.lw(["run", specOf(place)])).exit).toBe(0);

      expect(heard).toEqual([readFileSync(file, "utf8")]);
      expect(heard[0]).toBe(readFileSync(join(place.home, "checkpoints.jsonl"), "utf8"));
      const again = await place.json(["ledger", "checkpoint"]);
      expect([again.exit, again.said.failed.length]).toEqual([75, 1]);
      expect((await place.json(["ledger", "verify"])).said).toMatchObject({ kind: "whole", notChecked: [expect.stringContaining("url ")] });
      writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, 1).join("\n").concat("\n"));
      expect((await place.lw(["ledger", "verify"])).exit).toBe(5);
    } finally {
      server.close();
    }
  }));

it("eight processes that sign at once make one chain of checkpoints (25)", () =>
  withProposal(async (place) => {
    const made = await Promise.all(Array.from({ length: 8 }, () => place.apart.lw(["ledger", "checkpoint"])));

    expect(made.map(({ exit }) => exit)).toEqual(Array(8).fill(0));
    expect((await place.json(["ledger", "verify"])).said).toMatchObject({ kind: "whole", checkpoints: 9 });
  }));

it("a key that was changed still vouches for what it signed, and the next one is signed in by it", () =>
  withProposal(async (place, { run }) => {
    const old = await exportKey(place, "old.pub");
    const { said } = await place.json(["key", "rotate", ...ADA]);
    await place.lw(["approve", run, ...ADA]);
    await place.lw(["receipt", "export", run, "--out", "new.json"]);
    const all = place.write("all.pub", (await place.lw(["key", "export", "--all"])).stdout);

    expect((await place.json(["receipt", "verify", "new.json", "--key", old])).exit).toBe(4);
    expect((await place.json(["receipt", "verify", "new.json", "--key", all])).said.signedBy).toEqual([said.to]);
    expect((await place.lw(["ledger", "verify"])).exit).toBe(0);
    expect(readdirSync(join(place.home, "keys")).filter((name) => name.endsWith(".pem"))).toEqual([`${said.to}.pem`]);
  }));

it("no run is begun that could not be signed for", () =>
  withProposal(async (place, { base }) => {
    const [pem] = readdirSync(join(place.home, "keys")).filter((name) => name.endsWith(".pem"));
    rmSync(join(place.home, "keys", pem!));

    const refused = await place.lw(["run", "fix.loop.json", "--again"]);

    expect(refused.exit).toBe(4);
    expect(refused.stderr).toContain("the signing key cannot be used");
    expect(mainOf(place)).toBe(base);
  }));
