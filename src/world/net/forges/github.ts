// Reads a repository of GitHub, or of a server that speaks as it does.
import type { FailuresAsked, Forge, ForgeItem, ForgeList, IssuesAsked } from "../../../contract/forge.ts";
import { type Trust, untrustedText } from "../../../contract/text.ts";
import { type Fields, fieldsOf } from "../../../std/json-record.ts";
import { githubAlerts } from "./github-alerts.ts";
import type { GetPage } from "./pages.ts";
import {
  ageOf,
  bodyOf,
  endOf,
  type ForgeAt,
  fieldIn,
  instantIn,
  jsonIn,
  leastOf,
  listAt,
  missing,
  numberAt,
  readList,
  refused,
  textAt,
  webAddress,
  words,
} from "./reading.ts";
import { githubReleases } from "./releases.ts";

export const GITHUB = {
  base: "https://api.github.com",
  headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  token: (secret: string) => ({ header: "authorization", value: `Bearer ${secret}`, secret }),
  /** Where it keeps logs: the address it gives is itself the right to read one. */
  mayLeadTo: [/^[a-z0-9]{1,60}\.blob\.core\.windows\.net$/, /^[a-z0-9-]{1,60}\.actions\.githubusercontent\.com$/],
} as const;

export function openGithub(at: ForgeAt): Forge {
  const [place, root] = [`${at.host}/${at.repo}`, `/repos/${at.repo}`];
  return {
    place,
    issues: (asked) => issues(at, place, root, asked),
    pulls: ({ most }) => (at.hasToken ? pulls(at, place, most) : barePulls(at, place, root, most)),
    failures: (asked) => failures(at, place, root, asked),
    releases: ({ most }) => githubReleases(at, place, root, most),
    alerts: (asked) => githubAlerts(at, place, root, asked),
  };
}

/** Who may write here, as far as GitHub tells: a contributor is somebody of whom a change was taken once. */
const trustOf = (association: unknown): Trust =>
  ["OWNER", "MEMBER", "COLLABORATOR"].includes(String(association)) ? "member" : "outsider";

async function issues({ get, nowMs }: ForgeAt, place: string, root: string, { labels, since, most }: IssuesAsked): Promise<ForgeList> {
  const query = new URLSearchParams({
    state: "open",
    sort: "updated",
    direction: "desc",
    per_page: "100",
    ...(labels.length > 0 ? { labels: labels.join(",") } : {}),
    ...(since === undefined ? {} : { since }),
  });
  const list = await readList(get, `${root}/issues?${query}`, "issues", most);
  if (!list) throw missing(place);
  // Pull requests are issues too, in this API.
  const items = list.all.filter((issue) => !issue.has("pull_request")).map((issue) => issueIn(issue, place, nowMs));
  return { items, notes: list.isWhole ? [] : [`only the ${most} that changed last were looked at`] };
}

function issueIn(issue: Fields, place: string, nowMs: number): ForgeItem {
  const [number, at] = [numberAt(issue, "number"), instantIn(issue, "updated_at")];
  const labels = listAt(issue, "labels").flatMap((label) => textAt(label, "name") ?? []);
  return {
    id: `${place}#${number} ${at}`,
    title: untrustedText(`#${number} ${textAt(issue, "title") ?? ""}`),
    ...bodyOf(textAt(issue, "body")),
    author: untrustedText(textAt(issue, "user", "login") ?? "nobody"),
    trust: trustOf(issue.get("author_association")),
    at,
    address: webAddress(textAt(issue, "html_url")),
    says: words(
      `by ${textAt(issue, "user", "login") ?? "nobody"}`,
      `open ${ageOf(instantIn(issue, "created_at"), nowMs)}`,
      `${numberAt(issue, "comments")} comment(s)`,
      labels.length > 0 ? `labels ${labels.join(" ")}` : undefined,
    ),
  };
}

// ── pull requests ──

