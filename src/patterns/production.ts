// Loops for daily work: they report, and are written for a repository. One line each.
import type { ProductionLoop } from "../contract/production-loop.ts";
import { ciSweeper } from "./ci-sweeper.ts";
import { dailyTriage } from "./daily-triage.ts";
import { dependencySweeper } from "./dependency-sweeper.ts";
import { issueTriage } from "./issue-triage.ts";
import { postMergeCleanup } from "./post-merge-cleanup.ts";
import { prBabysitter } from "./pr-babysitter.ts";

export const productionLoops: readonly ProductionLoop[] = [
  dailyTriage,
  postMergeCleanup,
  dependencySweeper,
  issueTriage,
  prBabysitter,
  ciSweeper,
];
