// Copies that lie on base must be what copies that were checked out are: to their commands, to git, and in what is committed of them.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOfLinux } from "../../../test/support/box.ts";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import type { Round } from "../../contract/round.ts";
import type { Checkout, Workshop } from "../../contract/workshop.ts";
import { surveyTrees } from "../files/copy-tree.ts";
import { removeTree } from "../files/remove-tree.ts";
import { type BaseLayers, createBaseLayers } from "../rooms/base-layers.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { createRunGit } from "./run-git.ts";
import { createWorkshop } from "./workshop.ts";

const env = { get: (name: string) => process.env[name] };
const folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-on-base-")));
const git = createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" });
const layers: BaseLayers = createBaseLayers(join(folder, "layers"), { env, means: async () => "overlay", owner: async () => undefined });
const workshop: Workshop = createWorkshop(join(folder, "rounds"), git, createArtifacts(join(folder, "artifacts")), { layers });

let repo: TestRepo;
let base: string;
let tree: string;
let rounds = 0;

beforeAll(() => {
  repo = createRepo();
  for (let n = 0; n < 1_050; n++) repo.write(`d${n % 30}/e${n % 3}/file-${n}.txt`, `line ${n}\n`);
  repo.write("run.sh", "#!/bin/sh\n");
  chmodSync(join(repo.dir, "run.sh"), 0o755);
  execFileSync("ln", ["-s", "d0/e0", join(repo.dir, "link")]);
  repo.write(".gitignore", "*.log\nout\n");
  repo.write(Buffer.from("d1/\u00e4 \n.txt", "utf8").toString(), "odd name\n");
  base = repo.commit("base");
  tree = repo.git("rev-parse", `${base}^{tree}`);
});
afterAll(async () => {
  git.objects.close();
  repo.remove();
  await removeTree(folder);
});

const roundOn = (): Round => ({
  id: `fix-1-abcde.${++rounds}`,
  run: "fix-1-abcde",
  loop: "fix",
  number: 1,
  base,
  openedAt: "2024-01-02T00:00:00.000Z",
  lessons: [],
});

/** As a command in its box sees it. */
async function runIn({ work, below = [] }: Pick<Checkout, "work" | "below">, run: string): Promise<string> {
  const [layer] = below;
  const around = layer === undefined ? [] : await layers.around(work, { layer });
  const [program = "", ...words] = [...around, "/bin/sh", "-ec", `cd "$0"\n${run}`, work];
  return execFileSync(program, words, { encoding: "utf8", env: { PATH: env.get("PATH"), HOME: "/nonexistent" } });
}

const surveyed = async (): Promise<string> => (await surveyTrees([Buffer.from(join(folder, "layers"))])).sha256;

/** Whatever a maker may do to what base has, each way of going, coming and changing. */
const WORK = `
echo more >> d0/e0/file-0.txt
rm d0/e1/file-1.txt 2>/dev/null || true
rm -r d2
rm -r d3; mkdir -p d3/e0; echo new > d3/e0/file-3.txt
rm -r d4; echo "a file now" > d4
rm run.sh; mkdir run.sh; echo inside > run.sh/inside
chmod +x d5/e2/file-5.txt
rm link; ln -s d6 link
mv d6/e0/file-6.txt d6/e0/moved.txt
mkdir -p fresh/deep out; echo fresh > fresh/deep/file; echo no > out/ignored; echo no > d7/some.log
printf 'LINE 8\\n' > d8/e2/new; touch -r d8/e2/file-8.txt d8/e2/new; mv d8/e2/new d8/e2/file-8.txt
mkdir nested; git -C nested init -q; echo own > nested/own
`;

