// npm: `npm outdated` and `npm audit`, from version 7 on.
import { type Fields, fieldsOf, textIn } from "../../std/json-record.ts";
import { type DependencyTool, entriesOf, listIn, part, type Reading, readFields, readJson, type Vulnerable } from "./tool.ts";

export const npm: DependencyTool = {
  outdated: {
    run: "npm outdated --json",
    answers: [0, 1],
    read(printed) {
      const entries = entriesOf(printed.trim() === "" ? {} : readJson(printed));
      // An error is an object too, and has no version.
      if (!entries?.every(([, fields]) => textIn(fields, "latest") !== undefined)) return undefined;
      const found = entries.map(([name, fields]) => {
        const [wanted, by] = [textIn(fields, "wanted"), textIn(fields, "dependent")];
        const more = [...(wanted === undefined ? [] : [`its range takes ${wanted}`]), ...(by === undefined ? [] : [`for ${by}`])];
        return { name, version: textIn(fields, "current"), latest: textIn(fields, "latest")!, more };
      });
      return { found };
    },
  },
  vulnerable: { run: "npm audit --json", answers: [0, 1], read: readNpmAudit },
  address: (name, version) => `https://www.npmjs.com/package/${part(name)}/v/${part(version)}`,
};

/** What only leans on a package with an advisory is told by that one. */
export function readNpmAudit(printed: string): Reading<Vulnerable> | undefined {
  const entries = entriesOf(readFields(printed)?.get("vulnerabilities"));
  if (!entries) return undefined;
  const found = entries.flatMap(([name, fields]) =>
    (listIn(fields, "via") ?? []).flatMap((via) => {
      const advisory = fieldsOf(via);
      return advisory ? [vulnerableIn(name, fields, advisory)] : [];
    }),
  );
  return { found };
}

function vulnerableIn(name: string, fields: Fields, advisory: Fields): Vulnerable {
  const [address, range] = [textIn(advisory, "url"), textIn(advisory, "range")];
  const fix = fieldsOf(fields.get("fixAvailable"));
  const fixed =
    fix && `${textIn(fix, "name")} ${textIn(fix, "version")}${fix.get("isSemVerMajor") === true ? " (a new major version)" : ""}`;
  return {
    name,
    version: undefined,
    advisory: address?.split("/").at(-1) ?? String(advisory.get("source")),
    title: textIn(advisory, "title") ?? "an advisory",
    severity: textIn(advisory, "severity"),
    mendedIn: fixed ?? (fields.get("fixAvailable") === true ? "a version within the ranges" : undefined),
    address,
    more: [...(range === undefined ? [] : [range]), ...(fields.get("isDirect") === true ? ["a direct dependency"] : [])],
  };
}
