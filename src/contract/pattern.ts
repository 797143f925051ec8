// A pattern of thought as a ready-made spec: what it is for, what always holds of it, and the text that a person writes to a file.

/** What a text leaves open, and who writes it out says. */
export interface PatternBindings {
  /** A maker that asks a model, and its options. */
  readonly use: string;
  readonly with: { readonly [option: string]: unknown };
  /** A model that did not make it. */
  readonly judge: { readonly [option: string]: unknown };
  /** The command that proves a change. */
  readonly test: string;
}

export interface Pattern {
  readonly name: string;
  readonly purpose: string;
  /** Of the taxonomy: from 1, a single step, to 6, a loop that improves loops. */
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** What holds whatever its workers do. */
  readonly invariant: string;
  readonly needs: readonly string[];
  /** The spec, with {{use}}, {{with}}, {{judge}} and {{test}} where bindings go. */
  readonly text: string;
}

/** JSON is YAML, so that whatever a binding holds stays one value. */
export const boundText = ({ text }: Pick<Pattern, "text">, bindings: PatternBindings): string =>
  text.replaceAll(/\{\{(use|with|judge|test)\}\}/g, (_, name: keyof PatternBindings) => JSON.stringify(bindings[name]));
