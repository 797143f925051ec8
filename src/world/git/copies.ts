// Repositories of our own that borrow another's objects, written by hand: git needs a few files, and no process to make them.
import { constants } from "node:fs";
import { access, chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { makeFolder } from "../files/make-folder.ts";
import { gitFailed, type StartGit } from "./git-call.ts";
import { gitOrThrow, type RunGit } from "./run-git.ts";

export interface Lender {
  /** Folders of objects: together they have all. */
  readonly objects: readonly string[];
  readonly format: "sha1" | "sha256";
  /** The file that says where its history was cut. */
  readonly shallow: string | undefined;
}

export type CopyKind = "bare" | "with-files";

/** So that a file is in the commit as it lies in the folder, byte for byte, and the other way round, whatever a `.gitattributes` says. */
const RAW_ATTRIBUTES = "* -text !crlf !eol !ident !filter !working-tree-encoding !diff\n";
const MOST_LENDERS = 5;
/** With so many objects or more they stay one pack, as git itself has it when it fetches. */
const PACK_FROM = 100;

/** What a new repository must know about the one whose objects it borrows. */
export async function describeLender(git: RunGit, repo: string): Promise<Lender> {
  // A line of the alternates file is a path as it is: it begins with a slash, so only a line break could change its meaning.
  if (/[\r\n]/.test(repo)) throw unspeakablePath(repo);
  const { commonDir, format, isShallow } = await git.find(repo);
  if (/[\r\n]/.test(commonDir)) throw unspeakablePath(repo);
  return { objects: [join(commonDir, "objects")], format, shallow: isShallow ? join(commonDir, "shallow") : undefined };
}

/** The same of a bare repository that we made ourselves. */
export async function describeOwn(store: string, someId: string): Promise<Lender> {
  const shallow = join(store, "shallow");
  const isShallow = await stat(shallow).then(
    () => true,
    () => false,
  );
  return { objects: [join(store, "objects")], format: formatOf(someId), shallow: isShallow ? shallow : undefined };
}

const formatOf = (id: string): Lender["format"] => (id.length === 64 ? "sha256" : "sha1");

/** The folders of objects, and those that they borrow from in turn. */
export async function lendersFrom(folders: readonly string[], depth = 0): Promise<readonly string[]> {
  if (depth >= MOST_LENDERS) return folders;
  const further = folders.map(async (objects) => {
    const named = await readFile(join(objects, "info", "alternates"), "utf8").catch(() => "");
    const lines = named.split("\n").filter((line) => line.startsWith("/"));
    return lines.length === 0 ? [] : lendersFrom(lines, depth + 1);
  });
  return [...folders, ...(await Promise.all(further)).flat()];
}

/** An empty repository that has all objects of the lender, and keeps what is written to it. */
export async function borrow(lender: Lender, place: string, kind: CopyKind): Promise<void> {
  const gitDir = await makeCopy(place, lender.format, kind);
  await writeFile(join(gitDir, "objects", "info", "alternates"), lender.objects.map((objects) => `${objects}\n`).join(""));
  if (lender.shallow) await writeFile(join(gitDir, "shallow"), await readFile(lender.shallow));
}

/** An empty repository, as `git init` would leave it without a template; gives back its git folder. */
export async function makeCopy(place: string, format: Lender["format"], kind: CopyKind): Promise<string> {
  const gitDir = kind === "bare" ? place : join(place, ".git");
  await mkdir(place, { recursive: true, mode: 0o700 });
  for (const folder of FOLDERS) makeFolder(join(gitDir, folder), 0o777);
  await Promise.all([
    writeFile(join(gitDir, "HEAD"), "ref: refs/heads/main\n"),
    writeFile(join(gitDir, "info", "attributes"), RAW_ATTRIBUTES),
  ]);
  await writeFile(join(gitDir, "config"), configText(format, kind, await abilitiesAt(gitDir)));
  return gitDir;
}

/** What git looks for, those above first; it makes the others when it has something for them. */
const FOLDERS = ["", "objects", "objects/info", "refs", "refs/heads", "info"];

/** The tree that has nothing in it. */
export const NO_FILES: { readonly [F in Lender["format"]]: string } = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** What `git checkout -b` leaves in a new repository where the commit has no files. */
export async function beginBranch(gitDir: string, branch: string, commit: string): Promise<void> {
  await writeFile(join(gitDir, "refs", "heads", branch), `${commit}\n`);
  await writeFile(join(gitDir, "HEAD"), `ref: refs/heads/${branch}\n`);
}

/** What the file system can do, tried as git tries it. */
interface Abilities {
  readonly keepsModes: boolean;
  readonly hasLinks: boolean;
  readonly ignoresCase: boolean;
}

function configText(format: Lender["format"], kind: CopyKind, { keepsModes, hasLinks, ignoresCase }: Abilities): string {
  const core = [
    `repositoryformatversion = ${format === "sha256" ? 1 : 0}`,
    `filemode = ${keepsModes}`,
    `bare = ${kind === "bare"}`,
    ...(kind === "bare" ? [] : ["logallrefupdates = true"]),
    ...(hasLinks ? [] : ["symlinks = false"]),
    ...(ignoresCase ? ["ignorecase = true"] : []),
  ];
  const extensions = format === "sha256" ? ["[extensions]", "\tobjectformat = sha256"] : [];
  return ["[core]", ...core.map((line) => `\t${line}`), ...extensions].map((line) => `${line}\n`).join("");
}

/** By file system: it does not change what it can do. */
const known = new Map<number, Promise<Abilities>>();

async function abilitiesAt(gitDir: string): Promise<Abilities> {
  const { dev } = await stat(gitDir);
  const tried = known.get(dev) ?? tryOut(gitDir, join(gitDir, "config"));
  known.set(dev, tried);
  return tried.catch((error: unknown) => {
    known.delete(dev);
    throw error;
  });
}

async function tryOut(gitDir: string, config: string): Promise<Abilities> {
  await writeFile(config, "");
  const { mode } = await lstat(config);
  await chmod(config, mode ^ constants.S_IXUSR);
  const keepsModes = ((await lstat(config)).mode & constants.S_IXUSR) !== (mode & constants.S_IXUSR);
  await chmod(config, mode);
  const link = join(gitDir, "tried-link");
  const hasLinks = await symlink("testing", link).then(
    () => true,
    () => false,
  );
  await rm(link, { force: true });
  const ignoresCase = await access(join(gitDir, "CoNfIg")).then(
    () => true,
    () => false,
  );
  return { keepsModes, hasLinks, ignoresCase };
}

/** A commit of one repository, to be brought into another that has some of its history. */
export interface Delivery {
  /** The bare repository that has it. */
  readonly from: string;
  readonly into: string;
  readonly commit: string;
  /** Commits that the other has, with all that they are made of. */
  readonly known: readonly string[];
}

/**
 * Brings all that the commit is made of, and no ref. Each object is named there by the bytes that arrive; that all are there, down to
 * the last file, is what git walks through afterwards, as it does after a fetch.
 */
export async function bringCommit(git: RunGit, { from, into, commit, known }: Delivery): Promise<void> {
  const without = known.map((id) => `^${id}`);
  const packing = git.start({
    cwd: from,
    env: { GIT_DIR: from },
    args: ["pack-objects", "--revs", "--stdout", "-q", "--delta-base-offset"],
  });
  const packed = endOf(packing);
  packing.stdin.end([commit, ...without].map((line) => `${line}\n`).join(""));
  const head = await headOf(packing.stdout);
  const count = head.length < 12 ? 0 : head.readUInt32BE(8);
  const taking = git.start({ cwd: into, args: count < PACK_FROM ? ["unpack-objects", "-q"] : ["index-pack", "--stdin"] });
  // Who is no longer listened to would wait for ever.
  const taken = endOf(taking).then((end) => {
    if (end.code !== 0) packing.kill("SIGKILL");
    return end;
  });
  taking.stdin.write(head);
  packing.stdout.pipe(taking.stdin);
  const [sent, received] = await Promise.all([packed, taken]);
  // The first to fail takes the other with it.
  if (sent.code !== 0 && sent.code !== null) throw gitFailed(["pack-objects"], sent.why);
  if (received.code !== 0) throw gitFailed(["unpack-objects"], received.why);
  if (sent.code !== 0) throw gitFailed(["pack-objects"], sent.why);
  await gitOrThrow(git, {
    cwd: into,
    args: ["-c", "core.commitGraph=false", "rev-list", "--objects", "--quiet", commit, ...without, "--"],
  });
}

type Started = ReturnType<StartGit>;

/** Enough to say how many objects follow; less only where nothing more comes. */
async function headOf(stream: Started["stdout"]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let bytes = 0; bytes < 12; ) {
    const piece: unknown = stream.read();
    if (Buffer.isBuffer(piece)) {
      pieces.push(piece);
      bytes += piece.length;
    } else if (stream.readableEnded || stream.destroyed) break;
    else await new Promise<void>((resolve) => stream.once("readable", resolve).once("end", resolve).once("close", resolve));
  }
  return Buffer.concat(pieces);
}

function endOf(child: Started): Promise<{ readonly code: number | null; readonly why: string }> {
  let words = "";
  child.stderr.on("data", (piece: Buffer) => {
    if (words.length < 2_000) words += piece.toString("utf8");
  });
  // One that ends early closes the pipe; its exit code tells the story.
  child.stdin.on("error", () => {});
  return new Promise((resolve) => {
    child.on("error", ({ message }) => resolve({ code: null, why: message }));
    child.on("close", (code, signal) =>
      resolve({ code, why: words.trim() || (code === null ? `was killed by ${signal}` : `exited ${code}`) }),
    );
  });
}

const unspeakablePath = (repo: string): LoopError =>
  new LoopError("repo-unusable", `the repository at ${JSON.stringify(repo)} cannot be borrowed from: there is a line break in its path`, {
    retry: "never",
    hint: "Move the repository to a path without line breaks.",
  });
