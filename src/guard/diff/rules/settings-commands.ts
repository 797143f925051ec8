// Commands that settings files name for checks: package scripts, make and just targets, tox and Taskfile commands.
import type { Sighting } from "../rule.ts";
import type { ChangeView, FileView } from "../view.ts";
import { weakeningOf } from "./command-weakening.ts";
import { type Purpose, purposeOf } from "./commands.ts";
import { commandSightings, type PlacedCommand, sightingOf } from "./compare-commands.ts";
import { type SettingChange, settingChangesIn } from "./setting-changes.ts";
import { joined, type SideLine, sideLines } from "./side-lines.ts";

const CHECK_NAME =
  /(^|[-_:./\s])(lint|typecheck|types|format|tests?|specs?|e2e|unit|integration|tests?-?all|ci|verify|check|coverage|cov|pytest|jest|mocha|vitest|phpunit|rspec)($|[-_:./\s])/i;
const TEST_NAME = /(^|[-_:./\s])(tests?|specs?|e2e|unit|integration|pytest|jest|mocha|vitest|phpunit|rspec)($|[-_:./\s])/i;
/** Names under which settings keep commands, and the name of the command after them. */
const COMMAND_PATH =
  /(?:^|\.)(?:scripts|tasks|alias|aliases|targets|envs\.[\w-]+\.scripts)\.([^.]+)(?:\.(?:cmds?|commands?|shell|script|executor))?$|(?:^|\.)(testenv[^.]*|env[\w.]*|tox[^.]*)\.(?:commands(?:_pre)?)$/;

const isSettings = ({ role }: FileView): boolean => role === "settings";

export function weakenedScripts(view: ChangeView): readonly Sighting[] {
  const changes = settingChangesIn(view, isSettings).filter((change) => commandName(change) !== undefined);
  const added = changes.flatMap(({ after }) => after ?? []);
  return [...groupBy(changes, ({ file, path }) => `${file.path}\0${path}`).values()].flatMap((group) => {
    const { file } = group[0]!;
    const name = commandName(group[0]!)!;
    const commands = (side: "before" | "after"): readonly PlacedCommand[] => group.flatMap((change) => placed(change, side, name));
    const [removed, now] = [commands("before"), commands("after")];
    if (!file.before || !file.after || removed.length === 0) return [];
    // One name keeps one command: whatever it became is what it became.
    const [only, became] = [removed.length === 1 ? removed[0] : undefined, now.length === 1 ? now[0] : undefined];
    if (only && became) {
      const weakening = weakeningOf(only.command, became.command, only.purpose);
      return weakening ? [sightingOf(file.path, only, became, weakening)] : [];
    }
    const elsewhere = added.slice(0, MOST_ELSEWHERE).filter((command) => !group.some(({ after }) => after === command));
    const isMain = /^(test|tests|check|ci|verify)$/.test(name);
    return commandSightings(file.path, { removed, added: now, elsewhere }).map((sighting) =>
      sighting.after === undefined && !isMain ? { ...sighting, severity: "low" as const } : sighting,
    );
  });
}

/** The name of the command that a setting holds; undefined when it holds none. */
function commandName({ file, path, before, after }: SettingChange): string | undefined {
  const found = COMMAND_PATH.exec(path);
  if (found) return found[1] ?? "test";
  // In a fragment the name that holds the scripts may be out of sight.
  const isBare =
    /(^|\/)(package|composer|deno)\.jsonc?$/.test(file.path) && file.scope === "hunks" && CHECK_NAME.test(path) && !/[./@]/.test(path);
  return isBare && ![before, after].some((value) => value !== undefined && VERSION.test(value)) ? path : undefined;
}

const VERSION = /^([\^~<>=*v]*\s*\d|\*|latest|next|(workspace|npm|file|link|git|https?|github|catalog|portal|patch)[:+])/;

function placed({ line, ...change }: SettingChange, side: "before" | "after", name: string): readonly PlacedCommand[] {
  const command = change[side];
  if (command === undefined) return [];
  // tox writes "- pytest" for a command that may fail.
  const plain = /^-\s/.test(command) ? `${command.replace(/^-\s+/, "")} || true` : command;
  return [{ command: plain, line, purpose: purposeUnder(name, plain) }];
}

