// When the home last ticked, and who waited for room then: one small file, for whoever asks.
import { join } from "node:path";
import type { Ticks } from "../../schedule/ports.ts";
import type { Records } from "../open-records.ts";

export const ticksPath = ({ home }: Pick<Records, "home">): string => join(home.folder, "ticks.json");

/** Derived, and so losable: without it the next tick is the first. */
export async function readTicks(house: Pick<Records, "home" | "texts">): Promise<Ticks | undefined> {
  const text = await house.texts.readOptional(ticksPath(house)).catch(() => undefined);
  try {
    const { last, awake, waiting } = JSON.parse(text ?? "") as Partial<Ticks>; // as `keepTicks` writes it, or else not what we read
    if (typeof last !== "number" || typeof awake !== "number") return undefined;
    return { last, awake, ...(Array.isArray(waiting) ? { waiting } : {}) };
  } catch {
    return undefined;
  }
}
