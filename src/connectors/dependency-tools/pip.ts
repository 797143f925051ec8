// Python: `pip list --outdated` and `pip-audit`. Both look at the environment that they are run in.
import { type Fields, fieldsOf, textIn } from "../../std/json-record.ts";
import { type DependencyTool, listIn, part, readJson, textsIn } from "./tool.ts";

export const pip: DependencyTool = {
  outdated: {
    run: "pip list --outdated --format json --disable-pip-version-check",
    answers: [0],
    read(printed) {
      const all = objectsIn(readJson(printed));
      if (!all?.every((one) => textIn(one, "name") !== undefined && textIn(one, "latest_version") !== undefined)) return undefined;
      return {
        found: all.map((one) => ({ name: textIn(one, "name")!, version: textIn(one, "version"), latest: textIn(one, "latest_version")! })),
      };
    },
  },
  vulnerable: {
    run: "pip-audit --format json --progress-spinner off",
    answers: [0, 1],
    read(printed) {
      const whole = readJson(printed);
      // Before its version 2 it printed the list alone.
      const all = objectsIn(listIn(fieldsOf(whole), "dependencies") ?? whole);
      if (!all?.every((one) => listIn(one, "vulns") !== undefined || textIn(one, "skip_reason") !== undefined)) return undefined;
      const skipped = all.filter((one) => listIn(one, "vulns") === undefined);
      return {
        found: all.flatMap((one) => (objectsIn(listIn(one, "vulns")) ?? []).map((vuln) => vulnerableIn(one, vuln))),
        notes:
          skipped.length === 0
            ? []
            : [
                `pip-audit did not look at ${skipped.length} package(s), such as ${textIn(skipped[0], "name")}: ${textIn(skipped[0], "skip_reason")}`,
              ],
      };
    },
  },
  address: (name, version) => `https://pypi.org/project/${part(name)}/${part(version)}/`,
};

function vulnerableIn(dependency: Fields, vuln: Fields) {
  const [id, fixed] = [textIn(vuln, "id") ?? "an advisory", textsIn(vuln, "fix_versions")];
  return {
    name: textIn(dependency, "name") ?? "a package",
    version: textIn(dependency, "version"),
    advisory: id,
    title: (textIn(vuln, "description") ?? id).split("\n")[0]!.slice(0, 200),
    severity: undefined,
    mendedIn: fixed.length === 0 ? undefined : fixed.join(" or "),
    address: `https://osv.dev/vulnerability/${part(id)}`,
    more: textsIn(vuln, "aliases").slice(0, 3),
  };
}

const objectsIn = (value: unknown): readonly Fields[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const all = value.flatMap((one) => fieldsOf(one) ?? []);
  return all.length === value.length ? all : undefined;
};
