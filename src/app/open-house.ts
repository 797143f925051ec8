// The composition root: the only place that knows every folder of the source.

import { type Around, environmentOf } from "../contract/around.ts";
import type { Stop } from "../contract/clock.ts";
import type { Registries } from "../contract/crew.ts";
import type { LoopError } from "../contract/errors.ts";
import type { Files, SpecFiles } from "../contract/files.ts";
import type { Documents, RefsOnDisk } from "../contract/git.ts";
import type { Locks } from "../contract/locks.ts";
import type { Signing } from "../contract/signing.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { type AskableStop, createStop } from "../contract/stop.ts";
import type { RoomMeans } from "../contract/workshop.ts";
import type { World } from "../contract/world.ts";
import { secretValuesOf } from "../guard/secrets/environment.ts";
import { createRedactor, redactValue } from "../guard/secrets/redact.ts";
import type { Journal } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { hmacSha256 } from "../std/hash.ts";
import { shellWord } from "../std/shell-word.ts";
import { type Box, createBox, homesOf } from "../world/box/box.ts";
import { portFolder, takePorts } from "../world/box/port-block.ts";
import { createCopyFiles } from "../world/files/copy-files.ts";
import { createFiles, createHomeFiles, createWorkspaceFiles } from "../world/files/files.ts";
import { listFiles } from "../world/files/list-files.ts";
import { specFiles } from "../world/files/spec-places.ts";
import { sweepLeftovers } from "../world/files/temporary.ts";
import { createChangeReader } from "../world/git/change-reader.ts";
import { createCheckouts } from "../world/git/checkout.ts";
import { createDocuments } from "../world/git/documents.ts";
import { createGitReader } from "../world/git/git-reader.ts";
import { createGitScout } from "../world/git/git-scout.ts";
import { identityOf } from "../world/git/identity-of.ts";
import { includeFiles } from "../world/git/include-files.ts";
import { createMover } from "../world/git/mover.ts";
import { refsOnDisk } from "../world/git/refs-on-disk.ts";
import { gitFor } from "../world/git/run-git.ts";
import { createWorkshop } from "../world/git/workshop.ts";
import { randomIds, repeat, sleep, sleepUnless, systemClock } from "../world/machine/clock.ts";
import { newestChange, toolchainBy, wordFor } from "../world/machine/surroundings.ts";
import { findProgram, machine } from "../world/machine/survey.ts";
import { loadSyntax } from "../world/machine/syntax.ts";
import { thisProcess } from "../world/machine/this-process.ts";
import { createServers } from "../world/mcp/servers.ts";
import { createForges } from "../world/net/forges/forges.ts";
import { http } from "../world/net/http.ts";
import { mail } from "../world/net/mail.ts";
import { createModels } from "../world/net/models/models.ts";
import { createCensus } from "../world/process/census.ts";
import { thisMachine } from "../world/process/machine-use.ts";
import { createProc } from "../world/process/proc.ts";
import { createBaseLayers } from "../world/rooms/base-layers.ts";
import { cacheKinds } from "../world/rooms/caches/index.ts";
import { createRoomMeans } from "../world/rooms/room-means.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { createCacheStore } from "../world/store/cache-store.ts";
import { keepLittle } from "../world/store/keep-little.ts";
import { createPreparedStore } from "../world/store/prepared-store.ts";
import { takeRedactionKey } from "../world/store/redaction-key.ts";
import { createStore } from "../world/store/store.ts";
import { builtIn } from "./crew.ts";
import type { Home } from "./home.ts";
import { settingsWithHook } from "./hooks/install-hook.ts";
import { trustedIn, whyUntrusted } from "./open-parts.ts";
import { lookAround, type Records } from "./open-records.ts";
import { openSigning } from "./open-signing.ts";
import { redactArtifacts, redactCopyFiles, redactFiles, redactJournal, redactProc } from "./redact.ts";

/** Everything a command works with, put together. */
export interface House extends Records {
  readonly registries: Registries;
  readonly journal: Journal;
  /** For what is no run's. */
  readonly world: World;
  /** The world of one run: what it starts, asks and waits for ends when its own stop is asked for. */
  readonly worldFor: (stop: Stop) => World;
  readonly signing: Signing;
  /** A value as it goes on record: with placeholders in the place of secrets. */
  readonly redact: <T>(value: T) => T;
  /** Files as they are, for what holds nothing but our own words. */
  readonly plainFiles: Files;
  /** Where people keep specs. */
  readonly specFiles: SpecFiles;
  /** Where the documents of loops are kept. */
  readonly documents: Documents;
  /** Which repository a folder belongs to: the same for the same one, by whatever path or worktree it is reached. */
  readonly identityOf: (repo: string) => Promise<string>;
  readonly refsOnDisk: RefsOnDisk;
  /** What this machine can keep commands to. */
  readonly box: Box;
  /** Throws away what the home keeps only to be quick, until no more than so many bytes are left. */
  readonly keepLittle: (mostBytes: number) => Promise<void>;
  readonly locks: Locks;
  /** Of the process: asked for, it stops everything that runs here. A run has its own, of which this is one cause. */
  readonly stop: AskableStop;
  /** Why parts of one's own that a spec names may not be used as they lie there; undefined where all are as somebody trusted them. */
  readonly whyUntrusted: (spec: Pick<LoopSpec, "parts">, folder: string) => Promise<LoopError | undefined>;
  /** Which files with parts of one's own are trusted, by the hashes of their bytes. */
  readonly trustedHashes: () => Promise<readonly string[]>;
  /** Where a program lies on the PATH; undefined where it does not. */
  readonly findProgram: (name: string) => Promise<string | undefined>;
  readonly repeat: typeof repeat;
  readonly sleep: typeof sleep;
  readonly version: string;
  /** How many processors this machine has for us. */
  readonly cores: number;
}

