// A house without a disk, a process or a clock of its own: every port in its memory form, and a maker and a verifier that do as told.
import { basename, dirname } from "node:path";
import * as z from "zod";
import { builtIn } from "../../src/app/crew.ts";
import { promote } from "../../src/app/decisions/autonomy.ts";
import { findHome } from "../../src/app/home.ts";
import type { House } from "../../src/app/open-house.ts";
import { redactJournal } from "../../src/app/redact.ts";
import type { LoadedSpec } from "../../src/app/runs/load-spec.ts";
import { runSpec } from "../../src/app/runs/wake.ts";
import type { Artifacts } from "../../src/contract/artifacts.ts";
import type { KillSwitch } from "../../src/contract/clock.ts";
import { LoopError } from "../../src/contract/errors.ts";
import type { Files, SpecFiles, Texts } from "../../src/contract/files.ts";
import { BLINK_MS, type Locks } from "../../src/contract/locks.ts";
import { defineMaker, type EditOrder } from "../../src/contract/maker.ts";
import type { MakerWorld } from "../../src/contract/part-worlds.ts";
import type { Talk } from "../../src/contract/proposal.ts";
import type { Entry, LoopRecord } from "../../src/contract/record.ts";
import type { CheckpointLog, Proofs, Signing } from "../../src/contract/signing.ts";
import { createStop } from "../../src/contract/stop.ts";
import { untrustedText } from "../../src/contract/text.ts";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../../src/contract/verifier.ts";
import type { World } from "../../src/contract/world.ts";
import { createRedactor, redactValue } from "../../src/guard/secrets/redact.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import { readRing, sealRotation } from "../../src/receipts/key-ring.ts";
import { readSpec } from "../../src/spec/read-spec.ts";
import { newPrivateKey, readPrivateKey, type Signer } from "../../src/std/ed25519.ts";
import { sha256 } from "../../src/std/hash.ts";
import { createMemoryLocks } from "../../src/world/store/memory-locks.ts";
import { createFakeWorld } from "./fake-world.ts";
import { createMemoryRepo, type Files as RepoFiles } from "./memory-repo.ts";

export interface MemoryHouseAbout {
  /** Which files a maker leaves changed; default: one that says which round it was. */
  readonly made?: (order: { readonly number: number; readonly run: string }) => RepoFiles;
  /** What the maker does; default: it finishes. */
  readonly edit?: (order: EditOrder, world: MakerWorld) => Promise<Talk>;
  /** What the verifier sees; default: that it holds. */
  readonly sees?: (claim: CommitClaim) => Sight;
}

export const HOLDS: Sight = { outcome: "holds", detail: "it holds", output: undefined };
export const FINISHED: Talk = { ended: "finished", summary: untrustedText("done") };
const START_MS = Date.UTC(2026, 0, 5, 8);
const HOME = findHome("/nowhere/home", { get: () => undefined }, "linux", "/");

export type MemoryHouse = ReturnType<typeof createMemoryHouse>;

