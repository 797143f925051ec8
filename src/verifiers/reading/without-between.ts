/** The text without what stands between two marks, one after the other. A text full of beginnings takes no longer than another. */
export function withoutBetween(text: string, open: string, close: string): string {
  let rest = "";
  for (let at = 0; ; ) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length);
    if (end < 0) return rest + text.slice(at);
    rest += `${text.slice(at, start)} `;
    at = end + close.length;
  }
}
