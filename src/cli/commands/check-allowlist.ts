// lw check-allowlist: whether a change is inside an allowlist.
import { resolve } from "node:path";
import { listOf, readAllowlist, ruleOnRun } from "../../app/decisions/rule-on-change.ts";
import { partsOf } from "../../app/open-parts.ts";
import { ruleOnCommits } from "../../app/open-scans.ts";
import { findSpec, loadSpec } from "../../app/open-specs.ts";
import type { Allowlist, Ruling } from "../../contract/allowlist.ts";
import { environmentOf } from "../../contract/around.ts";
import { LoopError } from "../../contract/errors.ts";
import type { ExitName } from "../../contract/exit.ts";
import { DENIED_KINDS, DENIED_PATHS } from "../../guard/allowlist-paths.ts";
import { formatProblem } from "../../spec/read-spec.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Call, type Command, printJson, wantsJson } from "../call.ts";
import { createPaint } from "../print/paint.ts";
import { printTable } from "../print-table.ts";
import { withHouse } from "../with-house.ts";

export const checkAllowlistCommand: Command = async (call) => {
  const { args, options, io } = call;
  if (args[0] === "entries") return listEntries(call);
  const given = await givenList(call);
  if (args[0] !== undefined) return withHouse(call, async (house) => tell(call, await ruleOnRun(house, args[0]!, given)));
  if (options.base === undefined || given === undefined)
    throw new LoopError("bad-input", options.base === undefined ? "--base is missing" : "there is no allowlist", {
      retry: "never",
      hint: "Write e.g. lw check-allowlist --base main --head fix --allow 'docs/**', or name a run.",
    });
  const repo = resolve(io.cwd, String(options.repo ?? "."));
  return tell(
    call,
    await ruleOnCommits(repo, { base: String(options.base), head: String(options.head ?? "HEAD") }, given, environmentOf(call.env)),
  );
};

/** From the flags, or from a spec; undefined where neither says anything. */
async function givenList({ options, io, home }: Call): Promise<Allowlist | undefined> {
  const { allow, deny = [], loosen = [], files, lines, spec } = options;
  if (spec !== undefined) {
    const loading = await loadSpec(await findSpec(String(spec), io.cwd), io.cwd, await partsOf(home));
    if (loading.kind === "refused")
      throw new LoopError("bad-input", loading.problems.map(formatProblem).join("\n"), {
        retry: "never",
        hint: "`lw validate` tells more.",
      });
    return listOf(loading.loaded.spec.gate.all);
  }
  if (allow === undefined) return undefined;
  return readAllowlist({
    allow,
    deny,
    loosen,
    ...(files === undefined ? {} : { files: Number(files) }),
    ...(lines === undefined ? {} : { lines: Number(lines) }),
  });
}

function tell(call: Call, ruling: Ruling): ExitName {
  const { verdict, files, lines, objections } = ruling;
  if (wantsJson(call)) printJson(call, { ...ruling, objections: objections.map((one) => ({ ...one, path: one.path ?? null })) });
  else {
    const paint = createPaint(call.io.outColor);
    const rows = objections.map(({ rule, path, why }) => [paint("red", rule), displayLine(path ?? "", 100), displayLine(why, 200)]);
    if (rows.length > 0) printTable(call, rows);
    call.io.out(`${paint(verdict === "inside" ? "green" : "red", verdict)}  ${files} file(s), ${lines} line(s)\n`);
  }
  return verdict === "inside" ? "done" : "outsideAllowlist";
}

function listEntries(call: Call): ExitName {
  const entries = [
    ...DENIED_PATHS.map(({ name, why, words, globs }) => ({ name, why, words, globs })),
    ...DENIED_KINDS.map(({ name, why }) => ({ name, why, words: [], globs: [] })),
  ];
  if (wantsJson(call)) printJson(call, { entries });
  else
    printTable(
      call,
      entries.map(({ name, why }) => [name, why]),
    );
  return "done";
}
