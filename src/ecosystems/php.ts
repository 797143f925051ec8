// PHP, with composer.
import type { Ecosystem, Sights, Task, Tree } from "../contract/scan.ts";
import { fieldsOf, textIn } from "../std/json-record.ts";
import { readJson } from "./reading/json.ts";
import { at, certain, check, command, EXIT_CODE_ONLY, folderOf, has, NOTHING, named, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "php";
const SCRIPTS: { readonly [task in Task]: readonly string[] } = {
  test: ["test", "tests", "phpunit"],
  lint: ["lint", "cs", "check-style", "cs-check"],
  typecheck: ["phpstan", "psalm", "analyse", "analyze", "stan"],
  build: ["build"],
  format: ["format", "fix", "cs-fix", "fix-style"],
};

export const php: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "composer.json",
  look: (tree) => {
    const all = named(tree, (name) => name === "composer.json").map((file) => lookAt(tree, file));
    return {
      packages: all.flatMap(({ packages }) => packages),
      workspaces: [],
      managers: all.slice(0, 1).flatMap(({ managers }) => managers),
      commands: all.flatMap(({ commands }) => commands),
      checks: all.flatMap(({ checks }) => checks),
      prepares: all.slice(0, 1).flatMap(({ prepares }) => prepares),
    };
  },
};

function lookAt(tree: Tree, file: string): Sights {
  const json = readJson(tree.texts.get(file) ?? "");
  if (!json) return NOTHING;
  const folder = folderOf(file);
  const where = { folder, ecosystem: ECOSYSTEM };
  const scripts = fieldsOf(json.fields.get("scripts")) ?? new Map<string, unknown>();
  const needs = (name: string): number | undefined => json.lineOf("require-dev", name) ?? json.lineOf("require", name);
  const tools = [
    ["test", "vendor/bin/pest", needs("pestphp/pest")],
    ["test", "vendor/bin/phpunit", needs("phpunit/phpunit")],
    ["typecheck", "vendor/bin/phpstan analyse", needs("phpstan/phpstan")],
    ["typecheck", "vendor/bin/psalm", needs("vimeo/psalm")],
    ["lint", "vendor/bin/phpcs", needs("squizlabs/php_codesniffer")],
    ["format", "vendor/bin/php-cs-fixer fix", needs("friendsofphp/php-cs-fixer")],
    ["format", "vendor/bin/pint", needs("laravel/pint")],
  ] as const;
  const declared = Object.entries(SCRIPTS).flatMap(([task, names]) => {
    const name = names.find((one) => scripts.has(one));
    return name === undefined || !isTask(task)
      ? []
      : [command(task, `composer run ${name}`, where, certain("a script of the manifest", at(file, json.lineOf("scripts", name))))];
  });
  const own = tools.flatMap(([task, run, line]) =>
    line === undefined ? [] : [command(task, run, where, certain("the manifest requires it", at(file, line)))],
  );
  const runner = own.find(({ task }) => task === "test");
  const name = textIn(json.fields, "name");
  const script = declared.find(({ task }) => task === "test");
  return {
    packages: [{ folder, ...(name === undefined ? {} : { name }), ecosystem: ECOSYSTEM, ...certain("it has a manifest", at(file)) }],
    workspaces: [],
    managers: [{ manager: "composer", folder, ...certain("its manifest is here", at(file)) }],
    commands: [...declared, ...own],
    checks: runner
      ? [
          check(
            runner.run.includes("pest") ? "pest" : "phpunit",
            `${runner.run} --log-junit ${RESULTS_XML}`,
            where,
            certain("the manifest requires it", ...runner.seen),
            {
              results: { format: "junit", file: RESULTS_XML },
            },
          ),
        ]
      : script
        ? [check("script", script.run, where, certain("a script of the manifest", ...script.seen), { notes: [EXIT_CODE_ONLY] })]
        : [],
    prepares: [
      {
        run: "composer install --no-interaction --no-progress",
        folder,
        keep: ["vendor"],
        ecosystem: ECOSYSTEM,
        inherit: [],
        ...certain("the manifest requires packages", at(has(tree, folder, "composer.lock") ?? file)),
      },
    ],
  };
}

const isTask = (name: string): name is Task => name in SCRIPTS;
