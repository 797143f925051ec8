// Changes one settings file of another program by a pure edit of its text, or shows what would change.
import type { HookEdit, SettingsFiles } from "../../contract/adapters.ts";
import { lineDiff } from "./line-diff.ts";

export type HookChange =
  | { readonly kind: "changed"; readonly path: string; readonly diff: readonly string[] }
  | { readonly kind: "unchanged"; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

/** `show` does everything but the writing. */
export async function changeSettingsFile(
  path: string,
  mode: "write" | "show",
  files: SettingsFiles,
  edit: (text: string | undefined) => HookEdit,
): Promise<HookChange> {
  const found = await files.read(path);
  if (found.kind === "unusable") return { kind: "refused", why: `${path} was left as it is: ${found.why}.` };
  const before = found.kind === "absent" ? undefined : found.text;
  const edited = edit(before);
  if (edited.kind === "refused") return refusedBy(path, edited);
  if (edited.kind === "unchanged") return { kind: "unchanged", path };
  const after = edited.kind === "removed" ? undefined : edited.text;
  if (mode === "write") await (after === undefined ? files.remove(path) : files.write(path, after));
  const names = [`--- ${before === undefined ? "/dev/null" : path}`, `+++ ${after === undefined ? "/dev/null" : path}`];
  return { kind: "changed", path, diff: [...names, ...lineDiff(before ?? "", after ?? "")] };
}

export const refusedBy = (who: string, edited: HookEdit): HookChange => ({
  kind: "refused",
  why: edited.kind === "refused" ? `${who} was left as it is: ${edited.why}.` : `${who} has no settings to change.`,
});
