import fc from "fast-check";
import { expect, it } from "vitest";
import { createRepo, type TestRepo } from "../../../test/support/git-repo.ts";
import { createGitReader } from "./git-reader.ts";
import { createRunGit } from "./run-git.ts";

const reader = createGitReader(createRunGit({ path: process.env.PATH ?? "" }));

/** Pieces that have broken parsers of git's output before: separators, line ends of all kinds, half characters, our own framing. */
const NASTY = [
  ...["\n", "\n\n", "\r", "\r\n", "\t", "\0", "\x1e", "\x1f", "\x1b[31m", "\u0085", "\u2028", "\u2029", "\u202e", "\ufeff", "\u200b"],
  ...[
    "\ud83d\ude00",
    "é",
    "1\t2\tx",
    "-\t-\tx",
    ":100644 100644 0 0 M",
    "f".repeat(40),
    "commit 1",
    "missing",
    "parent ",
    "tree ",
    "> 1 +0000",
  ],
].map((text) => Buffer.from(text, "utf8"));
const BROKEN = ["\xff", "\xc3", "\xed\xa0\x80", "\xf0\x9f", "\xc0\x80", "\xfe\xff"].map((text) => Buffer.from(text, "latin1"));

const hostileBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(...NASTY, ...BROKEN),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => Buffer.concat(pieces));
const hostilePath = hostileBytes
  .map((bytes) => bytes.filter((byte) => byte !== 0 && byte !== 0x2f))
  .filter((bytes) => bytes.length > 0 && ![".", "..", ".git"].includes(Buffer.from(bytes).toString("latin1")))
  .map((bytes) => Buffer.from(bytes).toString("latin1"));
const hostileCommit = fc.record({
  author: hostileBytes,
  message: hostileBytes,
  paths: fc.uniqueArray(hostilePath, { minLength: 1, maxLength: 4 }),
});

it("reads any bytes that a commit can be made of, and takes none of them for structure", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostileCommit, { minLength: 40, maxLength: 40 }), async (drafts) => {
      const repo = createRepo();
      try {
        const made = makeCommits(repo, drafts);

        const walk = await reader.walk(repo.dir, { ref: "main", cursor: undefined, sinceMs: 0, most: 100 });

        expect(walk.notes).toEqual([]);
        expect(
          walk.commits.map(({ commit, subject, body, parents, paths, changedLines }) => ({
            commit,
            subject,
            body,
            parents,
            paths,
            changedLines,
          })),
        ).toEqual(made.toReversed());
        for (const { subject, body, paths } of walk.commits)
          for (const text of [subject, body, ...paths]) expect(isWellFormed(text)).toBe(true);
      } finally {
        repo.remove();
      }
    }),
    { numRuns: 3 },
  );
});

/** Chains the drafts on `main`, each with a tree of its own files, one line in each. Gives back what a reader must find. */
function makeCommits(
  repo: TestRepo,
  drafts: readonly { readonly author: Buffer; readonly message: Buffer; readonly paths: readonly string[] }[],
) {
  const blob = repo.feed("line\n", "hash-object", "-w", "--stdin");
  const made: {
    readonly commit: string;
    readonly subject: string;
    readonly body: string;
    readonly parents: number;
    readonly paths: readonly string[];
    readonly changedLines: number;
  }[] = [];
  let before: readonly string[] = [];
  for (const { author, message, paths } of drafts) {
    const tree = repo.feed(Buffer.from(paths.map((path) => `100644 blob ${blob}\t${path}\0`).join(""), "latin1"), "mktree", "-z");
    const parent = made.at(-1)?.commit;
    const object = Buffer.concat([
      Buffer.from(`tree ${tree}\n${parent ? `parent ${parent}\n` : ""}author A <a@b> 1 +0000\ncommitter `),
      author,
      Buffer.from(" <a@b> 1700000000 +0000\n\n"),
      message,
    ]);
    const commit = repo.feed(object, "hash-object", "-t", "commit", "-w", "--literally", "--stdin");
    const changed = [...paths.filter((path) => !before.includes(path)), ...before.filter((path) => !paths.includes(path))];
    made.push({
      commit,
      ...messageOf(object),
      parents: parent ? 1 : 0,
      paths: inGitOrder(changed).map(utf8),
      changedLines: changed.length,
    });
    before = paths;
  }
  repo.git("update-ref", "refs/heads/main", made.at(-1)?.commit ?? "");
  return made;
}

/** The same rule as the reader's, said with an expression over bytes instead of offsets. */
function messageOf(object: Buffer): { readonly subject: string; readonly body: string } {
  const message = object.toString("latin1").replace(/^.*?\n\n[\n\r ]*/s, "");
  const [first = "", ...rest] = message.split("\n");
  return { subject: utf8(first).trim(), body: utf8(rest.join("\n")).trim() };
}

const utf8 = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");
const inGitOrder = (paths: readonly string[]): readonly string[] =>
  [...paths].sort((a, b) => Buffer.compare(Buffer.from(a, "latin1"), Buffer.from(b, "latin1")));
const isWellFormed = (text: string): boolean => Buffer.from(text, "utf8").toString("utf8") === text;
