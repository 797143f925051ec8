// Whether a change stays within what the spec allows: where, how much, and what it may not touch on the way.
import * as z from "zod";
import type { Change, FileVersion } from "../contract/proposal.ts";
import { defineCommitVerifier, type Sight } from "../contract/verifier.ts";
import { compileGlobs, globProblem } from "../std/glob.ts";
import { changedLines } from "./reading/changed-lines.ts";
import { exportedNames } from "./reading/exported-names.ts";
import { dependenciesIn, isLicenceFile, licencesIn } from "./reading/manifests.ts";

const Glob = z
  .string()
  .refine((pattern) => globProblem(pattern) === undefined, { error: ({ input }) => `this glob ${globProblem(String(input))}` });

const KINDS = { symlink: "120000", submodule: "160000", executable: "100755" } as const;

const options = z.strictObject({
  allow: z
    .array(Glob)
    .default(["**"])
    .meta({ description: "Globs of the files that may be touched.", examples: [["src/**", "test/**"]] }),
  deny: z
    .array(Glob)
    .default([])
    .meta({ description: "Globs of files that may not be touched, also where `allow` names them.", examples: [["src/generated/**"]] }),
  maxFiles: z
    .int()
    .min(1)
    .optional()
    .meta({ description: "How many files may be touched.", examples: [20] }),
  maxLines: z
    .int()
    .min(1)
    .optional()
    .meta({
      description: "How many lines may be added and removed, together. A binary file counts a line for each 100 bytes.",
      examples: [400],
    }),
  dependencies: z
    .enum(["keep", "any"])
    .default("keep")
    .meta({ description: "Whether declared dependencies, lock files and submodules must stay as they are.", examples: ["keep"] }),
  licences: z
    .enum(["keep", "any"])
    .default("keep")
    .meta({ description: "Whether licence texts, licence fields and SPDX marks must stay as they are.", examples: ["keep"] }),
  api: z
    .enum(["keep", "any"])
    .default("any")
    .meta({
      description:
        "Whether the names that changed source files give to others must stay. It is a scan of lines, for JavaScript, TypeScript, Python, Go, Rust and Java; a name that moved to another changed file counts as kept.",
      examples: ["keep"],
    }),
  modes: z
    .array(z.enum(["symlink", "submodule", "executable"]))
    .default([])
    .meta({ description: "Kinds of files besides plain ones that the change may add.", examples: [["executable"]] }),
});

type Options = z.infer<typeof options>;

export const scope = defineCommitVerifier({
  name: "scope",
  kind: "proof",
  provesDocuments: true,
  summary: "Holds when the change stays within the paths, size, dependencies, licences, public names and file kinds that are allowed.",
  options,
  async verify({ proposal: { changes } }, chosen, { rooms }) {
    if (changes.length === 0) return sight("unknown", "nothing was changed, so there is nothing to prove");
    const contents = await rooms.contents(changes.flatMap(({ before, after }) => [before, after].flatMap(blobOf)));
    return judgeScope(
      changes.map((change) => ({ change, before: read(change.before, contents), after: read(change.after, contents) })),
      chosen,
    );
  },
});

/** One side of a change: `absent` is not there or no file, `unread` could not be looked into. */
type Content = { readonly kind: "absent" | "unread" } | { readonly kind: "read"; readonly bytes: Uint8Array };

interface ChangeRead {
  readonly change: Change;
  readonly before: Content;
  readonly after: Content;
}

type Rule = (changes: readonly ChangeRead[], options: Options) => readonly string[];

/** So much of a text is scanned. */
const MOST_SCANNED = 512 * 1024;
const MOST_COMPARED = 2 * 1024 * 1024;

function judgeScope(changes: readonly ChangeRead[], chosen: Options): Sight {
  const violations = RULES.flatMap((rule) => rule(changes, chosen));
  if (violations.length > 0) return sight("refuted", `outside of what is allowed:\n${violations.map((one) => `- ${one}`).join("\n")}`);
  const unread = changes.filter((change) => isTooLarge(change, chosen)).map(({ change: { path } }) => JSON.stringify(path));
  if (unread.length > 0) return sight("unknown", `too large to be looked into: ${listed(unread)}`);
  const lines = changes.reduce((sum, change) => sum + lineCount(change), 0);
  return sight("holds", `${changes.length} files and ${lines} lines, within what is allowed`);
}

function isTooLarge({ change: { path }, before, after }: ChangeRead, { maxLines, dependencies, licences, api }: Options): boolean {
  const isUnread = before.kind === "unread" || after.kind === "unread";
  const isScanned = api === "keep" && exportedNames(path, "") !== undefined;
  if (isScanned && [before, after].some((side) => sizeOf(side) > MOST_SCANNED)) return true;
  return isUnread && (isScanned || maxLines !== undefined || dependencies === "keep" || licences === "keep");
}

const outsidePaths: Rule = (changes, { allow, deny }) => {
  const isAllowed = compileGlobs(allow);
  const isDenied = compileGlobs(deny);
  return changes.flatMap(({ change: { path } }) => {
    if (isDenied(path)) return [`${JSON.stringify(path)} is denied`];
    return isAllowed(path) && isOrdinary(path) ? [] : [`${JSON.stringify(path)} is not among the allowed paths`];
  });
};