export async function openHouse(
  home: Home,
  version: string,
  registries: Registries = builtIn,
  around: Pick<Around, "env" | "program"> = thisProcess,
): Promise<House> {
  const env = environmentOf(around.env);
  const stop = createStop();
  // Whoever was killed could not clean up.
  await sweepLeftovers(env);
  const looking = lookAround(home);
  const { locks, killSwitch } = looking;
  const stored = await openSqliteJournal(createStore(home.folder), systemClock);
  const key = takeRedactionKey(home.folder);
  const redactor = createRedactor(key, secretValuesOf(around.env));
  const journal = redactJournal(stored, redactor);
  const artifacts = redactArtifacts(createArtifacts(home.artifacts), redactor);
  const git = gitFor(env);
  const box = createBox(home.folder, env, { program: around.program });
  const roomMeans = createRoomMeans(home.folder, env, box);
  const means = async (): Promise<RoomMeans> => (await roomMeans()).kind;
  /** What is the same for all: nothing of it waits, and nothing of it has to be stopped. */
  const shared = {
    clock: systemClock,
    ids: { ...randomIds, secretFor: (words: string) => hmacSha256(key, `secret for ${words}`) },
    env,
    census: createCensus(),
    git: createGitReader(git),
    scout: createGitScout(git),
    workshop: createWorkshop(home.rounds, git, artifacts, {
      give: box.give,
      layers: createBaseLayers(home.layers, { env, means, owner: box.owner }),
    }),
    outfitter: {
      include: (order) => includeFiles(git, order, { ourHome: home.folder, userHomes: homesOf(env) }),
      takePorts: (count) => takePorts(portFolder(env), count),
    },
    files: redactFiles(createFiles(), redactor),
    artifacts,
    loadSyntax,
    surroundings: {
      async word(inherit) {
        const found = await box.means();
        if (found.kind === "none") return undefined;
        const words = [version, found.kind, "version" in found ? found.version : "", ...(await box.tools())];
        return wordFor(env, { inherit, words });
      },
      toolchain: async () => toolchainBy(env),
      newestChange: async (also) => newestChange(env, { tools: await box.tools(), also: also.in, without: [...also.without, home.folder] }),
    },
    mover: createMover(git, env),
    comparing: createChangeReader(git),
    checkouts: createCheckouts(git, env),
    killSwitch,
    http,
    mail,
    listFiles,
    hookSettings: (adapter, flags) => settingsWithHook(adapter, around.program.map(shellWord).join(" "), flags),
    workspaceFiles: createWorkspaceFiles,
    copyFiles: (work, mayChange) => redactCopyFiles(createCopyFiles(work, mayChange), redactor),
  } satisfies Partial<World>;
  const kindOfMachine = `${machine.platform} ${machine.arch} node ${machine.nodeVersion}`;
  const stores = (until: Stop): Pick<World, "prepared" | "caches"> => {
    const beside = { clock: systemClock, locks, stop: until, means, owner: box.owner };
    return {
      prepared: createPreparedStore(home.prepared, kindOfMachine, beside),
      caches: createCacheStore(createPreparedStore(home.caches, kindOfMachine, { ...beside, takes: "files-too", most: 32 }), cacheKinds),
    };
  };
  const procFor = (until: Stop): World["proc"] =>
    redactProc(createProc(artifacts, systemClock, until, { box, machine: thisMachine }), redactor);
  const worldFor = (until: Stop): World => ({
    ...shared,
    ...stores(until),
    proc: procFor(until),
    servers: createServers(procFor(until)),
    models: createModels({ env, clock: systemClock, wait: sleepUnless, stop: until }),
    forges: createForges({ env, clock: systemClock, wait: sleepUnless, stop: until, files: shared.files, folder: home.pages }),
  });
  return {
    ...looking,
    artifacts,
    registries,
    journal,
    redact: (value) => redactValue(redactor, value) as typeof value, // texts are changed and nothing else
    plainFiles: createHomeFiles(home.folder),
    specFiles,
    documents: createDocuments(home.documents, git),
    identityOf,
    refsOnDisk,
    world: worldFor(stop),
    worldFor,
    signing: openSigning(home, git, locks),
    box,
    keepLittle: async (mostBytes) => void (await keepLittle(home, mostBytes)),
    version,
    cores: machine.cores,
    whyUntrusted: (spec, folder) => whyUntrusted(home, spec, folder),
    trustedHashes: async () => (await trustedIn(home)).map((file) => file.sha256),
    findProgram: (name) => findProgram(name, env),
    repeat,
    sleep,
    stop,
    close: () => {
      git.close();
      journal.close();
    },
  };
}