/** One question for all that is to be known of fifty of them: asked one by one it would be two hundred. */
const QUERY = `query($owner:String!,$name:String!,$after:String){repository(owner:$owner,name:$name){pullRequests(states:OPEN,first:50,after:$after,orderBy:{field:UPDATED_AT,direction:DESC}){pageInfo{hasNextPage endCursor}nodes{number title url body createdAt updatedAt isDraft mergeable reviewDecision authorAssociation headRefOid baseRefName author{login}reviews(last:5){nodes{state body authorAssociation author{login}}}comments(last:5){totalCount nodes{body authorAssociation author{login}}}commits(last:1){nodes{commit{statusCheckRollup{state contexts(first:50){nodes{__typename ...on CheckRun{name conclusion}...on StatusContext{context state}}}}}}}}}}}`;

async function pulls({ get, repo, nowMs }: ForgeAt, place: string, most: number): Promise<ForgeList> {
  const [owner, name] = repo.split("/");
  const items: ForgeItem[] = [];
  let after: string | null = null;
  for (let number = 1; ; number++) {
    const page = await get({ path: GRAPHQL, name: `pulls ${number}`, question: { query: QUERY, variables: { owner, name, after } } });
    if (!page) throw missing(place);
    const answer = fieldsOf(jsonIn(page, "the question about pull requests"));
    const all = fieldsOf(fieldIn(answer, "data", "repository", "pullRequests"));
    if (!all)
      throw listAt(answer, "errors")[0] && textAt(listAt(answer, "errors")[0], "type") !== "NOT_FOUND"
        ? refused(place, textAt(listAt(answer, "errors")[0], "message"))
        : missing(place);
    items.push(...listAt(all, "nodes").map((pull) => pullIn(pull, place, nowMs)));
    after = textAt(all, "pageInfo", "endCursor") ?? null;
    const hasMore = fieldIn(all, "pageInfo", "hasNextPage") === true && after !== null;
    if (!hasMore || items.length >= most)
      return {
        items: items.slice(0, most),
        notes: hasMore || items.length > most ? [`only the ${most} that changed last were looked at`] : [],
      };
  }
}

/** Stands for where questions are asked: beside the API, not below it. */
export const GRAPHQL = "graphql:";

function pullIn(pull: Fields, place: string, nowMs: number): ForgeItem {
  const [number, at] = [numberAt(pull, "number"), instantIn(pull, "updatedAt")];
  const said = [...listAt(pull, "reviews", "nodes"), ...listAt(pull, "comments", "nodes")];
  const rollup = fieldsOf(fieldIn(listAt(pull, "commits", "nodes")[0], "commit", "statusCheckRollup"));
  const bad = listAt(rollup, "contexts", "nodes").flatMap((check) =>
    ["FAILURE", "TIMED_OUT", "STARTUP_FAILURE", "ACTION_REQUIRED", "ERROR"].includes(
      textAt(check, "conclusion") ?? textAt(check, "state") ?? "",
    )
      ? [textAt(check, "name") ?? textAt(check, "context") ?? "a check"]
      : [],
  );
  const [checks, mergeable, decision] = [textAt(rollup, "state"), textAt(pull, "mergeable"), textAt(pull, "reviewDecision")];
  return {
    // How its checks end changes nothing of when it changed last.
    id: `${place}#${number} ${at} ${[textAt(pull, "headRefOid"), checks, mergeable, decision].join(" ")}`,
    title: untrustedText(`#${number} ${textAt(pull, "title") ?? ""}`),
    ...bodyOf([textAt(pull, "body"), ...said.map(saidIn)].filter((text) => text !== undefined).join("\n\n")),
    author: untrustedText(textAt(pull, "author", "login") ?? "nobody"),
    trust: leastOf([pull, ...said].map((one) => trustOf(one.get("authorAssociation")))),
    at,
    address: webAddress(textAt(pull, "url")),
    says: words(
      `by ${textAt(pull, "author", "login") ?? "nobody"}`,
      `open ${ageOf(instantIn(pull, "createdAt"), nowMs)}`,
      pull.get("isDraft") === true ? "a draft" : undefined,
      `into ${textAt(pull, "baseRefName")}`,
      CHECKS[checks ?? ""] ?? "no checks",
      bad.length > 0 ? `failed: ${bad.slice(0, 5).join(", ")}` : undefined,
      mergeable === "CONFLICTING" ? "conflicts with its base" : undefined,
      DECISIONS[decision ?? ""],
      `${numberAt(pull, "comments", "totalCount")} comment(s)`,
    ),
  };
}

