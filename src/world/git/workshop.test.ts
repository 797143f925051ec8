import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import type { Round } from "../../contract/round.ts";
import type { Apart, Workshop, Workspace } from "../../contract/workshop.ts";
import { createArtifacts } from "../store/artifacts.ts";
import { createMover } from "./mover.ts";
import { parseRawDiff } from "./raw-diff.ts";
import { createRunGit } from "./run-git.ts";
import { createWorkshop } from "./workshop.ts";

const PATH = process.env.PATH ?? "/usr/bin:/bin";
const BRANCH = "loopwright/fix-1-abcde.1";
const MESSAGE = "fix: Keep it green.\n\nLoopwright-Round: fix-1-abcde.1\n";

let folder = "";
let repo: TestRepo;
let workshop: Workshop;
let round: Round;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "lw-workshop-")));
  repo = createRepo();
  const base = repo.commit("one", { files: { "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored\n*.log\n" } });
  workshop = openWorkshop();
  round = roundOn(base);
});
afterEach(() => {
  repo.remove();
  execFileSync("rm", ["-rf", folder]);
});

const artifacts = () => createArtifacts(join(folder, "artifacts"));
const openWorkshop = (rounds = join(folder, "rounds")): Workshop => createWorkshop(rounds, createRunGit({ path: PATH }), artifacts());
const isWaiting = async (target: string, branch: string, base: string): Promise<boolean> => {
  const mover = createMover(createRunGit({ path: PATH }), { get: () => undefined });
  const tip = await mover.branchTip(target, branch);
  return tip !== undefined && !(await mover.contains(target, base, tip));
};
const roundOn = (base: string): Round => ({
  id: "fix-1-abcde.1",
  run: "fix-1-abcde",
  loop: "fix",
  number: 1,
  base,
  openedAt: "2026-01-02T03:04:05.678Z",
  lessons: [],
});

