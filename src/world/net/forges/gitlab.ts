// Reads a project of GitLab.
import type { FailuresAsked, Forge, ForgeItem, ForgeList, IssuesAsked } from "../../../contract/forge.ts";
import { type Trust, untrustedText } from "../../../contract/text.ts";
import type { Fields } from "../../../std/json-record.ts";
import { gitlabAlerts } from "./gitlab-alerts.ts";
import {
  ageOf,
  bodyOf,
  endOf,
  type ForgeAt,
  fieldIn,
  instantIn,
  leastOf,
  missing,
  numberAt,
  readList,
  readOne,
  textAt,
  webAddress,
  words,
} from "./reading.ts";
import { gitlabReleases } from "./releases.ts";

export const GITLAB = {
  base: "https://gitlab.com",
  headers: {},
  token: (secret: string) => ({ header: "authorization", value: `Bearer ${secret}`, secret }),
  mayLeadTo: [],
} as const;

/** From this level on somebody may push. */
const DEVELOPER = 30;
const MOST_MEMBERS = 2_000;
/** Of how many merge requests is asked what the list does not tell. */
const MOST_DETAILS = 30;
/** What is kept of them takes no more places than this: another one in the same place is asked for anew. */
const MOST_KEPT = 64;

export function openGitlab(at: ForgeAt): Forge {
  const [place, root] = [`${at.host}/${at.repo}`, `/api/v4/projects/${encodeURIComponent(at.repo)}`];
  return {
    place,
    issues: (asked) => issues(at, place, root, asked),
    pulls: ({ most }) => pulls(at, place, root, most),
    failures: (asked) => failures(at, place, root, asked),
    releases: ({ most }) => gitlabReleases(at, place, root, most),
    alerts: (asked) => gitlabAlerts(at, place, asked),
  };
}

/** Who may write, by their numbers: names can be changed. Nobody, where that is not to be seen. */
async function writersOf({ get, hasToken }: ForgeAt, root: string): Promise<ReadonlySet<number>> {
  const members = hasToken ? await readList(get, `${root}/members/all?per_page=100`, "members", MOST_MEMBERS) : undefined;
  return new Set((members?.all ?? []).filter((one) => numberAt(one, "access_level") >= DEVELOPER).map((one) => numberAt(one, "id")));
}

const trustOf = (writers: ReadonlySet<number>, one: Fields): Trust => (writers.has(numberAt(one, "author", "id")) ? "member" : "outsider");

async function issues(at: ForgeAt, place: string, root: string, { labels, since, most }: IssuesAsked): Promise<ForgeList> {
  const query = new URLSearchParams({
    state: "opened",
    order_by: "updated_at",
    sort: "desc",
    per_page: "100",
    ...(labels.length > 0 ? { labels: labels.join(",") } : {}),
    ...(since === undefined ? {} : { updated_after: since }),
  });
  const list = await readList(at.get, `${root}/issues?${query}`, "issues", most);
  if (!list) throw missing(place);
  const writers = list.all.length === 0 ? new Set<number>() : await writersOf(at, root);
  const items = list.all.map((issue) => {
    const item = itemIn(issue, "#", { place, at, writers });
    return { ...item, says: words(...saysOf(issue, at), labelsOf(issue)) };
  });
  return { items, notes: list.isWhole ? [] : [`only the ${most} that changed last were looked at`] };
}

interface ItemAt {
  readonly place: string;
  readonly at: ForgeAt;
  readonly writers: ReadonlySet<number>;
}

function itemIn(one: Fields, sign: "#" | "!", { place, writers }: ItemAt): Omit<ForgeItem, "says"> {
  const [number, changed] = [numberAt(one, "iid"), instantIn(one, "updated_at")];
  return {
    id: `${place}${sign}${number} ${changed}`,
    title: untrustedText(`${sign}${number} ${textAt(one, "title") ?? ""}`),
    ...bodyOf(textAt(one, "description")),
    author: untrustedText(textAt(one, "author", "username") ?? "nobody"),
    trust: trustOf(writers, one),
    at: changed,
    address: webAddress(textAt(one, "web_url")),
  };
}

const saysOf = (one: Fields, { nowMs }: ForgeAt): readonly string[] => [
  `by ${textAt(one, "author", "username") ?? "nobody"}`,
  `open ${ageOf(instantIn(one, "created_at"), nowMs)}`,
  `${numberAt(one, "user_notes_count")} comment(s)`,
];

const labelsOf = (one: Fields): string | undefined => {
  const labels = one.get("labels");
  return Array.isArray(labels) && labels.length > 0 ? `labels ${labels.filter((label) => typeof label === "string").join(" ")}` : undefined;
};

