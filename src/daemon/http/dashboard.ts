// The dashboard as one function from a request to its answer. Nothing of it knows a socket, and nothing that is sent makes it fail.
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { House } from "../../app/open-house.ts";
import type { PageHouse } from "../../app/page/act.ts";
import type { Workbench } from "../../app/page/new-loop.ts";
import { pageRecords } from "../../app/page/page-records.ts";
import { cardNow, warmUp } from "../../app/page/read-inbox.ts";
import { createVerification, type LookThrough, lookHere } from "../../app/page/read-ledger.ts";
import { readDiffRef } from "../../app/page/read-run.ts";
import { type Hear, hearHand, hearInJournal } from "../../app/page/run-now.ts";
import { DiffQuery, EventsQuery, type Session, SessionBody, type Who } from "../../contract/api.ts";
import { isLoopError } from "../../contract/errors.ts";
import type { AgentDoor, Answering, ArtifactPieces, WebFiles } from "../../contract/web.ts";
import { admitRequest, cookieName, type Gatekeeping, isSame, PAGE_KEY, pageKeyOf, sessionOf } from "./admit-request.ts";
import { AGENTS_PATH, answerAgents } from "./answer-agents.ts";
import { Refusal, Session as SessionForm } from "./answers.ts";
import { boundedRequest } from "./bounded-request.ts";
import { createEvents } from "./events.ts";
import { giveArtifact } from "./give-artifact.ts";
import { giveFile } from "./give-file.ts";
import type { LiveHearsay } from "./hearsay.ts";
import { PAGE_HEADERS } from "./page-headers.ts";
import { refuse, refuseDecision, refuseError } from "./refuse.ts";
import { type Desk, type JsonRoute, ROUTES, RunParams } from "./routes.ts";

export interface DashboardAbout {
  readonly house: House;
  /** On record for what is decided here. */
  readonly who: Who;
  readonly gate: Gatekeeping;
  readonly files: WebFiles | undefined;
  readonly pieces: ArtifactPieces;
  readonly hearsay: LiveHearsay;
  readonly bench: Workbench;
  /** Default: it is written down, and whoever wakes loops reads it. */
  readonly hear?: Hear;
  /** Default: here, which keeps everybody waiting for as long. */
  readonly lookThrough?: LookThrough;
  /** Answers programs that ask over a protocol; loaded for the first of them. Undefined where none is answered. */
  readonly agents?: ((house: PageHouse) => Promise<AgentDoor>) | undefined;
  /** Whoever decides is not kept waiting for longer; what was decided goes on. */
  readonly patience: () => Promise<void>;
}

export interface Dashboard {
  readonly answer: Answering;
  /** Gets ready what every page will ask for. */
  readonly warmUp: () => Promise<void>;
  /** Waits for what was asked and is not answered yet, as long as for anybody who decides. */
  readonly close: () => Promise<void>;
}

const MOST_BODY_BYTES = 64 * 1024;
const SESSION_SECONDS = 30 * 24 * 3600;

