// Java and Kotlin with Gradle.
import type { Ecosystem } from "../contract/scan.ts";
import {
  at,
  certain,
  check,
  command,
  folderOf,
  gatheringJunit,
  has,
  inFolder,
  isUnder,
  likely,
  lineWith,
  named,
  RESULTS_XML,
} from "./sights.ts";

const ECOSYSTEM = "gradle";
const BUILDS = ["build.gradle", "build.gradle.kts"];
const SETTINGS = ["settings.gradle", "settings.gradle.kts"];
const HOME = 'GRADLE_USER_HOME="$PWD/.lw-gradle"';
const PLUGINS = [
  ["lint", "detekt", /detekt/],
  ["lint", "checkstyleMain", /checkstyle/],
  ["lint", "ktlintCheck", /ktlint/],
  ["format", "spotlessApply", /spotless/],
] as const;

export const gradle: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => BUILDS.includes(name) || SETTINGS.includes(name),
  look: (tree) => {
    const files = named(tree, (name) => BUILDS.includes(name) || SETTINGS.includes(name));
    const builds = files.filter((file) => BUILDS.some((name) => file.endsWith(name)));
    const folders = [...new Set(files.map(folderOf))];
    const roots = folders.filter((folder) => !folders.some((other) => other !== folder && isUnder(folder, other)));
    const tool = (folder: string): string => (has(tree, folder, "gradlew") === undefined ? "gradle" : "./gradlew");
    const fileOf = (folder: string): string => has(tree, folder, ...BUILDS, ...SETTINGS) ?? inFolder(folder, BUILDS[0]!);
    return {
      packages: builds.map((file) => ({ folder: folderOf(file), ecosystem: ECOSYSTEM, ...certain("it has a build file", at(file)) })),
      workspaces: files.flatMap((file) => {
        const text = SETTINGS.some((name) => file.endsWith(name)) ? (tree.texts.get(file) ?? "") : "";
        const line = lineWith(text, /^\s*include\b/);
        const members = text
          .split("\n")
          .filter((one) => /^\s*include\b/.test(one))
          .flatMap((one) => [...one.slice(0, 2_000).matchAll(/["']:?([\w:.-]{1,200})["']/g)].map(([, name]) => name!.replaceAll(":", "/")));
        return line === undefined
          ? []
          : [{ tool: "gradle", folder: folderOf(file), members, ...certain("the settings name them", at(file, line)) }];
      }),
      managers: roots.map((folder) => ({ manager: tool(folder), folder, ...certain("its build file is here", at(fileOf(folder))) })),
      commands: roots.flatMap((folder) => {
        const where = { folder, ecosystem: ECOSYSTEM };
        const fact = likely("it is a task of Gradle", at(fileOf(folder)));
        return [
          command("test", `${tool(folder)} test`, where, fact),
          command("build", `${tool(folder)} assemble`, where, fact),
          ...PLUGINS.flatMap(([task, name, pattern]) => {
            const found = builds
              .filter((file) => isUnder(file, folder))
              .map((file) => at(file, lineWith(tree.texts.get(file) ?? "", pattern)));
            const seen = found.find(({ line }) => line !== undefined);
            return seen ? [command(task, `${tool(folder)} ${name}`, where, certain("its plugin is applied", seen))] : [];
          }),
        ];
      }),
      checks: roots.map((folder) => {
        const run = gatheringJunit(`${HOME} ${tool(folder)} --offline --no-daemon --continue test`, "*/build/test-results/*/TEST-*.xml");
        return check("gradle", run, { folder, ecosystem: ECOSYSTEM }, likely("it is a task of Gradle", at(fileOf(folder))), {
          results: { format: "junit", file: RESULTS_XML },
          inherit: ["JAVA_HOME"],
          notes: ["Gradle writes a file for each class; they are put into one."],
        });
      }),
      prepares: roots.map((folder) => ({
        run: `${HOME} ${tool(folder)} --no-daemon --continue test || ${HOME} ${tool(folder)} --no-daemon testClasses`,
        folder,
        keep: [".lw-gradle"],
        ecosystem: ECOSYSTEM,
        inherit: ["JAVA_HOME"],
        ...likely("Gradle fetches plugins and dependencies", at(fileOf(folder))),
      })),
    };
  },
};
