// Webhooks: whether a delivery is truly from whom it should be, and whether it is one that a loop waits for. Pure.
import type { ServerRequest } from "../contract/server.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { WebhookHearing } from "../contract/trigger.ts";
import type { Cause } from "../contract/waking.ts";
import { compileAllowing } from "../std/glob.ts";
import { hmacSha256, sameDigest, sha256 } from "../std/hash.ts";

export type WebhookCause = Extract<Cause, { kind: "webhook" }>;

export type Checked =
  /** Nothing of it is believed. The sender hears no more than that; `why` is for ourselves. */
  | { readonly kind: "refused"; readonly why: string }
  /** Truly from there, and nothing that can be read. */
  | { readonly kind: "unreadable"; readonly why: string }
  /** Truly from there, and not what the loop waits for. */
  | { readonly kind: "filtered" }
  | {
      readonly kind: "wakes";
      readonly cause: WebhookCause;
      /** Whether its id could be another one without the signature noticing: then the same body under a new id is the same delivery. */
      readonly idIsLoose: boolean;
    };

type Sent = Pick<ServerRequest, "headers" | "body">;

/** How far the clocks of the sender and ours may be apart. */
const CLOCKS_APART_MS = 5 * 60_000;
const ID = /^[\w.:+/=-]{1,200}$/;

/** Signature first: nothing of a body is read before it is known whose it is. */
export function checkDelivery(hearing: WebhookHearing, secret: string | undefined, sent: Sent, now: Date): Checked {
  if (secret === undefined || secret === "") return refused(`the variable ${hearing.secret} is not set, so nothing can be believed here`);
  const signed = SIGNED[hearing.form](secret, sent, now);
  if (signed.kind === "refused") return signed;
  if (!ID.test(signed.id)) return { kind: "unreadable", why: "its id is not one" };

  const told = readBody(sent);
  if (told === undefined) return { kind: "unreadable", why: "its body is no JSON object" };
  const news = NEWS[hearing.form](told, sent.headers);
  if (!isWanted(hearing, news)) return { kind: "filtered" };
  return {
    kind: "wakes",
    idIsLoose: signed.idIsLoose,
    cause: {
      kind: "webhook",
      address: hearing.address,
      delivery: signed.id,
      sha256: sha256(sent.body),
      event: bounded(news.event, 100),
      ref: news.ref === undefined ? null : bounded(news.ref, 300),
      subject: news.subject === undefined ? null : bounded(news.subject, 200),
    },
  };
}

type Signed = { readonly kind: "signed"; readonly id: string; readonly idIsLoose: boolean } | Extract<Checked, { kind: "refused" }>;

const SIGNED: { readonly [F in WebhookHearing["form"]]: (secret: string, sent: Sent, now: Date) => Signed } = {
  github: (secret, { headers, body }) => {
    const [given, id] = [headers["x-hub-signature-256"], headers["x-github-delivery"]];
    if (given === undefined) return refused("it has no X-Hub-Signature-256");
    if (!sameDigest(`sha256=${hmacSha256(secret, body)}`, given)) return refused("its signature is not by this secret");
    return id === undefined ? refused("it has no X-GitHub-Delivery") : { kind: "signed", id, idIsLoose: true };
  },
  gitlab: (secret, sent, now) => {
    if (sent.headers["webhook-signature"] !== undefined) return standardSigned(secret, sent, now);
    const { "x-gitlab-token": token, "idempotency-key": key, "x-gitlab-event-uuid": uuid } = sent.headers;
    if (token === undefined) return refused("it has neither a webhook-signature nor an X-Gitlab-Token");
    // A secret for signing is never sent, so that who sends it has it from somewhere else.
    if (isSigningSecret(secret)) return refused("it has a token, and the secret is one for signing");
    // Hashes are of one length, so that the time does not tell how long the secret is.
    if (!sameDigest(sha256(secret), sha256(token))) return refused("its token is not this secret");
    return { kind: "signed", id: key ?? uuid ?? `sha256:${sha256(sent.body)}`, idIsLoose: true };
  },
  generic: (secret, sent, now) => standardSigned(secret, sent, now),
};

/** As the Standard Webhooks have it: `id.timestamp.body`, in any of several signatures. */
function standardSigned(secret: string, { headers, body }: Sent, now: Date): Signed {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": given } = headers;
  if (id === undefined || timestamp === undefined || given === undefined)
    return refused("it lacks webhook-id, webhook-timestamp or webhook-signature");
  if (!/^\d{1,12}$/.test(timestamp)) return refused("its webhook-timestamp is no time");
  const wanted = `v1,${Buffer.from(hmacSha256(keyOf(secret), Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])), "hex").toString("base64")}`;
  const isOurs = given
    .split(" ")
    .slice(0, MOST_SIGNATURES)
    .map((one) => sameDigest(wanted, one))
    .some(Boolean); // all are compared
  if (!isOurs) return refused("its signature is not by this secret");
  if (Math.abs(now.getTime() - Number(timestamp) * 1000) > CLOCKS_APART_MS)
    return refused("it was signed more than 5 minutes ago, or the clocks differ");
  return { kind: "signed", id, idIsLoose: false };
}

