// Ten thousand single edits of a real journal, of what was signed of it, and of where that was written: none may verify.
// The journal is made by the built program; the edits are judged by the same code in this process.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findHome } from "../../src/app/home.ts";
import { openSigning } from "../../src/app/open-signing.ts";
import { type HomeVerification, verifyHome } from "../../src/app/records/verify-home.ts";
import type { Signing } from "../../src/contract/signing.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openSqliteJournal } from "../../src/journal/sqlite-journal.ts";
import { readChainFile } from "../../src/receipts/chain-file.ts";
import { openReceipt } from "../../src/receipts/receipt.ts";
import { type PublicKey, readPublicKeys } from "../../src/std/ed25519.ts";
import { createRunGit } from "../../src/world/git/run-git.ts";
import { systemClock } from "../../src/world/machine/clock.ts";
import { createMemoryLocks } from "../../src/world/store/memory-locks.ts";
import { openDatabase } from "../../src/world/store/sqlite.ts";
import { createStore } from "../../src/world/store/store.ts";
import { ADA, withProposal } from "../support/decisions.ts";

const SEED = Number(process.env.TAMPERING_SEED ?? 1);
const EDITS = { exported: 5_500, receipts: 3_500, checkpoints: 600, ring: 100, rows: 200, files: 60, refs: 40 };

/** Everything that was signed, copied out of a home that real runs filled. */
interface Signed {
  readonly home: string;
  readonly repo: string;
  readonly keys: readonly PublicKey[];
  readonly exported: Buffer;
  readonly olderExport: Buffer;
  readonly receipts: readonly { readonly run: string; readonly number: number; readonly bytes: Buffer }[];
}

let kept: string;
let signed: Signed;
let stranger: Signed;

/** A loop that proposes, is approved, acts, and is run once more; the key is changed in between. */
const fill = (name: string): Promise<Signed> =>
  withProposal(async (place, { run }) => {
    await place.lw(["ledger", "export", "--out", join(kept, `${name}.older.jsonl`)]);
    await place.lw(["key", "rotate", ...ADA]);
    expect((await place.lw(["approve", run, ...ADA])).exit).toBe(0);
    place.repo.git("update-ref", "refs/heads/main", place.repo.commit("later", { files: { "docs/value.txt": "wrong again\n" } }));
    await place.lw(["run", "fix.loop.json"]);
    expect((await place.lw(["ledger", "verify"])).exit).toBe(0);
    await place.lw(["ledger", "export", "--out", join(kept, `${name}.jsonl`)]);
    const keys = (await place.json(["key", "export", "--all"])).said.keys.map(({ pem }: { pem: string }) => readPublicKeys(pem)![0]!);
    const home = join(kept, name);
    const repo = join(kept, `${name}.git`);
    cpSync(place.home, home, { recursive: true });
    // Where the target of the runs is, is on record: the same repository is put in its place for as long as the test runs.
    cpSync(place.repo.dir, repo, { recursive: true });
    repos.push({ from: repo, at: place.repo.dir });
    return {
      home,
      repo: place.repo.dir,
      keys,
      exported: readFileSync(join(kept, `${name}.jsonl`)),
      olderExport: readFileSync(join(kept, `${name}.older.jsonl`)),
      receipts: receiptsIn(home),
    };
  });

const repos: { readonly from: string; readonly at: string }[] = [];

const receiptsIn = (home: string): Signed["receipts"] =>
  readdirSync(join(home, "receipts"), { recursive: true, encoding: "utf8" })
    .filter((name) => /[0-9a-f]{64}$/.test(name))
    .toSorted()
    .map((name) => {
      const bytes = readFileSync(join(home, "receipts", name));
      const { payload } = JSON.parse(bytes.toString("utf8"));
      const { run, number } = JSON.parse(Buffer.from(payload, "base64").toString("utf8")).predicate;
      return { run, number, bytes };
    });

beforeAll(async () => {
  kept = mkdtempSync(join(tmpdir(), "lw-tampering-"));
  signed = await fill("ours");
  stranger = await fill("theirs");
  for (const { from, at } of repos) cpSync(from, at, { recursive: true });
});

