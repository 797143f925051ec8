// lw intent as one use: a sentence and a repository become a loop, with the reasons; or one question.
import { dirname, relative } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { fieldsOf } from "../../dialects/values.ts";
import { makers } from "../../makers/index.ts";
import { changeSpec } from "../../spec/change-spec.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { readSpecText } from "../../spec/text.ts";
import { writeSpec } from "../../spec/write-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { builtIn } from "../crew.ts";
import { writePattern } from "../patterns.ts";
import type { SeenRepository } from "./look-at-repository.ts";
import { chooseAgent, nameFor } from "./outline-loop.ts";
import { oneSentence, outlineWish, triggerField } from "./outline-wish.ts";
import { type ReadWish, readWish, type WishKind } from "./read-wish.ts";

export interface IntentWishes {
  readonly sentence: string;
  readonly level: string | undefined;
  readonly agent: string | undefined;
  /** Where it will lie; undefined for the folder for specs. */
  readonly out: string | undefined;
  /** What somebody answered where the sentence did not say. */
  readonly means: WishKind | undefined;
  /** The model that answered; undefined where it was a person. */
  readonly by?: string;
}

export type Intended =
  | {
      readonly kind: "intended";
      readonly means: WishKind;
      /** The ready-made loop that it is. */
      readonly pattern?: string;
      readonly name: string;
      readonly why: readonly string[];
      readonly runnerUp: ReadWish["runnerUp"];
      readonly text: string;
    }
  | { readonly kind: "unsure"; readonly why: string; readonly question: string; readonly could: readonly WishKind[] }
  | { readonly kind: "impossible"; readonly means: WishKind; readonly why: string }
  | { readonly kind: "refused"; readonly problems: readonly SpecProblem[] };

const PREFIX: { readonly [kind in WishKind]: string } = {
  mend: "mend",
  watch: "watch",
  format: "format",
  lint: "lint",
  upkeep: "update",
  tests: "tests",
  change: "change",
  think: "think",
};

export function intend(
  { root, scan }: Pick<SeenRepository, "root" | "scan">,
  wishes: IntentWishes,
  isSet: (variable: string) => boolean,
): Intended {
  const { level, agent, out } = wishes;
  // What no spec may hold is no part of a sentence.
  const sentence = wishes.sentence.replaceAll(/\p{Surrogate}|\p{Cc}/gu, " ");
  const reading = readWish(sentence);
  const wish = wishes.means === undefined ? reading : answered(reading, wishes.means, wishes.by);
  if (wish.kind === "unsure") return wish;
  if (agent !== undefined && !makers.some(({ name }) => name === agent))
    throw new LoopError("bad-input", `there is no maker called ${agent}`, {
      retry: "never",
      hint: "`lw parts` lists those that there are.",
    });
  const name = nameFor(PREFIX[wish.means], root);
  const variables = (maker: string): readonly string[] =>
    (makers.find((one) => one.name === maker)?.program?.variables ?? []).filter(isSet);
  const outline = outlineWish(scan, wish, { name, agent: chooseAgent(scan.agents, agent, variables), at: undefined, sentence, level });
  if (outline.kind === "ready-made") return readyMade(outline.pattern, wish, wishes, name);
  if (outline.kind === "impossible") return { kind: "impossible", means: wish.means, why: outline.why };
  const repo = out === undefined ? ".." : relative(dirname(out), root) || ".";
  const fields = outline.fields.map((field) =>
    field.key === "target" && out !== undefined && repo !== ".."
      ? { ...field, value: { repo, ...(scan.branch ? { base: scan.branch.branch } : {}) }, comment: ["Seen from the folder of this file."] }
      : field,
  );
  const text = writeSpec(
    [`Made by \`lw intent\`: ${wish.means}. ${wish.why.join(" ")}`, `Runner-up: ${wish.runnerUp.means}, ${wish.runnerUp.why}.`],
    fields,
  );
  const sound = readSpec(out ?? `${name}.loop.yaml`, text, builtIn);
  if (sound.kind === "refused") return { kind: "refused", problems: sound.problems };
  return { kind: "intended", means: wish.means, name, why: [...wish.why, ...unreadTime(wish)], runnerUp: wish.runnerUp, text };
}

/** A ready-made loop that is about the sentence: nothing of it is seen in the repository, and who works in it is a model. */
function readyMade(pattern: string, wish: ReadWish, { sentence, agent, level, out }: IntentWishes, name: string): Intended {
  if (agent !== undefined)
    throw new LoopError("bad-input", `${pattern} is a team of models, and ${displayLine(agent, 60)} cannot stand in for them`, {
      retry: "never",
      hint: `Leave --agent out, or write it with \`lw patterns write ${pattern} --provider P --model M --judge J --out FILE\`.`,
    });
  const written = writePattern(pattern).text;
  const [input = "task"] = Object.keys(fieldsOf(fieldsOf(readSpecText(written).value).inputs));
  const edited = changeSpec(written, [
    { path: ["name"], value: name },
    { path: ["inputs", input, "required"], value: false },
    { path: ["inputs", input, "default"], value: oneSentence(sentence) },
    ...(level === undefined ? [] : [{ path: ["level"], value: level }]),
    // What happens in a repository wakes nobody here: such a loop has none.
    { path: ["trigger"], value: triggerField(wish.when?.kind === "git" ? undefined : wish.when, "").value },
  ]);
  if (edited.kind === "refused") throw new TypeError(`${pattern} cannot be made about a sentence: ${edited.why}`);
  const head = [
    `Made by \`lw intent\`: ${wish.means}, as ${pattern}. ${wish.why.join(" ")}`,
    `Runner-up: ${wish.runnerUp.means}, ${wish.runnerUp.why}.`,
  ];
  const text = `${head.map((line) => `# ${displayLine(line, 400)}`).join("\n")}\n${edited.text}`;
  const sound = readSpec(out ?? `${name}.loop.yaml`, text, builtIn);
  if (sound.kind === "refused") return { kind: "refused", problems: sound.problems };
  return { kind: "intended", means: wish.means, pattern, name, why: [...wish.why, ...unreadTime(wish)], runnerUp: wish.runnerUp, text };
}

const unreadTime = ({ when }: ReadWish): readonly string[] =>
  when?.kind === "unread" ? [`When it should run was not understood ("${displayLine(when.words, 80)}"): nothing wakes it.`] : [];

const answered = (reading: ReturnType<typeof readWish>, means: WishKind, by: string | undefined): ReadWish => ({
  kind: "read",
  means,
  object: reading.kind === "read" ? reading.object : "",
  condition: reading.kind === "read" ? reading.condition : "",
  why: [by === undefined ? "It was said outright." : `The sentence does not say; ${displayLine(by, 80)} was asked and read it so.`],
  runnerUp:
    reading.kind === "read" && reading.means !== means
      ? { means: reading.means, why: "as the sentence reads" }
      : { means: means === "mend" ? "change" : "mend", why: "if that is not what is meant" },
  when: reading.kind === "read" ? reading.when : undefined,
});
