// Cuts a stream of bytes into lines, whatever it holds: a line without end costs no more than a line may.

export interface LineReader {
  /** The lines that these bytes made whole, without their ends. */
  add(bytes: Uint8Array): readonly string[];
  /** What was left without an end. */
  end(): readonly string[];
}

/** Bytes that are no UTF-8 become replacement characters; of a line longer than `most` characters the rest is lost. */
export function createLineReader(most: number): LineReader {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let begun = "";
  const take = (text: string): readonly string[] => {
    const pieces = text.split("\n");
    const whole = pieces.slice(0, -1).map((piece) => {
      const line = cut(begun, piece);
      begun = "";
      return line.endsWith("\r") ? line.slice(0, -1) : line;
    });
    begun = cut(begun, pieces.at(-1)!);
    return whole;
  };
  const cut = (before: string, piece: string): string => before + piece.slice(0, Math.max(0, most - before.length));
  return {
    add: (bytes) => take(decoder.decode(bytes, { stream: true })),
    end() {
      const lines = [...take(decoder.decode()), begun];
      begun = "";
      return lines.filter((line) => line !== "");
    },
  };
}
