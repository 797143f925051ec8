// loopgen's `loopgen.loop.yaml` as a dialect: one of its loops as a spec of ours.
import * as z from "zod";
import { canFail } from "../guard/command/can-fail.ts";
import type { Path } from "../spec/path.ts";
import { defineDialect, type Putting } from "./define-dialect.ts";
import { repeated } from "./placed-problems.ts";
import { agentCalled, boundPart, commandCheck, intentOf, lasting, type PartValue, putMaker, putName, putTask } from "./putting.ts";
import type { SpecValue } from "./translation.ts";
import { fieldsOf, listOf } from "./values.ts";

const Texts = z.array(z.string());
const Words = z.union([z.string(), Texts]);

const Loop = z.looseObject({
  id: z.string().min(1),
  title: z.string().optional(),
  category: z.string().optional(),
  audience: Texts.optional(),
  difficulty: z.string().optional(),
  expectedOutcome: z.string().optional(),
  goal: z.string().optional(),
  trigger: z.looseObject({ type: z.string().optional(), cadence: z.string().optional(), sources: Texts.optional() }).optional(),
  contextSources: Texts.optional(),
  actions: Texts.optional(),
  verification: z.looseObject({
    commands: Texts,
    acceptanceCriteria: Words.optional(),
    makerChecker: z.boolean().optional(),
    requiresHumanCommandDefinition: z.boolean().optional(),
  }),
  stopCriteria: z.looseObject({
    maxIterations: z.number().optional(),
    timeoutMinutes: z.number().positive(),
    requireHumanInputOn: Texts.optional(),
  }),
  stateFile: z.string().optional(),
  permissions: z.looseObject({
    allowedCommands: Texts.optional(),
    forbiddenPaths: Texts,
    allowNetwork: z.boolean().optional(),
    allowPrCreation: z.boolean().optional(),
  }),
  adapters: Texts.optional(),
});
type Loop = z.infer<typeof Loop>;

const LoopsFile = z.looseObject({
  version: z.string().optional(),
  project: z.string().optional(),
  generatedBy: z.string().optional(),
  generatedAt: z.string().optional(),
  loops: z.array(Loop).min(1).max(200),
});
type LoopsFile = z.infer<typeof LoopsFile>;

export const loopgenLoop = defineDialect<LoopsFile>({
  name: "loopgen",
  title: "loops of loopgen",
  written: "plain",
  mentioned: /stopCriteria|generatedBy/,
  looksLike: (root) =>
    Array.isArray(root.loops) &&
    (root.generatedBy === "loopgen" ||
      root.loops.some((loop) => ["stopCriteria", "verification"].every((key) => Object.hasOwn(fieldsOf(loop), key)))),
  form: () => "loopgen 0.1",
  schema: LoopsFile,
  rules: (root) => repeated(listOf(root.loops), "loops"),
  standing: [
    ["version", "inert", "a spec goes by its hash"],
    ["project", "inert", "the target is the repository that the spec names"],
    ["generatedBy", "inert", "says where the file is from"],
    ["generatedAt", "inert", "says when the file was made"],
    ["loops.*.title", "inert", "is only shown to people"],
    ["loops.*.category", "inert", "is only shown to people"],
    ["loops.*.audience", "inert", "is only shown to people"],
    ["loops.*.difficulty", "inert", "is only shown to people"],
    ["loops.*.stateFile", "inert", "what runs came to is in the journal of the home; `lw ledger aggregate` reads the old ledger"],
    ["loops.*.trigger.type", "inert", "names what the loop is for; it wakes nothing there either"],
    ["loops.*.trigger.sources", "inert", "names what the loop is for; it wakes nothing there either"],
    ["loops.*.verification.makerChecker", "inherent", "who makes never decides whether it is right"],
  ],
  put: putOne,
});

/** By its id, else the only one there is. */
function putOne({ loops }: LoopsFile, at: Putting): SpecValue | undefined {
  const { bindings, notes } = at;
  const wanted = bindings.set.get("loop");
  const index = wanted === undefined && loops.length === 1 ? 0 : loops.findIndex(({ id }) => id === wanted);
  const loop = loops[index];
  if (loop === undefined) {
    const ids = loops.slice(0, 20).map(({ id }) => id);
    notes.tell("asked", ["loops"], "", `which of them? Say it with --set loop=ID: ${ids.join(", ")}`);
    return undefined;
  }
  for (const [other, { id }] of loops.entries())
    if (other !== index) notes.tell("inert", ["loops", other], "", `another loop: import it by itself, with --set loop=${id}`);
  return putLoop(loop, ["loops", index], at);
}

