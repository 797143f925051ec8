// The machine's settings as a daemon goes by them: read again before anything is started, and held to where they cannot be read.
import type { MachineSettings } from "../app/settings.ts";

export interface MachineFile {
  /** As they were last read. */
  readonly now: () => MachineSettings;
  /** Why they cannot be read now: the file might say less than before, so nothing new is woken. Undefined where they can. */
  readonly readAgain: () => Promise<string | undefined>;
}

export async function openMachineFile(read: () => Promise<MachineSettings>): Promise<MachineFile> {
  let machine = await read();
  return {
    now: () => machine,
    async readAgain() {
      try {
        machine = await read();
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
}