/** What a maker does in its copy, as a shell would run it. */
const sh = (work: string, script: string): void =>
  void execFileSync("/bin/sh", ["-ec", script], {
    cwd: work,
    env: {
      PATH,
      HOME: "/nonexistent",
      GIT_AUTHOR_NAME: "m",
      GIT_AUTHOR_EMAIL: "m",
      GIT_COMMITTER_NAME: "m",
      GIT_COMMITTER_EMAIL: "m",
      OUTSIDE: folder,
      TARGET: repo.dir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Everything below a folder by its path: kind, permissions and bytes. */
function snapshot(root: string, skip: (path: string) => boolean = () => false): { readonly [path: string]: string } {
  const walk = (place: string): readonly (readonly [string, string])[] =>
    readdirSync(place).flatMap((name) => {
      const path = join(place, name);
      const key = relative(root, path);
      if (skip(key)) return [];
      const found = lstatSync(path);
      if (found.isDirectory()) return [[`${key}/`, ""], ...walk(path)];
      if (found.isSymbolicLink()) return [[key, `link to ${readlinkSync(path)}`]];
      return [[key, `${(found.mode & 0o777).toString(8)} ${readFileSync(path).toString("base64")}`]];
    });
  return Object.fromEntries(walk(root));
}

/** Files of a commit: path → mode and content. */
function treeOf(place: string, commit: string): { readonly [path: string]: string } {
  const ask = (input: string, ...args: readonly string[]): Buffer => execFileSync("git", args, { cwd: place, input });
  const entries = ask("", "ls-tree", "-r", "-z", commit).toString("utf8").split("\0").filter(Boolean);
  let rest = ask(entries.map((entry) => `${entry.slice(12, entry.indexOf("\t"))}\n`).join(""), "cat-file", "--batch");
  return Object.fromEntries(
    entries.map((entry) => {
      const head = rest.subarray(0, rest.indexOf("\n")).toString("utf8");
      const size = Number(head.split(" ")[2]);
      const text = rest.subarray(head.length + 1, head.length + 1 + size).toString("utf8");
      rest = rest.subarray(head.length + size + 2);
      return [entry.slice(entry.indexOf("\t") + 1), `${entry.slice(0, 6)} ${text}`];
    }),
  );
}

const BASE_TREE = { "a.txt": "100644 a\n", "dir/b.txt": "100644 b\n", ".gitignore": "100644 ignored\n*.log\n" };

/** Opens, lets the maker do its thing, and commits; gives back the files of the commit. */
async function committed(edit: (workspace: Workspace) => void) {
  edit(await workshop.openWorkspace(repo.dir, round));
  const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
  return treeOf(join(folder, "rounds", "fix", round.id, "store.git"), commit);
}

/** The same, and proposes it. */
async function proposed(edit: (workspace: Workspace) => void) {
  edit(await workshop.openWorkspace(repo.dir, round));
  const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
  await workshop.propose(repo.dir, round, commit, BRANCH);
  return treeOf(repo.dir, commit);
}

describe("the user's repository", () => {
  it("stays as it is, byte for byte, but for the new branch and its objects", async () => {
    repo.write("staged.txt", "staged\n");
    repo.git("add", "staged.txt");
    repo.git("stash");
    repo.write("a.txt", "half an edit\n");
    repo.write("other.txt", "staged\n");
    repo.git("add", "other.txt");
    repo.write("untracked.txt", "mine\n");
    repo.git("worktree", "add", "--quiet", "--detach", join(folder, "linked"));
    repo.git("branch", "side");
    repo.git("pack-refs", "--all");
    repo.write(".git/FETCH_HEAD", "as it was\n");
    repo.git("config", "fetch.writeCommitGraph", "true");
    const isNew = (path: string) =>
      path.startsWith(".git/objects/") || path.includes("heads/loopwright") || path === ".git/logs/refs/heads/loopwright";
    const before = snapshot(repo.dir, isNew);
    const refs = repo.git("for-each-ref");
    const worktrees = repo.git("worktree", "list", "--porcelain");

    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo more >> a.txt; echo new > new.txt; rm dir/b.txt");
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    await workshop.checkOut(repo.dir, round, commit, "1");
    await workshop.propose(repo.dir, round, commit, BRANCH);
    await workshop.close(round);

    expect(snapshot(repo.dir, isNew)).toEqual(before);
    expect(
      repo
        .git("for-each-ref")
        .split("\n")
        .filter((line) => !line.endsWith(BRANCH)),
    ).toEqual(refs.split("\n"));
    expect(repo.git("rev-parse", BRANCH)).toBe(commit);
    expect(repo.git("worktree", "list", "--porcelain")).toBe(worktrees);
    expect(repo.git("fsck", "--strict")).not.toMatch(/error|missing|broken/);
    expect(existsSync(join(folder, "rounds", "fix", round.id))).toBe(false);
  });

  it("keeps all it has when its borrower destroys its own copy", async () => {
    const before = repo.git("count-objects", "-v");

    await proposed(({ work }) => {
      sh(
        work,
        "git stash list; git reset --quiet --hard; git reflog expire --expire=now --all; git gc --quiet --prune=now; git repack -a -d -q; git prune --expire=now",
      );
    });

    expect(repo.git("fsck", "--strict", "--full")).not.toMatch(/error|missing|broken/);
    expect(repo.git("count-objects", "-v").split("\n")[3]).toBe(before.split("\n")[3]);
  });
});

describe("the commit", () => {
  it("tells what changed by objects, and is the same when the same work is committed again", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo more >> a.txt; echo new > new.txt; rm dir/b.txt");

    const first = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    const again = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo more >> a.txt; echo new > new.txt; rm dir/b.txt");
    const anew = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    expect([again, anew]).toEqual([first, first]);
    expect(first.changes).toEqual([
      { path: "a.txt", before: { mode: "100644", blob: blobId("a\n") }, after: { mode: "100644", blob: blobId("a\nmore\n") } },
      { path: "dir/b.txt", before: { mode: "100644", blob: blobId("b\n") }, after: undefined },
      { path: "new.txt", before: undefined, after: { mode: "100644", blob: blobId("new\n") } },
    ]);
    expect(Buffer.from(await artifacts().read(first.diff)).toString("utf8")).toContain("+more\n");
  });

  it("is compared with base by both sides of every file, whatever attributes it brings", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo '* -diff binary filter=evil' > .gitattributes; echo more >> a.txt; git mv dir/b.txt c.txt");

    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    const { files, blind } = await workshop.compareWithBase(round, commit);

    expect(blind).toEqual([]);
    const text = (of: string) => ({ mode: "100644", content: { kind: "text", pieces: [{ line: 1, text: of }] } });
    expect(files.filter(({ path }) => path !== ".gitattributes")).toEqual([
      { path: "a.txt", oldPath: undefined, before: text("a\n"), after: text("a\nmore\n") },
      { path: "c.txt", oldPath: "dir/b.txt", before: text("b\n"), after: text("b\n") },
    ]);
  });

  it("carries the round's name and time, and one parent", async () => {
    await proposed(({ work }) => writeFileSync(join(work, "new.txt"), "new\n"));

    expect(repo.git("log", "-1", "--format=%P|%an <%ae>|%aI|%cI|%B", BRANCH)).toBe(
      `${round.base}|Loopwright <loopwright@localhost>|2026-01-02T03:04:05+00:00|2026-01-02T03:04:05+00:00|${MESSAGE.trim()}`,
    );
  });

  it("is made of nothing new when nothing was changed", async () => {
    await workshop.openWorkspace(repo.dir, round);

    const { changes, tree } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    expect({ changes, tree }).toEqual({ changes: [], tree: repo.git("rev-parse", `${round.base}^{tree}`) });
  });

  it.each([
    ["was committed by the maker itself", "echo new > new.txt; git add -A; git commit -qm mine; git checkout -q -b elsewhere"],
    ["was only staged, then taken back", "echo new > new.txt; git add -A; git reset -q"],
    ["was left after its stash was dropped", "echo x > a.txt; git stash -q; git stash drop -q; echo new > new.txt"],
    [
      "lies in a copy whose history was rewritten",
      "git commit -q --amend --allow-empty -m x; git reset -q --hard HEAD; echo new > new.txt; git gc -q --prune=now",
    ],
    ["lies in a copy without a .git", "rm -rf .git; echo new > new.txt"],
    ["lies in a copy whose .git points to the user's", 'rm -rf .git; echo "gitdir: $TARGET/.git" > .git; echo new > new.txt'],
    ["lies in a copy whose .git is a link", 'rm -rf .git; ln -s "$TARGET/.git" .git; echo new > new.txt'],
    ["lies in a copy whose .git says that the files are elsewhere", 'git config core.worktree "$OUTSIDE"; echo new > new.txt'],
    [
      "lies in a copy whose .git says to leave it out",
      "echo '*' > .git/info/exclude; git config core.excludesFile .git/info/exclude; echo new > new.txt",
    ],
    [
      "lies in a copy whose index says that nothing changed",
      "git update-index --assume-unchanged a.txt; git update-index --skip-worktree dir/b.txt; echo new > new.txt",
    ],
    ["lies in a copy that borrows from elsewhere", 'echo "$OUTSIDE" > .git/objects/info/alternates; echo new > new.txt'],
    [
      "lies in a copy with a sparse checkout",
      "git config core.sparseCheckout true; echo '/a.txt' > .git/info/sparse-checkout; echo new > new.txt",
    ],
    [
      "comes with files that are ignored and folders that are empty",
      "echo new > new.txt; echo x > ignored; echo x > dir/x.log; mkdir -p empty/deep",
    ],
  ])("holds what %s", async (_, script) => {
    expect(await committed(({ work }) => sh(work, script))).toEqual({ ...BASE_TREE, "new.txt": "100644 new\n" });
  });

  const NAMES = [
    "with space",
    "new\nline",
    'quo"te',
    "back\\slash",
    "ünï☃",
    "-dash",
    "*glob?[x]",
    ":(top)magic",
    "tab\t",
    "#hash",
    "trailing ",
  ];

  it("holds names and kinds of every sort", async () => {
    const tree = await committed(({ work }) => {
      for (const name of NAMES) writeFileSync(join(work, name), name);
      symlinkSync("/etc/passwd", join(work, "out"));
      symlinkSync("../../nowhere", join(work, "dangling"));
      symlinkSync("dir", join(work, "folder"));
      writeFileSync(join(work, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
      chmodSync(join(work, "a.txt"), 0o755);
      renameSync(join(work, "dir/b.txt"), join(work, "dir/B.txt"));
    });

    const { changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    expect(changes.map(({ path }) => path).sort()).toEqual(
      [...NAMES, "out", "dangling", "folder", "run.sh", "a.txt", "dir/B.txt", "dir/b.txt"].sort(),
    );
    expect(tree).toEqual({
      ".gitignore": BASE_TREE[".gitignore"],
      ...Object.fromEntries(NAMES.map((name) => [name, `100644 ${name}`])),
      out: "120000 /etc/passwd",
      dangling: "120000 ../../nowhere",
      folder: "120000 dir",
      "run.sh": "100755 #!/bin/sh\n",
      "a.txt": "100755 a\n",
      "dir/B.txt": "100644 b\n",
    });
  });

  it("holds a name that is not text, and its copy can be removed again", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "printf x > \"$(printf 'n\\377')\"; mkdir -p \"$(printf 'd\\377')/deep\"; echo y > \"$(printf 'd\\377')/deep/f\"");

    const { changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    await workshop.close(round);

    expect(changes.map(({ path }) => path)).toEqual(["d\u00ff/deep/f", "n\u00ff"]);
    expect(existsSync(dirname(work))).toBe(false);
  });

  it("holds nothing when everything was deleted", async () => {
    expect(await committed(({ work }) => sh(work, "rm -rf ./* ./.gitignore"))).toEqual({});
  });

  it("holds bytes as they are, whatever a .gitattributes says, and so does a copy made of it", async () => {
    const attributes =
      "* text=auto eol=crlf\n*.id ident\n*.u16 working-tree-encoding=UTF-16\n*.x filter=planted export-ignore -diff\n*.bin binary\n";
    const files = {
      "crlf.txt": "a\r\nb\r\n",
      "lf.txt": "a\nb\n",
      "a.id": "$Id: mine $\n",
      "w.u16": "no utf-16",
      "c.x": "as it is\n",
      "t.bin": "text\n",
    };

    const { work } = await workshop.openWorkspace(repo.dir, round);
    writeFileSync(join(work, ".gitattributes"), attributes);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
    const { commit, diff } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    const checkout = await workshop.checkOut(repo.dir, round, commit, "1");
    await workshop.propose(repo.dir, round, commit, BRANCH);

    expect(treeOf(repo.dir, commit)).toEqual({
      ...BASE_TREE,
      ".gitattributes": `100644 ${attributes}`,
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `100644 ${text}`])),
    });
    for (const [name, text] of Object.entries(files)) expect(readFileSync(join(checkout.work, name), "utf8")).toBe(text);
    expect(Buffer.from(await artifacts().read(diff)).toString("utf8")).toContain("+as it is\n");
  });
});

