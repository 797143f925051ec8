// Reads what somebody wrote where a commit id should stand. Only hexadecimal digits are looked up: never a name, a path or an option.

export type AskedId =
  | { readonly kind: "full"; readonly id: string }
  | { readonly kind: "short"; readonly prefix: string }
  /** Could be an id somewhere, but not in a repository whose ids are this long. */
  | { readonly kind: "too-long" }
  | { readonly kind: "malformed"; readonly why: string };

/** The longest id of any repository. */
const LONGEST = 64;

/** `shortest` is how many digits an abbreviation must have. */
export function readAskedId(text: string, idLength: number, shortest: number): AskedId {
  if (!/^[0-9a-f]+$/i.test(text)) return { kind: "malformed", why: "not an object id: only hexadecimal digits are looked up" };
  if (text.length < shortest) return { kind: "malformed", why: `too short to stand for one object: give at least ${shortest} digits` };
  if (text.length > LONGEST) return { kind: "malformed", why: "longer than any object id" };
  if (text.length > idLength) return { kind: "too-long" };
  const id = text.toLowerCase();
  return id.length === idLength ? { kind: "full", id } : { kind: "short", prefix: id };
}
