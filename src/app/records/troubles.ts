// What is wrong now as the daemon sees it, for whoever asks in another process: derived, and so losable.
import { join } from "node:path";
import type { Home } from "../home.ts";
import type { Records } from "../open-records.ts";

export interface Trouble {
  /** Whose; not there where it is the whole home's. */
  readonly loop?: string;
  readonly says: string;
  readonly since: string;
}

export const troublesPath = ({ folder }: Pick<Home, "folder">): string => join(folder, "troubles.json");

export async function readTroubles({ home, texts }: Pick<Records, "home" | "texts">): Promise<readonly Trouble[]> {
  const text = await texts.readOptional(troublesPath(home)).catch(() => undefined);
  try {
    const troubles: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(troubles) ? troubles.filter(isTrouble) : [];
  } catch {
    return []; // half written, or somebody else's
  }
}

const isTrouble = (one: unknown): one is Trouble =>
  typeof one === "object" &&
  one !== null &&
  "says" in one &&
  typeof one.says === "string" &&
  "since" in one &&
  typeof one.since === "string" &&
  (!("loop" in one) || typeof one.loop === "string");
