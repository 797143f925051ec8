// Whether two names mean one language model: providers, gateways and clouds each write it their own way. Pure.

/** `cannot-tell`: one of them names a family, or whatever is newest, or what only its owner's account knows, of which the other may be part. */
export type Likeness = "same" | "other" | "cannot-tell";

export function compareModels(one: string, other: string): Likeness {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (isHandle(one) || isHandle(other)) return one.trim() === other.trim() ? "same" : "cannot-tell";
  if (a.join() === b.join()) return "same";
  return isOpen(a, b) || isOpen(b, a) ? "cannot-tell" : "other";
}

/** Numbers that an account gives to a model: what is behind them is not in the name. */
const isHandle = (name: string): boolean =>
  /:(?:application-inference-profile|provisioned-model|custom-model|imported-model)\//i.test(name);

/** Names that leave it to somebody else which model it is. */
const WHATEVER: ReadonlySet<string> = new Set(["auto", "best", "default", "opusplan"]);

/** A name without a number is a family: what has all its words may be what it means today. */
const isOpen = (name: readonly string[], other: readonly string[]): boolean =>
  name.length === 0 ||
  name.some((word) => WHATEVER.has(word)) ||
  (!name.some((word) => /\d/.test(word)) && name.every((word) => other.includes(word)));

/** Whose it is, and in which region, as clouds and gateways write it before the name. */
const OWNERS = "ai21|amazon|anthropic|cohere|databricks|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|writer|zai";
const OWNER = new RegExp(`^(?:[a-z][a-z-]{1,6}\\.)?(?:(?:${OWNERS})\\.|(?:anthropic|databricks|google|meta|openai)-)`);

/** Which build of it, how it is served, by whom, and how small its numbers were made: what comes last in a name. */
const BUILDS = [
  "v?\\d+:\\d+",
  "v\\d+(?=@)",
  "\\d{8}",
  "\\d{4}-\\d{2}-\\d{2}",
  "(?:0[1-9]|1[0-2])-(?:\\d{4}|0[1-9]|[12]\\d|3[01])",
  "(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])", // month and day
  "2[3-9](?:0[1-9]|1[0-2])", // year and month
  "00\\d",
  "latest|free|beta|preview|exp|nitro|floor|exacto|extended|online|thinking|fast|chat|instruct(?:-turbo)?|versatile|instant|it|hf",
  "q\\d(?:_\\w+)?|fp8|fp16|bf16|int[48]|awq|gptq|gguf|mlx",
];
const BUILD = new RegExp(`(?:[-:@](?:${BUILDS.join("|")}))+$`);
/** After a colon alone: with a dash it may be part of the name. */
const SERVED_BY =
  /:(?:together|groq|cerebras|novita|nebius|sambanova|fireworks-ai|hyperbolic|featherless-ai|nscale|fastest|cheapest|preferred)$/;

/** The words that tell models apart, in one order: `claude-3-5-sonnet` and `claude-sonnet-3.5` are one. */
const wordsOf = (name: string): readonly string[] => {
  const words = name
    .trim()
    .toLowerCase()
    .replace(/^.*\//, "") // who routes it: openrouter's, vertex', fireworks' and huggingface's paths, and ARNs
    .replace(/\[[^\]]*\]$/, "") // how much it may read
    .replace(/^(?:[a-z][a-z-]{1,6}\.)?deepseek\./, "deepseek-") // whose models are called by a letter
    .replace(OWNER, "")
    .replace(SERVED_BY, "")
    .replace(BUILD, "")
    .replace(/([a-z]{3,})(?=\d)/g, "$1 ") // llama3 and llama-3
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const isShort = words.some((word) => CLAUDES.has(word)) && !words.includes("claude");
  return (isShort ? [...words, "claude"] : words).toSorted();
};

/** Called by that alone, too. */
const CLAUDES: ReadonlySet<string> = new Set(["opus", "sonnet", "haiku"]);
