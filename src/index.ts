// The public library, listed by hand.
export { type House, openHouse } from "./app/compose.ts";
export { exportChainTo } from "./app/export-chain.ts";
export { findHome, type Home } from "./app/home.ts";
export { findSpec, type LoadedSpec, loadSpec, type SpecLoading } from "./app/load-spec.ts";
export { formatProblem, readSpec, type SpecProblem, type SpecReading } from "./app/read-spec.ts";
export { builtIn, type Registries } from "./app/registries.ts";
export { abandonRun, type RunResult, type RunWishes, resumeRun, runSpec } from "./app/run-spec.ts";
export { type Scanned, scanDiff, scanRepository } from "./app/scan-diff.ts";
export { specJsonSchema, specSchema } from "./app/spec-schema.ts";
export { type HomeVerification, verifyHome } from "./app/verify-home.ts";
export { findRun, type LoopView, viewLoops, viewOf } from "./app/views.ts";
export { type ErrorCode, LoopError } from "./contract/errors.ts";
export type * from "./contract/evidence.ts";
export { EXIT, type ExitName, exitOf, exitOfError } from "./contract/exit.ts";
export {
  defineAction,
  defineCommitVerifier,
  defineConnector,
  defineGate,
  defineMaker,
  defineNotifier,
  defineReporter,
  defineReportVerifier,
  defineTrigger,
} from "./contract/parts.ts";
export type * from "./contract/receipt.ts";
export type { Entry, LoopRecord } from "./contract/record.ts";
export { LoopSpec } from "./contract/spec.ts";
export type { Rest, Verdict } from "./contract/verdict.ts";
export type { Sighting, Watch } from "./contract/watch.ts";
export type { Confidence, DiffRule } from "./guard/diff/rule.ts";
export { diffRules } from "./guard/diff/rules/index.ts";
export type { DiffFinding, DiffScan } from "./guard/diff/scan.ts";
export type { RunView } from "./journal/views.ts";
export { type ChainFile, readChainFile } from "./receipts/chain-file.ts";
export { type OpenedReceipt, openReceipt, resultFor, resultOf } from "./receipts/receipt.ts";
export { entryHash } from "./std/chain.ts";
export { type PublicKey, readPublicKeys } from "./std/ed25519.ts";