/** While a secret is changed there are two. */
const MOST_SIGNATURES = 8;
const isSigningSecret = (secret: string): boolean => secret.startsWith("whsec_");

function keyOf(secret: string): string | Uint8Array {
  const bytes = isSigningSecret(secret) ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.alloc(0);
  return bytes.length > 0 ? bytes : secret;
}

/** What a delivery is about, in the words of who sent it. */
interface News {
  /** With what was done behind a dot, where that is told. */
  readonly event: string;
  readonly ref: string | undefined;
  readonly labels: readonly string[];
  readonly subject: string | undefined;
}

type Told = { readonly [name: string]: unknown };
type Headers = Sent["headers"];

const NEWS: { readonly [F in WebhookHearing["form"]]: (told: Told, headers: Headers) => News } = {
  github: (told, headers) => {
    const item = objectIn(told.pull_request) ?? objectIn(told.issue) ?? objectIn(told.discussion);
    const head = objectIn(told.workflow_run) ?? objectIn(told.check_suite) ?? objectIn(told.check_run);
    return {
      event: withAction(headers["x-github-event"] ?? "", textIn(told.action)),
      // Of a pull request, the branch that it goes to.
      ref: textIn(told.ref) ?? textIn(objectIn(objectIn(told.pull_request)?.base)?.ref) ?? textIn(head?.head_branch),
      labels: [...labelsIn(item?.labels, "name"), ...labelsIn([told.label], "name")],
      subject: textIn(item?.title) ?? textIn(objectIn(told.head_commit)?.message) ?? textIn(objectIn(told.release)?.name),
    };
  },
  gitlab: (told, headers) => {
    const about = objectIn(told.object_attributes);
    const commits = Array.isArray(told.commits) ? told.commits : [];
    return {
      event: withAction(textIn(told.object_kind) ?? headers["x-gitlab-event"] ?? "", textIn(about?.action)),
      ref: textIn(told.ref) ?? textIn(about?.target_branch) ?? textIn(about?.ref),
      labels: [...labelsIn(told.labels, "title"), ...labelsIn(about?.labels, "title")],
      subject: textIn(about?.title) ?? textIn(objectIn(commits.at(-1))?.message),
    };
  },
  generic: (told) => {
    const data = objectIn(told.data) ?? told;
    return {
      event: textIn(told.type) ?? textIn(told.event) ?? "",
      ref: textIn(data.ref) ?? textIn(data.branch),
      labels: [...labelsIn(data.labels, "name")],
      subject: textIn(data.subject) ?? textIn(data.title),
    };
  },
};

/** Every list that names something must be met; one of its names is enough. */
function isWanted({ events, branches, labels }: WebhookHearing, news: News): boolean {
  const plain = news.event.split(".", 1)[0] ?? "";
  if (events.length > 0 && !events.includes(news.event) && !events.includes(plain)) return false;
  if (labels.length > 0 && !labels.some((label) => news.labels.includes(label))) return false;
  if (branches.length === 0) return true;
  const branch = news.ref?.replace(/^refs\/heads\//, "");
  return branch !== undefined && compileAllowing(branches)(branch);
}

/** A form has the JSON in one of its fields. */
function readBody({ headers, body }: Sent): Told | undefined {
  const text = Buffer.from(body).toString("utf8");
  const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  try {
    return objectIn(JSON.parse(isForm ? (new URLSearchParams(text).get("payload") ?? "") : text));
  } catch {
    return undefined; // strangers write what they like
  }
}

const MOST_LABELS = 100;

/** Own fields only, so that a name such as `constructor` finds nothing. */
function objectIn(value: unknown): Told | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.assign(Object.create(null), value) : undefined;
}

const textIn = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function labelsIn(value: unknown, field: string): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MOST_LABELS).flatMap((one) => textIn(one) ?? textIn(objectIn(one)?.[field]) ?? []);
}

const withAction = (event: string, action: string | undefined): string => (action === undefined ? event : `${event}.${action}`);

/** One line of a stranger's, cut where it grows too long. */
const bounded = (text: string, most: number): Untrusted => untrustedText((text.split(/[\r\n]/, 1)[0] ?? "").slice(0, most));

const refused = (why: string): Extract<Checked, { kind: "refused" }> => ({ kind: "refused", why });
