// Whether the server is there, whose home it shows, and how far the journal goes.
import type { Health } from "../../contract/api.ts";
import type { House } from "../open-house.ts";

export async function readHealth(
  { journal, home, clock, killSwitch, version }: Pick<House, "journal" | "home" | "clock" | "killSwitch" | "version">,
  server: Pick<Health, "who" | "isReadOnly" | "since" | "pages" | "cspReports">,
): Promise<Health> {
  const head = await journal.head();
  return {
    ...server,
    version,
    home: home.folder,
    at: clock.now().toISOString(),
    journal: head ? { chain: head.chain, seq: head.seq, hash: head.hash } : null,
    mended: journal.mended ?? null,
    isAllStopped: await killSwitch.isOn(),
  };
}
