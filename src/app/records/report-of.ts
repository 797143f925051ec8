// The report that a run left when it came to rest.
import type { ArtifactRef } from "../../contract/artifacts.ts";
import type { Entry } from "../../contract/record.ts";
import type { Records } from "../open-records.ts";

/** Undefined where it has not come to rest. */
export const reportIn = (entries: readonly Entry[]): ArtifactRef | undefined =>
  entries.flatMap(({ record }) => (record.kind === "run-rested" ? [record.report] : [])).at(-1);

export const reportOf = async ({ journal }: Pick<Records, "journal">, run: string): Promise<ArtifactRef | undefined> =>
  reportIn((await journal.story(run)).entries);
