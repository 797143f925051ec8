// How the dashboard is served, as options of `lw serve`, and what they come to.
import { resolve } from "node:path";
import type { Who } from "../contract/api.ts";
import type { WebWishes } from "../daemon/http/serve-dashboard.ts";
import type { Call, CommandRow } from "./call.ts";
import { deciderOf } from "./who.ts";

export const WEB_OPTIONS: CommandRow["options"] = [
  ["--no-web", "serve no dashboard"],
  ["--read-only", "let the dashboard show, and nobody decide there"],
  ["--listen <address>", "where the dashboard is served (default: 127.0.0.1:7423); other addresses want TLS"],
  ["--tls-cert <file>", "the certificate to serve it with, as PEM"],
  ["--tls-key <file>", "the key of that certificate"],
  ["--behind-proxy <url>", "the address that people use, where a proxy in front of it does the TLS"],
];

/** Undefined where no dashboard is wanted. */
export function webWishesOf({ options, io }: Pick<Call, "options" | "io">): WebWishes | undefined {
  if (options.web === false) return undefined;
  const text = (name: string): string | undefined => (options[name] === undefined ? undefined : String(options[name]));
  const path = (name: string): string | undefined => (options[name] === undefined ? undefined : resolve(io.cwd, String(options[name])));
  return {
    listen: text("listen"),
    tlsCert: path("tlsCert"),
    tlsKey: path("tlsKey"),
    behindProxy: text("behindProxy"),
    isReadOnly: options.readOnly === true,
  };
}

/** Who is on record for what is decided there: whoever serves it, since only they can read the token. `--as` names somebody else. */
export const webWhoOf = (call: Call): Who => ({
  name: deciderOf(call).by,
  how: `the token of this home, and ${call.options.as === undefined ? "the login name" : "--as"} of who serves it`,
});