const CHECKS: { readonly [state: string]: string } = {
  SUCCESS: "checks passed",
  FAILURE: "checks failed",
  ERROR: "checks failed",
  PENDING: "checks are running",
  EXPECTED: "checks are awaited",
};
const DECISIONS: { readonly [decision: string]: string } = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes are asked for",
  REVIEW_REQUIRED: "a review is needed",
};

const saidIn = (one: Fields): string | undefined => {
  const text = textAt(one, "body");
  return text === undefined ? undefined : `${textAt(one, "author", "login") ?? "nobody"}: ${text.slice(0, 500)}`;
};

/** What is public can be read without a token, but no questions are answered. */
async function barePulls({ get, nowMs }: ForgeAt, place: string, root: string, most: number): Promise<ForgeList> {
  const list = await readList(get, `${root}/pulls?state=open&sort=updated&direction=desc&per_page=100`, "pulls", most);
  if (!list) throw missing(place);
  const items = list.all.map((pull) => issueIn(pull, place, nowMs));
  return { items, notes: ["without a token, nothing is known of their reviews, checks and conflicts"] };
}

// ── CI ──

async function failures(
  { get }: ForgeAt,
  place: string,
  root: string,
  { branch, isKnown, most, mostLogChars }: FailuresAsked,
): Promise<ForgeList> {
  const query = new URLSearchParams({
    status: "failure",
    per_page: String(Math.min(most, 100)),
    ...(branch === undefined ? {} : { branch }),
  });
  const runs = await readList(get, `${root}/actions/runs?${query}`, "runs", most, "workflow_runs");
  if (!runs) throw missing(place);
  const items: ForgeItem[] = [];
  for (const [index, run] of runs.all.entries()) {
    const id = numberAt(run, "id");
    if (isKnown(runId(place, run))) continue;
    const jobs = await readList(get, `${root}/actions/runs/${id}/jobs?filter=latest&per_page=100`, `jobs ${index}`, 100, "jobs");
    const failed = (jobs?.all ?? []).filter((job) => ["failure", "timed_out"].includes(textAt(job, "conclusion") ?? ""));
    for (const job of failed) items.push(await jobIn(get, job, { run, place, root, mostLogChars, log: `log ${items.length}` }));
  }
  return { items, notes: [] };
}

interface JobAt {
  readonly run: Fields;
  readonly place: string;
  readonly root: string;
  readonly mostLogChars: number;
  /** What its log is kept as. */
  readonly log: string;
}

/** A run that is tried again is another one. */
const runId = (place: string, run: Fields): string => `${place} run ${numberAt(run, "id")}.${numberAt(run, "run_attempt")}`;

async function jobIn(get: GetPage, job: Fields, { run, place, root, mostLogChars, log: name }: JobAt): Promise<ForgeItem> {
  const id = numberAt(job, "id");
  const log = await get({ path: `${root}/actions/jobs/${id}/logs`, name, accept: "text" });
  const step = listAt(job, "steps").find((one) => textAt(one, "conclusion") === "failure");
  return {
    id: `${runId(place, run)} job ${id}`,
    title: untrustedText(`${textAt(run, "name") ?? "CI"} / ${textAt(job, "name") ?? id}`),
    ...endOf(log, mostLogChars),
    author: untrustedText(textAt(run, "actor", "login") ?? "nobody"),
    // What a job prints is for whoever can have one run to decide.
    trust: "outsider",
    at: instantIn(run, "updated_at"),
    address: webAddress(textAt(job, "html_url")),
    says: words(
      `failed on ${textAt(run, "head_branch") ?? "no branch"} at ${(textAt(run, "head_sha") ?? "").slice(0, 12)}`,
      step ? `in ${textAt(step, "name")}` : undefined,
      log ? undefined : "its log is gone",
    ),
  };
}
