// lw import: another system's loop as a spec of ours, with what became of everything that it says.
import { dirname, join } from "node:path";
import type { Imported } from "../../app/dialects/import-file.ts";
import { partsOf } from "../../app/open-parts.ts";
import { importFile } from "../../app/open-specs.ts";
import type { ExitName } from "../../contract/exit.ts";
import type { Fate } from "../../dialects/translation.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { bindingsOf, fromOf } from "../bindings.ts";
import { type Call, type Command, type Io, printJson, wantsJson } from "../call.ts";
import { writeNew } from "../write-page.ts";

export const importSpec: Command = async (call) => {
  const { args, io, options } = call;
  const file = args[0] ?? "";
  const imported = await importFile(file, io.cwd, bindingsOf(call), await partsOf(call.home), fromOf(call));
  if (imported.kind === "imported" && typeof options.out === "string") {
    const folder = dirname(options.out);
    const called = [...imported.called].map(([name, text]) => ({ path: join(folder, name), text, named: false }));
    await writeNew(call, [{ path: options.out, text: imported.text }, ...called], [file], "page");
  }
  if (wantsJson(call)) printJson(call, { file, exit: exitOf(imported), ...asDocument(imported) });
  else tell(imported, file, call);
  return exitOf(imported);
};

function exitOf(imported: Imported): ExitName {
  if (imported.kind !== "imported" || imported.reading.kind === "refused") return "usage";
  return imported.isWhole ? "done" : "waiting";
}

function asDocument(imported: Imported): object {
  switch (imported.kind) {
    case "imported": {
      const { kind, form, spec, called, fates, isWhole, reading } = imported;
      return {
        kind,
        form,
        spec,
        ...(called.size > 0 ? { called: Object.fromEntries(called) } : {}),
        fates,
        isWhole,
        problems: reading.kind === "refused" ? reading.problems : [],
      };
    }
    case "stuck":
    case "refused":
    case "not-theirs":
      return imported;
  }
}

function tell(imported: Imported, file: string, { io, options }: Call): void {
  switch (imported.kind) {
    case "not-theirs":
      io.err(
        `${file}: is no file of another system that is known here. \`lw validate\` says what it is as a spec of ours, and --from says whose it is.\n`,
      );
      return;
    case "refused":
      for (const problem of imported.problems) io.err(`${formatProblem(problem)}\n`);
      return;
    case "stuck":
      tellFates(imported.fates, file, io);
      io.err(`${file}: no spec was made: see what is asked and what is lost.\n`);
      return;
    case "imported":
      tellFates(imported.fates, file, io);
      if (imported.reading.kind === "refused")
        for (const problem of imported.reading.problems) io.err(`not sound: ${formatProblem(problem)}\n`);
      if (typeof options.out !== "string") io.out(imported.text);
      if (typeof options.out !== "string" && imported.called.size > 0)
        io.err(
          `${file}: the loops that it composes are files of their own (${[...imported.called.keys()].join(", ")}): --out writes them too.\n`,
        );
  }
}

const WORDS: { readonly [kind in Fate["kind"]]: string } = {
  asked: "asked",
  lost: "lost",
  tightened: "tightened",
  translated: "translated",
  inherent: "always so",
  added: "added",
  inert: "no meaning",
};

/** What must be looked at comes first. */
const ORDER = ["asked", "lost", "tightened", "added", "translated", "inherent", "inert"] as const;

function tellFates(fates: readonly Fate[], file: string, io: Io): void {
  for (const kind of ORDER)
    for (const { path, line, col, to, why } of fates.filter((fate) => fate.kind === kind))
      io.err(`${WORDS[kind].padEnd(10)}  ${file}:${line}:${col}  ${path}${to === "" ? "" : ` -> ${to}`}${why === "" ? "" : `: ${why}`}\n`);
}