afterAll(() => {
  for (const { at } of repos) rmSync(at, { recursive: true, force: true });
  rmSync(kept, { recursive: true, force: true });
});

// ── chance and edits ────────────────────────────────────────────────────────────────────────────────────────────

function dice(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

type Roll = ReturnType<typeof dice>;
type Edit = readonly [what: string, bytes: Buffer];

const flip = (bytes: Buffer, roll: Roll): Edit => {
  const at = roll(bytes.length);
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ (1 << roll(8));
  return [`bit in byte ${at}`, copy];
};
const cut = (bytes: Buffer, roll: Roll): Edit => {
  const at = roll(bytes.length);
  return [`cut at ${at}`, bytes.subarray(0, at)];
};
const drop = (bytes: Buffer, roll: Roll): Edit => {
  const at = roll(bytes.length);
  return [`without byte ${at}`, Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])];
};
const insert = (bytes: Buffer, roll: Roll): Edit => {
  const [at, byte] = [roll(bytes.length + 1), roll(256)];
  return [`${byte} put in at ${at}`, Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at)])];
};
const linesOf = (bytes: Buffer): readonly string[] => bytes.toString("latin1").split(/(?<=\n)/);
const asBytes = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "latin1");
const dropLine = (bytes: Buffer, roll: Roll): Edit => {
  const lines = linesOf(bytes);
  const at = roll(lines.length);
  return [`without line ${at + 1}`, asBytes(lines.toSpliced(at, 1))];
};
const swapLines = (bytes: Buffer, roll: Roll): Edit => {
  const lines = linesOf(bytes);
  const at = roll(lines.length - 1);
  const other = at + 1 + roll(lines.length - 1 - at);
  return [`lines ${at + 1} and ${other + 1} swapped`, asBytes(lines.with(at, lines[other]!).with(other, lines[at]!))];
};
const repeatLine = (bytes: Buffer, roll: Roll): Edit => {
  const lines = linesOf(bytes);
  const [at, to] = [roll(lines.length), roll(lines.length + 1)];
  return [`line ${at + 1} again at ${to + 1}`, asBytes(lines.toSpliced(to, 0, lines[at]!))];
};
const splice =
  (other: () => Buffer) =>
  (bytes: Buffer, roll: Roll): Edit => {
    const [lines, theirs] = [linesOf(bytes), linesOf(other())];
    const [at, from] = [roll(lines.length), roll(theirs.length)];
    return [`line ${at + 1} is line ${from + 1} of another`, asBytes(lines.with(at, theirs[from]!))];
  };
const replace =
  (what: string, other: (roll: Roll) => Buffer) =>
  (_: Buffer, roll: Roll): Edit => [what, other(roll)];

/** Every edit that is one, and that verifies all the same. There must be none. */
async function survivors(
  count: number,
  original: Buffer,
  kinds: readonly ((bytes: Buffer, roll: Roll) => Edit)[],
  verifies: (bytes: Buffer) => Promise<boolean> | boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let number = 0, tried = 0; tried < count; number++) {
    const roll = dice(SEED * 1_000_003 + number);
    const [what, bytes] = kinds[number % kinds.length]!(original, roll);
    // What comes out as it went in is no edit.
    if (bytes.equals(original)) continue;
    tried += 1;
    if (await verifies(bytes)) found.push(`${number}: ${what}`);
  }
  return found;
}

const inOnePiece = async function* (bytes: Buffer) {
  yield bytes;
};

// ── what is edited ──────────────────────────────────────────────────────────────────────────────────────────────

