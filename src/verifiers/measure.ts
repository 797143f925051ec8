// Figures that the engine takes itself: how long, how large, how alike, what it links to and cites, how well tested, how fast.
import * as z from "zod";
import type { VerifierWorld } from "../contract/part-worlds.ts";
import { untrustedText } from "../contract/text.ts";
import { type CommitClaim, defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { decodeText } from "../std/decode-text.ts";
import { displayLine } from "../std/display-text.ts";
import { compileAllowing, globProblem } from "../std/glob.ts";
import { compareFigures, readFigures } from "./measures/compare-benchmarks.ts";
import {
  measureCitations,
  measureLikeness,
  measureLinks,
  measurePhrases,
  measureSize,
  measureWords,
  type NamedText,
  type Taken,
} from "./measures/measure-texts.ts";
import { coveredOf, coveredShare, readCoverage } from "./measures/read-coverage.ts";
import { changedLines } from "./reading/changed-lines.ts";
import { INSIDE, RUN_OPTIONS, type RunOptions, runTests } from "./run-tests.ts";

const Glob = z
  .string()
  .refine((pattern) => globProblem(pattern) === undefined, { error: ({ input }) => `this glob ${globProblem(String(input))}` });
const PROSE = ["**/*.md", "**/*.markdown", "**/*.txt", "**/*.rst", "**/*.adoc"];
const of = z
  .array(Glob)
  .min(1)
  .max(50)
  .default(PROSE)
  .meta({ description: "Globs of the changed files that are read.", examples: [["docs/**"]] });
const count = z.int().min(0).max(1_000_000_000);
const share = z.number().min(0).max(1);
const least = count.optional().meta({ description: "How many there must be.", examples: [50] });
const most = count.optional().meta({ description: "How many there may be.", examples: [100] });
const file = z
  .string()
  .max(500)
  .regex(INSIDE, { error: "must be a path inside the repository, without `..`" })
  .meta({ description: "Where the command writes it, inside the copy.", examples: ["coverage/lcov.info"] });
const phrases = z.array(z.string().trim().min(1).max(300)).max(200).default([]);

const { run, timeout, env, inherit } = RUN_OPTIONS;

const options = z
  .strictObject({
    words: z
      .strictObject({ of, least, most })
      .optional()
      .meta({ description: "How many words the changed texts have: `words`.", examples: [{ most: 100 }] }),
    phrases: z
      .strictObject({
        of,
        forbid: phrases.meta({ description: "What may stand in none of them.", examples: [["lorem ipsum"]] }),
        require: phrases.meta({ description: "What must stand in one of them.", examples: [["Licence"]] }),
      })
      .optional()
      .meta({
        description: "What may not stand in them, and what must, in any case of letters: `forbidden`, `missing`.",
        examples: [{ forbid: ["lorem ipsum"] }],
      }),
    links: z
      .strictObject({ of })
      .optional()
      .meta({
        description: "Whether Markdown links into the repository lead to something: `links`, `broken_links`. Others are not followed.",
        examples: [{}],
      }),
    citations: z
      .strictObject({ of, least: count.default(0).meta({ description: "How many there must be.", examples: [3] }) })
      .optional()
      .meta({
        description:
          "Whether the addresses and commits that a text cites were really gathered in this run: `citations`, `made_up`. One that was not is fabricated.",
        examples: [{ least: 3 }],
      }),
    schema: z
      .strictObject({ of, is: z.record(z.string(), z.unknown()).meta({ description: "The JSON Schema.", examples: [{ type: "object" }] }) })
      .refine(({ is }) => schemaOf(is) !== undefined, { path: ["is"], error: "is no JSON Schema that can be read" })
      .optional()
      .meta({
        description: "Whether changed JSON files have the shape of a JSON Schema: `misshapen`.",
        examples: [{ of: ["data/*.json"], is: { type: "object" } }],
      }),
    similarity: z
      .strictObject({ most: share.meta({ description: "How alike they may be.", examples: [0.95] }) })
      .optional()
      .meta({
        description: "How much of the change was in an earlier round already, from 0 to 1: `similarity`.",
        examples: [{ most: 0.95 }],
      }),
    size: z
      .strictObject({
        files: count.optional().meta({ description: "How many files may change.", examples: [20] }),
        lines: count.optional().meta({ description: "How many lines may be added and removed, together.", examples: [400] }),
      })
      .optional()
      .meta({ description: "How large the change is: `files`, and `lines` added and removed.", examples: [{ lines: 400 }] }),
    coverage: z
      .strictObject({
        file,
        least: share.optional().meta({ description: "What share of all lines must run.", examples: [0.8] }),
        changed: share.optional().meta({ description: "What share of the added lines must run.", examples: [0.9] }),
      })
      .optional()
      .meta({
        description:
          "What share of lines the tests ran, as the command below writes it (lcov or Cobertura): `coverage`, and `changed_coverage` of the added lines.",
        examples: [{ file: "coverage/lcov.info", least: 0.8 }],
      }),
    benchmark: z
      .strictObject({
        file,
        better: z
          .enum(["lower", "higher"])
          .default("lower")
          .meta({ description: "Which way is better.", examples: ["lower"] }),
        most: z
          .number()
          .min(0)
          .max(1000)
          .meta({ description: "How much worse the worst may become.", examples: [0.05] }),
      })
      .optional()
      .meta({
        description:
          'How much worse than on base the worst figure became that the command below writes, as `{"name": 1.5}`: `benchmark`, 0.05 being five percent. The command runs on base too.',
        examples: [{ file: "bench.json", most: 0.05 }],
      }),
    run: run
      .optional()
      .meta({ description: "The command that writes coverage or figures, given to /bin/sh.", examples: ["npm run coverage"] }),
    timeout,
    env,
    inherit,
  })
  .refine(({ coverage, benchmark, run: asked }) => (coverage === undefined && benchmark === undefined) || asked !== undefined, {
    path: ["run"],
    error: "is missing: coverage and benchmark read what a command writes",
  })
  .refine((all) => MEASURES.some((name) => all[name] !== undefined), {
    error: `measures nothing: name one of ${"words, phrases, links, citations, schema, similarity, size, coverage, benchmark"}`,
  });
type Options = z.infer<typeof options>;

const MEASURES = ["words", "phrases", "links", "citations", "schema", "similarity", "size", "coverage", "benchmark"] as const;

export const measure = defineCommitVerifier({
  name: "measure",
  kind: "proof",
  provesDocuments: true,
  summary:
    "Takes figures of the change itself (words, links, citations, size, likeness, coverage, speed) and holds when all are within bounds.",
  options,
  async verify(claim, chosen, world) {
    const taken: Part[] = [];
    for (const name of MEASURES) taken.push(...(await TAKE[name](claim, chosen, world)));
    return sightOf(taken);
  },
});

/** `unknown`: why it could not be measured. `madeUp`: what it cites and nobody gathered. */
type Part = (Taken & { readonly madeUp?: readonly string[] }) | { readonly unknown: string };
type Take = (claim: CommitClaim, chosen: Options, world: VerifierWorld) => Promise<readonly Part[]>;

const TAKE: { readonly [name in (typeof MEASURES)[number]]: Take } = {
  words: async (claim, { words }, world) =>
    words ? onTexts(await textsIn(claim, words.of, world), (texts) => measureWords(texts, words)) : [],
  phrases: async (claim, { phrases: asked }, world) =>
    asked ? onTexts(await textsIn(claim, asked.of, world), (texts) => measurePhrases(texts, asked)) : [],
  async links(claim, { links }, world) {
    if (!links) return [];
    const { paths, isWhole } = await world.desk.listFiles(claim.checkout);
    if (!isWhole) return [{ unknown: "there are too many files to look links up in" }];
    const there = new Set(paths.flatMap(withFolders));
    return onTexts(await textsIn(claim, links.of, world), (texts) => measureLinks(texts, (path) => path === "" || there.has(path)));
  },
  async citations(claim, { citations }, world) {
    if (!citations) return [];
    const { gathered } = claim;
    if (!gathered) return [{ unknown: "nothing is on record of what this run gathered" }];
    return onTexts(await textsIn(claim, citations.of, world), (texts) => measureCitations(texts, gathered, citations));
  },
  async schema(claim, { schema }, world) {
    if (!schema) return [];
    const shape = schemaOf(schema.is);
    if (!shape) return [{ unknown: "the schema cannot be read" }];
    return onTexts(await textsIn(claim, schema.of, world), (texts) => {
      const wrong = texts.flatMap(({ path, text }) => {
        const why = misshapen(text, shape);
        return why === undefined ? [] : [{ code: "misshapen", says: `${path}: ${why}` }];
      });
      return { values: { shaped: texts.length, misshapen: wrong.length }, wrong };
    });
  },
  async similarity({ proposal, earlier = [] }, { similarity }, world) {
    if (!similarity) return [];
    const [now, ...before] = await Promise.all([proposal.diff, ...earlier.slice(0, MOST_EARLIER)].map((diff) => world.readOutput(diff)));
    return [measureLikeness(now ?? "", before, similarity)];
  },
  async size({ proposal: { diff, changes } }, { size }, world) {
    if (!size) return [];
    if (diff.truncated) return [{ unknown: "the diff is too large to be counted" }];
    return [measureSize(await world.readOutput(diff), changes.length, size)];
  },
  async coverage(claim, chosen, world) {
    const { coverage } = chosen;
    if (!coverage) return [];
    const written = await readWritten(claim.checkout, coverage.file, chosen, world);
    if ("unknown" in written) return [written];
    const read = readCoverage(written.text);
    if (!read) return [{ unknown: `${coverage.file} is neither lcov nor Cobertura, or tells of no line` }];
    const added = await addedLines(claim, world);
    const [all, changed] = [coveredShare(read), coveredOf(read, added)];
    return [
      {
        values: { coverage: all, ...(changed === undefined ? {} : { changed_coverage: changed }) },
        wrong: [
          ...(coverage.least !== undefined && all < coverage.least
            ? [{ code: "coverage", says: `${percent(all)} of lines ran, at least ${percent(coverage.least)} must` }]
            : []),
          ...(coverage.changed !== undefined && changed !== undefined && changed < coverage.changed
            ? [{ code: "changed-coverage", says: `${percent(changed)} of the added lines ran, at least ${percent(coverage.changed)} must` }]
            : []),
        ],
      },
      ...(coverage.changed !== undefined && changed === undefined ? [{ unknown: "the report knows none of the added lines" }] : []),
    ];
  },
  async benchmark(_claim, chosen, world) {
    const { benchmark } = chosen;
    if (!benchmark) return [];
    const [base, now] = [
      await readWritten(() => world.rooms.open({ of: "base" }), benchmark.file, chosen, world),
      await readWritten(() => world.rooms.open({ of: "proposal" }), benchmark.file, chosen, world),
    ];
    if ("unknown" in base) return [{ unknown: `on base: ${base.unknown}` }];
    if ("unknown" in now) return [now];
    const [before, after] = [readFigures(base.text), readFigures(now.text)];
    if (!before || !after) return [{ unknown: `${benchmark.file} holds no figures above zero by name` }];
    return [compareFigures(before, after, benchmark)];
  },
};

const MOST_EARLIER = 10;
const MOST_TEXT_BYTES = 8 * 1024 * 1024;

type Texts = { readonly texts: readonly NamedText[] } | { readonly unknown: string };

/** The plain files that the proposal adds or changes, as text. */
async function textsIn({ proposal }: CommitClaim, globs: readonly string[], { rooms }: VerifierWorld): Promise<Texts> {
  const isAsked = compileAllowing(globs);
  const files = proposal.changes.flatMap(({ path, after }) =>
    after?.mode.startsWith("100") && isAsked(path) ? [{ path, blob: after.blob }] : [],
  );
  if (files.length === 0) return { texts: [] };
  const contents = await rooms.contents(files.map(({ blob }) => blob));
  const read = files.flatMap(({ path, blob }) => {
    const bytes = contents.get(blob);
    return bytes ? [{ path, bytes }] : [];
  });
  if (read.length < files.length || read.reduce((sum, { bytes }) => sum + bytes.length, 0) > MOST_TEXT_BYTES)
    return { unknown: "the changed texts are too large to be read" };
  return { texts: read.map(({ path, bytes }) => ({ path, text: decodeText(bytes) })) };
}

const onTexts = (texts: Texts, take: (texts: readonly NamedText[]) => Part): readonly Part[] => [
  "unknown" in texts ? texts : take(texts.texts),
];

const withFolders = (path: string): readonly string[] => path.split("/").map((_, at, steps) => steps.slice(0, at + 1).join("/"));

async function addedLines(
  { proposal }: CommitClaim,
  { rooms }: VerifierWorld,
): Promise<readonly { readonly path: string; readonly line: number }[]> {
  const files = proposal.changes.filter(({ after }) => after?.mode.startsWith("100"));
  const contents = await rooms.contents(files.flatMap(({ before, after }) => [before, after].flatMap((side) => (side ? [side.blob] : []))));
  const text = (blob: string | undefined): string => decodeText((blob === undefined ? undefined : contents.get(blob)) ?? new Uint8Array());
  return files.flatMap(({ path, before, after }) =>
    changedLines(text(before?.blob), text(after?.blob)).added.map((line) => ({ path, line })),
  );
}

type Room = CommitClaim["checkout"];

/** What the command leaves in a file, in a room that nobody else used. */
async function readWritten(
  room: Room | (() => Promise<Room>),
  path: string,
  { run: asked, timeout: limit, env: set, inherit: names }: Options,
  world: VerifierWorld,
): Promise<{ readonly text: string } | { readonly unknown: string }> {
  const command: RunOptions = { run: asked ?? "", timeout: limit, env: set, inherit: names };
  let opened: Room | undefined;
  const ran = await runTests(
    async () => {
      opened = typeof room === "function" ? await room() : room;
      await world.roomFiles(opened).remove(path);
      return opened;
    },
    command,
    world,
  );
  if (ran.kind === "not-run") return { unknown: ran.why };
  if (ran.kind === "timed-out") return { unknown: `\`${asked}\` took longer than ${ran.afterMs} ms` };
  if (ran.code !== 0) return { unknown: `\`${asked}\` exited ${ran.code}` };
  const text = opened && (await world.roomFiles(opened).read(path));
  return text === undefined ? { unknown: `\`${asked}\` wrote no ${path}, or no plain file of at most 32 MiB` } : { text };
}

/** What cannot be read as a schema is refused when the spec is. */
function schemaOf(is: { readonly [keyword: string]: unknown }): z.ZodType | undefined {
  try {
    // The schema library takes what JSON Schema has; what it cannot take it says by throwing.
    return z.fromJSONSchema(is as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return undefined;
  }
}

function misshapen(text: string, shape: z.ZodType): string | undefined {
  try {
    const read = shape.safeParse(JSON.parse(text));
    return read.success ? undefined : displayLine(z.prettifyError(read.error), 300);
  } catch {
    return "it is no JSON";
  }
}

const percent = (figure: number): string => `${Math.round(figure * 1000) / 10} %`;

const MOST_TOLD = 20;

/** What was made up outweighs what nobody could measure, and that outweighs what is wrong. */
function sightOf(parts: readonly Part[]): Sight {
  const unknown = parts.flatMap((part) => ("unknown" in part ? [part.unknown] : []));
  const taken = parts.flatMap((part) => ("unknown" in part ? [] : [part]));
  const wrong = taken.flatMap((part) => part.wrong);
  const values = Object.fromEntries(taken.flatMap((part) => Object.entries(part.values)));
  const figures = Object.entries(values).map(([name, value]) => `${name} ${Math.round(value * 1000) / 1000}`);
  const isMadeUp = taken.some(({ madeUp = [] }) => madeUp.length > 0);
  const outcome = isMadeUp ? "fabricated" : unknown.length > 0 ? "unknown" : wrong.length > 0 ? "refuted" : "holds";
  const holding = taken.filter((part) => part.wrong.length === 0).length;
  const told = [...unknown, ...wrong.map(({ says }) => says)].slice(0, MOST_TOLD).map((says) => `- ${displayLine(says, 300)}`);
  return {
    outcome,
    detail: [figures.join(", ") || "nothing could be measured", ...told].join("\n"),
    output: undefined,
    measured: {
      score: parts.length === 0 ? 0 : holding / parts.length,
      values,
      codes: [...new Set(wrong.map(({ code }) => code))],
      hints: wrong.slice(0, MOST_TOLD).map(({ says }) => untrustedText(displayLine(says, 300))),
    },
  };
}
