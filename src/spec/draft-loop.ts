// Whether a loop is only a draft: nothing in it could ever say no, so that its yes is worth nothing.

import type { Registries } from "../contract/crew.ts";
import type { LoopSpec } from "../contract/spec.ts";
import { canFail, type Scripts } from "../guard/command/can-fail.ts";

/** Why the loop proves nothing; undefined when at least one of its checks can fail. */
export function whyDraft({ verifiers }: Pick<LoopSpec, "verifiers">, registries: Registries, scripts: Scripts): string | undefined {
  const proofs = verifiers.filter(({ use }) => registries.verifiers.find(({ name }) => name === use)?.kind === "proof");
  if (verifiers.length === 0) return "it has no verifier";
  if (proofs.length === 0) return "all of its verifiers are opinions, and an opinion proves nothing";
  const empty = proofs.flatMap((ref) => {
    const run = ref.with?.run;
    return typeof run === "string" && !canFail(run, scripts) ? [run] : [];
  });
  return empty.length < proofs.length
    ? undefined
    : `none of its checks can fail: ${empty.map((run) => `\`${run.slice(0, 100)}\``).join(", ")}`;
}

/** The scripts of a `package.json`; none where it cannot be read. */
export function scriptsIn(text: string | undefined): Scripts {
  try {
    const { scripts }: { readonly scripts?: unknown } = JSON.parse(text ?? "{}") ?? {};
    if (typeof scripts !== "object" || scripts === null) return new Map();
    return new Map(Object.entries(scripts).flatMap(([name, run]) => (typeof run === "string" ? [[name, run] as const] : [])));
  } catch {
    return new Map();
  }
}
