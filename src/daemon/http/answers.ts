// The forms of answers, for the document that describes them: to the depth of their own fields. Tests hold every answer to its form.
import { z } from "@hono/zod-openapi";

const text = z.string();
const number = z.number();
const flag = z.boolean();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();
const list = <T extends z.ZodType>(schema: T) => z.array(schema);
/** What has its form elsewhere: in the views that `--json` prints. */
const view = (description: string) => z.looseObject({}).openapi({ description });

const Who = z.strictObject({ name: text, how: text });
const sessionFields = { who: Who, isReadOnly: flag };
const Meter = z.strictObject({ scope: text, measure: text, taken: number, most: number, takenSays: text, mostSays: text, from: text });
const Outcome = z.strictObject({ kind: text, at: text, says: text, run: orNull(text), because: orNull(text), seq: number });
const Artifact = z.looseObject({ sha256: text, bytes: number, truncated: flag });
const Entry = z.strictObject({
  seq: number,
  at: text,
  loop: text,
  run: text,
  record: view("A record; its `kind` says what else is in it."),
  prev: text,
  hash: text,
});

const InboxCard = z
  .strictObject({
    id: text,
    loop: text,
    kind: z.enum(["proposal", "question", "review", "needs-you", "halted", "absent"]),
    stage: text,
    since: text,
    why: text,
    branch: orNull(text),
    tree: orNull(text),
    approvedBy: list(text),
    next: text,
    risk: z.enum(["high", "medium", "low", "none"]),
    risks: list(text),
    level: orNull(text),
    intent: text,
    files: number,
    votes: z.strictObject({ yes: number, of: number }),
    isTainted: flag,
    findings: number,
    seq: number,
  })
  .openapi("InboxCard");

export const Refusal = z
  .strictObject({
    error: z.strictObject({
      code: text,
      message: text,
      hint: text,
      problems: list(z.strictObject({ at: text, problem: text })).optional(),
    }),
    now: orNull(InboxCard).optional(),
  })
  .openapi("Refusal");

export const Session = z.strictObject(sessionFields).openapi("Session");

export const Health = z
  .strictObject({
    ...sessionFields,
    version: text,
    home: text,
    at: text,
    journal: orNull(z.strictObject({ chain: text, seq: number, hash: text })),
    mended: orNull(text),
    isAllStopped: flag,
    since: text,
    pages: number,
    cspReports: number,
  })
  .openapi("Health");

const RunRow = z
  .strictObject({
    run: text,
    loop: text,
    outcome: Outcome,
    level: text,
    openedAt: text,
    lastAt: text,
    rounds: number,
    workedMs: number,
    microUsd: number,
    basis: orNull(text),
    stage: orNull(text),
    seq: number,
  })
  .openapi("RunRow");

const loopFields = {
  loop: text,
  state: z.enum(["running", "interrupted", "rested", "paused", "halted", "all-stopped", "wrong", "known", "unreadable"]),
  nextDue: orNull(text),
  intent: text,
  level: orNull(text),
  held: orNull(text),
  barred: orNull(text),
  trigger: text,
  outcomes: list(Outcome),
  lastAt: orNull(text),
  lastRun: orNull(text),
  microUsd: z.strictObject({ last: number, today: number, month: number }),
  waiting: number,
  isReferee: flag,
};
const LoopRow = z.strictObject(loopFields).openapi("LoopRow");

const RunningRun = z.strictObject({
  run: text,
  loop: text,
  intent: text,
  level: text,
  state: z.enum(["running", "interrupted"]),
  openedAt: text,
  lastAt: text,
  round: number,
  mostRounds: number,
  steps: list(z.strictObject({ step: text, tookMs: number })),
  step: orNull(z.strictObject({ step: text, since: text })),
  spend: list(Meter),
  microUsd: number,
  basis: orNull(text),
  talk: list(z.strictObject({ at: text, event: view("What the maker said.") })),
});

export const NowView = z
  .strictObject({
    asOf: number,
    at: text,
    says: text,
    isAllStopped: flag,
    running: list(RunningRun),
    waiting: z.strictObject({ count: number, first: list(InboxCard) }),
    next: list(z.strictObject({ loop: text, at: text, trigger: text, barred: orNull(text) })),
    rested: list(RunRow),
    loops: number,
  })
  .openapi("NowView");

