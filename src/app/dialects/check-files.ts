// Checks files and folders of specs, each by itself and all together: two of one name, and loops that would wake one another for ever.
import { basename, join, resolve } from "node:path";
import type { Registries } from "../../contract/crew.ts";
import type { SpecFiles, Texts } from "../../contract/files.ts";
import type { LoopSpec } from "../../contract/spec.ts";
import { isSpecName, wokenBy } from "../loops/look-after.ts";
import { planLook, type SpecSeen } from "../loops/plan-look.ts";
import { type CheckedFile, checkFileBy } from "./check-file.ts";

export interface Checking {
  readonly texts: Texts;
  readonly specFiles: Pick<SpecFiles, "look">;
  readonly registries: Registries;
  readonly cwd: string;
  readonly libraries: readonly string[];
  readonly now: Date;
  /** Whose files they are, where somebody says so. */
  readonly from?: string | undefined;
}

type Checked = CheckedFile & { readonly file: string };

export async function checkFilesBy(checking: Checking, asked: readonly string[]): Promise<readonly Checked[]> {
  const places = (await Promise.all(asked.map((path) => filesAt(checking, path)))).flat();
  const checked = await Promise.all(
    places.map(async ({ file, none }) =>
      none ? { file, problems: [none], warnings: [] } : { file, ...(await checkFileBy(checking.texts, file, checking)) },
    ),
  );
  const together = togetherIn(checking, checked);
  return checked.map(({ spec: _, ...one }) => ({ ...one, problems: [...one.problems, ...(together.get(one.file) ?? [])] }));
}

interface Place {
  readonly file: string;
  /** There where a folder has no spec. */
  readonly none?: CheckedFile["problems"][number];
}

/** A folder stands for the specs in it, as for `lw add`. What cannot be read is told when it is. */
async function filesAt({ specFiles, cwd }: Checking, path: string): Promise<readonly Place[]> {
  const seen = await specFiles.look(resolve(cwd, path), isSpecName);
  if (seen.kind !== "folder") return [{ file: path }];
  if (seen.files.length > 0) return seen.files.map((file) => ({ file: join(path, basename(file.path)) }));
  const problem = "no spec lies in this folder";
  return [{ file: path, none: { file: path, line: 1, col: 1, path: "", problem, instead: "Specs end in .loop.yaml or .loop.json." } }];
}

/** What is wrong with them only because of one another, by their file; decided as it is for the loops of a home. */
function togetherIn(
  { registries, cwd }: Checking,
  checked: readonly { readonly file: string; readonly spec?: LoopSpec }[],
): ReadonlyMap<string, CheckedFile["problems"]> {
  const files = new Map(checked.flatMap(({ file, spec }) => (spec ? [[resolve(cwd, file), { file, spec }] as const] : [])));
  const seen = [...files].map(
    ([path, { spec }]): SpecSeen => ({
      path,
      reading: { kind: "read", spec, recorded: undefined, specHash: "", sha256: "", stamp: undefined },
    }),
  );
  const { complaints } = planLook({
    known: [],
    complaints: [],
    seen,
    unseen: [],
    isOutOfSight: () => false,
    wokenBy: (trigger) => wokenBy({ registries }, trigger),
    by: "",
  });
  return new Map(
    complaints.flatMap(({ path, problems }) => {
      const file = files.get(path)?.file;
      return file === undefined ? [] : [[file, problems.map((problem) => ({ ...placed(problem), file }))] as const];
    }),
  );
}

/** What to do is behind the last semicolon of such a sentence. */
function placed(told: string): Omit<CheckedFile["problems"][number], "file"> {
  const at = told.lastIndexOf("; ");
  const [problem, instead] = at === -1 ? [told, "Take one of them away."] : [told.slice(0, at), told.slice(at + 2)];
  const isName = told.startsWith("two specs");
  return { line: 1, col: 1, path: isName ? "name" : "trigger", problem, instead: `${instead.charAt(0).toUpperCase()}${instead.slice(1)}.` };
}
