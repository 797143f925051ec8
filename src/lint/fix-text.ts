// Writes into a spec what is certain to be meant, one value at a time, and leaves every other byte as it is.
import { setValue } from "../spec/edit-spec.ts";
import type { LintFinding } from "./lint-text.ts";

export interface Fixed {
  readonly text: string;
  /** Those that are mended; the others stay. */
  readonly mended: readonly LintFinding[];
}

/** An edit that would change more than its value is not made. */
export function fixText(text: string, findings: readonly LintFinding[]): Fixed {
  const mended: LintFinding[] = [];
  let now = text;
  for (const finding of findings) {
    const edited = finding.fix ? setValue(now, finding.fix.path, finding.fix.value) : undefined;
    if (edited?.kind !== "edited" || edited.text === now) continue;
    now = edited.text;
    mended.push(finding);
  }
  return { text: now, mended };
}
