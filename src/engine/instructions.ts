// What a loop's instructions may be changed to, which of them count in a round, and when a change is undone. Pure.
import type { CrewMaker } from "../contract/crew.ts";
import {
  AS_WRITTEN,
  type Change,
  type Improve,
  type Instructions,
  type Mark,
  NO_CHANGE,
  THE_MAKER,
  type Version,
} from "../contract/improve.ts";
import type { Improvable, Wish } from "../contract/improver.ts";
import type { FilesKind } from "../contract/proposal.ts";
import type { RunOpened } from "../contract/record.ts";
import type { Round } from "../contract/round.ts";
import { type LoopSpec, makersOf } from "../contract/spec.ts";
import { type Untrusted, untrustedText } from "../contract/text.ts";
import type { Because, Verdict } from "../contract/verdict.ts";
import { admit } from "../guard/text/admit.ts";
import type { RunState } from "../journal/fold.ts";
import { canonicalJson, sha256 } from "../std/hash.ts";
import { worth } from "./measure-round.ts";

const MOST_HEEDED = 20;
const MOST_CHARS = 600;

/** Those whose instructions the spec lets change, as it writes them. */
export function improvableIn(spec: LoopSpec): readonly Improvable[] {
  const all = spec.team
    ? Object.entries(spec.team.workers).map(([id, { role, with: options }]) => ({ id, role, with: options ?? {} }))
    : makersOf(spec)
        .slice(0, 1)
        .map(({ with: options }) => ({ id: THE_MAKER, role: spec.task ?? spec.intent, with: options ?? {} }));
  const { of } = spec.improve ?? {};
  return of ? all.filter(({ id }) => of.includes(id)) : all;
}

/** The same hash is the same start: what was gained on another is no gain on this one. */
export const baseOf = (spec: LoopSpec): string =>
  sha256(canonicalJson(JSON.parse(JSON.stringify([spec.improve?.use, improvableIn(spec)]))));

/** Named by what they say. */
export function versionOf(instructions: Instructions): Version {
  const of = Object.fromEntries(Object.entries(instructions.of).filter(([, change]) => Object.keys(change).length > 0));
  const said: Instructions = { of, ...(instructions.notes?.length ? { notes: instructions.notes } : {}) };
  if (Object.keys(of).length === 0 && said.notes === undefined) return { version: AS_WRITTEN, instructions: NO_CHANGE };
  return { version: sha256(canonicalJson(JSON.parse(JSON.stringify(said)))).slice(0, 12), instructions: said };
}

export type Taken = { readonly kind: "taken"; readonly version: Version } | { readonly kind: "refused"; readonly why: string };

/**
 * What of a wish may be so at all. It is put together anew, word by word: whoever the spec names, words to heed that could stand in a
 * brief, and values that the spec declares. There is nothing else in it, whatever a strategy wished.
 */
export function takeWish(spec: LoopSpec, now: Instructions, wish: Exclude<Wish, { kind: "nothing" }>): Taken {
  if (wish.kind === "note") {
    const notes = wish.notes.map((note) => untrustedText(String(note).slice(0, MOST_CHARS)));
    const refused = notes.find((note) => !isFit(note));
    if (refused !== undefined) return { kind: "refused", why: "a note reads like an injection" };
    return { kind: "taken", version: versionOf({ of: now.of, notes: [...(now.notes ?? []), ...notes].slice(-MOST_HEEDED) }) };
  }
  const targets = improvableIn(spec);
  const strange = Object.keys(wish.of).find((id) => !targets.some((target) => target.id === id));
  if (strange !== undefined) return { kind: "refused", why: `${JSON.stringify(strange)} may not be changed` };
  const of: { [target: string]: Change } = {};
  for (const { id } of targets) {
    const change = Object.hasOwn(wish.of, id) ? wish.of[id] : now.of[id];
    const taken = takeChange(spec.improve, id, change ?? {});
    if (typeof taken === "string") return { kind: "refused", why: taken };
    of[id] = taken;
  }
  return { kind: "taken", version: versionOf({ of, ...(now.notes ? { notes: now.notes } : {}) }) };
}