describe("a repository inside the copy", () => {
  it.each([
    ["without commits", "git init -q sub; echo in > sub/in.txt"],
    ["with commits", "git init -q sub; echo in > sub/in.txt; git -C sub add -A; git -C sub commit -qm in"],
    [
      "in a repository",
      "git init -q sub; echo in > sub/in.txt; git init -q sub/deep; rm -rf sub/deep; git init -q sub/x/y; rm -rf sub/x/y/.git; mkdir -p sub/x; git init -q sub/x; rm -rf sub/x",
    ],
    ["that is a file", 'mkdir sub; echo in > sub/in.txt; echo "gitdir: $TARGET/.git" > sub/.git'],
    ["that is a link", 'mkdir sub; echo in > sub/in.txt; ln -s "$TARGET/.git" sub/.git'],
    ["that is empty", "mkdir -p sub/.git; echo in > sub/in.txt"],
  ])("is a folder of files like any other: one %s", async (_, script) => {
    const tree = await committed(({ work }) => sh(work, script));

    expect(tree).toEqual({ ...BASE_TREE, "sub/in.txt": "100644 in\n" });
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  it("may hold another, and that one another", async () => {
    const tree = await committed(({ work }) =>
      sh(
        work,
        "git init -q one; git init -q one/two; git init -q one/two/three; echo in > one/two/three/in.txt; git -C one/two commit -q --allow-empty -m x",
      ),
    );

    expect(tree).toEqual({ ...BASE_TREE, "one/two/three/in.txt": "100644 in\n" });
  });

  it("that is a submodule of base stays at the commit base names, whatever the maker does with it", async () => {
    const link = "1".repeat(40);
    repo.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ../nowhere\n');
    repo.git("update-index", "--add", "--cacheinfo", `160000,${link},sub`);
    repo.git("add", ".gitmodules");
    repo.git("commit", "--quiet", "--message=sub");
    round = roundOn(repo.git("rev-parse", "HEAD"));
    const witness = join(folder, "witness");

    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(
      work,
      `cd sub; git init -q; echo x > f; echo '* filter=p' > .gitattributes; git add -A; git commit -qm x; git config filter.p.clean 'touch ${witness}; cat'; git config core.fsmonitor 'touch ${witness}'; echo y > f`,
    );
    const { changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    expect({ changes, ran: existsSync(witness) }).toEqual({ changes: [], ran: false });
  });
});

describe("planted code", () => {
  it("never runs: hooks, filters, fsmonitor, drivers, aliases, in the copy or in the target", async () => {
    const witness = join(folder, "witness");
    const command = `touch ${witness}`;
    const hooks = [
      "pre-commit",
      "post-checkout",
      "post-index-change",
      "reference-transaction",
      "post-commit",
      "prepare-commit-msg",
      "pre-auto-gc",
      "update",
      "post-merge",
      "fsmonitor-watchman",
    ];
    const plant = (gitDir: string): void => {
      mkdirSync(join(gitDir, "hooks"), { recursive: true });
      for (const hook of hooks) writeFileSync(join(gitDir, "hooks", hook), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
      const settings = [
        `[core]\n\tfsmonitor = ${command}\n\tsshCommand = ${command}\n\tpager = ${command}\n\teditor = ${command}\n\thooksPath = ${join(gitDir, "hooks")}`,
        `[filter "p"]\n\tclean = "${command}; cat"\n\tsmudge = "${command}; cat"\n\trequired = true`,
        `[diff "p"]\n\tcommand = ${command}\n\ttextconv = ${command}`,
        `[diff]\n\texternal = ${command}`,
        `[merge "p"]\n\tdriver = ${command}`,
        `[gpg]\n\tprogram = ${command}\n[commit]\n\tgpgSign = true`,
        `[uploadpack]\n\tpackObjectsHook = ${command}`,
      ];
      writeFileSync(join(gitDir, "config"), `${readFileSync(join(gitDir, "config"), "utf8")}\n${settings.join("\n")}\n`);
    };
    plant(join(repo.dir, ".git"));

    const tree = await proposed(({ work }) => {
      plant(join(work, ".git"));
      writeFileSync(join(work, ".gitattributes"), "* filter=p diff=p merge=p\n");
      writeFileSync(join(work, "a.txt"), "changed\n");
      rmSync(witness, { force: true });
    });
    const checkout = await workshop.checkOut(repo.dir, round, repoTip(), "1");
    await isWaiting(repo.dir, BRANCH, round.base);
    await workshop.close(round);

    expect(existsSync(witness)).toBe(false);
    expect(checkout.work).toBe(join(folder, "rounds", "fix", round.id, "check-1", "work"));
    expect(tree).toEqual({ ...BASE_TREE, "a.txt": "100644 changed\n", ".gitattributes": "100644 * filter=p diff=p merge=p\n" });
  });

  it("never runs, and hides nothing, from where the engine's own repository will be made", async () => {
    const witness = join(folder, "witness");

    const tree = await proposed(({ work }) => {
      sh(
        work,
        `git init -q --bare ../store.git; git --git-dir ../store.git config filter.p.clean 'touch ${witness}; cat'; echo '* filter=p' > .gitattributes; mkdir -p ../store.git/info; echo '*' > ../store.git/info/exclude; echo x > ../index; echo x > ../index.lock`,
      );
    });

    expect({ tree, ran: existsSync(witness) }).toEqual({ tree: { ...BASE_TREE, ".gitattributes": "100644 * filter=p\n" }, ran: false });
  });

  it("cannot change what is proposed after it was judged", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    writeFileSync(join(work, "new.txt"), "new\n");
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    await workshop.checkOut(repo.dir, round, commit, "1");
    sh(join(dirname(work), "store.git"), `git update-ref refs/heads/proposal ${round.base}`);

    await workshop.propose(repo.dir, round, commit, BRANCH);

    expect(repoTip()).toBe(commit);
  });
});

describe("a copy of a base without files", () => {
  it("is a clean repository on the round's branch, as git would leave it, and what is made in it is committed onto base", async () => {
    const tree = repo.feed("", "hash-object", "-t", "tree", "-w", "--stdin");
    const base = repo.git("commit-tree", tree, "-m", "nothing");

    const { work } = await workshop.openWorkspace(repo.dir, roundOn(base));
    const seen = (...args: readonly string[]): string => execFileSync("git", args, { cwd: work, encoding: "utf8" }).trim();
    const before = [seen("status", "--porcelain=v2", "--branch"), seen("rev-parse", "HEAD"), seen("ls-files")];
    sh(work, "echo x > x.txt");
    const { commit } = await workshop.commitWorkspace(repo.dir, roundOn(base), MESSAGE);

    expect(before).toEqual([`# branch.oid ${base}\n# branch.head fix-1-abcde.1`, base, ""]);
    expect(treeOf(join(folder, "rounds", "fix", "fix-1-abcde.1", "store.git"), commit)).toEqual({ "x.txt": "100644 x\n" });
  });
});

describe("changes of several", () => {
  it("are told by the path itself where one made a file and the other a folder of that name", async () => {
    const made = (tree: string, ...parents: readonly string[]): string => repo.git("commit-tree", tree, ...parents, "-m", "made");
    const base = made(repo.feed("", "mktree"));
    const file = repo.feed("n\n", "hash-object", "-w", "--stdin");
    const inside = repo.feed(`100644 blob ${file}\tx\n`, "mktree");
    const trees = [`100644 blob ${file}\tnew\n`, `040000 tree ${inside}\tnew\n`].map((line) => repo.feed(line, "mktree"));

    const merged = await workshop.merge(
      repo.dir,
      roundOn(base),
      trees.map((tree) => made(tree, "-p", base)),
    );

    expect(merged).toEqual({ kind: "conflict", at: 1, paths: ["new"] });
  });
});

describe("what cannot be committed", () => {
  it.each([
    ["a pipe in a file's place", "rm a.txt; mkfifo a.txt", /a\.txt: can only add regular files/],
    ["a folder that git takes for its own", "mkdir .GIT; echo x > .GIT/config", /invalid path '\.GIT\/config'/],
  ])("is said in plain words: %s", async (_, script, why) => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, script);

    await expect(workshop.commitWorkspace(repo.dir, round, MESSAGE)).rejects.toMatchObject({
      code: "maker-failed",
      retry: "never",
      message: expect.stringMatching(why),
      hint: expect.stringContaining("git cannot hold"),
    });
  });

  it.each([
    ["was removed", () => {}],
    ["was replaced by a link to somewhere else", (work: string) => symlinkSync(repo.dir, work)],
    ["was replaced by a file", (work: string) => writeFileSync(work, "")],
  ])("is a copy that %s", async (_, spoil) => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    rmSync(work, { recursive: true });
    spoil(work);

    await expect(workshop.commitWorkspace(repo.dir, round, MESSAGE)).rejects.toMatchObject({ code: "workspace-lost", retry: "never" });
  });
});