async function pulls(at: ForgeAt, place: string, root: string, most: number): Promise<ForgeList> {
  const { get } = at;
  const list = await readList(
    get,
    `${root}/merge_requests?state=opened&order_by=updated_at&sort=desc&per_page=100`,
    "merge requests",
    most,
  );
  if (!list) throw missing(place);
  const writers = list.all.length === 0 ? new Set<number>() : await writersOf(at, root);
  const items: ForgeItem[] = [];
  for (const [index, brief] of list.all.entries()) {
    const path = `${root}/merge_requests/${numberAt(brief, "iid")}`;
    const slot = numberAt(brief, "iid") % MOST_KEPT;
    const isAsked = index < MOST_DETAILS;
    const whole = (isAsked ? await readOne(get, path, `merge request ${slot}`) : undefined) ?? brief;
    const notes = isAsked ? await readList(get, `${path}/notes?sort=desc&order_by=updated_at&per_page=10`, `notes ${slot}`, 10) : undefined;
    const said = (notes?.all ?? []).filter((note) => note.get("system") !== true);
    const [pipeline, merging] = [textAt(whole, "head_pipeline", "status"), textAt(whole, "detailed_merge_status")];
    const item = itemIn(whole, "!", { place, at, writers });
    items.push({
      ...item,
      // How its pipeline ends changes nothing of when it changed last.
      id: `${item.id} ${[textAt(whole, "sha"), pipeline, merging].join(" ")}`,
      ...bodyOf([textAt(whole, "description"), ...said.map(saidIn)].filter((text) => text !== undefined).join("\n\n")),
      trust: leastOf([whole, ...said].map((one) => trustOf(writers, one))),
      says: words(
        ...saysOf(whole, at),
        whole.get("draft") === true ? "a draft" : undefined,
        `into ${textAt(whole, "target_branch")}`,
        pipeline === undefined ? "no pipeline" : `pipeline ${pipeline}`,
        fieldIn(whole, "has_conflicts") === true ? "conflicts with its base" : undefined,
        merging === undefined || merging === "mergeable" ? undefined : `merging: ${merging.replaceAll("_", " ")}`,
      ),
    });
  }
  return {
    items,
    notes: [
      ...(list.isWhole ? [] : [`only the ${most} that changed last were looked at`]),
      ...(items.length > MOST_DETAILS ? [`of all but the first ${MOST_DETAILS}, pipelines and comments were not asked for`] : []),
    ],
  };
}

const saidIn = (note: Fields): string | undefined => {
  const text = textAt(note, "body");
  return text === undefined ? undefined : `${textAt(note, "author", "username") ?? "nobody"}: ${text.slice(0, 500)}`;
};

async function failures(
  { get }: ForgeAt,
  place: string,
  root: string,
  { branch, isKnown, most, mostLogChars }: FailuresAsked,
): Promise<ForgeList> {
  const query = new URLSearchParams({
    status: "failed",
    order_by: "id",
    sort: "desc",
    per_page: String(Math.min(most, 100)),
    ...(branch === undefined ? {} : { ref: branch }),
  });
  const pipelines = await readList(get, `${root}/pipelines?${query}`, "pipelines", most);
  if (!pipelines) throw missing(place);
  const items: ForgeItem[] = [];
  for (const [index, pipeline] of pipelines.all.entries()) {
    const id = `${place} run ${numberAt(pipeline, "id")}.${instantIn(pipeline, "updated_at")}`;
    if (isKnown(id)) continue;
    const jobs = await readList(
      get,
      `${root}/pipelines/${numberAt(pipeline, "id")}/jobs?scope[]=failed&per_page=100`,
      `jobs ${index}`,
      100,
    );
    for (const job of jobs?.all ?? []) {
      const log = await get({ path: `${root}/jobs/${numberAt(job, "id")}/trace`, name: `log ${items.length}`, accept: "text" });
      items.push({
        id: `${id} job ${numberAt(job, "id")}`,
        title: untrustedText(`${textAt(job, "stage") ?? "CI"} / ${textAt(job, "name") ?? ""}`),
        ...endOf(log, mostLogChars),
        author: untrustedText(textAt(job, "user", "username") ?? "nobody"),
        // What a job prints is for whoever can have one run to decide.
        trust: "outsider",
        at: instantIn(pipeline, "updated_at"),
        address: webAddress(textAt(job, "web_url")),
        says: words(
          `failed on ${textAt(pipeline, "ref") ?? "no branch"} at ${(textAt(pipeline, "sha") ?? "").slice(0, 12)}`,
          textAt(job, "failure_reason")?.replaceAll("_", " "),
          log ? undefined : "its log is gone",
        ),
      });
    }
  }
  return { items, notes: [] };
}
