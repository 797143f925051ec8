// Exit codes: what a shell hears.
import type { ErrorCode } from "./errors.ts";
import type { Rest } from "./verdict.ts";

/** The one table of exit codes. `lw --help`, the reference and the tests are made from it. */
export const EXIT = {
  done: { code: 0, means: "done and proven" },
  checkFailed: { code: 1, means: "a check failed" },
  blocked: { code: 2, means: "command blocked" },
  fabricated: { code: 3, means: "fabricated reference" },
  cannotVerify: { code: 4, means: "cannot verify" },
  tampering: { code: 5, means: "tampering" },
  injection: { code: 6, means: "injection" },
  outsideAllowlist: { code: 7, means: "outside the allowlist" },
  gap: { code: 8, means: "verification gap" },
  waiting: { code: 9, means: "waiting for a human" },
  budget: { code: 10, means: "budget used up" },
  stalled: { code: 11, means: "stalled or oscillating" },
  belowTarget: { code: 12, means: "short of what was asked: the best so far, or a part, is proposed" },
  usage: { code: 64, means: "usage or bad spec" },
  bug: { code: 70, means: "our own bug" },
  later: { code: 75, means: "try again later" },
} as const;

export type ExitName = keyof typeof EXIT;

/** The gravest first. */
const GRAVEST: readonly ExitName[] = [
  "bug",
  "tampering",
  "injection",
  "blocked",
  "fabricated",
  "outsideAllowlist",
  "gap",
  "checkFailed",
  "cannotVerify",
  "usage",
  "budget",
  "stalled",
  "waiting",
  "later",
];

/** What a shell hears of many answers at once. */
export const gravestOf = (exits: Iterable<ExitName>): ExitName => {
  const heard = new Set(exits);
  return GRAVEST.find((name) => heard.has(name)) ?? "done";
};

/** What a shell hears when a run ends this way. Only an accepted and proven round is 0 (one that opinions alone speak for waits for a human), and a base that was seen to need nothing. */
export function exitOf(rest: Rest): ExitName {
  if (rest.kind === "accept" && (rest.best || rest.on === "part")) return "belowTarget";
  if (rest.kind === "accept" && rest.on === "opinion") return "waiting";
  if (rest.kind === "accept" || rest.kind === "nothing-to-do") return "done";
  switch (rest.because) {
    case "check-failed":
    case "rejected":
      return "checkFailed";
    case "fabricated":
      return "fabricated";
    case "gap":
      return "gap";
    case "cannot-verify":
    case "maker-unfinished":
    case "outside-failure":
      return "cannotVerify";
    case "tampering":
      return "tampering";
    case "outside-level":
      return "outsideAllowlist";
    case "blocked":
      return "blocked";
    case "injection":
      return "injection";
    case "seal":
    case "question":
      return "waiting";
    case "budget":
    case "runaway":
      return "budget";
    case "stalled":
      return "stalled";
    case "below-target":
      return "belowTarget";
    case "stopped":
      return "later";
    case "bug":
      return "bug";
  }
}

/** What a shell hears when an outside failure ends a command. */
export function exitOfError(code: ErrorCode): ExitName {
  switch (code) {
    case "bad-input":
    case "repo-unusable":
    case "ref-missing":
      return "usage";
    case "loop-busy":
    case "journal-busy":
    case "interrupted":
    case "maker-rate-limited":
    case "model-limited":
      return "later";
    case "git-failed":
    case "cannot-judge":
    case "gather-failed":
    case "mcp-failed":
    case "maker-failed":
    case "prepare-failed":
    case "setup-failed":
    case "model-failed":
    case "workspace-lost":
    case "box-unusable":
    case "proposal-conflict":
    case "notify-failed":
    case "action-failed":
    case "journal-damaged":
    case "store-unusable":
      return "cannotVerify";
    case "loop-held":
    case "review-pending":
      return "waiting";
    case "command-blocked":
      return "blocked";
    case "injection":
      return "injection";
    case "budget-spent":
    case "runaway":
      return "budget";
    case "bug":
      return "bug";
  }
}
