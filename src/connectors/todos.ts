// Brings TODO and FIXME comments that came to base since it was read last, with who wrote each line and when.
import * as z from "zod";
import { type ConnectorWorld, defineConnector, type GatheredThings, type GatherOrder, type Thing } from "../contract/connector.ts";
import type { Blamed, LineSeen } from "../contract/git.ts";
import { untrustedText } from "../contract/text.ts";
import { compileGlobs, globProblem } from "../std/glob.ts";

const Word = z.string().regex(/^[A-Z]{2,20}$/, { error: "must be a word in capitals" });
const Glob = z.string().superRefine((pattern, context) => {
  const problem = globProblem(pattern);
  if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
});

const Options = z.strictObject({
  words: z
    .array(Word)
    .min(1)
    .max(10)
    .default(["TODO", "FIXME"])
    .meta({ description: "Words that mark such a comment.", examples: [["TODO", "FIXME", "HACK"]] }),
  leaveOut: z
    .array(Glob)
    .max(100)
    .default(["**/{vendor,third_party,node_modules,dist}", "**/*.min.*"])
    .meta({ description: "Globs of files that are not looked at.", examples: [["vendor/**"]] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(50)
    .meta({ description: "How many to bring, newest first; older ones are left out, and counted.", examples: [50] }),
});

export const todos = defineConnector({
  name: "todos",
  summary: "TODO and FIXME comments that are new on base since it was last read, with author and age. At first all of them.",
  options: Options,
  async gather(order, options, { git, scout }: Pick<ConnectorWorld, "git" | "scout">): Promise<GatheredThings> {
    const source = `TODOs of ${order.baseRef}`;
    const tip = await git.resolve(order.repo, order.baseRef);
    if (tip === undefined)
      return { kind: "things", source, things: [], notes: [`there is no branch, tag or commit ${order.baseRef}`], cursors: {} };
    const key = `todos:${order.baseRef}`;
    const since = Object.hasOwn(order.cursors, key) ? order.cursors[key] : undefined;
    const isMarked = markedBy(options.words);
    const isOut = compileGlobs(options.leaveOut);
    const read = async (commit: string) => {
      const { lines, isWhole } = await scout.linesWith(order.repo, commit, options.words);
      return { isWhole, marked: lines.filter(({ path, text }) => !isOut(path) && isMarked(text)) };
    };
    const isKnown = since !== undefined && (await git.commitsThatExist(order.repo, [since])).has(since);
    if (since === tip) return { kind: "things", source, things: [], notes: [], cursors: { [key]: tip } };
    const now = await read(tip);
    const before = isKnown ? (await read(since)).marked : [];
    const fresh = addedTo(before, now.marked);
    const blamed = await scout.blame(order.repo, tip, fresh.slice(0, MOST_BLAMED));
    const things = fresh
      .map((line, index) => thingOf(line, blamed[index], tip, options.words, order))
      .sort((a, b) => compare(b.at ?? "", a.at ?? "") || compare(a.id, b.id));
    return {
      kind: "things",
      source,
      things: things.slice(0, options.most),
      notes: [
        ...(since !== undefined && !isKnown
          ? ["the commit up to which they were read is no longer in the repository: all are told again"]
          : []),
        ...(now.isWhole ? [] : ["there are more such lines than are looked at"]),
        ...(things.length > options.most ? [`only the newest ${options.most} of ${things.length} are told`] : []),
      ],
      cursors: { [key]: tip },
    };
  },
});

const MOST_BLAMED = 1_000;
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A word in a comment, or at the very beginning of a line as in a longer one; in code and prose it is only a name. */
function markedBy(words: readonly string[]): (line: string) => boolean {
  const any = words.join("|");
  const inComment = new RegExp(`(?:^|[^:\\w"'\`])(?://|#|/\\*|<!--|--|;|%|\\*)[^\\n]{0,80}?\\b(?:${any})\\b`);
  const first = new RegExp(`^\\s{0,200}(?:${any})\\b\\s?[:(]`);
  return (line) => inComment.test(line) || first.test(line);
}

/** Lines that are there now and were not before. One that only went elsewhere is not new. */
function addedTo(before: readonly LineSeen[], now: readonly LineSeen[]): readonly LineSeen[] {
  const [inPlace, anywhere] = [bag(before.map(nameIn)), bag(before.map(wordsOf))];
  const stayed = new Set(now.filter((line) => take(inPlace, nameIn(line)) && take(anywhere, wordsOf(line))));
  return now.filter((line) => !stayed.has(line) && !take(anywhere, wordsOf(line)));
}

const wordsOf = ({ text }: LineSeen): string => text.trim();
const nameIn = (line: LineSeen): string => JSON.stringify([line.path, wordsOf(line)]);

function bag(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, name: string): boolean {
  const left = counts.get(name) ?? 0;
  counts.set(name, left - 1);
  return left > 0;
}

function thingOf(
  { path, line, text }: LineSeen,
  blamed: Blamed | undefined,
  tip: string,
  words: readonly string[],
  { nowMs }: Pick<GatherOrder, "nowMs">,
): Thing {
  const from = Math.max(0, text.search(new RegExp(`\\b(?:${words.join("|")})\\b`)));
  const by = blamed === undefined ? "" : `, by ${blamed.author}, ${ageOf(nowMs - Date.parse(blamed.at))}`;
  return {
    id: JSON.stringify([path, line, tip]),
    title: untrustedText(text.slice(from).replace(/\s*(?:\*\/|-->)\s*$/, "")),
    ...(blamed === undefined ? {} : { author: blamed.author, at: blamed.at }),
    // Whoever can have a commit merged need not be somebody who may write here.
    trust: "outsider",
    why: untrustedText(`${path}:${line}${by}`),
    cites: [{ kind: "line", path, line, commit: tip }],
  };
}

const DAY_MS = 86_400_000;
const ageOf = (ms: number): string => (ms < DAY_MS ? "less than a day old" : `${Math.floor(ms / DAY_MS)} day(s) old`);
