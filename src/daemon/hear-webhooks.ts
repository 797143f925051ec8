// Answers deliveries: checks them for every loop that listens at the address, writes down what wakes one, and then says thanks.
import type { Clock, Environment } from "../contract/clock.ts";
import type { ServerHead, ServerReply, ServerRequest } from "../contract/server.ts";
import type { WebhookHearing } from "../contract/trigger.ts";
import { webhookKey } from "../contract/waking.ts";
import type { JournalReader } from "../journal/journal.ts";
import { fateIn, type Heard, type HeardBook } from "./heard.ts";
import { type Checked, checkDelivery, type WebhookCause } from "./webhooks.ts";

/** A loop that listens at an address. */
export interface Listener {
  readonly loop: string;
  readonly hearing: WebhookHearing;
}

export interface WebhookWorld {
  readonly clock: Clock;
  readonly env: Environment;
  readonly journal: Pick<JournalReader, "newestOf" | "story">;
  readonly book: HeardBook;
  /** Those who listen at this address now. */
  readonly listenersAt: (address: string) => readonly Listener[];
  /** Told of what went wrong, for our own eyes. */
  readonly tell: (what: string) => void;
}

export interface Webhooks {
  refuse(head: ServerHead): ServerReply | undefined;
  answer(request: ServerRequest): Promise<ServerReply>;
}

const PLACE = "/hooks/";
/** GitHub redelivers what is at most so old. */
const BODIES_KNOWN_MS = 3 * 24 * 3_600_000;
/** Of one loop. Beyond it the oldest are forgotten, and only their ids protect from them. */
const MOST_BODIES = 50_000;

