// Ranks one commit by what it says and by what it touches. Pure, and about this commit only.

import type { ChangeSigns } from "../contract/change-signs.ts";
import type { CommitFacts } from "../contract/git.ts";
import type { Rank } from "../contract/proposal.ts";
import { displayLine, visibleText } from "../std/display-text.ts";
import { type Said, weigh } from "./weigh-commit.ts";

/** Highest first. */
export const RANKS: readonly Rank[] = ["breaking", "security", "revert", "large", "risky", "change", "ordinary", "bump"];

export interface RankRules {
  readonly isRisky: (path: string) => boolean;
  /** From how many changed lines, or files, a commit is large. */
  readonly large: number;
}

export interface Ranked {
  readonly rank: Rank;
  readonly why: string;
  readonly weight: number;
}

/** By what its lines do; where they could not be read, by what it says and by what it touches. */
export function rankCommit(commit: CommitFacts, rules: RankRules): Ranked {
  const words = { subject: plainLetters(commit.subject), body: plainLetters(commit.body) };
  return commit.signs ? rankBySigns(commit, commit.signs, words, rules) : rankByWords(commit, words, rules);
}

function rankBySigns(commit: CommitFacts, signs: ChangeSigns, words: Words, rules: RankRules): Ranked {
  const said = { breaking: whyBreaking(words), security: whySecurity(words), revert: whyRevert(words) };
  const weights = weigh(signs, said, whyRisky(commit, { isRisky: (path) => rules.isRisky(path) && !RESOLVED.test(path) }));
  const weight = weights.reduce((sum, { points }) => sum + points, 0);
  const told = weights
    .toSorted((one, other) => other.points - one.points)
    .map(({ why }) => why)
    .filter((why) => why !== "");
  return { rank: classOf(signs, said, rules), weight, why: told.length > 0 ? told.join("; ") : `nothing stands out in ${sizeOf(commit)}` };
}

function classOf(signs: ChangeSigns, said: Said, rules: RankRules): Rank {
  const code = signs.added + signs.removed;
  const runs = signs.dependencies.some((one) => one.runs);
  if (said.breaking !== undefined || signs.gone.length > 0 || signs.needs.length > 0) return "breaking";
  if (said.security !== undefined && (code > 0 || signs.dependencies.length > 0)) return "security";
  if (said.revert !== undefined) return "revert";
  if (signs.isBump) return "bump";
  if (code >= rules.large) return "large";
  if (signs.migration || signs.powers || runs) return "risky";
  return code > 0 ? "change" : "ordinary";
}

/** The highest rank that has a reason, and every reason there is. */
function rankByWords(commit: CommitFacts, words: Words, rules: RankRules): Ranked {
  const reasons: readonly { readonly rank: Rank; readonly why: string | undefined }[] = [
    { rank: "breaking", why: whyBreaking(words) },
    { rank: "security", why: whySecurity(words) },
    { rank: "revert", why: whyRevert(words) },
    { rank: "large", why: whyLarge(commit, rules) },
    { rank: "risky", why: whyRisky(commit, rules) },
  ];
  const given = reasons.filter(({ why }) => why !== undefined);
  return given[0] === undefined
    ? { rank: "ordinary", weight: 0, why: `nothing stands out in ${sizeOf(commit)}` }
    : {
        rank: given[0].rank,
        weight: UNREAD[given[0].rank],
        why: given.map(({ why }) => why).join("; "),
      };
}

/** What a rank weighs where nobody read the lines. */
const UNREAD: { readonly [rank in Rank]: number } = {
  breaking: 60,
  security: 50,
  revert: 40,
  large: 30,
  risky: 20,
  change: 10,
  ordinary: 0,
  bump: 0,
};

interface Words {
  readonly subject: string;
  readonly body: string;
}

// ── breaking ────────────────────────────────────────────────────────────────────────────────────────────────────