export function createMemoryHouse({ made, edit, sees }: MemoryHouseAbout = {}) {
  const artifacts = createMemoryArtifacts();
  const repo = createMemoryRepo(made ?? (({ id }) => ({ "src/value.txt": `made in ${id}\n` })), artifacts);
  const base = repo.commit({ "src/value.txt": "wrong\n" });
  const clock = createClock();
  const entries: Entry[] = [];
  const redactor = createRedactor("a key", []);
  const killSwitch = createMemorySwitch();
  const files = createMemoryFiles();
  const orders: EditOrder[] = [];
  const claims: CommitClaim[] = [];
  const repeated = new Set<() => void>();
  let tokens = 0;

  const fake = createFakeWorld();
  const swept: string[] = [];
  const world: World = {
    ...fake.world,
    ...repo.ports,
    clock,
    ids: { token: () => `t${String(++tokens).padStart(4, "0")}`, secretFor: sha256 },
    env: { get: () => undefined },
    killSwitch,
    artifacts,
    files,
    workshop: {
      ...fake.world.workshop,
      ...repo.workshop,
      sweep: async (loop, keepRun) => {
        swept.push(`${loop} but ${keepRun}`);
        return [];
      },
    },
  };

  const house: House = {
    home: HOME,
    clock,
    killSwitch,
    artifacts,
    plainFiles: files,
    specFiles: createMemorySpecFiles(files.written),
    documents: { open: async () => ({ repo: "/repo", ref: "main" }) },
    identityOf: async (dir) => sha256(dir).slice(0, 40),
    refsOnDisk: async () => undefined,
    texts: createMemoryTexts(files.written),
    journal: redactJournal(createMemoryJournal(clock, entries), redactor),
    locks: unblinking(createMemoryLocks()),
    signing: createMemorySigning(artifacts),
    registries: {
      ...builtIn,
      makers: [
        defineMaker({
          name: "by-hand",
          summary: "Does what the test says.",
          options: z.strictObject({}),
          edit: async (order, _, makerWorld) => {
            orders.push(order);
            return edit ? edit(order, makerWorld) : FINISHED;
          },
        }),
      ],
      verifiers: [
        defineCommitVerifier({
          name: "by-eye",
          summary: "Sees what the test says.",
          kind: "proof",
          options: z.strictObject({ secret: z.string().optional(), run: z.string().optional() }),
          verify: async (claim) => {
            claims.push(claim);
            return sees ? sees(claim) : HOLDS;
          },
        }),
      ],
    },
    redact: (value) => redactValue(redactor, value) as typeof value, // texts are changed and nothing else
    world,
    worldFor: () => world,
    box: {
      means: async () => NO_BOX,
      mustBeThere: () => Promise.reject(noBox()),
      enclose: () => Promise.reject(noBox()),
      tools: async () => [],
      owner: async () => undefined,
      give: async () => {},
      plan: () => Promise.reject(noBox()),
    },
    stop: createStop(),
    trustedHashes: async () => [],
    whyUntrusted: async () => undefined,
    findProgram: async (name) => `/usr/bin/${name}`,
    repeat(_everyMs, work) {
      repeated.add(work);
      return { end: () => void repeated.delete(work) };
    },
    sleep: async (ms) => clock.pass(ms),
    version: "0.0.0",
    cores: 2,
    keepLittle: async () => {},
    close: () => {},
  };

  return {
    house,
    repo,
    /** The commit that main is at in the beginning. */
    base,
    clock,
    files,
    /** What the maker was asked to do, and the verifier to look at. */
    orders,
    claims,
    swept,
    entries,
    /** What is done again and again is done once more. */
    tick: () => repeated.forEach((work) => void work()),
    records: (kind?: LoopRecord["kind"]): readonly LoopRecord[] =>
      entries.map(({ record }) => record).filter((record) => kind === undefined || record.kind === kind),
    /** Somebody's work in the checkout, on a base that has the spec; gives back base. */
    layRefereed(files: RepoFiles, more: object = {}): string {
      const on = repo.commit({ "fix.loop.json": specText({ target: { repo: ".", base: "main" }, ...more }) });
      repo.lay(files);
      return on;
    },
    /** The spec of a loop on the repository, as it is read from a file. */
    spec: (more: object = {}): LoadedSpec => readAs(specText(more), house),
  };
}

/** A house with a loop that ran once, and whose proposal waits. */
export async function withProposal(about: MemoryHouseAbout = {}, more: object = {}): Promise<MemoryHouse> {
  const at = createMemoryHouse(about);
  await runSpec(at.house, at.spec(more), { onlyIfDue: false, again: false }, () => {});
  return at;
}

/** Runs a loop, lets it act alone by somebody's word, and runs it again: what it proposes then may go. */
export async function runTrusted({ house, spec }: MemoryHouse, more: object): Promise<void> {
  await runSpec(house, spec(more), { onlyIfDue: false, again: false }, () => {});
  await promote(house, "fix", { by: "ada", why: "it is ours", anyway: true });
  await runSpec(house, spec(more), { onlyIfDue: false, again: true }, () => {});
}

/** The text of a sound spec whose loop asks the maker and the verifier of this house. */
export const specText = (more: object = {}): string =>
  JSON.stringify({
    name: "fix",
    intent: "Make it right.",
    level: "L2",
    target: { repo: "/repo", base: "main" },
    maker: { use: "by-hand" },
    verifiers: [{ use: "by-eye" }],
    act: [{ use: "merge" }],
    ...more,
  });

function readAs(text: string, { registries }: House): LoadedSpec {
  const path = "/specs/fix.loop.json";
  const reading = readSpec(path, text, registries);
  if (reading.kind === "refused") throw new Error(JSON.stringify(reading.problems));
  const { spec, hash, warnings } = reading;
  return { spec, hash, warnings, path, folder: "/specs" };
}

/** A second later at every look; it stands still for what is measured. */
function createClock() {
  let ms = START_MS;
  return {
    now: () => {
      ms += 1000;
      return new Date(ms);
    },
    monotonicMs: () => ms,
    pass: (more: number): void => {
      ms += more;
    },
  };
}

/** Nobody here holds a lock only to look whether it is free, so that a blink is not waited for. */
const unblinking = (locks: Locks): Locks => ({
  ...locks,
  hold: (name, wait) => locks.hold(name, wait.ms === BLINK_MS ? { ...wait, ms: 0 } : wait),
});

function createMemorySwitch(): KillSwitch {
  let isOn = false;
  return {
    path: HOME.killSwitch,
    isOn: async () => isOn,
    async turnOn() {
      isOn = true;
    },
    async turnOff() {
      isOn = false;
    },
  };
}