export function createDashboard(about: DashboardAbout): Dashboard {
  const { house: bare, who, gate, hearsay } = about;
  const house = pageRecords(bare);
  const events = createEvents({ journal: house.journal, now: () => house.clock.now(), repeat: house.repeat });
  const deafen = hearsay.onHeard((event) => events.tell(event));
  let cspReports = 0;
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();
  const { agents: open } = about;
  const agents = open && answerAgents(gate, () => open(house));
  const desk: Desk = {
    house,
    who,
    isReadOnly: gate.isReadOnly,
    since: house.clock.now().toISOString(),
    hearsay,
    pages: events.pages,
    cspReports: () => cspReports,
    verification: createVerification(house, about.lookThrough ?? lookHere(house), about.patience),
    runNow: (loop, by) => hearHand(house, loop, by, about.hear ?? hearInJournal(house)),
    bench: about.bench,
  };

  const app = new OpenAPIHono({ defaultHook: (result) => (result.success ? undefined : refuseProblems(result.error)) });
  app.use(async (c, next) => {
    const answer = admitRequest(gate, { method: c.req.method, path: c.req.path, header: (name) => c.req.header(name) });
    return answer.kind === "admitted" ? next() : refuse(answer.status, answer);
  });
  for (const route of ROUTES) addRoute(app, tracked(route, underWay), desk, about.patience);
  addSession(app, about);
  app.get("/api/openapi.json", (c) => c.json(describe(app)));
  app.post("/api/csp-report", () => {
    cspReports++;
    return new Response(null, { status: 204 });
  });
  addTexts(app, about);
  app.get("/api/events", (c) => {
    const after = EventsQuery.safeParse({ after: c.req.header("last-event-id") ?? c.req.query("after") });
    if (!after.success) return refuseProblems(after.error);
    const stream = events.open(after.data.after);
    if (!stream) return refuse(503, { code: "pages", message: "too many pages are open", hint: "Close one." });
    return new Response(stream, { headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" } });
  });
  app.get("*", (c) => (c.req.path.startsWith("/api/") ? refuseUnknown() : giveFile(about.files, c.req.path)));
  app.notFound(() => refuseUnknown());
  app.onError((error) => refuseError(error));

  return {
    async answer(request) {
      if (agents && new URL(request.url).pathname === AGENTS_PATH) return withHeaders(await agents.answer(request).catch(refuseError));
      const answered = await boundedRequest(request, MOST_BODY_BYTES)
        .then((admitted) => (admitted instanceof Response ? admitted : app.request(admitted)))
        .catch(refuseError);
      return withHeaders(answered);
    },
    warmUp: () =>
      warmUp(
        house,
        () => house.sleep(0),
        () => isClosed,
      ),
    async close() {
      isClosed = true;
      deafen();
      events.close();
      await agents?.close();
      if (underWay.size > 0) await Promise.race([Promise.allSettled(underWay), about.patience()]);
    },
  };
}

// ── routes ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** The same route, whose work is known as long as it goes on: also where nobody waits for it any more. */
function tracked(route: JsonRoute, underWay: Set<Promise<unknown>>): JsonRoute {
  return {
    ...route,
    handle(desk, asked) {
      const work = route.handle(desk, asked);
      underWay.add(work);
      const over = (): void => void underWay.delete(work);
      work.then(over, over);
      return work;
    },
  };
}

function addRoute(
  app: OpenAPIHono,
  { method, path, says, params, query, body, answer, isDecision, handle, meanwhile }: JsonRoute,
  desk: Desk,
  patience: () => Promise<void>,
): void {
  const described = createRoute({
    method,
    path,
    summary: says,
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(body ? { body: { content: { "application/json": { schema: body } }, required: true } } : {}),
    },
    responses: {
      200: { description: says, content: { "application/json": { schema: answer } } },
      ...(meanwhile ? { 202: { description: "It is on record and goes on.", content: { "application/json": { schema: answer } } } } : {}),
      ...(isDecision ? { 409: refusal("It is not so any more; nothing moved.") } : {}),
      default: refusal("Why not, and what to do next."),
    },
  });
  const answering = async (c: Context): Promise<Response> => {
    const valid = (target: "param" | "query" | "json"): unknown => c.req.valid(target as never); // as the route says
    const asked = {
      params: params ? valid("param") : undefined,
      query: query ? valid("query") : undefined,
      body: body ? valid("json") : undefined,
    };
    const work = handle(desk, asked);
    const done = meanwhile ? Promise.race([work, patience().then(() => LATER)]) : work;
    const value = await done.catch((error: unknown) => {
      if (isDecision && isLoopError(error)) return conflict(desk, asked.params, error);
      throw error;
    });
    if (value instanceof Response) return value;
    if (value !== LATER) return Response.json(value);
    work.catch(() => {}); // what comes of it is on record
    return Response.json(await meanwhile?.(desk, asked), { status: 202 });
  };
  app.openapi(described, answering as never); // its answers are held to their forms by tests
}

const LATER = Symbol("later");

/** What cannot be decided is told with what is there now. */
async function conflict({ house }: Desk, params: unknown, error: Parameters<typeof refuseDecision>[0]): Promise<Response> {
  if (error.retry === "later" || refuseError(error).status === 404) return refuseError(error);
  const asked = RunParams.safeParse(params);
  const [first] = asked.success ? await house.journal.entriesAfter(0, 1, { run: asked.data.run }) : [];
  return refuseDecision(error, first && (await cardNow(house, first.run, first.loop)));
}

const refusal = (description: string) => ({ description, content: { "application/json": { schema: Refusal } } });

function addSession(app: OpenAPIHono, { gate, who }: DashboardAbout): void {
  const described = createRoute({
    method: "post",
    path: "/api/session",
    summary: "Gives a cookie for the token of the printed link.",
    request: { body: { content: { "application/json": { schema: SessionBody } }, required: true } },
    responses: {
      200: { description: "A cookie.", content: { "application/json": { schema: SessionForm } } },
      default: refusal("Why not."),
    },
  });
  app.openapi(described, (c) => {
    if (!isSame(c.req.valid("json").token, gate.token))
      return refuse(401, {
        code: "session",
        message: "this is not the token of this home",
        hint: "Open the link that `lw open` prints.",
      }) as never; // any answer
    const secure = gate.origins.every((origin) => origin.startsWith("https:")) ? "; Secure" : "";
    c.header(
      "set-cookie",
      `${cookieName(gate.token)}=${sessionOf(gate.token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_SECONDS}${secure}`,
    );
    c.header(PAGE_KEY, pageKeyOf(gate.token));
    return c.json({ who, isReadOnly: gate.isReadOnly } satisfies Session) as never; // the same
  });
}

const Sha256 = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/, { error: "must be a whole SHA-256" }) });