/** `feat(api)!: …`, also behind `[tags]`. */
const BANG = /^\s*(?:\[[^\]]*\]\s*)*\p{L}[\p{L}\p{N}_./-]*(?:\([^()]*\))?!:/u;
const FOOTER = /^[ \t*#>-]*BREAKING(?:[ -]CHANGES?)?[ \t]*:/m;
const IN_SUBJECT =
  /\bBREAKING(?:[ -]CHANGES?)?:|(?<!\b(?:no|non|not|not a|not any|without|avoid|any)[ -])\bbreaking[ -](?:api )?changes?\b/iu;

function whyBreaking({ subject, body }: Words): string | undefined {
  return BANG.test(subject) || IN_SUBJECT.test(subject) || FOOTER.test(body) ? "is marked as a breaking change" : undefined;
}

// ── security ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Names of weaknesses and advisories; they mean the same wherever they stand. */
const WEAKNESSES = [
  ...[
    "cves?(?:-\\d{4}-\\d{3,})?",
    "ghsa(?:-[0-9a-z]{4}){3}",
    "ghsa",
    "cwe-\\d+",
    "rce",
    "xss",
    "csrf",
    "xsrf",
    "ssrf",
    "xxe",
    "sqli",
    "idor",
    "toctou",
    "redos",
  ],
  ...[
    "vulns?",
    "vulnerable",
    "vulnerabilit(?:y|ies)",
    "remote[ -]code[ -]execution",
    "arbitrary[ -]code",
    "(?:zero|0)[ -]?days?",
    "back[ -]?doors?",
  ],
  ...[
    "(?:sql|command|code|shell|header|log|template|prompt|ldap|crlf)[ -]injections?",
    "(?:path|directory)[ -]traversals?",
    "open[ -]redirects?",
  ],
  ...[
    "privilege[ -]escalations?",
    "(?:auth|authentication|authorization|login|permission|access[ -]control)[ -]bypass(?:es)?",
    "prototype[ -]pollution",
  ],
  ...[
    "use[ -]after[ -]free",
    "(?:buffer|heap|stack|integer)[ -]over(?:flow|run)s?",
    "out[ -]of[ -]bounds[ -](?:read|write)s?",
    "denial[ -]of[ -]service",
  ],
  ...["sandbox[ -]escapes?", "timing[ -]attacks?", "(?:unsafe|insecure)[ -]deseriali[sz]ation", "supply[ -]chain[ -]attacks?"],
  ...["(?:leak(?:s|ed|ing)?|expos(?:e|es|ed|ing)|hard-?coded) (?:\\p{L}+ )?(?:secret|credential|password|token|key)s?"],
];
/** Words that mean something in a subject, and stand in many bodies without meaning anything. */
const ALARMS = ["security", "insecure(?:ly)?", "exploit(?:s|ed|able|ation)?", "malicious(?:ly)?", "malware"];

/** Whole words only, but `_` and `-` end a word: branch names are written with them. */
const wholeWords = (words: readonly string[]): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
const SUBJECT_WORDS = wholeWords([...WEAKNESSES, ...ALARMS]);
const BODY_WORDS = wholeWords(WEAKNESSES);

function whySecurity({ subject, body }: Words): string | undefined {
  const found = SUBJECT_WORDS.exec(subject.replaceAll("_", " ")) ?? BODY_WORDS.exec(body.replaceAll("_", " "));
  return found === null ? undefined : `speaks of ${displayLine(found[0], 40)}`;
}

// ── revert ──────────────────────────────────────────────────────────────────────────────────────────────────────

const UNDOES = /^\s*(?:\[[^\]]*\]\s*)*(?:revert(?:s|ed|ing)?|roll(?:s|ed|ing)?[ -]?back|back(?:s|ed|ing)?[ -]?out)\b/iu;
/** As git and GitHub write it, also inside the subject of a merge. */
const REVERT_NAMED = /\brevert(?: "|-\d+-)/iu;
const REVERT_FOOTER = /^This reverts commit [0-9a-f]{7,64}\b/m;

function whyRevert({ subject, body }: Words): string | undefined {
  return UNDOES.test(subject) || REVERT_NAMED.test(subject) || REVERT_FOOTER.test(body) ? "undoes earlier work" : undefined;
}

// ── what the diff touches ───────────────────────────────────────────────────────────────────────────────────────

function whyLarge(commit: CommitFacts, { large }: RankRules): string | undefined {
  return commit.changedLines >= large || commit.paths.length >= large ? `changes ${sizeOf(commit)}` : undefined;
}

/** What a tool wrote of what a manifest wants: the manifest says it better. */
const RESOLVED = /lock(?:\.json|\.yaml|b)?$|npm-shrinkwrap\.json$|go\.sum$/i;

function whyRisky({ paths }: CommitFacts, { isRisky }: Pick<RankRules, "isRisky">): string | undefined {
  const [first, ...others] = paths.filter(isRisky);
  if (first === undefined) return undefined;
  return `touches ${displayLine(first, 80)}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

const sizeOf = ({ changedLines, paths }: CommitFacts): string =>
  `${changedLines} ${changedLines === 1 ? "line" : "lines"} of ${paths.length} ${paths.length === 1 ? "file" : "files"}`;

/** Look-alike letters as the ones they look like, so that words are found however they are written. */
const plainLetters = (text: string): string => visibleText(text).normalize("NFKC");
