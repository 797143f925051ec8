// Ranks one commit by what it says and by what it touches. Pure, and about this commit only.

import type { CommitFacts } from "../contract/git.ts";
import type { Rank } from "../contract/proposal.ts";
import { displayLine, visibleText } from "../std/display-text.ts";

/** Highest first. */
export const RANKS: readonly Rank[] = ["breaking", "security", "revert", "large", "risky", "ordinary"];

export interface RankRules {
  readonly isRisky: (path: string) => boolean;
  /** From how many changed lines, or files, a commit is large. */
  readonly large: number;
}

/** The highest rank that has a reason, and every reason there is. */
export function rankCommit(commit: CommitFacts, rules: RankRules): { readonly rank: Rank; readonly why: string } {
  const words = { subject: plainLetters(commit.subject), body: plainLetters(commit.body) };
  const reasons: readonly { readonly rank: Rank; readonly why: string | undefined }[] = [
    { rank: "breaking", why: whyBreaking(words) },
    { rank: "security", why: whySecurity(words) },
    { rank: "revert", why: whyRevert(words) },
    { rank: "large", why: whyLarge(commit, rules) },
    { rank: "risky", why: whyRisky(commit, rules) },
  ];
  const given = reasons.filter(({ why }) => why !== undefined);
  return given[0] === undefined
    ? { rank: "ordinary", why: `nothing stands out in ${sizeOf(commit)}` }
    : { rank: given[0].rank, why: given.map(({ why }) => why).join("; ") };
}

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

function whyRisky({ paths }: CommitFacts, { isRisky }: RankRules): string | undefined {
  const [first, ...others] = paths.filter(isRisky);
  if (first === undefined) return undefined;
  return `touches ${displayLine(first, 80)}${others.length > 0 ? ` and ${others.length} more` : ""}`;
}

const sizeOf = ({ changedLines, paths }: CommitFacts): string =>
  `${changedLines} ${changedLines === 1 ? "line" : "lines"} of ${paths.length} ${paths.length === 1 ? "file" : "files"}`;

/** Look-alike letters as the ones they look like, so that words are found however they are written. */
const plainLetters = (text: string): string => visibleText(text).normalize("NFKC");