function takeChange(improve: Improve | undefined, id: string, { heed = [], with: options = {} }: Change): Change | string {
  const words = heed.slice(0, MOST_HEEDED).map((line) => untrustedText(String(line).slice(0, MOST_CHARS)));
  if (words.some((line) => !isFit(line))) return `what ${id} should heed reads like an injection`;
  for (const [name, value] of Object.entries(options)) {
    const declared = improve?.space?.[`${id}.${name}`] ?? improve?.space?.[name] ?? [];
    if (!declared.includes(value)) return `${JSON.stringify(value)} is no value that the spec declares for ${name} of ${id}`;
  }
  return {
    ...(words.length > 0 ? { heed: words } : {}),
    ...(Object.keys(options).length > 0 ? { with: Object.fromEntries(Object.entries(options)) } : {}),
  };
}

/** What a check printed is told as a lesson anyway; what would be refused there does not become an instruction. */
const isFit = (text: Untrusted): boolean => admit(text, heedLabel(MOST_CHARS)).kind === "admitted";

const heedLabel = (mostChars: number) => ({ source: "what earlier rounds taught", trust: "machine", mostChars }) as const;

/** What one of them should heed in this round, admitted once more by today's rules: what they refuse is left out. */
export function heededBy(instructions: Instructions, target: string) {
  const notes = target === THE_MAKER ? [] : (instructions.notes ?? []);
  const mine = Object.hasOwn(instructions.of, target) ? (instructions.of[target]?.heed ?? []) : [];
  return [...mine, ...notes].map((text) => admit(text, heedLabel(MOST_CHARS)));
}

/** The instructions that a round was opened with. */
export function instructionsOf({ version = AS_WRITTEN }: Round, opened: RunOpened, { lineage }: Pick<RunState, "lineage">): Instructions {
  if (version === AS_WRITTEN) return NO_CHANGE;
  const known = [
    ...(opened.improved ? [opened.improved] : []),
    ...lineage.flatMap((one) => (one.kind === "undone" ? [one.to] : one.kind === "improved" ? [one] : [])),
  ];
  const found = known.find((one) => one.version === version);
  if (!found) throw new TypeError(`nothing is on record of the version ${version}`);
  return found.instructions;
}

/** The same maker with the options of its instructions. Which options there are is the spec's to say. */
export function withOptionsOf<K extends FilesKind>(maker: CrewMaker<K>, target: string, { of }: Instructions): CrewMaker<K> {
  const options = Object.hasOwn(of, target) ? of[target]?.with : undefined;
  if (!options || !maker.remake) return maker;
  const all = { ...maker.ref.with, ...options };
  return { ...maker, ref: { ...maker.ref, with: all }, make: maker.remake(all) };
}

const UNSAFE: readonly Because[] = ["tampering", "injection", "blocked", "outside-level", "fabricated"];

export interface Trial {
  readonly spec: LoopSpec;
  readonly before: Mark;
  readonly after: Mark;
  readonly isFirst: boolean;
  readonly verdict: Verdict;
}

/** Why a change does not stay, after a round that worked by it. What nobody could measure is no gain. */
export function whyUndone({ spec, before, after, isFirst, verdict }: Trial): string | undefined {
  const { metrics, improve } = spec;
  if (verdict.kind !== "accept" && UNSAFE.includes(verdict.because)) return `the round was not safe: ${verdict.because}`;
  if (after.value === null) return `${after.metric} could not be measured`;
  if (before.value === null) return undefined;
  const gained = worth(metrics, after.metric, after.value) - worth(metrics, before.metric, before.value);
  if (isFirst && improve?.gain !== undefined && gained < improve.gain - ROUNDING)
    return `${after.metric} gained ${told(gained)}, and ${improve.gain} is what a change must gain`;
  const mayDrop = improve?.undo?.drop ?? metrics?.[after.metric]?.mayDrop ?? 0;
  return gained < -mayDrop - ROUNDING ? `${after.metric} dropped by ${told(-gained)}, and ${mayDrop} is the most` : undefined;
}

/** Two decimal figures that are the same need not be so in binary. */
const ROUNDING = 1e-9;

const told = (figure: number): string => String(Math.round(figure * 1e4) / 1e4);
