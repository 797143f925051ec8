// Swift, with its package manager.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, folderOf, has, likely, lineWith, named, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "swift";

export const swift: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "Package.swift",
  look: (tree) => {
    const files = named(tree, (name) => name === "Package.swift");
    return {
      packages: files.map((file) => {
        const name = /\bname:\s*"([^"\n]{1,200})"/.exec(tree.texts.get(file) ?? "")?.[1];
        return {
          folder: folderOf(file),
          ...(name === undefined ? {} : { name }),
          ecosystem: ECOSYSTEM,
          ...certain("it has a manifest", at(file)),
        };
      }),
      workspaces: [],
      managers: files
        .slice(0, 1)
        .map((file) => ({ manager: "swift", folder: folderOf(file), ...certain("its manifest is here", at(file)) })),
      commands: files.flatMap((file) => {
        const folder = folderOf(file);
        const where = { folder, ecosystem: ECOSYSTEM };
        const fact = likely("it is what the package manager does", at(file));
        const linter = has(tree, folder, ".swiftlint.yml");
        const formatter = has(tree, folder, ".swift-format", ".swiftformat");
        return [
          command("test", "swift test", where, fact),
          command("build", "swift build", where, fact),
          ...(linter === undefined ? [] : [command("lint", "swiftlint", where, certain("its settings are here", at(linter)))]),
          ...(formatter === undefined
            ? []
            : [
                command(
                  "format",
                  formatter.endsWith("-format") ? "swift format -i -r ." : "swiftformat .",
                  where,
                  certain("its settings are here", at(formatter)),
                ),
              ]),
        ];
      }),
      checks: files.map((file) =>
        check(
          "swift",
          `swift test --disable-automatic-resolution --parallel --xunit-output ${RESULTS_XML}`,
          { folder: folderOf(file), ecosystem: ECOSYSTEM },
          likely("it is what the package manager does", at(file)),
          {
            results: { format: "junit", file: RESULTS_XML },
            notes: ["Tests of the newer library swift-testing go into a second file, which is not read."],
          },
        ),
      ),
      prepares: files.slice(0, 1).flatMap((file) => {
        const line = lineWith(tree.texts.get(file) ?? "", /\.package\(/);
        return line === undefined
          ? []
          : [
              {
                run: "swift package resolve",
                folder: folderOf(file),
                keep: [".build"],
                ecosystem: ECOSYSTEM,
                inherit: [],
                ...certain("it depends on packages", at(file, line)),
              },
            ];
      }),
    };
  },
};
