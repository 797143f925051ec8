// How messages name places in a spec, and quote what strangers wrote in it.

export type Path = readonly (string | number)[];

/** As people write it: `verifiers[0].with.run`; the spec as a whole is `spec`. */
export function showPath(path: Path): string {
  if (path.length === 0) return "spec";
  return path.map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${plainKey(step)}`)).join("");
}

/** In backticks, cut to a line's length, and without anything that would disturb a terminal. */
export const quoted = (text: string): string => `\`${printable(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)}\``;

/** Whether one path is the other or lies inside it. */
export const isWithin = (path: Path, outer: Path): boolean => outer.every((step, index) => path[index] === step);

const LONGEST = 100;

const plainKey = (key: string): string => (/^[\w$-]{1,60}$/.test(key) ? key : `"${quoted(key).slice(1, -1)}"`);

const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
