// Reads what is new on the watched refs and says what a human should look at first.
import * as z from "zod";
import type { GatheredThings } from "../contract/connector.ts";
import type { CommitFacts, RefWalk } from "../contract/git.ts";
import { defineReporter } from "../contract/maker.ts";
import { NOTABLE, type RefReading, type ReportItem, type SourceReading } from "../contract/proposal.ts";
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

/**
 * Each commit once, under the first ref it was found on, and no merge of what is listed by itself; what weighs most first, then the
 * highest rank, then newest, then by id, so that no input order shows.
 */
function rankAll(walks: readonly RefWalk[], rules: RankRules): readonly ReportItem[] {
  const found = walks.flatMap(({ ref, commits, forge }) => commits.map((commit) => ({ ref, commit, forge })));
  const once = new Map(found.toReversed().map((finding) => [finding.commit.commit, finding]));
  return [...once.values()]
    .filter(({ commit: { merges } }) => merges === undefined || !merges.every((id) => once.has(id)))
    .map(({ ref, commit, forge }) => itemOf(ref, commit, forge, rules))
    .sort(
      (a, b) =>
        b.weight - a.weight ||
        RANKS.indexOf(a.item.rank) - RANKS.indexOf(b.item.rank) ||
        order(b.at, a.at) ||
        order(a.item.commit, b.item.commit),
    )
    .map(({ item }) => item);
}

function itemOf(ref: string, commit: CommitFacts, forge: string | undefined, rules: RankRules) {
  const { rank, why, weight } = rankCommit(commit, rules);
  const basic = { rank, commit: commit.commit, ref, title: displayLine(commit.subject, 120) || "(no subject)", why };
  const { author, at, paths, changedLines } = commit;
  const seen = {
    weight,
    at,
    size: `${changedLines} ${changedLines === 1 ? "line" : "lines"}, ${paths.length} ${paths.length === 1 ? "file" : "files"}`,
    ...(author === undefined ? {} : { author: displayLine(author, 60) }),
    ...(paths.length === 0 ? {} : { area: areaOf(paths) }),
    ...(forge === undefined ? {} : { link: `${forge}${commit.commit}` }),
  };
  return { at, weight, item: { ...basic, ...seen } };
}

/** The folder in which most of its files lie. */
function areaOf(paths: CommitFacts["paths"]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.includes("/")
      ? path
          .split("/")
          .slice(0, path.startsWith("packages/") ? 2 : 1)
          .join("/")
      : "the root";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([a, one], [b, other]) => other - one || order(a, b));
  return displayLine(most?.[0] ?? "", 40);
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
    ...(read.length > 0 ? [items.length === 0 ? `Nothing new on ${namesOf(read)}.` : tellNew(namesOf(read), items)] : []),
    ...(unread.length > 0 ? [`${namesOf(unread)} could not be read.`] : []),
    ...found.map(({ source, items: { length } }) => (length === 0 ? `Nothing new in ${source}.` : `${length} new in ${source}.`)),
  ];
  return sentences.join(" ");
}

const tellNew = (on: string, items: readonly ReportItem[]): string =>
  items.some(({ weight = 0 }) => weight >= NOTABLE)
    ? `${countOf(items)} on ${on}: ${countsOf(items)}.`
    : `A quiet day on ${on}: nothing to look at in ${countOf(items)} (${countsOf(items)}).`;

const countOf = (items: readonly ReportItem[]): string => `${items.length} new ${items.length === 1 ? "commit" : "commits"}`;

const countsOf = (items: readonly ReportItem[]): string =>
  RANKS.map((rank) => ({ rank, count: items.filter((item) => item.rank === rank).length }))
    .filter(({ count }) => count > 0)
    .map(({ rank, count }) => `${count} ${rank}`)
    .join(", ");

const namesOf = (walks: readonly RefWalk[]): string => [...new Set(walks.map(({ ref }) => displayLine(ref, 80)))].join(", ");

/** By code unit, the same on every machine. */
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