describe("a copy for a verifier", () => {
  it("holds the commit and nothing else, and the maker's copy is gone", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(
      work,
      "echo new > new.txt; ln -s new.txt link; echo x > ignored; echo x > dir/x.log; mkdir empty; printf '#!/bin/sh\\n' > .git/hook",
    );
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    const checkout = await workshop.checkOut(repo.dir, round, commit, "2");

    expect(snapshot(checkout.work, (path) => path === ".git")).toEqual(
      Object.fromEntries(
        Object.entries({ "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored\n*.log\n", "new.txt": "new\n" })
          .map(([path, text]) => [path, `${(0o666 & ~process.umask()).toString(8)} ${Buffer.from(text).toString("base64")}`])
          .concat([
            ["link", "link to new.txt"],
            ["dir/", ""],
          ]),
      ),
    );
    expect(execFileSync("git", ["rev-parse", "HEAD"], { cwd: checkout.work }).toString().trim()).toBe(commit);
    expect(readdirSync(checkout.home)).toEqual([]);
    expect(existsSync(work)).toBe(false);
  });

  it("is fresh each time, and no verifier sees what another left", async () => {
    await workshop.openWorkspace(repo.dir, round);
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);
    const first = await workshop.checkOut(repo.dir, round, commit, "1");
    sh(first.work, "echo litter > litter; echo changed > a.txt; rm -rf .git; echo x > ../home/x");

    const again = await workshop.checkOut(repo.dir, round, commit, "1");
    const second = await workshop.checkOut(repo.dir, round, commit, "2");

    expect([readdirSync(again.work).sort(), readdirSync(again.home), readdirSync(second.work).sort()]).toEqual([
      [".git", ".gitignore", "a.txt", "dir"],
      [],
      [".git", ".gitignore", "a.txt", "dir"],
    ]);
    expect(readFileSync(join(again.work, "a.txt"), "utf8")).toBe("a\n");
  });
});