it("no edit of an exported chain verifies", async () => {
  const verifies = async (bytes: Buffer) => (await readChainFile(inOnePiece(bytes), signed.keys)).kind === "whole";
  expect(await verifies(signed.exported)).toBe(true);
  expect(await verifies(signed.olderExport)).toBe(true);
  const checkpoints = linesOf(readFileSync(join(signed.home, "checkpoints.jsonl")));
  const oldHead = (bytes: Buffer, roll: Roll): Edit => {
    const lines = linesOf(bytes);
    return ["an old head at the end", asBytes(lines.with(-1, checkpoints[roll(checkpoints.length - 1)]!))];
  };
  const theirs = splice(() => stranger.exported);
  const older = splice(() => signed.olderExport);
  const swapped = replace("the file of another home", () => stranger.exported);
  const kinds = [flip, cut, drop, insert, dropLine, swapLines, repeatLine, theirs, older, oldHead, flip, cut, swapped, flip];

  expect(await survivors(EDITS.exported, signed.exported, kinds, verifies)).toEqual([]);
});

it("no edit of a receipt verifies, nor another receipt in its place", async () => {
  const share = Math.ceil(EDITS.receipts / signed.receipts.length);
  const found: string[] = [];
  for (const { run, number, bytes } of signed.receipts) {
    const verifies = (edited: Buffer): boolean => {
      const opened = openReceipt(edited.toString("utf8"), signed.keys);
      return opened.kind === "signed" && opened.receipt.run === run && opened.receipt.number === number;
    };
    expect(verifies(bytes)).toBe(true);
    const others = signed.receipts.filter((other) => !other.bytes.equals(bytes));
    const swapped = replace("another receipt", (roll) => others[roll(others.length)]!.bytes);
    const foreign = replace("a stranger's receipt", (roll) => stranger.receipts[roll(stranger.receipts.length)]!.bytes);
    const kinds = [flip, cut, drop, insert, rewritePayload, swapSignature(others), flip, cut, swapped, foreign];
    found.push(...(await survivors(share, bytes, kinds, verifies)));
  }

  expect(found).toEqual([]);
});

/** A forger changes what it says and writes it down again the way we do. */
function rewritePayload(bytes: Buffer, roll: Roll): Edit {
  const envelope = JSON.parse(bytes.toString("utf8"));
  const text = Buffer.from(envelope.payload, "base64").toString("utf8");
  const words = [...text.matchAll(/"(refuted|holds|accept|report|propose|L2|fix|proof|[0-9a-f]{40,64})"|\b\d+\b/g)];
  const word = words[roll(words.length)]!;
  const other = /\d/.test(word[0][0]!) ? String(Number(word[0]) + 1) : `"${word[1]!.replace(/./, (char) => (char === "a" ? "b" : "a"))}"`;
  const forged = text.slice(0, word.index) + other + text.slice(word.index + word[0].length);
  const payload = Buffer.from(forged).toString("base64");
  return [
    `${word[0]} became ${other}`,
    Buffer.from(`${JSON.stringify({ payload, payloadType: envelope.payloadType, signatures: envelope.signatures })}\n`),
  ];
}

const swapSignature =
  (others: Signed["receipts"]) =>
  (bytes: Buffer, roll: Roll): Edit => {
    const envelope = JSON.parse(bytes.toString("utf8"));
    const { signatures } = JSON.parse(others[roll(others.length)]!.bytes.toString("utf8"));
    return ["another receipt's signature", Buffer.from(`${JSON.stringify({ ...envelope, signatures })}\n`)];
  };

/** The home as a whole, with one file of it edited. */
async function withHome<T>(
  home: string,
  work: (verify: () => Promise<HomeVerification>, journal: Journal) => Promise<T>,
  refs: "asked-anew" | "asked-once" = "asked-once",
): Promise<T> {
  const place = findHome(home, { get: () => undefined }, "linux", "/");
  const journal = await openSqliteJournal(createStore(home), systemClock);
  try {
    const signing = openSigning(place, createRunGit({ path: process.env.PATH ?? "/usr/bin:/bin" }), createMemoryLocks());
    const proofs = refs === "asked-once" ? askedOnce(signing.proofs) : signing.proofs;
    return await work(() => verifyHome({ journal, signing: { ...signing, proofs } }), journal);
  } finally {
    journal.close();
  }
}

