// Strangers' text made plain: whatever hides, moves or draws becomes a named chip, and the rest is text and nothing but text.

export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "chip"; readonly label: string; readonly name: string };

/** A `line` stands within a sentence of ours, where a new line would be a forgery; a `block` is text of its own. */
export type Place = "line" | "block";

const C0 = [
  ["NUL", "null"],
  ["SOH", "start of heading"],
  ["STX", "start of text"],
  ["ETX", "end of text"],
  ["EOT", "end of transmission"],
  ["ENQ", "enquiry"],
  ["ACK", "acknowledge"],
  ["BEL", "bell"],
  ["BS", "backspace"],
  ["TAB", "tab"],
  ["LF", "new line"],
  ["VT", "vertical tab"],
  ["FF", "form feed"],
  ["CR", "carriage return"],
  ["SO", "shift out"],
  ["SI", "shift in"],
  ["DLE", "data link escape"],
  ["DC1", "device control 1"],
  ["DC2", "device control 2"],
  ["DC3", "device control 3"],
  ["DC4", "device control 4"],
  ["NAK", "negative acknowledge"],
  ["SYN", "synchronous idle"],
  ["ETB", "end of block"],
  ["CAN", "cancel"],
  ["EM", "end of medium"],
  ["SUB", "substitute"],
  ["ESC", "escape"],
  ["FS", "file separator"],
  ["GS", "group separator"],
  ["RS", "record separator"],
  ["US", "unit separator"],
] as const;

const NAMED = new Map<number, readonly [string, string]>([
  ...C0.map((named, code): [number, readonly [string, string]] => [code, named]),
  [0x7f, ["DEL", "delete"]],
  [0x85, ["NEL", "next line"]],
  [0x9b, ["CSI", "control sequence introducer"]],
  [0xad, ["SHY", "soft hyphen"]],
  [0x34f, ["CGJ", "combining grapheme joiner"]],
  [0x61c, ["ALM", "Arabic letter mark"]],
  [0x115f, ["HCF", "Hangul choseong filler"]],
  [0x1160, ["HJF", "Hangul jungseong filler"]],
  [0x180e, ["MVS", "Mongolian vowel separator"]],
  [0x200b, ["ZWSP", "zero-width space"]],
  [0x200c, ["ZWNJ", "zero-width non-joiner"]],
  [0x200d, ["ZWJ", "zero-width joiner"]],
  [0x200e, ["LRM", "left-to-right mark"]],
  [0x200f, ["RLM", "right-to-left mark"]],
  [0x2028, ["LS", "line separator"]],
  [0x2029, ["PS", "paragraph separator"]],
  [0x202a, ["LRE", "left-to-right embedding"]],
  [0x202b, ["RLE", "right-to-left embedding"]],
  [0x202c, ["PDF", "pop directional formatting"]],
  [0x202d, ["LRO", "left-to-right override"]],
  [0x202e, ["RLO", "right-to-left override"]],
  [0x2060, ["WJ", "word joiner"]],
  [0x2066, ["LRI", "left-to-right isolate"]],
  [0x2067, ["RLI", "right-to-left isolate"]],
  [0x2068, ["FSI", "first strong isolate"]],
  [0x2069, ["PDI", "pop directional isolate"]],
  [0x2800, ["BLANK", "blank of Braille"]],
  [0x3164, ["HF", "Hangul filler"]],
  [0xfeff, ["BOM", "byte order mark"]],
  [0xffa0, ["HHF", "halfwidth Hangul filler"]],
]);

/** What is never shown as it is: controls, what turns or hides text, tags, what stands for itself alone, and piles of marks. */
const HIDDEN =
  /\u034f|[\ufe00-\ufe0e]|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<=\p{M}{4})\p{M}+/gu;

/** One chip stands for as many as follow each other, so that a megabyte of them stays small. */
export function shown(text: string, place: Place): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  let repeated = 0;
  const addText = (until: number): void => {
    if (until > from) pieces.push({ kind: "text", text: text.slice(from, until) });
  };
  for (const match of text.matchAll(HIDDEN)) {
    const [hidden] = match;
    if (place === "block" && (hidden === "\n" || hidden === "\t")) continue;
    const chip = chipOf(hidden);
    const last = pieces.at(-1);
    const isAgain =
      match.index === from && last?.kind === "chip" && (last.label === chip.label || last.label.startsWith(`${chip.label} ×`));
    addText(match.index);
    from = match.index + hidden.length;
    if (!isAgain) {
      repeated = 1;
      pieces.push(chip);
      continue;
    }
    repeated += 1;
    pieces[pieces.length - 1] = { kind: "chip", label: `${chip.label} ×${repeated}`, name: `${chip.name}, ${repeated} times` };
  }
  addText(text.length);
  return pieces;
}

function chipOf(hidden: string): Extract<Piece, { kind: "chip" }> {
  const code = hidden.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/^\p{M}/u.test(hidden) && !NAMED.has(code) && !/[\ufe00-\ufe0e\u{e0000}-\u{e0fff}]/u.test(hidden))
    return { kind: "chip", label: `${[...hidden].length} marks`, name: `combining marks, from ${hex}` };
  const named = NAMED.get(code);
  if (named) return { kind: "chip", label: named[0], name: `${named[1]}, ${hex}` };
  if (code >= 0xe0020 && code <= 0xe007e)
    return { kind: "chip", label: `TAG ${String.fromCharCode(code - 0xe0000)}`, name: `tag character, ${hex}` };
  if (code >= 0xd800 && code <= 0xdfff) return { kind: "chip", label: hex.slice(2), name: `half of a character, ${hex}` };
  return { kind: "chip", label: hex.slice(2), name: `hidden character, ${hex}` };
}

/** The same as plain text, for titles and names that readers hear: chips in brackets that no text can forge, since theirs would be text. */
export function plainly(text: string, most: number = 500): string {
  const whole = shown(text.slice(0, most), "line")
    .map((piece) => (piece.kind === "text" ? piece.text : `[${piece.label}]`))
    .join("");
  return text.length > most ? `${whole}…` : whole;
}

/** A line longer than this is cut, and says by how much. */
export const LONGEST_LINE = 2000;

/** How much more one press of the button shows of what was cut. */
export const NEXT_PART = 65_536;

export interface Cut {
  readonly text: string;
  /** Characters that are not in it. */
  readonly left: number;
}

/** The text up to the first line that is too long, and so far into it as may be shown. */
export function cutLongLine(text: string, longest: number = LONGEST_LINE): Cut {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    if (stop - start > longest) return cutAt(text, start + longest);
    start = stop + 1;
  }
  return { text, left: 0 };
}

/** Never between the halves of one character. */
function cutAt(text: string, index: number): Cut {
  const at = /[\ud800-\udbff]/.test(text.charAt(index - 1)) ? index - 1 : index;
  return { text: text.slice(0, at), left: text.length - at };
}