describe("a proposal", () => {
  const makeCommit = async (text = "new\n"): Promise<string> => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    writeFileSync(join(work, "new.txt"), text);
    return (await workshop.commitWorkspace(repo.dir, round, MESSAGE)).commit;
  };

  it("may be made twice, also when the round's folder is gone", async () => {
    const commit = await makeCommit();

    await workshop.propose(repo.dir, round, commit, BRANCH);
    await workshop.propose(repo.dir, round, commit, BRANCH);
    await workshop.close(round);
    await workshop.propose(repo.dir, round, commit, BRANCH);

    expect(repoTip()).toBe(commit);
  });

  it("never moves a branch that is there: a reviewer's commits on it stay", async () => {
    const commit = await makeCommit();
    repo.git("branch", BRANCH, round.base);

    await expect(workshop.propose(repo.dir, round, commit, BRANCH)).rejects.toMatchObject({ code: "proposal-conflict", retry: "never" });
    expect(repoTip()).toBe(round.base);
  });

  it.each(["loopwright", `${BRANCH}/deeper`])("says so when the branch %s is in the way", async (inTheWay) => {
    const commit = await makeCommit();
    repo.git("branch", inTheWay, round.base);

    await expect(workshop.propose(repo.dir, round, commit, BRANCH)).rejects.toMatchObject({
      code: "proposal-conflict",
      message: expect.stringContaining(`could not be made`),
      hint: expect.stringContaining("rename"),
    });
    expect(repo.git("for-each-ref", "--format=%(refname:short)", "refs/heads")).toBe([inTheWay, "main"].sort().join("\n"));
  });

  it("is not mistaken for a branch whose name only looks like it", async () => {
    const commit = await makeCommit();
    repo.git("update-ref", `refs/heads/refs/heads/${BRANCH}`, round.base);

    await workshop.propose(repo.dir, round, commit, BRANCH);

    expect(repo.git("rev-parse", `refs/heads/${BRANCH}`)).toBe(commit);
  });

  it("waits while its branch exists and base does not contain it", async () => {
    const commit = await makeCommit();
    expect(await isWaiting(repo.dir, BRANCH, round.base)).toBe(false);

    await workshop.propose(repo.dir, round, commit, BRANCH);
    expect(await isWaiting(repo.dir, BRANCH, round.base)).toBe(true);
    expect(await isWaiting(repo.dir, BRANCH, "0".repeat(40))).toBe(true);
    expect(await isWaiting(repo.dir, BRANCH, commit)).toBe(false);

    repo.git("branch", "--quiet", "-D", BRANCH);
    expect(await isWaiting(repo.dir, BRANCH, round.base)).toBe(false);
  });
});

