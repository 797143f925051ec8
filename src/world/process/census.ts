// Which process we are, so that nobody can take a later one with the same number for us, and whether another is still there.
import { readFileSync, readlinkSync } from "node:fs";
import type { Census } from "../../contract/clock.ts";
import type { Owner } from "../../contract/ledger.ts";
import { beganAt, isThere } from "./owner.ts";

export function createCensus(): Census {
  const boot = bootOf();
  const self: Owner = { pid: process.pid, ...told("began", beganAt(process.pid)), ...told("boot", boot) };
  return { self: () => self, isGone: (owner) => isGone(owner, boot) };
}

/** Gone for sure: what cannot be told counts as still there, and its reservation stays taken. */
function isGone({ pid, began, boot }: Owner, ourBoot: string | undefined): boolean {
  if (boot !== undefined && ourBoot !== undefined && boot !== ourBoot) {
    // The same start of the system seen from another container: its numbers mean nothing here.
    return boot.split(" ")[0] !== ourBoot.split(" ")[0];
  }
  if (!isThere(pid)) return true;
  const now = beganAt(pid);
  return began !== undefined && now !== undefined && now !== began;
}

/** Which start of the system this is, and which of its process numberings. */
function bootOf(): string | undefined {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return undefined;
  }
}

const told = <K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: string }; // one key, or none
