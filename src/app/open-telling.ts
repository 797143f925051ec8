// Opens the pipe by which a run tells the daemon what is heard of it: without secrets, and only as much as goes in.
import { TELLING_DESCRIPTOR, tellingLine } from "../contract/telling.ts";
import type { Watch } from "../contract/watch.ts";
import { openTelling } from "../world/process/telling.ts";
import type { House } from "./open-house.ts";

export interface RunTelling {
  readonly watch: Watch;
  close(): void;
}

/** Where nobody listens, nothing is told. */
export function openRunTelling({ redact }: Pick<House, "redact">): RunTelling {
  const pipe = openTelling(TELLING_DESCRIPTOR);
  return {
    watch(sighting) {
      if (sighting.kind !== "recorded") pipe?.tell(tellingLine(redact(sighting)));
    },
    close: () => pipe?.close(),
  };
}
