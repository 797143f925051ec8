// Where the page is: the address as a value, and going elsewhere without loading anything anew.
import { signal } from "@preact/signals";

export type Route =
  | { readonly page: "now" }
  | { readonly page: "inbox"; readonly id: string | undefined }
  | { readonly page: "loops" }
  | { readonly page: "loop"; readonly loop: string }
  | { readonly page: "run"; readonly run: string }
  | { readonly page: "schedule" }
  | { readonly page: "spend" }
  | { readonly page: "ledger" }
  | { readonly page: "new" }
  | { readonly page: "lost"; readonly path: string };

export interface Place {
  readonly route: Route;
  readonly query: URLSearchParams;
}

/** Reads an address. Names of loops and runs are strangers' words: they are decoded, and looked up by the server. */
export function readPlace(path: string, search: string): Place {
  const query = new URLSearchParams(search);
  const [first, second, ...more] = path.split("/").filter(Boolean).map(decoded);
  if (more.length > 0) return { route: { page: "lost", path }, query };
  const route = routeOf(first, second) ?? { page: "lost", path };
  return { route, query };
}

function routeOf(first: string | undefined, second: string | undefined): Route | undefined {
  if (first === undefined) return { page: "now" };
  if (first === "inbox") return { page: "inbox", id: second };
  if (first === "loops") return second === undefined ? { page: "loops" } : { page: "loop", loop: second };
  if (first === "runs" && second !== undefined) return { page: "run", run: second };
  if (second !== undefined) return undefined;
  if (first === "schedule" || first === "spend" || first === "ledger" || first === "new") return { page: first };
  return undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const loopPath = (loop: string): string => `/loops/${encodeURIComponent(loop)}`;
export const runPath = (run: string): string => `/runs/${encodeURIComponent(run)}`;
export const inboxPath = (id: string): string => `/inbox/${encodeURIComponent(id)}`;
export const recordPath = (seq: number): string => `/ledger?at=${seq}`;

export const place = signal<Place>({ route: { page: "now" }, query: new URLSearchParams() });

const readHere = (): void => {
  place.value = readPlace(location.pathname, location.search);
};

export function go(path: string): void {
  if (path === `${location.pathname}${location.search}`) return;
  history.pushState(null, "", path);
  readHere();
  scrollTo(0, 0);
}

/** The same page with something else chosen on it: it stays where it is, and leaves no trace in the history. */
export function choose(changes: { readonly [name: string]: string | undefined }): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  history.replaceState(null, "", `${location.pathname}${search ? `?${search}` : ""}`);
  readHere();
}

/** Links of ours are followed here; whoever wants another tab gets one. */
export function followLinks(): void {
  readHere();
  addEventListener("popstate", readHere);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/") || link.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    go(`${link.pathname}${link.search}`);
  });
}
