// Who of a team did what, in a line each: how it ended, how long it took, what it used, what it was given; and whom a join left out.
import { formatCount } from "./count.ts";
import { formatDuration } from "./duration.ts";
import { formatUsd } from "./usd.ts";

/** Shaped as on the record. */
interface Worked {
  readonly id: string;
  readonly use: string;
  readonly ended: string;
  readonly tries?: number;
  readonly why?: string;
  readonly child?: { readonly run: string };
  readonly used?: { readonly usd: number; readonly tokens: number };
  readonly tookMs?: number;
  readonly from?: readonly string[];
}

interface Joined {
  readonly id: string;
  readonly how: string;
  readonly ended: string;
  readonly chosen: readonly string[];
  readonly dissent: readonly string[];
  readonly why?: string;
}

export function tellWorker({ id, use, ended, tries = 1, why, child, used, tookMs, from = [] }: Worked): string {
  const how = ended === "made" ? (tries > 1 ? `made in try ${tries}` : "made") : `${ended}: ${why ?? ""}`;
  return [
    `${id} (${child ? `loop ${child.run}` : use}): ${how}`,
    ...(tookMs === undefined ? [] : [`took ${formatDuration(tookMs)}`]),
    ...(used && (used.usd > 0 || used.tokens > 0) ? [`used ${formatUsd(used.usd)} and ${formatCount(used.tokens)} tokens`] : []),
    ...(from.length > 0 ? [`given ${from.join(", ")}`] : []),
  ].join("; ");
}

export function tellJoin({ id, how, ended, chosen, dissent, why }: Joined): string {
  return [
    `${id}: ${how}, ${ended === "made" ? chosen.join(", ") : `failed, ${why ?? ""}`}`,
    ...(dissent.length > 0 ? [`dissent: ${dissent.join(", ")}`] : []),
  ].join("; ");
}
