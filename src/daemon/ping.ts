// Tells a monitor elsewhere that we live, since a dead machine cannot tell that it is dead. Nobody waits for the answer.
import type { Clock } from "../contract/clock.ts";
import type { Http } from "../contract/net.ts";

export interface Ping {
  /** A tick went well, or it did not and this is why. */
  ticked(failure: string | undefined): void;
}

const EVERY_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MOST_WORDS = 10_000;

/** Once a minute, and at once when it goes from well to ill or back. */
export function createPing(
  url: string | undefined,
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  tell: (what: string) => void,
): Ping {
  let last: { readonly atMs: number; readonly isWell: boolean } | undefined;
  let hasFailed = false;
  return {
    ticked(failure) {
      if (url === undefined) return;
      const nowMs = clock.monotonicMs();
      const isWell = failure === undefined;
      if (last && last.isWell === isWell && nowMs - last.atMs < EVERY_MS) return;
      last = { atMs: nowMs, isWell };
      const request = { method: "POST", headers: {}, body: (failure ?? "").slice(0, MOST_WORDS), timeoutMs: TIMEOUT_MS } as const;
      http.send({ ...request, url: isWell ? url : failureOf(url) }).then(
        () => {
          hasFailed = false;
        },
        (error: unknown) => {
          // Once: a monitor that is away for a day is one line, not a thousand.
          if (!hasFailed) tell(`the monitor could not be told: ${error instanceof Error ? error.message : String(error)}`);
          hasFailed = true;
        },
      );
    },
  };
}

/** As healthchecks have it: what follows a question mark stays behind. */
function failureOf(url: string): string {
  const address = new URL(url);
  address.pathname = `${address.pathname.replace(/\/$/, "")}/fail`;
  return address.href;
}