/** A glob says yes where it must err, which is right to deny and wrong to allow. */
const isOrdinary = (path: string): boolean => path.length <= 4096 && path.split("/").every((name) => name.length <= 255);

const tooMuch: Rule = (changes, { maxFiles, maxLines }) => {
  const lines = changes.reduce((sum, change) => sum + lineCount(change), 0);
  return [
    ...(maxFiles !== undefined && changes.length > maxFiles ? [`${changes.length} files are touched, at most ${maxFiles} may be`] : []),
    ...(maxLines !== undefined && lines > maxLines ? [`${lines} lines are added or removed, at most ${maxLines} may be`] : []),
  ];
};

const newKinds: Rule = (changes, { modes }) =>
  changes.flatMap(({ change: { path, before, after } }) =>
    Object.entries(KINDS).flatMap(([kind, mode]) =>
      after?.mode === mode && before?.mode !== mode && !modes.some((allowed) => allowed === kind)
        ? [`${JSON.stringify(path)} becomes ${kind === "executable" ? "an executable" : `a ${kind}`}`]
        : [],
    ),
  );

const otherDependencies: Rule = (changes, { dependencies }) =>
  dependencies === "any"
    ? []
    : changes.flatMap(({ change: { path, before, after }, ...sides }) => {
        if (before?.mode === KINDS.submodule || after?.mode === KINDS.submodule) return [`the submodule ${JSON.stringify(path)} changes`];
        const [old, now] = [sides.before, sides.after].map((side) =>
          sizeOf(side) > MOST_SCANNED && dependenciesIn(path, "") !== undefined ? decode(side) : (dependenciesIn(path, textOf(side)) ?? ""),
        );
        return old === now ? [] : [`${JSON.stringify(path)} declares or pins other dependencies`];
      });

const otherLicences: Rule = (changes, { licences }) =>
  licences === "any"
    ? []
    : changes.flatMap(({ change: { path, before }, ...sides }) => {
        if (isLicenceFile(path)) return [`${JSON.stringify(path)} is a licence or a notice`];
        if (before === undefined) return [];
        const [old, now] = [sides.before, sides.after].map((side) => licencesIn(path, textOf(side)));
        return old === now || old === "" || sides.after.kind === "absent" ? [] : [`${JSON.stringify(path)} names another licence`];
      });

const lostNames: Rule = (changes, { api }) => {
  if (api === "any") return [];
  const kept = new Set(changes.flatMap(({ change: { path }, after }) => [...(exportedNames(path, textOf(after)) ?? [])]));
  return changes.flatMap(({ change: { path }, before, after }) => {
    const still = exportedNames(path, textOf(after)) ?? new Set();
    const lost = [...(exportedNames(path, textOf(before)) ?? [])].filter((name) => !still.has(name) && !kept.has(name));
    return lost.length === 0 ? [] : [`${JSON.stringify(path)} no longer gives ${listed(lost)} (seen by a scan of its lines)`];
  });
};

const RULES: readonly Rule[] = [outsidePaths, tooMuch, newKinds, otherDependencies, otherLicences, lostNames];

/** Links and submodules have no lines of their own. */
const blobOf = (version: FileVersion | undefined): readonly string[] =>
  version === undefined || version.mode === KINDS.submodule ? [] : [version.blob];

function read(version: FileVersion | undefined, contents: ReadonlyMap<string, Uint8Array>): Content {
  const [blob] = blobOf(version);
  if (blob === undefined) return { kind: "absent" };
  const bytes = contents.get(blob);
  return bytes === undefined ? { kind: "unread" } : { kind: "read", bytes };
}

function lineCount({ before, after }: ChangeRead): number {
  if ([before, after].some(isBinary)) return Math.ceil(Math.max(sizeOf(before), sizeOf(after)) / 100);
  // Comparing them line by line would take too long, so all of it counts.
  if (Math.max(sizeOf(before), sizeOf(after)) > MOST_COMPARED) return lineEnds(before) + lineEnds(after);
  const { added, removed } = changedLines(decode(before), decode(after));
  return added.length + removed;
}

const lineEnds = (content: Content): number =>
  content.kind === "read" ? content.bytes.reduce((sum, byte) => (byte === 0x0a ? sum + 1 : sum), 1) : 0;
const sizeOf = (content: Content): number => (content.kind === "read" ? content.bytes.length : 0);
const isBinary = (content: Content): boolean => content.kind === "read" && content.bytes.subarray(0, 8000).includes(0);
const decode = (content: Content): string => (content.kind === "read" ? new TextDecoder().decode(content.bytes) : "");

/** What the scans see. */
const textOf = (content: Content): string => decode(content).slice(0, MOST_SCANNED);

const listed = (names: readonly string[]): string =>
  names.length > 10 ? `${names.slice(0, 10).join(", ")} and ${names.length - 10} more` : names.join(", ");

const sight = (outcome: Sight["outcome"], detail: string): Sight => ({ outcome, detail, output: undefined });
