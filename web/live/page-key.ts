// What this page keeps for its own origin, and sends with everything it asks: cookies know no port, and this does.
const KEY = "lw-page";
const HEADER = "x-lw-page";

/** From the answer that gave the cookie. */
export function keepKey(response: Response): void {
  const key = response.headers.get(HEADER);
  if (key !== null) localStorage.setItem(KEY, key);
}

export const keyHeader = (): { readonly [HEADER]: string } => ({ [HEADER]: localStorage.getItem(KEY) ?? "" });
