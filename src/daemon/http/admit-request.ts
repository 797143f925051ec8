// Who may ask for what: the address that was meant, the page that asks, and the token, looked at before anything else. Pure.
import { agentBy } from "../../app/page/agent-key.ts";
import { hmacSha256, sameDigest, sha256 } from "../../std/hash.ts";

export interface Gatekeeping {
  readonly token: string;
  /** The addresses that it is asked by: `http://127.0.0.1:7423`. A request for another name was meant for somebody else. */
  readonly origins: readonly string[];
  readonly isReadOnly: boolean;
}

/** What is looked at of a request. */
export interface Knock {
  readonly method: string;
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

export type Admission = { readonly kind: "admitted" } | Refused;

/** Whose key it was; undefined for the token of the home itself. */
export type AgentAdmission = { readonly kind: "admitted"; readonly agent: string | undefined } | Refused;

interface Refused {
  readonly kind: "refused";
  readonly status: 401 | 403 | 405 | 415 | 421;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const ADMITTED: Admission = { kind: "admitted" };

export function admitRequest(gate: Gatekeeping, knock: Knock): Admission {
  const { method, path, header } = knock;
  if (!["GET", "HEAD", "POST"].includes(method)) return refused(405, "method", `${method} is not answered here`, "Use GET or POST.");
  const misled = whyNotMeant(gate, header);
  if (misled) return misled;
  const origin = header("origin");
  if (!path.startsWith("/api/")) return method === "POST" ? refused(405, "method", "nothing is taken here", "Ask below /api/.") : ADMITTED;
  if (path === "/api/csp-report") return ADMITTED;
  if (isOfAnotherPage(header)) return FOREIGN;
  if (method === "POST" && !isJson(header("content-type")))
    return refused(415, "content-type", "only JSON is taken here", "Send Content-Type: application/json.");
  if (path === "/api/session") return origin === undefined ? NO_ORIGIN : ADMITTED;
  return admitCaller(gate, knock, origin);
}

/**
 * A program that asks over a protocol: by a bearer alone, which no page sends by itself. What the key of an agent opens is only this, so that
 * nobody has to give an agent the token with which people decide.
 */
export function admitAgent(gate: Gatekeeping, { method, header }: Omit<Knock, "path">): AgentAdmission {
  if (!["GET", "POST", "DELETE"].includes(method))
    return refused(405, "method", `${method} is not answered here`, "Use POST, GET or DELETE.");
  const misled = whyNotMeant(gate, header);
  if (misled) return misled;
  if (isOfAnotherPage(header)) return FOREIGN;
  const bearer = bearerIn(header("authorization")) ?? "";
  const agent = agentBy(gate.token, bearer);
  if (agent === undefined && !isSame(bearer, gate.token))
    return refused(401, "session", "nobody knows who asks", "Send the header that `lw mcp address NAME` prints.");
  if (method === "POST" && !isJson(header("content-type")))
    return refused(415, "content-type", "only JSON is taken here", "Send Content-Type: application/json.");
  return { kind: "admitted", agent };
}

/** Undefined where we were meant, and where no other page asks. */
function whyNotMeant(gate: Gatekeeping, header: Knock["header"]): Refused | undefined {
  const host = header("host")?.toLowerCase();
  // A name that somebody else's DNS points at us is not ours: this is what keeps a foreign page from reading here.
  if (host === undefined || !gate.origins.some((origin) => new URL(origin).host === host))
    return refused(421, "host", "this server does not go by that name", `Open it by its own address: ${gate.origins[0] ?? ""}`);
  const origin = header("origin");
  return origin !== undefined && !gate.origins.includes(origin) ? FOREIGN : undefined;
}

function isOfAnotherPage(header: Knock["header"]): boolean {
  const site = header("sec-fetch-site");
  return site !== undefined && site !== "same-origin" && site !== "none";
}

function admitCaller(gate: Gatekeeping, { method, header }: Knock, origin: string | undefined): Admission {
  const isBearer = isSame(bearerIn(header("authorization")), gate.token);
  const hasCookie = isSame(cookieIn(header("cookie"), cookieName(gate.token)), sessionOf(gate.token));
  // Cookies know no port: any other server on this machine is given ours. What the page keeps for its own origin it alone can send.
  if (!isBearer && !(hasCookie && isSame(header(PAGE_KEY), pageKeyOf(gate.token))))
    return refused(401, "session", "nobody knows who asks", "Open the link that `lw open` prints.");
  if (method !== "POST") return ADMITTED;
  // A browser says which page a POST comes from; with a cookie alone it must be ours.
  if (!isBearer && origin === undefined) return NO_ORIGIN;
  return gate.isReadOnly
    ? refused(403, "read-only", "this dashboard only shows", "Decide with `lw` in a terminal, or serve it without --read-only.")
    : ADMITTED;
}

const refused = (status: Refused["status"], code: string, message: string, hint: string): Refused => ({
  kind: "refused",
  status,
  code,
  message,
  hint,
});

const FOREIGN = refused(403, "origin", "another page asks, and only this one may", "Open the dashboard itself.");
const NO_ORIGIN = refused(403, "origin", "it is not told which page asks", "Open the dashboard itself, or send the token as a bearer.");

const isJson = (type: string | undefined): boolean => type !== undefined && /^application\/json\s*(;|$)/i.test(type);

const bearerIn = (authorization: string | undefined): string | undefined => /^Bearer ([\w.~+/=-]{1,200})$/i.exec(authorization ?? "")?.[1];

function cookieIn(cookies: string | undefined, name: string): string | undefined {
  const found = (cookies ?? "").split(";").map((pair) => pair.trim().split("="));
  return found.find(([key]) => key === name)?.[1];
}

/** Cookies do not tell ports apart: two homes on one machine must not take each other's. */
export const cookieName = (token: string): string => `lw_${sha256(`cookie name ${token}`).slice(0, 12)}`;

/** What the cookie holds is not the token: whoever sees one has not the other. */
export const sessionOf = (token: string): string => hmacSha256(token, "dashboard session");

/** What the page keeps besides the cookie, where no page of another port can read it, and sends with everything it asks. */
export const PAGE_KEY = "x-lw-page";
export const pageKeyOf = (token: string): string => hmacSha256(token, "dashboard page");

/** Takes as long for any guess. */
export function isSame(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false;
  return sameDigest(sha256(given), sha256(expected));
}
