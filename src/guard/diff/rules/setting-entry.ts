// One value of a settings file, with the names that lead to it.

export interface Entry {
  /** Names from the outermost visible one, joined by dots. */
  readonly path: string;
  readonly value: string;
  readonly line: number;
  readonly isChanged: boolean;
  /** One of several values of the same name. */
  readonly isItem: boolean;
}

/** Without the quotes around it. */
export const bare = (text: string): string => {
  const value = text.trim().replace(/[,;]$/, "").trim();
  return /^(["'`])(.*)\1$/.exec(value)?.[2] ?? value;
};
