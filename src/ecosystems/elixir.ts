// Elixir, with mix.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, EXIT_CODE_ONLY, folderOf, has, likely, lineWith, named } from "./sights.ts";

const ECOSYSTEM = "elixir";
const HOMES = 'MIX_HOME="$PWD/.lw-mix" HEX_HOME="$PWD/.lw-mix"';

export const elixir: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "mix.exs",
  look: (tree) => {
    const files = named(tree, (name) => name === "mix.exs");
    const needs = (file: string): number | undefined => lineWith(tree.texts.get(file) ?? "", /^\s*\{:\w+\s*,/);
    const gem = (file: string, name: string): number | undefined => lineWith(tree.texts.get(file) ?? "", new RegExp(`\\{:${name}\\b`));
    return {
      packages: files.map((file) => {
        const name = /\bapp:\s*:(\w{1,100})/.exec(tree.texts.get(file) ?? "")?.[1];
        return {
          folder: folderOf(file),
          ...(name === undefined ? {} : { name }),
          ecosystem: ECOSYSTEM,
          ...certain("it has a mix file", at(file)),
        };
      }),
      workspaces: files.flatMap((file) => {
        const line = lineWith(tree.texts.get(file) ?? "", /\bapps_path:/);
        return line === undefined
          ? []
          : [{ tool: "umbrella", folder: folderOf(file), members: ["apps/*"], ...certain("the mix file says so", at(file, line)) }];
      }),
      managers: files.slice(0, 1).map((file) => ({ manager: "mix", folder: folderOf(file), ...certain("its file is here", at(file)) })),
      commands: files.slice(0, 1).flatMap((file) => {
        const folder = folderOf(file);
        const where = { folder, ecosystem: ECOSYSTEM };
        const fact = likely("it is what mix does", at(file));
        const credo = gem(file, "credo");
        const dialyzer = gem(file, "dialyxir");
        const formatter = has(tree, folder, ".formatter.exs");
        return [
          command("test", "mix test", where, fact),
          command("build", "mix compile --warnings-as-errors", where, fact),
          ...(credo === undefined ? [] : [command("lint", "mix credo", where, certain("it is named", at(file, credo)))]),
          ...(dialyzer === undefined ? [] : [command("typecheck", "mix dialyzer", where, certain("it is named", at(file, dialyzer)))]),
          command("format", "mix format", where, formatter === undefined ? fact : certain("its settings are here", at(formatter))),
        ];
      }),
      checks: files.slice(0, 1).map((file) => {
        const start = needs(file) === undefined ? "" : `${HOMES} `;
        const notes = [
          EXIT_CODE_ONLY,
          "What ExUnit writes as JUnit goes to a place that depends on the application; name it in `results` if you have it.",
        ];
        return check(
          "exunit",
          `${start}mix test`,
          { folder: folderOf(file), ecosystem: ECOSYSTEM },
          likely("it is what mix does", at(file)),
          { notes },
        );
      }),
      prepares: files.slice(0, 1).flatMap((file) => {
        const line = needs(file);
        if (line === undefined) return [];
        const run = `${HOMES} mix local.hex --force && ${HOMES} mix local.rebar --force && ${HOMES} mix deps.get`;
        return [
          {
            run,
            folder: folderOf(file),
            keep: [".lw-mix", "deps"],
            ecosystem: ECOSYSTEM,
            inherit: [],
            ...certain("it depends on packages", at(file, line)),
          },
        ];
      }),
    };
  },
};
