// The composition root: the only place that knows every room.

import type { Registries } from "../contract/crew.ts";
import type { Signing } from "../contract/signing.ts";
import type { World } from "../contract/world.ts";
import { secretValuesOf } from "../guard/secrets/environment.ts";
import { createRedactor } from "../guard/secrets/redact.ts";
import type { Journal } from "../journal/journal.ts";
import { openSqliteJournal } from "../journal/sqlite-journal.ts";
import { hmacSha256 } from "../std/hash.ts";
import { type Box, createBox, homesOf } from "../world/box/box.ts";
import { portFolder, takePorts } from "../world/box/port-block.ts";
import { createCopyFiles } from "../world/files/copy-files.ts";
import { createFiles, createWorkspaceFiles } from "../world/files/files.ts";
import { listFiles } from "../world/files/list-files.ts";
import { createChangeReader } from "../world/git/change-reader.ts";
import { createGitReader } from "../world/git/git-reader.ts";
import { includeFiles } from "../world/git/include-files.ts";
import { createMover } from "../world/git/mover.ts";
import { gitFor } from "../world/git/run-git.ts";
import { createWorkshop } from "../world/git/workshop.ts";
import {
  allVariables,
  ownProgram,
  processEnvironment,
  randomIds,
  repeat,
  sleep,
  sleepUnless,
  systemClock,
} from "../world/machine/clock.ts";
import { machine } from "../world/machine/survey.ts";
import { loadSyntax } from "../world/machine/syntax.ts";
import { http } from "../world/net/http.ts";
import { mail } from "../world/net/mail.ts";
import { createModels } from "../world/net/models/models.ts";
import { createCensus } from "../world/process/census.ts";
import { thisMachine } from "../world/process/machine-use.ts";
import { createProc } from "../world/process/proc.ts";
import { createArtifacts } from "../world/store/artifacts.ts";
import { holdLock, type Lock } from "../world/store/lock.ts";
import { createPreparedStore } from "../world/store/prepared-store.ts";
import { takeRedactionKey } from "../world/store/redaction-key.ts";
import { createStore } from "../world/store/store.ts";
import { builtIn } from "./crew.ts";
import type { Home } from "./home.ts";
import { settingsWithHook } from "./hooks/install-hook.ts";
import { openSigning } from "./open-signing.ts";
import { redactingArtifacts, redactingCopyFiles, redactingFiles, redactingJournal, redactingProc } from "./redact.ts";

/** Everything a command works with, put together. */
export interface House {
  readonly home: Home;
  readonly registries: Registries;
  readonly journal: Journal;
  readonly world: World;
  readonly signing: Signing;
  /** What this machine can keep commands to. */
  readonly box: Box;
  /** Takes the loop for this process; undefined when another process has it. */
  readonly takeLoop: (loop: string) => Promise<Lock | undefined>;
  /** Asks everything that runs here to stop. */
  readonly stop: () => void;
  readonly repeat: typeof repeat;
  readonly sleep: typeof sleep;
  readonly version: string;
  readonly close: () => void;
}

export async function openHouse(home: Home, version: string, registries: Registries = builtIn): Promise<House> {
  const stopping = new AbortController();
  const stored = await openSqliteJournal(createStore(home.folder), systemClock);
  const key = takeRedactionKey(home.folder);
  const redactor = createRedactor(key, secretValuesOf(allVariables()));
  const journal = redactingJournal(stored, redactor);
  const artifacts = redactingArtifacts(createArtifacts(home.artifacts), redactor);
  const git = gitFor(processEnvironment);
  const box = createBox(home.folder, processEnvironment);
  const world: World = {
    clock: systemClock,
    ids: { ...randomIds, secretFor: (words) => hmacSha256(key, `secret for ${words}`) },
    env: processEnvironment,
    census: createCensus(),
    git: createGitReader(git),
    workshop: createWorkshop(home.rounds, git, artifacts),
    prepared: createPreparedStore(home.prepared, `${machine.platform} ${machine.arch} node ${machine.nodeVersion}`, {
      clock: systemClock,
      stopAsked: () => stopping.signal.aborted,
    }),
    outfitter: {
      include: (order) => includeFiles(git, order, { ourHome: home.folder, userHomes: homesOf(processEnvironment) }),
      takePorts: (count) => takePorts(portFolder(), count),
    },
    proc: redactingProc(createProc(artifacts, systemClock, stopping.signal, { box, machine: thisMachine }), redactor),
    files: redactingFiles(createFiles(), redactor),
    artifacts,
    loadSyntax,
    models: createModels({ env: processEnvironment, clock: systemClock, wait: sleepUnless, stopping: stopping.signal }),
    mover: createMover(git, processEnvironment),
    comparing: createChangeReader(git),
    http,
    mail,
    listFiles,
    hookSettings: (adapter, flags) => settingsWithHook(adapter, ownProgram, flags),
    workspaceFiles: createWorkspaceFiles,
    copyFiles: (work, mayChange) => redactingCopyFiles(createCopyFiles(work, mayChange), redactor),
    stopAsked: () => stopping.signal.aborted,
  };
  return {
    home,
    registries,
    journal,
    world,
    signing: openSigning(home, git),
    box,
    version,
    repeat,
    sleep,
    takeLoop: (loop) => takePatiently(home.lockOf(loop)),
    stop: () => stopping.abort(),
    close: () => {
      git.objects.close();
      journal.close();
    },
  };
}

/** Somebody may hold the lock for a blink, only to see whether it is free; a run holds it for long. */
async function takePatiently(path: string): Promise<Lock | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const lock = holdLock(path);
    if (lock) return lock;
    await sleep(20 + 20 * attempt);
  }
  return undefined;
}
