// Proves that a report speaks of commits that are there, on the refs it names: whatever wrote it, nothing is believed.
import * as z from "zod";
import type { Gathered, Thing } from "../contract/connector.ts";
import { LoopError } from "../contract/errors.ts";
import type { GitReader } from "../contract/git.ts";
import type { RefReading, ReportItem, SourceReading } from "../contract/proposal.ts";
import { defineReportVerifier, type ReportClaim, type Sight } from "../contract/verifier.ts";
import { canonicalJson } from "../std/hash.ts";
import { lookAtCitations } from "./look-at-citations.ts";

export const grounded = defineReportVerifier({
  name: "grounded",
  summary:
    "Every commit a report cites exists and is part of the ref it names; so do the files, lines, tests and branches it cites, and all else it tells of was gathered.",
  kind: "proof",
  options: z.strictObject({}),
  async verify(claim, _options, { git }) {
    try {
      return await look(claim, git);
    } catch (cause) {
      if (!(cause instanceof LoopError) || cause.code === "interrupted") throw cause;
      return unknown(`the repository could not be read: ${cause.message}`);
    }
  },
});

interface RefWithTip {
  readonly ref: string;
  readonly tip: string;
}

async function look({ proposal: { items, refs, found = [] }, repo, gathered }: ReportClaim, git: GitReader): Promise<Sight> {
  const madeUp = neverGathered(found, gathered);
  if (madeUp.length > 0) return { outcome: "fabricated", detail: `never gathered: ${listed(madeUp)}`, output: undefined };
  if (refs.length === 0 && (items.length > 0 || found.length === 0))
    return items.length === 0
      ? unknown("the report read no ref, so there is nothing to prove")
      : fabricated("on a ref that was not read", items);
  const read = refs.filter(hasTip);
  const strangers = items.filter((item) => !read.some(({ ref }) => ref === item.ref));
  if (strangers.length > 0) return fabricated("on a ref that was not read", strangers);

  const told = found.flatMap((source) => source.items);
  const cites = [...items.flatMap((item) => item.cites ?? []), ...told.flatMap((item) => item.cites)];
  const there = await git.commitsThatExist(repo, [
    ...items.map(({ commit }) => commit),
    ...read.map(({ tip }) => tip),
    ...cites.flatMap((cite) => ("commit" in cite ? [cite.commit] : [])),
  ]);
  const missing = items.filter(({ commit }) => !there.has(commit));
  if (missing.length > 0) return fabricated("not a commit of the repository", missing);
  const tipless = read.filter(({ tip }) => !there.has(tip));
  if (tipless.length > 0) return fabricated("given as a tip, and not a commit of the repository", tipless.map(asCited));

  const astray = await findAstray(items, read, repo, git);
  if (astray.length > 0) return fabricated("not part of the ref it names", astray);

  const { wrong, unseen, outside } = await lookAtCitations(cites, there, repo, git);
  if (wrong.length > 0) return { outcome: "fabricated", detail: listed(wrong), output: undefined };
  if (unseen.length > 0) return unknown(`could not be looked into: ${listed(unseen)}`);

  const unread = refs.filter((reading) => !hasTip(reading));
  if (unread.length > 0)
    return unknown(`there is nothing to prove about ${listed(unread.map(({ ref }) => JSON.stringify(ref)))}, which could not be read`);
  const moved = await findMoved(read, repo, git);
  if (moved.length > 0)
    return unknown(`${listed(moved.map(({ ref }) => JSON.stringify(ref)))} no longer contains the tip that was read; run the loop again`);
  const detail = [
    ...(refs.length > 0 ? [whatHolds(items.length)] : []),
    ...(found.length > 0 ? [`all it tells of was gathered in this round: ${told.length} looked up`] : []),
  ].join("; ");
  return { outcome: "holds", detail: `${detail}${tellCitations(cites.length, outside)}`, output: undefined };
}

/** What a report tells of must be what the engine has on record from the connector, with its address and its citations. */
function neverGathered(found: readonly SourceReading[], gathered: readonly Gathered[]): readonly string[] {
  const sources = gathered.flatMap((brought) => (brought.kind === "things" ? [brought] : []));
  const there = new Set(sources.flatMap(({ source, things }) => things.map((thing) => identityOf(source, thing))));
  return found.flatMap(({ source, items }) =>
    sources.some((brought) => brought.source === source)
      ? items.flatMap((item) =>
          there.has(identityOf(source, item))
            ? []
            : [`${JSON.stringify(item.id.slice(0, 100))} of ${JSON.stringify(source.slice(0, 100))}`],
        )
      : [JSON.stringify(source.slice(0, 100))],
  );
}

/** What is on record has its fields in another order. */
const identityOf = (source: string, { id, address, cites }: Pick<Thing, "id" | "address" | "cites">): string =>
  canonicalJson([source, id, address ?? null, cites]);

/** Cited commits that exist, but not in the history of the ref they are cited for. */
async function findAstray(
  items: readonly ReportItem[],
  read: readonly RefWithTip[],
  repo: string,
  git: GitReader,
): Promise<readonly ReportItem[]> {
  const found = new Set<string>();
  for (const { ref, tip } of read) {
    const cited = items.filter((item) => item.ref === ref).map(({ commit }) => commit);
    for (const commit of await git.reachableFrom(repo, tip, cited)) found.add(keyOf(ref, commit));
  }
  return items.filter(({ ref, commit }) => !found.has(keyOf(ref, commit)));
}

/** Refs whose tip, as reported, is not in their history now: the report is about something that is gone, or never was. */
async function findMoved(read: readonly RefWithTip[], repo: string, git: GitReader): Promise<readonly RefWithTip[]> {
  const moved: RefWithTip[] = [];
  for (const reading of read) {
    const now = await git.resolve(repo, reading.ref);
    if (now === reading.tip) continue;
    if (now === undefined || !(await git.reachableFrom(repo, now, [reading.tip])).has(reading.tip)) moved.push(reading);
  }
  return moved;
}

const hasTip = (reading: RefReading): reading is RefReading & RefWithTip => reading.tip !== undefined;
const asCited = ({ ref, tip }: RefWithTip) => ({ ref, commit: tip });
const keyOf = (ref: string, commit: string): string => JSON.stringify([ref, commit]);

const whatHolds = (cited: number): string =>
  cited === 0
    ? "nothing is cited, and the tip of every ref is there"
    : `every cited commit is part of the ref it names: ${cited} looked up`;

/** What lies outside the repository is no part of the proof, and is said to be none. */
const tellCitations = (cites: number, outside: number): string =>
  [
    cites > outside ? `, as are ${cites - outside} more citations` : "",
    outside > 0 ? `; ${outside} URLs and issues were not looked up` : "",
  ].join("");

const unknown = (detail: string): Sight => ({ outcome: "unknown", detail, output: undefined });

/** Ids come from the report, so they are quoted and cut. */
function fabricated(what: string, cited: readonly Pick<ReportItem, "ref" | "commit">[]): Sight {
  const names = cited.map(({ ref, commit }) => `${JSON.stringify(commit.slice(0, 64))} on ${JSON.stringify(ref.slice(0, 100))}`);
  return { outcome: "fabricated", detail: `${what}: ${listed(names)}`, output: undefined };
}

const listed = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
