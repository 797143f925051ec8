// Audits a loop: what level it is ready for by its spec and by its record, and what is missing.
import { type Anatomy, nodesOf } from "../../contract/anatomy.ts";
import type { Registries } from "../../contract/crew.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Entry, RunOpened } from "../../contract/record.ts";
import type { Level, LoopSpec } from "../../contract/spec.ts";
import type { AutonomyRecord } from "../../contract/views.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import { EMPTY_SHELF } from "../../dialects/translation.ts";
import { adviseOn, RUNS_THAT_COUNT, readRecord } from "../../journal/autonomy.ts";
import { type Linted, type LintFinding, lintText } from "../../lint/lint-text.ts";
import { claimsTooMuch, type Readiness, readinessOf, type SpecShows } from "../../scoring/readiness.ts";
import { anatomyOf } from "../../spec/anatomy.ts";
import { readSpec } from "../../spec/read-spec.ts";
import { canonicalJson } from "../../std/hash.ts";
import { loopStanding } from "../decisions/standing.ts";
import { dialectOf } from "../dialects/dialect-of.ts";
import { anatomyOfTheirs } from "../dialects/import-file.ts";
import type { Records } from "../open-records.ts";

export interface Audit extends Readiness {
  readonly loop: string;
  readonly file: string;
  readonly exit: ExitName;
  /** The level that the spec claims; null where it is in no words of ours. */
  readonly claims: Level | null;
  readonly isSound: boolean;
  readonly findings: readonly LintFinding[];
  /** Runs that count, and those of the same loop that were by other work and say nothing about this one. */
  readonly runs: { readonly counted: number; readonly others: number };
}

/** By its text and what is on record under its name. */
export async function auditLoop(
  records: Pick<Records, "journal" | "killSwitch">,
  { file, text }: { readonly file: string; readonly text: string },
  registries: Registries,
): Promise<Audit> {
  const sheet = sheetOf(text);
  const dialect = dialectOf(file, sheet);
  const linted = lintText(file, sheet, dialect, registries);
  const reading = dialect ? undefined : readSpec(file, text, registries);
  const spec = reading?.kind === "read" ? reading.spec : undefined;
  const anatomy = dialect
    ? anatomyOfTheirs(dialect, { file, sheet, shelf: EMPTY_SHELF }, registries).anatomy
    : spec && anatomyOf(spec, registries);
  const seen = await seenOf(records, spec);
  const readiness = readinessOf(spec?.level, showsOf(linted, anatomy, spec), seen);
  const isTooMuch = claimsTooMuch(spec?.level, readiness.readyFor);
  return {
    loop: anatomy?.name ?? "",
    file,
    exit: linted.isSound ? (isTooMuch ? "checkFailed" : "done") : "usage",
    claims: spec?.level ?? null,
    isSound: linted.isSound,
    ...readiness,
    findings: linted.findings,
    runs: { counted: seen.runs, others: seen.others },
  };
}

/** Without these a loop is in vain: it is open, grades itself, has no end, or passes what is wrong. */
const VAIN = new Set(["F1", "F2", "F4", "F5"]);

const tell = ({ line, problem, rule }: LintFinding): string => `line ${line}: ${problem} [${rule}]`;

function showsOf({ isSound, findings }: Linted, anatomy: Anatomy | undefined, spec: LoopSpec | undefined): SpecShows {
  const grave = findings.filter(({ weight }) => weight === "error");
  const isVain = ({ failure, rule }: LintFinding): boolean =>
    !isSound || rule === "nothing-can-refuse" || (failure !== null && VAIN.has(failure));
  const checks = anatomy ? nodesOf(anatomy, "verifier") : [];
  return {
    vain: findings.filter((finding) => (finding.weight === "error" || finding.rule === "nothing-can-refuse") && isVain(finding)).map(tell),
    errors: grave.filter((finding) => !isVain(finding)).map(tell),
    warnings: findings.filter(({ weight }) => weight === "warning").map(tell),
    isProven: checks.some(
      ({ is, refuses, about, isSelfGraded }) => is === "proof" && refuses === "yes" && about === "result" && !isSelfGraded,
    ),
    hasAllowlist: spec?.gate.all.some(({ use }) => use === "allowlist") ?? false,
    acts: (spec?.act.length ?? 0) > 0,
  };
}

/** What decides what is made and when it counts as right. Another level, budget or time is the same work. */
const workOf = ({ maker, team, task, verifiers, metrics, until, seal, unseal, prepare, box, outsiders, document }: LoopSpec): string =>
  canonicalJson({ maker, team, task, verifiers, metrics, until, seal, unseal, prepare, box, outsiders, document });

/** Only runs by the same work say something about it. */
async function seenOf(records: Pick<Records, "journal" | "killSwitch">, spec: LoopSpec | undefined) {
  const loop = spec?.name;
  if (spec === undefined || loop === undefined) return { advice: adviceOn(readRecord(NOTHING)), runs: 0, others: 0, held: "L3" as const };
  const newest = <K extends Parameters<typeof records.journal.newestOf>[1]>(kind: K, most = RUNS_THAT_COUNT * 3) =>
    records.journal.newestOf(loop, kind, { most });
  const [opened, rested, decided, amended, settled, reverted] = await Promise.all([
    newest("run-opened"),
    newest("run-rested", RUNS_THAT_COUNT),
    newest("decided"),
    newest("amended"),
    newest("proposal-settled"),
    newest("reverted"),
  ]);
  const same = sameWork(opened, workOf(spec));
  const counted = rested.filter(({ run }) => same.has(run));
  const { most: held } = await loopStanding(records, loop);
  return {
    advice: adviceOn(readRecord({ rested: counted, decided, amended, settled, reverted })),
    runs: counted.length,
    others: rested.length - counted.length,
    held,
  };
}

const adviceOn = (record: AutonomyRecord) => ({ L2: adviseOn("L2", record), L3: adviseOn("L3", record) });

const NOTHING = { rested: [], decided: [], amended: [], settled: [], reverted: [] };

const sameWork = (opened: readonly Entry<RunOpened>[], work: string): ReadonlySet<string> =>
  new Set(opened.filter(({ record }) => workOf(record.spec) === work).map(({ run }) => run));