describe("tidying up", () => {
  it("removes what other runs of the loop left, and nothing of this run or of other loops", async () => {
    for (const id of ["fix-1-abcde.1", "fix-1-abcde.2", "fix-2-fghij.1", "fix-1-abcdef.1"])
      mkdirSync(join(folder, "rounds", "fix", id, "work"), { recursive: true });
    mkdirSync(join(folder, "rounds", "other", "other-1-abcde.1"), { recursive: true });

    await workshop.sweep("fix", "fix-1-abcde");
    await workshop.sweep("never-ran", "x");

    expect(readdirSync(join(folder, "rounds", "fix")).sort()).toEqual(["fix-1-abcde.1", "fix-1-abcde.2"]);
    expect(readdirSync(join(folder, "rounds", "other"))).toEqual(["other-1-abcde.1"]);
  });

  it("removes links and not what they lead to, and may be done twice", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    symlinkSync(repo.dir, join(work, "target"));

    await workshop.close(round);
    await workshop.close(round);

    expect(existsSync(join(repo.dir, "a.txt"))).toBe(true);
  });

  it("throws away what an earlier try left when a round is opened again", async () => {
    const { work, usage } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo litter > litter; chmod 500 dir; chmod 000 .");
    writeFileSync(usage, "{}");

    await workshop.openWorkspace(repo.dir, round);

    expect([readdirSync(work).sort(), existsSync(usage)]).toEqual([[".git", ".gitignore", "a.txt", "dir"], false]);
  });
});

it("refuses a diff in a form it does not know", () => {
  expect(() => parseRawDiff(Buffer.from("what\0is this\0"))).toThrow("in a form we do not know");
});

const repoTip = (): string => repo.git("rev-parse", `refs/heads/${BRANCH}`);

const blobId = (text: string): string => repo.feed(text, "hash-object", "--stdin");

describe("a commit with some of its changes undone", () => {
  const namesIn = (work: string) => Object.keys(snapshot(work, (path) => path === ".git" || path === ".gitignore")).sort();

  it("has what was changed, deleted and added as base has it, and everything else as the proposal has it", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "echo changed > a.txt; rm dir/b.txt; echo new > conftest.py; echo kept > kept.txt");
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    const sealed = await workshop.undo(round, commit, ["a.txt", "dir/b.txt", "conftest.py"]);

    const room = await workshop.checkOut(repo.dir, round, sealed, "1");
    expect(namesIn(room.work)).toEqual(["a.txt", "dir/", "dir/b.txt", "kept.txt"]);
    expect(readFileSync(join(room.work, "a.txt"), "utf8")).toBe("a\n");
    expect(await workshop.undo(round, commit, ["a.txt", "dir/b.txt", "conftest.py"])).toBe(sealed);
  });

  it("puts a file back where the proposal made a folder or a link, and finds names that are no text", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "rm a.txt; mkdir a.txt; echo x > a.txt/x; rm dir/b.txt; ln -s /etc/passwd dir/b.txt; printf y > \"$(printf 'odd\\377name')\"");
    const { commit, changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE);

    const sealed = await workshop.undo(
      round,
      commit,
      changes.map(({ path }) => path),
    );

    const room = await workshop.checkOut(repo.dir, round, sealed, "1");
    expect(namesIn(room.work)).toEqual(["a.txt", "dir/", "dir/b.txt"]);
    expect(readFileSync(join(room.work, "dir/b.txt"), "utf8")).not.toContain("root:");
  });
});