export const InboxView = z.strictObject({ asOf: number, at: text, items: list(InboxCard), deferred: number }).openapi("InboxView");

const Claim = z.strictObject({
  mark: z.enum(["holds", "refuted", "fabricated", "gap", "unknown", "opinion", "finding"]),
  says: text,
  detail: text,
  how: z.strictObject({
    part: text,
    kind: text,
    room: orNull(text),
    box: orNull(view("What its commands were kept to.")),
    tookMs: orNull(number),
    output: orNull(Artifact),
  }),
});

export const InboxDocument = z
  .strictObject({
    asOf: number,
    card: InboxCard,
    run: orNull(view("As `lw show --json` prints it.")),
    amendedBy: orNull(text),
    claims: list(Claim),
    unseen: list(text),
    diff: orNull(Artifact),
    who: Who,
  })
  .openapi("InboxDocument");

export const Rehearsal = z
  .strictObject({
    run: text,
    tree: text,
    actions: list(z.strictObject({ action: text, says: text, isRefused: flag })),
    gates: list(z.strictObject({ kind: z.enum(["yes", "no", "ask", "asked-then"]), says: text })),
    base: z.strictObject({ ref: text, verifiedOn: text, now: orNull(text), hasMoved: flag }),
    branch: z.strictObject({ name: orNull(text), tip: orNull(text), hasMoved: flag }),
    barred: orNull(text),
    otherwise: text,
  })
  .openapi("Rehearsal");

export const DecisionAnswer = z
  .strictObject({ run: text, loop: text, stage: orNull(text), says: text, who: Who, now: orNull(InboxCard), asOf: number })
  .openapi("DecisionAnswer");

export const StandingAnswer = z.strictObject({ loop: text, says: text, who: Who, row: LoopRow }).openapi("StandingAnswer");

export const LoopsPage = z.strictObject({ items: list(LoopRow), next: orNull(text), total: number, asOf: number }).openapi("LoopsPage");

const SpecProblem = z.strictObject({ line: number, col: number, path: text, problem: text, instead: text });
const amounts = z.record(text, number);

const Graph = z.strictObject({
  nodes: list(z.strictObject({ id: text, kind: text, part: text, says: text, counts: z.strictObject({ done: number, refused: number }) })),
  edges: list(z.strictObject({ from: text, to: text, kind: z.enum(["flow", "lesson"]), count: number })),
  runs: number,
});
const Cost = z.looseObject({ basis: text, because: text, usual: orNull(amounts), most: amounts });

export const LoopDocument = z
  .strictObject({
    ...loopFields,
    asOf: number,
    repo: orNull(text),
    base: orNull(text),
    autonomy: orNull(view("As `lw promote --json` prints it.")),
    caps: list(Meter),
    history: list(z.strictObject({ run: text, at: text, kind: text, microUsd: number, tookMs: number, rounds: number })),
    notes: list(z.strictObject({ run: text, at: text, isTainted: flag, text })),
    flakes: list(view("A test in quarantine.")),
    spec: z.strictObject({
      path: orNull(text),
      text: orNull(text),
      hash: orNull(text),
      ranHash: orNull(text),
      problems: list(SpecProblem),
      warnings: list(SpecProblem),
    }),
    graph: Graph,
    recent: list(RunRow),
    cost: Cost,
  })
  .openapi("LoopDocument");

const page = <T extends z.ZodType>(item: T) => ({ items: list(item), next: orNull(number), asOf: number });
export const RunsPage = z.strictObject(page(RunRow)).openapi("RunsPage");
export const RecordsPage = z.strictObject(page(Entry)).openapi("RecordsPage");
export const LedgerPage = z.strictObject({ ...page(Entry), looked: number }).openapi("LedgerPage");

