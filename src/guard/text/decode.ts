// Texts inside a text: what is encoded, and what is written in characters that nobody sees. Each decoder gives what it finds, and where.

export interface Decoded {
  readonly text: string;
  /** Where in the outer text it stood. */
  readonly start: number;
  readonly how: "hidden" | "decoded";
}

export type Decoder = (text: string) => readonly Decoded[];

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/]{4,76})*={0,2}/g;
const HEX = /(?<![0-9a-zA-Z])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:-]?){10,}/g;
const BINARY = /(?<!\d)(?:[01]{8}[ ,]?){5,}/g;
const DECIMAL = /(?:\b(?:3[2-9]|[4-9]\d|1[01]\d|12[0-6])(?:, ?| )){8,}(?:\d{2,3})?/g;
const TAGS = /[\u{e0020}-\u{e007e}]{4,}/gu;
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}/gu;
const ZERO_WIDTH = /[\u200b-\u200d\u2060-\u2064\ufeff]{24,}/g;
const REVERSED = /\u202e([^\u202c\n]{4,400})/g;
/** Escapes that stand for ordinary letters, which nobody needs to escape. */
const ESCAPED_LETTER =
  /\\u00[4-7][0-9a-fA-F]|\\u\{[0-9a-fA-F]{1,6}\}|\\x[4-7][0-9a-fA-F]|%[4-7][0-9a-fA-F]|%3[cC]|&#x?[0-9a-fA-F]{1,6};|&lt;/g;
const ESCAPES =
  /(?:%[0-9a-fA-F]{2})+|\\u\{[0-9a-fA-F]{1,6}\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|&#x[0-9a-fA-F]{1,6};|&#[0-9]{1,7};|&(?:lt|gt|quot|apos|amp|nbsp);/g;
/** How many letters before and after an escape are read with it. */
const AROUND = 300;
const NAMED: { readonly [name: string]: string } = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", nbsp: " " };

export const decoders: readonly Decoder[] = [
  (text) => pieces(text, BASE64, (piece) => utf8(Buffer.from(piece.replace(/[\r\n]/g, ""), "base64"))),
  (text) => pieces(text, HEX, (piece) => utf8(Buffer.from(piece.replace(/0x|\\x|[^0-9a-fA-F]/g, ""), "hex"))),
  (text) => pieces(text, BINARY, (piece) => utf8(Buffer.from(bytesOf(piece.replace(/[^01]/g, ""))))),
  (text) => pieces(text, DECIMAL, (piece) => String.fromCharCode(...piece.match(/\d+/g)!.slice(0, 4_000).map(Number))),
  (text) => (text.includes("\udb40") ? unseen(text, TAGS, tagged) : []),
  (text) => (/[\ufe00-\ufe0f]|\udb40/.test(text) ? unseen(text, SELECTORS, selected) : []),
  (text) => unseen(text, ZERO_WIDTH, zeroWidth),
  (text) =>
    text.includes("\u202e")
      ? [...text.matchAll(REVERSED)].map(({ 1: run, index }) => ({ text: reverse(run!), start: index, how: "hidden" as const }))
      : [],
];

/** Parts of the text around escapes that stand for letters, with the escapes read. */
export function unescaped(text: string): readonly Decoded[] {
  if (!/[\\%&]/.test(text)) return [];
  const parts: { start: number; end: number }[] = [];
  for (const { index } of text.matchAll(ESCAPED_LETTER)) {
    const last = parts.at(-1);
    if (last && index - last.end < AROUND) last.end = index + AROUND;
    else parts.push({ start: Math.max(last?.end ?? 0, index - AROUND), end: index + AROUND });
  }
  return parts.map(({ start, end }) => ({ text: text.slice(start, end).replace(ESCAPES, readEscape), start, how: "decoded" }));
}

function readEscape(written: string): string {
  if (written[0] === "%") return utf8(Buffer.from(written.replaceAll("%", ""), "hex")) ?? written;
  if (written[0] === "&") {
    const named = NAMED[written.slice(1, -1)];
    if (named) return named;
    return character(written[2] === "x" ? Number.parseInt(written.slice(3, -1), 16) : Number.parseInt(written.slice(2, -1), 10));
  }
  return character(Number.parseInt(written.replace(/[^0-9a-fA-F]/g, ""), 16));
}

/** A line break stays away: lines are counted in the outer text. */
const character = (code: number): string => (code === 10 || code > 0x10ffff ? " " : String.fromCodePoint(code));

const pieces = (text: string, pattern: RegExp, decode: (piece: string) => string | undefined): readonly Decoded[] =>
  [...text.matchAll(pattern)].flatMap(({ 0: piece, index }) => {
    const decoded = looksEncoded(piece) ? decode(piece) : undefined;
    return decoded !== undefined && isText(decoded) ? [{ text: decoded, start: index, how: "decoded" as const }] : [];
  });

const unseen = (text: string, pattern: RegExp, decode: (run: string) => string | undefined): readonly Decoded[] =>
  [...text.matchAll(pattern)].flatMap(({ 0: run, index }) => {
    const decoded = decode(run);
    return decoded !== undefined && isText(decoded) ? [{ text: decoded, start: index, how: "hidden" as const }] : [];
  });

/** Words and paths are made of the same letters; a look at the first bytes settles most of them. */
const looksEncoded = (piece: string): boolean => /[^a-z]/.test(piece.slice(0, 64));

function utf8(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? undefined : text;
}

/** Mostly letters and blanks, as people write. */
function isText(text: string): boolean {
  const head = text.slice(0, 400);
  const letters = head.match(/[\p{L}\s]/gu)?.length ?? 0;
  return text.length >= 6 && !/[\0-\x08\x0e-\x1f\x7f]/.test(head) && letters / [...head].length > 0.7;
}

const tagged = (run: string): string => [...run].map((letter) => String.fromCharCode(letter.codePointAt(0)! - 0xe0000)).join("");

const selected = (run: string): string | undefined =>
  utf8(
    Buffer.from(
      [...run].map((letter) => {
        const code = letter.codePointAt(0)!;
        return code < 0x10000 ? code - 0xfe00 : code - 0xe0100 + 16;
      }),
    ),
  );

/** Two characters without width, read as bits: either may be the one. */
function zeroWidth(run: string): string | undefined {
  const [zero, one] = [...new Set(run)];
  if (one === undefined) return undefined;
  for (const ones of [one, zero]) {
    const bits = [...run].map((letter) => (letter === ones ? "1" : "0")).join("");
    const text = utf8(Buffer.from(bytesOf(bits)));
    if (text !== undefined && isText(text)) return text;
  }
  return undefined;
}

const bytesOf = (bits: string): readonly number[] => (bits.match(/[01]{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));

const reverse = (text: string): string => [...text].reverse().join("");
