// The machine that we are on, for a doctor to look at.
import { type Around, environmentOf } from "../contract/around.ts";
import type { BoxWish } from "../contract/commands.ts";
import { accountsUsedUp, limitRecords } from "../journal/accounts.ts";
import { type Box, type BoxMeans, createBox } from "../world/box/box.ts";
import { texts } from "../world/files/spec-files.ts";
import { systemClock } from "../world/machine/clock.ts";
import { answersOnLoopback, ask, findProgram, isInHome, machine } from "../world/machine/survey.ts";
import { knownPlace } from "../world/net/models/model-place.ts";
import { tryRooms } from "../world/rooms/room-means.ts";
import { measurePrepared } from "../world/store/prepared-store.ts";
import { driverName, openDatabase } from "../world/store/sqlite.ts";
import type { Patient } from "./doctor.ts";
import type { Home } from "./home.ts";
import { lookAround, openToRead } from "./open-records.ts";
import { isWell, tellDaemon, viewDaemon } from "./records/daemon-view.ts";

export function openPatient(home: Home, cwd: string, around: Pick<Around, "env" | "program">, ours: string): Patient {
  const env = environmentOf(around.env);
  const where = { cwd, env: around.env };
  const box = createBox(home.folder, env, { program: around.program });
  return {
    home,
    texts,
    env,
    nodeVersion: machine.nodeVersion,
    sqlite: { driver: driverName(), version: sqliteVersion },
    ask: (program, args, timeoutMs) => ask(program, args, where, timeoutMs),
    findProgram: (name) => findProgram(name, env),
    isInHome: (file) => isInHome(file, env),
    answersOnLoopback,
    knownPlace,
    boxMeans: box.means,
    roomMeans: () => tryRooms(home.folder, env, box),
    isRoot: isRoot(),
    async inspectJournal() {
      const { journal, unwritable, close } = await openToRead(home.folder);
      try {
        return { ...(await journal.inspect()), ...(unwritable === undefined ? {} : { unwritable }) };
      } finally {
        await close();
      }
    },
    async lookAtDaemon() {
      const view = await viewDaemon(lookAround(home), ours);
      return { isFine: isWell(view), says: tellDaemon(view, ours) };
    },
    async usedUp() {
      const { journal, close } = await openToRead(home.folder);
      try {
        return accountsUsedUp(await limitRecords(journal), systemClock.now());
      } finally {
        await close();
      }
    },
    measurePrepared: () => measurePrepared(home.prepared),
    measureCaches: () => measurePrepared(home.caches),
    measureBases: () => measurePrepared(home.layers),
  };
}

/** What this machine can keep commands to, after it was tried. */
export const lookForBox = (home: Home, around: Pick<Around, "env" | "program">): Promise<BoxMeans> =>
  createBox(home.folder, environmentOf(around.env), { program: around.program }).means();

/** What a box here would show for such a wish. */
export const planFor = (home: Home, around: Pick<Around, "env" | "program">): ((wish: BoxWish) => ReturnType<Box["plan"]>) =>
  createBox(home.folder, environmentOf(around.env), { program: around.program }).plan;

export const isRoot = (): boolean => machine.userId === 0;

function sqliteVersion(): string {
  const memory = openDatabase(":memory:", "read-write");
  const version = String(memory.all("select sqlite_version() as version")[0]?.version);
  memory.close();
  return version;
}
