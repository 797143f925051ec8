// C and C++ with CMake.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, folderOf, guessed, has, isUnder, likely, lineWith, NOTHING, named, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "cmake";
const BUILD = "lw-build";

export const cmake: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "CMakeLists.txt",
  look: (tree) => {
    const files = named(tree, (name) => name === "CMakeLists.txt");
    const roots = files.filter((file) => !files.some((other) => other !== file && isUnder(file, folderOf(other))));
    const all = roots.map((file) => {
      const folder = folderOf(file);
      const where = { folder, ecosystem: ECOSYSTEM };
      const own = files.filter((one) => isUnder(one, folder));
      const testing = own
        .map((one) =>
          at(
            one,
            lineWith(
              tree.texts.get(one) ?? "",
              /^\s*(?:enable_testing|add_test|include\s*\(\s*CTest|gtest_discover_tests|catch_discover_tests)\b/i,
            ),
          ),
        )
        .find(({ line }) => line !== undefined);
      const fact = testing ? certain("it has tests of ctest", testing) : guessed("no test of ctest was seen", at(file));
      const name = /^\s*project\s*\(\s*([\w.+-]{1,100})/im.exec(tree.texts.get(file) ?? "")?.[1];
      const build = `cmake -S . -B ${BUILD} && cmake --build ${BUILD}`;
      const clang = has(tree, folder, ".clang-format");
      return {
        ...NOTHING,
        packages: [{ folder, ...(name === undefined ? {} : { name }), ecosystem: ECOSYSTEM, ...certain("it has a build file", at(file)) }],
        managers: [{ manager: "cmake", folder, ...certain("its file is here", at(file)) }],
        commands: [
          ...(testing ? [command("test", `${build} && ctest --test-dir ${BUILD} --output-on-failure`, where, fact)] : []),
          command("build", build, where, likely("it is how CMake builds", at(file))),
          ...(clang === undefined
            ? []
            : [
                command(
                  "format",
                  "git ls-files '*.c' '*.cc' '*.cpp' '*.h' '*.hpp' | xargs clang-format -i",
                  where,
                  likely("its settings are here", at(clang)),
                ),
              ]),
        ],
        checks: testing
          ? [
              check("ctest", `${build} && ctest --test-dir ${BUILD} --output-junit "$PWD/${RESULTS_XML}"`, where, fact, {
                results: { format: "junit", file: RESULTS_XML },
                notes: ["CTest writes JUnit from version 3.21 on. What ctest counts as one test may hold many."],
              }),
            ]
          : [],
      };
    });
    return {
      ...NOTHING,
      packages: all.flatMap(({ packages }) => packages),
      managers: all.flatMap(({ managers }) => managers),
      commands: all.flatMap(({ commands }) => commands),
      checks: all.flatMap(({ checks }) => checks),
    };
  },
};
