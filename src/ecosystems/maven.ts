// Java and Kotlin with Maven.
import type { Ecosystem } from "../contract/scan.ts";
import { at, certain, check, command, folderOf, gatheringJunit, has, isUnder, likely, lineWith, named, RESULTS_XML } from "./sights.ts";

const ECOSYSTEM = "maven";
const LOCAL = '-Dmaven.repo.local="$PWD/.lw-m2"';

export const maven: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => name === "pom.xml",
  look: (tree) => {
    const poms = named(tree, (name) => name === "pom.xml");
    const roots = poms.filter((file) => !poms.some((other) => other !== file && isUnder(file, folderOf(other))));
    const tool = (folder: string): string => (has(tree, folder, "mvnw") === undefined ? "mvn" : "./mvnw");
    return {
      packages: poms.map((file) => {
        const text = withoutParent(tree.texts.get(file) ?? "");
        const name = /<artifactId>\s*([^<]{1,200}?)\s*<\/artifactId>/.exec(text)?.[1];
        return {
          folder: folderOf(file),
          ...(name === undefined ? {} : { name }),
          ecosystem: ECOSYSTEM,
          ...certain("it has a pom", at(file)),
        };
      }),
      workspaces: poms.flatMap((file) => {
        const text = tree.texts.get(file) ?? "";
        const members = [...text.matchAll(/<module>\s*([^<]{1,200}?)\s*<\/module>/g)].map(([, member]) => member!);
        const line = lineWith(text, /<modules>/);
        return members.length === 0
          ? []
          : [{ tool: "maven", folder: folderOf(file), members, ...certain("the pom names them", at(file, line)) }];
      }),
      managers: roots.map((file) => ({ manager: tool(folderOf(file)), folder: folderOf(file), ...certain("its pom is here", at(file)) })),
      commands: roots.flatMap((file) => {
        const folder = folderOf(file);
        const where = { folder, ecosystem: ECOSYSTEM };
        const text = tree.texts.get(file) ?? "";
        const mvn = tool(folder);
        const plugin = (name: string): number | undefined => lineWith(text, new RegExp(`<artifactId>\\s*${name}\\s*<`));
        const spotless = plugin("spotless-maven-plugin");
        const checkstyle = plugin("maven-checkstyle-plugin");
        const fact = likely("it is a phase of Maven", at(file));
        return [
          command("test", `${mvn} -B test`, where, fact),
          command("build", `${mvn} -B -DskipTests package`, where, fact),
          ...(checkstyle === undefined
            ? []
            : [command("lint", `${mvn} -B checkstyle:check`, where, certain("its plugin is in the pom", at(file, checkstyle)))]),
          ...(spotless === undefined
            ? []
            : [command("format", `${mvn} -B spotless:apply`, where, certain("its plugin is in the pom", at(file, spotless)))]),
        ];
      }),
      checks: roots.map((file) => {
        const folder = folderOf(file);
        const run = gatheringJunit(
          `${tool(folder)} -B -o ${LOCAL} -Dmaven.test.failure.ignore=false --fail-at-end test`,
          "*/target/surefire-reports/TEST-*.xml",
        );
        return check("surefire", run, { folder, ecosystem: ECOSYSTEM }, likely("Maven runs tests by surefire", at(file)), {
          results: { format: "junit", file: RESULTS_XML },
          inherit: ["JAVA_HOME"],
          notes: ["Surefire writes a file for each class; they are put into one."],
        });
      }),
      prepares: roots.map((file) => ({
        // What runs the tests is only fetched when tests run; whether they pass does not matter here.
        run: `${tool(folderOf(file))} -B -q ${LOCAL} -Dmaven.test.failure.ignore=true test`,
        folder: folderOf(file),
        keep: [".lw-m2"],
        ecosystem: ECOSYSTEM,
        inherit: ["JAVA_HOME"],
        ...certain("Maven fetches plugins and dependencies", at(file)),
      })),
    };
  },
};

const withoutParent = (text: string): string => {
  const [from, to] = [text.indexOf("<parent>"), text.indexOf("</parent>")];
  return from < 0 || to < from ? text : text.slice(0, from) + text.slice(to);
};