describe.skipIf(!isOfLinux)("a copy that lies on base", () => {
  it("is clean to git, and what is done in it is committed as it would be of one that was checked out", async () => {
    const [plain, lying] = [roundOn(), roundOn()];
    const one = await workshop.openWorkspace(repo.dir, plain);
    const two = await workshop.openWorkspace(repo.dir, lying, { hidden: [], leftOut: [], onBase: { tree, apart: [] } });

    const before = await surveyed();
    const [status, files] = [await runIn(two, "git status --porcelain; git stash list; git log --oneline | wc -l"), await runIn(two, LIST)];
    expect([readdirSync(two.work), two.below?.length, status.trim(), files]).toEqual([[".git"], 1, "1", await runIn(one, LIST)]);
    for (const at of [one, two]) await runIn(at, WORK);
    const [first, second] = [
      await workshop.commitWorkspace(repo.dir, plain, "done\n"),
      await workshop.commitWorkspace(repo.dir, lying, "done\n"),
    ];

    expect([second.tree, second.changes]).toEqual([first.tree, first.changes]);
    expect(second.changes.map(({ path }) => path)).toContain("d8/e2/file-8.txt");
    expect(await surveyed()).toBe(before);

    // A room of that commit, one as it is checked out, and one on base.
    const plainly = await workshop.openRoom(lying, { name: "check-1", commit: second.commit });
    const room = await workshop.openRoom(lying, { name: "check-2", commit: second.commit, onBase: { tree, apart: ["report.xml"] } });
    expect([plainly.isOnBase, room.isOnBase, await runIn(room, LIST)]).toEqual([undefined, true, await runIn(plainly, LIST)]);
    expect(await runIn(room, "git status --porcelain; git log -1 --format=%s; git blame -s d0/e0/file-0.txt | wc -l; git stash list")).toBe(
      "done\n2\n",
    );
    expect(await workshop.listIgnored(lying, plainly, ["out", "d0", "fresh/some.log", ":(top)out"])).toEqual(["out", "fresh/some.log"]);
    // What was taken away lies in the way of who looks from outside, as does what base has.
    for (const apart of ["d2/report.xml", "d0/e0/file-0.txt"]) {
      const whole = await workshop.openRoom(lying, { name: "check-3", commit: second.commit, onBase: { tree, apart: [apart] } });
      expect([whole.isOnBase, existsSync(join(whole.work, "d9"))]).toEqual([undefined, true]);
    }
    expect(await surveyed()).toBe(before);
    await workshop.close(lying);
    expect(existsSync(join(folder, "rounds", "fix", lying.id))).toBe(false);
  });

  it("goes on from what was kept, and is made anew where base was written into", async () => {
    const round = roundOn();
    const wish = { hidden: [], leftOut: [], onBase: { tree, apart: [] } };
    const first = await workshop.openWorkspace(repo.dir, round, wish);
    const plain = roundOn();
    const quick = WORK.replace("fresh/deep out", "fresh/deep")
      .replace("echo no > out/ignored;", "")
      .replace(/^.*nested.*$/m, "");
    for (const at of [first, await workshop.openWorkspace(repo.dir, plain)]) await runIn(at, `${quick}echo kept > d0/kept`);
    const { commit, tree: kept } = await workshop.commitWorkspace(repo.dir, round, "kept\n");
    expect((await workshop.commitWorkspace(repo.dir, plain, "kept\n")).tree).toBe(kept);
    await workshop.keep(repo.dir, round, commit);

    const again = await workshop.openWorkspace(repo.dir, round, wish);
    await workshop.restore(repo.dir, round, commit, wish);
    expect(await runIn(again, "cat d0/kept; ls d2 2>/dev/null || echo gone")).toBe("kept\ngone\n");
    expect((await workshop.commitWorkspace(repo.dir, round, "kept\n")).tree).toBe(kept);

    const [layer = ""] = again.below ?? [];
    rmSync(join(layer, "d9/e0/file-9.txt"));
    utimesSync(layer, new Date(0), new Date(0));
    const anew = createBaseLayers(join(folder, "layers"), { env, means: async () => "overlay", owner: async () => undefined });
    const other = createWorkshop(join(folder, "rounds"), git, createArtifacts(join(folder, "artifacts")), { layers: anew });
    const third = await other.openWorkspace(repo.dir, roundOn(), wish);
    expect([third.below?.[0] === layer, lstatSync(join(third.below?.[0] ?? "", "d9/e0/file-9.txt")).isFile()]).toEqual([false, true]);
  });
});

const LIST =
  "find . -path ./.git -prune -o -printf '%p %y %l %m %s\\n' | grep -v ' d ' | sort; git ls-files -s | sha256sum; cat d0/e0/* | sha256sum";