/** A program of any name under a target called test is taken as the tests. */
function purposeUnder(name: string, command: string): Purpose {
  const purpose = purposeOf(command);
  return (purpose === "other" || purpose === "checks") && TEST_NAME.test(name) ? "tests" : purpose;
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

const isMakefile = ({ path }: FileView): boolean =>
  /(^|\/)((GNU)?[Mm]akefile(\.[\w.]+)?|[^/]*\.mk|\.?[Jj]ustfile|Rakefile|[^/]*\.rake)$/.test(path);

interface Recipe {
  readonly target: string;
  readonly line: SideLine;
}

/** A target and what it waits for. */
function headerOf(text: string): { readonly target: string; readonly needs: readonly string[] } | undefined {
  const task = /^\s*task\s+:?["']?([\w:-]+)/.exec(text);
  if (task) return { target: task[1]!, needs: [] };
  const found = /^([\w.%/$(){}-][\w\s.%/$(){}-]*?)\s*:{1,2}(?!=)(.*)$/.exec(text);
  if (!found || found[1]!.startsWith(".")) return undefined;
  return {
    target: found[1]!,
    needs: found[2]!
      .replace(/#.*/, "")
      .split(/\s+/)
      .filter((name) => name !== ""),
  };
}

/** Targets that wait for fewer tests, or that are written a second time, where the last one counts. */
function changedHeaders(file: FileView): readonly Sighting[] {
  const headers = (side: "before" | "after") =>
    sideLines(file, side).flatMap((lines) =>
      joined(lines).flatMap((line) => {
        const header = headerOf(line.text);
        return header ? [{ ...header, line }] : [];
      }),
    );
  const before = groupBy(headers("before"), ({ target }) => target);
  const after = groupBy(headers("after"), ({ target }) => target);
  return [...after.values()]
    .flat()
    .filter(({ target, line }) => line.isChanged && CHECK_NAME.test(target))
    .flatMap(({ target, needs, line }): readonly Sighting[] => {
      const old = before.get(target) ?? [];
      const lost = old
        .filter((header) => header.line.isChanged)
        .flatMap((header) => header.needs.filter((name) => TEST_NAME.test(name) && !needs.includes(name)));
      const sighting = (severity: "high" | "medium", what: string): readonly Sighting[] => [
        { file: file.path, line: line.line, severity, confidence: "medium", what, after: line.text },
      ];
      if (lost.length > 0 && !needs.some((name) => old.every((header) => !header.needs.includes(name))))
        return sighting("medium", `"${target}" no longer waits for ${lost.join(" ")}`);
      const isTwice = needs.length === 0 && after.get(target)!.some((other) => !other.line.isChanged) && !/::/.test(line.text);
      return isTwice ? sighting("high", `"${target}" is written a second time, and the last one counts`) : [];
    });
}

/** Each recipe line with its target; lines above the first visible target belong to none. */
function recipesOf(lines: readonly SideLine[]): readonly Recipe[] {
  let target = "";
  return joined(lines).flatMap((line) => {
    const header = headerOf(line.text);
    if (header) {
      target = header.target;
      return [];
    }
    return /^\s+\S/.test(line.text) && !/^\s*#/.test(line.text) ? [{ target, line }] : [];
  });
}

export function weakenedTargets(view: ChangeView): readonly Sighting[] {
  const files = view.files.filter((file) => isMakefile(file) && file.before && file.after);
  return files.flatMap((file) => {
    const [before, after] = [recipesByTarget(file, "before"), recipesByTarget(file, "after")];
    const added = [...after.values()]
      .flat()
      .filter(({ line }) => line.isChanged)
      .slice(0, MOST_ELSEWHERE)
      .map(({ line, target }) => ({ target, command: recipeCommand(line, target).command }));
    const recipes = [...new Set([...before.keys(), ...after.keys()])].flatMap((target) => {
      const of = (side: typeof before): readonly PlacedCommand[] =>
        (side.get(target) ?? []).filter(({ line }) => line.isChanged).map(({ line }) => recipeCommand(line, target));
      const [removed, now] = [of(before), of(after)];
      if (removed.length === 0 && now.length === 0) return [];
      const elsewhere = added.filter((recipe) => recipe.target !== target).map(({ command }) => command);
      const sightings = commandSightings(file.path, { removed, added: now, elsewhere });
      if (CHECK_NAME.test(target)) return [...sightings, ...falseClaims(file, after.get(target) ?? [])];
      return sightings.map((sighting) => (sighting.severity === "medium" ? { ...sighting, severity: "low" as const } : sighting));
    });
    return [...recipes, ...changedHeaders(file)];
  });
}

/** Added recipes that are looked through for one that moved. */
const MOST_ELSEWHERE = 100;

const recipesByTarget = (file: FileView, side: "before" | "after"): ReadonlyMap<string, readonly Recipe[]> =>
  groupBy(sideLines(file, side).flatMap(recipesOf), ({ target }) => target);

function recipeCommand({ text, line }: SideLine, target: string): PlacedCommand {
  const marks = /^\s*([@+-]*)/.exec(text)![1]!;
  const plain = text
    .trim()
    .slice(marks.length)
    .trim()
    .replace(/^sh\s+["'](.*)["']$/, "$1");
  // Make's and just's way to write "or true" is a leading minus.
  const command = marks.includes("-") ? `${plain} || true` : plain;
  return { command, line, purpose: purposeUnder(target, command) };
}

/** A recipe that says all is well before it has looked. */
function falseClaims(file: FileView, recipes: readonly Recipe[]): readonly Sighting[] {
  return recipes.slice(0, -1).flatMap(({ line, target }) => {
    const { command, purpose } = recipeCommand(line, target);
    if (
      !line.isChanged ||
      purpose !== "nothing" ||
      !/\b(ok|pass(ed|es|ing)?|success(ful|fully)?|succeeded|green|0 failed)\b/i.test(command)
    )
      return [];
    return [
      {
        file: file.path,
        line: line.line,
        severity: "medium" as const,
        confidence: "medium" as const,
        what: `"${target}" claims success before it has run anything`,
        after: line.text,
      },
    ];
  });
}
