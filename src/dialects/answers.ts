// What somebody says with --set, and which names were ever asked for: an answer to nothing is a slip of the pen, and is not passed over.

export class Answers extends Map<string, string> {
  readonly #asked: Set<string>;

  constructor(said: Iterable<readonly [string, string]>, asked: Set<string> = new Set()) {
    super();
    this.#asked = asked;
    for (const [name, value] of said) this.set(name, value);
  }

  override get(name: string): string | undefined {
    this.#asked.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.#asked.add(name);
    return super.has(name);
  }

  get asked(): readonly string[] {
    return [...this.#asked].toSorted();
  }

  get unasked(): readonly string[] {
    return [...this.keys()].filter((name) => !this.#asked.has(name));
  }

  /** The same, where a file itself says some of it; whatever is asked of either was asked. */
  over(said: ReadonlyMap<string, string>): Answers {
    return new Answers([...said, ...this], this.#asked);
  }
}

export const answersIn = (set: ReadonlyMap<string, string>): Answers => (set instanceof Answers ? set : new Answers(set));