function putLoop(loop: Loop, path: Path, at: Putting): SpecValue | undefined {
  const maker = makerOf(loop, path, at);
  const checks = checksOf(loop, path, at);
  const task = taskOf(loop, path, at);
  const bounds = boundsOf(loop, path, at);
  if (maker === undefined || checks === undefined || task === undefined) return undefined;
  at.notes.tell("added", path, "level", "L2: it proposes, and a person decides");
  return {
    name: putName(loop.id, [...path, "id"], at),
    intent: intentOf(loop.goal ?? loop.title ?? loop.id),
    level: "L2",
    task,
    trigger: triggerOf(loop, path, at),
    maker,
    verifiers: [...checks, ...guardedPaths(loop, path, at)],
    ...bounds,
    ...networkOf(loop, maker, path, at),
    ...(loop.permissions.forbiddenPaths.length > 0 ? { referee: { deny: loop.permissions.forbiddenPaths } } : {}),
  };
}

/** Everything that loopgen tells whoever works, in the same order. */
function taskOf(loop: Loop, path: Path, at: Putting): string | undefined {
  const { goal, expectedOutcome, contextSources, actions, verification, stopCriteria } = loop;
  const parts = [
    { key: ["goal"], text: goal },
    { key: ["expectedOutcome"], text: expectedOutcome && `What should come of it: ${expectedOutcome}` },
    { key: ["contextSources"], text: contextSources?.length ? `Look at:\n${listed(contextSources)}` : undefined },
    { key: ["actions"], text: actions?.length ? `Steps:\n${listed(actions)}` : undefined },
    {
      key: ["verification", "acceptanceCriteria"],
      text: verification.acceptanceCriteria && `It is done when: ${[verification.acceptanceCriteria].flat().join("; ")}`,
    },
    {
      key: ["stopCriteria", "requireHumanInputOn"],
      text: stopCriteria.requireHumanInputOn?.length ? `Stop and ask when:\n${listed(stopCriteria.requireHumanInputOn)}` : undefined,
    },
  ];
  const told = parts.flatMap(({ key, text }) => (text ? [{ key, text }] : []));
  const task = putTask(told.map(({ text }) => text).join("\n\n"), told[0] === undefined ? path : [...path, ...told[0].key], at);
  for (const { key } of told.slice(1))
    at.notes.tell("translated", [...path, ...key], "task", "in words: nothing enforces it, there or here");
  return task;
}

const listed = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

/** A placeholder that cannot fail is no check. */
function checksOf({ verification }: Loop, path: Path, { bindings, notes }: Putting): readonly PartValue[] | undefined {
  const at = [...path, "verification", "commands"];
  const draft = [...path, "verification", "requiresHumanCommandDefinition"];
  const isDraft = verification.requiresHumanCommandDefinition === true;
  if (verification.requiresHumanCommandDefinition !== undefined)
    notes.tell(isDraft ? "tightened" : "inherent", draft, "verifiers", "a loop without a check that can fail does not run");
  const real = isDraft ? [] : verification.commands.filter((command) => canFail(command));
  if (bindings.test === undefined && real.length === 0) {
    notes.tell("asked", at, "", "how is it proven? None of these can fail. Say it with --test, such as --test 'npm test'");
    return undefined;
  }
  for (const [index, command] of verification.commands.entries())
    if (!real.includes(command)) notes.tell("inert", [...at, index], "", "cannot fail, so that it proves nothing");
    else notes.tell("translated", [...at, index], "verifiers", "in a clean copy of the proposal");
  const runs = bindings.test === undefined || real.includes(bindings.test) ? real : [...real, bindings.test];
  return runs.slice(0, MOST_CHECKS).map((run) => commandCheck(run));
}

const MOST_CHECKS = 18;

function guardedPaths({ permissions: { forbiddenPaths } }: Loop, path: Path, { notes }: Putting): readonly PartValue[] {
  const at = [...path, "permissions", "forbiddenPaths"];
  if (forbiddenPaths.length === 0) {
    notes.tell("inherent", at, "", "none");
    return [];
  }
  notes.tell("tightened", at, "verifiers", "in either case, also by renaming and deleting, and `**/` also stands for the root");
  return [{ use: "scope", with: { deny: forbiddenPaths, dependencies: "any", licences: "any" } }];
}