describe("a room", () => {
  /** A proposal that changes a file, adds a test and takes a file away. */
  async function givenProposal(): Promise<string> {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, 'echo changed > a.txt; rm dir/b.txt; mkdir -p "test/sub dir"; echo one > "test/sub dir/x*.test.sh"');
    return (await workshop.commitWorkspace(repo.dir, round, MESSAGE)).commit;
  }
  const filesIn = (work: string) => snapshot(work, (path) => path === ".git" || path === ".gitignore");

  it("is a fresh copy of base or of the proposal, apart from the verifier's own, and gone with the round", async () => {
    const commit = await givenProposal();
    const own = await workshop.checkOut(repo.dir, round, commit, "1");
    writeFileSync(join(own.work, "left.txt"), "left behind\n");

    const base = await workshop.openRoom(round, { name: "check-1-room-1", commit: round.base });
    const proposal = await workshop.openRoom(round, { name: "check-1-room-2", commit });

    expect(Object.keys(filesIn(base.work)).sort()).toEqual(["a.txt", "dir/", "dir/b.txt"]);
    expect(readFileSync(join(base.work, "a.txt"), "utf8")).toBe("a\n");
    expect(Object.keys(filesIn(proposal.work)).sort()).toEqual(["a.txt", "test/", "test/sub dir/", "test/sub dir/x*.test.sh"]);
    expect(existsSync(join(own.work, "left.txt"))).toBe(true);
    await workshop.close(round);
    expect([base.work, proposal.work, own.work].filter(existsSync)).toEqual([]);
  });

  it("of the same name is made anew, without what an interrupted check left in it", async () => {
    const commit = await givenProposal();
    const first = await workshop.openRoom(round, { name: "check-1-room-1", commit });
    writeFileSync(join(first.work, "left.txt"), "left behind\n");

    const second = await workshop.openRoom(round, { name: "check-1-room-1", commit });

    expect(second).toEqual(first);
    expect(existsSync(join(second.work, "left.txt"))).toBe(false);
  });

  it("is of no change that has more new files than anybody looks at: that is said, and what to do, before git reads them", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round);
    sh(work, "mkdir built; cd built; seq 20001 | xargs touch");

    const committing = workshop.commitWorkspace(repo.dir, round, MESSAGE);

    await expect(committing).rejects.toMatchObject({
      code: "maker-failed",
      message: "the maker left 20001 new files, and no change may have more than 20000",
      hint: expect.stringContaining(".gitignore"),
    });
  });

  it("of base can have files of the proposal over it, by their plain names", async () => {
    const commit = await givenProposal();

    const { work } = await workshop.openRoom(round, {
      name: "check-1-room-1",
      commit: round.base,
      over: { commit, paths: ["test/sub dir/x*.test.sh"] },
    });

    expect(readFileSync(join(work, "test/sub dir/x*.test.sh"), "utf8")).toBe("one\n");
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("a\n");
  });

  it("says which of its files were written to since, also where its own .git says otherwise", async () => {
    const commit = await givenProposal();
    const room = await workshop.openRoom(round, { name: "check-1-room-1", commit });
    const untouched = await workshop.listRewritten(round, room);

    sh(room.work, 'echo other > a.txt; rm "test/sub dir/x*.test.sh"; echo new > new.txt; git add -A; rm -rf .git/objects');

    expect(untouched).toEqual([]);
    expect(await workshop.listRewritten(round, room)).toEqual(["a.txt", "test/sub dir/x*.test.sh"]);
  });

  it("names the plain files of a commit", async () => {
    const commit = await givenProposal();

    expect(await workshop.listFiles(round, commit)).toEqual([
      { path: ".gitignore", blob: blobId("ignored\n*.log\n") },
      { path: "a.txt", blob: blobId("changed\n") },
      { path: "test/sub dir/x*.test.sh", blob: blobId("one\n") },
    ]);
  });

  it("can lie at an unusual path, and seem older", async () => {
    const commit = await givenProposal();

    const { work } = await workshop.openRoom(round, { name: "check-1-room-1", commit, path: "unusual", olderByMs: 400 * 86_400_000 });

    expect(work).toMatch(/\/[^/]* [^/]*[^\x00-\x7f][^/]*\/work$/);
    expect(work).not.toMatch(/check|room/);
    for (const path of ["a.txt", "test", "test/sub dir", "test/sub dir/x*.test.sh"]) {
      const ageMs = Date.now() - lstatSync(join(work, path)).mtimeMs;
      expect(ageMs).toBeGreaterThan(399 * 86_400_000);
      expect(ageMs).toBeLessThan(401 * 86_400_000);
    }
  });
});

describe("a copy with files hidden from the maker", () => {
  const SECRET = "test/sum.test.js";
  const git = (work: string, ...args: readonly string[]): string => execFileSync("git", args, { cwd: work, encoding: "utf8" });
  const hide = { hidden: [SECRET], leftOut: [] };

  function givenTests(): void {
    repo.write(SECRET, "the first secret\n");
    repo.git("add", ".");
    repo.git("commit", "-qm", "two");
    round = roundOn(repo.commit("three", { files: { [SECRET]: "the secret of base\n", "test/other.test.js": "other\n" } }));
  }

  it("has them neither in its folder nor in its git: one commit, and no borrowed objects", async () => {
    givenTests();
    const blob = repo.git("rev-parse", `${round.base}:${SECRET}`);

    const { work } = await workshop.openWorkspace(repo.dir, round, hide);

    expect(existsSync(join(work, SECRET))).toBe(false);
    expect(readFileSync(join(work, "test/other.test.js"), "utf8")).toBe("other\n");
    expect(git(work, "status", "--porcelain")).toBe("");
    expect(git(work, "log", "--all", "--format=%P").trim()).toBe("");
    expect(git(work, "branch", "--show-current").trim()).toBe(round.id);
    for (const name of [`HEAD:${SECRET}`, `${round.base}:${SECRET}`, blob, round.base])
      expect(() => git(work, "cat-file", "-p", name), name).toThrow();
    expect(existsSync(join(work, ".git/objects/info/alternates"))).toBe(false);
    expect(readdirSync(dirname(work)).sort()).toEqual(["home", "told", "work"]);
    const objects = git(work, "cat-file", "--batch-all-objects", "--batch").toString();
    expect(objects).toContain("other");
    expect(objects).not.toMatch(/secret/);
  });

  it("is committed with them as on base, and no deletion shows", async () => {
    givenTests();
    const { work } = await workshop.openWorkspace(repo.dir, round, hide);
    sh(work, "echo changed > a.txt; git add -A; git commit -qm mine");

    const made = await workshop.commitWorkspace(repo.dir, round, MESSAGE, hide);

    expect(made.changes.map(({ path }) => path)).toEqual(["a.txt"]);
    expect(made.displaced).toBeUndefined();
    const { work: room } = await workshop.checkOut(repo.dir, round, made.commit, "1");
    expect(readFileSync(join(room, SECRET), "utf8")).toBe("the secret of base\n");
    expect(git(room, "log", "--format=%P", "-1").trim()).toBe(round.base);
  });

  it.each([
    ["a file of its own", `mkdir -p test; echo mine > ${SECRET}`],
    ["a folder", `mkdir -p ${SECRET}; echo mine > ${SECRET}/x`],
    ["a link", `mkdir -p test; ln -s ../a.txt ${SECRET}`],
    ["a file where their folder was", "rm -rf test; echo mine > test"],
  ])("is committed with base's version of them, and it is told, where the maker left %s", async (_, script) => {
    givenTests();
    const { work } = await workshop.openWorkspace(repo.dir, round, hide);
    sh(work, script);

    const made = await workshop.commitWorkspace(repo.dir, round, MESSAGE, hide);

    expect(made.displaced).toEqual([SECRET]);
    expect(made.changes.filter(({ path }) => path.startsWith(SECRET) || path === "test")).toEqual([]);
  });

  it("gives the same commit when it is made again after a crash", async () => {
    givenTests();
    const makeOnce = async () => {
      const { work } = await workshop.openWorkspace(repo.dir, round, hide);
      sh(work, "echo changed > a.txt");
      return workshop.commitWorkspace(repo.dir, round, MESSAGE, hide);
    };

    expect((await makeOnce()).commit).toBe((await makeOnce()).commit);
  });
});

