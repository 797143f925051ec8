// C, C++ and others with Meson.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, folderOf, isUnder, likely, lineWith, NOTHING, named } from "./sights.ts";

const ECOSYSTEM = "meson";
const BUILD = "lw-build";

export const meson: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "meson.build",
  look: (tree) => {
    const files = named(tree, (name) => name === "meson.build");
    const file = files.find((one) => /^\s*project\s*\(/m.test(tree.texts.get(one) ?? ""));
    if (file === undefined) return NOTHING;
    const folder = folderOf(file);
    const where = { folder, ecosystem: ECOSYSTEM };
    const testing = files
      .filter((one) => isUnder(one, folder))
      .map((one) => at(one, lineWith(tree.texts.get(one) ?? "", /^\s*test\s*\(/)))
      .find(({ line }) => line !== undefined);
    const build = `meson setup ${BUILD} && meson compile -C ${BUILD}`;
    const name = /project\s*\(\s*'([^'\n]{1,100})'/.exec(tree.texts.get(file) ?? "")?.[1];
    return {
      ...NOTHING,
      packages: [{ folder, ...(name === undefined ? {} : { name }), ecosystem: ECOSYSTEM, ...certain("it has a build file", at(file)) }],
      managers: [{ manager: "meson", folder, ...certain("its file is here", at(file)) }],
      commands: [
        ...(testing
          ? [command("test", `meson setup ${BUILD} && meson test -C ${BUILD}`, where, certain("it defines tests", testing))]
          : []),
        command("build", build, where, likely("it is how Meson builds", at(file))),
      ],
      checks: testing
        ? [
            check("meson", `meson setup ${BUILD} && meson test -C ${BUILD}`, where, certain("it defines tests", testing), {
              results: { format: "junit", file: `${BUILD}/meson-logs/testlog.junit.xml` },
            }),
          ]
        : [],
    };
  },
};
