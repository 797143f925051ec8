// Stretches of a text that are another text in base64, base32 or hexadecimal digits, with the way back.

/** A stretch as it reads when it is decoded from one of its first characters on. Bytes are read as Latin-1. */
export interface Decoded {
  readonly text: string;
  /** The characters of the stretch that hold the bytes from one place of it up to another. */
  readonly placeOf: (start: number, end: number) => { readonly start: number; readonly end: number };
}

interface Code {
  readonly run: RegExp;
  /** So many characters hold so many bytes. */
  readonly chars: number;
  readonly bytes: number;
  readonly decode: (run: string) => string;
}

/** Shorter ones hold no secret. */
const CODES: readonly Code[] = [
  { run: /[A-Za-z0-9+/_-]{16,}/g, chars: 4, bytes: 3, decode: (run) => Buffer.from(run, "base64").toString("latin1") },
  { run: /[A-Z2-7]{20,}|[a-z2-7]{20,}/g, chars: 8, bytes: 5, decode: decodeBase32 },
  { run: /[0-9A-Fa-f]{20,}/g, chars: 2, bytes: 1, decode: (run) => Buffer.from(run, "hex").toString("latin1") },
];

/** Bytes that chance made hold hardly ever so many on end that belong to a text, and every secret does: nothing else is looked at. */
const READABLE = /(?:[\0\x08-\x0d\x1b\x20-\x7e]|[\xc2-\xf4][\x80-\xbf]{1,3}){12}/;

/** Wherever in its first group a stretch may begin: something else may stand right before it. */
export function* decodedIn(text: string): Iterable<Decoded> {
  for (const { run, chars, bytes, decode } of CODES)
    for (const match of text.matchAll(run))
      for (let skip = 0; skip < chars; skip++) {
        const from = match.index + skip;
        const most = match.index + match[0].length;
        const decoded = decode(match[0].slice(skip));
        if (!READABLE.test(decoded)) continue;
        yield {
          text: decoded,
          placeOf: (start, end) => ({
            start: from + Math.floor((start * chars) / bytes),
            end: Math.min(most, from + Math.ceil((end * chars) / bytes)),
          }),
        };
      }
}

const VALUE_OF = Int8Array.from({ length: 128 }, (_, code) =>
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(String.fromCharCode(code).toUpperCase()),
);

function decodeBase32(run: string): string {
  const bytes = Buffer.alloc(Math.floor((run.length * 5) / 8));
  let [bits, held, filled] = [0, 0, 0];
  for (let at = 0; at < run.length; at++) {
    held = ((held << 5) | VALUE_OF[run.charCodeAt(at)]!) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes[filled++] = (held >> bits) & 0xff;
  }
  return bytes.toString("latin1");
}
