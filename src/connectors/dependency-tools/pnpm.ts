// pnpm: `pnpm outdated` and `pnpm audit`.
import { fieldsOf, textIn } from "../../std/json-record.ts";
import { npm, readNpmAudit } from "./npm.ts";
import { type DependencyTool, entriesOf, listIn, readFields, readJson } from "./tool.ts";

export const pnpm: DependencyTool = {
  outdated: {
    run: "pnpm outdated --format json",
    answers: [0, 1],
    read(printed) {
      const entries = entriesOf(printed.trim() === "" ? {} : readJson(printed));
      if (!entries?.every(([, fields]) => textIn(fields, "latest") !== undefined)) return undefined;
      const found = entries.map(([name, fields]) => {
        const kind = textIn(fields, "dependencyType");
        return {
          name,
          version: textIn(fields, "current") ?? textIn(fields, "wanted"),
          latest: textIn(fields, "latest")!,
          more: [...(kind === undefined ? [] : [`of ${kind}`]), ...(fields.get("isDeprecated") === true ? ["deprecated"] : [])],
        };
      });
      return { found };
    },
  },
  vulnerable: {
    run: "pnpm audit --json",
    answers: [0, 1],
    read(printed) {
      const entries = entriesOf(readFields(printed)?.get("advisories"));
      if (!entries) return readNpmAudit(printed);
      const found = entries.map(([id, fields]) => {
        const [address, patched] = [textIn(fields, "url"), textIn(fields, "patched_versions")];
        const range = textIn(fields, "vulnerable_versions");
        return {
          name: textIn(fields, "module_name") ?? "a package",
          version: textIn(fieldsOf(listIn(fields, "findings")?.[0]), "version"),
          advisory: textIn(fields, "github_advisory_id") ?? address?.split("/").at(-1) ?? id,
          title: textIn(fields, "title") ?? "an advisory",
          severity: textIn(fields, "severity"),
          // Its way to say that there is none.
          mendedIn: patched === "<0.0.0" ? undefined : patched,
          address,
          more: range === undefined ? [] : [range],
        };
      });
      return { found };
    },
  },
  address: npm.address,
};
