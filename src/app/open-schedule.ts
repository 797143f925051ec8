// Opens what telling the schedule needs: the records, and what a look at a loop asks of the machine. Nothing of it is written to.
import { type Around, environmentOf } from "../contract/around.ts";
import { hmacSha256 } from "../std/hash.ts";
import { createFiles } from "../world/files/files.ts";
import { identityOf } from "../world/git/identity-of.ts";
import { refsOnDisk } from "../world/git/refs-on-disk.ts";
import { randomIds } from "../world/machine/clock.ts";
import { borrowRedactionKey } from "../world/store/redaction-key.ts";
import type { Home } from "./home.ts";
import type { BookSource } from "./loops/book.ts";
import { partsOf } from "./open-parts.ts";
import { openRecords, type Records } from "./open-records.ts";

export async function openSchedule(home: Home, { env }: Pick<Around, "env">): Promise<BookSource & Pick<Records, "close">> {
  const key = borrowRedactionKey(home.folder);
  const ids = { ...randomIds, secretFor: (words: string) => hmacSha256(key, `secret for ${words}`) };
  const world = { env: environmentOf(env), files: createFiles(), ids };
  return { ...(await openRecords(home)), registries: await partsOf(home), identityOf, refsOnDisk, world };
}
