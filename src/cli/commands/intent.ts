// lw intent: from a sentence to a loop.
import { resolve } from "node:path";
import { askAboutWish, modelNamed, type WishAsked } from "../../app/authoring/ask-about-wish.ts";
import { type Intended, type IntentWishes, intend } from "../../app/authoring/intend.ts";
import { WISH_KINDS, type WishKind } from "../../app/authoring/read-wish.ts";
import { loopFiles, scanFolder } from "../../app/open-authoring.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { shellWord } from "../../std/shell-word.ts";
import { createAsking } from "../ask.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withHouse } from "../with-house.ts";

export const intent: Command = async (call) => {
  const { args, io, options } = call;
  const seen = await scanFolder(resolve(io.cwd, textOf(options.repo) ?? "."), call);
  const out = textOf(options.out);
  const wishes = {
    sentence: args.join(" "),
    level: textOf(options.level),
    agent: textOf(options.agent),
    out: out === undefined ? undefined : resolve(io.cwd, out),
    means: kindOf(textOf(options.means)),
  };
  const isSet = (variable: string): boolean => (call.env[variable] ?? "") !== "";
  const first = await asked(call, seen, wishes, intend(seen, wishes, isSet), isSet);
  if (first.kind !== "unsure" || wantsJson(call) || !io.input.isTyped()) return finish(call, first, wishes.out);
  io.err(`Unsure: ${displayLine(first.why, 200)}.\n`);
  const means = kindOf(await createAsking(io).choose(first.question, first.could));
  return finish(call, intend(seen, { ...wishes, means }, isSet), wishes.out);
};

/** The model that was named for it is asked before anybody is, and only where the sentence does not say. */
async function asked(
  call: Call,
  seen: Parameters<typeof intend>[0],
  wishes: IntentWishes,
  first: Intended,
  isSet: (variable: string) => boolean,
): Promise<Intended> {
  const named = textOf(call.options.askModel);
  const ref = named === undefined ? undefined : modelNamed(named, textOf(call.options.baseUrl));
  if (ref === undefined || first.kind !== "unsure") return first;
  let answer: WishAsked | undefined;
  await withHouse(call, async (house) => {
    answer = await askAboutWish(house, seen.root, ref, wishes.sentence);
    return "done";
  });
  const told = `${displayLine(ref.model, 80)} was asked, for $${(answer?.costUsd ?? 0).toFixed(4)}`;
  if (answer?.means === undefined) {
    call.io.err(`${told}: it could not tell either.\n`);
    return first;
  }
  call.io.err(`${told}: it reads as ${answer.means}.\n`);
  return intend(seen, { ...wishes, means: answer.means, by: ref.model }, isSet);
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function kindOf(asked: string | undefined): WishKind | undefined {
  const kind = WISH_KINDS.find((one) => one === asked);
  if (asked !== undefined && kind === undefined)
    throw new LoopError("bad-input", `--means does not take ${displayLine(asked, 60)}`, {
      retry: "never",
      hint: `Write one of: ${WISH_KINDS.join(", ")}.`,
    });
  return kind;
}

async function finish(call: Call, intended: Intended, out: string | undefined): Promise<ExitName> {
  const { io } = call;
  if (wantsJson(call)) printJson(call, intended);
  switch (intended.kind) {
    case "unsure":
      io.err(`Unsure: ${displayLine(intended.why, 200)}.\n${intended.question} Say it with --means: ${intended.could.join(", ")}.\n`);
      return "usage";
    case "impossible":
      io.err(`It reads as ${intended.means}, and that cannot be made here: ${intended.why}.\n    See \`lw scan\` for what was found.\n`);
      return "usage";
    case "refused":
      for (const problem of intended.problems) io.err(`${formatProblem(problem)}\n`);
      return "usage";
    case "intended":
      io.err(
        `Reads as ${intended.means}: ${intended.why.map((line) => displayLine(line, 200)).join(" ")}\nRunner-up: ${intended.runnerUp.means}, ${displayLine(intended.runnerUp.why, 200)}.\n`,
      );
      if (out !== undefined) return write(call, intended.text, out);
      if (!wantsJson(call)) io.out(intended.text);
      return "done";
  }
}

async function write({ io }: Call, text: string, out: string): Promise<ExitName> {
  const before = await loopFiles.readText(out);
  if (before !== undefined && before !== text)
    throw new LoopError("bad-input", `${out} is there already`, {
      retry: "never",
      hint: "Nothing was written: name another file, or remove it first.",
    });
  if (before === undefined) await loopFiles.writeText(out, text);
  io.err(`Wrote ${out}. Next: lw cost ${shellWord(out)}, lw run ${shellWord(out)}.\n`);
  return "done";
}
