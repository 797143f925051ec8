// Go: `go list -u` and `govulncheck`.
import { type Fields, fieldsOf, textIn } from "../../std/json-record.ts";
import { type DependencyTool, listIn, part, readObjects, type Vulnerable } from "./tool.ts";

export const go: DependencyTool = {
  outdated: {
    run: "go list -mod=readonly -u -m -json all",
    answers: [0],
    read(printed) {
      const modules = readObjects(printed);
      if (!modules?.every((module) => textIn(module, "Path") !== undefined)) return undefined;
      // What others brought along is theirs to raise.
      const found = modules.flatMap((module) => {
        const latest = textIn(fieldsOf(module.get("Update")), "Version");
        if (latest === undefined || module.get("Indirect") === true || module.get("Main") === true) return [];
        const more = textIn(module, "Deprecated") === undefined ? [] : ["deprecated"];
        return [{ name: textIn(module, "Path")!, version: textIn(module, "Version"), latest, more }];
      });
      return { found };
    },
  },
  vulnerable: {
    run: "govulncheck -json ./...",
    answers: [0],
    read(printed) {
      const messages = readObjects(printed);
      // It begins by saying who it is.
      if (!messages?.some((message) => message.has("config"))) return undefined;
      const advisories = new Map(
        messages.flatMap((message) => {
          const advisory = fieldsOf(message.get("osv"));
          const id = textIn(advisory, "id");
          return advisory && id !== undefined ? [[id, advisory] as const] : [];
        }),
      );
      const found = new Map<string, Sighting>();
      for (const message of messages) {
        const seen = sightingIn(fieldsOf(message.get("finding")), advisories);
        const known = seen && found.get(seen.key);
        // The same is told again for each way to it, by ever more of what is known.
        if (seen && (!known || NEARNESS.indexOf(seen.near) < NEARNESS.indexOf(known.near))) found.set(seen.key, seen);
      }
      return { found: [...found.values()].map(({ near, told }) => ({ ...told, more: [near, ...(told.more ?? [])] })) };
    },
  },
  address: (name, version) => `https://pkg.go.dev/${part(name)}@${part(version)}`,
};

const NEARNESS = ["code of ours calls it", "its package is imported", "its module is required"] as const;

interface Sighting {
  readonly key: string;
  readonly near: (typeof NEARNESS)[number];
  readonly told: Vulnerable;
}

function sightingIn(finding: Fields | undefined, advisories: ReadonlyMap<string, Fields>): Sighting | undefined {
  const at = fieldsOf(listIn(finding, "trace")?.[0]);
  const [id, name] = [textIn(finding, "osv"), textIn(at, "module")];
  if (id === undefined || name === undefined) return undefined;
  const advisory = advisories.get(id);
  const aliases = (listIn(advisory, "aliases") ?? []).filter((one) => typeof one === "string").slice(0, 3);
  return {
    key: JSON.stringify([id, name]),
    near: NEARNESS[textIn(at, "function") !== undefined ? 0 : textIn(at, "package") !== undefined ? 1 : 2]!,
    told: {
      name,
      version: textIn(at, "version"),
      advisory: id,
      title: textIn(advisory, "summary") ?? id,
      severity: undefined,
      mendedIn: textIn(finding, "fixed_version"),
      address: textIn(fieldsOf(advisory?.get("database_specific")), "url") ?? `https://pkg.go.dev/vuln/${part(id)}`,
      more: aliases,
    },
  };
}
