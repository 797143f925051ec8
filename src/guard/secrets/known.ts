// Values that are known to be secrets, in every dress they are likely to be met in.

export interface KnownSecret {
  readonly kind: string;
  readonly value: string;
}

/** One dress of one secret. */
interface Form {
  readonly text: string;
  readonly of: KnownSecret;
}

/** Finds known values as they are, escaped, and encoded; the longest dress at a place counts. */
export interface KnownFinder {
  readonly isEmpty: boolean;
  find(text: string): Iterable<{ readonly start: number; readonly end: number; readonly of: KnownSecret }>;
}

export function knownFinder(known: readonly KnownSecret[]): KnownFinder {
  const forms = new Map<string, Form>();
  for (const of of known) for (const text of formsOf(of.value)) if (!forms.has(text)) forms.set(text, { text, of });
  const ordered = [...forms.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(ordered.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
  return {
    isEmpty: ordered.length === 0,
    *find(text) {
      if (ordered.length === 0) return;
      for (const match of text.matchAll(pattern)) {
        yield { start: match.index, end: match.index + match[0].length, of: forms.get(match[0])!.of };
      }
    },
  };
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
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    url.replaceAll("%20", "+"),
    encodeURI(value),
    value.replaceAll("'", "'\\''"),
    escapeMarkup(value),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
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
