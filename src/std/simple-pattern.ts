// Whether a regular expression is simple enough to be tried on strangers' text: one that cannot take long, whatever it is tried on.

/** So many may repeat without end: each of them can make the time grow by the length of the text once more. */
const MOST_ENDLESS = 3;

/** What is wrong with it, or undefined. It must be tried on the whole of a short text. */
export function patternProblem(pattern: string): string | undefined {
  try {
    new RegExp(`^(?:${pattern})$`, "u");
  } catch {
    return "is no regular expression";
  }
  // What is escaped, or stands in a class, is one character.
  const bare = pattern.replaceAll(/\\[pPu]\{[^}]*\}|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}/g, "c");
  if (/\\[1-9k]/.test(bare)) return "refers back to a group";
  const flat = bare.replaceAll(/\\./g, "c").replaceAll(/\[[^\]]*\]/g, "c");
  if (/\(\?(?!:)/.test(flat)) return "looks around, or names a group";
  if (/\)[*+{]/.test(flat)) return "repeats a group";
  return (flat.match(/[*+]|\{\d*,\d*\}/g) ?? []).length > MOST_ENDLESS ? `repeats more than ${MOST_ENDLESS} things` : undefined;
}
