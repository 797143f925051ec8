// Reads a wish in one sentence by its structure: what should be done (the verb), to what (the head of its object), and when (a condition or a time).

/** What kind of loop a sentence asks for. */
export const WISH_KINDS = ["mend", "watch", "format", "lint", "upkeep", "tests", "change", "think"] as const;
export type WishKind = (typeof WISH_KINDS)[number];

export type WishTime =
  | { readonly kind: "daily"; readonly at: string | undefined }
  | { readonly kind: "weekly"; readonly on: string | undefined; readonly at: string | undefined }
  | { readonly kind: "every"; readonly interval: string }
  | { readonly kind: "cron"; readonly schedule: string }
  /** It says when, in words that are not understood here. */
  | { readonly kind: "unread"; readonly words: string }
  /** When something of the repository happened. */
  | { readonly kind: "git" };

export interface ReadWish {
  readonly kind: "read";
  readonly means: WishKind;
  /** The words that the verb is about. */
  readonly object: string;
  /** What must have happened first, in the sentence's own words. */
  readonly condition?: string | undefined;
  readonly why: readonly string[];
  readonly runnerUp: { readonly means: WishKind; readonly why: string };
  readonly when: WishTime | undefined;
  /** Which of our ready-made loops thinks it through; undefined where nothing is to be thought through. */
  readonly pattern?: string | undefined;
}

export type WishReading =
  | ReadWish
  | { readonly kind: "unsure"; readonly why: string; readonly question: string; readonly could: readonly WishKind[] };

const LONGEST = 500;

export function readWish(sentence: string): WishReading {
  if (sentence.length > LONGEST) return unsure("it is longer than one sentence");
  const { text, when } = takeTime(normal(sentence));
  const clauses = clausesOf(text);
  const orders = clauses.flatMap(orderIn);
  const readings = orders.flatMap((order) => {
    const means = meaningOf(order, clauses);
    return means === undefined ? [] : [{ order, means }];
  });
  const [first] = readings;
  if (!first) return unsure(whyNothing(orders));
  const other = readings.find(({ means }) => means !== first.means);
  if (other?.order.clause.joins === "or")
    return unsure(`it asks for one thing or another, "${first.order.verb}" or "${other.order.verb}"`, [first.means, other.means]);
  const apart = readings.find(
    ({ means }) => FAMILY[means] !== "told" && FAMILY[first.means] !== "told" && FAMILY[means] !== FAMILY[first.means],
  );
  if (apart)
    return unsure(`it asks for two things that take a loop each, "${first.order.verb}" and "${apart.order.verb}"`, [
      first.means,
      apart.means,
    ]);
  const happens = [
    ...clauses.filter(({ isCondition }) => isCondition).map((clause) => clause.text),
    ...(first.means === "watch" ? [first.order.condition] : []),
  ];
  return {
    kind: "read",
    means: first.means,
    object: first.order.phrase.join(" "),
    condition: happens.filter((words) => words !== undefined).join(" "),
    why: whyOf(first.order, first.means),
    runnerUp: other ? { means: other.means, why: `it also says "${other.order.verb}", after that` } : NEXT_TO[first.means],
    when: when ?? (happens.some(isHappening) ? { kind: "git" } : undefined),
    ...(first.means === "think" ? { pattern: patternFor(first.order) } : {}),
  };
}

/** What one loop can do together: what one opens or is proven by must not hold for the other. A report goes with everything. */
const FAMILY: { readonly [kind in WishKind]: "told" | "tested" | "format" | "lint" | "upkeep" | "thought" } = {
  watch: "told",
  mend: "tested",
  change: "tested",
  tests: "tested",
  format: "format",
  lint: "lint",
  upkeep: "upkeep",
  think: "thought",
};

const unsure = (why: string, could: readonly WishKind[] = WISH_KINDS): WishReading => ({
  kind: "unsure",
  why,
  question: "What should the loop do?",
  could,
});

function whyNothing([first]: readonly Order[]): string {
  if (!first) return "no verb in it says what should be done to a repository";
  return first.phrase.length === 0
    ? `it does not say what to ${first.verb}`
    : `"${first.verb} ${first.phrase.join(" ")}" is nothing that a loop of ours does`;
}

