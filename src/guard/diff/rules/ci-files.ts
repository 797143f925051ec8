// Which files are pipelines, and the lines that a change brought to them.
import { endingOf } from "../languages.ts";
import type { ChangeView, FileView } from "../view.ts";
import { bareLine } from "./ci-blocks.ts";
import { type SideLine, sideLines } from "./side-lines.ts";

/** Files whose lines are commands that check the work: pipelines, and scripts named after checks. */
const isPipeline = ({ path, role }: FileView): boolean =>
  role === "ci"
    ? !/\.(md|png|svg|txt)$|(^|\/)\.?codecov\.ya?ml$/i.test(path)
    : /(^|\/)(Dockerfile|Earthfile|Containerfile)[^/]*$/.test(path) || isCheckScript(path);

const isCheckScript = (path: string): boolean =>
  /^(sh|bash|zsh|ps1|bat|cmd|)$/.test(endingOf(path)) &&
  /(^|\/)([^/]*[-_.])?(tests?|run-?tests?|checks?|ci|verify|lint|validate|e2e)([-_.][^/]*)?$/i.test(path) &&
  !/(^|\/)(fixtures?|testdata|__fixtures__)\//i.test(path);

export const pipelines = (view: ChangeView): readonly FileView[] => view.files.filter(isPipeline);

export interface ChangedLine {
  readonly lines: readonly SideLine[];
  readonly index: number;
  /** What the file lost, without the space around it: a line that only moved is not new. */
  readonly removed: ReadonlySet<string>;
}

export function changedWithBlock(file: FileView): readonly ChangedLine[] {
  if (!file.before) return [];
  const removed = new Set(file.removed.map(({ text }) => bareLine(text)));
  return sideLines(file, "after").flatMap((lines) =>
    lines.flatMap(({ isChanged }, index) => (isChanged ? [{ lines, index, removed }] : [])),
  );
}
