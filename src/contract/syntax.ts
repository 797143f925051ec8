/** Languages whose grammar is shipped, by the grammar's own name. */
export const LANGUAGES = ["javascript", "typescript", "tsx", "python", "go", "rust", "java", "c-sharp", "ruby", "php", "cpp"] as const;

export type Language = (typeof LANGUAGES)[number];

/** One node of a syntax tree as plain data. Words and operators are nodes as well, with `isNamed` false; brackets and commas are left out. */
export interface SyntaxNode {
  readonly type: string;
  /** Its role in its parent, where the grammar names one. */
  readonly field: string | undefined;
  readonly isNamed: boolean;
  /** Where it stands in the text that was parsed, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1 in the text that was parsed. */
  readonly line: number;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** In how many places the grammar could make no sense of the text. */
  readonly errors: number;
  readonly nodes: number;
  /** False when the text was too large or too deep to be read to its end. */
  readonly isComplete: boolean;
}

/** Loads the grammars of these languages. */
export type LoadSyntax = (languages: Iterable<Language>) => Promise<Syntax>;

/** The way to the grammars. Undefined: that grammar was not loaded, or gave up. */
export interface Syntax {
  readonly parse: (language: Language, text: string) => SyntaxTree | undefined;
}
