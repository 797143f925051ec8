import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownName } from "../process/owner.ts";
import { tryRooms } from "./room-means.ts";

const env = { get: (name: string) => process.env[name] };

it.runIf(process.platform === "linux")("sweeps the trials of those who died in one at once, and of nobody who is at work", async () => {
  const home = mkdtempSync(join(tmpdir(), "lw-means-"));
  const [dead, alive] = [`.rooms-${ownName().replace(/-\d+-/, "-999999999-")}.1`, `.rooms-${ownName()}.1`];
  for (const name of [dead, alive]) mkdirSync(join(home, "rounds", name, "work"), { recursive: true });

  await tryRooms(home, env, { means: async () => ({ kind: "bubblewrap" }) as never });

  expect(readdirSync(join(home, "rounds"))).toEqual([alive]);
  rmSync(home, { recursive: true });
});
