// Opens or updates a merge request for the proposal's branch, which `push` has sent there before.
import * as z from "zod";
import { type ActionWorld, type Deed, defineAction } from "../contract/action.ts";
import { LoopError } from "../contract/errors.ts";
import type { HttpReply } from "../contract/net.ts";
import { ServerUrl, VariableName } from "../contract/spec.ts";

const Options = z.strictObject({
  project: z
    .string()
    .min(1)
    .max(300)
    .meta({ description: "The project there: its path or its number.", examples: ["group/app"] }),
  base: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "The branch it should go to. Default: base of the spec.", examples: ["main"] }),
  token: VariableName.default("GITLAB_TOKEN").meta({ description: "The variable that holds the token.", examples: ["GITLAB_TOKEN"] }),
  api: ServerUrl.default("https://gitlab.com").meta({ description: "Where the server is.", examples: ["https://gitlab.example.com"] }),
  labels: z
    .array(z.string().min(1).max(50))
    .max(20)
    .default([])
    .meta({ description: "Labels it gets.", examples: [["loop"]] }),
  comment: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: "A note that is put on it, once.", examples: ["/assign me"] }),
  most: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .meta({ description: "How many merge requests of this loop may be open at once.", examples: [5] }),
});
type Options = z.infer<typeof Options>;

const MergeRequest = z.object({ iid: z.int(), web_url: z.string(), source_branch: z.string(), sha: z.string().nullish() });
type MergeRequest = z.infer<typeof MergeRequest>;

const TIMEOUT_MS = 30_000;

export const gitlab = defineAction({
  name: "gitlab",
  summary: "Opens or updates a merge request on GitLab for the pushed branch, with labels, and no more of them than people can look at.",
  options: Options,
  async prepare(deed, options, world) {
    if (!world.env.get(options.token))
      return { kind: "refused", why: `the variable ${options.token} is not set`, hint: "Set it to a token that may write merge requests." };
    const open = z.array(MergeRequest).parse(await must(call("GET", "?state=opened&per_page=100", undefined, options, world), [200]));
    if (open.some(({ source_branch }) => source_branch === deed.branch))
      return { kind: "ready", says: `update the merge request of ${deed.branch}` };
    const ofLoop = open.filter(({ source_branch }) => source_branch.startsWith(`loopwright/${deed.loop}-`));
    return ofLoop.length >= options.most
      ? {
          kind: "refused",
          why: `${ofLoop.length} merge requests of ${deed.loop} are open, and at most ${options.most} may be`,
          hint: "Look at those that are open first; then approve again.",
        }
      : { kind: "ready", says: `open a merge request for ${deed.branch} in ${options.project}` };
  },
  async execute(deed, options, world) {
    const there = await requestOf(deed, options, world);
    const about = { title: deed.title, description: bodyOf(deed), labels: options.labels.join(",") };
    const made = there
      ? await must(call("PUT", `/${there.iid}`, about, options, world), [200])
      : await must(
          call("POST", "", { ...about, source_branch: deed.branch, target_branch: options.base ?? deed.base.ref }, options, world),
          [201],
        );
    const request = MergeRequest.parse(made);
    if (options.comment !== undefined) await noteOnce(deed, options.comment, request, options, world);
    return { kind: "done", receipt: receiptOf(request) };
  },
  async confirm(deed, options, world) {
    const request = await requestOf(deed, options, world);
    if (!request) return { kind: "not-done" };
    // The rest is finished where it is missing, and not done twice.
    return options.comment === undefined ? { kind: "done", receipt: receiptOf(request) } : { kind: "not-done" };
  },
});

/** Our own note is known again by the key in it. */
async function noteOnce(deed: Deed, text: string, { iid }: MergeRequest, options: Options, world: ActionWorld): Promise<void> {
  const there = z
    .array(z.object({ body: z.string() }))
    .parse(await must(call("GET", `/${iid}/notes?per_page=100`, undefined, options, world), [200]));
  if (there.some(({ body }) => body.includes(markOf(deed)))) return;
  await must(call("POST", `/${iid}/notes`, { body: `${text}\n\n${markOf(deed)}` }, options, world), [201]);
}

async function requestOf({ branch }: Deed, options: Options, world: ActionWorld): Promise<MergeRequest | undefined> {
  const found = await must(call("GET", `?state=opened&source_branch=${encodeURIComponent(branch)}`, undefined, options, world), [200]);
  return z.array(MergeRequest).parse(found)[0];
}

const markOf = ({ key }: Deed): string => `<!-- loopwright: ${key} -->`;
const bodyOf = (deed: Deed): string => `${deed.report.slice(0, 60_000)}\n\n${markOf(deed)}`;

const receiptOf = ({ iid, web_url }: MergeRequest) => ({
  says: `merge request !${iid}: ${web_url}`,
  facts: { number: String(iid), url: web_url },
});

const call = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body: object | undefined,
  { api, project, token }: Options,
  { http, env }: ActionWorld,
): Promise<HttpReply> =>
  http.send({
    method,
    url: `${api}/api/v4/projects/${encodeURIComponent(project)}/merge_requests${path}`,
    headers: { "private-token": env.get(token) ?? "", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    timeoutMs: TIMEOUT_MS,
  });

async function must(asked: Promise<HttpReply>, wanted: readonly number[]): Promise<unknown> {
  const { status, body } = await asked;
  if (wanted.includes(status)) return JSON.parse(body);
  throw new LoopError("action-failed", `GitLab answered ${status}: ${body.slice(0, 300)}`, {
    retry: status === 429 || status >= 500 ? "later" : "never",
    hint: "Look whether the token may do this and whether the branch was pushed; what was begun is looked up at the next try.",
  });
}
