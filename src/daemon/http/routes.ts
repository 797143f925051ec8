// Every route of the dashboard as data: what it asks, what it gets, and the one function of the house that answers it.
import { z } from "@hono/zod-openapi";
import { changeAll, changeStanding, decideOn, type PageHouse, type RunNow, rehearseYes, tellPending } from "../../app/page/act.ts";
import { addDraft, checkDraft, readDraft, readNew, tryDraft, type Workbench } from "../../app/page/new-loop.ts";
import { readHealth } from "../../app/page/read-health.ts";
import { readInboxDocument, readInboxView } from "../../app/page/read-inbox.ts";
import { readLedger } from "../../app/page/read-ledger.ts";
import { readLoopDocument } from "../../app/page/read-loop.ts";
import { readLoops } from "../../app/page/read-loops.ts";
import { readNow } from "../../app/page/read-now.ts";
import { readReceipt } from "../../app/page/read-receipt.ts";
import { readRecords, readRunDocument, readRuns, readTalk } from "../../app/page/read-run.ts";
import { readSchedule } from "../../app/page/read-schedule.ts";
import { readSpendDocument } from "../../app/page/read-spend.ts";
import {
  AllBody,
  DecisionBody,
  DraftBody,
  DraftQuery,
  type Health,
  InboxQuery,
  LedgerQuery,
  LoopsQuery,
  RecordsQuery,
  RunsQuery,
  ScheduleQuery,
  SpendQuery,
  StandingBody,
  type VerificationView,
  type Who,
} from "../../contract/api.ts";
import * as answers from "./answers.ts";
import type { LiveHearsay } from "./hearsay.ts";

/** What routes have at hand. */
export interface Desk {
  readonly house: PageHouse;
  readonly who: Who;
  readonly isReadOnly: boolean;
  readonly since: string;
  readonly hearsay: LiveHearsay;
  readonly pages: () => number;
  readonly cspReports: () => number;
  readonly verification: () => Promise<VerificationView>;
  readonly runNow: RunNow;
  readonly bench: Workbench;
}

/** A route that is asked in the words of its schemas and answers with JSON. */
export interface JsonRoute {
  readonly method: "get" | "post";
  readonly path: string;
  readonly says: string;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType;
  /** What is refused because of what it is now, and not because of how it was asked. */
  readonly isDecision: boolean;
  readonly handle: (desk: Desk, asked: Asked) => Promise<unknown>;
  /** What is answered where that takes long; then it goes on all the same. */
  readonly meanwhile: ((desk: Desk, asked: Asked) => Promise<unknown>) | undefined;
}