export function createWebhooks(world: WebhookWorld): Webhooks {
  const bodies = createBodies(world);
  const refusals = createRefusals(world);

  return {
    refuse({ method, path }) {
      const address = addressIn(path);
      if (address === undefined || world.listenersAt(address).length === 0) return { status: 404, says: { error: "nobody listens here" } };
      return method === "POST" ? undefined : { status: 405, says: { error: "deliveries are sent with POST" } };
    },
    async answer(request) {
      const listeners = world.listenersAt(addressIn(request.path) ?? "");
      const now = world.clock.now();
      const checked = listeners.map((listener) => ({ listener, checked: check(listener, request, now) }));
      const address = addressIn(request.path) ?? "";
      const names = listeners.map(({ loop }) => loop).join(", ");
      try {
        const heard = await Promise.all(
          checked.flatMap(({ listener: { loop }, checked }) => (checked.kind === "wakes" ? [hear(loop, checked)] : [])),
        );
        if (heard.length > 0) return thanks(heard);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        refusals.tell(address, `a delivery at /hooks/${address} (${names}) could not be put on record: ${why}`);
        return NOT_ON_RECORD;
      }
      return noThanks(
        checked.map(({ checked }) => checked),
        (why) => refusals.tell(address, `a delivery at /hooks/${address} (${names}) was refused: ${why}`),
      );
    },
  };

  /** One loop's mistake is not another's. */
  function check({ loop, hearing }: Listener, request: ServerRequest, now: Date): Checked {
    try {
      return checkDelivery(hearing, world.env.get(hearing.secret), request, now);
    } catch (error) {
      return { kind: "refused", why: `the loop ${loop} could not look at it: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  async function hear(loop: string, { cause, idIsLoose }: Extract<Checked, { kind: "wakes" }>): Promise<Heard & { readonly key: string }> {
    const key = webhookKey(loop, cause.address, cause.delivery);
    const before = idIsLoose ? await bodies.take(loop, cause, key) : undefined;
    if (before !== undefined) return { kind: "known", key: before, fate: fateIn((await world.journal.story(before)).entries) };
    try {
      return { key, ...(await world.book.hear({ loop, key, cause })) };
    } catch (error) {
      // It is not on record, and so its body is not known either.
      bodies.forget(loop, cause, key);
      throw error;
    }
  }
}

const NOT_ON_RECORD: ServerReply = { status: 503, says: { error: "it cannot be put on record now; send it again" } };

const addressIn = (path: string): string | undefined => (path.startsWith(PLACE) ? path.slice(PLACE.length) : undefined);

/** One that is new is enough to be thanked for. */
function thanks(heard: readonly (Heard & { readonly key: string })[]): ServerReply {
  const fresh = heard.find(({ kind }) => kind === "new");
  if (fresh) return { status: 202, says: { key: fresh.key } };
  const [known] = heard;
  const fate = known?.kind === "known" ? known.fate : undefined;
  return {
    status: 200,
    says: { key: known?.key ?? "", fate: fate?.fate ?? "waits", says: fate?.says ?? "it is known, and waits its turn" },
  };
}

function noThanks(checked: readonly Checked[], tell: (what: string) => void): ServerReply {
  if (checked.some(({ kind }) => kind === "filtered")) return { status: 204 };
  const [why] = checked.flatMap((one) => ("why" in one ? [one.why] : []));
  tell(why ?? "nobody listens there any more");
  if (checked.some(({ kind }) => kind === "unreadable")) return { status: 400, says: { error: "it cannot be read" } };
  return { status: 401, says: { error: "its signature does not hold" } };
}

/** Of one address, so often at most: strangers can send as many as they like. */
const REFUSAL_TOLD_MS = 60_000;

/** The first is told at once, and how many others there were with the next. Addresses are those of the specs, and so they are few. */
function createRefusals({ clock, tell }: Pick<WebhookWorld, "clock" | "tell">): { tell(address: string, what: string): void } {
  const told = new Map<string, { readonly atMs: number; others: number }>();
  return {
    tell(address, what) {
      const nowMs = clock.monotonicMs();
      const before = told.get(address);
      if (before && nowMs - before.atMs < REFUSAL_TOLD_MS) {
        before.others++;
        return;
      }
      told.set(address, { atMs: nowMs, others: 0 });
      tell(before && before.others > 0 ? `${what} (and ${before.others} others since the last that was told)` : what);
    },
  };
}

interface Bodies {
  /** The key that the same body came under before, in the last days; else it is remembered by this one. */
  take(loop: string, cause: WebhookCause, key: string): Promise<string | undefined>;
  forget(loop: string, cause: WebhookCause, key: string): void;
}

/** What is not under the signature can be changed by whoever saw it: then the body says whether it was here before. */
function createBodies({ clock, journal }: Pick<WebhookWorld, "clock" | "journal">): Bodies {
  const ofLoops = new Map<string, Promise<Map<string, { readonly key: string; readonly atMs: number }>>>();

  return {
    async take(loop, cause, key) {
      const known = ofLoops.get(loop) ?? read(loop);
      ofLoops.set(loop, known);
      const bodies = await known.catch((error: unknown) => {
        ofLoops.delete(loop);
        throw error;
      });
      const nowMs = clock.now().getTime();
      for (const [name, { atMs }] of bodies) {
        if (nowMs - atMs <= BODIES_KNOWN_MS && bodies.size < MOST_BODIES) break;
        bodies.delete(name);
      }
      const before = bodies.get(nameOf(cause));
      if (before && before.key !== key) return before.key;
      if (!before) bodies.set(nameOf(cause), { key, atMs: nowMs });
      return undefined;
    },
    forget(loop, cause, key) {
      void ofLoops.get(loop)?.then((bodies) => bodies.get(nameOf(cause))?.key === key && bodies.delete(nameOf(cause)));
    },
  };

  /** From the records, once; oldest first, as they would have come. */
  async function read(loop: string): Promise<Map<string, { readonly key: string; readonly atMs: number }>> {
    const sinceMs = clock.now().getTime() - BODIES_KNOWN_MS;
    const found: (readonly [string, { readonly key: string; readonly atMs: number }])[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; found.length < MOST_BODIES; ) {
      const page = await journal.newestOf(loop, "heard", { before, most: 500 });
      const recent = page.filter(({ at }) => Date.parse(at) >= sinceMs);
      for (const { run: key, at, record } of recent)
        if (record.cause.kind === "webhook") found.push([nameOf(record.cause), { key, atMs: Date.parse(at) }]);
      before = page.at(-1)?.seq ?? 0;
      if (recent.length < page.length || page.length === 0) break;
    }
    return new Map(found.toReversed());
  }
}

const nameOf = ({ address, sha256 }: WebhookCause): string => `${address} ${sha256}`;