export const RunDocument = z
  .strictObject({
    asOf: number,
    row: RunRow,
    view: view("As `lw show --json` prints it."),
    claims: list(Claim),
    unseen: list(text),
    reasons: list(z.strictObject({ round: number, verdict: text, because: orNull(text), says: text })),
    timeline: list(
      z.strictObject({ round: number, step: text, kind: text, outcome: orNull(text), startedAt: text, tookMs: number, seq: number }),
    ),
    findings: list(z.looseObject({ round: number, rule: text, severity: text, where: text, why: text })),
    meters: list(Meter),
    artifacts: list(z.looseObject({ name: text, round: orNull(number), sha256: text, bytes: number, truncated: flag })),
    records: z.strictObject({ first: number, last: number, count: number }),
    decisions: list(z.strictObject({ at: text, seq: number, says: text, by: text, why: text })),
    hasReceipt: flag,
  })
  .openapi("RunDocument");

export const ReceiptDocument = z
  .strictObject({
    run: text,
    envelope: orNull(text),
    number: orNull(number),
    sha256: orNull(text),
    keys: list(z.strictObject({ keyid: text, pem: text, raw: text, since: text, until: orNull(text) })),
    journal: z.strictObject({ chain: orNull(text), seq: orNull(number), hash: orNull(text) }),
  })
  .openapi("ReceiptDocument");

export const TalkView = z
  .strictObject({
    run: text,
    live: list(z.strictObject({ at: text, event: view("What the maker said.") })),
    logs: list(z.strictObject({ round: number, log: Artifact, counts: amounts })),
  })
  .openapi("TalkView");

const SpendLine = z.strictObject({ key: text, amounts, microUsdBy: amounts });
export const SpendDocument = z
  .strictObject({
    by: text,
    since: orNull(text),
    lines: list(SpendLine),
    total: SpendLine,
    reserved: amounts,
    today: text,
    machine: list(z.strictObject({ cap: text, taken: text, most: text })),
    asOf: number,
    zone: text,
    days: list(z.strictObject({ day: text, microUsd: number })),
    forecast: orNull(z.strictObject({ month: text, microUsd: number, soFar: number, because: text })),
    meters: list(Meter),
    near: list(z.strictObject({ loop: text, meter: Meter })),
  })
  .openapi("SpendDocument");

export const ScheduleDocument = z
  .strictObject({
    asOf: number,
    day: text,
    zone: text,
    from: text,
    to: text,
    now: orNull(text),
    says: text,
    tally: z.strictObject({ ran: number, skipped: number, missed: number, coalesced: number, failed: number, planned: number }),
    lanes: list(
      z.strictObject({
        loop: text,
        marks: list(
          z.strictObject({
            kind: text,
            at: text,
            until: orNull(text),
            outcome: orNull(text),
            reason: orNull(text),
            says: text,
            cause: orNull(view("What should have woken it.")),
            run: orNull(text),
            seq: orNull(number),
            covers: number,
          }),
        ),
      }),
    ),
    left: number,
  })
  .openapi("ScheduleDocument");

export const VerificationView = z
  .strictObject({
    state: z.enum(["looking", "done"]),
    upTo: number,
    at: text,
    found: orNull(
      z.strictObject({
        kind: z.enum(["whole", "broken", "empty"]),
        entries: number,
        chain: orNull(text),
        signedUpTo: number,
        checkpoints: number,
        receipts: number,
        firstBad: orNull(number),
        problems: list(z.strictObject({ what: text, seq: orNull(number), why: text })),
        notChecked: list(text),
      }),
    ),
  })
  .openapi("VerificationView");

export const NewView = z
  .strictObject({
    asOf: number,
    barred: orNull(text),
    targets: list(z.strictObject({ id: text, path: text, loops: list(text), count: number })),
    ready: list(z.strictObject({ name: text, about: text, intent: text, level: text, trigger: text })),
  })
  .openapi("NewView");

export const DraftView = z
  .strictObject({
    target: text,
    text,
    name: orNull(text),
    path: orNull(text),
    taken: orNull(text),
    problems: list(SpecProblem),
    warnings: list(SpecProblem),
    says: orNull(z.strictObject({ intent: text, level: text, trigger: text })),
    graph: orNull(Graph),
    cost: orNull(Cost),
    caps: list(z.strictObject({ scope: text, measure: text, mostSays: text, from: text })),
  })
  .openapi("DraftView");

export const TrialAnswer = z.strictObject({ loop: text, run: text, says: text }).openapi("TrialAnswer");
export const AddAnswer = z.strictObject({ loop: text, path: text, isKnown: flag, says: text }).openapi("AddAnswer");