function addTexts(app: OpenAPIHono, { house, pieces }: DashboardAbout): void {
  const text = { description: "As it is kept, or a range of it.", content: { "text/plain": { schema: z.string() } } };
  const responses = { 200: text, 206: text, 416: { description: "There is nothing in that range." }, default: refusal("Why not.") };
  const artifact = createRoute({
    method: "get",
    path: "/api/artifacts/{sha256}",
    summary: "Bytes by their hash.",
    request: { params: Sha256 },
    responses,
  });
  app.openapi(artifact, (c) => giveArtifact(pieces, c.req.valid("param").sha256, c.req.header("range")));
  const diff = createRoute({
    method: "get",
    path: "/api/runs/{run}/diff",
    summary: "What a round changed.",
    request: { params: RunParams, query: DiffQuery },
    responses,
  });
  app.openapi(diff, async (c) => {
    const { sha256 } = await readDiffRef(house, c.req.valid("param").run, c.req.valid("query").round);
    return giveArtifact(pieces, sha256, c.req.header("range"));
  });
}

/** What is described is what is routed: the document is made of the routes. */
const describe = (app: OpenAPIHono) =>
  app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Loopwright's dashboard", version: "1", description: "What the page asks; see src/contract/api.ts." },
  });

// ── what is let in and what goes out ────────────────────────────────────────────────────────────────────────────

function withHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  return new Response(response.body, { status: response.status, headers });
}

const refuseUnknown = (): Response =>
  refuse(404, { code: "not-found", message: "nothing is answered here", hint: "/api/openapi.json says what is." });

function refuseProblems({
  issues,
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}): Response {
  const problems = issues.slice(0, 20).map(({ path, message }) => ({ at: path.map(String).join("."), problem: message }));
  return refuse(
    400,
    { code: "bad-input", message: "what was asked does not have the right form", hint: "/api/openapi.json describes it." },
    problems,
  );
}
