// Words of others in what is answered: marked as such, without what hides in them, cut to a stated size, and withheld where they read like orders.
import { untrustedText } from "../contract/text.ts";
import { admit } from "../guard/text/admit.ts";
import { displayLine, visibleText } from "../std/display-text.ts";

/** No answer is longer than so many characters. */
export const MOST_CHARS = 40_000;

export type Marked =
  | { readonly untrusted: string; readonly isCut?: true }
  /** It reads like an injection; a person can see it with the command line. */
  | { readonly withheld: string };

/** Nothing here has an owner that could be asked: whatever was recorded may have come from anybody. */
export function marked(text: string, most = 300): Marked {
  const whole = text.slice(0, MOST_LOOKED);
  const admission = admit(untrustedText(whole), { source: "the record", trust: "outsider", mostChars: most });
  if (admission.kind === "refused") return { withheld: admission.why };
  const characters = [...visibleText(whole)];
  const isCut = characters.length > most || text.length > MOST_LOOKED;
  return { untrusted: characters.slice(0, most).join(""), ...(isCut ? { isCut } : {}) };
}

/** What whoever asks sent us itself: marked all the same, and not looked through once more. */
export const echoed = (text: string, most: number): Marked => ({ untrusted: displayLine(text, most) });

/** Far more than is ever shown at once. */
const MOST_LOOKED = 20_000;

/** The first of them that fit into a part of an answer, and how many are left. */
export function fitting<T>(items: readonly T[], most = MOST_CHARS - 6_000): { readonly items: readonly T[]; readonly left: number } {
  let chars = 0;
  const end = items.findIndex((item) => {
    chars += JSON.stringify(item).length + 1;
    return chars > most;
  });
  return end < 0 ? { items, left: 0 } : { items: items.slice(0, end), left: items.length - end };
}
