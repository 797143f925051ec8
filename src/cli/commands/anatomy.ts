// lw diagram, level, complexity and explain: what a loop is, ours or another system's, told from its anatomy.
import { type Complexity, complexityOf } from "../../anatomy/complexity.ts";
import { levelOf, type TaxonomyLevel } from "../../anatomy/level.ts";
import { toMermaid } from "../../anatomy/mermaid.ts";
import { type LoopModel, modelOf } from "../../anatomy/model.ts";
import { toSvg } from "../../anatomy/svg.ts";
import { type FoundLoop, findLoopBy } from "../../app/anatomy/find-loop.ts";
import { partsOf } from "../../app/open-parts.ts";
import { readLoop } from "../../app/open-specs.ts";
import type { Anatomy } from "../../contract/anatomy.ts";
import type { ExitName } from "../../contract/exit.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { withRecords } from "../open.ts";
import { columns, createPaint, type Paint } from "../print/paint.ts";
import { writeNew } from "../write-page.ts";

export const diagram: Command = (call) =>
  withLoop(call, async ({ anatomy, file }) => {
    const as = call.options.svg === true ? "svg" : "mermaid";
    const text = as === "svg" ? toSvg(anatomy) : toMermaid(anatomy);
    if (wantsJson(call)) printJson(call, { loop: anatomy.name, as, diagram: text, nodes: anatomy.nodes, edges: anatomy.edges });
    else if (typeof call.options.out === "string")
      await writeNew(call, [{ path: call.options.out, text }], file === undefined ? [] : [file], "page");
    else call.io.out(text);
    return "done";
  });

export const level: Command = (call) =>
  withLoop(call, async ({ anatomy }, paint) => {
    const found = levelOf(anatomy);
    const claimed = anatomy.claims.filter(({ at }) => /level|x_loopforge/.test(at));
    if (wantsJson(call)) printJson(call, { loop: anatomy.name, ...found, claimed });
    else call.io.out(tellLevel(anatomy, found, claimed, paint));
    return "done";
  });

export const complexity: Command = (call) =>
  withLoop(call, async ({ anatomy }, paint) => {
    const found = complexityOf(anatomy);
    if (wantsJson(call)) printJson(call, { loop: anatomy.name, ...found });
    else call.io.out(tellComplexity(anatomy, found, paint));
    return "done";
  });

export const explain: Command = (call) =>
  withLoop(call, async ({ anatomy, seen }, paint) => {
    const model = modelOf(anatomy, seen);
    if (wantsJson(call))
      printJson(call, { loop: anatomy.name, goal: anatomy.goal, dialect: anatomy.dialect, ...model, seen: seen ?? null });
    else call.io.out(tellModel(anatomy, model, paint));
    return "done";
  });

type Told = { readonly anatomy: Anatomy; readonly seen: FoundLoop["seen"]; readonly file?: string | undefined };

/** A path needs no home; a name may be of a spec in this folder or of a loop on record. */
function withLoop(call: Call, tell: (told: Told, paint: Paint) => Promise<ExitName>): Promise<ExitName> {
  const [asked = ""] = call.args;
  const { cwd } = call.io;
  const on = async ({ read, seen, file }: FoundLoop): Promise<ExitName> => {
    if (read.kind === "refused") {
      for (const problem of read.problems) call.io.err(`${formatProblem(problem)}\n`);
      return "usage";
    }
    if (read.problems.length > 0)
      call.io.err(
        `lw: ${asked} has ${read.problems.length} problem(s), and is told as far as it can be read; \`lw validate\` shows them\n`,
      );
    return tell({ anatomy: read.anatomy, seen, file }, createPaint(call.io.outColor));
  };
  if (/[./\\]/.test(asked))
    return partsOf(call.home)
      .then((all) => readLoop(asked, cwd, all))
      .then((read) => on({ read, seen: undefined, file: asked }));
  return withRecords(call, async (records) => on(await findLoopBy(records, records.texts, asked, cwd, await partsOf(call.home))));
}

const title = ({ name }: Anatomy, says: string, paint: Paint): string => `${paint("bold", displayLine(name, 100))}  ${says}`;

const tellLevel = (anatomy: Anatomy, found: TaxonomyLevel, claimed: Anatomy["claims"], paint: Paint): string =>
  lines([
    title(anatomy, `level ${found.level}, ${found.name}`, paint),
    ...found.reasons.map((reason) => `  because   ${reason}`),
    ...found.lacks.map((lack) => `  ${paint("yellow", "lacks")}     ${lack}`),
    `  higher    ${found.raise}`,
    `  lower     ${found.lower}`,
    ...claimed.map(({ at, says }) => paint("dim", `  the file says ${displayLine(`${at}: ${says}`, 120)}, which was not asked`)),
  ]);

const tellComplexity = (anatomy: Anatomy, found: Complexity, paint: Paint): string =>
  lines([
    title(anatomy, found.band, paint),
    ...columns([
      ["", "ways through it", `${found.ways}`, `${found.edges} edges − ${found.nodes} nodes + 2 × ${found.pieces} piece(s)`],
      ["", "makers", `${found.makers}`, `${found.depth} after each other, up to ${found.width} at once`],
      ["", "checks", `${found.checks}`, `${found.waysBack} way(s) back`],
      ["", "ends", `${found.ends}`, ""],
      ["", "loops inside", `${found.children}`, ""],
      ["", "calls a round", `${found.callsARound ?? "?"}`, found.callsARound === null ? UNKNOWN_INSIDE : "at most"],
      [
        "",
        "calls a run",
        found.callsARound === null ? "?" : `${found.callsARun ?? "∞"}`,
        found.callsARound === null ? UNKNOWN_INSIDE : found.callsARun === null ? "nothing bounds its rounds" : "at most",
      ],
    ]),
  ]);

const UNKNOWN_INSIDE = "not known: a loop inside is not there to be read, or nothing bounds its rounds";

const PARTS: readonly (readonly [letter: string, name: string, of: Exclude<keyof LoopModel, "four">])[] = [
  ["S", "state", "state"],
  ["A", "actions", "actions"],
  ["O", "observations", "observations"],
  ["T", "transitions", "transitions"],
  ["E", "evaluators", "evaluators"],
  ["M", "memory", "memory"],
  ["τ", "ends", "ends"],
];

const MOST_TOLD = 12;

const tellModel = (anatomy: Anatomy, model: LoopModel, paint: Paint): string =>
  lines([
    title(anatomy, displayLine(anatomy.goal, 200), paint),
    "L = (S, A, O, T, E, M, τ)",
    ...PARTS.flatMap(([letter, name, of]) => {
      const its = model[of];
      return [
        `  ${paint("bold", letter)}  ${name}${its.length === 0 ? ": none" : ""}`,
        ...its.slice(0, MOST_TOLD).map((one) => `       ${displayLine(one, 200)}`),
        ...(its.length > MOST_TOLD ? [`       … and ${its.length - MOST_TOLD} more`] : []),
      ];
    }),
    "",
    ...model.four.map(
      ({ what, has, why }) => `  ${has ? paint("green", "has  ") : paint("yellow", "lacks")} ${what.padEnd(18)} ${displayLine(why, 200)}`,
    ),
  ]);

const lines = (all: readonly string[]): string => `${all.join("\n")}\n`;