/** Small letters, one kind of quotes and spaces, and nothing that is only polite. */
const normal = (sentence: string): string =>
  sentence
    .toLowerCase()
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”"`()]/g, " ")
    // What somebody wants to have or to be so is an order to get it.
    .replaceAll(/\b(?:i|we) (?:want|need|would like) (more|better) /g, "add $1 ")
    .replaceAll(/\b(?:i|we) (?:want|need|would like) (?!to\b|you\b)(.{1,100}?) to (?:be|become|stay)\b/g, "get $1")
    .replaceAll(/\b(?:make sure|ensure|see to it) (?:that )?(?!to\b)/g, "keep ")
    .replaceAll(/[.!?]+(?=\s|$)/g, " ; ")
    .replaceAll(
      /\b(?:please|kindly|could you|can you|would you|i (?:want|need|would like) (?:you )?to|i'd like (?:you )?to|make sure to|always|automatically)\b/g,
      " ",
    )
    .replaceAll(/\s+/g, " ")
    .trim();

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";

/** Minute and hour of a schedule. */
const clockOf = (at: string): string => {
  const [hour, minute] = at.split(":").map(Number);
  return `${minute} ${hour}`;
};
const NUMBERS: { readonly [word: string]: number } = { other: 2, second: 2, two: 2, three: 3, four: 4, five: 5, six: 6, twelve: 12 };
const SMALL_HOURS = "06:00";

/** What is undefined here says when, and cannot be had. */
const TIMES: readonly (readonly [RegExp, (found: RegExpExecArray, at: string | undefined) => WishTime | undefined])[] = [
  [new RegExp(`\\b(?:every|each|on) ${DAY}(?:(?:,? and |, )(?:on )?${DAY})*\\b`), ([said], at) => onDays(said, at)],
  [
    /\b(?:every|each|on) (?:weekdays?|work(?:ing)? ?days?)\b/,
    (_, at) => ({ kind: "cron", schedule: `${clockOf(at ?? SMALL_HOURS)} * * 1-5` }),
  ],
  [
    /\b(?:on )?(?:the )?(?:first|1st)(?: day)? of (?:every|each|the) month\b/,
    (_, at) => ({ kind: "cron", schedule: `${clockOf(at ?? SMALL_HOURS)} 1 * *` }),
  ],
  [
    /\b(?:every|each) (\d{1,4}|other|second|two|three|four|five|six|twelve) (minute|hour|day|week)s?\b/,
    ([, many = "", unit = ""], at) => {
      const count = NUMBERS[many] ?? Number(many);
      // An interval begins anywhere, and so keeps no time of day.
      return count < 1 || at !== undefined
        ? undefined
        : { kind: "every", interval: `${unit === "week" ? 7 * count : count}${unit === "week" ? "d" : unit[0]}` };
    },
  ],
  [
    /\b(twice|(?:two|three|four|six|[2-9]|12) times) (?:a|per|every|each) day\b/,
    ([, many = ""], at) => {
      const [word = ""] = many.split(" ");
      const count = word === "twice" ? 2 : (NUMBERS[word] ?? Number(word));
      return at !== undefined || 24 % count !== 0 ? undefined : { kind: "every", interval: `${24 / count}h` };
    },
  ],
  [/\b(?:every|each) night\b|\bnightly\b|\bovernight\b/, (_, at) => ({ kind: "daily", at: at ?? "02:30" })],
  [/\b(?:every|each) morning\b/, (_, at) => ({ kind: "daily", at: at ?? "07:00" })],
  [/\b(?:every|each) evening\b/, (_, at) => ({ kind: "daily", at: at ?? "19:00" })],
  [/\b(?:every|each) day\b|\bdaily\b|\bonce a day\b/, (_, at) => ({ kind: "daily", at })],
  [/\b(?:every|each) week\b|\bweekly\b|\bonce a week\b/, (_, at) => ({ kind: "weekly", on: undefined, at })],
  [/\b(?:every|each) month\b|\bmonthly\b|\bonce a month\b/, () => ({ kind: "every", interval: "30d" })],
  [/\b(?:every|each) hour\b|\bhourly\b/, () => ({ kind: "every", interval: "1h" })],
];

function onDays(said: string, at: string | undefined): WishTime {
  const days = [...said.matchAll(new RegExp(`\\b${DAY}\\b`, "g"))].map(([day]) => DAYS.findIndex((one) => day.startsWith(one)));
  const [first = 1] = days;
  if (new Set(days).size === 1) return { kind: "weekly", on: DAYS[first], at };
  return { kind: "cron", schedule: `${clockOf(at ?? SMALL_HOURS)} * * ${[...new Set(days)].toSorted((a, b) => a - b).join(",")}` };
}

/** What still says when after a time was taken out: then it was not understood as a whole. */
const MORE_TIME = new RegExp(
  `\\b(?:every|each) (?:[\\w-]+ )?(?:minutes?|hours?|days?|weekdays?|weekends?|weeks?|months?|quarters?|years?|${DAY})\\b|\\b(?:once|twice|thrice|[\\w-]+ times) (?:a|an|per) (?:minute|hour|day|week|month|year)\\b|\\bat \\d{1,3}:\\d{1,3}\\b|\\b(?:at )?\\d{1,3} ?[ap]\\.?m\\b`,
);

interface Clock {
  readonly at: string;
  readonly words: string;
}

/** A time of day. A bare number after "at" is one only where something else says when. */
function clockIn(sentence: string): Clock | undefined {
  const found =
    /\b(?:at )?(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b\.?/.exec(sentence) ??
    /\b(?:at )?(\d{1,2}):(\d{2})\b/.exec(sentence) ??
    (TIMES.some(([pattern]) => pattern.test(sentence)) ? /\bat (\d{1,2})(?: o'clock)?(?=$|[ ,;])(?! (?:percent|%))/.exec(sentence) : null);
  if (!found) return undefined;
  const [words, hours = "", minutes = "00", half] = found;
  const said = Number(hours);
  if (half !== undefined && (said < 1 || said > 12)) return undefined;
  const hour = half === undefined ? said : (said % 12) + (half === "p" ? 12 : 0);
  return hour > 23 || Number(minutes) > 59 ? undefined : { at: `${`${hour}`.padStart(2, "0")}:${minutes}`, words };
}

/** Takes out what says when, wherever it stands. What is not understood of it makes no time of its own. */
function takeTime(sentence: string): { readonly text: string; readonly when: WishTime | undefined } {
  const clock = clockIn(sentence);
  let text = clock ? sentence.replace(clock.words, " ").replaceAll(/\s+/g, " ") : sentence;
  let when: WishTime | undefined = clock && { kind: "daily", at: clock.at };
  for (const [pattern, told] of TIMES) {
    const found = pattern.exec(text);
    if (!found) continue;
    when = told(found, clock?.at) ?? { kind: "unread", words: `${found[0]}${clock ? ` ${clock.words.trim()}` : ""}` };
    text = text.replace(found[0], " ");
    break;
  }
  const more = MORE_TIME.exec(text);
  if (more) return { text: text.replace(more[0], " ").replaceAll(/\s+/g, " ").trim(), when: { kind: "unread", words: more[0] } };
  return { text: text.replaceAll(/\s+/g, " ").trim(), when };
}

/** What a verb does to its object. */
type Deed = "mend" | "tell" | "format" | "clear" | "raise" | "update" | "write" | "keep" | "make" | "stop" | "run" | "think";

const VERBS: { readonly [verb: string]: Deed } = Object.fromEntries(
  (
    [
      ["mend", "fix repair mend correct resolve debug solve patch heal sort address"],
      [
        "tell",
        "tell summarise summarize report list notify inform show rank review watch alert triage monitor know give let digest send email mail flag look",
      ],
      ["format", "format reformat prettify beautify"],
      ["clear", "tidy clean clear remove eliminate drop reduce silence"],
      ["raise", "bump upgrade"],
      ["update", "update raise refresh"],
      ["write", "write add increase improve extend cover create implement introduce build support allow enable"],
      ["keep", "keep"],
      ["make", "make get"],
      ["stop", "stop prevent"],
      ["run", "run apply"],
      ["think", "research investigate explore brainstorm debate weigh compare decide choose draft validate find work"],
    ] satisfies readonly (readonly [Deed, string])[]
  ).flatMap(([deed, words]) => words.split(" ").map((word) => [word, deed])),
);

interface Clause {
  readonly text: string;
  readonly joins: "or" | "other";
  readonly isCondition: boolean;
}

/** Where one clause ends: at a stop, or at "and" and its like where another order follows. */
const BOUNDARY = new RegExp(
  `\\s*(?:[;:,]|\\b(and|or|but|then)\\b(?= (?:then |also |only |just )?(?:${Object.keys(VERBS).join("|")})\\b))\\s*`,
);
const CONDITION = /^(?:when|whenever|if|once|after|as soon as|every time|each time)\b/;

function clausesOf(text: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let joins: Clause["joins"] = "other";
  let isBut = false;
  for (const part of text.split(BOUNDARY)) {
    const words = part?.trim() ?? "";
    // "but only patch versions" narrows the order before it.
    const narrows = isBut && /^only\b/.test(words) && clauses.some((clause) => orderIn(clause).length > 0);
    if (narrows) continue;
    if (words !== "") isBut = words === "but";
    if (words === "or") joins = "or";
    else if (words !== "" && !/^(?:and|but|then)$/.test(words)) {
      clauses.push({ text: words, joins, isCondition: CONDITION.test(words) });
      joins = "other";
    }
  }
  return clauses;
}

/** An order: a verb in the place where orders have it, and what comes after it. */
interface Order {
  readonly verb: string;
  readonly deed: Deed;
  /** The object without what is said about it: its last word is what it is. */
  readonly phrase: readonly string[];
  /** Everything after the verb. */
  readonly rest: string;
  readonly condition: string | undefined;
  readonly clause: Clause;
}

const FILLERS = /^(?:(?:only|just|then|also|to|you|so|now|quickly|in short|briefly)\s+)+/;
const CUT =
  /\b(?:that|which|who|where|when|whenever|while|if|because|for|of|in|on|at|from|with|without|by|over|across|around|to|into|until|after|before|about|per|again)\b/;
const SMALL = new Set("the a an our my your all any some this these those new every its up out rid me us".split(" "));

function orderIn(clause: Clause): readonly Order[] {
  const { text, isCondition } = clause;
  const bare = text.replace(FILLERS, "");
  if (isCondition || /^(?:don't|do not|never|without|instead of)\b/.test(bare)) return [];
  const asks = /^(?:what|which|who)\b/.test(bare) && HAPPENING.test(bare) ? `tell ${bare}` : bare;
  const [verb = "", ...words] = asks.split(" ");
  const deed = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!deed) return [];
  const rest = words
    .join(" ")
    .replace(/\bwithout\b.*$/, "")
    .trim();
  const phrase = rest
    .replace(/^(?:rid of|up|out)\s+/, "")
    .split(CUT)[0]!
    .trim()
    .split(" ")
    .filter((word) => word !== "" && !SMALL.has(word));
  return [{ verb, deed, phrase, rest, condition: /\b(?:when|whenever|if|once)\b.*$/.exec(rest)?.[0], clause }];
}

const wordsOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const OUTDATED = wordsOf("vulnerable insecure outdated old stale unsafe");
/** What a text is that stands by itself, and is no part of a repository. */
const TEXTS = wordsOf("post article essay announcement newsletter brief letter speech pitch memo report proposal");
const STRATEGIES = wordsOf("strategy plan roadmap strategies");
const IDEAS = wordsOf("idea ideas hypothesis assumption assumptions");
/** What a program does, said of one that does not do it yet. */
const DOES = wordsOf(
  "accept support show handle use return allow print read write respond report log take start send display remember ignore retry",
);
const PRONOUNS = wordsOf("it that this them things something everything anything better useful");
const LINTERS = wordsOf(
  "lint linter linters linting eslint biome clippy ruff flake8 pylint golangci-lint mypy pyright tsc rubocop phpstan psalm credo swiftlint type typing types style",
);
const COMPLAINTS = wordsOf(
  "errors error warnings warning complaints complaint issues findings violations problems lint linter eslint clippy ruff flake8 mypy pyright",
);
const FORMATTERS = wordsOf("prettier black isort gofmt rustfmt formatter biome ruff clang-format dprint");
const LOOKS = wordsOf("formatting indentation whitespace layout style formatted");
const TESTS = wordsOf("test tests coverage spec specs");
const NEEDS = wordsOf("dependencies dependency deps packages package libraries library versions version crates gems modules");
const RAISED = new Set([
  ...NEEDS,
  ..."toolchain toolchains compiler runtime actions plugins node python go rust ruby java typescript".split(" "),
]);
const VERSIONED = /\b(?:versions?|releases?)\b|\bto v?\d/;
/** What a linter finds by itself. */
const UNUSED = wordsOf("import imports variable variables parameter parameters argument arguments locals");
const SOURCES = wordsOf(
  "code codebase source sources file files repository repo repositories project everything all it them imports modules folder folders tree docs documentation markdown css html json yaml toml sql javascript typescript python go rust java kotlin ruby php swift elixir c c++",
);
const HEALTHY = /\b(?:green|pass|passing|work|works|working|succeed|healthy)\b/;
const HAPPENING =
  /\b(?:commits?|merges?|merged|landed|lands|land|pushed|pushes|changes?|changed|branch|branches|diffs?|pull requests?|releases?|released|touch(?:es|ed)?)\b/;
const BREAKING = /\b(?:tests?|ci|build|suite|pipeline|main|master)\b.*\b(?:breaks?|broke|broken|fails?|failed|failing|red)\b/;

const isHappening = (words: string | undefined): boolean => words !== undefined && (HAPPENING.test(words) || BREAKING.test(words));

function meaningOf(order: Order, clauses: readonly Clause[]): WishKind | undefined {
  const { deed, phrase, rest } = order;
  const head = phrase.at(-1);
  // "it" is what another clause told of; where none did, nobody knows.
  const isNamed = head !== undefined && !PRONOUNS.has(head);
  const told = clauses
    .slice(0, clauses.indexOf(order.clause))
    .filter((clause) => clause.text.split(" ").length > 2 && orderIn(clause).length === 0);
  const isKnown = isNamed || told.length > 0;
  const complains = head !== undefined && COMPLAINTS.has(head) && rest.split(" ").some((word) => LINTERS.has(word) || word === "compiler");
  const looks = head !== undefined && LOOKS.has(head);
  switch (deed) {
    case "mend":
      if (!isKnown) return undefined;
      if (NEEDS.has(head ?? "") && phrase.some((word) => OUTDATED.has(word))) return "upkeep";
      return complains ? "lint" : looks ? "format" : "mend";
    case "tell":
      if (order.verb === "let" && !/^(?:me|us)\b/.test(rest)) return isNamed ? "change" : undefined;
      return HAPPENING.test(rest) ? "watch" : undefined;
    case "format":
      return formatOf(order);
    case "clear":
      return !isNamed ? undefined : complains ? "lint" : looks ? "format" : clearOf(order);
    case "raise":
      return isNamed || head === undefined ? raiseOf(order) : undefined;
    case "update":
      if (head !== undefined && !isNamed)
        return told.some((clause) => clause.text.split(" ").some((word) => NEEDS.has(word))) ? "upkeep" : undefined;
      return !isNamed ? undefined : NEEDS.has(head!) ? "upkeep" : TESTS.has(head!) ? "tests" : "change";
    case "write":
      if (order.verb === "write" && isNamed && TEXTS.has(head!)) return "think";
      return !isNamed ? undefined : TESTS.has(head!) || /\bwith (?:more |unit |better )?tests\b/.test(rest) ? "tests" : "change";
    case "keep":
      return keepOf(order);
    case "make":
      return makeOf(order, isKnown);
    case "stop":
      return /\bfrom (?:failing|crashing|breaking|hanging|leaking|flaking)\b/.test(rest) ? "mend" : undefined;
    case "think":
      return patternFor(order) === undefined ? undefined : "think";
    case "run":
      return phrase.some((word) => FORMATTERS.has(word) || word === "fmt")
        ? "format"
        : phrase.some((word) => LINTERS.has(word))
          ? "lint"
          : undefined;
  }
}

/** Only code is formatted: a word for it, or a formatter that is named, says so. */
function formatOf({ phrase, rest }: Order): WishKind | undefined {
  const isCode = phrase.some((word) => SOURCES.has(word) || LOOKS.has(word)) || rest.split(/[\s,]+/).some((word) => FORMATTERS.has(word));
  return isCode ? "format" : undefined;
}

function clearOf({ phrase }: Order): WishKind | undefined {
  if (!phrase.includes("unused")) return "change";
  const head = phrase.at(-1)!;
  return UNUSED.has(head) ? "lint" : NEEDS.has(head) ? undefined : "change";
}

/** Upkeep opens lock files and the network, so that only versions are it; a lone name may be a package or anything, unless its version is spoken of. */
function raiseOf({ phrase, rest }: Order): WishKind | undefined {
  if (RAISED.has(phrase.at(-1) ?? "")) return "upkeep";
  if (phrase.length === 0 && /^to [\w@/.-]+ v?\d/.test(rest)) return "upkeep";
  const isLoneName = phrase.length === 1 && rest.startsWith(phrase[0]!);
  if (!isLoneName) return phrase.length === 0 ? undefined : "change";
  return VERSIONED.test(rest) ? "upkeep" : undefined;
}

/** Keep something as it should be: what it should be says what is meant. */
function keepOf({ rest, phrase }: Order): WishKind | undefined {
  if (/^an eye on\b/.test(rest)) return HAPPENING.test(rest) ? "watch" : undefined;
  if (/\b(?:up[- ]to[- ]date|current|fresh)\b/.test(rest))
    return phrase.some((word) => NEEDS.has(word)) || /\bdependenc/.test(rest) ? "upkeep" : undefined;
  if (phrase.some((word) => LOOKS.has(word))) return "format";
  return HEALTHY.test(rest) ? "mend" : undefined;
}

/** Make or get something into a state. */
function makeOf({ rest, phrase }: Order, isKnown: boolean): WishKind | undefined {
  if (/^rid of\b/.test(rest))
    return COMPLAINTS.has(phrase.at(-1) ?? "") && phrase.some((word) => LINTERS.has(word))
      ? "lint"
      : phrase.length > 0
        ? "change"
        : undefined;
  if (phrase.some((word) => LINTERS.has(word)) && /\b(?:happy|quiet|silent|clean|pass)\b/.test(rest)) return "lint";
  if (phrase.some((word) => LINTERS.has(word)) && /\bstop complaining\b/.test(rest)) return "lint";
  if (HEALTHY.test(rest) && isKnown) return "mend";
  // "make the CLI accept several files": what it should do is not there yet.
  return phrase.slice(1).some((word) => DOES.has(word)) ? "change" : undefined;
}

/**
 * Which ready-made loop thinks something through and writes down what came of it. The verb says how; where it says many things, so
 * does what it is about.
 */
function patternFor({ verb, phrase, rest }: Pick<Order, "verb" | "phrase" | "rest">): string | undefined {
  if (rest === "") return undefined;
  const has = (words: ReadonlySet<string>): boolean => phrase.some((word) => words.has(word));
  switch (verb) {
    case "research":
      return "research-agent";
    case "find":
      return /^out (?:how|what|which|who|where|when|whether|about)\b/.test(rest) ? "research-agent" : undefined;
    case "debate":
    case "weigh":
    case "compare":
      return "debate";
    case "decide":
    case "choose":
      return /^(?:between|whether|which|on)\b/.test(rest) ? "business-strategy-agent" : undefined;
    case "work":
      return /^out\b/.test(rest) && has(STRATEGIES) ? "business-strategy-agent" : undefined;
    case "explore":
    case "brainstorm":
      return /\b(?:ideas?|options|ways|alternatives)\b/.test(rest) ? "business-strategy-agent" : undefined;
    case "validate":
      return has(IDEAS) ? "startup-validator" : undefined;
    case "draft":
    case "write":
      return "writing-assistant";
    default:
      return undefined;
  }
}

const SAID: { readonly [kind in WishKind]: string } = {
  mend: "asks to make something right that is wrong",
  watch: "asks to be told, and to change nothing",
  format: "is about how the code looks",
  lint: "is about what a linter or a type checker complains of",
  upkeep: "is about the versions that are depended on",
  tests: "asks for tests",
  change: "asks for something that is not there yet",
  think: "asks for a text that is thought through, and for no change of the repository",
};

const whyOf = ({ verb, phrase, rest }: Order, means: WishKind): readonly string[] => [
  `"${verb}${rest === "" ? "" : ` ${rest.length > 80 ? `${rest.slice(0, 80)}…` : rest}`}" ${SAID[means]}.`,
  ...(means === "mend" && phrase.length > 0 ? [`"${phrase.at(-1)}" is what is mended; what it is called decides nothing.`] : []),
];

const NEXT_TO: { readonly [kind in WishKind]: { readonly means: WishKind; readonly why: string } } = {
  mend: { means: "change", why: "if it is not broken but missing" },
  watch: { means: "mend", why: "if somebody should also act on it" },
  format: { means: "lint", why: "if a linter's complaints are meant, and not only how it looks" },
  lint: { means: "mend", why: "if tests are red, and not a linter" },
  upkeep: { means: "change", why: "if code has to follow the new version" },
  tests: { means: "mend", why: "if tests that are there fail" },
  change: { means: "mend", why: "if it is there and broken" },
  think: { means: "change", why: "if it should become part of the repository" },
};
