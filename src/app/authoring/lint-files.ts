// Lints the loops in files and folders: each is read once, and one that cannot be read hides no other.
import { relative, resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Files, Found, Search, Texts } from "../../contract/files.ts";
import { sheetOf } from "../../dialects/sheet.ts";
import { fixText } from "../../lint/fix-text.ts";
import { type Linted, type LintFinding, lintText } from "../../lint/lint-text.ts";
import { dialectOf, MOST_DIALECT_BYTES } from "../dialects/dialect-of.ts";
import { loadLibrary } from "../runs/load-library.ts";
import { ENDINGS } from "../runs/spec-places.ts";

export interface LintWorld {
  readonly texts: Pick<Texts, "readWhole" | "readBelow">;
  readonly files: Pick<Files, "writeText">;
  kindAt(path: string): Promise<"file" | "folder" | "other" | "missing">;
  find(folder: string, search: Search): Promise<Found>;
}

export interface LintedFile extends Linted {
  /** What was mended in the file; none where nobody asked for it. */
  readonly mended: readonly LintFinding[];
}

export interface LintReport {
  readonly exit: ExitName;
  readonly files: readonly LintedFile[];
  /** What was not looked at, and why. */
  readonly unseen: readonly string[];
}

/** One loop by its text, ours or another system's. Pure. */
export const lintLoop = (file: string, text: string, registries: Registries): Linted => {
  const sheet = sheetOf(text);
  return lintText(file, sheet, dialectOf(file, sheet), registries);
};

/** With `fix`, what is certain is written into the files, and what is left is told. */
export async function lintFilesBy(
  world: LintWorld,
  asked: readonly string[],
  cwd: string,
  registries: Registries,
  { fix }: { readonly fix: boolean },
): Promise<LintReport> {
  const found = await Promise.all(asked.map((path) => filesAt(world, path, cwd)));
  const names = [...new Map(found.flatMap(({ named, paths }) => paths.map((path) => [path, named] as const))).entries()];
  const files: LintedFile[] = [];
  for (const [path, named] of names) {
    const linted = await lintFile(world, path, cwd, registries, { fix, named });
    if (linted) files.push(linted);
  }
  const unseen = found.flatMap((one) => one.unseen);
  if (files.length === 0)
    throw new LoopError("bad-input", `there is no loop in ${asked.join(", ")}`, {
      retry: "never",
      hint: "Name a spec, or a folder with files such as fix.loop.yaml in it; `lw init` writes one.",
    });
  return { exit: exitOfLint(files), files, unseen };
}

/** A file that is no loop, or none that could be run, is a bad spec; what else weighs something is a check that failed. */
export function exitOfLint(files: readonly Linted[]): ExitName {
  if (files.some(({ isSound }) => !isSound)) return "usage";
  return files.some(({ findings }) => findings.some(({ weight }) => weight !== "note")) ? "checkFailed" : "done";
}

interface Asked {
  readonly paths: readonly string[];
  /** Whether somebody named this very file: then it is told of, whatever it is. */
  readonly named: boolean;
  readonly unseen: readonly string[];
}

const SKIP = new Set(["node_modules", ".git", "vendor", "target", "dist", "build", ".venv", "venv"]);
const MAY_BE_LOOPS = /\.(ya?ml|json|md)$/i;

async function filesAt({ kindAt, find }: LintWorld, asked: string, cwd: string): Promise<Asked> {
  const path = resolve(cwd, asked);
  if ((await kindAt(path)) !== "folder") return { paths: [path], named: true, unseen: [] };
  const { paths, unseen } = await find(path, { isWanted: (name) => MAY_BE_LOOPS.test(name), skip: SKIP, mostDepth: 12, mostNames: 60_000 });
  return { paths, named: false, unseen };
}

/** Undefined for what lies in a folder and is no loop. */
async function lintFile(
  world: LintWorld,
  path: string,
  cwd: string,
  registries: Registries,
  { fix, named }: { readonly fix: boolean; readonly named: boolean },
): Promise<LintedFile | undefined> {
  const shown = relative(cwd, path);
  const file = shown === "" || shown.startsWith("..") ? path : shown;
  const isOurs = ENDINGS.some((ending) => path.endsWith(ending));
  try {
    const sheet = sheetOf(await world.texts.readWhole(path, MOST_DIALECT_BYTES));
    const { text } = sheet;
    const dialect = dialectOf(file, sheet);
    if (!named && !isOurs && dialect === undefined) return undefined;
    const { library } = dialect === undefined ? await loadLibrary(world.texts, path, text) : { library: undefined };
    const linted = lintText(file, sheet, dialect, registries, library);
    if (!fix) return { ...linted, mended: [] };
    const fixed = fixText(text, linted.findings);
    if (fixed.mended.length === 0) return { ...linted, mended: [] };
    await world.files.writeText(path, fixed.text);
    return { ...lintText(file, sheetOf(fixed.text), dialect, registries, library), mended: fixed.mended };
  } catch (error) {
    if (!(error instanceof LoopError)) throw error;
    if (!named && !isOurs) return undefined;
    const finding = { file, line: 1, col: 1, path: "", problem: error.message, instead: error.hint };
    return {
      file,
      dialect: "",
      isSound: false,
      findings: [{ ...finding, rule: "unreadable", weight: "error", failure: null, fix: null }],
      mended: [],
    };
  }
}