const USUAL_ROUNDS = 3;
const MOST_ROUNDS = 100;

/** Its time was that of one command; ours is that of the whole run. */
function boundsOf({ stopCriteria: { maxIterations, timeoutMinutes } }: Loop, path: Path, { notes }: Putting): object {
  const rounds = Math.min(Math.max(1, Math.floor(maxIterations ?? USUAL_ROUNDS)), MOST_ROUNDS);
  const isSame = maxIterations === rounds;
  if (maxIterations === undefined) notes.tell("added", [...path, "stopCriteria"], "budget.rounds", `${USUAL_ROUNDS}, as loopgen writes it`);
  else
    notes.tell(isSame ? "translated" : "tightened", [...path, "stopCriteria", "maxIterations"], "budget.rounds", isSame ? "" : `${rounds}`);
  notes.tell("tightened", [...path, "stopCriteria", "timeoutMinutes"], "budget.time", "for the whole run, and not for each command anew");
  return { budget: { rounds, time: lasting(timeoutMinutes * 60_000) } };
}

const CADENCES: { readonly [cadence: string]: string } = { hourly: "1h", daily: "1d", weekly: "7d" };

function triggerOf({ trigger }: Loop, path: Path, { notes }: Putting): PartValue {
  const cadence = trigger?.cadence;
  const at = [...path, "trigger", "cadence"];
  if (cadence === undefined) return { use: "manual" };
  const every = Object.hasOwn(CADENCES, cadence) ? CADENCES[cadence] : undefined;
  if (every !== undefined) {
    notes.tell("translated", at, "trigger", `every ${every}: the file names no time of the day`);
    return { use: "every", with: { interval: every } };
  }
  if (cadence === "manual") notes.tell("translated", at, "trigger");
  else notes.tell("lost", at, "", "nothing wakes it by this: add a trigger, such as `webhook` or `git`");
  return { use: "manual" };
}

function makerOf({ adapters }: Loop, path: Path, at: Putting): PartValue | undefined {
  const { notes, bindings } = at;
  const here = [...path, "adapters"];
  if (bindings.use !== undefined) {
    const part = boundPart(at, here);
    if (adapters !== undefined) notes.tell("translated", here, "maker", `--use ${bindings.use.part}, in their place`);
    return part;
  }
  const index = (adapters ?? []).findIndex((name) => agentCalled(name) !== undefined);
  const use = agentCalled(adapters?.[index] ?? "");
  if (use === undefined) return putMaker(adapters === undefined ? path : here, at);
  notes.tell("translated", [...here, index], "maker");
  for (const other of (adapters ?? []).keys())
    if (other !== index) notes.tell("inert", [...here, other], "", "files for another agent, which is not called");
  return { use };
}

/** Only models with our tools can be kept from the network: an agent needs it for its own. */
const MODELS: ReadonlySet<string> = new Set(["anthropic", "openai-compatible", "ollama", "nvidia", "shell"]);

function networkOf({ permissions }: Loop, maker: PartValue, path: Path, { notes }: Putting): object {
  const { allowedCommands, allowNetwork, allowPrCreation } = permissions;
  const at = [...path, "permissions"];
  if (allowedCommands !== undefined)
    notes.tell(
      "lost",
      [...at, "allowedCommands"],
      "",
      "nothing keeps an agent to a list of commands: the guard refuses what is dangerous, and the box the rest",
    );
  if (allowPrCreation !== undefined)
    notes.tell(
      allowPrCreation ? "tightened" : "inherent",
      [...at, "allowPrCreation"],
      "act",
      allowPrCreation ? "nothing is pushed until you add `push` and `github` to act" : "nothing moves that `act` does not name",
    );
  if (allowNetwork === undefined) return {};
  if (allowNetwork) {
    notes.tell("translated", [...at, "allowNetwork"], "box.maker.network");
    return {};
  }
  if (!MODELS.has(maker.use)) {
    notes.tell("lost", [...at, "allowNetwork"], "", `${maker.use} needs the network for its model: list its hosts in box.maker.network`);
    return {};
  }
  notes.tell("translated", [...at, "allowNetwork"], "box.maker.network", "refused where there is no box");
  return { box: { maker: { when: "required", network: "closed" } } };
}
