// Bytes to text without losing any: what is no UTF-8 is read byte for byte.

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeBytes(bytes);
  }
}

/** A file as its readers would see it, by its byte order mark if it has one; undefined where it is no text. */
export function decodeFile(bytes: Uint8Array): string | undefined {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked) return marked.decode(bytes.subarray(marked.mark.length));
  return bytes.subarray(0, LOOKED_AT).includes(0) ? undefined : decodeText(bytes);
}

/** As far as git looks for a NUL. */
const LOOKED_AT = 8_000;

/** One character a byte. The decoder called latin1 is another one, which changes some. */
function decodeBytes(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  return parts.join("");
}

/** The longer marks first: one of them begins like a shorter one. */
const MARKS: readonly { readonly mark: readonly number[]; readonly decode: (bytes: Uint8Array) => string }[] = [
  { mark: [0xff, 0xfe, 0, 0], decode: (bytes) => decodeWide(bytes, true) },
  { mark: [0, 0, 0xfe, 0xff], decode: (bytes) => decodeWide(bytes, false) },
  { mark: [0xef, 0xbb, 0xbf], decode: decodeText },
  { mark: [0xff, 0xfe], decode: (bytes) => new TextDecoder("utf-16le").decode(bytes) },
  { mark: [0xfe, 0xff], decode: (bytes) => new TextDecoder("utf-16be").decode(bytes) },
];

/** UTF-32, which no decoder at hand knows. */
function decodeWide(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const characters: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = view.getUint32(at, isLittle);
    characters.push(point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd");
  }
  return characters.join("");
}
