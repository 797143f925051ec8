// Entries of a lexicon as one graph: `skip (the |)(review|approval)` is four phrases, and is kept once for each of its parts.

/** Where one may be inside a phrase: at its end, or before one more token. What follows is shared by all that lead to it. */
export type Step<Token> =
  | { readonly kind: "end"; readonly concept: number }
  | { readonly kind: "token"; readonly token: Token; readonly then: readonly Step<Token>[] };

/** `(a|b)` is one of several, `(a)?` may be left out. `tokensOf` parts what stands between these marks. */
export function phraseSteps<Token>(entry: string, tokensOf: (plain: string) => readonly Token[], concept: number): readonly Step<Token>[] {
  return compile(parse(entry), tokensOf, [{ kind: "end", concept }]);
}

/** The steps behind a token; nothing when none of them goes on with it. */
export function stepsBehind<Token>(steps: readonly Step<Token>[], token: Token): readonly Step<Token>[] | undefined {
  let first: readonly Step<Token>[] | undefined;
  let all: Step<Token>[] | undefined;
  for (const step of steps) {
    if (step.kind !== "token" || step.token !== token) continue;
    if (all) all.push(...step.then);
    else if (first) all = [...first, ...step.then];
    else first = step.then;
  }
  return all ?? first;
}

type Item = { readonly kind: "plain"; readonly text: string } | { readonly kind: "choice"; readonly of: readonly (readonly Item[])[] };

/** From the end to the start, so that what follows a choice is made once and shared. */
function compile<Token>(
  items: readonly Item[],
  tokensOf: (plain: string) => readonly Token[],
  tail: readonly Step<Token>[],
): readonly Step<Token>[] {
  return items.reduceRight<readonly Step<Token>[]>((rest, item) => {
    if (item.kind === "choice") return [...new Set(item.of.flatMap((choice) => compile(choice, tokensOf, rest)))];
    return tokensOf(item.text).reduceRight<readonly Step<Token>[]>((then, token) => [{ kind: "token", token, then }], rest);
  }, tail);
}

function parse(entry: string): readonly Item[] {
  let at = 0;
  return readItems();

  function readItems(): readonly Item[] {
    const items: Item[] = [];
    while (at < entry.length && entry[at] !== "|" && entry[at] !== ")") {
      if (entry[at] === "(") items.push(readChoice());
      else items.push(readPlain());
    }
    return items;
  }

  function readPlain(): Item {
    const start = at;
    while (at < entry.length && !"(|)?".includes(entry[at]!)) at++;
    return { kind: "plain", text: entry.slice(start, at) };
  }

  function readChoice(): Item {
    const of: (readonly Item[])[] = [];
    do {
      at++;
      of.push(readItems());
    } while (entry[at] === "|");
    at++;
    if (entry[at] !== "?") return { kind: "choice", of };
    at++;
    return { kind: "choice", of: [...of, []] };
  }
}
