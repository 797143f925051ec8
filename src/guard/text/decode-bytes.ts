// Bytes to text, whatever they are: a byte that is not understood must not become a byte that is not looked at.

export interface DecodedBytes {
  readonly text: string;
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
}

export function decodeBytes(bytes: Uint8Array): DecodedBytes {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodedAs("utf-16le", bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodedAs("utf-16be", bytes);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return decodedAs("windows-1252", bytes); // every byte has a letter there
  }
}

const decodedAs = (encoding: Exclude<DecodedBytes["encoding"], "utf-8">, bytes: Uint8Array): DecodedBytes => ({
  text: new TextDecoder(encoding).decode(bytes).toWellFormed(),
  encoding,
});
