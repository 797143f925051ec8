// Amounts of US dollars: read as a spec writes them, written as people read them.

const WHOLE = /^\$(?=.*[1-9])(\d+(?:\.\d{1,4})?)$/;

/** Dollars above zero; undefined when the text is not such an amount. */
export function parseUsd(text: string): number | undefined {
  const amount = WHOLE.exec(text)?.[1];
  return amount === undefined ? undefined : Math.min(Number(amount), Number.MAX_SAFE_INTEGER);
}

/** With cents, and with up to four digits where cents would hide what was spent. */
export function formatUsd(usd: number): string {
  const cents = usd.toFixed(2);
  const exact = usd.toFixed(4);
  return `$${Number(cents) === Number(exact) ? cents : exact.replace(/0$/, "")}`;
}
