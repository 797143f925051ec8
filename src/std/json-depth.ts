// How deep a JSON text goes, told without parsing it: a parser's cost for depth is its own.

/** Whether its lists and objects are nested deeper than this. Text that is no JSON gets some answer too. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at + 1);
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === QUOTE) return at;
  }
  return text.length;
}
