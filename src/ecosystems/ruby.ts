// Ruby, with bundler.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, EXIT_CODE_ONLY, folderOf, has, inFolder, lineWith, named, nameOf, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "ruby";
const BUNDLE = "BUNDLE_PATH=vendor/bundle";

export const ruby: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => ["Gemfile", "Gemfile.lock", "Rakefile", ".rubocop.yml"].includes(name) || name.endsWith(".gemspec"),
  look: (tree) => {
    const gemfiles = named(tree, (name) => name === "Gemfile");
    const lookAt = (file: string) => {
      const folder = folderOf(file);
      const where = { folder, ecosystem: ECOSYSTEM };
      const places = [
        file,
        inFolder(folder, "Gemfile.lock"),
        ...tree.paths.filter((path) => folderOf(path) === folder && path.endsWith(".gemspec")),
      ];
      const gem = (name: string) => {
        const found = places.map((place) =>
          at(place, lineWith(tree.texts.get(place) ?? "", new RegExp(`(?:^|[\\s"'(])${name}(?:$|[\\s"'),])`))),
        );
        return found.find(({ line }) => line !== undefined);
      };
      const rakefile = has(tree, folder, "Rakefile");
      const rakeTest = rakefile === undefined ? undefined : lineWith(tree.texts.get(rakefile) ?? "", /TestTask|\btask[ (]:?["']?test\b/);
      const hasSpecs = tree.paths.some((path) => path.startsWith(inFolder(folder, "spec/")) && path.endsWith("_spec.rb"));
      const isRails = gem("rails") !== undefined && has(tree, folder, "bin/rails") !== undefined;
      const rspec = hasSpecs ? (gem("rspec") ?? gem("rspec-rails")) : undefined;
      const rubocop = gem("rubocop") ?? gem("standard");
      const formatter = gem("rspec_junit_formatter");
      const plain = rspec
        ? { run: "bundle exec rspec", fact: certain("rspec is named, and there are specs", rspec) }
        : isRails
          ? { run: "bundle exec rails test", fact: certain("it is a Rails application", gem("rails")!) }
          : rakeTest === undefined
            ? undefined
            : { run: "bundle exec rake test", fact: certain("the Rakefile has a task for tests", at(rakefile!, rakeTest)) };
      return {
        commands: [
          ...(plain ? [command("test", plain.run, where, plain.fact)] : []),
          ...(rubocop
            ? [
                command("lint", "bundle exec rubocop", where, certain("it is named", rubocop)),
                command("format", "bundle exec rubocop -a", where, certain("it is named", rubocop)),
              ]
            : []),
        ],
        checks: !plain
          ? []
          : rspec && formatter
            ? [
                check(
                  "rspec",
                  `${BUNDLE} bundle exec rspec --format RspecJunitFormatter --out ${RESULTS_XML}`,
                  where,
                  certain("rspec and its JUnit formatter are named", rspec, formatter),
                  {
                    results: { format: "junit", file: RESULTS_XML },
                  },
                ),
              ]
            : [
                check(rspec ? "rspec" : "minitest", `${BUNDLE} ${plain.run}`, where, plain.fact, {
                  notes: [EXIT_CODE_ONLY, ...(rspec ? ["Add the gem rspec_junit_formatter, and each test can be read."] : [])],
                }),
              ],
        prepares: [
          {
            run: `${BUNDLE} bundle install --quiet`,
            folder,
            keep: ["vendor/bundle"],
            ecosystem: ECOSYSTEM,
            inherit: [],
            ...certain("there is a Gemfile", at(file)),
          },
        ],
      };
    };
    const all = gemfiles.map(lookAt);
    return {
      packages: gemfiles.map((file) => {
        const spec = tree.paths.find((path) => folderOf(path) === folderOf(file) && path.endsWith(".gemspec"));
        return {
          folder: folderOf(file),
          ...(spec === undefined ? {} : { name: nameOf(spec).replace(/\.gemspec$/, "") }),
          ecosystem: ECOSYSTEM,
          ...certain("it has a Gemfile", at(file)),
        };
      }),
      workspaces: [],
      managers: gemfiles
        .slice(0, 1)
        .map((file) => ({ manager: "bundler", folder: folderOf(file), ...certain("its Gemfile is here", at(file)) })),
      commands: all.flatMap(({ commands }) => commands),
      checks: all.flatMap(({ checks }) => checks),
      prepares: all.slice(0, 1).flatMap(({ prepares }) => prepares),
    };
  },
};