export interface Asked {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const id = z.string().min(1).max(300);
export const RunParams = z.object({ run: id });
const LoopParams = z.object({ loop: id });
const IdParams = z.object({ id });
const ReadyParams = z.object({ ready: id });

interface Wishes<P, Q, B> {
  readonly says: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: z.ZodType;
  readonly isDecision?: true;
  readonly meanwhile?: (desk: Desk, asked: { readonly params: Parsed<P> }) => Promise<unknown>;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The schemas that a route is defined with are those that it is asked by: the types of both are the same. */
function route<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(
  method: "get" | "post",
  path: string,
  { says, params, query, body, answer, isDecision, meanwhile }: Wishes<P, Q, B>,
  handle: (desk: Desk, asked: { readonly params: Parsed<P>; readonly query: Parsed<Q>; readonly body: Parsed<B> }) => Promise<unknown>,
): JsonRoute {
  return {
    method,
    path,
    says,
    params,
    query,
    body,
    answer,
    isDecision: isDecision ?? false,
    handle: (desk, asked) => handle(desk, asked as never), // parsed by exactly these schemas
    meanwhile: meanwhile && ((desk, asked) => meanwhile(desk, asked as never)), // the same
  };
}

const health = ({ house, who, isReadOnly, since, pages, cspReports }: Desk): Promise<Health> =>
  readHealth(house, { who, isReadOnly, since, pages: pages(), cspReports: cspReports() });

export const ROUTES: readonly JsonRoute[] = [
  route("get", "/api/health", { says: "Whether it is there, and how far its journal goes.", answer: answers.Health }, health),
  route(
    "get",
    "/api/now",
    { says: "What runs, what waits, what wakes next, what came to rest.", answer: answers.NowView },
    ({ house, hearsay }) => readNow(house, hearsay),
  ),
  route("get", "/api/inbox", { says: "What waits for a person.", query: InboxQuery, answer: answers.InboxView }, ({ house }, { query }) =>
    readInboxView(house, query.which),
  ),
  route(
    "get",
    "/api/inbox/{id}",
    { says: "What somebody should see before deciding.", params: IdParams, answer: answers.InboxDocument },
    ({ house, who }, { params }) => readInboxDocument(house, params.id, who),
  ),
  route(
    "get",
    "/api/runs/{run}/rehearsal",
    { says: "What a yes would do now.", params: RunParams, answer: answers.Rehearsal, isDecision: true },
    ({ house, who }, { params }) => rehearseYes(house, params.run, who),
  ),
  route(
    "post",
    "/api/runs/{run}/decision",
    {
      says: "Decides, bound to the tree that was shown.",
      params: RunParams,
      body: DecisionBody,
      answer: answers.DecisionAnswer,
      isDecision: true,
      meanwhile: ({ house, who }, { params }) => tellPending(house, params.run, who),
    },
    ({ house, who }, { params, body }) => decideOn(house, params.run, body, who),
  ),
  route("get", "/api/loops", { says: "Every loop, a line each.", query: LoopsQuery, answer: answers.LoopsPage }, ({ house }, { query }) =>
    readLoops(house, query),
  ),
  route(
    "get",
    "/api/loops/{loop}",
    { says: "Everything about one loop.", params: LoopParams, answer: answers.LoopDocument },
    ({ house }, { params }) => readLoopDocument(house, params.loop),
  ),
  route(
    "post",
    "/api/loops/{loop}/standing",
    {
      says: "Pauses, resumes, stops, runs or promotes a loop.",
      params: LoopParams,
      body: StandingBody,
      answer: answers.StandingAnswer,
      isDecision: true,
    },
    ({ house, who, runNow }, { params, body }) => changeStanding(house, params.loop, body, who, runNow),
  ),
  route(
    "post",
    "/api/standing",
    { says: "Stops everything, or lets it go on.", body: AllBody, answer: answers.Health },
    async (desk, { body }) => {
      await changeAll(desk.house, body.wish, desk.who);
      return health(desk);
    },
  ),
  route("get", "/api/runs", { says: "Runs, the newest first.", query: RunsQuery, answer: answers.RunsPage }, ({ house }, { query }) =>
    readRuns(house, query),
  ),
  route(
    "get",
    "/api/runs/{run}",
    { says: "Everything about one run.", params: RunParams, answer: answers.RunDocument },
    ({ house }, { params }) => readRunDocument(house, params.run),
  ),
  route(
    "get",
    "/api/runs/{run}/records",
    { says: "The records of a run, the oldest first.", params: RunParams, query: RecordsQuery, answer: answers.RecordsPage },
    ({ house }, { params, query }) => readRecords(house, params.run, query),
  ),
  route(
    "get",
    "/api/runs/{run}/receipt",
    { says: "Its receipt, and the keys to verify it with.", params: RunParams, answer: answers.ReceiptDocument },
    ({ house }, { params }) => readReceipt(house, params.run),
  ),
  route(
    "get",
    "/api/runs/{run}/talk",
    { says: "What its maker said.", params: RunParams, answer: answers.TalkView },
    ({ house, hearsay }, { params }) => readTalk(house, params.run, hearsay.talk(params.run)),
  ),
  route(
    "get",
    "/api/spend",
    { says: "What was spent, and a forecast.", query: SpendQuery, answer: answers.SpendDocument },
    ({ house }, { query }) => readSpendDocument(house, query.by, query.since),
  ),
  route(
    "get",
    "/api/schedule",
    { says: "A day of wakings.", query: ScheduleQuery, answer: answers.ScheduleDocument },
    ({ house }, { query }) => readSchedule(house, query),
  ),
  route(
    "get",
    "/api/ledger",
    { says: "Records, the newest first, and searched.", query: LedgerQuery, answer: answers.LedgerPage },
    ({ house }, { query }) => readLedger(house, query),
  ),
  route(
    "get",
    "/api/ledger/verification",
    { says: "Whether the journal is whole.", answer: answers.VerificationView },
    ({ verification }) => verification(),
  ),
  route("get", "/api/new", { says: "Repositories and ready-made loops to choose from.", answer: answers.NewView }, ({ house, bench }) =>
    readNew(house, bench),
  ),
  route(
    "get",
    "/api/new/{ready}",
    { says: "The spec of a ready-made loop, for a repository.", params: ReadyParams, query: DraftQuery, answer: answers.DraftView },
    ({ house, bench }, { params, query }) => readDraft(house, bench, { ready: params.ready, target: query.target }),
  ),
  route(
    "post",
    "/api/new/check",
    { says: "What a spec would be: its problems, or what it does and costs.", body: DraftBody, answer: answers.DraftView },
    async ({ house }, { body }) => {
      await house.memo.catchUp();
      return checkDraft(house, body);
    },
  ),
  route(
    "post",
    "/api/new/trial",
    { says: "Tries one round of a spec.", body: DraftBody, answer: answers.TrialAnswer, isDecision: true },
    ({ house, bench }, { body }) => tryDraft(house, bench, body),
  ),
  route(
    "post",
    "/api/new/loop",
    { says: "Writes a spec as a new file, and adds it.", body: DraftBody, answer: answers.AddAnswer, isDecision: true },
    ({ house, bench, who }, { body }) => addDraft(house, bench, body, who),
  ),
];
