/** A word that a POSIX shell reads as itself. */
export const shellWord = (text: string): string => (/^[A-Za-z0-9_./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
