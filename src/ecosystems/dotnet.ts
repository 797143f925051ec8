// C#, F# and Visual Basic with the .NET SDK.
import type { Ecosystem } from "../contract/scan.ts";
import {
  at,
  certain,
  check,
  command,
  EXIT_CODE_ONLY,
  folderOf,
  guessed,
  likely,
  lineWith,
  NOTHING,
  named,
  nameOf,
  RESULTS_XML,
} from "./sights.ts";

const ECOSYSTEM = "dotnet";
const PROJECT = /\.(?:cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
const CACHE = 'NUGET_PACKAGES="$PWD/.lw-nuget"';

export const dotnet: Ecosystem = {
  name: ECOSYSTEM,
  reads: (name) => PROJECT.test(name) || SOLUTION.test(name) || name === "Directory.Packages.props",
  look: (tree) => {
    const projects = named(tree, (name) => PROJECT.test(name));
    const solutions = named(tree, (name) => SOLUTION.test(name));
    const first = solutions[0] ?? projects[0];
    if (first === undefined) return NOTHING;
    const folder = folderOf(first);
    const where = { folder, ecosystem: ECOSYSTEM };
    const about = nameOf(first);
    const tests = projects.flatMap((file) => {
      const line = lineWith(tree.texts.get(file) ?? "", /Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true|TUnit|MSTest\.Sdk/);
      return line === undefined ? [] : [at(file, line)];
    });
    const logger = projects.flatMap((file) => {
      const line = lineWith(tree.texts.get(file) ?? "", /JunitXml\.TestLogger/i);
      return line === undefined ? [] : [at(file, line)];
    });
    const tested =
      tests.length > 0
        ? certain("a project is marked as one of tests", ...tests)
        : guessed("no project is marked as one of tests", at(first));
    const built = likely("it is what the SDK does", at(first));
    return {
      ...NOTHING,
      packages: projects.map((file) => ({
        folder: folderOf(file),
        name: nameOf(file).replace(PROJECT, ""),
        ecosystem: ECOSYSTEM,
        ...certain("it has a project file", at(file)),
      })),
      workspaces: solutions.map((file) => ({
        tool: "solution",
        folder: folderOf(file),
        members: [...(tree.texts.get(file) ?? "").matchAll(/"([^"\n]{1,300}\.(?:cs|fs|vb)proj)"/g)].map(([, member]) =>
          member!.replaceAll("\\", "/"),
        ),
        ...certain("the solution names them", at(file)),
      })),
      managers: [{ manager: "nuget", folder, ...certain("it comes with the SDK", at(first)) }],
      commands: [
        command("test", `dotnet test ${about}`, where, tested),
        command("build", `dotnet build ${about}`, where, built),
        command("format", `dotnet format ${about}`, where, built),
        command("lint", `dotnet format ${about} --verify-no-changes`, where, built),
      ],
      checks: [
        logger.length > 0
          ? check(
              "dotnet",
              `${CACHE} dotnet test ${about} --logger "junit;LogFilePath=$PWD/${RESULTS_XML}"`,
              where,
              certain("a logger for JUnit is referenced", ...logger),
              {
                results: { format: "junit", file: RESULTS_XML },
                notes: tests.length > 1 ? ["Each test project writes the same file: only the last one is read. Name one project."] : [],
              },
            )
          : check("dotnet", `${CACHE} dotnet test ${about}`, where, tested, {
              notes: [EXIT_CODE_ONLY, "Add the package JunitXml.TestLogger to the test projects, and each test can be read."],
            }),
      ],
      prepares: [
        {
          run: `${CACHE} dotnet restore ${about}`,
          folder,
          keep: [".lw-nuget"],
          ecosystem: ECOSYSTEM,
          inherit: ["DOTNET_ROOT"],
          ...likely("projects reference packages", at(first)),
        },
      ],
    };
  },
};
