// lw intent as one use: a sentence and a repository become a loop, with the reasons; or one question.
import { dirname, relative } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { makers } from "../../makers/index.ts";
import { readSpec, type SpecProblem } from "../../spec/read-spec.ts";
import { writeSpec } from "../../spec/write-spec.ts";
import { builtIn } from "../crew.ts";
import type { SeenRepository } from "./look-at-repository.ts";
import { chooseAgent, nameFor } from "./outline-loop.ts";
import { outlineWish } from "./outline-wish.ts";
import { type ReadWish, readWish, type WishKind } from "./read-wish.ts";

export interface IntentWishes {
  readonly sentence: string;
  readonly level: string | undefined;
  readonly agent: string | undefined;
  /** Where it will lie; undefined for the folder for specs. */
  readonly out: string | undefined;
  /** What somebody answered where the sentence did not say. */
  readonly means: WishKind | undefined;
}

export type Intended =
  | {
      readonly kind: "intended";
      readonly means: WishKind;
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
  const wish = wishes.means === undefined ? reading : answered(reading, wishes.means);
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
  return { kind: "intended", means: wish.means, name, why: wish.why, runnerUp: wish.runnerUp, text };
}

const answered = (reading: ReturnType<typeof readWish>, means: WishKind): ReadWish => ({
  kind: "read",
  means,
  object: reading.kind === "read" ? reading.object : "",
  why: ["It was said outright."],
  runnerUp:
    reading.kind === "read" && reading.means !== means
      ? { means: reading.means, why: "as the sentence reads" }
      : { means: means === "mend" ? "change" : "mend", why: "if that is not what is meant" },
  when: reading.kind === "read" ? reading.when : undefined,
});