/** Where the target is not what is edited, git is asked once for all edits. */
const answers = new Map<string, Promise<unknown>>();
function askedOnce(proofs: Signing["proofs"]): Signing["proofs"] {
  const once = <T>(question: string, ask: () => Promise<T>): Promise<T> => {
    if (!answers.has(question)) answers.set(question, ask());
    return answers.get(question) as Promise<T>;
  };
  return {
    ...proofs,
    chains: (repo) => once(repo, () => proofs.chains(repo)),
    read: (repo, chain, path) => once(`${repo} ${chain} ${path}`, () => proofs.read(repo, chain, path)),
  };
}

const copyHome = (): string => {
  const home = mkdtempSync(join(kept, "home-"));
  cpSync(signed.home, home, { recursive: true });
  return home;
};

it.each(["checkpoints", "ring"] as const)("no edit of the file of %s verifies", async (which) => {
  const home = copyHome();
  const name = { checkpoints: "checkpoints.jsonl", ring: "keys/ring.jsonl" }[which];
  const original = readFileSync(join(home, name));
  const old = (bytes: Buffer, roll: Roll): Edit => {
    const lines = linesOf(bytes);
    return ["an earlier state of the file", asBytes(lines.slice(0, roll(lines.length)))];
  };
  const theirs = () => readFileSync(join(stranger.home, name));
  const kinds = [flip, cut, drop, insert, dropLine, swapLines, repeatLine, old, splice(theirs), replace("a stranger's file", theirs)];

  const found = await withHome(home, async (verify) => {
    expect(await verify()).toMatchObject({ kind: "whole", problems: [], notChecked: [] });
    return survivors(EDITS[which], original, kinds, async (bytes) => {
      writeFileSync(join(home, name), bytes);
      return (await verify()).kind === "whole";
    });
  });

  expect(found).toEqual([]);
});

it("no edit of a row in the journal's database verifies, and the first bad record is named", async () => {
  const original = readFileSync(join(signed.home, "journal.db"));
  const marks = readFileSync(join(signed.home, "journal.head"));
  const home = copyHome();
  const found: string[] = [];
  for (let number = 0; number < EDITS.rows; number++) {
    const roll = dice(SEED * 7_919 + number);
    for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(join(home, `journal.db${suffix}`), { force: true });
    writeFileSync(join(home, "journal.db"), original);
    writeFileSync(join(home, "journal.head"), marks);
    const { what, first } = editRow(join(home, "journal.db"), roll, number);
    const { kind, firstBad } = await withHome(home, (verify) => verify());
    if (kind === "whole" || firstBad === undefined || firstBad > first) found.push(`${number}: ${what}: ${kind}, ${firstBad} for ${first}`);
  }

  expect(found).toEqual([]);
});

/** One change of the kind that somebody with a tool for databases makes. */
function editRow(path: string, roll: Roll, number: number): { readonly what: string; readonly first: number } {
  const db = openDatabase(path, "read-write");
  try {
    const last = Number(db.all("select max(seq) as n from records")[0]!.n);
    const seq = 1 + roll(last);
    const column = ["at", "loop", "run", "kind", "prev", "hash", "body"][roll(7)]!;
    const other = 1 + ((seq + roll(last - 1)) % last);
    switch (number % 6) {
      case 0:
        db.run(`update records set ${column} = substr(${column}, 1, ?) || 'x' || substr(${column}, ?) where seq = ?`, 3, 5, seq);
        return { what: `${column} of ${seq}`, first: seq };
      case 1:
        db.run("delete from records where seq = ?", seq);
        return { what: `${seq} deleted`, first: seq };
      case 2:
        db.run("delete from records where seq >= ?", seq);
        return { what: `cut off from ${seq}`, first: seq };
      case 3:
        db.run("update records set seq = -1 where seq = ?", seq);
        db.run("update records set seq = ? where seq = ?", seq, other === seq ? 1 : other);
        db.run("update records set seq = ? where seq = -1", other === seq ? 1 : other);
        return { what: `${seq} and ${other} swapped`, first: last };
      case 4:
        db.run("insert into records select seq + 1, at, loop, run, kind, hash, hash, body from records where seq = ?", last);
        return { what: "one put behind the last", first: last + 1 };
      default:
        db.run("update records set body = (select body from records where seq = ?) where seq = ?", other === seq ? 1 : other, seq);
        return { what: `${seq} says what ${other} says`, first: last };
    }
  } finally {
    db.close();
  }
}