describe("a folder that is prepared", () => {
  const apart = { hidden: [], leftOut: ["node_modules", "deep/er/vendor"] };

  it("never gets into a commit, whatever the maker does with it, and git does not show it", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round, apart);
    sh(work, "mkdir -p node_modules deep/er/vendor; echo x > node_modules/x.js; echo y > deep/er/vendor/y.js; echo changed > a.txt");
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: work, encoding: "utf8" })).toBe(" M a.txt\n");
    sh(work, "echo '!/node_modules' > .gitignore; git add -fA; echo z > deep/z");

    const { changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE, apart);

    expect(changes.map(({ path }) => path)).toEqual([".gitignore", "a.txt", "deep/z"]);
  });

  it("is not looked for behind a link, which stays the maker's to propose", async () => {
    const { work } = await workshop.openWorkspace(repo.dir, round, apart);
    mkdirSync(join(folder, "elsewhere/er/vendor"), { recursive: true });
    symlinkSync(join(folder, "elsewhere"), join(work, "deep"));

    const { changes } = await workshop.commitWorkspace(repo.dir, round, MESSAGE, apart);

    expect(changes.map(({ path }) => path)).toEqual(["deep"]);
    expect(existsSync(join(folder, "elsewhere/er/vendor"))).toBe(true);
  });
});

describe("a copy of base outside of any round", () => {
  const at = { loop: "fix", id: "fix-1-abcde.prepare" };

  it("is fresh each time, and is swept with the run it belongs to", async () => {
    const first = await workshop.openBase(repo.dir, at, round.base);
    writeFileSync(join(first.work, "left.txt"), "left behind\n");
    const second = await workshop.openBase(repo.dir, at, round.base);

    expect(readdirSync(second.work).sort()).toEqual([".git", ".gitignore", "a.txt", "dir"]);
    await workshop.sweep("fix", "fix-1-abcde");
    expect(existsSync(second.work)).toBe(true);
    await workshop.sweep("fix", "fix-2-fghij");
    expect(existsSync(second.work)).toBe(false);
  });
});

describe("work that is kept when a budget ends its maker", () => {
  const REF = `refs/loopwright/kept/${roundOn("").id}`;
  const HIDDEN = "dir/b.txt";
  const keptRefs = (): string => repo.git("for-each-ref", "--format=%(refname)", "refs/loopwright");

  /** A maker changed, added and removed something before it was ended. */
  async function keepWork(apart?: Apart): Promise<string> {
    const { work } = await workshop.openWorkspace(repo.dir, round, apart);
    sh(work, "echo more >> a.txt; mkdir new; echo new > 'new/ö file'; rm .gitignore; echo planted > .git/hooks-of-mine");
    const { commit } = await workshop.commitWorkspace(repo.dir, round, MESSAGE, apart);
    await workshop.keep(repo.dir, round, commit);
    await workshop.close(round);
    return commit;
  }

  it("lies in the target under a name that is no branch, and outlives the round's folder", async () => {
    const commit = await keepWork();

    expect(keptRefs()).toBe(REF);
    expect(repo.git("rev-parse", REF)).toBe(commit);
    expect(repo.git("branch", "--list", "loopwright/*")).toBe("");
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  it("is laid into a fresh copy, with what was added, changed and removed, and is committed again as it was", async () => {
    const commit = await keepWork();
    const { work } = await workshop.openWorkspace(repo.dir, round);

    await workshop.restore(repo.dir, round, commit);

    expect(readdirSync(work).sort()).toEqual([".git", "a.txt", "dir", "new"]);
    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("a\nmore\n");
    expect(existsSync(join(work, ".git/hooks-of-mine"))).toBe(false);
    expect((await workshop.commitWorkspace(repo.dir, round, MESSAGE)).commit).toBe(commit);
  });

  it("does not bring back what is hidden from the maker, neither in its folder nor in its git", async () => {
    const apart = { hidden: [HIDDEN], leftOut: [] };
    const commit = await keepWork(apart);
    const blob = repo.git("rev-parse", `${round.base}:${HIDDEN}`);
    const { work } = await workshop.openWorkspace(repo.dir, round, apart);

    await workshop.restore(repo.dir, round, commit, apart);

    expect(readFileSync(join(work, "a.txt"), "utf8")).toBe("a\nmore\n");
    expect(existsSync(join(work, HIDDEN))).toBe(false);
    for (const name of [blob, commit, round.base]) expect(() => execFileSync("git", ["cat-file", "-p", name], { cwd: work })).toThrow();
    expect((await workshop.commitWorkspace(repo.dir, round, MESSAGE, apart)).commit).toBe(commit);
  });

  it("is given up by name, also when there was none", async () => {
    await keepWork();

    await workshop.forget(repo.dir, round);
    await workshop.forget(repo.dir, round);

    expect(keptRefs()).toBe("");
  });

  it("is nothing to be given up where the repository is gone", async () => {
    await expect(workshop.forget(join(repo.dir, "gone"), round)).resolves.toBeUndefined();
  });
});
