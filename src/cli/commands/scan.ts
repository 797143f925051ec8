// lw scan: what can be seen of a repository, with where it stands and how sure it is.
import { resolve } from "node:path";
import { scanFolder } from "../../app/open-authoring.ts";
import type { Fact, RepositoryScan } from "../../contract/scan.ts";
import { displayLine } from "../../std/display-text.ts";
import { type Command, printJson, wantsJson } from "../call.ts";
import { createPaint, type Paint } from "../print/paint.ts";

export const scan: Command = async (call) => {
  const { args, io } = call;
  const seen = await scanFolder(resolve(io.cwd, args[0] ?? "."), call);
  if (wantsJson(call)) printJson(call, seen);
  else io.out(tellScan(seen.scan, createPaint(io.outColor)));
  return "done";
};

const MOST_SHOWN = 12;

function tellScan(seen: RepositoryScan, paint: Paint): string {
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0
      ? []
      : [
          paint("bold", title),
          ...lines.slice(0, MOST_SHOWN).map((line) => `  ${line}`),
          ...(lines.length > MOST_SHOWN ? [paint("dim", `  and ${lines.length - MOST_SHOWN} more; all with --json`)] : []),
        ];
  const told = (text: string, fact: Fact): string =>
    `${displayLine(text, 200)}  ${paint(fact.sure === "certain" ? "green" : "yellow", fact.sure)} ${paint("dim", tellWhy(fact))}`;
  const within = (folder: string): string => (folder === "" ? "" : `${folder}: `);
  return [
    ...part(
      "Languages",
      seen.languages.length === 0 ? [] : [seen.languages.map(({ language, files }) => `${language} ${files}`).join(", ")],
    ),
    ...part(
      "Packages",
      seen.packages.map((one) =>
        told(`${one.folder === "" ? "." : one.folder} (${one.ecosystem}${one.name === undefined ? "" : `, ${one.name}`})`, one),
      ),
    ),
    ...part(
      "Workspaces",
      seen.workspaces.map((one) => told(`${one.tool}: ${one.members.join(", ")}`, one)),
    ),
    ...part(
      "Package managers",
      seen.managers.map((one) => told(`${within(one.folder)}${one.manager}`, one)),
    ),
    ...part(
      "Commands",
      seen.commands.map((one) => told(`${one.task.padEnd(9)} ${within(one.folder)}${one.run}`, one)),
    ),
    ...part(
      "Tests, as a verifier reads them",
      seen.checks.map((one) =>
        told(
          `${within(one.folder)}${one.run} → ${one.results ? `${one.results.format}${one.results.file === undefined ? ", as printed" : ` in ${one.results.file}`}` : "exit code"}`,
          one,
        ),
      ),
    ),
    ...part(
      "To be prepared",
      seen.prepares.map((one) => told(`${within(one.folder)}${one.run} → ${one.keep.join(", ")}`, one)),
    ),
    ...part(
      "CI",
      seen.ci.map((one) =>
        displayLine(`${one.system}: ${one.file}, ${one.steps.length} commands${one.onChanges === false ? ", not for changes" : ""}`, 200),
      ),
    ),
    ...part("Default branch", seen.branch ? [told(seen.branch.branch, seen.branch)] : []),
    ...part("Forge", seen.forge ? [told(`${seen.forge.forge} ${seen.forge.host}/${seen.forge.repository}`, seen.forge)] : []),
    ...part(
      "Agents",
      seen.agents.map((one) => displayLine(`${one.maker}: ${one.path}`, 200)),
    ),
    ...part("Not found", seen.missing),
    ...part(
      "Not looked at",
      seen.unread.map((line) => displayLine(line, 200)),
    ),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

const tellWhy = ({ because, seen }: Fact): string =>
  displayLine(
    `${because}${
      seen.length === 0
        ? ""
        : `: ${seen
            .slice(0, 3)
            .map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))
            .join(", ")}`
    }`,
    200,
  );
