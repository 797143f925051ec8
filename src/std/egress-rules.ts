// Which hosts may be reached, as a spec writes them down. Pure.
import { type Authority, isAddress, isPublicAddress, parseAuthority, writtenHost } from "./internet-names.ts";

export interface EgressRule {
  /** Without the `*.` where it stands for all names below. */
  readonly host: string;
  readonly port: number;
  readonly isSuffix: boolean;
  /** Host and port are written out, so that it may also be a host of this machine or of a private network. */
  readonly isLiteral: boolean;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

const HTTPS = 443;

/** `host`, `host:port` or `*.host`; without a port it is 443. */
export function parseRule(text: string): EgressRule | undefined {
  const isSuffix = text.startsWith("*.");
  const authority = parseAuthority(isSuffix ? text.slice(2) : text);
  if (!authority || (isSuffix && (isAddress(authority.host) || !authority.host.includes(".")))) return undefined;
  return ruleOf(authority, isSuffix);
}

const ruleOf = ({ host, port }: Authority, isSuffix: boolean): EgressRule => ({
  host,
  port: port ?? HTTPS,
  isSuffix,
  isLiteral: !isSuffix && port !== undefined,
});

export const writeRule = ({ host, port, isSuffix }: EgressRule): string => `${isSuffix ? "*." : ""}${writtenHost(host)}:${port}`;

/** The rule that lets a target be reached; the one that says most of it comes first. */
export const ruleFor = (rules: readonly EgressRule[], { host, port }: Target): EgressRule | undefined =>
  rules
    .filter((rule) => rule.port === port && (rule.isSuffix ? host.endsWith(`.${rule.host}`) : host === rule.host))
    .sort((one, other) => Number(other.isLiteral) - Number(one.isLiteral))[0];

/** Whether an address that a name was resolved to may be connected to. */
export const mayConnect = ({ isLiteral }: EgressRule, address: string): boolean =>
  isLiteral ? isAddress(address) : isPublicAddress(address);

/** Where a credential goes: `https://host[:port]`, or `http://` for a host of this machine, where nobody listens on the way. */
export interface Origin extends Target {
  readonly scheme: "http" | "https";
  readonly rule: EgressRule;
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|0:0:0:0:0:0:0:1|localhost)$/;

export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

export function parseOrigin(text: string): Origin | undefined {
  const [, scheme, written = ""] = /^(https?):\/\/([^/?#]+)\/?$/.exec(text) ?? [];
  const authority = parseAuthority(written);
  if ((scheme !== "http" && scheme !== "https") || !authority || (scheme === "http" && !isLoopback(authority.host))) return undefined;
  const port = authority.port ?? (scheme === "https" ? HTTPS : 80);
  return { scheme, host: authority.host, port, rule: { ...ruleOf(authority, false), port } };
}
