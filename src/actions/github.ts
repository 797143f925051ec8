// Opens or updates a pull request for the proposal's branch, which `push` has sent there before, and comments and labels it.
import * as z from "zod";
import { type ActionWorld, type Deed, defineAction } from "../contract/action.ts";
import { LoopError } from "../contract/errors.ts";
import type { HttpReply } from "../contract/net.ts";
import { ServerUrl, VariableName } from "../contract/spec.ts";

const Options = z.strictObject({
  repo: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/, { error: "must be owner/name" })
    .meta({ description: "The repository there.", examples: ["octo/app"] }),
  base: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "The branch it should go to. Default: base of the spec.", examples: ["main"] }),
  token: VariableName.default("GITHUB_TOKEN").meta({ description: "The variable that holds the token.", examples: ["GITHUB_TOKEN"] }),
  api: ServerUrl.default("https://api.github.com").meta({
    description: "Where the API is.",
    examples: ["https://github.example.com/api/v3"],
  }),
  labels: z
    .array(z.string().min(1).max(50))
    .max(20)
    .default([])
    .meta({ description: "Labels it gets.", examples: [["loop"]] }),
  reviewers: z
    .array(z.string().min(1).max(100))
    .max(20)
    .default([])
    .meta({ description: "Who is asked to look at it.", examples: [["ada"]] }),
  comment: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: "A comment that is put on it, once.", examples: ["Please look."] }),
  most: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .meta({ description: "How many pull requests of this loop may be open at once.", examples: [5] }),
  mostPerReviewer: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .meta({ description: "How many pull requests of all loops one of these reviewers may have open.", examples: [10] }),
  draft: z
    .boolean()
    .default(false)
    .meta({ description: "Whether it is a draft.", examples: [true] }),
});
type Options = z.infer<typeof Options>;

const Pull = z.object({
  number: z.int(),
  html_url: z.string(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  requested_reviewers: z.array(z.object({ login: z.string() })).default([]),
});
type Pull = z.infer<typeof Pull>;

/** The start of every branch of ours. */
const OURS = "loopwright/";
const TIMEOUT_MS = 30_000;
const PAGES = 10;

export const github = defineAction({
  name: "github",
  summary:
    "Opens or updates a pull request on GitHub for the pushed branch, with labels and reviewers, and no more of them than people can look at.",
  options: Options,
  async prepare(deed, options, world) {
    if (!world.env.get(options.token))
      return { kind: "refused", why: `the variable ${options.token} is not set`, hint: "Set it to a token that may write pull requests." };
    const open = await openPulls(options, world);
    if (open.some(({ head }) => head.ref === deed.branch)) return { kind: "ready", says: `update the pull request of ${deed.branch}` };
    const ofLoop = open.filter(({ head }) => head.ref.startsWith(`${OURS}${deed.loop}-`));
    if (ofLoop.length >= options.most)
      return {
        kind: "refused",
        why: `${ofLoop.length} pull requests of ${deed.loop} are open, and at most ${options.most} may be`,
        hint: FULL,
      };
    const busy = options.reviewers.find((name) => openFor(open, name) >= options.mostPerReviewer);
    return busy === undefined
      ? { kind: "ready", says: `open a pull request for ${deed.branch} in ${options.repo}` }
      : { kind: "refused", why: `${busy} has ${openFor(open, busy)} pull requests of loops to look at already`, hint: FULL };
  },
  async execute(deed, options, world) {
    const there = await pullOf(deed, options, world);
    const pull = there ?? (await create(deed, options, world));
    if (there) await must(call("PATCH", `/pulls/${there.number}`, { title: deed.title, body: bodyOf(deed) }, options, world), [200]);
    if (options.labels.length > 0)
      await must(call("POST", `/issues/${pull.number}/labels`, { labels: options.labels }, options, world), [200]);
    if (options.reviewers.length > 0)
      await must(call("POST", `/pulls/${pull.number}/requested_reviewers`, { reviewers: options.reviewers }, options, world), [201]);
    if (options.comment !== undefined) await commentOnce(deed, options.comment, pull, options, world);
    return { kind: "done", receipt: receiptOf(pull) };
  },
  async confirm(deed, options, world) {
    const pull = await pullOf(deed, options, world);
    // One that was made without the rest is found by its branch, and finished: nothing of that is done twice.
    const isAll = options.labels.length + options.reviewers.length === 0 && options.comment === undefined;
    return pull?.head.sha === deed.commit && isAll ? { kind: "done", receipt: receiptOf(pull) } : { kind: "not-done" };
  },
});

const FULL = "Look at those that are open first; then approve again.";

const openFor = (open: readonly Pull[], name: string): number =>
  open.filter(({ head, requested_reviewers }) => head.ref.startsWith(OURS) && requested_reviewers.some(({ login }) => login === name))
    .length;

async function create(deed: Deed, options: Options, world: ActionWorld): Promise<Pull> {
  const asked = { title: deed.title, head: deed.branch, base: options.base ?? deed.base.ref, body: bodyOf(deed), draft: options.draft };
  return Pull.parse(await must(call("POST", "/pulls", asked, options, world), [201]));
}

/** Our own comment is known again by the key in it. */
async function commentOnce(deed: Deed, text: string, { number }: Pull, options: Options, world: ActionWorld): Promise<void> {
  const there = z
    .array(z.object({ body: z.string().nullish() }))
    .parse(await must(call("GET", `/issues/${number}/comments?per_page=100`, undefined, options, world), [200]));
  if (there.some(({ body }) => body?.includes(markOf(deed)))) return;
  await must(call("POST", `/issues/${number}/comments`, { body: `${text}\n\n${markOf(deed)}` }, options, world), [201]);
}

/** Ours by its branch, which no other round has. */
async function pullOf({ branch }: Deed, options: Options, world: ActionWorld): Promise<Pull | undefined> {
  const [owner] = options.repo.split("/");
  const found = await must(
    call("GET", `/pulls?state=open&head=${encodeURIComponent(`${owner}:${branch}`)}`, undefined, options, world),
    [200],
  );
  return z.array(Pull).parse(found)[0];
}

async function openPulls(options: Options, world: ActionWorld): Promise<readonly Pull[]> {
  const all: Pull[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const some = z
      .array(Pull)
      .parse(await must(call("GET", `/pulls?state=open&per_page=100&page=${page}`, undefined, options, world), [200]));
    all.push(...some);
    if (some.length < 100) break;
  }
  return all;
}

const markOf = ({ key }: Deed): string => `<!-- loopwright: ${key} -->`;
const bodyOf = (deed: Deed): string => `${deed.report.slice(0, 60_000)}\n\n${markOf(deed)}`;

const receiptOf = ({ number, html_url }: Pull) => ({
  says: `pull request #${number}: ${html_url}`,
  facts: { number: String(number), url: html_url },
});

const call = (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body: object | undefined,
  { api, repo, token }: Options,
  { http, env }: ActionWorld,
): Promise<HttpReply> =>
  http.send({
    method,
    url: `${api}/repos/${repo}${path}`,
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${env.get(token) ?? ""}`,
      "x-github-api-version": "2022-11-28",
      "user-agent": "loopwright",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
  });

async function must(asked: Promise<HttpReply>, wanted: readonly number[]): Promise<unknown> {
  const { status, body } = await asked;
  if (wanted.includes(status)) return JSON.parse(body);
  throw new LoopError("action-failed", `GitHub answered ${status}: ${body.slice(0, 300)}`, {
    retry: status === 429 || status >= 500 || status === 403 ? "later" : "never",
    hint: "Look whether the token may do this and whether the branch was pushed; what was begun is looked up at the next try.",
  });
}
