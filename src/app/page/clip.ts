// Cuts strangers' text for one-line places and changes nothing else about it: whoever shows it makes visible what hides in it.

export const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text);
