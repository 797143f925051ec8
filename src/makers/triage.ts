// Reads what is new on the watched refs and says what a human should look at first.
import * as z from "zod";
import type { GatheredThings } from "../contract/connector.ts";
import type { RefWalk } from "../contract/git.ts";
import { defineReporter } from "../contract/maker.ts";
import type { RefReading, ReportItem, SourceReading } from "../contract/proposal.ts";
import { displayLine } from "../std/display-text.ts";
import { compileGlobs, globProblem } from "../std/glob.ts";
import { RANKS, type RankRules, rankCommit } from "./rank-commit.ts";

/** Where a small change can do great harm. */
const RISKY = [
  // who may do what
  ...[
    "**/auth",
    "**/auth{.,-,_}*",
    "**/*{-,_}auth.*",
    "**/{authn,authz,authentication,authorization}",
    "**/{authentication,authorization}.*",
    "**/oauth*",
    "**/oauth*/**",
  ],
  ...[
    "**/{login,signin,password,permission,session}*",
    "**/{login,signin,passwords,permissions,sessions}/**",
    "**/{crypto,cryptography}",
    "**/crypto*.*",
  ],
  // money and data
  ...["**/{payment,payments,billing,checkout}", "**/{payment,billing}*", "**/{migration,migrations}", "**/*.sql"],
  // what builds and ships it
  ...[
    ".github/{workflows,actions}",
    "**/.gitlab-ci*",
    "**/{.circleci,.buildkite}",
    "**/jenkinsfile*",
    "**/azure-pipelines*",
    "**/.travis.yml",
    "**/.drone.yml",
  ],
  ...[
    "**/dockerfile*",
    "**/*.dockerfile",
    "**/{docker-,}compose*.{yml,yaml}",
    "**/*.{tf,tfvars}",
    "**/{infra,infrastructure,terraform,k8s,kubernetes,helm,ansible,deploy}",
  ],
  // what comes in from elsewhere
  ...[
    "**/{package-lock,npm-shrinkwrap}.json",
    "**/{yarn,cargo,poetry,uv,gemfile,composer,pipfile,flake,bun}.lock",
    "**/pnpm-lock.yaml",
    "**/bun.lockb",
    "**/go.sum",
  ],
  ...["**/.npmrc", "**/.gitmodules"],
  // secrets
  ...[
    "**/.env",
    "**/.env.*",
    "**/*.{pem,key,p12,pfx,jks,keystore}",
    "**/id_{rsa,ed25519,ecdsa}*",
    "**/*secret*",
    "**/*secret*/**",
    "**/*credential*",
  ],
  // who decides, and what agents are told
  ...["**/codeowners", "**/.gitattributes", "**/{agents,claude,gemini}.md", "**/{.claude,.cursor}", "**/.mcp.json"],
];

const Glob = z.string().superRefine((pattern, context) => {
  const problem = globProblem(pattern);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const Options = z.strictObject({
  risky: z
    .array(Glob)
    .max(200)
    .default(RISKY)
    .meta({ description: "Globs of files in which a small change can do great harm.", examples: [["**/auth/**", "**/*.sql"]] }),
  large: z
    .int()
    .min(1)
    .default(500)
    .meta({ description: "From how many changed lines, or files, a commit is large.", examples: [500] }),
});

export const triage = defineReporter({
  name: "triage",
  summary:
    "Ranks new commits (breaking, security, revert, large, risky, ordinary) and lists what else was gathered. Costs nothing and needs no model.",
  options: Options,
  report({ gathered }, { risky, large }) {
    const commits = gathered.flatMap((brought) => (brought.kind === "commits" ? [brought] : []));
    const walks = commits.flatMap((brought) => brought.walks);
    const found = gathered.flatMap((brought) => (brought.kind === "things" ? [sourceReading(brought)] : []));
    const items = rankAll(walks, { isRisky: compileGlobs(risky), large });
    return {
      kind: "report",
      items,
      refs: walks.map(readingOf),
      divergence: commits.flatMap((brought) => brought.divergence),
      ...(found.length === 0 ? {} : { found }),
      summary: summarise(walks, items, found),
    };
  },
});

/** Each commit once, under the first ref it was found on; highest rank first, then newest, then by id, so that no input order shows. */
function rankAll(walks: readonly RefWalk[], rules: RankRules): readonly ReportItem[] {
  const found = walks.flatMap(({ ref, commits }) => commits.map((commit) => ({ ref, commit })));
  const once = new Map(found.toReversed().map((finding) => [finding.commit.commit, finding]));
  return [...once.values()]
    .map(({ ref, commit }) => ({
      at: commit.at,
      item: { ...rankCommit(commit, rules), commit: commit.commit, ref, title: displayLine(commit.subject, 120) || "(no subject)" },
    }))
    .sort((a, b) => RANKS.indexOf(a.item.rank) - RANKS.indexOf(b.item.rank) || order(b.at, a.at) || order(a.item.commit, b.item.commit))
    .map(({ item }) => item);
}

const readingOf = ({ ref, tip, commits, notes }: RefWalk): RefReading => ({ ref, tip, commits: commits.length, notes });

/** In the order in which the connector brought them: it knows what comes first. */
const sourceReading = ({ source, things, notes }: GatheredThings): SourceReading => ({
  source,
  items: things.map(({ id, title, why, address, cites }) => ({
    id,
    title: displayLine(title, 120) || "(no title)",
    why: displayLine(why, 200),
    ...(address === undefined ? {} : { address }),
    cites,
  })),
  notes,
});

function summarise(walks: readonly RefWalk[], items: readonly ReportItem[], found: readonly SourceReading[]): string {
  if (walks.length + found.length === 0) return "Nothing was read: add the `commits` connector under `gather`.";
  const unread = walks.filter(({ tip }) => tip === undefined);
  const read = walks.filter(({ tip }) => tip !== undefined);
  const sentences = [
    ...(read.length > 0
      ? [items.length === 0 ? `Nothing new on ${namesOf(read)}.` : `${countOf(items)} on ${namesOf(read)}: ${countsOf(items)}.`]
      : []),
    ...(unread.length > 0 ? [`${namesOf(unread)} could not be read.`] : []),
    ...found.map(({ source, items: { length } }) => (length === 0 ? `Nothing new in ${source}.` : `${length} new in ${source}.`)),
  ];
  return sentences.join(" ");
}

const countOf = (items: readonly ReportItem[]): string => `${items.length} new ${items.length === 1 ? "commit" : "commits"}`;

const countsOf = (items: readonly ReportItem[]): string =>
  RANKS.map((rank) => ({ rank, count: items.filter((item) => item.rank === rank).length }))
    .filter(({ count }) => count > 0)
    .map(({ rank, count }) => `${count} ${rank}`)
    .join(", ");

const namesOf = (walks: readonly RefWalk[]): string => [...new Set(walks.map(({ ref }) => displayLine(ref, 80)))].join(", ");

/** By code unit, the same on every machine. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
