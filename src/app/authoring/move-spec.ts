// A spec that comes to lie in another folder still means the same repository.
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { LoopError } from "../../contract/errors.ts";
import { fieldsOf } from "../../dialects/values.ts";
import { changeSpec } from "../../spec/change-spec.ts";
import { callsOthers } from "../../spec/library.ts";
import { readSpecText } from "../../spec/text.ts";
import { displayLine } from "../../std/display-text.ts";

/** Both are whole paths. The text as it is, where it lies in the same folder or names everything from the root. */
export function movedSpec(text: string, from: string, to: string): string {
  const [before, after] = [dirname(from), dirname(to)];
  if (before === after) return text;
  if (callsOthers(text)) throw mustStay(to, "it composes loops by their files", "Write it into the folder of the one it comes from.");
  const repo = repoIn(text);
  if (isAbsolute(repo)) return text;
  const edited = changeSpec(text, [{ path: ["target", "repo"], value: relative(after, resolve(before, repo)) || "." }]);
  if (edited.kind === "refused") throw mustStay(to, edited.why, "Write it into the folder of the one it comes from.");
  return edited.text;
}

/** For what may not be changed: refused where it would mean another repository. */
export function mustMeanTheSame(text: string, from: string, to: string): void {
  if (dirname(from) === dirname(to) || (isAbsolute(repoIn(text)) && !callsOthers(text))) return;
  throw mustStay(to, "its paths begin in its own folder", "Write it into that folder, or print it.");
}

/** The folder of the spec, where it names none. */
function repoIn(text: string): string {
  const { repo = "." } = fieldsOf(fieldsOf(readSpecText(text).value).target);
  return typeof repo === "string" ? repo : ".";
}

const mustStay = (to: string, why: string, hint: string): LoopError =>
  new LoopError("bad-input", `it cannot lie at ${displayLine(to, 300)}: ${why}`, { retry: "never", hint: `Nothing was written. ${hint}` });
