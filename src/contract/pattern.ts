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
  readonly lint: string;
  readonly build: string;
  readonly types: string;
  /** Writes coverage/lcov.info. */
  readonly coverage: string;
}

export interface Pattern {
  /** A way of thinking, a whole loop for one kind of work, or a small one for everyday work on a repository. */
  readonly kind: "pattern" | "loop" | "template";
  readonly name: string;
  readonly purpose: string;
  /** What holds whatever its workers do. */
  readonly invariant: string;
  readonly needs: readonly string[];
  /** The spec, with {{use}}, {{with}}, {{judge}}, {{test}} and the like where bindings go. */
  readonly text: string;
}

/** JSON is YAML, so that whatever a binding holds stays one value. */
export const boundText = ({ text }: Pick<Pattern, "text">, bindings: PatternBindings): string =>
  text.replaceAll(/\{\{(use|with|judge|test|lint|build|types|coverage)\}\}/g, (_, name: keyof PatternBindings) =>
    JSON.stringify(bindings[name]),
  );

/** What one run on the scripted model came to. */
export interface MeasuredLoop {
  /** Of the text that was run, as it is before anything is bound. */
  readonly text: string;
  /** How each round ended, and the run. */
  readonly ended: string;
  readonly calls: number;
  /** At 1,000 tokens read and 200 written for a call, and $3 and $15 for a million. */
  readonly usd: number;
  /** Of 0 to 100, of the dimensions below: a scripted model answers at once, and says nothing of speed. */
  readonly score: number;
  readonly band: string;
  readonly dimensions: { readonly [dimension: string]: number };
}
