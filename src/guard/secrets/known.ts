// Values that are known to be secrets, in every dress they are likely to be met in.
import { anchorFinder } from "./anchors.ts";

export interface KnownSecret {
  readonly kind: string;
  readonly value: string;
}

/** One dress of one secret. */
interface Form {
  readonly text: string;
  readonly of: KnownSecret;
}

/** Finds known values as they are, escaped, and encoded, in small letters and in capitals. */
export interface KnownFinder {
  readonly isEmpty: boolean;
  find(text: string): Iterable<{ readonly start: number; readonly end: number; readonly of: KnownSecret }>;
}

export function knownFinder(known: readonly KnownSecret[]): KnownFinder {
  const forms = new Map<string, Form>();
  for (const of of known)
    for (const dress of formsOf(of.value)) {
      const text = inSmall(dress);
      if (!forms.has(text)) forms.set(text, { text, of });
    }
  const findForms = anchorFinder([...forms.keys()]);
  return {
    isEmpty: forms.size === 0,
    find(text) {
      if (forms.size === 0) return [];
      const found: { start: number; end: number; of: KnownSecret }[] = [];
      findForms(inSmall(text), (form, start) => found.push({ start, end: start + form.length, of: forms.get(form)!.of }));
      return found;
    },
  };
}

/** In small letters and in capitals a value is still told. One letter of Turkish grows when it is made small: then all places would be off. */
function inSmall(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function formsOf(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const url = encodeURIComponent(value);
  const bytes = Buffer.from(value, "utf8");
  return [
    value,
    // The same bytes, where text is read byte by byte.
    bytes.toString("latin1"),
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    url,
    url.replaceAll("%20", "+"),
    encodeURI(value),
    value.replaceAll("'", "'\\''"),
    escapeMarkup(value),
    bytes.toString("hex"),
    ...[0, 1, 2].flatMap((shift) => base64Cores(bytes, shift)),
  ].filter((form) => form.length >= Math.min(6, value.length));
}

const MARKUP: { readonly [sign: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => MARKUP[sign]!);

/** The characters of base64 that this value alone decides, when so many bytes stand before it in the first group of three. */
function base64Cores(bytes: Buffer, shift: number): readonly string[] {
  const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const first = shift === 0 ? 0 : shift + 1;
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  const core = encoded.slice(first, whole);
  return core.length < 8 ? [] : [core, core.replaceAll("+", "-").replaceAll("/", "_")];
}
