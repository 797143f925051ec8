// A stranger's text with everything in it that hides, moves or forges made visible: nothing acts, and nothing is lost.

/** Control characters but the line end and the tab, separators that some programs take for line ends, and all that has no shape of its own. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]|[\p{Cf}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** Lines stay lines. Control characters become their pictures (␛), the rest its number (⟨U+202E⟩). */
export const shownText = (text: string): string => text.toWellFormed().replaceAll("\r\n", "\n").replace(UNSEEN, picture);

/** Its first line, cut to so many characters. */
export function shownLine(text: string, most: number): string {
  const [line = ""] = shownText(
    text
      .trimStart()
      .split("\n", 1)[0]!
      .slice(0, most * 2 + 2),
  ).split("\n");
  const characters = [...line.replaceAll("\t", " ").trimEnd()];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}

function picture(char: string): string {
  const code = char.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