function createMemoryFiles(): Files & { readonly written: Map<string, string> } {
  const written = new Map<string, string>();
  return { written, readText: async (path) => written.get(path), writeText: async (path, text) => void written.set(path, text) };
}

function createMemoryTexts(written: ReadonlyMap<string, string>): Texts {
  const missing = (path: string) => new LoopError("bad-input", `${path} cannot be read`, { retry: "never", hint: "Check the path." });
  return {
    readOptional: async (path) => written.get(path),
    readWhole: async (path) => written.get(path) ?? Promise.reject(missing(path)),
    list: async (folder) => [...written.keys()].flatMap((path) => (dirname(path) === folder ? [basename(path)] : [])),
    readBelow: async (folder, path) => {
      const text = path.startsWith(`${folder}/`) ? written.get(path) : undefined;
      return text === undefined ? { kind: "refused", why: "there is no such file" } : { kind: "text", text, real: path };
    },
    real: async (path) => {
      if (written.has(path)) return { path, kind: "file" };
      return [...written.keys()].some((file) => file.startsWith(`${path}/`)) ? { path, kind: "folder" } : undefined;
    },
  };
}

/** A file's text is its stamp, and folders are there as long as they are not named in the text of `/unreadable`. */
function createMemorySpecFiles(written: ReadonlyMap<string, string>): SpecFiles {
  const seen = (path: string) => ({ path, real: path, stamp: sha256(written.get(path) ?? "") });
  return {
    async look(path, isWanted) {
      if ((written.get("/unreadable") ?? "").split("\n").includes(path)) return { kind: "unreadable", why: "it may not be read" };
      if (written.has(path)) return { kind: "file", file: seen(path) };
      const inside = [...written.keys()].filter((file) => file.startsWith(`${path}/`));
      if (inside.length === 0) return { kind: "gone" };
      return {
        kind: "folder",
        files: inside
          .filter((file) => dirname(file) === path && isWanted(basename(file)))
          .toSorted()
          .map(seen),
      };
    },
    async read(path, mostBytes) {
      const text = written.get(path) ?? "";
      return text.length > mostBytes ? { kind: "unreadable", why: `it is larger than ${mostBytes} bytes` } : { kind: "text", text };
    },
  };
}

function createMemoryArtifacts(): Artifacts {
  const kept = new Map<string, Uint8Array>();
  return {
    async keep(given) {
      const bytes = Buffer.from(given);
      const hash = sha256(bytes);
      kept.set(hash, bytes);
      return { sha256: hash, bytes: bytes.length, truncated: false };
    },
    async read(ref) {
      const bytes = kept.get(ref.sha256);
      if (!bytes) throw new LoopError("store-unusable", `${ref.sha256} is gone`, { retry: "never", hint: "Look for a copy." });
      return bytes;
    },
  };
}

function createMemorySigning(receipts: Artifacts): Signing {
  const signer = signerOf(newPrivateKey());
  const ring = sealRotation(undefined, signer, new Date(START_MS).toISOString());
  const logs = new Map<string, CheckpointLog>();
  const logAt = (path: string): CheckpointLog => {
    const log = logs.get(path) ?? createMemoryLog();
    logs.set(path, log);
    return log;
  };
  return {
    keys: {
      signer: () => signer,
      ring: () => readRing(ring),
      ringText: () => ring,
      rotate: () => Promise.reject(new Error("no other key is in this house")),
    },
    receipts,
    log: createMemoryLog(),
    logAt,
    proofs: createMemoryProofs(),
  };
}

function createMemoryProofs(): Proofs {
  const kept = new Map<string, ReadonlyMap<string, string>>();
  const filesOf = (repo: string, chain: string): ReadonlyMap<string, string> => kept.get(`${repo} ${chain}`) ?? new Map();
  return {
    async write(repo, chain, files) {
      kept.set(`${repo} ${chain}`, new Map([...filesOf(repo, chain), ...files.map(({ path, text }) => [path, text] as const)]));
    },
    chains: async (repo) => [...kept.keys()].filter((key) => key.startsWith(`${repo} `)).map((key) => key.slice(repo.length + 1)),
    read: async (repo, chain, path) => filesOf(repo, chain).get(path),
    messageOf: () => Promise.reject(new Error("no messages are in this house")),
    list: async (repo, chain, folder) =>
      [...filesOf(repo, chain).keys()].flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
  };
}

function signerOf(pem: string): Signer {
  const signer = readPrivateKey(pem);
  if (!signer) throw new TypeError("a key that was just made cannot be read");
  return signer;
}

function createMemoryLog(): CheckpointLog {
  const lines: string[] = [];
  return { last: () => lines.at(-1), append: (line) => void lines.push(line), text: () => lines.join("") || undefined };
}

const NO_BOX = { kind: "none", why: "there is none in this house", hint: "Build one." } as const;
const noBox = (): LoopError => new LoopError("box-unusable", NO_BOX.why, { retry: "never", hint: NO_BOX.hint });
