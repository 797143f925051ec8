// Makes a stranger's words fit to be shown on one line.

/** What cannot be seen, or turns the direction of what can: formatting marks, fillers, half characters, private ones. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cs}\p{Co}]/gu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
const CONTROL_BUT_LINE_ENDS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** One line without control characters, cut to so many characters. */
export function displayLine(text: string, most: number): string {
  const line = text.replace(INVISIBLE, "").replace(CONTROL, " ").replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : line;
}

/** The text as a reader would see it, whatever look-alikes and marks it was written with; lines stay lines. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, "").normalize("NFKC").replace(CONTROL_BUT_LINE_ENDS, " ");
