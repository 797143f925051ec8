// What a daemon has at hand besides the house: an ear, children, eyes on folders, and the machine that it is on.
import type { Around } from "../contract/around.ts";
import type { Children } from "../contract/children.ts";
import type { Stop } from "../contract/clock.ts";
import type { FileStates, Lookout } from "../contract/lookout.ts";
import type { Server } from "../contract/server.ts";
import { fileStates } from "../world/files/file-states.ts";
import { lookout } from "../world/files/lookout.ts";
import { makeFolder } from "../world/files/make-folder.ts";
import { sleepUnless } from "../world/machine/clock.ts";
import { cores, createFreeRoom, type FreeRoom } from "../world/machine/room.ts";
import { server } from "../world/net/server.ts";
import { createChildren } from "../world/process/children.ts";

export type { FreeRoom };

export interface DaemonTools {
  readonly server: Server;
  readonly children: Children;
  readonly lookout: Lookout;
  readonly fileStates: FileStates;
  readonly cores: number;
  readonly freeRoom: () => FreeRoom;
  readonly sleepUnless: (ms: number, stop: Stop) => Promise<void>;
  readonly makeFolder: (path: string) => void;
}

export const openDaemonTools = (around: Pick<Around, "env" | "program">): DaemonTools => ({
  server,
  children: createChildren(around),
  lookout,
  fileStates,
  cores: cores(),
  freeRoom: createFreeRoom(),
  sleepUnless,
  makeFolder,
});
