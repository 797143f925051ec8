// Names and addresses of hosts, read strictly: what can be read in two ways is not read at all.

/** A host in its one form: a name in lower case without a dot at its end, or an address as `canonicalAddress` writes it. */
export interface Authority {
  readonly host: string;
  /** Undefined where none was written. */
  readonly port: number | undefined;
}

const WRITTEN = /^(?:\[([0-9A-Fa-f:.]{2,45})\]|([A-Za-z0-9._-]{1,254}))(?::([0-9]{1,5}))?$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** `host`, `host:port` or `[address]:port`, and nothing beside it: no user, no path, no second meaning. */
export function parseAuthority(text: string): Authority | undefined {
  const [, six, name, digits] = WRITTEN.exec(text) ?? [];
  const host = six === undefined ? nameOrFour(name) : canonicalAddress(six);
  if (host === undefined) return undefined;
  if (digits === undefined) return { host, port: undefined };
  const port = Number(digits);
  return port >= 1 && port <= 65_535 && String(port) === digits ? { host, port } : undefined;
}

function nameOrFour(written: string | undefined): string | undefined {
  const name = written?.toLowerCase().replace(/\.$/, "");
  if (name === undefined || name.length > 253) return undefined;
  const labels = name.split(".");
  if (!labels.every((label) => LABEL.test(label))) return undefined;
  // Resolvers take 127.1, 0x7f.1 and 2130706433 for addresses: only the plain form of one is read.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!) ? four(name)?.join(".") : name;
}

/** An address in its one form; an IPv4 address that was written as IPv6 is an IPv4 address. */
export function canonicalAddress(text: string): string | undefined {
  const plain = four(text);
  if (plain) return plain.join(".");
  const groups = six(text);
  if (!groups) return undefined;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? fourIn(groups[6]!, groups[7]!).join(".") : groups.map((group) => group.toString(16)).join(":");
}

export const isAddress = (host: string): boolean => canonicalAddress(host) !== undefined;

/** What stands in a URL for it. */
export const writtenHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** Networks that are nobody's on the internet: the machine itself, private and local ones, those of clouds' metadata, and such that hide another address. */
const APART: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Whether an address is one of the internet's. What cannot be read is not. */
export function isPublicAddress(address: string): boolean {
  const canonical = canonicalAddress(address);
  if (canonical === undefined) return false;
  const parts = four(canonical);
  if (parts) return !APART.some(([network, bits]) => numberOf(parts) >>> (32 - bits) === numberOf(four(network)!) >>> (32 - bits));
  const [first = 0, second = 0] = six(canonical)!;
  const isGlobal = first >>> 13 === 0b001;
  const isSpecial =
    (first === 0x2001 && (second < 0x0200 || second === 0x0db8)) || first === 0x2002 || (first === 0x3fff && second < 0x1000);
  return isGlobal && !isSpecial;
}

const numberOf = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;

const fourIn = (high: number, low: number): readonly number[] => [high >>> 8, high & 255, low >>> 8, low & 255];

function four(text: string): readonly number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers : undefined;
}

function six(text: string): readonly number[] | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const groups = halves.map((half, index) => (half === "" ? [] : groupsOf(half, index === halves.length - 1)));
  if (!groups.every((group) => group !== undefined)) return undefined;
  const [before = [], after] = groups;
  if (after === undefined) return before.length === 8 ? before : undefined;
  const gap = 8 - before.length - after.length;
  return gap >= 1 ? [...before, ...Array.from({ length: gap }, () => 0), ...after] : undefined;
}

/** The last two groups of all may be written as an IPv4 address. */
function groupsOf(half: string, isLast: boolean): readonly number[] | undefined {
  const parts = half.split(":");
  const tail = isLast ? four(parts.at(-1)!) : undefined;
  const heads = tail ? parts.slice(0, -1) : parts;
  if (!heads.every((part) => /^[0-9A-Fa-f]{1,4}$/.test(part))) return undefined;
  const groups = heads.map((part) => Number.parseInt(part, 16));
  return tail ? [...groups, (tail[0]! << 8) | tail[1]!, (tail[2]! << 8) | tail[3]!] : groups;
}
