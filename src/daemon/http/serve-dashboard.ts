// Serves the dashboard of a home: where it listens is decided before anything does, and what is open to others is refused without TLS.

import type { House } from "../../app/open-house.ts";
import type { PageHouse } from "../../app/page/act.ts";
import type { LookAtTarget, OutlineFor, TryOut } from "../../app/page/new-loop.ts";
import type { LookThrough } from "../../app/page/read-ledger.ts";
import type { Hear } from "../../app/page/run-now.ts";
import type { Who } from "../../contract/api.ts";
import { LoopError } from "../../contract/errors.ts";
import { type AgentDoor, linkTo, type WebHome } from "../../contract/web.ts";
import { createDashboard } from "./dashboard.ts";
import { createHearsay, type LiveHearsay } from "./hearsay.ts";

/** What somebody wishes of it, as they wrote it. */
export interface WebWishes {
  /** `HOST:PORT`; default: loopback, at a port that is always the same. */
  readonly listen: string | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  /** The address that people use, where a proxy in front of it does the TLS: `https://loops.example.org`. */
  readonly behindProxy: string | undefined;
  readonly isReadOnly: boolean;
}

export interface ServedDashboard {
  readonly url: string;
  /** With the token in it. */
  readonly link: string;
  /** Whoever runs loops tells here what is heard of them. */
  readonly hearsay: LiveHearsay;
  close(): Promise<void>;
}

export const USUAL_PORT = 7423;
const PATIENCE_MS = 20_000;

/** What whoever runs the loops of this home does for its dashboard. */
export interface DashboardHands {
  /** Who wants a loop to run now is heard at once, and not when the journal is looked at next. */
  readonly hear: Hear;
  /** Runs one round of a spec that lies nowhere yet. */
  readonly tryOut: TryOut;
  /** Looks through the whole journal, in a process of its own. */
  readonly lookThrough: LookThrough;
  /** What can be seen of a repository, and a loop that fits it; nothing of it is run, and nothing is written. */
  readonly scan: LookAtTarget;
  readonly outline: OutlineFor;
}

export async function serveDashboard(
  house: House,
  web: WebHome,
  wishes: WebWishes,
  who: Who,
  hands?: DashboardHands & { readonly agents?: (house: PageHouse) => Promise<AgentDoor> },
): Promise<ServedDashboard> {
  const { host, port } = planListening(wishes);
  const tls =
    wishes.tlsCert === undefined || wishes.tlsKey === undefined
      ? undefined
      : { cert: await web.readText(wishes.tlsCert), key: await web.readText(wishes.tlsKey) };
  const hearsay = createHearsay(() => house.clock.now());
  // Which names it goes by is known once it listens: until then nobody is answered.
  const origins: string[] = [];
  const { answer, warmUp, close } = createDashboard({
    house,
    who,
    gate: { token: web.token, origins, isReadOnly: wishes.isReadOnly },
    files: web.files,
    pieces: web.pieces,
    hearsay,
    bench: {
      ready: web.readySpecs,
      files: web.newFiles,
      tryOut: hands?.tryOut,
      scan: hands?.scan,
      outline: hands?.outline,
      barred: whyNoNewLoops(wishes, host),
    },
    agents: hands?.agents,
    ...(hands ? { hear: hands.hear, lookThrough: hands.lookThrough } : {}),
    patience: () => patienceOf(house),
  });
  const serving = await web.server.listen({ host, port, tls, answer });
  origins.push(...originsOf({ host, port: serving.port, isTls: tls !== undefined, behindProxy: wishes.behindProxy }));
  const [url = ""] = origins;
  await web.tell({ url, pid: web.pid });
  // What fails here fails again for whoever asks, and is told to them.
  const warming = warmUp().catch(() => {});
  return {
    url,
    link: linkTo(url, web.token),
    hearsay,
    async close() {
      await web.tell(undefined);
      await serving.close();
      await close();
      await warming;
    },
  };
}

/** Whether nobody asked for anything but the usual place: whoever cannot have that may do without. */
export const isUsualPlace = ({ listen, tlsCert, tlsKey, behindProxy }: WebWishes): boolean =>
  [listen, tlsCert, tlsKey, behindProxy].every((wish) => wish === undefined);

/** A timer that keeps nobody from leaving. */
const patienceOf = ({ repeat }: Pick<House, "repeat">): Promise<void> =>
  new Promise((resolve) => {
    const timer = repeat(PATIENCE_MS, () => {
      timer.end();
      resolve();
    });
  });

const EVERYWHERE = ["0.0.0.0", "::"];
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** Where it may listen. Others can reach every address but loopback: then what they send must be kept from those in between. */
export function planListening({ listen, tlsCert, tlsKey, behindProxy }: Omit<WebWishes, "isReadOnly">): {
  readonly host: string;
  readonly port: number;
} {
  const [, bracketed, plain, digits] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]*))(?::(\d{1,5}))?$/.exec(listen ?? "127.0.0.1") ?? [];
  const host = bracketed ?? (plain === "" ? undefined : plain);
  const port = digits === undefined ? USUAL_PORT : Number(digits);
  if (host === undefined || port > 65_535)
    throw refusal(`--listen ${listen} is no address`, "Write e.g. --listen 127.0.0.1:7423, or --listen [::1]:7423.");
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw refusal("a certificate is of no use without its key", "Give both --tls-cert and --tls-key.");
  if (behindProxy !== undefined && !isOrigin(behindProxy))
    throw refusal(
      `--behind-proxy ${behindProxy} is not the address of a page that is kept from those in between`,
      "Write the one that people use, e.g. --behind-proxy https://loops.example.org.",
    );
  if (EVERYWHERE.includes(host) && behindProxy === undefined)
    throw refusal(`${host} is every address and no name`, "Listen on the one that people use, or give that with --behind-proxy.");
  if (LOOPBACK.includes(host) || tlsCert !== undefined || behindProxy !== undefined) return { host, port };
  throw refusal(
    `${host} can be reached by others, and nothing would keep the token from those in between`,
    "Give --tls-cert and --tls-key; or, where a proxy in front of it does that, its address with --behind-proxy.",
  );
}

/** A spec says which programs run here: that is for whoever sits at this machine, and not for everybody who has the link. */
const whyNoNewLoops = ({ isReadOnly, behindProxy }: WebWishes, host: string): string | undefined => {
  if (isReadOnly) return "this dashboard only shows";
  return LOOPBACK.includes(host) && behindProxy === undefined
    ? undefined
    : "this dashboard can be reached from elsewhere, and a spec says which programs run on this machine";
};

function isOrigin(text: string): boolean {
  try {
    const { protocol, origin, hostname } = new URL(text);
    const isKept = protocol === "https:" || (protocol === "http:" && LOOPBACK.includes(hostname));
    return isKept && origin === text;
  } catch {
    return false;
  }
}

interface Bound {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly behindProxy: string | undefined;
}

/** The names that it goes by, the one to print first. */
export function originsOf({ host, port, isTls, behindProxy }: Bound): readonly string[] {
  if (behindProxy !== undefined) return [behindProxy];
  const scheme = isTls ? "https" : "http";
  const named = (name: string): string => new URL(`${scheme}://${name.includes(":") ? `[${name}]` : name}:${port}`).origin;
  return LOOPBACK.includes(host) ? [...new Set([named(host), ...LOOPBACK.map(named)])] : [named(host)];
}

const refusal = (message: string, hint: string): LoopError => new LoopError("bad-input", message, { retry: "never", hint });
