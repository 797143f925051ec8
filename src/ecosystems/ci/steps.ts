// A script of CI as the commands it runs, line by line.
import type { CiStep } from "../../contract/scan.ts";

const MOST_LINES = 300;

/** Lines that go on are joined; comments and empty ones are left out. */
export function linesOf(script: { readonly text: string; readonly line: number }, job: string, folder: string): readonly CiStep[] {
  const steps: CiStep[] = [];
  let begun: { readonly line: number; readonly text: string } | undefined;
  for (const [index, raw] of script.text.split("\n", MOST_LINES).entries()) {
    const text = `${begun ? `${begun.text} ` : ""}${raw.trim()}`;
    const line = begun?.line ?? script.line + index;
    begun = text.endsWith("\\") ? { line, text: text.slice(0, -1).trim() } : undefined;
    if (!begun && text !== "" && !text.startsWith("#")) steps.push({ job, run: text, folder, line });
  }
  return begun ? [...steps, { job, run: begun.text, folder, line: begun.line }] : steps;
}

/** A folder of the repository; undefined where it is worked out when it runs, or leads out of it. */
export function plainFolder(folder: string | undefined): string | undefined {
  const plain = (folder ?? "").trim().replace(/^(?:\.\/)+|\/+$/g, "");
  if (plain === "" || plain === ".") return "";
  return /\$|(?:^|\/)\.\.(?:\/|$)|^\//.test(plain) ? undefined : plain;
}