it("no bit of the database's file changes a record unseen, and no other database takes its place", async () => {
  const original = readFileSync(join(signed.home, "journal.db"));
  const truth = await withHome(copyHome(), (_, journal) => textOf(journal));
  const home = copyHome();
  const found: string[] = [];
  const older = await olderDatabase();
  for (let number = 0; number < EDITS.files; number++) {
    const roll = dice(SEED * 104_729 + number);
    rmSync(home, { recursive: true, force: true });
    cpSync(signed.home, home, { recursive: true });
    const kinds = [
      flip,
      flip,
      cut,
      replace("a stranger's journal", () => readFileSync(join(stranger.home, "journal.db"))),
      replace("an older journal", () => older),
    ];
    const [what, bytes] = kinds[number % kinds.length]!(original, roll);
    writeFileSync(join(home, "journal.db"), bytes);
    const survives = await withHome(home, async (verify, journal) => {
      const { kind } = await verify();
      // A byte that SQLite does not use holds no record, and a file that could be mended lost none: then all must read as before.
      return kind === "whole" && !(await textOf(journal)).startsWith(truth);
    });
    if (survives) found.push(`${number}: ${what}`);
  }

  expect(found).toEqual([]);
});

async function textOf(journal: Journal): Promise<string> {
  let text = "";
  for (let page = await journal.lines(0, 10_000); page; page = await journal.lines(page.last, 10_000)) text += page.text;
  return text;
}

/** The journal as it was before its last records. */
async function olderDatabase(): Promise<Buffer> {
  const home = copyHome();
  const db = openDatabase(join(home, "journal.db"), "read-write");
  db.run("delete from records where seq > (select max(seq) - 5 from records)");
  db.close();
  return readFileSync(join(home, "journal.db"));
}

it("no change of the ref in the target verifies: put back, deleted, or of something else", async () => {
  const home = copyHome();
  const git = (...args: readonly string[]): string => execFileSync("git", ["-C", signed.repo, ...args], { encoding: "utf8" }).trim();
  const ref = git("for-each-ref", "--format=%(refname)", "refs/loopwright/proofs/");
  const tip = git("rev-parse", ref);
  const history = git("rev-list", tip).split("\n");
  const blob = (text: Buffer): string =>
    execFileSync("git", ["-C", signed.repo, "hash-object", "-w", "--stdin"], { input: text, encoding: "utf8" }).trim();
  const commitWith = (bytes: Buffer): string => {
    const tree = execFileSync("git", ["-C", signed.repo, "mktree"], {
      input: `100644 blob ${blob(bytes)}\tcheckpoint.json\n`,
      encoding: "utf8",
    }).trim();
    return git("-c", "user.name=x", "-c", "user.email=x@x", "commit-tree", tree, "-p", tip, "-m", "x");
  };
  const checkpoint = execFileSync("git", ["-C", signed.repo, "cat-file", "blob", `${ref}:checkpoint.json`]);

  const found = await withHome(
    home,
    async (verify) => {
      expect(await verify()).toMatchObject({ kind: "whole" });
      const still: string[] = [];
      for (let number = 0; number < EDITS.refs; number++) {
        const roll = dice(SEED * 65_537 + number);
        const kinds = [flip, cut, drop, insert];
        if (number === 0) git("update-ref", "-d", ref);
        else if (number < history.length) git("update-ref", ref, history[number]!);
        else git("update-ref", ref, commitWith(kinds[number % kinds.length]!(checkpoint, roll)[1]));
        if ((await verify()).kind === "whole") still.push(`${number}`);
        git("update-ref", ref, tip);
      }
      return still;
    },
    "asked-anew",
  );

  expect(found).toEqual([]);
});

it("makes ten thousand edits in all", () => {
  expect(Object.values(EDITS).reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(10_000);
});
