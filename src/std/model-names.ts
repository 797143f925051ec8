// Whether two names mean one language model: providers, gateways and clouds each write it their own way. Pure.

/** `cannot-tell`: one of them names a family, or whatever is newest, of which the other may be part. */
export type Likeness = "same" | "other" | "cannot-tell";

export function compareModels(one: string, other: string): Likeness {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.join() === b.join()) return "same";
  return isOpen(a, b) || isOpen(b, a) ? "cannot-tell" : "other";
}

/** Names that leave it to somebody else which model it is. */
const WHATEVER: ReadonlySet<string> = new Set(["auto", "best", "default", "opusplan"]);

/** A name without a number is a family: what has all its words may be what it means today. */
const isOpen = (name: readonly string[], other: readonly string[]): boolean =>
  name.length === 0 ||
  name.some((word) => WHATEVER.has(word)) ||
  (!name.some((word) => /\d/.test(word)) && name.every((word) => other.includes(word)));

/** The words that tell models apart, in one order: `claude-3-5-sonnet` and `claude-sonnet-3.5` are one. */
const wordsOf = (name: string): readonly string[] =>
  name
    .trim()
    .toLowerCase()
    .replace(/^.*\//, "") // who routes it: openrouter's, vertex', fireworks' and huggingface's paths, and ARNs
    .replace(/\[[^\]]*\]$/, "") // how much it may read
    .replace(/^(?:[a-z]{2,6}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|mistral|openai|qwen|writer)\./, "") // whose, and in which region
    .replace(/(?:[-:@](?:v\d+(?::\d+)?|\d{8}|\d{4}-\d{2}-\d{2}|latest|free|beta|preview|exp|nitro|online|thinking|fast))+$/, "") // which build, and how it is served
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .toSorted();
